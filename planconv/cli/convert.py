"""``planconv convert``: any format to any other, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from planconv import registry
from planconv.cli import options
from planconv.cli.inputs import Inputs, Origins, checked_root, checked_source, input_name, with_inputs
from planconv.cli.messages import shown
from planconv.cli.streams import Streams
from planconv.cli.telling import kept, tell, write_file
from planconv.convert import encode, select
from planconv.errors import NoPlanError, PlanconvError, UsageError
from planconv.loss import Kind, Ledger
from planconv.model import Plan

if TYPE_CHECKING:
    from planconv.cli.update import PlanFile

POINTERS = {"acp-file": "markdown"}
"""Formats that only point to a file, and the format of the file that ``-o`` names."""

EXAMPLES = """Examples:

\b
  planconv convert -t slack plan.md
  planconv convert -f acp -t markdown session.ndjson -o plan.md
  cat plan.md | planconv convert -f markdown -t acp --report losses.ndjson
  planconv convert session.jsonl --update -o tasks.md
"""


def convert(
    context: typer.Context,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[INPUT]...", help="Files to convert; none, or -: standard input."),
    ] = None,
    source: options.From = "",
    target: options.To = "",
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="PATH", help="Write to PATH and not to standard output."),
    ] = "",
    report: options.Report = "",
    fail_on_loss: options.FailOnLoss = None,
    strict: options.Strict = False,
    on_error: options.OnError = None,
    errors_to: options.ErrorsTo = "",
    root: options.Root = "",
    plan: options.PlanId = None,
    session: options.SessionId = None,
    mentions: options.Mentions = False,
    carry: options.Carry = False,
    update: Annotated[
        bool,
        typer.Option("--update", help="With -o FILE: only change statuses and texts of the tasks in FILE."),
    ] = False,
    quiet: options.Quiet = False,
) -> int:
    """Convert plans from one format to another.

    Of an update stream (a log) it takes the final state of every plan. What the output's format cannot
    hold is summed up on standard error.
    """
    streams: Streams = context.obj
    output = "" if output == "-" else output
    file = _file_to_update(output, target) if update else None
    target = file.form if file else _checked_target(target or _told_by(output), output)
    reading = options.Reading(
        checked_source(source), strict, on_error == "skip", mentions, checked_root(root), carry
    )
    reader = Inputs(streams, reading)
    telling = options.Telling(report, fail_on_loss, errors_to, quiet)
    try:
        plans, origins = _read_all(reader, inputs or ["-"])
        if not reader.read:
            status = tell(streams, telling, reader.losses, reader.failures)
            return max(status, *(one.error.exit_status for one in reader.failures if one.thing != "record"))
        plans = _picked(plans, plan, session) if file else chosen(plans, target, plan, session)
        plans = [reader.finished(one, origins[one.session, one.id]) for one in plans]
    except PlanconvError:
        if errors_to:
            write_file(errors_to, kept(reader.failures))
        raise
    ledger = Ledger(strict=strict)
    if file:
        _update(streams, file, plans, reader.formats_of(plans, origins), ledger, quiet=quiet)
    elif target in POINTERS:
        _write_with_pointer(streams, plans[0], target, output, ledger)
    else:
        _write(streams, encoded(plans, target, ledger, carry=carry), output)
    losses = reader.losses + with_inputs(ledger.losses, origins)
    return tell(streams, telling, losses, reader.failures)


def _file_to_update(output: str, form: str) -> PlanFile:
    from planconv.cli.update import open_file

    return open_file(output, form)


def _update(
    streams: Streams, file: PlanFile, plans: list[Plan], formats: list[str], ledger: Ledger, *, quiet: bool
) -> None:
    from planconv.cli.update import update_file
    from planconv.update import Source

    sources = [Source(plan, registry.get(form).info) for plan, form in zip(plans, formats, strict=True)]
    update_file(streams, file, sources, ledger, quiet=quiet)


def _told_by(output: str) -> str:
    if not output:
        raise UsageError("name the output's format with --to, or a file with -o whose name tells it")
    from planconv.detect import detect_output

    return detect_output(shown(output), registry.installed()[0])


def _checked_target(target: str, output: str) -> str:
    if not registry.get(target).info.writes:
        raise UsageError(f"planconv does not write {target}, it only reads it")
    if target in POINTERS and not output:
        raise UsageError(f"{target} points to a file: name the file to write with -o")
    return target


def _read_all(reader: Inputs, paths: list[str]) -> tuple[list[Plan], Origins]:
    """The plans of all inputs, and by session and id the input that a plan came from."""
    if paths.count("-") > 1:
        raise UsageError("standard input can be read only once")
    plans: list[Plan] = []
    origins: Origins = {}
    for path in paths:
        name = input_name(path)
        for plan in reader.plans(path):
            key = (plan.session, plan.id)
            origins[key] = name if origins.get(key, name) == name else ""
            plans.append(plan)
    return plans, origins


def chosen(plans: list[Plan], target: str, plan_id: str | None, session: str | None) -> list[Plan]:
    """The plans that are asked for.

    Raises:
        NoPlanError: there is none.
        UsageError: there are several and the target holds one.
    """
    plans = _picked(plans, plan_id, session)
    if len(plans) > 1 and (target in POINTERS or not registry.get(target).info.several):
        there = ", ".join(f"{plan.id or 'no id'} (session {plan.session or 'none'})" for plan in plans)
        raise UsageError(
            f"{target} holds one plan and there are {len(plans)}: choose with --plan or --session: {there}"
        )
    return plans


def _picked(plans: list[Plan], plan_id: str | None, session: str | None) -> list[Plan]:
    plans = select(plans, plan_id, session)
    if not plans:
        raise NoPlanError("no plan is left in the input: each was removed")
    return plans


def encoded(plans: list[Plan], target: str, ledger: Ledger, *, carry: bool) -> bytes:
    """The plans in the target's format; raises as :func:`planconv.convert.encode` does."""
    if not carry:
        return encode(plans, target, ledger)
    from planconv.carry import encode_carrying

    return encode_carrying(plans, target, ledger)


def _write(streams: Streams, data: bytes, output: str) -> None:
    if output:
        write_file(output, data)
    else:
        streams.write(data)


def _write_with_pointer(streams: Streams, plan: Plan, target: str, output: str, ledger: Ledger) -> None:
    """Write the plan to ``output``, and to standard output the message that points there."""
    from planconv.reference import file_uri

    of_file, of_message = Ledger(strict=ledger.strict), Ledger(strict=ledger.strict)
    file_data = encode([plan], POINTERS[target], of_file)
    message = encode([replace(plan, reference=file_uri(output))], target, of_message)
    # The file holds the tasks and the message what identifies the plan; what either makes up is news.
    luggage = registry.get(target).info.luggage
    in_message = ("/id", "/session", f"/extras/{luggage}/")
    ledger.losses += [loss for loss in of_file.losses if not loss.path.startswith(in_message)]
    ledger.losses += [loss for loss in of_message.losses if loss.code.kind is Kind.ASSUMED]
    write_file(output, file_data)
    streams.write(message)
