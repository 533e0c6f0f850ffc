"""What the formats tell about themselves, as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from planconv.cli.messages import Paint, one_line
from planconv.codec import CodecInfo, Extent, Field, Held
from planconv.loss import (
    FIELD_DROPPED,
    LUGGAGE_DROPPED,
    PROSE_DROPPED,
    STATUS_AS_TEXT,
    STATUS_RENAMED,
    Code,
)
from planconv.model import JSON
from planconv.registry import Broken
from planconv.status import OPEN_VOCABULARIES, PENDING, TABLE, VOCABULARIES, Cell, spoken, words_for

WIDTH = 96


# --- text ---------------------------------------------------------------------------------------


def as_text(infos: Sequence[CodecInfo], broken: Sequence[Broken], paint: Paint) -> str:
    """The list of formats for a terminal."""
    widest = max(len(info.name) for info in infos)
    lines = [paint.bold(f"{'format':<{widest}}  reads  writes  about")]
    lines += [
        f"{info.name:<{widest}}  {_tick(info.reads):<5}  {_tick(info.writes):<6}  {info.summary}"
        for info in infos
    ]
    for plug_in in broken:
        lines.append(one_line(f"{plug_in.name} of {plug_in.package} cannot be loaded: {plug_in.reason}"))
    return "\n".join([*lines, "", "`planconv formats NAME` says what is lost on the way to it.", ""])


def described(info: CodecInfo, paint: Paint) -> str:
    """One format, field by field, for a terminal."""
    lines = [f"{paint.bold(info.name)}: {info.summary}", f"{_ways(info)}. {_names(info)}", ""]
    lines.append(paint.bold("What it holds"))
    widest = max(len(field.words) for field in Field)
    for field, held in _held(info):
        lines += _hanging(f"  {field.words:<{widest}}  {held.extent.value:<6}  ", held.sentence)
    if info.carrier:
        lines += ["", *_hanging("With --carry the rest travels in ", info.carrier + ".")]
    if info.vocabulary in TABLE:
        lines += ["", paint.bold("Its status words")]
        lines += [f"  {status:<{widest}}  {words}" for status, words in _status_words(info)]
    if info.writes:
        lines += ["", paint.bold("Lost on the way to it")]
        for code, what in _lost(info):
            lines += _hanging(f"  {code.number}  ", f"{what}: {code.kind.word}")
    return "\n".join([*lines, ""])


def _held(info: CodecInfo) -> list[tuple[Field, Held]]:
    """What the format holds of each field, in the order that all formats have in common."""
    return [(field, info.holds[field]) for field in Field]


def _hanging(first: str, text: str) -> list[str]:
    """Text behind a beginning, broken into lines that keep its indentation."""
    indent = " " * len(first)
    return [
        line.rstrip()
        for line in wrap(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=indent,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
    ] or [first.rstrip()]


def _tick(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _ways(info: CodecInfo) -> str:
    ways = [word for word, is_so in (("read", info.reads), ("written", info.writes)) if is_so]
    several = "several plans in one output" if info.several else "one plan in an output"
    return f"It is {' and '.join(ways)}" + (f", {several}" if info.writes else "")


def _names(info: CodecInfo) -> str:
    return f"Files: {', '.join(info.patterns)}" if info.patterns else "No file name tells it"


def _status_words(info: CodecInfo) -> Iterator[tuple[str, str]]:
    """Each status with the word that is written for it; of a format that is only read, all its words."""
    for status, cell in TABLE[info.vocabulary].items():
        if info.writes:
            yield spoken(status), _cell(info.vocabulary, cell, status)
        elif words := words_for(info.vocabulary, status):
            yield spoken(status), ", ".join(_shown(info.vocabulary, word) for word in words)


def _cell(vocabulary: str, cell: Cell, status: str) -> str:
    word = _shown(vocabulary, cell.word)
    return word if cell.exact else f"{word} and ({spoken(status)}) in the text"


def _lost(info: CodecInfo) -> Iterator[tuple[Code, str]]:
    """What does not survive on the way to the format, and under which code it is reported."""
    for field, held in _held(info):
        if held.extent is Extent.NO:
            yield (PROSE_DROPPED if field is Field.PROSE else FIELD_DROPPED), field.words
    yield LUGGAGE_DROPPED, "fields that only another format understands"
    cells = TABLE.get(info.vocabulary, {})
    near = [spoken(status) for status, cell in cells.items() if not cell.exact]
    if near:
        yield STATUS_AS_TEXT, f"the statuses {', '.join(near)}, which stay readable in the text"
    if info.vocabulary in OPEN_VOCABULARIES:
        yield STATUS_RENAMED, "status words that are not ACP's and have no underscore, which get one"


# --- Markdown -----------------------------------------------------------------------------------


def as_markdown(infos: Sequence[CodecInfo]) -> str:
    """The tables of the README: the formats, what they hold, their status words."""
    formats = _table(
        ("format", "reads", "writes", "about"),
        ((f"`{info.name}`", _tick(info.reads), _tick(info.writes), info.summary) for info in infos),
    )
    writers = [info for info in infos if info.writes]
    holds = _table(
        ("holds", *(f"`{info.name}`" for info in writers)),
        ((field.words, *(info.holds[field].extent.value for info in writers)) for field in Field),
    )
    return f"{formats}\n{holds}\n{_status_table()}\n{_words_table(infos)}"


def description_markdown(info: CodecInfo) -> str:
    """One format, field by field."""
    holds = _table(
        ("field", "held", ""),
        ((field.words, held.extent.value, held.sentence) for field, held in _held(info)),
    )
    return f"**{info.name}**: {info.summary}\n\n{holds}"


_SHORT = ("acp", "acp-v1", "slack", "gfm")
"""The vocabularies that most plans meet; they have a table of their own, a column each."""


def _status_table() -> str:
    """A row for each status: how the vocabularies that most plans meet write it."""
    return _table(
        ("status", *_SHORT),
        (
            (spoken(status), *(_marked(name, TABLE[name][status]) for name in _SHORT))
            for status in TABLE[_SHORT[0]]
        ),
    )


def _words_table(infos: Sequence[CodecInfo]) -> str:
    """A row for each vocabulary with the formats that use it: all its words, the written first."""
    users: dict[str, list[CodecInfo]] = {}
    for info in infos:
        if info.vocabulary in TABLE:
            users.setdefault(info.vocabulary, []).append(info)
    statuses = list(TABLE[_SHORT[0]])
    return _table(
        ("format", *map(spoken, statuses)),
        (
            (
                ", ".join(f"`{info.name}`" for info in formats),
                *(
                    _words(vocabulary, status, near=any(info.writes for info in formats))
                    for status in statuses
                ),
            )
            for vocabulary, formats in users.items()
        ),
    )


def _words(vocabulary: str, status: str, *, near: bool) -> str:
    """The words for a status; if there are none, and ``near``, the one that is written for it."""
    cells = [Cell(word, True) for word in words_for(vocabulary, status)]
    if not cells and near:
        cells = [TABLE[vocabulary][status]]
    return " ".join(_marked(vocabulary, cell) for cell in cells)


def _marked(vocabulary: str, cell: Cell) -> str:
    """A word of a vocabulary; a near one is marked."""
    word = _shown(vocabulary, cell.word)
    return f"`{word}`" if cell.exact else f"≈ `{word}`"


def _shown(vocabulary: str, word: str) -> str:
    """A word as it stands in a file: a mark in its box. What packages add are words, however short."""
    is_mark = TABLE[vocabulary][PENDING].word == " " or (len(word) == 1 and word.isascii())
    return f"[{word}]" if is_mark and vocabulary in VOCABULARIES else word


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    lines.insert(1, "|" + " --- |" * len(cells[0]))
    return "\n".join(lines) + "\n"


# --- JSON ---------------------------------------------------------------------------------------


def as_json(infos: Sequence[CodecInfo], broken: Sequence[Broken], *, single: bool = False) -> bytes:
    """The formats as one JSON object, or the single one as its own."""
    from planconv.wire import json

    if single:
        return json.dumps_indented(_row(infos[0])) + b"\n"
    plug_ins: list[JSON] = [
        {"name": plug_in.name, "package": plug_in.package, "reason": plug_in.reason} for plug_in in broken
    ]
    return json.dumps_indented({"formats": [_row(info) for info in infos], "broken": plug_ins}) + b"\n"


def _row(info: CodecInfo) -> JSON:
    cells = TABLE.get(info.vocabulary, {})
    return {
        "name": info.name,
        "summary": info.summary,
        "reads": info.reads,
        "writes": info.writes,
        "several": info.several,
        "records": info.records,
        "patterns": list(info.patterns),
        "carrier": info.carrier,
        "holds": {
            field.value: {"extent": held.extent.value, "sentence": held.sentence}
            for field, held in _held(info)
        },
        "statuses": {status: {"word": cell.word, "exact": cell.exact} for status, cell in cells.items()},
        "lost": [{"code": code.number, "kind": code.kind.word, "what": what} for code, what in _lost(info)],
    }
