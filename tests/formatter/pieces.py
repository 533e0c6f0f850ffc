"""Markdown made of the pieces of lists, right and wrong ones, and the page that a viewer shows."""

import re

import cmarkgfm
from cmarkgfm.cmark import Options
from hypothesis import strategies as st

INDENTS = ["", "", "", "  ", "    ", "\t", " ", "   ", "      ", "        ", "> ", "  > ", "- ", "\t\t"]
MARKERS = ["- ", "* ", "+ ", "1. ", "2. ", "10. ", "-   ", "*  ", "1.  ", "-\t", "3) ", "-     ", "-", "1."]
BOXES = ["", "[ ] ", "[x] ", "[X] ", "[-] ", "[~] ", "[ ]  ", "[x]\t", "[ ]", "[x]: ", "[P] ", "\\[ ] "]
TEXTS = [
    "a",
    "b `c`",
    "",
    "- [ ] q",
    "**x** [l](u)",
    "> q",
    "```",
    "a\tb",
    "x [X] y",
    "***",
    "a  ",
    "two  \\",
    "# h",
    "| a | b |",
]
LINES = [
    "text",
    "more `text",
    "```",
    "~~~ sh",
    "| a | b |",
    "|---|---|",
    "<!-- c -->",
    "<!--",
    "-->",
    "<div>",
    "[a]: u",
    "===",
    "---",
    "  code",
    "# heading",
]

items = st.tuples(
    st.sampled_from(INDENTS), st.sampled_from(MARKERS), st.sampled_from(BOXES), st.sampled_from(TEXTS)
)
others = st.tuples(st.sampled_from(INDENTS), st.sampled_from(LINES))
blanks = st.tuples(st.sampled_from(["", "", "", "  ", "    ", ">"]))
lines = st.one_of(items, items, items, others, blanks).map("".join)
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@st.composite
def documents(draw):
    end = draw(ends)
    text = "".join(line + end for line in draw(st.lists(lines, min_size=1, max_size=12)))
    return text if draw(st.booleans()) else text.removesuffix(end)


def page(text):
    """What cmark-gfm shows, without the white space that no viewer shows."""
    html = cmarkgfm.markdown_to_html_with_extensions(
        text,
        options=Options.CMARK_OPT_UNSAFE,
        extensions=["tasklist", "table", "strikethrough", "autolink"],
    )
    parts = re.split(r"(<pre>.*?</pre>)", html, flags=re.DOTALL)
    shown = "".join(p if n % 2 else re.sub(r"\s+", " ", p) for n, p in enumerate(parts))
    return re.sub(r"> | <", lambda match: match[0].strip(), shown)
