"""What a reader sees, row by row: of a rich text in Slack, and of Markdown as cmark-gfm renders it.

A row is a paragraph, an item or a code block, with the number of list items it stands in, its bullet
or number, the quote bars beside it, and its runs of characters.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple

import cmarkgfm
from cmarkgfm.cmark import Options

from tests.slack_shapes import Run, run_of, trimmed

SEEN = ("bold", "code", "italic", "strike")  # Markdown has no other style


class Row(NamedTuple):
    runs: tuple[Run, ...]
    depth: int = 0
    marker: str = ""
    bars: int = 0
    language: str | None = None  # of a code block, whose depth nobody can tell in Slack


def rows_of(runs, depth=0, marker="", bars=0):
    """A row for each paragraph; the first one has the marker, which is there without any text too."""
    rows = []
    for part in filter(has_ink, paragraphs(trimmed(shown(runs)))):
        rows.append(Row(part, depth, "" if rows else marker, bars))
    return rows or [Row((), depth, marker, bars)] * bool(marker)


def has_ink(part):
    return any(run.text.strip() or "code" in run.styles for run in part)


def shown(runs):
    """Only what can be seen; blanks show code and links only."""
    for run in runs:
        for piece in re.findall(r"\s+|\S+", run.text):
            styles = tuple(s for s in run.styles if s in SEEN and (s == "code" or not piece.isspace()))
            yield Run("text", piece, styles, run.url)


def paragraphs(runs):
    part = []
    for run in runs:
        pieces = run.text.split("\n\n")
        for number, piece in enumerate(pieces):
            if number:
                yield lines_trimmed(part)
                part = []
            if piece:
                part.append(run._replace(text=piece))
    if part:
        yield lines_trimmed(part)


def lines_trimmed(part):
    """Blanks at the edges of a line are seen by nobody."""
    made = []
    for number, run in enumerate(part):
        characters = run.text
        if "code" not in run.styles:
            characters = re.sub(r" *\n *", "\n", characters)
            if number == 0 or part[number - 1].text.endswith("\n"):
                characters = characters.lstrip(" ")
            if number == len(part) - 1 or part[number + 1].text.startswith("\n"):
                characters = characters.rstrip(" ")
        if characters:
            made.append(run._replace(text=characters))
    return tuple(made)


# --- Slack --------------------------------------------------------------------------------------


def slack_shows(elements):
    """Slack draws containers below each other; a list stands below the last item that is less indented."""
    rows = []
    lists = ListsOpen()
    for element in elements:
        kind = element["type"]
        runs = [] if kind == "rich_text_list" else [written(inner) for inner in element["elements"]]
        if kind == "rich_text_list":
            rows += lists.rows(element)
        elif kind == "rich_text_preformatted":
            characters = "".join(run.text for run in runs)
            rows.append(code_row(characters, element.get("language", ""), element.get("border", 0)))
        else:
            rows += rows_of(runs, bars=int(kind == "rich_text_quote"))
            lists = ListsOpen() if kind == "rich_text_section" else lists
    return rows


def code_row(characters, language, bars):
    return Row((Run("text", characters),), bars=bars, language=language)


class ListsOpen:
    """The indents of the items that the next list may stand in."""

    def __init__(self):
        self.indents = []
        self.border = 0

    def rows(self, element):
        border, indent = element.get("border", 0), element.get("indent", 0)
        if border != self.border:
            self.indents, self.border = [], border
        while self.indents and self.indents[-1] >= indent:
            self.indents.pop()
        self.indents.append(indent)
        for number, entry in enumerate(element["elements"], element.get("offset", 0) + 1):
            marker = "•" if element["style"] == "bullet" else f"{number}."
            yield from rows_of(map(written, entry["elements"]), len(self.indents), marker, border)


def written(inline):
    """An element as characters: what is no text has the form that Slack's own mrkdwn gives it."""
    match inline:
        case {"type": "user", "user_id": id}:
            characters = f"<@{id}>"
        case {"type": "channel", "channel_id": id}:
            characters = f"<#{id}>"
        case {"type": "usergroup", "usergroup_id": id}:
            characters = f"<!subteam^{id}>"
        case {"type": "broadcast", "range": range_}:
            characters = f"<!{range_}>"
        case {"type": "emoji", "name": name}:
            characters = f":{name}:"
        case {"type": "color", "value": value}:
            characters = value
        case {"type": "date", "timestamp": time, "format": form, "fallback": fallback}:
            address = f"^{inline['url']}" if "url" in inline else ""
            characters = f"<!date^{time}^{form}{address}|{fallback}>"
        case {"type": "text" | "link"}:
            return run_of(inline)
    return run_of(inline)._replace(kind="text", text=characters)


