"""``planconv explain``: what a code means."""

from __future__ import annotations

from difflib import get_close_matches
from textwrap import fill
from typing import Annotated, TypeAlias

import typer

from planconv.check.findings import CHECKS, Check
from planconv.cli.messages import Paint
from planconv.cli.streams import Streams
from planconv.errors import UsageError
from planconv.formatter.rules import RULES, Rule
from planconv.loss import CODES, Code

WIDTH = 92

_Row: TypeAlias = Code | Rule | Check


def codes_beginning_with(incomplete: str) -> list[tuple[str, str]]:
    """The codes that a shell offers, each with its sentence."""
    return [(row.number, row.phrase) for row in _rows() if row.number.startswith(incomplete.upper())]


def explain(
    context: typer.Context,
    code: Annotated[
        str,
        typer.Argument(
            metavar="[CODE]",
            help="A code such as PC101, PF001 or CK101, or its name; without it, all are listed.",
            autocompletion=codes_beginning_with,
            show_default=False,
        ),
    ] = "",
) -> int:
    """Say what a code means, why it happens and what to do."""
    streams: Streams = context.obj
    paint = streams.output_paint
    text = _explained(_find(code), paint) if code else _listed(paint)
    streams.write(text.encode())
    return 0


def _find(wanted: str) -> _Row:
    """The code of this number, or the rule or check of this name."""
    rows = {row.number: row for row in _rows()}
    names = {row.name: row for row in rows.values() if not isinstance(row, Code)}
    found = rows.get(wanted.upper()) or names.get(wanted.lower())
    if found is None:
        near = get_close_matches(wanted.upper(), rows, n=3, cutoff=0.5)
        guess = f"; did you mean {' or '.join(near)}?" if near else ";"
        raise UsageError(f"there is no code {wanted}{guess} `planconv explain` lists all")
    return found


def _rows() -> list[_Row]:
    return [*CODES.values(), *RULES.values(), *CHECKS.values()]


def _kind(row: _Row) -> str:
    if isinstance(row, Code):
        return row.kind.word
    return "fmt" if isinstance(row, Rule) else "check"


def _explained(code: _Row, paint: Paint) -> str:
    name = "" if isinstance(code, Code) else f" {code.name}"
    lines = [
        f"{paint.bold(code.number)}{name} ({_kind(code)}): {code.phrase}",
        "",
        fill(code.explanation, WIDTH, break_long_words=False, break_on_hyphens=False),
    ]
    if isinstance(code, Code) and code.forbidden:
        lines += ["", "A specification forbids it: with --strict it is an error."]
    if isinstance(code, Check):
        lines += ["", f"What to do: {code.hint}."]
    return "\n".join(lines) + "\n"


def _listed(paint: Paint) -> str:
    rows = _rows()
    widest = max(len(_kind(row)) for row in rows)
    return "".join(
        f"{paint.bold(row.number)}  {_kind(row):<{widest}}  {_named(row)}{row.phrase}\n" for row in rows
    )


def _named(row: _Row) -> str:
    """The name by which options and settings may choose it."""
    return "" if isinstance(row, Code) else f"{row.name}: "
