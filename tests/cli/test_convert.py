import json

import pytest

from planconv.codec import NO, Field
from tests.cli import lines
from tests.cli.runs import planconv

pytestmark = pytest.mark.usefixtures("own_formats")


@pytest.fixture(autouse=True)
def inputs(folder):
    (folder / "a.txt").write_text("- a\n! b*\nx c\n")
    (folder / "bad.txt").write_bytes(b"- d\nbad\n\xff\nx e\n")
    (folder / "worse.txt").write_text("bad\n")
    (folder / "two.txt").write_text("= p1\n- a\n= p2\n- b\n")
    (folder / "empty.txt").write_text("")
    (folder / "folder").mkdir()


A = "- a\n! b*\nx c\n"
POOR = "- a\n- b*\nx c\n"
LOSSES = """\
planconv: poor cannot hold: priority (1 task) [PC101]
planconv: poor: text lost its styles (/tasks/1/title) [PC205]
planconv: poor: a plan id was made (/id) [PC303]
"""


@pytest.mark.parametrize(
    ("args", "status", "out", "err"),
    [
        # where it comes from and where it goes
        ("-f lines -t lines a.txt", 0, A, ""),
        ("-t lines a.txt", 0, A, ""),
        ("--from=lines --to=lines --output=- a.txt", 0, A, ""),
        ("-t lines -", 0, "- in\n", ""),
        ("-t lines", 0, "- in\n", ""),
        ("-t lines a.txt -", 0, A + "- in\n", ""),
        ("-t lines - -", 2, "", "planconv: standard input can be read only once\n"),
        ("-t lines folder", 2, "", "planconv: folder is a folder; `planconv batch` converts folders\n"),
        ("-t lines none.txt", 2, "", "none.txt: No such file or directory\n"),
        ("-t lines a.txt/b", 2, "", "a.txt/b: Not a directory\n"),
        ("-t lines empty.txt", 1, "", "empty.txt: there is no line with a mark\n"),
        ("-f poor -t lines", 0, "- in\n", ""),
        # formats
        ("a.txt", 2, "", "planconv: name the output's format with --to, or a file with -o"),
        ("-t line a.txt", 2, "", "no format 'line'; did you mean 'lines'? (formats: acp-file, lines"),
        ("-f line -t lines a.txt", 2, "", "there is no format 'line'; did you mean 'lines'?"),
        ("-t read-only a.txt", 2, "", "planconv: planconv does not write read-only, it only reads it\n"),
        ("-f write-only -t lines a.txt", 2, "", "planconv: planconv does not read write-only"),
        # losses
        ("-t poor a.txt", 0, POOR, LOSSES),
        ("-t poor -q a.txt", 0, POOR, ""),
        ("-t poor --fail-on-loss dropped a.txt", 1, POOR, LOSSES),
        ("-t poor -q --fail-on-loss degraded a.txt", 1, POOR, ""),
        ("-t poor -q --fail-on-loss dropped", 0, "- in\n", ""),
        ("-t poor -q --fail-on-loss degraded", 0, "- in\n", ""),
        ("-t poor -q --fail-on-loss assumed", 1, "- in\n", ""),
        ("-t poor --fail-on-loss lost", 2, "", "'lost' is not one of 'dropped', 'degraded', 'assumed'"),
        # several plans
        ("-t lines --plan p2 two.txt", 0, "= p2\n- b\n", ""),
        ("-t lines --plan p3 two.txt", 1, "", "there are: p1 (session None), p2 (session None)\n"),
        ("-t one two.txt", 2, "", "holds one plan and there are 2: choose with --plan or --session: p1 ("),
        ("-t one --plan p1 two.txt", 0, "= p1\n- a\n", ""),
        ("-t acp-file two.txt -o x.md", 2, "", "acp-file holds one plan and there are 2"),
        # what cannot be read
        ("-t lines bad.txt", 2, "", "bad.txt:2:1: 'bad' is no task\n"),
        ("-t lines --on-error fail bad.txt", 2, "", "bad.txt:2:1: 'bad' is no task\n"),
        (
            "-t lines -q --on-error skip bad.txt none.txt a.txt empty.txt", 1, "- d\nx e\n" + A,
            "bad.txt:2:1: 'bad' is no task\nbad.txt:3:1: it is not UTF-8\n"
            "none.txt: No such file or directory\nempty.txt: there is no line with a mark\n"
            "planconv: 2 inputs and 2 records could not be read\n",
        ),
        (
            "-t lines --on-error skip none.txt", 2, "",
            "none.txt: No such file or directory\nplanconv: 1 input could not be read\n",
        ),
        ("-t lines -f lines --on-error skip worse.txt", 1, "", "1 input and 1 record could not be read"),
        ("-t lines --on-error skip empty.txt", 1, "", "planconv: 1 input could not be read\n"),
        ("-t lines --on-error skip folder a.txt", 2, "", "planconv: folder is a folder"),
        ("-t lines --on-error stop a.txt", 2, "", "'stop' is not one of 'fail', 'skip'"),
        # arguments
        ("-t lines --form lines", 2, "", "no such option: --form"),
        ("-t lines -o", 2, "", "requires an argument"),
    ],
)  # fmt: skip
def test_a_run(args, status, out, err):
    result = planconv("convert", *args.split(), stdin=b"- in\n")
    assert (result.status, result.out) == (status, out), result.err
    assert err in result.err if err else not result.err
    assert "\n\n" not in result.err


