"""Below which heading and which task a task stands."""

import planconv
from planconv.update.groups import groups

TEXT = """\
- [ ] a

## My `part`

- [ ] b
  - [ ] **c**
    - [ ] d
- [ ] e

## Next

> - [ ] f
"""


def test_the_nearest_heading_and_the_tasks_above():
    (plan,) = planconv.decode(TEXT, "markdown")
    assert groups(plan) == [
        (),
        ("my part",),
        ("my part", "b"),
        ("my part", "b", "c"),
        ("my part",),
        ("next",),
    ]
