import pytest

from planconv.check.rows import Row
from planconv.check.tasks import check_tasks


def plan(edges):
    return [
        Row(id, id=id, depends_on=[(other, f"{id}-{other}") for other in needed])
        for id, needed in edges.items()
    ]


@pytest.mark.parametrize(
    ("edges", "messages"),
    [
        ({"a": "", "b": "a", "c": "ab", "d": "abc"}, []),
        ({"a": "a"}, ["the task 'a' depends on itself"]),
        ({"a": "b", "b": "c", "c": "a"}, ["a circle of dependencies: a → b → c → a"]),
        ({"x": "a", "a": "b", "b": "a"}, ["a circle of dependencies: a → b → a"]),
        (
            {"a": "b", "b": "a", "c": "d", "d": "c"},
            ["a circle of dependencies: a → b → a", "a circle of dependencies: c → d → c"],
        ),
    ],
)
def test_circles(edges, messages):
    assert [fault.message for fault in check_tasks(plan(edges))] == messages


def test_a_long_circle_is_told_in_short():
    count = 10_000
    rows = [Row(str(n), id=str(n), depends_on=[(str((n + 1) % count), "")]) for n in range(count)]
    (fault,) = check_tasks(rows)
    assert fault.message.startswith("a circle of dependencies: 0 → … → 9")
    assert fault.message.endswith("→ 9999 → 0")
