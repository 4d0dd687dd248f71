"""Regions to stay in or out of: their surfaces, and motions that keep to them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arcwright import read
from arcwright.errors import BadValue
from arcwright.kinematics.regions import RegionDistance
from arcwright.scene.constraint import RegionConstraint
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import TIP, chain_scene, place
from random_cases import examples
from spacetime_edits import dragged, walking

REGIONS = (
    RegionDistance(HalfSpace([0.1, -0.2, 0], [1, 2, -1])),
    RegionDistance(Sphere([0.1, 0.2, 0.3], 0.8)),
    RegionDistance(Box([-1, -0.5, -0.4], [0.6, 0.9, 1.2])),
    RegionDistance(Cylinder([-0.5, -0.2, 0.1], [0.4, 0.9, -0.2], 0.6)),
)
vectors = arrays(float, 3, elements=st.floats(-2, 2))


@examples(24, 60)
@given(vectors, st.sampled_from(REGIONS))
def test_the_gradient_of_a_region_distance_matches_finite_differences(at, region):
    far, way = (each[0] for each in region.signed(at[None]))
    step = 1e-6
    slope = [
        (region.signed((at + step * axis)[None])[0] - region.signed((at - step * axis)[None])[0])
        for axis in np.eye(3)
    ]
    assert np.linalg.norm(way) == pytest.approx(1, abs=1e-9)
    rough = np.concatenate(slope) / (2 * step)
    if np.linalg.norm(rough) == pytest.approx(1, abs=1e-4):  # not on an edge or a middle
        assert way == pytest.approx(rough, abs=1e-3)
    assert region.signed((at + (0.01 - far) * way)[None])[0][0] > 0


INNER = ([-0.4, -1.2, 0.5], [0.1, 0.2, 0.3], [-0.2, 0.2, 0.4], [-0.05, 0.35, -0.05])
ways = st.sampled_from(list(np.random.default_rng(0).normal(size=(40, 3))))


@examples(24, 60)
@given(vectors, ways, st.integers(0, 3))
def test_the_distance_along_a_direction_leads_to_the_surface_with_its_gradient(off, way, which):
    region, at = REGIONS[which], np.array(INNER[which]) + 0.15 * off
    unit, step = (way / np.linalg.norm(way))[None], 1e-6
    far, slope = region.along(at[None], unit)
    if not np.isfinite(far[0]):
        return
    assert region.signed(at + far[:, None] * unit)[0][0] == pytest.approx(0, abs=1e-7)
    for axis, gradient in zip(np.eye(3), slope[0], strict=True):
        ahead, behind = (region.along((at + s * axis)[None], unit)[0][0] for s in (step, -step))
        sides = (far[0] - ahead) / step, (behind - far[0]) / step
        if sides[0] == pytest.approx(sides[1], abs=1e-2):  # not at an edge
            assert gradient == pytest.approx(sum(sides) / 2, abs=1e-2)


@examples(12, 30)
@given(vectors, st.sampled_from(REGIONS[1:]))
def test_the_sign_of_a_region_distance_is_negative_inside(at, region):
    away = region.signed(at[None])[0][0]
    inside = {
        Sphere: lambda r: np.linalg.norm(at - r.center) < r.radius,
        Box: lambda r: ((at > r.low) & (at < r.high)).all(),
        Cylinder: lambda r: _in_cylinder(at, r),
    }[type(region.region)](region.region)
    assert inside == (away < 0) or abs(away) < 1e-9


def _in_cylinder(at, region):
    line = region.end - region.start
    share = (at - region.start) @ line / (line @ line)
    across = np.linalg.norm(at - region.start - share * line)
    return 0 < share < 1 and across < region.radius


def test_a_foot_steps_over_a_box_in_its_path():
    scene = walking()
    toe, times = Point("LeftToes"), np.linspace(0.5, 1.0, 97)
    middle = place(scene, toe, 0.7)[0]
    obstacle = Box(middle - [0.2, 0.3, 0.05], middle + [0.2, 0.05, 0.05])
    after, _ = dragged(
        scene,
        Point("Head"),
        0.4,
        [0, 0.002, 0],
        more=(RegionConstraint(toe, 0, 1, obstacle),),
        knot_spacing=0.05,
    )
    was, now = (
        RegionDistance(obstacle).signed(place(each, toe, times))[0].min() for each in (scene, after)
    )
    assert was < -0.03
    assert now > -8e-3  # between frames; at frames it is out
    frames = after.characters[0].takes[0].frame_times()
    assert RegionDistance(obstacle).signed(place(after, toe, frames))[0].min() > -2e-3


def test_a_foot_that_stands_on_a_region_is_led_by_its_footplant_alone():
    scene = read("biped:walk")
    toes = scene.contacts[1]
    middle = (toes.start + toes.end) / 2
    at = place(scene, toes.point, middle)[0]
    step = Box(at - [0.3, 0.3, 0.3], at + [0.3, 0.1, 0.3])
    stay = RegionConstraint(toes.point, 0, 1, step)
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(), (stay,))
    session.update(Drag(toes.point, middle, position=at + [0, 0.11, 0]))
    (solved,) = session._result.solved.values()
    times = solved.prepared.range.times
    stands = (times >= toes.start) & (times <= toes.end)
    levels = [term for term in solved.model.terms if term.axes is not None and len(term.axes) == 2]
    assert len(levels) > 2
    assert all(not term.weight[stands].any() for term in levels)
    assert any(term.weight.any() for term in levels)


def test_a_hand_stays_inside_a_sphere():
    scene = walking()
    hand, times = Point("LeftHand"), np.linspace(0, 1, 25)
    hips = place(scene, hand, times).mean(axis=0)
    ball = Sphere(hips, 0.6)
    free, _ = dragged(scene, hand, 0.5, [0, 0.1, 0.1], detect_footplants=False)
    held, _ = dragged(
        scene,
        hand,
        0.5,
        [0, 0.1, 0.1],
        detect_footplants=False,
        more=(RegionConstraint(hand, 0, 1, ball, True),),
    )
    before, after = (
        RegionDistance(ball).signed(place(each, hand, times))[0].max() for each in (free, held)
    )
    assert before > 0.05
    assert after < 6e-3


def test_a_region_that_is_not_entered_changes_nothing():
    scene = chain_scene()
    far = RegionConstraint(TIP, 0, 2, Sphere([50, 0, 0], 1))
    plain, _ = dragged(scene, TIP, 0.5, [0.1, 0, 0])
    same, _ = dragged(scene, TIP, 0.5, [0.1, 0, 0], more=(far,))
    times = np.linspace(0, 2, 21)
    assert place(plain, TIP, times) == pytest.approx(place(same, TIP, times), abs=1e-6)


@pytest.mark.parametrize("bad", [(Sphere, [0, 0, 0], 0), (Box, [0, 0, 0], [1, 0, 1]),
                                 (HalfSpace, [0, 0, 0], [0, 0, 0]),
                                 (Cylinder, [0, 0, 0], [0, 0, 0], 1)])  # fmt: skip
def test_regions_without_size_are_refused(bad):
    with pytest.raises(BadValue):
        bad[0](*bad[1:])
