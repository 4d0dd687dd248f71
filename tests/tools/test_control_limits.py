"""Control limits: handles have all the room that joint limits leave, and no more."""

import numpy as np
import pytest

from arcwright.tools.tangent.control_limits import highest_control, value_ranges


def values(first, second, control):
    """Of a curve between two keys with both inner control points at one height."""
    at = np.linspace(0, 1, 4001)[:, None]
    return first * (1 - at) ** 3 + 3 * control * at * (1 - at) + second * at**3


@pytest.mark.parametrize("room", [1e-6, 1e-2, 1.0, 30.0])
def test_curves_with_their_control_points_at_the_limit_touch_the_joint_limit(room):
    random = np.random.default_rng(0)
    keys = random.uniform(-1, 1, (200, 2))
    limit = keys.max(axis=1) + room * random.uniform(0.1, 1, 200)
    most = values(*keys.T, highest_control(keys, limit)).max(axis=0)
    assert (most <= limit + 1e-12).all()
    assert (most >= limit - 1e-6 * (limit - keys.min(axis=1))).all()


def test_keys_of_one_height_leave_four_thirds_of_their_room():
    low, high = value_ranges(np.array([[0.2, 0.2]]), np.array([-1.0]), np.array([0.8]))
    assert high == pytest.approx([4 / 3 * 0.6, 4 / 3 * 1.2])
    assert low == pytest.approx([-4 / 3 * 1.2, -4 / 3 * 0.6])


def test_the_handle_of_a_key_inside_has_room_beside_a_key_at_the_limit():
    low, high = value_ranges(np.array([[0.0, 1.0]]), np.array([-9.0]), np.array([1.0]))
    assert high[0] == pytest.approx(1.0)
    assert low[1] == pytest.approx(0.0)  # no higher than the limit: the curve could not come back


def test_channels_without_limits_are_free():
    low, high = value_ranges(np.zeros((1, 2)), np.array([-np.inf]), np.array([np.inf]))
    assert np.isinf([*low, *high]).all()


def test_keys_beyond_a_limit_have_no_room_towards_it():
    low, high = value_ranges(np.array([[1.5, 0.0]]), np.array([-1.0]), np.array([1.0]))
    assert high[0] < 0
    assert np.isfinite([*low, *high]).all()
