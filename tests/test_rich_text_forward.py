"""Markdown in the details of a task becomes the rich text that shows the same in Slack."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import planconv
from planconv.loss import Kind
from tests.rich_text_rows import MORE, ROWS, comparable
from tests.shown import cmark_shows_below, slack_shows
from tests.slack_shapes import code, details_of, link, section, text
from tests.slack_validity import problems

# Rows 17 of the table is about task lists, which are no details but tasks of the plan.
DETAILS = [row for row in (*ROWS, *MORE) if row.name != "17 task list"]


def indented(markdown):
    return "".join(f"  {line}" if line.strip() else line for line in markdown.splitlines(keepends=True))


def converted(markdown):
    """The Slack message of a task with this below it, and what was lost."""
    result = planconv.convert(f"- [ ] Title\n\n{indented(markdown)}\n", "markdown", "slack")
    return json.loads(result.data), lost(result)


def lost(result):
    """The numbers of the losses, without what Slack demands and Markdown never has: titles and ids."""
    assert all(
        loss.path.startswith("/tasks/0/details") for loss in result.losses if loss.code.kind > Kind.ASSUMED
    )
    return {loss.code.number for loss in result.losses if loss.code.kind > Kind.ASSUMED}


@pytest.mark.parametrize("row", DETAILS, ids=lambda row: row.name)
def test_shows_the_same_in_slack(row):
    document, _ = converted(row.markdown)
    assert comparable(details_of(document)) in row.answers()


@pytest.mark.parametrize("row", DETAILS, ids=lambda row: row.name)
def test_slack_accepts_it(row):
    document, _ = converted(row.markdown)
    assert problems(document) == []


@pytest.mark.parametrize("row", DETAILS, ids=lambda row: row.name)
def test_the_ledger_names_what_is_lost_and_nothing_else(row):
    if row.loses is not None:
        _, losses = converted(row.markdown)
        assert bool(losses) is row.loses, losses


@pytest.mark.parametrize("address", ["www.e.example", "ann@e.example"])
def test_addresses_without_a_scheme_stay_the_text_that_they_are(address):
    """GFM viewers link them (spec 6.9); kept from that, they would be unreadable in the source."""
    document, losses = converted(f"see {address}.")
    assert comparable(details_of(document)) == comparable([section(f"see {address}.")])
    assert not losses


# --- task lists ---------------------------------------------------------------------------------


def test_a_task_list_in_the_details_is_lifted_to_tasks_of_the_plan():
    result = planconv.convert("- [ ] Title\n  - [ ] open\n  - [x] done\n- [x] last\n", "markdown", "slack")
    tasks = json.loads(result.data)["blocks"][0]["tasks"]
    assert [(task["title"], task["status"]) for task in tasks] == [
        ("Title", "pending"),
        ("open", "pending"),
        ("done", "complete"),
        ("last", "complete"),
    ]
    assert not any("details" in task for task in tasks)
    assert any(loss.code.kind is Kind.DEGRADED for loss in result.losses)


def test_items_without_a_box_stay_in_the_details():
    result = planconv.convert("- [ ] Title\n  - plain\n  - [x] done\n", "markdown", "slack")
    document = json.loads(result.data)
    assert [task["title"] for task in document["blocks"][0]["tasks"]] == ["Title", "done"]
    (inner,) = details_of(document)
    assert inner["elements"] == [section("plain")]


# --- what a message must never hold -------------------------------------------------------------

NOTHING_TO_SHOW = {
    "empty fence": "```\n```",
    "empty quote": ">",
    "empty item": "-",
    "empty heading": "##",
    "comment": "<!-- -->",
    "no-break space": "&nbsp;",
    "empty link": "[](https://e.example)",
    "empty cell": "| a | b |\n|---|---|\n|   |   |",
    "empty emphasis in heading": "# ***",
    "blank code": "` `",
    "empty image": "![]()",
    "quote in quote, empty": "> >",
    "item with a quote only": "- > a",
    "item with code only": "1. ```\n   x\n   ```",
    "nested empty items": "- - -",
}


@pytest.mark.parametrize("markdown", NOTHING_TO_SHOW.values(), ids=NOTHING_TO_SHOW)
@pytest.mark.parametrize("around", ["{}", "before\n\n{}\n\nafter"])
def test_nothing_empty_is_sent(markdown, around):
    document, _ = converted(around.format(markdown))
    assert problems(document) == []


def test_a_number_survives_code_that_opens_an_item():
    """The item has no text of its own, and what counts from it still counts."""
    document, _ = converted("1. ```\n   x\n   ```\n2. b")
    assert [e.get("offset") for e in details_of(document) if e["type"] == "rich_text_list"][-1] == 1


def test_no_item_of_a_deep_list_is_lost():
    markdown = "\n".join("  " * depth + f"- level {depth}" for depth in range(40))
    document, losses = converted(markdown)
    shown = [entry["elements"][0]["text"] for e in details_of(document) for entry in e["elements"]]
    assert shown == [f"level {depth}" for depth in range(40)]
    assert [e.get("indent", 0) for e in details_of(document)][-1] == 8
    assert problems(document) == []
    assert losses == {"PC210"}


def test_numbers_go_on_at_the_deepest_indent():
    """Two ordered levels that both stand on indent 8 do not count each other's items twice."""
    deep = "\n".join("   " * depth + f"1. l{depth}" for depth in range(9))
    document, _ = converted(f"{deep}\n{'   ' * 8}2. m8\n")
    assert problems(document) == []
    assert [e["text"] for e in details_of(document)[-1]["elements"][-1]["elements"]] == ["m8"]


