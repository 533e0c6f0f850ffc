"""The model as JSON and back, exactly.

One table says for each class of the model its tag and how each field is written; everything else follows
from it. A field that has its default is left out, a text without style is a string, and a line that is
nothing but such a text is a string too, so that people can read it. Tags stand under ``type``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from planconv.errors import DecodeError
from planconv.model import (
    JSON,
    Break,
    Code,
    Color,
    Date,
    Emoji,
    Heading,
    Image,
    Item,
    Link,
    List,
    Mention,
    Paragraph,
    Plan,
    Quote,
    Raw,
    RawSpan,
    Rule,
    Source,
    Span,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    Verbatim,
    make_blocks,
    make_line,
)

Value: TypeAlias = Any
"""A value of the model: which one is what this module finds out."""

TAG = "type"


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of value is written and read; reading takes a JSON pointer for its errors."""

    write: Callable[[Value], JSON]
    read: Callable[[JSON, str], Value]


def write_plan(plan: Plan) -> JSON:
    """A plan as JSON; ``RecursionError`` if it is nested more deeply than any reader's plan."""
    return _write_fields(plan)


def read_plan(value: JSON, pointer: str) -> Plan:
    """The plan that was written so.

    Raises:
        DecodeError: it is none; the pointer says where.
    """
    plan: Plan = _read_fields(Plan, value, pointer)
    return plan


# --- objects ------------------------------------------------------------------------------------


def _write_fields(value: Value, tag: str = "") -> JSON:
    written: dict[str, JSON] = {TAG: tag} if tag else {}
    for name, (form, default) in _FIELDS[type(value)].items():
        inner = getattr(value, name)
        if default is _REQUIRED or inner != default:
            written[name] = form.write(inner)
    return written


def _read_fields(kind: type[Value], value: JSON, pointer: str, *, tagged: bool = False) -> Value:
    fields = _FIELDS[kind]
    if not isinstance(value, dict):
        raise _wrong(value, "an object", pointer)
    found: dict[str, Value] = {}
    for name, inner in value.items():
        if name in fields:
            found[name] = fields[name][0].read(inner, f"{pointer}/{name}")
        elif not (tagged and name == TAG):
            step = name.replace("~", "~0").replace("/", "~1")
            raise DecodeError(f"the key {name!r} is not known", pointer=f"{pointer}/{step}")
    for name, (_, default) in fields.items():
        if default is _REQUIRED and name not in found:
            raise DecodeError("is missing", pointer=f"{pointer}/{name}")
    return kind(**found)


def _one_of(kinds: Mapping[str, type[Value]], what: str) -> _Form:
    """One of several classes, told apart by their tags."""
    tags = {kind: tag for tag, kind in kinds.items()}

    def write(value: Value) -> JSON:
        return _write_fields(value, tags[type(value)])

    def read(value: JSON, pointer: str) -> Value:
        if not isinstance(value, dict):
            raise _wrong(value, what, pointer)
        tag = value.get(TAG)
        if not isinstance(tag, str) or tag not in kinds:
            raise DecodeError(
                f"{what} has one of these types: {', '.join(kinds)}", pointer=f"{pointer}/{TAG}"
            )
        return _read_fields(kinds[tag], value, pointer, tagged=True)

    return _Form(write, read)


def _plain_object(kind: type[Value]) -> _Form:
    return _Form(_write_fields, lambda value, pointer: _read_fields(kind, value, pointer))


def _wrong(value: JSON, what: str, pointer: str) -> DecodeError:
    found = _JSON_NAMES.get(type(value), "a number")
    return DecodeError(f"{what} is expected here, not {found}", pointer=pointer)


_JSON_NAMES: Mapping[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a truth value",
    type(None): "null",
}


# --- simple values ------------------------------------------------------------------------------


def _read_text(value: JSON, pointer: str) -> str:
    if not isinstance(value, str):
        raise _wrong(value, "a string", pointer)
    return value


def _read_optional(value: JSON, pointer: str) -> str | None:
    return None if value is None else _read_text(value, pointer)