# --- Markdown -----------------------------------------------------------------------------------

EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
STYLE_TAGS = {"strong": "bold", "em": "italic", "del": "strike", "code": "code"}


def cmark_shows(markdown):
    """The rows of the whole document."""
    page = Page()
    page.feed(cmarkgfm.markdown_to_html_with_extensions(markdown, Options.CMARK_OPT_UNSAFE, EXTENSIONS))
    page.close()
    page.end_row()
    return page.rows


def cmark_shows_below(markdown, title="Task title"):
    """The rows below the task of this title, as if they stood at the left edge."""
    rows = cmark_shows(markdown)
    tops = [at for at, row in enumerate(rows) if "".join(run.text for run in row.runs) == title]
    assert tops, f"no task {title!r} in:\n{markdown}"
    return [
        row if row.language is not None else row._replace(depth=row.depth - 1)
        for row in rows[tops[0] + 1 :]
    ]


class Page(HTMLParser):
    """Collects rows from the HTML that cmark-gfm writes."""

    def __init__(self):
        super().__init__()
        self.rows, self.runs, self.styles, self.urls = [], [], [], []
        self.counters = []  # of each open list: the next number, None for bullets
        self.depth = self.bars = 0
        self.marker = ""
        self.language = None  # of the open code block
        self.after_break = False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in (
            "p",
            "ul",
            "ol",
            "li",
            "blockquote",
            "pre",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "table",
            "hr",
        ):
            self.end_row()
        if tag in ("ul", "ol"):
            self.counters.append(int(attributes.get("start", 1)) if tag == "ol" else None)
        elif tag == "li":
            self.end_marker()
            self.depth += 1
            number = self.counters[-1]
            self.marker = "•" if number is None else f"{number}."
            self.counters[-1] = None if number is None else number + 1
        elif tag == "blockquote":
            self.bars += 1
        elif tag == "pre":
            self.language = ""
            self.end_marker()
        elif tag == "code" and self.language is not None:
            self.language = attributes.get("class", "").removeprefix("language-")
        elif tag in STYLE_TAGS:
            self.styles.append(STYLE_TAGS[tag])
        elif tag == "a":
            self.urls.append(attributes["href"])
        elif tag == "br":
            self.runs.append(Run("text", "\n"))
            self.after_break = True

    def handle_endtag(self, tag):
        if tag == "pre":
            characters = "".join(run.text for run in self.runs).removesuffix("\n")
            self.rows.append(code_row(characters, self.language, self.bars))
            self.runs, self.language = [], None
        elif tag in ("p", "li", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"):
            self.end_row()
        if tag in ("ul", "ol"):
            self.end_row()
            self.counters.pop()
        elif tag == "li":
            self.end_marker()
            self.depth -= 1
        elif tag == "blockquote":
            self.bars -= 1
        elif tag in STYLE_TAGS and self.language is None:
            self.styles.pop()
        elif tag == "a":
            self.urls.pop()

    def handle_data(self, data):
        if self.language is None:
            data = (data.removeprefix("\n") if self.after_break else data).replace("\n", " ")
        self.after_break = False
        url = self.urls[-1] if self.urls else ""
        self.runs.append(Run("text", data, tuple(sorted(set(self.styles))), url))

    def end_row(self):
        rows = rows_of(self.runs, self.depth, "", self.bars)
        if rows:
            rows[0] = rows[0]._replace(marker=self.marker)
            self.marker = ""
        self.rows += rows
        self.runs = []

    def end_marker(self):
        """An item without any text still shows its bullet."""
        if self.marker:
            self.rows.append(Row((), self.depth, self.marker, self.bars))
            self.marker = ""
