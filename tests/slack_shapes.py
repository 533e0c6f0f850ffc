"""Short names for the pieces of Slack's rich text, and one form for all rich texts that look the same."""

from __future__ import annotations

import re
from typing import NamedTuple

# --- to write them ------------------------------------------------------------------------------


def styled(element, styles):
    return {**element, "style": dict.fromkeys(styles, True)} if styles else element


def text(characters, *styles):
    return styled({"type": "text", "text": characters}, styles)


def link(url, label=None, *styles):
    return styled({"type": "link", "url": url, **({"text": label} if label else {})}, styles)


def emoji(name, *styles):
    return styled({"type": "emoji", "name": name}, styles)


def inlines(parts):
    """Strings stand for text elements without a style."""
    return [text(part) if isinstance(part, str) else part for part in parts]


def section(*parts):
    return {"type": "rich_text_section", "elements": inlines(parts)}


def quote(*parts):
    return {"type": "rich_text_quote", "elements": inlines(parts)}


def code(characters, language="", **attributes):
    block = {"type": "rich_text_preformatted", "elements": inlines([characters]), **attributes}
    return {**block, "language": language} if language else block


def items(style, *entries, **attributes):
    """A list; an entry is a string, an element or a tuple of several."""
    sections = [section(*(entry if isinstance(entry, tuple) else (entry,))) for entry in entries]
    return {"type": "rich_text_list", "style": style, "elements": sections, **attributes}


def bullets(*entries, **attributes):
    return items("bullet", *entries, **attributes)


def ordered(*entries, **attributes):
    return items("ordered", *entries, **attributes)


def message(*elements, title="Task title"):
    """A plan of one task whose details are these elements."""
    details = {"type": "rich_text", "elements": list(elements)}
    task = {"task_id": "t1", "title": title, "status": "pending", "details": details}
    return {"blocks": [{"type": "plan", "title": "Plan title", "tasks": [task]}]}


def details_of(document):
    """The elements below the first task."""
    return document["blocks"][0]["tasks"][0]["details"]["elements"]


# --- to compare them ----------------------------------------------------------------------------


class Run(NamedTuple):
    """Characters of one look: ``kind`` is ``text`` or the type and fields of another element."""

    kind: str
    text: str
    styles: tuple[str, ...] = ()
    url: str = ""


UNSEEN = {"client_highlight", "unlink"}  # they tell Slack's own clients something, and show nothing
INK = {"bold", "italic"}  # they show on letters only


def run_of(element):
    styles = tuple(
        sorted(name for name, on in element.get("style", {}).items() if on and name not in UNSEEN)
    )
    if element["type"] == "text":
        return Run("text", element["text"], styles)
    if element["type"] == "link":
        return Run("text", element.get("text") or element["url"], styles, element["url"])
    fields = {key: value for key, value in element.items() if key not in ("type", "style")}
    return Run(f"{element['type']} {fields}", "", styles)


def joined(runs):
    """The same look with as few runs as possible; blanks have no bold, line breaks no style at all."""
    pieces = []
    for run in runs:
        if run.kind != "text":
            pieces.append(run)
            continue
        for part in re.findall(r"\n+|[^\S\n]+|\S+", run.text):
            if part[0] == "\n":
                piece = Run("text", part)
            elif part.isspace():
                piece = run._replace(text=part, styles=tuple(s for s in run.styles if s not in INK))
            else:
                piece = run._replace(text=part)
            pieces.append(piece)
    made = []
    for piece in pieces:
        last = made[-1] if made else None
        if last and last.kind == piece.kind == "text" and last[2:] == piece[2:]:
            made[-1] = last._replace(text=last.text + piece.text)
        else:
            made.append(piece)
    return made


def trimmed(runs):
    """Without line breaks at both ends; a gap of several empty lines is one."""
    runs = joined(runs)
    runs = [run._replace(text=re.sub(r"\n{2,}", "\n\n", run.text)) for run in runs]
    while runs and runs[0].kind == "text" and runs[0].text.startswith("\n"):
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip("\n"))
        runs = [run for run in runs if run.kind != "text" or run.text]
    while runs and runs[-1].kind == "text" and runs[-1].text.endswith("\n"):
        runs[-1] = runs[-1]._replace(text=runs[-1].text.rstrip("\n"))
        runs = [run for run in runs if run.kind != "text" or run.text]
    return tuple(runs)


class Piece(NamedTuple):
    """A container of a rich text; only a list has more than one item."""

    type: str
    items: tuple[tuple[Run, ...], ...]
    style: str = ""
    indent: int = 0
    offset: int = 0
    border: int = 0
    language: str = ""


def normal(elements):
    """Equal for rich texts that show the same: sections and quotes side by side are one, and so are
    the pieces of a list that goes on; nothing says that it is 0."""
    made = []
    for element in elements:
        piece = piece_of(element)
        if not any(piece.items) and piece.type != "rich_text_list":
            continue
        together = merged(made[-1], piece) if made else None
        if together:
            made[-1] = together
        else:
            made.append(piece)
    return made


def piece_of(element):
    kind = element["type"]
    if kind == "rich_text_list":
        return Piece(
            kind,
            tuple(trimmed(map(run_of, entry["elements"])) for entry in element["elements"]),
            element["style"],
            element.get("indent", 0),
            element.get("offset", 0),
            element.get("border", 0),
        )
    if kind == "rich_text_preformatted":
        runs = tuple(run_of(inner) for inner in element["elements"])
        return Piece(kind, (runs,), border=element.get("border", 0), language=element.get("language", ""))
    return Piece(kind, (trimmed(map(run_of, element["elements"])),))


def merged(first, second):
    if first.type != second.type:
        return None
    if first.type in ("rich_text_section", "rich_text_quote"):
        return first._replace(items=(trimmed((*first.items[0], Run("text", "\n\n"), *second.items[0])),))
    if first.type == "rich_text_list" and first[2:4] + first[5:] == second[2:4] + second[5:]:
        goes_on = first.style == "bullet" or second.offset == first.offset + len(first.items)
        return first._replace(items=first.items + second.items) if goes_on else None
    return None
