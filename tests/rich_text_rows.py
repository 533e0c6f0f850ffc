"""Markdown in the details of a task, and the rich text that shows it in Slack.

Each row is argued from the rules of Slack's rich text (docs.slack.dev, pages of the rich text block and
of its elements: containers do not nest, a list has an indent from 0 to 8 and an offset, a quote bar is a
border, text is literal) or from CommonMark and GFM. ``loses`` says whether something is gone that the
ledger has to name; None leaves it free. ``also`` is another right answer, where the rules leave a choice.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.slack_shapes import Run, bullets, code, emoji, link, normal, ordered, quote, section, text


class Row(NamedTuple):
    name: str
    markdown: str
    elements: list
    loses: bool | None
    also: list | None = None

    def answers(self):
        """The right answers in their normal form."""
        return [comparable(answer) for answer in (self.elements, self.also) if answer is not None]


def comparable(elements):
    """The normal form; of a table in preformatted text only the cells count, not the lines around them."""
    return [
        piece._replace(items=((Run("table", repr(cells)),),)) if (cells := table_cells(piece)) else piece
        for piece in normal(elements)
    ]


def table_cells(piece):
    """The cells of a table drawn with lines or wide gaps, row by row."""
    drawn = "".join(run.text for run in piece.items[0]) if piece.type == "rich_text_preformatted" else ""
    lines = drawn.split("\n")
    rows = [line for line in lines if not re.fullmatch(r"[-=+|:\s─│┼├┤]*", line)]
    if len(rows) == len(lines):
        return []
    return [[cell.strip() for cell in re.split(r"[|│]| {2,}", row) if cell.strip()] for row in rows]


E = "https://e.example/"

ROWS = [
    Row("01 plain", "Plain words.", [section("Plain words.")], loses=False),
    # Spec 6.4: one run for each set of styles.
    Row("02 bold italic", "***both***", [section(text("both", "bold", "italic"))], loses=False),
    Row(
        "03 nested emphasis",
        "**a *b* c** and *i **bi** i*",
        [
            section(
                *(text("a ", "bold"), text("b", "bold", "italic"), text(" c", "bold"), " and "),
                *(text("i ", "italic"), text("bi", "bold", "italic"), text(" i", "italic")),
            )
        ],
        loses=False,
    ),
    Row(
        "04 strike",
        "~~gone~~ **~~both~~**",
        [section(text("gone", "strike"), " ", text("both", "bold", "strike"))],
        loses=False,
    ),
    # A text element takes code beside the other styles.
    Row(
        "05 code",
        "`x` **`y`** `` a`b ``",
        [section(text("x", "code"), " ", text("y", "bold", "code"), " ", text("a`b", "code"))],
        loses=False,
    ),
    # Slack's text is raw: & is never escaped in it.
    Row("06 link", f"[a & b]({E}?a=1&b=2)", [section(link(f"{E}?a=1&b=2", "a & b"))], loses=False),
    # A link element has one style, so a label of several styles is several links to one place.
    Row(
        "07 styled label",
        f"[**b** and `c`]({E})",
        [section(link(E, "b", "bold"), link(E, " and "), link(E, "c", "code"))],
        loses=False,
    ),
    # A text element is not made a link by Slack, so what GFM links has to be a link element.
    Row(
        "08 autolinks",
        f"<{E}> and {E}b.",
        [section(link(E), " and ", link(f"{E}b"), ".")],
        loses=False,
    ),
    Row("09 bold link", f"**[label]({E})**", [section(link(E, "label", "bold"))], loses=False),
    # Rich text has no headings: bold text, bold only once, and the level is gone.
    Row(
        "10 heading",
        "## Part **one**\n\nText",
        [section(text("Part one", "bold"), "\n\nText")],
        loses=True,
        also=[section(text("Part one", "bold"), "\nText")],
    ),
    # A soft break is a blank (spec 6.8), a gap between paragraphs an empty line.
    Row("11 soft break, gap", "a\nb\n\nc", [section("a b\n\nc")], loses=None),
    # Both spellings of a hard break (spec 6.7) are a line break.
    Row("12 hard breaks", "a  \nb\\\nc", [section("a\nb\nc")], loses=False),
    Row("13 list", "- a\n- **b**\n- c", [bullets("a", text("b", "bold"), "c")], loses=False),
    # Lists never stand in lists: siblings with an indent.
    Row(
        "14 nested list",
        "- a\n  - b\n    1. c\n- d",
        [bullets("a"), bullets("b", indent=1), ordered("c", indent=2), bullets("d")],
        loses=False,
    ),
    # The offset is the number of items that are skipped.
    Row("15 start", "3. c\n4. d", [ordered("c", "d", offset=2)], loses=False),
    Row(
        "16 ordered with sublist",
        "1. one\n   - sub\n2. two",
        [ordered("one"), bullets("sub", indent=1), ordered("two", offset=1)],
        loses=False,
    ),
    # A task list of the plan itself: see test_rich_text_forward. Here: what the peers could make of it.
    Row(
        "17 task list",
        "- [ ] open\n- [x] done",
        [bullets("☐ open", "☑ done")],
        loses=True,
        also=[bullets("[ ] open", "[x] done")],
    ),
    Row("18 quote", "> a\n>\n> b", [quote("a\n\nb")], loses=False),
    # A list in a quote stands beside it, with the quote's bar.
    Row(
        "19 quote with list", "> a\n>\n> - b\n> - c", [quote("a"), bullets("b", "c", border=1)], loses=False
    ),
    # Slack has one level of quotes.
    Row("20 quote in quote", "> a\n>\n> > b", [quote("a\n\nb")], loses=True),
    # Literal, with the language, and without the line break before the closing fence.
    Row(
        "21 fence",
        "```python\nif a < b & c:\n    pass  # **x**\n```",
        [code("if a < b & c:\n    pass  # **x**", "python")],
        loses=False,
    ),
    Row("22 indented code", "a\n\n    x = 1\n      y", [section("a"), code("x = 1\n  y")], loses=None),
    # Code does not fit a list: it stands between the items, and the list goes on with its number.
    Row(
        "23 fence in an item",
        "1. a\n\n   ```sh\n   ls\n   ```\n\n2. b",
        [ordered("a"), code("ls", "sh"), ordered("b", offset=1)],
        loses=True,
    ),
    # No tables in rich text: columns that stand below each other, by the alignment of the table.
    Row(
        "24 table",
        "| key | n |\n|-----|--:|\n| a | 1 |\n| long one | 12 |",
        [code("key      |  n\n---------+---\na        |  1\nlong one | 12")],
        loses=True,
    ),
    Row("25 image", f"![alt]({E}p.png)", [section(link(f"{E}p.png", "alt"))], loses=True),
    # HTML is nothing to Slack: literal, only its line break has a meaning there.
    Row("26 html", "a <b>x</b><br>c", [section("a <b>x</b>\nc")], loses=True),
    Row("27 entities", "&amp; &lt;b&gt; &copy; &#65; &nope;", [section("& <b> © A &nope;")], loses=False),
    # A colon word is an emoji in Slack only as an element; numbers between colons are a time.
    Row(
        "28 emoji",
        ":wave: :ok_hand::skin-tone-3: at 10:30:45, `:x:`",
        [section(emoji("wave"), " ", emoji("ok_hand::skin-tone-3"), " at 10:30:45, ", text(":x:", "code"))],
        loses=None,
    ),
    # Nobody is called by a plan unless the user asks for it: literal text. What peers always make of it
    # is right too, as a form; test_rich_text_forward holds planconv to the text.
    Row(
        "29 mentions",
        "<@U012AB3CD> <#C012AB3CD> <!here> <!subteam^S012AB3CD>",
        [section("<@U012AB3CD> <#C012AB3CD> <!here> <!subteam^S012AB3CD>")],
        loses=None,
        also=[
            section(
                *(
                    {"type": "user", "user_id": "U012AB3CD"},
                    " ",
                    {"type": "channel", "channel_id": "C012AB3CD"},
                ),
                *(" ", {"type": "broadcast", "range": "here"}, " "),
                {"type": "usergroup", "usergroup_id": "S012AB3CD"},
            )
        ],
    ),
    Row(
        "30 date",
        "due <!date^1392734382^{date_num}|2014-02-18>",
        [section("due <!date^1392734382^{date_num}|2014-02-18>")],
        loses=None,
        also=[
            section(
                "due ",
                {"type": "date", "timestamp": 1392734382, "format": "{date_num}", "fallback": "2014-02-18"},
            )
        ],
    ),
    Row("31 rule", "a\n\n---\n\nb", [section("a\n\n———\n\nb")], loses=True, also=[section("a\n\nb")]),
    # Spec 2.4 and 6.4: an escaped star is a star, and underscores in a word are underscores.
    Row(
        "32 escapes",
        r"\*a\* snake_case_word 2 * 3 \_b_",
        [section("*a* snake_case_word 2 * 3 _b_")],
        loses=False,
    ),
    # Both paragraphs stand in the one section that an item is.
    Row("33 loose item", "- a\n\n  second para\n\n- b", [bullets("a\n\nsecond para", "b")], loses=False),
    Row("34 unicode emoji", "✅ done 🇩🇪", [section("✅ done 🇩🇪")], loses=False),
    # Indent ends at 8; no item is lost.
    Row(
        "35 deep list",
        "\n".join("  " * depth + f"- l{depth}" for depth in range(11)),
        [*(bullets(f"l{depth}", indent=depth) for depth in range(8)), bullets("l8", "l9", "l10", indent=8)],
        loses=True,
    ),
]

MORE = [
    Row(
        "autolink of mail",
        "<ann@e.example>",
        [section(link("mailto:ann@e.example", "ann@e.example"))],
        loses=False,
    ),
    # The second line is lazy (spec 5.1).
    Row("soft break in a quote", "> a\n> b\nc", [quote("a b c")], loses=None),
    Row(
        "code in quote", "> a\n>\n> ```js\n> x\n> ```", [quote("a"), code("x", "js", border=1)], loses=False
    ),
    Row("heading in quote", "> # a", [quote(text("a", "bold"))], loses=True),
    Row("break in bold", "**a\\\nb**", [section(text("a", "bold"), "\n", text("b", "bold"))], loses=False),
    Row("info string", "```py title=x\n1\n```", [code("1", "py")], loses=True),
    Row("empty fence", "a\n\n```\n```", [section("a")], loses=True),
    Row("empty quote", "a\n\n>\n", [section("a")], loses=None),
    Row(
        "fence in bullets",
        "- a\n\n  ```\n  x\n  ```\n- b",
        [bullets("a"), code("x"), bullets("b")],
        loses=True,
    ),
    Row(
        "fence in a sublist",
        "1. a\n   1. b\n\n      ```\n      x\n      ```\n   2. c\n2. d",
        [
            ordered("a"),
            ordered("b", indent=1),
            code("x"),
            ordered("c", indent=1, offset=1),
            ordered("d", offset=1),
        ],
        loses=True,
    ),
    Row(
        "quote in an item",
        "1. a\n\n   > q\n\n2. b",
        [ordered("a"), quote("q"), ordered("b", offset=1)],
        loses=True,
    ),
    Row(
        "table in an item",
        "1. a\n\n   | k | v |\n   |---|---|\n   | x | y |\n\n2. b",
        [ordered("a"), code("k | v\n--+--\nx | y"), ordered("b", offset=1)],
        loses=True,
    ),
    Row(
        "start after sublist",
        "5. a\n   1. b\n   2. c\n6. d\n7. e",
        [ordered("a", offset=4), ordered("b", "c", indent=1), ordered("d", "e", offset=5)],
        loses=False,
    ),
    # The numbers of CommonMark (spec 5.3): only the first one counts.
    Row("all ones", "1. a\n1. b\n1. c", [ordered("a", "b", "c")], loses=None),
    Row(
        "nested list in quote",
        "> - a\n>   - b",
        [bullets("a", border=1), bullets("b", border=1, indent=1)],
        loses=False,
    ),
    Row("text between lists", "- a\n\nb\n\n- c", [bullets("a"), section("b"), bullets("c")], loses=False),
    Row(
        "image in a link",
        f"[![alt]({E}p.png)]({E})",
        [section(link(E, "alt"))],
        loses=True,
        also=[section(link(f"{E}p.png", "alt"))],
    ),
    Row("image without alt", f"![]({E}p.png)", [section(link(f"{E}p.png"))], loses=True),
    Row("code, raw", "`a && <b> &amp;`", [section(text("a && <b> &amp;", "code"))], loses=False),
    Row("flanking", "**Status:**OK", [section("**Status:**OK")], loses=False),
    Row("in a word", "un**believ**able", [section("un", text("believ", "bold"), "able")], loses=False),
    Row("numbers in colons", "12:30:45 :1:2: :a b:", [section("12:30:45 :1:2: :a b:")], loses=False),
    Row("reference link", f"[a][r]\n\n[r]: {E}", [section(link(E, "a"))], loses=None),
    Row("link with title", f'[a]({E} "t")', [section(link(E, "a"))], loses=True),
]
