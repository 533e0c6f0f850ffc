"""Every codec that reads and writes keeps every law.

100 examples for each law and codec; ``PLANCONV_LAWS=long pytest tests/test_laws.py`` tries 2,000.
"""

import contextlib

import pytest

from planconv import registry
from planconv.errors import EncodeError
from planconv.model import (
    Break,
    Heading,
    Link,
    Mention,
    Paragraph,
    Plan,
    RawSpan,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    text_line,
)
from planconv.testing import CodecLaws, honesty, silence, stability


@pytest.fixture(params=registry.BUILT_IN, autouse=True)
def codec(request):
    codec = registry.get(request.param)
    if not (codec.info.reads and codec.info.writes):
        pytest.skip("only one way")
    if request.instance:
        request.instance.codec = codec
    return codec


class TestLaws(CodecLaws):
    """``codec`` is each of the built-in ones in turn."""


TASKS = TaskList((Task(text_line("Read the code")),))
NUMBERED = TaskList(TASKS.tasks, ordered=True)
FOUND = {
    "a title of which nothing is shown": Plan(
        title=(Break(),), body=(Heading(1, text_line("Read the code")), TASKS)
    ),
    "a heading below tasks where there is no title": Plan(
        body=(TASKS, Heading(1, text_line("Read the code"))), reference="file:///home/ann/plan.md"
    ),
    "a heading between tasks where there is no title": Plan(
        body=(TASKS, Heading(1, text_line("Read the code")), TASKS)
    ),
    "a cancelled title in which a blank is struck out": Plan(
        body=(TaskList((Task((Text("Read"), Text(" ", Style.STRIKE)), "cancelled"),)),)
    ),
    "a backslash before a space that is no blank, at the end": Plan(
        title=text_line("_\\\xa0"),
        body=(TASKS, Table((text_line("a"),), ((text_line("_\\\xa0"),),), ("",))),
    ),
    "a cancelled title that is a blank of code": Plan(
        body=(TaskList((Task((Text(" ", Style.CODE),), "cancelled"),)),)
    ),
    "a cancelled title that only another format can show": Plan(
        body=(TaskList((Task((RawSpan("slack", '{"type":"file"}'),), "cancelled"),)),)
    ),
    "a line that is a space that is no blank": Plan(
        body=(TaskList((Task((Text("Read"), Break(), Text("\xa0"))),)),)
    ),
    "a bold mention behind a word": Plan(
        body=(TASKS, Paragraph((Text("Read"), Mention("user", "U012AB3CD", "ada", Style.BOLD))))
    ),
    "a heading of a blank in code": Plan(
        title=(Text(" "),), body=(Heading(1, ()), Heading(1, (Text(" ", Style.CODE),)), TASKS)
    ),
    "equal texts between tasks": Plan(
        body=(TASKS, Paragraph(text_line("text")), TASKS, Paragraph(text_line("text")))
    ),
    "linked code that cannot be linked": Plan(
        body=(TaskList((Task((Text("]:", Style.CODE, Link("https://a.example")),)),)),)
    ),
    "lists with nothing to see between them": Plan(
        body=(NUMBERED, Paragraph(text_line(" ")), NUMBERED, Paragraph(text_line(" ")), TASKS)
    ),
    "a title that only looks like code": Plan(title=text_line("```a``` `b``c`"), body=(TASKS,)),
    "a mention that a link follows at once": Plan(
        body=(
            TASKS,
            Paragraph(
                (Mention("group", "S012AB3CD"), Text("https://a.example", link=Link("https://a.example")))
            ),
        )
    ),
}
"""Plans that broke a law once."""


@pytest.mark.parametrize("plan", FOUND.values(), ids=FOUND)
@pytest.mark.parametrize("law", [honesty, silence, stability])
def test_what_broke_a_law_once_keeps_it(codec, law, plan):
    with contextlib.suppress(EncodeError):
        law(codec, [plan])
