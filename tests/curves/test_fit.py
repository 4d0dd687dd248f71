import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.fit import fit_curve, fit_motion, fit_rows
from arcwright.curves.keys import keyed
from arcwright.curves.segments import Samples
from arcwright.errors import BadValue
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from plain import random_curve, seeds

TIME = np.arange(200) / 30
NO_QUATERNIONS = np.zeros((0, 4), np.int64)


def rig_of(kinds: list[Kind], mode: str = "ZYX") -> Rig:
    table = ChannelTable.of([0] * len(kinds), kinds)
    return Rig(("a",), [-1], np.zeros((1, 3)), [[1, 0, 0, 0]], np.ones((1, 3)), (mode,), table)


def wander(seed: int, rows: int = 1) -> np.ndarray:
    """(T, rows) smooth random values with a little noise."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(len(TIME), rows)).cumsum(axis=0)
    width = np.hanning(25) / np.hanning(25).sum()
    smooth = np.stack([np.convolve(row, width, "same") for row in steps.T], axis=-1)
    return smooth + rng.normal(0, 1e-3, smooth.shape)


@settings(max_examples=40)
@given(seeds, st.floats(1e-4, 1))
def test_every_sample_is_within_the_tolerance(seed: int, tolerance: float) -> None:
    values = wander(seed)[:, 0]
    curve = fit_curve(TIME, values, tolerance)
    assert abs(evaluate_curve(curve, TIME) - values).max() <= tolerance * (1 + 1e-9)


@settings(max_examples=30)
@given(seeds)
def test_keys_sit_on_samples_and_handles_at_one_third(seed: int) -> None:
    curve = fit_curve(TIME, wander(seed)[:, 0], 0.05)
    assert np.isin(curve.time, TIME).all()
    np.testing.assert_allclose(curve.tangent[:-1, 1, 0] * 3, np.diff(curve.time), rtol=1e-12)
    np.testing.assert_allclose(curve.tangent[1:, 0, 0] * 3, np.diff(curve.time), rtol=1e-12)


def test_uneven_times_are_met_too() -> None:
    rng = np.random.default_rng(2)
    time = np.cumsum(rng.uniform(0.01, 0.2, 150))
    values = np.sin(time) + 0.3 * np.sin(5 * time)
    curve = fit_curve(time, values, 0.01)
    assert len(curve) < 60
    assert abs(evaluate_curve(curve, time) - values).max() <= 0.01


def test_samples_of_a_keyed_curve_come_back_as_about_as_many_keys() -> None:
    old = keyed([0, 1, 2, 3.5, 5, 6], [0, 2, 1, 4, 4, 0])
    curve = fit_curve(TIME[:181], evaluate_curve(old, TIME[:181]), 1e-4)
    assert len(curve) <= len(old) + 1


def test_a_looser_tolerance_needs_no_more_keys() -> None:
    values = wander(8)[:, 0]
    counts = [len(fit_curve(TIME, values, tolerance)) for tolerance in (0.01, 0.05, 0.2, 1, 50)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_one_and_two_samples_can_be_fitted() -> None:
    assert len(fit_curve([1.0], [2.0], 0.1)) == 1
    two = fit_curve([1.0, 2.0], [2.0, 5.0], 0.1)
    np.testing.assert_array_equal(two.value, [2, 5])


@pytest.mark.parametrize(
    ("time", "value", "tolerance"),
    [([0, 1], [0], 0.1), ([1, 0], [0, 1], 0.1), ([0, 1], [0, 1], 0), ([0], [np.nan], 1)],
)
def test_bad_samples_are_refused(time: list[float], value: list[float], tolerance: float) -> None:
    with pytest.raises(BadValue):
        fit_curve(time, value, tolerance)


def test_a_fit_states_its_keys_and_its_error() -> None:
    kinds = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z]
    values = wander(3, 3)
    values[:, 1] = 4.0
    fit = fit_motion(Motion("walk", TIME, values, 30.0), rig_of(kinds), [0.01, 0.01, 0.1])
    assert fit.keys_before == 600
    assert fit.keys_after == sum(len(curve) for curve in fit.clip.curves) < 200
    assert (fit.error <= [0.01, 1e-15, 0.1]).all()
    assert len(fit.clip.curves[1]) == 1
    assert fit.clip.duration == TIME[-1]
    for curve, column in zip(fit.clip.curves, values.T, strict=True):
        assert abs(evaluate_curve(curve, TIME) - column).max() <= 0.1


def test_the_four_parts_of_a_quaternion_are_keyed_together_and_keep_their_side() -> None:
    turn = np.stack([TIME, np.sin(TIME), np.cos(2 * TIME)], axis=-1)
    size = np.linalg.norm(turn, axis=1, keepdims=True)
    q = np.concatenate([np.cos(size / 2), np.sin(size / 2) * turn / size], axis=1)
    q[::7] *= -1
    kinds = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
    fit = fit_motion(Motion("turn", TIME, q), rig_of(kinds, "quaternion"), 1e-3)
    times = [curve.time for curve in fit.clip.curves]
    assert all(same(time, times[0]) for time in times)
    assert fit.keys_after < 200
    made = np.stack([evaluate_curve(curve, TIME) for curve in fit.clip.curves], axis=-1)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    assert (abs((made * q).sum(axis=1)) > 1 - 1e-5).all()


def test_angles_that_wrap_are_unwrapped() -> None:
    values = np.mod(TIME[:, None] * 2 + np.pi, 2 * np.pi) - np.pi
    fit = fit_motion(Motion("spin", TIME, values), rig_of([Kind.ROTATE_Y]), 1e-3)
    assert fit.keys_after == 2


def test_known_curves_are_cut_anew_only_where_they_fail() -> None:
    values = wander(6)[None, :, 0].copy()
    loose = Samples(TIME, values, np.full(values.shape, 0.2))
    old = fit_rows(loose, NO_QUATERNIONS)
    assert same(fit_rows(loose, NO_QUATERNIONS, old)[0], old[0])
    tight = loose.tolerance.copy()
    tight[:, 100:110] = 0.01
    new = fit_rows(Samples(TIME, values, tight), NO_QUATERNIONS, old)[0]
    assert (abs(evaluate_curve(new, TIME) - values[0]) <= tight[0] * (1 + 1e-9)).all()
    early = old[0].time < TIME[100]
    kept = int(early.sum()) - 1
    np.testing.assert_array_equal(new.time[:kept], old[0].time[:kept])
    assert len(new) > len(old[0])


def test_a_motion_of_another_rig_is_refused() -> None:
    with pytest.raises(BadValue, match="1 channels"):
        fit_motion(Motion("x", TIME, wander(1, 2)), rig_of([Kind.ROTATE_Y]), 1.0)


def test_a_random_curve_is_followed_between_its_steps() -> None:
    old = random_curve(21, keys=6, modes=(0,))
    time = np.linspace(old.time[0], old.time[-1], 300)
    curve = fit_curve(time, evaluate_curve(old, time), 0.02)
    assert abs(evaluate_curve(curve, time) - evaluate_curve(old, time)).max() <= 0.02 + 1e-12
