"""Bringing a text up to date with another, as the tests of the formats do."""

import difflib

import planconv
from planconv import registry
from planconv.loss import Ledger
from planconv.update import Source, update


def updated(text, form, source, source_form="markdown"):
    """The new text, how many statuses and texts changed, and number and path of each loss."""
    ledger = Ledger()
    info = registry.get(source_form).info
    sources = [Source(plan, info) for plan in planconv.decode(source, source_form)]
    done = update(text.encode(), form, sources, ledger)
    return (
        done.data.decode(),
        (done.statuses, done.texts),
        [(one.code.number, one.path) for one in ledger.losses],
    )


def changed_lines(before, after):
    """The lines of ``after`` that are new or other than in ``before``, without the others."""
    pairs = difflib.SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    return [
        line
        for how, _, _, start, end in pairs.get_opcodes()
        if how != "equal"
        for line in after.split("\n")[start:end]
    ]
