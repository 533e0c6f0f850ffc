"""Strings in Task Master's JSON, changed where they stand."""

import pytest

from tests.update.files import updated

FILE = """{
    "master": {
\t"tasks": [
\t    {"id": 1, "title": "Caf\\u00e9 [ ] \\"x\\"", "status": "pending", "cost": 1.50},
\t    {
\t\t"status" :"in-progress",
\t\t"title" :"Ship it",
\t\t"subtasks": [{"title" : "Pack it", "id":5}, 7,
\t\t\t{"id": 2, "title": "Send it (failed)", "status": "pending"}]
\t    }
\t],
\t"metadata": {"status": "pending", "title": "Pack it"}
    },
    "other": {"tasks": [{"id": 1, "title": "Other", "status": "completed"}]}
}"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("source", "was", "now"),
    [
        ('- [x] Café \\[ ] "x"', '"status": "pending", "cost"', '"status": "done", "cost"'),
        ("- [x] Ship it", '"status" :"in-progress"', '"status" :"done"'),
        ("- [ ] Ship it _(blocked)_", '"status" :"in-progress"', '"status" :"blocked"'),
        ("- [x] Pack it", '{"title" : "Pack it", "id"', '{"title" : "Pack it","status" : "done", "id"'),
        (
            "- [ ] Pack it _(failed)_",
            '{"title" : "Pack it"',
            '{"title" : "Pack it (failed)","status" : "pending"',
        ),
        ("- [x] Send it", '"Send it (failed)", "status": "pending"', '"Send it", "status": "done"'),
        ("- [ ] Send it", '"Send it (failed)"', '"Send it"'),
        ("- [x] Other", "", ""),
        ("- [ ] Other _(in progress)_", '"status": "completed"', '"status": "in-progress"'),
    ],
)
def test_a_task_changes_its_own_strings(source, was, now, end):
    text = FILE.replace("\n", end)
    assert updated(text, "taskmaster", source)[0] == text.replace(was, now, 1)


@pytest.mark.parametrize(
    ("form", "path"), [("legacy", '{"tasks": %s}'), ("tags", '{"tags": {"a": {"tasks": %s}}}')]
)
def test_other_shapes_of_the_file(form, path):
    text = path % '[{"id": 1, "title": "A", "status": "pending"}]'
    assert updated(text, "taskmaster", "- [x] A")[0] == text.replace("pending", "done")


def test_a_text_of_the_same_id_changes_in_the_letters_of_the_file():
    title = 'Café \\u005b ] \\"x\\" à la carte'
    source = f'{{"master": {{"tasks": [{{"id": 1, "title": "{title}", "status": "pending"}}]}}}}'
    new, counts, _ = updated(FILE, "taskmaster", source, "taskmaster")
    assert new == FILE.replace('\\"x\\"', '\\"x\\" \\u00e0 la carte')
    assert counts == (0, 1)


def test_a_status_that_task_master_does_not_have_is_told():
    assert updated(FILE, "taskmaster", "- [ ] Ship it _(failed)_")[2] == [("PC201", "/tasks/0/status")]
