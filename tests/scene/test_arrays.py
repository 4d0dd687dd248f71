import numpy as np
import pytest

from arcwright.arrays import frozen, same
from arcwright.errors import BadValue
from builders import arm_scene


def test_a_frozen_array_cannot_be_written_and_does_not_follow_its_source():
    source = np.zeros(3)
    kept = frozen(source, "x", (3,))
    source[0] = 1
    assert kept[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 1


def test_a_frozen_array_is_shared_not_copied():
    kept = frozen([1, 2, 3], "x", (3,))
    assert frozen(kept, "x", (3,)) is kept


def test_a_read_only_view_of_writable_memory_is_copied():
    source = np.zeros(4)
    view = source[:3]
    view.setflags(write=False)
    kept = frozen(view, "x", (3,))
    source[0] = 5
    assert kept[0] == 0


@pytest.mark.parametrize(
    ("value", "shape", "message"),
    [
        ([1, 2], (3,), r"x: expected shape \(3,\), got shape \(2,\)"),
        ([[1, 2]], ("N", "N"), r"x: expected shape \(N, N\), got shape \(1, 2\)"),
        ([np.nan], ("N",), "x: expected finite numbers, got nan or inf"),
        (["a"], ("N",), r"x: expected numbers of shape \(N,\), got list"),
        (None, (1,), "x: expected"),
    ],
)
def test_bad_arrays_are_refused_by_field_and_expectation(value, shape, message):
    with pytest.raises(BadValue, match=message):
        frozen(value, "x", shape)


def test_same_is_bit_for_bit():
    assert same(np.array([0.0, np.nan]), np.array([0.0, np.nan]))
    assert not same(np.array([0.0]), np.array([-0.0]))
    assert not same(0.0, -0.0)
    assert not same(np.zeros(2), np.zeros(2, np.float32))
    assert not same(1, 1.0)
    assert same({"a": (1, "b")}, {"a": (1, "b")})


def test_two_scenes_built_alike_are_the_same():
    assert same(arm_scene(), arm_scene())