# --- tables -------------------------------------------------------------------------------------


def test_columns_of_a_table_stand_below_each_other():
    document, _ = converted("| key | n | mid |\n|:--|--:|:-:|\n| a | 1 | x |\n| long **one** | 12 | yyy |")
    (block,) = details_of(document)
    assert block["type"] == "rich_text_preformatted"
    header, *_, first, second = block["elements"][0]["text"].split("\n")
    assert header.index("key") == first.index("a") == second.index("long one")  # to the left
    assert header.index("n") == first.index("1") == second.index("12") + 1  # to the right
    assert header.index("mid") == first.index("x") - 1 == second.index("yyy")  # in the middle


def test_a_link_in_a_table_keeps_its_address():
    document, losses = converted("| a |\n|---|\n| [x](https://e.example/y) |")
    assert "https://e.example/y" in json.dumps(document)
    assert losses


# --- a plan cannot call anybody -----------------------------------------------------------------

CALLS = """\
# Plan

- [ ] One

  <@U012AB3CD>, **<@W012AB3CD|ann>** and `<@U012AB3CD>`

- [ ] Two

  <#C012AB3CD|general> \\<!here> <!channel> <!everyone>

- [ ] Three

  <!subteam^S012AB3CD|@team>

- [ ] Four

  <!date^1392734382^{date_num} at {time}^https://e.example/|2014-02-18>

- [ ] Five

  ```
  <!here>
  ```

- [ ] <!here> <@U012AB3CD>

- [ ] No calls

  a <@ U012AB3CD> <@X> <!nobody> <#> 1 < 2 > 1
"""


def user(id, *styles):
    return {"type": "user", "user_id": id, **({"style": dict.fromkeys(styles, True)} if styles else {})}


CALLED = [
    [section(user("U012AB3CD"), ", ", user("W012AB3CD", "bold"), " and ", text("<@U012AB3CD>", "code"))],
    [
        section(
            *(
                {"type": "channel", "channel_id": "C012AB3CD"},
                " ",
                {"type": "broadcast", "range": "here"},
                " ",
            ),
            *({"type": "broadcast", "range": "channel"}, " ", {"type": "broadcast", "range": "everyone"}),
        )
    ],
    [section({"type": "usergroup", "usergroup_id": "S012AB3CD"})],
    [
        section(
            {
                "type": "date",
                "timestamp": 1392734382,
                "format": "{date_num} at {time}",
                "url": "https://e.example/",
                "fallback": "2014-02-18",
            }
        )
    ],
    [code("<!here>")],
]
LITERAL = [section("a <@ U012AB3CD> <@X> <!nobody> <#> 1 < 2 > 1")]


