import pytest

from planconv.codec import FULL, CodecInfo, Field
from planconv.detect import HEAD, detect, detect_output
from planconv.errors import UsageError


class Format:
    def __init__(self, name, *patterns, mark="", reads=True, writes=True):
        holds = dict.fromkeys(Field, FULL)
        self.info = CodecInfo(name, "", patterns, "acp", name, holds, reads=reads, writes=writes)
        self.mark = mark

    def recognise(self, head):
        assert len(head) <= HEAD
        return f"there is {self.mark}" if self.mark and self.mark.encode() in head else ""


FORMATS = [
    Format("markdown", "*.md", "*.markdown", mark="[ ]"),
    Format("cursor", "*.plan.md", mark="---"),
    Format("kiro", ".kiro/specs/*/tasks.md", mark="_Requirements"),
    Format("acp", "*.ndjson", "*.json", mark="session"),
    Format("slack", "*.json", mark="blocks"),
    Format("claude", mark="sessionId", writes=False),
    Format("acp-v1", reads=False),
]


@pytest.mark.parametrize(
    ("name", "head", "format", "reason"),
    [
        ("notes.md", b"", "markdown", "its name is like *.md"),
        ("NOTES.MD", b"", "markdown", "its name is like *.md"),
        ("a/b/notes.md", b'"blocks"', "markdown", "its name is like *.md"),
        ("x.plan.md", b"", "cursor", "its name is like *.plan.md"),
        ("/home/me/.kiro/specs/login/tasks.md", b"", "kiro", "its name is like .kiro/specs/*/tasks.md"),
        ("tasks.md", b"", "markdown", "its name is like *.md"),
        ("x.json", b'"blocks"', "slack", "there is blocks"),
        ("x.json", b'"session"', "acp", "there is session"),
        ("x.json", b"- [ ] a", "markdown", "there is [ ]"),
        ("x.txt", b"- [ ] a", "markdown", "there is [ ]"),
        ("", b"- [ ] a", "markdown", "there is [ ]"),
        ("", b"x" * HEAD + b"blocks" + b" [ ]", None, "neither name nor content"),
        ("x.json", b"{}", None, "by its name it could be acp, slack"),
        (
            "x.txt",
            b"{}",
            None,
            "neither name nor content tells the format; say it with --from (formats: markdown",
        ),
        ("", b'"sessionId"', None, "it could be acp (there is session), claude (there is sessionId)"),
    ],
)
def test_what_tells_the_format(name, head, format, reason):
    if format is None:
        with pytest.raises(UsageError) as error:
            detect(name, head, FORMATS)
        assert reason in str(error.value)
        assert "acp-v1" not in str(error.value), "it is not read"
    else:
        found = detect(name, head, FORMATS)
        assert (found.format, found.reason) == (format, reason)


@pytest.mark.parametrize(
    ("name", "format"), [("out.md", "markdown"), ("a/x.plan.md", "cursor"), ("o.ndjson", "acp")]
)
def test_the_name_of_an_output_tells_its_format(name, format):
    assert detect_output(name, FORMATS) == format


@pytest.mark.parametrize(
    ("name", "could"), [("o.json", "(acp, slack)"), ("o", "kiro, acp, slack, acp-v1)")]
)
def test_a_name_that_does_not_tell_lists_what_it_could_be(name, could):
    with pytest.raises(UsageError) as error:
        detect_output(name, FORMATS)
    assert could in str(error.value)
    assert "claude" not in str(error.value), "it is not written"
