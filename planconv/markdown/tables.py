"""Tables, as GFM writes them."""

from __future__ import annotations

import re

from planconv.loss import BLOCK_SIMPLIFIED, Note
from planconv.markdown.edges import keep_edges
from planconv.markdown.inline import write_line
from planconv.model import Line, Table, block_text

_RULES = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}
_PIPE = re.compile(r"\|")


def write_table(table: Table, note: Note) -> list[str]:
    """The lines of a table; every row gets as many cells as the header has."""
    width = len(table.header)
    if not width:
        note(BLOCK_SIMPLIFIED, block_text(table), None)
        return []
    align = (*table.align, *[""] * width)[:width]
    if any(len(row) != width for row in table.rows) or len(table.align) != width:
        note(BLOCK_SIMPLIFIED, block_text(table), f"{width} cells a row")
    rows = [table.header, *((*row, *[()] * width)[:width] for row in table.rows)]
    lines = [_row([_cell(cell, note) for cell in row]) for row in rows]
    lines.insert(1, _row([_RULES.get(side, "---") for side in align]))
    return lines


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(line: Line, note: Note) -> str:
    """A bar ends a cell also in code; only a backslash right before it keeps it (GFM §4.10)."""
    return _PIPE.sub(r"\\|", keep_edges(write_line(line, note, single_line=True)))