def test_an_input_without_name_is_called_stdin():
    assert (
        planconv("convert", "-t", "lines", "-f", "lines", stdin=b"bad").err
        == "<stdin>:1:1: 'bad' is no task\n"
    )
    assert planconv("convert", "-t", "lines", stdin=b"bad").err.startswith(
        "<stdin>: neither name nor content"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nb", "a\\nb"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\udcff", "a\\xff"),
        ("a\u202eb", "a\\u202eb"),
        ("a\0b", "a\\x00b"),
        ("完了 ✓", "完了 ✓"),
    ],
)
def test_no_name_can_command_a_terminal(name, shown):
    status, _, err = planconv("convert", "-t", "lines", name)
    assert status == 2
    assert err.startswith(f"{shown}: ")
    assert err.count("\n") == 1


def test_an_input_with_control_characters_cannot_either():
    status, _, err = planconv("convert", "-f", "lines", "-t", "lines", stdin=b"\x1b]0;owned\x07")
    assert (status, "\x1b" in err, "\x07" in err) == (2, False, False)


# --- -o -----------------------------------------------------------------------------------------


def test_the_name_of_the_output_tells_the_format(folder):
    assert tuple(planconv("convert", "-q", "-o", "out.poor", "a.txt")) == (0, "", "")
    assert (folder / "out.poor").read_text() == POOR
    status, _, err = planconv("convert", "-o", "out.zip", "a.txt")
    assert (status, "say it with --to" in err) == (2, True)


def test_an_output_may_be_its_own_input(folder):
    assert planconv("convert", "-q", "-t", "poor", "-o", "a.txt", "a.txt").status == 0
    assert (folder / "a.txt").read_text() == POOR


def test_an_output_is_written_in_spite_of_losses_and_not_in_spite_of_errors(folder):
    (folder / "out").write_text("old")
    assert planconv("convert", "-t", "lines", "-o", "out", "bad.txt").status == 2
    assert planconv("convert", "-t", "lines", "-o", "out", "empty.txt").status == 1
    assert (folder / "out").read_text() == "old"
    assert planconv("convert", "-t", "poor", "--fail-on-loss", "dropped", "-o", "out", "a.txt").status == 1
    assert (folder / "out").read_text() == POOR


def test_an_output_that_cannot_be_written():
    status, out, err = planconv("convert", "-t", "lines", "-o", "none/out", "a.txt")
    assert (status, out, err) == (2, "", "planconv: cannot write none/out: No such file or directory\n")
    assert planconv("convert", "-t", "lines", "-o", "folder", "a.txt").err.startswith(
        "planconv: cannot write folder"
    )


# --- what is kept for programs ------------------------------------------------------------------

LINES_WITHOUT_ID = lines.POOR.info._replace(holds={**lines.POOR.info.holds, Field.PLAN_ID: NO})
KEYS = ["code", "kind", "format", "session", "plan", "path", "was", "now", "message", "input", "line"]


