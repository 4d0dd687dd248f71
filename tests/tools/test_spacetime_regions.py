"""Regions to stay in or out of: their surfaces, and motions that keep to them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arcwright.errors import BadValue
from arcwright.kinematics.regions import Region
from arcwright.scene.constraint import Stay
from arcwright.scene.point import Point
from arcwright.scene.region import Ball, Box, Cylinder, HalfSpace
from chains import TIP, chain_scene, place
from spacetime_edits import dragged, walking

REGIONS = (
    Region(HalfSpace([0.1, -0.2, 0], [1, 2, -1])),
    Region(Ball([0.1, 0.2, 0.3], 0.8)),
    Region(Box([-1, -0.5, -0.4], [0.6, 0.9, 1.2])),
    Region(Cylinder([-0.5, -0.2, 0.1], [0.4, 0.9, -0.2], 0.6)),
)
vectors = arrays(float, 3, elements=st.floats(-2, 2))


@settings(max_examples=60)
@given(vectors, st.sampled_from(REGIONS))
def test_the_way_out_of_a_region_is_its_steepest_one(at, region):
    far, way = (each[0] for each in region.outside(at[None]))
    step = 1e-6
    slope = [
        (region.outside((at + step * axis)[None])[0] - region.outside((at - step * axis)[None])[0])
        for axis in np.eye(3)
    ]
    assert np.linalg.norm(way) == pytest.approx(1, abs=1e-9)
    rough = np.concatenate(slope) / (2 * step)
    if np.linalg.norm(rough) == pytest.approx(1, abs=1e-4):  # not on an edge or a middle
        assert way == pytest.approx(rough, abs=1e-3)
    assert region.outside((at + (0.01 - far) * way)[None])[0][0] > 0


INNER = ([-0.4, -1.2, 0.5], [0.1, 0.2, 0.3], [-0.2, 0.2, 0.4], [-0.05, 0.35, -0.05])
ways = st.sampled_from(list(np.random.default_rng(0).normal(size=(40, 3))))


@settings(max_examples=60)
@given(vectors, ways, st.integers(0, 3))
def test_a_way_leads_to_the_surface_and_its_length_changes_as_told(off, way, which):
    region, at = REGIONS[which], np.array(INNER[which]) + 0.15 * off
    unit, step = (way / np.linalg.norm(way))[None], 1e-6
    far, slope = region.leave(at[None], unit)
    if not np.isfinite(far[0]):
        return
    assert region.outside(at + far[:, None] * unit)[0][0] == pytest.approx(0, abs=1e-7)
    for axis, told in zip(np.eye(3), slope[0], strict=True):
        ahead, behind = (region.leave((at + s * axis)[None], unit)[0][0] for s in (step, -step))
        sides = (far[0] - ahead) / step, (behind - far[0]) / step
        if sides[0] == pytest.approx(sides[1], abs=1e-2):  # not at an edge
            assert told == pytest.approx(sum(sides) / 2, abs=1e-2)


@settings(max_examples=30)
@given(vectors, st.sampled_from(REGIONS[1:]))
def test_inside_and_outside_are_told_apart(at, region):
    away = region.outside(at[None])[0][0]
    inside = {
        Ball: lambda r: np.linalg.norm(at - r.middle) < r.radius,
        Box: lambda r: ((at > r.low) & (at < r.high)).all(),
        Cylinder: lambda r: _in_cylinder(at, r),
    }[type(region.walls)](region.walls)
    assert inside == (away < 0) or abs(away) < 1e-9


def _in_cylinder(at, region):
    line = region.end - region.start
    share = (at - region.start) @ line / (line @ line)
    across = np.linalg.norm(at - region.start - share * line)
    return 0 < share < 1 and across < region.radius


def test_a_foot_steps_over_a_box_in_its_way():
    scene = walking()
    toe, times = Point("LeftToes"), np.linspace(0.5, 1.0, 97)
    middle = place(scene, toe, 0.7)[0]
    obstacle = Box(middle - [0.2, 0.3, 0.05], middle + [0.2, 0.05, 0.05])
    after, _ = dragged(
        scene, Point("Head"), 0.4, [0, 0.002, 0], more=(Stay(toe, 0, 1, obstacle),), spacing=0.05
    )
    was, now = (
        Region(obstacle).outside(place(each, toe, times))[0].min() for each in (scene, after)
    )
    assert was < -0.03
    assert now > -6e-3


def test_a_hand_stays_in_a_ball():
    scene = walking()
    hand, times = Point("LeftHand"), np.linspace(0, 1, 25)
    hips = place(scene, hand, times).mean(axis=0)
    ball = Ball(hips, 0.6)
    free, _ = dragged(scene, hand, 0.5, [0, 0.1, 0.1], find_plants=False)
    held, _ = dragged(
        scene, hand, 0.5, [0, 0.1, 0.1], find_plants=False, more=(Stay(hand, 0, 1, ball, True),)
    )
    before, after = (
        Region(ball).outside(place(each, hand, times))[0].max() for each in (free, held)
    )
    assert before > 0.05
    assert after < 6e-3


def test_a_region_that_is_not_entered_changes_nothing():
    scene = chain_scene()
    far = Stay(TIP, 0, 2, Ball([50, 0, 0], 1))
    plain, _ = dragged(scene, TIP, 0.5, [0.1, 0, 0])
    same, _ = dragged(scene, TIP, 0.5, [0.1, 0, 0], more=(far,))
    times = np.linspace(0, 2, 21)
    assert place(plain, TIP, times) == pytest.approx(place(same, TIP, times), abs=1e-6)


@pytest.mark.parametrize("bad", [(Ball, [0, 0, 0], 0), (Box, [0, 0, 0], [1, 0, 1]),
                                 (HalfSpace, [0, 0, 0], [0, 0, 0]),
                                 (Cylinder, [0, 0, 0], [0, 0, 0], 1)])  # fmt: skip
def test_regions_without_size_are_refused(bad):
    with pytest.raises(BadValue):
        bad[0](*bad[1:])
