"""planconv's own model as JSON: everything that a plan holds, for programs and for safekeeping.

``{"planconv": 1, "plans": […]}``; the number is the version of the shape, which is that of
:mod:`planconv.model` as :mod:`planconv.wire.native` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planconv.codec import ANY_LUGGAGE, FULL, CodecInfo, Field
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import Ledger
from planconv.model import JSON, Plan
from planconv.wire import json
from planconv.wire.native import read_plan, write_plan

VERSION = 1

_DEEPEST = 10_000
"""Plans are nested more deeply as JSON than any foreign JSON in them."""


@dataclass(frozen=True, slots=True)
class NativeCodec:
    """Decoding gives back exactly the plans that were encoded."""

    info: CodecInfo

    def recognise(self, head: bytes, /) -> str:
        """Its first key names it."""
        found = re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"planconv"\s*:', head)
        return "it begins as planconv's own JSON does" if found else ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans of the document; raises as :meth:`planconv.codec.Codec.decode` does."""
        document = json.loads(data, at=ledger.at, deepest=_DEEPEST)
        try:
            plans = _read_document(document)
        except RecursionError:
            raise DecodeError("the plan is nested too deeply") from None
        except DecodeError as error:
            if error.pointer is not None:
                error.line, error.column = json.locate(data, error.pointer)
            raise
        if not plans:
            raise NoPlanError("the document holds no plan: `plans` is empty")
        return plans

    def encode(self, plans: Sequence[Plan], _: Ledger, /) -> bytes:
        """One document, indented, without the fields that have their default.

        Raises:
            EncodeError: a plan is nested more deeply than JSON can be written.
        """
        try:
            written: list[JSON] = [write_plan(plan) for plan in plans]
        except RecursionError:
            raise EncodeError("the plan is nested too deeply to be written as JSON") from None
        return json.dumps_indented({"planconv": VERSION, "plans": written}) + b"\n"


def _read_document(document: JSON) -> list[Plan]:
    if not isinstance(document, dict) or "planconv" not in document:
        raise DecodeError('this is no planconv document: it has no key "planconv"', pointer="")
    version = document["planconv"]
    if version != VERSION or isinstance(version, bool):
        shown = json.dumps(version).decode()
        raise DecodeError(
            f"version {shown} is not known here, only {VERSION}; a newer planconv may read it",
            pointer="/planconv",
        )
    for key in document:
        if key not in ("planconv", "plans"):
            raise DecodeError(f"the key {key!r} is not known", pointer=f"/{key}")
    plans = document.get("plans")
    if not isinstance(plans, list):
        raise DecodeError("an array of plans is expected here", pointer="/plans")
    return [read_plan(plan, f"/plans/{number}") for number, plan in enumerate(plans)]


NATIVE = NativeCodec(
    CodecInfo(
        name="native",
        summary="planconv's own model as JSON: lossless, versioned",
        patterns=("*.native.json", "*.planconv.json"),
        vocabulary="acp",
        luggage=ANY_LUGGAGE,
        holds=dict.fromkeys(Field, FULL),
    )
)
