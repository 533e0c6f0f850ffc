"""``planconv explain``: what a code means."""

from __future__ import annotations

from difflib import get_close_matches
from textwrap import fill
from typing import Annotated

import typer

from planconv.cli.messages import Paint
from planconv.cli.streams import Streams
from planconv.errors import UsageError
from planconv.loss import CODES, Code

WIDTH = 92


def codes_beginning_with(incomplete: str) -> list[tuple[str, str]]:
    """The codes that a shell offers, each with its sentence."""
    return [
        (code.number, code.phrase) for code in CODES.values() if code.number.startswith(incomplete.upper())
    ]


def explain(
    context: typer.Context,
    code: Annotated[
        str,
        typer.Argument(
            metavar="[CODE]",
            help="A code such as PC101; without it, all are listed.",
            autocompletion=codes_beginning_with,
            show_default=False,
        ),
    ] = "",
) -> int:
    """Say what a loss means, why it happens and what to do."""
    streams: Streams = context.obj
    paint = streams.output_paint
    text = _explained(_find(code), paint) if code else _listed(paint)
    streams.write(text.encode())
    return 0


def _find(number: str) -> Code:
    found = CODES.get(number.upper())
    if found is None:
        near = get_close_matches(number.upper(), CODES, n=3, cutoff=0.5)
        guess = f"; did you mean {' or '.join(near)}?" if near else ";"
        raise UsageError(f"there is no code {number}{guess} `planconv explain` lists all")
    return found


def _explained(code: Code, paint: Paint) -> str:
    lines = [
        f"{paint.bold(code.number)} ({code.kind.word}): {code.phrase}",
        "",
        fill(code.explanation, WIDTH, break_long_words=False, break_on_hyphens=False),
    ]
    if code.forbidden:
        lines += ["", "A specification forbids it: with --strict it is an error."]
    return "\n".join(lines) + "\n"


def _listed(paint: Paint) -> str:
    widest = max(len(code.kind.word) for code in CODES.values())
    return "".join(
        f"{paint.bold(code.number)}  {code.kind.word:<{widest}}  {code.phrase}\n" for code in CODES.values()
    )
