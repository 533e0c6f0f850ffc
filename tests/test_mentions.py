import pytest

from planconv.mentions import read_mentions
from planconv.model import (
    Code,
    Date,
    Heading,
    Item,
    Link,
    List,
    Mention,
    Paragraph,
    Plan,
    Quote,
    Raw,
    RawSpan,
    Style,
    Table,
    Task,
    TaskList,
    Text,
)

USER = Mention("user", "U012AB3CD")
FORM = "<@U012AB3CD>"


def read(line):
    return read_mentions(Plan(title=line)).title


@pytest.mark.parametrize(
    ("form", "span"),
    [
        ("<@U012AB3CD>", USER),
        ("<@W012AB3CD>", Mention("user", "W012AB3CD")),
        ("<@U012AB3CD|maria>", Mention("user", "U012AB3CD", "maria")),
        ("<#C123ABC456>", Mention("channel", "C123ABC456")),
        ("<#C123ABC456|general>", Mention("channel", "C123ABC456", "general")),
        ("<!here>", Mention("broadcast", "here")),
        ("<!here|@here>", Mention("broadcast", "here")),
        ("<!channel>", Mention("broadcast", "channel")),
        ("<!everyone>", Mention("broadcast", "everyone")),
        ("<!subteam^S0123>", Mention("group", "S0123")),
        ("<!subteam^S0123|@ops>", Mention("group", "S0123", "ops")),
        ("<!date^1392734382^{date_num} {time}|Feb 18>", Date(1392734382, "{date_num} {time}", "Feb 18")),
        ("<!date^1392734382^{date}^https://a.b/c|x>", Date(1392734382, "{date}", "x", "https://a.b/c")),
        ("<!date^0^{date}>", Date(0, "{date}")),
    ],
)
def test_each_form_is_read(form, span):
    assert read((Text(f"Ask {form} now"),)) == (Text("Ask "), span, Text(" now"))
    assert read((Text(form),)) == (span,)


@pytest.mark.parametrize(
    "text",
    [
        "<@u012>", "<@X012>", "@U012", "<@U012", "< @U012>", "<!hereafter>", "<!team>", "<#general>",
        "<!subteam^U1>", "<!date^soon^{date}>", "<!date^1>", "<https://a.b|c>", "a < b > c",
    ],
)  # fmt: skip
def test_what_is_no_mention_stays_text(text):
    assert read((Text(text),)) == (Text(text),)


@pytest.mark.parametrize("span", [Text(FORM, Style.CODE), Text(FORM, link=Link("https://a.b"))])
def test_code_and_links_stay_what_they_are(span):
    assert read((span,)) == (span,)


def test_a_mention_has_the_style_of_its_text():
    bold = Style.BOLD | Style.ITALIC
    assert read((Text(f"a{FORM}", bold),)) == (Text("a", bold), Mention("user", "U012AB3CD", style=bold))


def test_two_in_a_row():
    assert read((Text(FORM * 2),)) == (USER, USER)


def test_what_markdown_takes_for_html_is_read_too():
    here = Mention("broadcast", "here")
    assert read((RawSpan("html", "<!here>"), Text(" go"))) == (here, Text(" go"))
    plan = read_mentions(Plan(body=(Raw("html", "<!here> go"), Raw("html", "<b>x</b>"))))
    assert plan.body == (Paragraph((here, Text(" go"))), Raw("html", "<b>x</b>"))


def everywhere(line):
    inner = Task(line, details=(Paragraph(line),), output=(Paragraph(line),))
    outer = Task(line, details=(Paragraph(line), TaskList((inner,)), Code(FORM)))
    return Plan(
        title=line,
        body=(
            Heading(2, line),
            Quote((Paragraph(line), TaskList((inner,)))),
            List((Item((Paragraph(line), TaskList((inner,)))),)),
            Table((line,), ((line,),), ("",)),
            TaskList((outer,)),
            Code(FORM),
        ),
    )


def test_they_are_read_wherever_text_stands():
    assert read_mentions(everywhere((Text(FORM),))) == everywhere((USER,))