def _read_flag(value: JSON, pointer: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(value, "true or false", pointer)
    return value


def _read_integer(value: JSON, pointer: str) -> int:
    if isinstance(value, Verbatim) and value.text.lstrip("-").isdigit() and len(value.text) < 4000:
        return int(value.text)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(value, "a whole number", pointer)
    return value


def _same(value: Value) -> JSON:
    same: JSON = value
    return same


_TEXT = _Form(_same, _read_text)
_OPTIONAL = _Form(_same, _read_optional)
_FLAG = _Form(_same, _read_flag)
_INTEGER = _Form(_same, _read_integer)


def _write_style(style: Style) -> JSON:
    return [str(flag.name).lower() for flag in Style if flag in style]


def _read_style(value: JSON, pointer: str) -> Style:
    style = Style.PLAIN
    for number, name in enumerate(_read_array(value, pointer)):
        word = _read_text(name, f"{pointer}/{number}")
        if word.upper() not in Style.__members__:
            raise DecodeError(f"there is no style {word!r}", pointer=f"{pointer}/{number}")
        style |= Style[word.upper()]
    return style


_STYLE = _Form(_write_style, _read_style)


# --- arrays -------------------------------------------------------------------------------------


def _read_array(value: JSON, pointer: str) -> list[JSON]:
    if not isinstance(value, list):
        raise _wrong(value, "an array", pointer)
    return value


def _array(form: _Form) -> _Form:
    """Many values of one form; loops, for one frame less on the way down a deep plan."""

    def write(values: Value) -> JSON:
        written: list[JSON] = []
        for value in values:
            written.append(form.write(value))  # noqa: PERF401
        return written

    def read(value: JSON, pointer: str) -> Value:
        found: list[Value] = []
        for number, inner in enumerate(_read_array(value, pointer)):
            found.append(form.read(inner, f"{pointer}/{number}"))
        return tuple(found)

    return _Form(write, read)


# --- lines --------------------------------------------------------------------------------------

_TAGGED_SPAN = _one_of(
    {
        "text": Text,
        "break": Break,
        "image": Image,
        "mention": Mention,
        "emoji": Emoji,
        "date": Date,
        "color": Color,
        "raw": RawSpan,
    },
    "a span",
)


def _write_span(span: Value) -> JSON:
    if isinstance(span, Text) and span == Text(span.text):
        return span.text
    return _TAGGED_SPAN.write(span)


def _read_span(value: JSON, pointer: str) -> Value:
    return Text(value) if isinstance(value, str) else _TAGGED_SPAN.read(value, pointer)


_SPANS = _array(_Form(_write_span, _read_span))


def _write_line(line: Value) -> JSON:
    spans = _SPANS.write(line)
    if isinstance(spans, list) and len(spans) == 1 and isinstance(spans[0], str):
        return spans[0]
    return spans


def _read_line(value: JSON, pointer: str) -> Value:
    spans = (Text(value),) if isinstance(value, str) else _SPANS.read(value, pointer)
    return make_line(piece for span in spans for piece in _without_line_breaks(span))


def _without_line_breaks(span: Span) -> Iterator[Span]:
    """A text that a person has written over several lines, as its lines and the breaks between them."""
    if not isinstance(span, Text):
        yield span
        return
    for number, piece in enumerate(span.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        if number:
            yield Break()
        yield Text(piece, span.style, span.link)


_LINE = _Form(_write_line, _read_line)
_LINES = _array(_LINE)


def _write_link(link: Link | None) -> JSON:
    if link is None:
        return None
    return _write_fields(link) if link.title else link.url


def _read_link(value: JSON, pointer: str) -> Link | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Link(value)
    link: Link = _read_fields(Link, value, pointer)
    return link


_LINK = _Form(_write_link, _read_link)


# --- extras -------------------------------------------------------------------------------------

_VERBATIM, _LITERAL = "$verbatim", "$literal"
"""An object with the first key is JSON that is kept as text, one with the second stands for its value."""


def _write_json(value: JSON) -> JSON:
    if isinstance(value, Verbatim):
        return {_VERBATIM: value.text}
    if isinstance(value, list):
        return [_write_json(inner) for inner in value]
    if isinstance(value, dict):
        written: dict[str, JSON] = {key: _write_json(inner) for key, inner in value.items()}
        return {_LITERAL: written} if _VERBATIM in value or _LITERAL in value else written
    return value


def _read_json(value: JSON, pointer: str) -> JSON:
    if isinstance(value, list):
        return [_read_json(inner, f"{pointer}/{number}") for number, inner in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if value.keys() == {_VERBATIM}:
        return Verbatim(_read_text(value[_VERBATIM], f"{pointer}/{_VERBATIM}"))
    if value.keys() == {_LITERAL}:
        literal = value[_LITERAL]
        if not isinstance(literal, dict):
            raise _wrong(literal, "an object", f"{pointer}/{_LITERAL}")
        return {key: _read_json(inner, f"{pointer}/{_LITERAL}/{key}") for key, inner in literal.items()}
    return {key: _read_json(inner, f"{pointer}/{key}") for key, inner in value.items()}


def _write_extras(extras: Value) -> JSON:
    written: dict[str, JSON] = {}
    for codec, values in extras.items():
        written[codec] = {key: _write_json(value) for key, value in values.items()}
    return written


def _read_extras(value: JSON, pointer: str) -> Value:
    if not isinstance(value, dict):
        raise _wrong(value, "an object", pointer)
    extras: dict[str, dict[str, JSON]] = {}
    for codec, values in value.items():
        if not isinstance(values, dict):
            raise _wrong(values, "an object", f"{pointer}/{codec}")
        extras[codec] = {
            key: _read_json(inner, f"{pointer}/{codec}/{key}") for key, inner in values.items()
        }
    return extras


_EXTRAS = _Form(_write_extras, _read_extras)


# --- the table ----------------------------------------------------------------------------------

_BLOCK = _one_of(
    {
        "paragraph": Paragraph,
        "heading": Heading,
        "list": List,
        "tasks": TaskList,
        "quote": Quote,
        "code": Code,
        "table": Table,
        "rule": Rule,
        "raw": Raw,
    },
    "a block",
)
_MANY_BLOCKS = _array(_BLOCK)
_BLOCKS = _Form(_MANY_BLOCKS.write, lambda value, pointer: make_blocks(_MANY_BLOCKS.read(value, pointer)))
_ITEM = _Form(
    lambda item: _BLOCKS.write(item.blocks), lambda value, pointer: Item(_BLOCKS.read(value, pointer))
)
_ITEMS = _array(_ITEM)
_TASKS = _array(_plain_object(Task))
_SOURCES = _array(_plain_object(Source))
_TEXTS = _array(_TEXT)

_SPAN_FORMS = {"text": _TEXT, "style": _STYLE, "link": _LINK, "url": _TEXT, "title": _TEXT}
_LIST_FORMS = {"ordered": _FLAG, "start": _INTEGER}

_FORMS: Mapping[type, Mapping[str, _Form]] = {
    Text: _SPAN_FORMS,
    Break: {},
    Image: {**_SPAN_FORMS, "alt": _TEXT},
    Mention: {"kind": _TEXT, "id": _TEXT, "label": _TEXT, "style": _STYLE},
    Emoji: {"name": _TEXT, "unicode": _TEXT, "url": _TEXT, "style": _STYLE},
    Date: {
        "timestamp": _INTEGER,
        "format": _TEXT,
        "fallback": _TEXT,
        "url": _TEXT,
        "timezone": _TEXT,
        "style": _STYLE,
    },
    Color: {"value": _TEXT, "style": _STYLE},
    RawSpan: {"format": _TEXT, "source": _TEXT},
    Link: {"url": _TEXT, "title": _TEXT},
    Paragraph: {"line": _LINE},
    Heading: {"level": _INTEGER, "line": _LINE},
    List: {"items": _ITEMS, **_LIST_FORMS},
    TaskList: {"tasks": _TASKS, **_LIST_FORMS},
    Quote: {"blocks": _BLOCKS},
    Code: {"text": _TEXT, "info": _TEXT},
    Table: {"header": _LINES, "rows": _array(_LINES), "align": _TEXTS},
    Rule: {},
    Raw: {"format": _TEXT, "source": _TEXT},
    Source: {"url": _TEXT, "text": _TEXT},
    Task: {
        "title": _LINE,
        "status": _TEXT,
        "priority": _OPTIONAL,
        "id": _OPTIONAL,
        "details": _BLOCKS,
        "output": _BLOCKS,
        "sources": _SOURCES,
        "depends_on": _TEXTS,
        "extras": _EXTRAS,
    },
    Plan: {
        "id": _OPTIONAL,
        "session": _OPTIONAL,
        "title": _LINE,
        "body": _BLOCKS,
        "reference": _OPTIONAL,
        "extras": _EXTRAS,
    },
}

_REQUIRED = object()


def _default(field: dataclasses.Field[Value]) -> Value:
    if field.default is not dataclasses.MISSING:
        return field.default
    return {} if field.default_factory is not dataclasses.MISSING else _REQUIRED


_FIELDS: Mapping[type, Mapping[str, tuple[_Form, Value]]] = {
    kind: {field.name: (forms[field.name], _default(field)) for field in dataclasses.fields(kind)}
    for kind, forms in _FORMS.items()
}
"""For each class its fields in their order, with their forms and defaults."""