def command(*arguments):
    run = [sys.executable, "-m", "planconv", "convert", "-f", "markdown", "-t", "slack", *arguments]
    done = subprocess.run(run, input=CALLS, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["blocks"][0]["tasks"]


def test_mentions_are_text_unless_they_are_asked_for():
    tasks = command()
    types = {inner["type"] for task in tasks if "details" in task for inner in walk(task["details"])}
    assert types <= {"rich_text", "rich_text_section", "rich_text_preformatted", "text", "link"}
    assert "<!here> <!channel> <!everyone>" in json.dumps(tasks[1])


def test_mentions_are_elements_when_they_are_asked_for():
    tasks = command("--mentions")
    assert problems({"blocks": [{"type": "plan", "title": "Plan", "tasks": tasks}]}) == []
    made = [comparable(task["details"]["elements"]) for task in tasks if "details" in task]
    assert made[:5] == [comparable(elements) for elements in CALLED]
    assert made[-1] == comparable(LITERAL)
    assert "here" in tasks[5]["title"]  # a title is plain text in Slack and calls nobody


def walk(element):
    yield element
    for inner in element.get("elements", []):
        yield from walk(inner)


def test_an_address_with_a_label_is_still_a_link():
    document, _ = converted("see [GitLab #1](https://e.example/x)")
    assert comparable(details_of(document)) == comparable(
        [section("see ", link("https://e.example/x", "GitLab #1"))]
    )


# --- any Markdown -------------------------------------------------------------------------------

WORDS = [
    *(
        "a",
        "bc",
        "**b**",
        "*i*",
        "***bi***",
        "~~s~~",
        "`c`",
        "`` ` ``",
        "**a *b* c**",
        "**`x`**",
        "~~**y**~~",
    ),
    *(
        "[l](https://e.example)",
        "<https://e.example>",
        "[**a** `b`](https://e.example)",
        "**[l](https://e.example)**",
    ),
    *(
        "&amp;",
        "\\*",
        "_u_",
        "a_b_c",
        "2*3*4",
        "中**文**字",
        "10:30:45",
        "x > y",
        "- x",
        "# h",
        "1. n",
        "'q'",
        "...",
    ),
    *("*", "**", "_", "~", "~~", "[", "]", "`", "<b", "!", "\\", ":", "(", "--"),
]
GAPS = [" ", " ", "", "\n", "  \n", "\\\n"]
lines = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), min_size=1, max_size=5).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)
leaves = st.one_of(
    lines, lines, lines, st.sampled_from(["```py\nx *y*\n```", "~~~\n\n a\n~~~", "---", "# H *e*"])
)


def below(markdown, first, others):
    """Behind a marker: the first line has it, the others are indented or marked too."""
    head, *rest = markdown.split("\n")
    return "\n".join([first + head, *(others + line if line else "" for line in rest)])


def as_list(marker, entries, gap):
    number = int(marker[:-1]) if marker[:-1] else None
    markers = [marker if number is None else f"{number + at}{marker[-1]}" for at in range(len(entries))]
    parts = zip(markers, entries, strict=True)
    return gap.join(below(entry, f"{mark} ", " " * (len(mark) + 1)) for mark, entry in parts)


def deeper(inner):
    gaps = st.sampled_from(["\n", "\n\n", "\n\n"])
    several = st.builds(lambda gap, parts: gap.join(parts), gaps, st.lists(inner, min_size=1, max_size=3))
    markers = st.sampled_from(["-", "*", "+", "1.", "3)", "9.", "98."])
    lists = st.builds(as_list, markers, st.lists(several, min_size=1, max_size=3), gaps)
    return st.one_of(lists, several.map(lambda parts: below(parts, "> ", "> ")))


markdowns = st.lists(st.recursive(leaves, deeper, max_leaves=6), min_size=1, max_size=3).map("\n\n".join)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(markdowns)
def test_law_slack_shows_what_cmark_shows_or_the_ledger_names_it(markdown):
    source = f"- [ ] Task title\n\n{indented(markdown)}\n"
    result = planconv.convert(source, "markdown", "slack")
    document = json.loads(result.data)
    assert problems(document) == []
    seen = cmark_shows_below(source)
    noted = [loss for loss in result.losses if loss.code.kind > Kind.ASSUMED]
    # An item whose first line is a list has a bullet of its own there, and only an indent in Slack.
    if not noted and all(row.runs for row in seen):
        task = document["blocks"][0]["tasks"][0]
        assert slack_shows(task["details"]["elements"] if "details" in task else []) == seen, source
