import json

from hypothesis import given
from hypothesis import strategies as st

from planconv.check.places import places
from planconv.wire.json import locate

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def pointers(value, pointer=""):
    yield pointer
    for key, inner in (
        value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    ):
        yield from pointers(inner, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")


@given(VALUES, st.sampled_from([None, 1, 4]))
def test_places_are_those_of_locate(value, indent):
    text = json.dumps(value, indent=indent)
    wanted = [*pointers(value)]
    found = places(text, wanted)
    assert {pointer: found[pointer][:2] for pointer in wanted} == {
        pointer: locate(text.encode(), pointer) for pointer in wanted
    }


def test_what_is_missing_is_at_what_should_hold_it():
    assert places('{"a":\n [1]}', ["/a/7/b"])["/a/7/b"][:2] == (2, 2)