def test_the_report_has_every_loss(folder):
    assert planconv("convert", "-q", "-t", "poor", "--report", "losses", "a.txt").status == 0
    rows = [json.loads(line) for line in (folder / "losses").read_text().splitlines()]
    assert all(list(row) == KEYS for row in rows)
    assert [(row["code"], row["kind"], row["path"]) for row in rows] == [
        ("PC101", "dropped", "/tasks/1/priority"),
        ("PC303", "assumed", "/id"),
        ("PC205", "degraded", "/tasks/1/title"),
    ]
    assert {(row["format"], row["input"], row["line"]) for row in rows} == {("poor", "a.txt", None)}
    assert (rows[0]["was"], rows[0]["message"]) == ("high", "poor: a field has no place")


def test_the_report_on_standard_error_stands_instead_of_the_summary():
    _, out, err = planconv("convert", "-t", "poor", "--report", "-", "a.txt")
    assert out == POOR
    assert [json.loads(line)["code"] for line in err.splitlines()] == ["PC101", "PC303", "PC205"]


def test_a_loss_names_its_input_where_that_is_certain(folder):
    planconv(
        "convert", "-q", "-t", "poor", "--report", "losses", "a.txt", "two.txt", "-", stdin=b"= p3\n! x\n"
    )
    rows = [json.loads(line) for line in (folder / "losses").read_text().splitlines()]
    assert [(row["path"], row["plan"], row["input"]) for row in rows] == [
        ("/tasks/1/priority", None, "a.txt"),
        ("/tasks/0/priority", "p3", "<stdin>"),
        ("/tasks/1/title", None, "a.txt"),
    ]
    (folder / "b.txt").write_text("- b*\n")
    planconv("convert", "-q", "-t", "poor", "--report", "losses", "a.txt", "b.txt")
    rows = [json.loads(line) for line in (folder / "losses").read_text().splitlines()]
    assert {row["input"] for row in rows} == {None}


def test_a_loss_of_reading_knows_its_line(folder):
    planconv("convert", "-q", "-t", "lines", "-f", "lines", "--report", "losses", stdin=b"- a\nodd\n")
    (row,) = map(json.loads, (folder / "losses").read_text().splitlines())
    assert (row["input"], row["line"], row["format"]) == ("<stdin>", 2, "lines")


def test_without_losses_the_report_is_empty(folder):
    (folder / "losses").write_text("old")
    planconv("convert", "-t", "lines", "--report", "losses", "a.txt")
    assert (folder / "losses").read_bytes() == b""


def test_strict_makes_an_error_of_what_is_forbidden():
    args = ("convert", "-f", "lines", "-t", "lines")
    assert planconv(*args, stdin=b"- a\nodd\n").status == 0
    status, out, err = planconv(*args, "--strict", stdin=b"- a\nodd\n")
    assert (status, out) == (2, "")
    assert err.startswith("<stdin>:2: /tasks/0: ")


def test_bad_records_are_kept_as_they_were(folder):
    planconv(
        "convert", "-q", "-t", "lines", "--on-error", "skip", "--errors-to", "bad", "bad.txt", "none.txt"
    )
    rows = [json.loads(line) for line in (folder / "bad").read_text().splitlines()]
    assert rows == [
        {"file": "bad.txt", "line": 2, "offset": 4, "reason": "'bad' is no task", "raw": "bad"},
        {"file": "bad.txt", "line": 3, "offset": 8, "reason": "it is not UTF-8", "raw": "\\xff"},
        {
            "file": "none.txt",
            "line": None,
            "offset": None,
            "reason": "No such file or directory",
            "raw": None,
        },
    ]


def test_the_record_that_ended_it_is_kept_too(folder):
    args = ("convert", "-t", "lines", "--errors-to", "bad")
    assert planconv(*args, "bad.txt").err == "bad.txt:2:1: 'bad' is no task\n"
    (row,) = map(json.loads, (folder / "bad").read_text().splitlines())
    assert (row["file"], row["line"], row["raw"]) == ("bad.txt", 2, "bad")
    assert planconv(*args, "none.txt").status == 2
    assert json.loads((folder / "bad").read_text())["file"] == "none.txt"
    assert planconv(*args, "a.txt").status == 0
    assert (folder / "bad").read_text() == ""


