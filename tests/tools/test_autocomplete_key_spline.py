"""The base interpolation through partial keys, and the window that keeps them exact."""

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated, window

NAN = np.nan


def random_keys(seed, count=9, channels=6):
    draw = np.random.default_rng(seed)
    times = np.cumsum(draw.uniform(0.05, 0.6, count)) - 1
    known = draw.random((count, channels)) < 0.6
    slopes = np.where(
        draw.random((count, channels)) < 0.2, draw.normal(size=(count, channels)), NAN
    )
    return KeyedValues(times, draw.normal(size=(count, channels)), known, slopes)


@pytest.mark.parametrize("seed", range(20))
def test_known_keys_are_hit_exactly_whatever_the_residual_is(seed):
    keys = random_keys(seed)
    for open_ends in (False, True):
        residual = np.random.default_rng(seed).normal(size=keys.values.shape) * 1e6
        factor = window(keys, keys.times, open_ends=open_ends)
        answer = interpolated(keys, keys.times) + factor * residual
        np.testing.assert_array_equal(answer[keys.known], keys.values[keys.known])


def test_interpolation_neither_overshoots_nor_turns_between_keys():
    keys = KeyedValues(np.arange(6.0), np.array([[0], [1], [1.2], [4], [4], [3]]))
    values = interpolated(keys, np.linspace(0, 5, 501))[:, 0]
    assert values.min() >= 0
    assert values.max() <= 4
    assert (np.diff(values[:301]) >= -1e-12).all()
    np.testing.assert_allclose(values[300:401], 4)


def test_two_keys_run_straight_and_ends_are_held():
    keys = KeyedValues([0, 2], [[0], [1]])
    np.testing.assert_allclose(interpolated(keys, [-1, 0, 0.5, 2, 9])[:, 0], [0, 0, 0.25, 1, 1])


def test_given_slopes_are_respected_on_both_sides_of_a_key():
    keys = KeyedValues([0, 1, 2], [[0], [1], [0]], slopes=[[NAN], [2.5], [NAN]])
    step = 1e-6
    before, at, after = interpolated(keys, [1 - step, 1, 1 + step])[:, 0]
    np.testing.assert_allclose([(at - before) / step, (after - at) / step], 2.5, rtol=1e-4)


def test_channels_keep_keys_of_their_own():
    known = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 0]], bool)
    keys = KeyedValues(
        [0, 1, 2], [[0, 5, NAN], [NAN, 7, NAN], [2, NAN, NAN]], known, rest=[0, 0, 9]
    )
    np.testing.assert_allclose(
        interpolated(keys, [0, 1, 2]), [[0, 5, 9], [1, 7, 9], [2, 7, 9]], atol=1e-12
    )


def test_window_is_one_in_the_middle_of_a_gap_and_zero_at_and_outside_keys():
    keys = KeyedValues([0, 2, 3], np.zeros((3, 1)))
    factors = window(keys, [-1, 0, 1, 2, 2.5, 3, 4])[:, 0]
    np.testing.assert_array_equal(factors, [0, 0, 1, 0, 1, 0, 0])


def test_window_has_a_bounded_slope_at_keys():
    keys = KeyedValues([0, 2], np.zeros((2, 1)))
    step = 1e-6
    np.testing.assert_allclose(window(keys, [step])[0, 0] / step, 2, rtol=1e-4)


def test_an_open_window_reaches_to_the_first_and_last_key_of_any_channel():
    known = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0]], bool)
    keys = KeyedValues([0, 1, 3], np.zeros((3, 3)), known)
    factors = window(keys, [-0.1, 0, 0.5, 1, 2, 3, 3.1], open_ends=True)
    np.testing.assert_allclose(factors[:, 1], [0, 1, 0.75, 0, 0.75, 1, 0])
    np.testing.assert_allclose(factors[:, 2], [0, 1, 1, 1, 1, 1, 0])


@pytest.mark.parametrize(
    ("times", "values", "known"),
    [
        ([0, 0], [[1], [2]], None),
        ([1, 0], [[1], [2]], None),
        ([0, 1], [[1]], None),
        ([0, 1], [[1], [NAN]], None),
        ([0, NAN], [[1], [2]], None),
        ([0, 1], [[1], [2]], [[True]]),
    ],
)
def test_bad_keys_are_refused(times, values, known):
    with pytest.raises(BadValue):
        KeyedValues(times, values, known)
