"""The laws of a codec, as plain functions: each tries one example and raises :class:`LawError`.

``encode`` here is what a conversion does: what the format does not hold at all is left behind and noted,
the rest is the codec's. A codec may refuse plans with an ``EncodeError``: it says so openly, and no law
is broken; :class:`CodecLaws` sees to it that it does not refuse everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from planconv.codec import Codec
from planconv.convert import leave_behind
from planconv.differences import Difference, differences, faults, task_differences
from planconv.errors import DecodeError, EncodeError, NoPlanError, StrictError
from planconv.loss import PLAN_SPLIT, Ledger, Loss
from planconv.model import Plan
from planconv.testing.plans import broken, plan_groups

Example = TypeVar("Example")


class LawError(AssertionError):
    """A codec does not keep a law; the message has the plan, the bytes and the ledger."""


def encode(codec: Codec, plans: Sequence[Plan], ledger: Ledger) -> bytes:
    """The plans as a conversion writes them."""
    ledger.format = codec.info.name
    return codec.encode([leave_behind(plan, codec.info, ledger) for plan in plans], ledger)


def decode(codec: Codec, data: bytes, ledger: Ledger) -> list[Plan]:
    """The plans as a conversion reads them; they are in normal form, or ``==`` would mean nothing."""
    ledger.format = codec.info.name
    plans = codec.decode(data, ledger)
    if found := [fault for plan in plans for fault in faults(plan)]:
        raise LawError(
            f"{codec.info.name} reads plans that are not in normal form: {'; '.join(found)}"
            f"\n--- data\n{_shown(data)}"
        )
    return plans


# --- the laws -----------------------------------------------------------------------------------


def honesty(codec: Codec, plans: Sequence[Plan]) -> None:
    """After a round trip every difference to ``plans`` lies under a path that the ledger names.

    Writing and reading note into one ledger. A field is the unit: a note at ``/tasks/3/details`` speaks
    for everything in the details, and a note at ``/tasks``, ``/body`` or the root for nothing. Where the
    ledger says that a plan was split, the tasks are compared in the order of the page.
    """
    ledger = Ledger()
    data = encode(codec, plans, ledger)
    after = decode(codec, data, ledger)
    for found, losses in _compared(plans, after, ledger):
        unnamed = [
            difference
            for difference in found
            if not any(difference.lies_under(loss.path) for loss in losses)
        ]
        if unnamed:
            raise _broken("honesty", codec, data, ledger, "nothing in the ledger names", unnamed)


def silence(codec: Codec, plans: Sequence[Plan]) -> None:
    """An empty ledger after a round trip means that the plans are equal.

    What comes back is sent on a second trip: most plans lose something on their first.
    """
    ledger = Ledger()
    data = encode(codec, plans, ledger)
    after = decode(codec, data, ledger)
    if not ledger.losses and after != list(plans):
        raise _broken("silence", codec, data, ledger, "and yet there differ", _all(plans, after))
    again = Ledger()
    data = encode(codec, after, again)
    back = decode(codec, data, again)
    if not again.losses and back != after:
        raise _broken("silence", codec, data, again, "and yet there differ", _all(after, back))


def stability(codec: Codec, plans: Sequence[Plan]) -> None:
    """What is read back from an output is written as the same output again, byte for byte."""
    data = encode(codec, plans, Ledger())
    again = encode(codec, decode(codec, data, Ledger()), Ledger())
    if again != data:
        raise LawError(
            f"stability of {codec.info.name}: the second output is not the first"
            f"\n--- first\n{_shown(data)}\n--- second\n{_shown(again)}\n--- plans\n{list(plans)!r}"
        )


def totality(codec: Codec, data: bytes) -> None:
    """Any bytes give plans in normal form, or a ``DecodeError`` or ``StrictError``, and nothing else."""
    for strict in (False, True):
        try:
            decode(codec, data, Ledger(strict=strict))
        except (DecodeError, StrictError) as error:
            if not str(error):
                raise LawError(f"totality of {codec.info.name}: an error without a message") from error
        except LawError:
            raise
        except Exception as error:
            raise LawError(
                f"totality of {codec.info.name}: {type(error).__name__}: {error}\n--- data\n{data!r}"
            ) from error


# --- how they are checked -----------------------------------------------------------------------


def _compared(
    before: Sequence[Plan], after: Sequence[Plan], ledger: Ledger
) -> Iterable[tuple[list[Difference], list[Loss]]]:
    """The differences of each plan, and what the ledger says of that plan."""
    if len(before) == len(after):
        for old, new in zip(before, after, strict=True):
            yield differences(old, new), [loss for loss in ledger.losses if _speaks_of(loss, old, new)]
    elif any(loss.code is PLAN_SPLIT for loss in ledger.losses):
        yield task_differences(before, after), ledger.losses
    else:
        yield [Difference("", list(before), list(after))], []


def _speaks_of(loss: Loss, old: Plan, new: Plan) -> bool:
    return loss.plan in (None, old.id, new.id) and loss.session in (None, old.session, new.session)


def _all(before: Sequence[Plan], after: Sequence[Plan]) -> list[Difference]:
    return [difference for found, _ in _compared(before, after, Ledger()) for difference in found]


def _broken(
    law: str, codec: Codec, data: bytes, ledger: Ledger, verdict: str, found: Sequence[Difference]
) -> LawError:
    places = "\n".join(map(_place, found))
    named = "\n".join(f"  {loss.code.number} {loss.path}" for loss in ledger.losses) or "  nothing"
    return LawError(
        f"{law} of {codec.info.name}: {verdict}\n{places}"
        f"\n--- the ledger names\n{named}\n--- data\n{_shown(data)}"
    )


def _place(found: Difference) -> str:
    return f"  {found.path or 'the whole'}\n    before: {found.before!r}\n    after:  {found.after!r}"


def _shown(data: bytes) -> str:
    text = data.decode(errors="backslashreplace")
    return text if len(text) <= 2000 else text[:2000] + " …"


class CodecLaws:
    """A pytest class to inherit from: set ``codec``, and every law is tried on many examples.

    ``plans`` may be set to a strategy for the groups of plans that are tried. How many examples there
    are is hypothesis's setting (``max_examples`` of the profile).
    """

    codec: Codec

    @property
    def plans(self) -> st.SearchStrategy[list[Plan]]:
        """Groups of plans that the format can hold together."""
        return plan_groups(several=self.codec.info.several)

    def test_honesty(self) -> None:
        """Every difference is named."""
        self._try(honesty)

    def test_silence(self) -> None:
        """No loss, no difference."""
        self._try(silence)

    def test_stability(self) -> None:
        """The second output is the first."""
        self._try(stability)

    def test_totality(self) -> None:
        """No input brings the codec down."""
        _for_all(broken(self.plans.map(self._written)), lambda data: totality(self.codec, data))

    def _written(self, plans: Sequence[Plan]) -> bytes:
        try:
            return encode(self.codec, plans, Ledger())
        except EncodeError:
            return b""

    def _try(self, law: Callable[[Codec, Sequence[Plan]], None]) -> None:
        kept = 0

        def law_holds(plans: Sequence[Plan]) -> None:
            nonlocal kept
            try:
                law(self.codec, plans)
            except EncodeError:
                return
            except NoPlanError as error:
                raise LawError(f"{self.codec.info.name} reads no plan in what it wrote: {error}") from error
            kept += 1

        _for_all(self.plans, law_holds)
        if not kept:
            raise LawError(f"{self.codec.info.name} refuses to write any plan")


def _for_all(examples: st.SearchStrategy[Example], check: Callable[[Example], None]) -> None:
    """Run ``check`` on many examples, and show the smallest that fails."""

    @given(examples)
    def every(example: Example) -> None:
        check(example)

    every()
