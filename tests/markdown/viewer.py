"""What cmark-gfm shows of an inline text, as spans; the oracle of the inline tests."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import cmarkgfm
from cmarkgfm.cmark import Options

from planconv.model import PLAIN, Break, Emoji, Image, Link, RawSpan, Style, Text, make_line

EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
STYLES = {
    "strong": Style.BOLD,
    "em": Style.ITALIC,
    "del": Style.STRIKE,
    "code": Style.CODE,
    "u": Style.UNDERLINE,
    "mark": Style.HIGHLIGHT,
}


def html(source):
    return cmarkgfm.markdown_to_html_with_extensions(
        source, options=Options.CMARK_OPT_UNSAFE, extensions=EXTENSIONS
    )


def shown(source):
    """The spans that the viewer shows of a paragraph, without any blocks around it."""
    page = html(source)
    body = re.fullmatch(r"(?s)(?:<p>(.*)</p>\n)?", page)
    assert body, f"more than a paragraph: {page!r}"
    return spans_of(body[1] or "")


def shown_task(source):
    """Whether the box is ticked, and the spans behind it."""
    page = html("- [ ] " + source.replace("\n", "\n  "))
    body = re.fullmatch(
        r'(?s)<ul>\n<li><input type="checkbox"( checked="")? disabled="" /> (.*)</li>\n</ul>\n', page
    )
    assert body, f"more than a task: {page!r}"
    return bool(body[1]), spans_of(body[2])


def spans_of(body):
    reader = _Reader()
    reader.feed(body)
    reader.close()
    return make_line(reader.spans)


def seen(line):
    """A line with what cmark-gfm cannot tell apart made equal: emoji are characters there."""
    spans = [Text(f":{span.name}:", span.style) if isinstance(span, Emoji) else span for span in line]
    return make_line(spans)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.spans = []
        self.style = PLAIN
        self.link = None

    def handle_starttag(self, tag, attrs):
        fields = dict(attrs)
        if tag in STYLES:
            self.style |= STYLES[tag]
        elif tag == "a":
            self.link = Link(unquote(fields["href"]), fields.get("title", ""))
        elif tag == "br":
            self.spans.append(Break())
        elif tag == "img":
            self.spans.append(
                Image(unquote(fields["src"]), fields["alt"], fields.get("title", ""), self.style, self.link)
            )
        else:
            self.spans.append(RawSpan("html", self.get_starttag_text()))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        if tag in STYLES:
            self.style &= ~STYLES[tag]
        elif tag == "a":
            self.link = None
        else:
            self.spans.append(RawSpan("html", f"</{tag}>"))

    def handle_data(self, data):
        if self.spans and self.spans[-1] == Break():
            data = data.removeprefix("\n")
        self.spans.append(Text(data.replace("\n", " "), self.style, self.link))