# --- references and mentions --------------------------------------------------------------------


@pytest.fixture
def pointed(folder):
    (folder / "root").mkdir()
    (folder / "root" / "inside.txt").write_text("- inside\n")
    (folder / "outside.txt").write_text("- outside\n")
    (folder / "root" / "pipe").symlink_to("/dev/zero")

    def convert(name, *args):
        data = f"= p file://{folder}/root/{name}\n= q\n- q\n".encode()
        return planconv("convert", "-f", "lines", "-t", "lines", *args, stdin=data)

    return convert


def test_without_root_no_file_is_opened(pointed, folder):
    assert pointed("inside.txt").out == f"= p file://{folder}/root/inside.txt\n= q\n- q\n"


def test_with_root_the_plans_of_the_file_take_its_place(pointed):
    assert tuple(pointed("inside.txt", "--root", "root")) == (0, "= p\n- inside\n= q\n- q\n", "")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("../outside.txt", "does not lie under"), ("pipe", "not lie under"), ("none.txt", "No such")],
)
def test_a_reference_that_leads_nowhere_is_an_error_or_stays(pointed, name, reason):
    status, out, err = pointed(name, "--root", "root")
    assert (status, out) == (2, "")
    assert err.startswith("<stdin>: /reference: file://")
    assert reason in err
    status, out, err = pointed(name, "--root", "root", "--on-error", "skip")
    assert (status, "/root/" in out, "- q" in out) == (1, True, True)
    assert err.endswith("planconv: 1 reference could not be read\n")


def test_what_is_wrong_in_that_file_is_told_of_it(folder, pointed):
    (folder / "root" / "bad.txt").write_text("- a\nbad\n")
    (folder / "root" / "empty.txt").write_text("")
    assert pointed("bad.txt", "--root", "root").err == f"{folder}/root/bad.txt:2:1: 'bad' is no task\n"
    assert pointed("empty.txt", "--root", "root").err.startswith(f"{folder}/root/empty.txt: there is no")


def test_of_a_plan_that_is_not_taken_no_reference_is_followed(pointed):
    assert tuple(pointed("none.txt", "--root", "root", "--plan", "q")) == (0, "= q\n- q\n", "")


def test_a_pipe_below_the_root_is_not_read(folder, pointed):
    import os

    os.mkfifo(folder / "root" / "waiting")
    status, _, err = pointed("waiting", "--root", "root")
    assert (status, "no plain file" in err) == (2, True)


def test_a_root_has_to_be_a_folder(pointed):
    assert pointed("inside.txt", "--root", "none").err == "planconv: --root none is no folder\n"


def test_mentions_are_read_only_when_asked_for():
    args = ("convert", "-f", "lines", "-t", "lines")
    assert planconv(*args, stdin=b"- ask <@U012>\n").out == "- ask <@U012>\n"
    assert planconv(*args, "--mentions", stdin=b"- ask <@U012>\n").out == "- ask @U012\n"


# --- a format that points to a file -------------------------------------------------------------


def test_acp_file_writes_the_file_and_says_where_it_is(folder):
    status, out, err = planconv("convert", "-t", "acp-file", "-o", "my plan#1%.md", "a.txt")
    assert (status, out, err) == (0, f"= main file://{folder}/my%20plan%231%25.md\n- a\n! b*\nx c\n", "")
    assert (folder / "my plan#1%.md").read_text() == A


def test_what_the_message_holds_is_not_lost(folder, monkeypatch):
    monkeypatch.setattr("planconv.cli.convert.POINTERS", {"acp-file": "poor"})
    monkeypatch.setattr("tests.cli.lines.POOR.info", LINES_WITHOUT_ID)
    (folder / "p.txt").write_text("= p\n! a*\n")
    status, out, err = planconv("convert", "-t", "acp-file", "-o", "x", "p.txt")
    assert (status, out[:4]) == (0, "= p ")
    assert "plan id" not in err
    assert "priority (1 task)" in err


def test_acp_file_needs_a_file_to_write():
    status, out, err = planconv("convert", "-t", "acp-file", "a.txt")
    assert (status, out) == (2, "")
    assert err == "planconv: acp-file points to a file: name the file to write with -o\n"
