"""A change of some frames of a loop, spread over the frames around them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.errors import BadValue
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.tools.cycle.shaping.space_edit import Falloff, moved, rotated, scaled, spread
from random_cases import examples

REACHES = [1.0, 2.5, 8.0, 20.0, 40.0, 130.0]
SHARPNESS = [None, 0.0, 1e-5, 0.01, 1.0, 30.0]


@st.composite
def changed(draw: st.DrawFn) -> tuple[int, dict[int, list[float]], Falloff]:
    """Frames, changes of one to all of them, and a falloff from one frame to many periods."""
    frames = draw(st.integers(1, 40))
    chosen = draw(st.lists(st.integers(0, frames - 1), unique=True, min_size=1))
    vector = st.lists(st.floats(-2, 2), min_size=3, max_size=3)
    falloff = Falloff(draw(st.floats(0.1, 200)), draw(st.none() | st.floats(0, 50)))
    return frames, {frame: draw(vector) for frame in chosen}, falloff


@examples(200, 4000)
@given(changed())
def test_changed_frames_are_met_and_no_other_moves_more(
    case: tuple[int, dict[int, list[float]], Falloff],
) -> None:
    frames, changes, falloff = case
    found = spread(frames, changes, falloff)
    wanted = np.array([*changes.values()])
    assert np.array_equal(found[[*changes]], wanted)
    assert (found <= np.maximum(wanted.max(axis=0), 0) + 1e-12).all()
    assert (found >= np.minimum(wanted.min(axis=0), 0) - 1e-12).all()


@examples(100, 1000)
@given(changed())
def test_nothing_changes_outside_the_reach(
    case: tuple[int, dict[int, list[float]], Falloff],
) -> None:
    frames, changes, falloff = case
    found = spread(frames, changes, falloff)
    apart = np.abs(np.arange(frames)[:, None] - np.array([*changes]))
    outside = np.minimum(apart, frames - apart).min(axis=1) >= falloff.reach
    assert not found[outside].any()


@examples(50, 500)
@given(changed(), st.integers(0, 39))
def test_the_seam_of_the_loop_makes_no_difference(
    case: tuple[int, dict[int, list[float]], Falloff], turn: int
) -> None:
    frames, changes, falloff = case
    turned = {(frame + turn) % frames: change for frame, change in changes.items()}
    found = np.roll(spread(frames, turned, falloff), -turn, axis=0)
    assert found == pytest.approx(spread(frames, changes, falloff), abs=1e-12)


@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize("sharpness", SHARPNESS)
def test_a_falloff_goes_from_one_to_nothing_without_a_corner(
    reach: float, sharpness: float | None
) -> None:
    falloff = Falloff(reach, sharpness)
    distance = np.linspace(0, reach, 2001)
    left = falloff.at(distance)
    assert left[0] == pytest.approx(1.0)
    assert left[-1] == 0
    assert (np.diff(left) <= 1e-9).all()
    # Value and slope vanish at the end: what is left grows with the square of the way to it.
    near = distance > 0.9 * reach
    assert (left[near] <= 4 * np.square(1 - distance[near] / reach) + 1e-9).all()
    assert left[distance < 1e-3 * reach].min() > (0.9 if (sharpness or 0) < 1 else 0.5)


def test_the_default_falloff_is_the_published_one_within_six_hundredths() -> None:
    distance = np.linspace(-12, 12, 241)
    published = np.exp(-np.log(100) / 12**2 * distance**2)
    assert np.abs(Falloff(12).at(distance) - published).max() < 0.06


def test_frames_moved_apart_do_not_throw_those_around_them() -> None:
    found = spread(120, {60: [1.0], 61: [-1.0]}, Falloff(60))
    assert np.abs(found).max() == 1.0


def test_displacements_between_equal_ones_keep_their_size() -> None:
    found = spread(60, {20: [1.0], 26: [1.0]}, Falloff(12))
    assert found[20:27].min() > 0.9


def test_overlapping_displacements_change_smoothly() -> None:
    found = spread(240, {100: [1.0], 130: [-0.5], 139: [0.8]}, Falloff(60))[:, 0]
    assert np.abs(np.diff(found, 2)).max() < 0.12


def test_a_reach_of_many_periods_moves_the_whole_loop() -> None:
    loop = np.zeros((24, 3))
    assert moved(loop, {5: [1.0, 2.0, 3.0]}, Falloff(400)) == pytest.approx(
        np.tile([1.0, 2.0, 3.0], (24, 1)), abs=1e-3
    )


@pytest.mark.parametrize("local", [False, True])
def test_rotations_are_rotated_further_in_the_given_frame(local: bool) -> None:
    rng = np.random.default_rng(3)
    loop = quaternion_from_vector(rng.normal(size=(30, 3)))
    changes = {2: [0.3, -0.2, 0.9], 28: [-0.5, 0.1, 0.0]}
    found = rotated(loop, changes, Falloff(9), local=local)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0)
    back = quaternion_conjugate(loop)
    further = quaternion_multiply(back, found) if local else quaternion_multiply(found, back)
    for frame, change in changes.items():
        assert vector_from_quaternion(further[frame]) == pytest.approx(change)
    assert np.array_equal(found[11:20], loop[11:20])


def test_a_single_rotation_fades_as_the_same_rotation_by_less() -> None:
    loop = np.tile([1.0, 0.0, 0.0, 0.0], (20, 1))
    axis = np.array([0.6, 0.0, 0.8])
    found = vector_from_quaternion(rotated(loop, {4: 2.0 * axis}, Falloff(6)))
    assert found == pytest.approx(np.outer(2.0 * Falloff(6).over(20, 4), axis))


def test_scales_are_multiplied_by_powers() -> None:
    loop = np.full((20, 3), 2.0)
    found = scaled(loop, {0: [2.0, 1.0, 0.25]}, Falloff(5))
    left = Falloff(5).over(20, 0)[:, None]
    assert found == pytest.approx(2.0 * np.array([2.0, 1.0, 0.25]) ** left)
    assert found[0] == pytest.approx([4.0, 2.0, 0.5])


def test_the_sharpest_falloff_moves_one_frame() -> None:
    found = spread(9, {4: [1.0]}, Falloff(5, 1e308))[:, 0]
    assert np.array_equal(found, np.arange(9) == 4)


def test_bad_changes_are_refused() -> None:
    falloff = Falloff(4)
    for bad in ({}, {20: [0.0]}, {-1: [0.0]}, {3: [np.nan]}, {3: [0.0], 4: [0.0, 1.0]}):
        with pytest.raises(BadValue):
            spread(20, bad, falloff)
    for factor in (0.0, -1.0, np.nan):
        with pytest.raises(BadValue):
            scaled(np.ones((20, 1)), {3: [factor]}, falloff)
    for reach, sharpness in (
        (0.0, None),
        (np.nan, None),
        (1e9, None),
        (3.0, -1.0),
        (3.0, np.nan),
    ):
        with pytest.raises(BadValue):
            Falloff(reach, sharpness)
