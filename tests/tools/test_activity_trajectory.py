"""Trajectories between displaced events."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.tools.activity.trajectory import (
    additive,
    arc_length,
    blended_between,
    deformed,
    rotation_between,
)

BOTH = pytest.mark.parametrize("deform", [deformed, additive])
numbers = st.floats(-0.6, 0.6)
moves = st.tuples(numbers, numbers, numbers)


def reach(count=30, rest=10):
    """Out along an arc, a rest, and back."""
    share = np.linspace(0, 1, count + 1)
    along = share**2 * (3 - 2 * share)
    out = np.stack([along, 0.2 * np.sin(np.pi * along), 0 * along], axis=1)
    return np.concatenate([out, np.repeat(out[-1:], rest, axis=0), out[::-1]])


KNOTS = np.array([0, 30, 40, 71])


def displaced(by):
    return np.array([np.zeros(3), by, by, np.zeros(3)], float)


@BOTH
@given(by=moves)
def test_knots_are_met_exactly_and_ends_stay(deform, by):
    path = reach()
    found = deform(path, KNOTS, displaced(by))
    np.testing.assert_allclose(found[KNOTS], path[KNOTS] + displaced(by), atol=1e-12)


@BOTH
@given(by=moves)
def test_rests_stay_rests(deform, by):
    found = deform(reach(), KNOTS, displaced(by))
    assert np.ptp(found[30:41], axis=0).max() < 1e-12


@given(by=moves)
def test_speed_keeps_its_profile_where_the_chord_changes_by_less_than_twice(by):
    path = reach()
    found = deformed(path, KNOTS, displaced(by))
    chord = np.linalg.norm(path[30] + by)
    if not 0.5 <= chord <= 2:
        return
    speeds = [np.linalg.norm(np.diff(each[:31], axis=0), axis=1) for each in (path, found)]
    shares = [each / each.sum() for each in speeds]
    assert np.corrcoef(*shares)[0, 1] > 0.99


def test_an_arc_turns_with_its_chord():
    """Aimed to the other side, an arc bends to the other side; added displacements do not."""
    path, by = reach(), np.array([-1.0, 0.0, 1.0])  # from along x to along z
    found = deformed(path, KNOTS, displaced(by))[15]
    np.testing.assert_allclose(found[1], path[15, 1], atol=0.01)
    assert abs(found[0]) < 0.05


def test_the_published_method_adds_displacements_by_centripetal_parameters():
    path, by = reach(), np.array([0.1, 0.2, -0.3])
    found = additive(path, KNOTS, displaced(by)) - path
    roots = np.sqrt(np.linalg.norm(np.diff(path[:31], axis=0), axis=1))
    t = np.concatenate([[0], np.cumsum(roots)]) / roots.sum()
    np.testing.assert_allclose(found[:31], np.outer(t**2 * (3 - 2 * t), by), atol=1e-12)


def test_velocity_is_continuous_where_a_path_passes_an_event():
    share = np.linspace(0, 1, 401)
    path = np.stack([share, 0.3 * np.sin(3 * share), 0 * share], axis=1)
    knots, by = np.array([0, 200, 400]), np.array([[0, 0, 0], [0, 0.2, 0.1], [0, 0, 0]])
    found = deformed(path, knots, by)
    steps = np.diff(found, axis=0)
    jump = np.linalg.norm(steps[200] - steps[199]) / np.linalg.norm(steps[199])
    assert jump < 0.1


def test_a_standstill_can_be_displaced():
    path = np.zeros((20, 3))
    found = deformed(path, np.array([0, 10, 19]), displaced([0.1, 0, 0])[[0, 1, 3]])
    assert np.isfinite(found).all()
    assert found[10, 0] == pytest.approx(0.1)


@given(one=moves, other=moves)
def test_rotations_between_directions_take_one_to_the_other(one, other):
    old, new = np.array(one), np.array(other)
    if min(np.linalg.norm(old), np.linalg.norm(new)) < 1e-3:
        return
    from arcwright.kinematics.rotation import matrix_from_vector

    turned = matrix_from_vector(rotation_between(old, new)[None])[0] @ old
    np.testing.assert_allclose(turned / np.linalg.norm(old), new / np.linalg.norm(new), atol=1e-6)


def test_values_between_knots_stand_still_with_the_element():
    path = reach()
    found = blended_between(path, KNOTS, np.array([[0.0], [1.0], [1.0], [0.0]]))
    assert np.ptp(found[30:41]) == 0
    assert arc_length(path)[-1] == pytest.approx(1)


def test_a_piece_without_an_edit_keeps_its_form_beside_one_that_changes():
    share = np.linspace(0, 1, 121)
    path = np.stack([share, 0.3 * np.sin(3 * share), 0 * share], axis=1)
    knots, by = np.array([0, 40, 80, 120]), np.array([[0.3, 0.2, 0.1], [0, 0, 0], [0, 0, 0]])
    found = deformed(path, knots, np.array([*by, [0, 0, 0]]))
    np.testing.assert_allclose(found[40:], path[40:], atol=1e-9)
    steps = np.linalg.norm(np.diff(found, axis=0), axis=1)
    assert abs(steps[39] / steps[40] - 1) < 0.1


@pytest.mark.parametrize("by", [(0.3, 0.5, 0.2), (0.4, 0.2, 0.6), (-0.2, 0.3, -0.4)])
def test_speed_keeps_its_profile_beside_an_event_that_is_passed(by):
    share = np.linspace(0, 1, 41)
    along = share + 0.12 * np.sin(2 * np.pi * share)  # faster at the ends, slower in the middle
    path = np.stack([along, 0.2 * np.sin(np.pi * along), 0 * along], axis=1)
    found = deformed(path, np.array([0, 12, 40]), np.array([np.zeros(3), by, np.zeros(3)]))
    for piece in (slice(0, 13), slice(12, 41)):
        speeds = [np.linalg.norm(np.diff(each[piece], axis=0), axis=1) for each in (path, found)]
        assert np.corrcoef(*speeds)[0, 1] > 0.99
