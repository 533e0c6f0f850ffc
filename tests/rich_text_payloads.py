"""Rich text of Slack, as far as the right Markdown is not plain to see.

What is right is what cmark-gfm shows of the Markdown: the rows that Slack shows (see shown.py). The
payloads are in the form that Slack's composer gives them; POORER is what Markdown has no form for.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.slack_shapes import bullets, code, emoji, link, ordered, quote, section, text

E = "https://e.example/"


class Payload(NamedTuple):
    """``loses``: whether the ledger has to name something, None where that is free."""

    name: str
    elements: list
    loses: bool | None = False


def user(id, *styles):
    return {"type": "user", "user_id": id, **({"style": dict.fromkeys(styles, True)} if styles else {})}


DATE = {
    "type": "date",
    "timestamp": 1392734382,
    "format": "{date_num}",
    "url": E,
    "fallback": "2014-02-18",
}

PAYLOADS = [
    Payload("styles side by side", [section(text("b", "bold"), " plain ", text("i", "italic"), ".")]),
    # A closing mark does not stand after a blank (CommonMark 6.2).
    Payload(
        "blank at the edge of bold", [section(text("bold ", "bold"), "x", text(" y", "italic"), "z")], None
    ),
    Payload("blank line in bold", [section(text("a\n\nb", "bold"))]),
    Payload("line break in bold", [section(text("a\nb", "bold"), " c")]),
    Payload(
        "three ways of bold and italic",
        [section(text("a", "bold"), text("b", "bold", "italic"), text("c", "italic"))],
    ),
    Payload("text like inline markup", [section("2*3*4 _x_ [z](w) <b> `c` ~~d~~ \\ &amp; ![i](j) **e**")]),
    Payload(
        "text like blocks",
        [section("# x\n- x\n1. x\n> x\n+ x\n* x\n```\n===\n---\n| a | b |\n|---|---|\n12) y")],
    ),
    Payload(
        "code with backticks",
        [section(text("a`b", "code"), " ", text("``", "code"), " ", text("`", "code"))],
    ),
    Payload(
        "code, bold and struck",
        [section(text("x", "code", "bold", "strike"), " ", text("y", "code", "italic"))],
    ),
    Payload("link with brackets", [section(link(f"{E}a_(b)", "t]x [y"), " ", link(f"{E}c)d", "z\\"))]),
    Payload("styled link", [section(link(E, "t", "bold", "code"), " ", link(E, "u", "italic", "strike"))]),
    Payload("link without a text", [section("see ", link(E), ".")]),
    Payload(
        "one address, several styles", [section(link(E, "a", "bold"), link(E, " b "), link(E, "c", "code"))]
    ),
    Payload("two links side by side", [section(link(f"{E}1", "a"), link(f"{E}2", "b"), "c")]),
    Payload(
        "mentions",
        [
            section(
                *(user("U012AB3CD"), " ", {"type": "channel", "channel_id": "C012AB3CD"}, " "),
                *(
                    {"type": "usergroup", "usergroup_id": "S012AB3CD"},
                    " ",
                    {"type": "broadcast", "range": "here"},
                ),
            )
        ],
        True,
    ),
    Payload("bold mention", [section("a ", user("U012AB3CD", "bold"), " b")], True),
    Payload("emoji with skin tone", [section(emoji("wave::skin-tone-3"), " and ", emoji("x"))], None),
    Payload("date", [section("due ", DATE)], True),
    Payload("color", [section({"type": "color", "value": "#AABBCC"}, " is grey")], True),
    Payload(
        "three kinds of lists", [bullets("a"), ordered("b", indent=1), bullets("c", indent=2), bullets("d")]
    ),
    Payload("offset", [ordered("five", "six", offset=4)]),
    Payload(
        "ordered, sublist, ordered", [ordered("one"), bullets("sub", indent=1), ordered("two", offset=1)]
    ),
    Payload("two lines in an item", [bullets("a\nb", "next")]),
    Payload("two paragraphs in an item", [ordered("a\n\nb", "next")]),
    Payload("blank line in a quote", [quote("a\n\nb\nc")]),
    Payload("list in a quote", [quote("a"), bullets("b", border=1), bullets("c", indent=1, border=1)]),
    Payload("code in a quote", [quote("a"), code("b", "sh", border=1)]),
    Payload("fence in code", [code("```sh\nls\n```", "markdown"), code("~~~"), code("a\n\n  b\n")]),
    Payload("two sections", [section("a"), section("b")]),
    Payload("list below a text", [section("steps:\n"), bullets("a", "b"), section("done")]),
    # --- lists
    Payload("numbers start again", [ordered("a", "b"), ordered("c")]),
    Payload("ordered below bullets", [bullets("a"), ordered("b"), bullets("c")]),
    Payload(
        "three wide numbers", [ordered("a", offset=98), ordered("b", offset=99), bullets("c", indent=1)]
    ),
    Payload("indented to the end", [bullets(f"l{n}", indent=n) for n in range(9)]),
    Payload(
        "back by several levels",
        [bullets("a"), bullets("b", indent=1), bullets("c", indent=2), bullets("d")],
    ),
    Payload("numbers go on after code", [ordered("a"), code("x"), ordered("b", offset=1)], None),
    Payload("numbers go on after a quote", [ordered("a"), quote("x"), ordered("b", offset=1)], None),
    Payload("text after a list", [bullets("a"), section("b"), code("c"), section("d")]),
    Payload("item like a list", [bullets("- a", "1. b", "# c", "[ ] d", "[x] e", "    f")], None),
    Payload("code after a list", [bullets("a"), code("x\n\n\ny", "py")], None),
    # --- edges of styles
    Payload("bold in a word", [section("un", text("believ", "bold"), "able", text("x", "italic"), "y")]),
    Payload("bold with a colon", [section(text("Status:", "bold"), "OK")]),
    Payload("bold brackets", [section("中", text("「a」", "bold"), "文")]),
    Payload(
        "struck bold before a word", [section(text("a", "bold", "strike"), "b", text("(c)", "bold"), "d")]
    ),
    Payload("bold stars", [section(text("**", "bold"), text("_", "italic"), "*", text("~", "strike"))]),
    Payload("struck beside struck bold", [section(text("a", "strike"), text("b", "strike", "bold"), "c")]),
    Payload("code beside code", [section(text("a", "code"), text("b", "code", "bold"), "`")]),
    Payload("bold line break", [section("a", text("\n", "bold"), "b")]),
    # --- text that GFM would change
    Payload("address in text", [section("see https://e.example/x_y_z and http://a.example")]),
    Payload(
        "html in text",
        [section("<b>x</b> <!-- c --> <?php ?> <a href='x'> &lt; &#65; <https://e.example>")],
    ),
    Payload("calls in text", [section("<!here> <@U012AB3CD> <!date^1^{date}|x>")]),
    Payload("reference in text", [section("[a]: https://e.example\n\n[a] [b][a]")], None),
    Payload("emoji in text", [section(":wave: 10:30:45")], None),
    Payload("setext in text", [section("a\n===\nb\n---\nc")]),
    Payload("output in text", [section("**Output:**"), bullets("x")]),
]

# What Markdown cannot hold: the ledger names it, the text is still there.
POORER = [
    Payload("underline", [section(text("a", "underline"), " b")], None),
    Payload("highlight", [section(text("a", "highlight"), " b")], None),
    Payload("border of a quote", [quote("a") | {"border": 1}], True),
    Payload("list without a parent", [bullets("a", indent=2)], True),
    Payload("list below a parent's parent", [bullets("a"), bullets("b", indent=2)], True),
    Payload("link in code", [code("x") | {"elements": [text("see "), link(E, "label")]}], True),
    Payload("unsafe link", [section(link(E, "a") | {"unsafe": True})], True),
    Payload("timezone of a date", [section(DATE | {"timezone": "Europe/Berlin"})], True),
    Payload("code points of an emoji", [section(emoji("wave") | {"unicode": "1f44b"}, " a")], None),
    Payload("team", [section("a ", {"type": "team", "team_id": "T012AB3CD"})], True),
    Payload("unknown inline", [section("a ", {"type": "canvas", "file_id": "F012AB3CD"}, " b")], True),
    Payload("unknown container", [section("a"), {"type": "rich_text_poll", "elements": [text("b")]}], True),
    Payload("list boundary", [bullets("a"), section("\n"), bullets("b")], None),
    Payload(
        "empty section", [section("a"), {"type": "rich_text_section", "elements": []}, section("b")], None
    ),
    Payload(
        "empty item",
        [bullets("a") | {"elements": [section("a"), {"type": "rich_text_section", "elements": []}]}],
        None,
    ),
    Payload("empty text", [section("a", text(""), text("", "bold"), "b")], None),
    Payload("nothing at all", [], None),
    Payload("lists in items", [bullets("a") | {"elements": [section("a"), bullets("b")]}], None),
]

# Slack sends them and refuses them: nothing is to be seen, so nothing needs to come back.
EMPTY = ("empty section", "empty item", "empty text", "nothing at all")
