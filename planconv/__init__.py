"""Convert the plans of coding agents: ACP, Markdown checklists, Slack and more, any to any.

import planconv
result = planconv.convert(open("plan.md", "rb").read(), "markdown", "slack")
print(result.text, result.losses)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

# Fetched at once: its module has the same name, and would stand in its place as soon as it is loaded.
from planconv.convert import convert as convert

if TYPE_CHECKING:
    from planconv.convert import Conversion as Conversion
    from planconv.convert import decode as decode
    from planconv.convert import encode as encode
    from planconv.errors import DecodeError as DecodeError
    from planconv.errors import EncodeError as EncodeError
    from planconv.errors import NoPlanError as NoPlanError
    from planconv.errors import PlanconvError as PlanconvError
    from planconv.errors import StrictError as StrictError
    from planconv.loss import Kind as Kind
    from planconv.loss import Ledger as Ledger
    from planconv.loss import Loss as Loss
    from planconv.model import Plan as Plan
    from planconv.model import Task as Task

__version__ = "0.1.0"

_PLACES = {
    "Conversion": "convert",
    "decode": "convert",
    "encode": "convert",
    "DecodeError": "errors",
    "EncodeError": "errors",
    "NoPlanError": "errors",
    "PlanconvError": "errors",
    "StrictError": "errors",
    "Kind": "loss",
    "Ledger": "loss",
    "Loss": "loss",
    "Plan": "model",
    "Task": "model",
}
__all__ = [*sorted(_PLACES), "convert", "__version__"]  # noqa: PLE0604 - the names are those of the table


def __getattr__(name: str) -> object:
    """Each other name is fetched from its module when it is first used, so that an import is quick."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    """All names, whether they have been fetched or not."""
    return sorted({*globals(), *__all__})
