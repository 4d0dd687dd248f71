from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import insert_key, keyed, move_key, remove_key, retime
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation, Handle
from plain import random_curve, seeds
from random_cases import examples

TIMES = np.linspace(-3, 9, 400)


def settled(seed: int) -> Curve:
    """A random curve without vertical handles, where the last digits of time would matter."""
    curve = random_curve(seed)
    tangent = np.array(curve.tangent)
    tangent[:, :, 0] = np.maximum(tangent[:, :, 0], 0.01)
    return replace(curve, tangent=tangent)


def assert_same_shape(new: Curve, old: Curve) -> None:
    """Within 1e-9 of the old values a hair before or after, as steep places need."""
    hair = 1e-12
    near = np.stack([evaluate_curve(old, TIMES + way) for way in (-hair, 0, hair)])
    values = evaluate_curve(new, TIMES)
    assert (values >= near.min(axis=0) - 1e-9).all()
    assert (values <= near.max(axis=0) + 1e-9).all()


@examples(60, 150)
@given(seeds, st.floats(0.01, 0.99))
def test_inserting_a_key_leaves_the_curve_unchanged(seed: int, part: float) -> None:
    curve = random_curve(seed)
    time = curve.time[0] + part * (curve.time[-1] - curve.time[0] + 1e-3)
    if time > curve.time[-1] and max(curve.before, curve.after) >= Extrapolation.CYCLE:
        return
    more = insert_key(curve, time)
    assert time in more.time
    fits = (curve.tangent[:, :, 0] < 0.6 * np.diff(curve.time).min(initial=1)).all()
    assert len(more) == len(curve) + 1 or not fits
    assert_same_shape(more, curve)


@examples(24, 60)
@given(seeds, st.floats(0.01, 5), st.booleans())
def test_a_key_beyond_the_others_leaves_the_curve_unchanged(
    seed: int, away: float, late: bool
) -> None:
    curve = replace(random_curve(seed), before=Extrapolation.LINEAR, after=Extrapolation.HOLD)
    more = insert_key(curve, curve.time[-1] + away if late else curve.time[0] - away)
    assert_same_shape(more, curve)


def test_a_key_beyond_a_cycle_is_refused() -> None:
    curve = keyed([0, 1], [0, 1], after=Extrapolation.CYCLE)
    for time in (1.5, -0.5):
        with pytest.raises(BadValue, match="cyclic"):
            insert_key(curve, time)


def test_a_key_where_there_is_one_changes_nothing() -> None:
    curve = keyed([0, 1, 2], [0, 1, 0])
    assert insert_key(curve, 1.0) is curve


def test_removing_an_inserted_key_of_a_free_curve_keeps_the_other_keys() -> None:
    curve = random_curve(4, keys=5)
    back = remove_key(insert_key(curve, curve.time[1] + 0.01), 2)
    np.testing.assert_array_equal(back.time, curve.time)
    np.testing.assert_array_equal(back.value, curve.value)


def test_the_last_key_cannot_be_removed() -> None:
    with pytest.raises(BadValue, match="two or more"):
        remove_key(keyed([0], [1]), 0)
    with pytest.raises(BadValue, match="key"):
        remove_key(keyed([0, 1], [1, 2]), 2)


def test_a_moved_key_takes_its_free_handles_along_and_may_pass_others() -> None:
    curve = random_curve(9, keys=4)
    moved = move_key(curve, 1, time=float(curve.time[2] + 0.01), value=7.0)
    assert moved.value[2] == 7.0
    np.testing.assert_array_equal(moved.tangent[2], curve.tangent[1])
    with pytest.raises(BadValue, match="two keys at"):
        move_key(curve, 1, time=float(curve.time[2]))


def test_auto_handles_follow_a_moved_key() -> None:
    curve = keyed([0, 1, 2, 3], [0, 1, 2, 0])
    assert same(move_key(curve, 2, value=3.0), keyed([0, 1, 2, 3], [0, 1, 3, 0]))


def test_retiming_the_whole_curve_stretches_it() -> None:
    curve = random_curve(11, keys=5, modes=(0, 1, 2))
    slow = retime(curve, scale=2.0, shift=0.5, pivot=1.0)
    inside = np.linspace(curve.time[0], curve.time[-1], 70)[1:-1]
    np.testing.assert_allclose(
        evaluate_curve(slow, 1 + 2 * (inside - 1) + 0.5), evaluate_curve(curve, inside), atol=1e-7
    )


def test_some_keys_can_be_retimed_and_must_not_meet_others() -> None:
    curve = keyed([0, 1, 2, 3], [0, 1, 2, 0])
    np.testing.assert_allclose(retime(curve, shift=0.5, keys=[2, 3]).time, [0, 1, 2.5, 3.5])
    with pytest.raises(BadValue, match="two keys"):
        retime(curve, shift=1.0, keys=[1])
    with pytest.raises(BadValue, match="above 0"):
        retime(curve, scale=0.0)


def test_free_handles_stay_as_they_are() -> None:
    curve = keyed([0, 1, 2], [0, 1, 0], Handle.FREE)
    np.testing.assert_allclose(curve.tangent[1], [[1 / 3, 1 / 3], [1 / 3, -1 / 3]])
