"""The options that several commands share, each declared once."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import typer

OnErrorWord = Literal["fail", "skip"]
LossWord = Literal["dropped", "degraded", "assumed"]


def formats_beginning_with(incomplete: str) -> list[str]:
    """The format names that a shell offers behind ``--from`` and ``--to``."""
    from planconv.registry import BUILT_IN

    return [name for name in BUILT_IN if name.startswith(incomplete)]


From = Annotated[
    str,
    typer.Option(
        "-f",
        "--from",
        metavar="FORMAT",
        autocompletion=formats_beginning_with,
        help="Format of the input; without it, told by its name, else by its content.",
    ),
]
To = Annotated[
    str,
    typer.Option(
        "-t",
        "--to",
        metavar="FORMAT",
        autocompletion=formats_beginning_with,
        help="Format of the output; without it, told by the name behind -o.",
    ),
]
NeededTo = Annotated[
    str,
    typer.Option(
        "-t",
        "--to",
        metavar="FORMAT",
        autocompletion=formats_beginning_with,
        help="Format of the output; always needed.",
    ),
]
Mentions = Annotated[
    bool, typer.Option("--mentions", help="Read <@U...>, <#C...>, <!here> in text as Slack mentions.")
]
Carry = Annotated[
    bool,
    typer.Option(
        "--carry", help="Carry what the output has no field for in its extension point, and put it back."
    ),
]
Report = Annotated[
    str,
    typer.Option(
        "--report", metavar="FILE", help="Write every loss to FILE, a JSON object a line; -: stderr."
    ),
]
FailOnLoss = Annotated[
    LossWord | None,
    typer.Option("--fail-on-loss", help="Exit 1 when something of this kind, or worse, was lost."),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Make an error of what a specification forbids or cannot hold.")
]
OnError = Annotated[
    OnErrorWord | None,
    typer.Option(
        "--on-error",
        help="At a record or input that cannot be read: stop, as convert does, or go on and exit 1, as"
        " stream and batch do.",
    ),
]
ErrorsTo = Annotated[
    str,
    typer.Option(
        "--errors-to", metavar="FILE", help="Keep what cannot be read in FILE, a JSON object a line."
    ),
]
Root = Annotated[
    str,
    typer.Option(
        "--root", metavar="DIR", help="Read the files that plans point to, if they lie under DIR."
    ),
]
PlanId = Annotated[str | None, typer.Option("--plan", metavar="ID", help="Take only the plan of this id.")]
SessionId = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="Take only the plans of this session.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No summary of losses.")]


class Reading(NamedTuple):
    """How inputs become plans; ``format`` is ``""`` where it has to be told from the input."""

    format: str = ""
    strict: bool = False
    skip: bool = False
    mentions: bool = False
    root: str = ""
    carry: bool = False


class Telling(NamedTuple):
    """What is said about losses and bad records, and where; ``""`` is nowhere."""

    report: str = ""
    fail_on_loss: LossWord | None = None
    errors_to: str = ""
    quiet: bool = False
