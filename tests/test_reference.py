import pytest

from planconv.errors import DecodeError
from planconv.model import Heading, Paragraph, Plan, Task, TaskList, text_line
from planconv.reference import file_uri, filled, path_below


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "my plan#1%ü.md").write_text("inside")
    (tmp_path / "secret.md").write_text("outside")
    (tmp_path / "root2").mkdir()
    (tmp_path / "root2" / "plan.md").write_text("beside")
    (root / "out").symlink_to(tmp_path / "secret.md")
    (root / "up").symlink_to(tmp_path)
    (root / "in").symlink_to("docs/my plan#1%ü.md")
    return root


@pytest.mark.parametrize(
    "uri",
    [
        "file://{root}/docs/my%20plan%231%25%C3%BC.md",
        "file://{root}/docs/my%20plan%231%25ü.md",
        "file:{root}/in",
        "FILE://LOCALHOST{root}/docs/../in",
        "file://{root}/docs/%2e%2E/in#part",
        "file://{root}/up/root/in",
    ],
)
def test_a_file_below_the_root_is_found(root, uri):
    assert path_below(uri.format(root=root), str(root)) == str(root / "docs" / "my plan#1%ü.md")


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("https://example.com/plan.md", "no absolute file: URI"),
        ("plan.md", "no absolute file: URI"),
        ("file:plan.md", "no absolute file: URI"),
        ("", "no absolute file: URI"),
        ("file://{root}/in?x", "no absolute file: URI"),
        ("file://{root}\\..\\secret.md", "no absolute file: URI"),
        ("file://{root}/in\n", "no absolute file: URI"),
        ("file://example.com{root}/in", "another machine"),
        ("file://127.0.0.1{root}/in", "another machine"),
        ("file://user@localhost{root}/in", "another machine"),
        ("file://{root}/in%00", "NUL"),
        ("file://{root}/../secret.md", "not lie under"),
        ("file://{root}/%2e%2e/secret.md", "not lie under"),
        ("file://{root}/docs%2F..%2f..%2Fsecret.md", "not lie under"),
        ("file://{root}/out", "not lie under"),
        ("file://{root}/up/secret.md", "not lie under"),
        ("file://{root}2/plan.md", "not lie under"),
        ("file://{root}/docs/../../root2/plan.md", "not lie under"),
        ("file:///etc/passwd", "not lie under"),
        ("file:////etc/passwd", "not lie under"),
        ("file://{root}", "not lie under"),
        ("file://{root}/.", "not lie under"),
    ],
)
def test_no_other_file_is(root, uri, reason):
    with pytest.raises(DecodeError, match=reason) as error:
        path_below(uri.format(root=root), str(root))
    assert error.value.pointer == "/reference"


def test_a_root_behind_a_link_is_the_folder_it_leads_to(root, tmp_path):
    (tmp_path / "link").symlink_to(root)
    assert path_below(f"file://{root}/in", str(tmp_path / "link"))


def test_the_uri_of_a_path_leads_back_to_it(root, monkeypatch):
    monkeypatch.chdir(root / "docs")
    uri = file_uri("../docs/my plan#1%ü.md")
    assert uri == f"file://{root}/docs/my%20plan%231%25%C3%BC.md"
    assert path_below(uri, str(root)) == str(root / "docs" / "my plan#1%ü.md")
    assert file_uri("\udcff").endswith("/%FF")


def tasks(*titles):
    return TaskList(tuple(Task(text_line(title)) for title in titles))


def test_the_body_of_the_file_takes_the_place_of_the_reference():
    pointer = Plan(id="p", session="s", reference="file:///x", extras={"acp": {"k": 1}})
    first = Plan(id="other", title=text_line("One"), body=(tasks("a"),))
    second = Plan(title=text_line("Two"), body=(tasks("b"),))
    assert filled(pointer, [first, second]) == Plan(
        id="p",
        session="s",
        title=text_line("One"),
        body=(tasks("a"), Heading(1, text_line("Two")), tasks("b")),
        extras={"acp": {"k": 1}},
    )


def test_a_title_and_a_body_of_its_own_stay():
    own = Plan(title=text_line("Own"), body=(Paragraph(text_line("See the file")),), reference="file:///x")
    plan = filled(own, [Plan(title=text_line("Other"), body=(tasks("a"),))])
    assert plan == Plan(title=own.title, body=(*own.body, tasks("a")))
