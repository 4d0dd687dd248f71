"""Feet stay out of regions as a whole, along a modest arc, and may stand on them."""

from functools import cache

import numpy as np
import pytest

from arcwright.kinematics.contact import footplants
from arcwright.kinematics.regions import RegionDistance, region_passes
from arcwright.kinematics.soles import soles
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import RegionConstraint
from arcwright.scene.point import Point
from arcwright.scene.region import Box
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.timing import peak_acceleration
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from walked import walked

TOES = Point("LeftToes")
OPTIONS = SpacetimeOptions(adapt_timing="off")


@cache
def walk():
    """The scene, its take, and two successive footplants of the left toes."""
    scene = walked()
    take = scene.characters[0].takes[0]
    own = [each for each in footplants(take) if each.point.joint == TOES.joint]
    return scene, take, own[0], own[1]


def box(place, high, depth=0.12):
    """A box across the way, at a share of the step."""
    _, take, before, after = walk()
    start, end = trail(take, TOES, [before.end, after.start]).position
    at = start + place * (end - start)
    ground = min(start[1], end[1])
    low, top = at - [0.3, 0, depth / 2], at + [0.3, 0, depth / 2]
    return Box([low[0], ground - 0.2, low[2]], [top[0], ground + high, top[2]])


def left_foot():
    """The sole under the left toes."""
    scene, take, _, _ = walk()
    return next(each for each in soles(scene.characters[0], take) if TOES.joint in each.joints)


def deepest(take, region, times):
    """How deep any point of the left foot is in a region, m."""
    paths = [trail(take, point, times).position for point in left_foot().volume(take.rig)]
    return max(-RegionDistance(region).signed(path)[0].min() for path in paths)


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("high", [0.1, 0.2])
def test_a_whole_foot_steps_over_a_box_along_a_modest_arc(place, high):
    scene, take, before, after = walk()
    region = box(place, high)
    stay = RegionConstraint(TOES, before.end, after.start, region)
    times = np.linspace(before.end, after.start, 200)
    assert deepest(take, region, times) > 0.02
    solved = SpacetimeTool().solve(scene, Target(), OPTIONS, [stay])
    new = solved.edit.apply(scene).characters[0].takes[0]
    assert deepest(new, region, times) < 5e-3
    old_path, path = (trail(each, TOES, times).position for each in (take, new))
    assert path[:, 1].max() < region.high[1] + 0.15
    assert peak_acceleration(times, path) < 1.5 * peak_acceleration(times, old_path)


def test_a_foot_that_lands_further_steps_over_a_box_where_it_would_have_landed():
    """It passes the box along the longer step, not where and when its old path was in it."""
    scene, take, before, after = walk()
    middle = (after.start + after.end) / 2
    region, times = box(0.85, 0.15), np.linspace(before.end, after.start, 200)
    stay = RegionConstraint(TOES, before.end, after.end, region)
    session = SpacetimeTool().begin(scene, Target(), OPTIONS, [stay])
    at = trail(take, TOES, [middle]).position[0]
    for ahead in (0.1, 0.2):
        session.update(Drag(TOES, middle, position=at + [0, 0, ahead]))
    new = session.finish().apply(scene).characters[0].takes[0]
    path = trail(new, TOES, times).position
    assert deepest(new, region, times) < 5e-3
    assert path[:, 1].max() < region.high[1] + 0.12
    assert np.diff(path[:, 2]).min() > -1e-3


def test_a_foot_may_stand_on_a_box_that_it_stays_out_of():
    scene, take, before, after = walk()
    middle = (after.start + after.end) / 2
    at = trail(take, TOES, [middle]).position[0]
    region = Box(at - [0.3, 0.4, 0.25], at + [0.3, 0.115, 0.25])
    stay = RegionConstraint(TOES, before.end, after.end, region)
    session = SpacetimeTool().begin(scene, Target(), OPTIONS, [stay])
    for rise in (0.06, 0.12):
        session.update(Drag(TOES, middle, position=at + [0, rise, 0]))
    new = session.finish().apply(scene).characters[0].takes[0]
    stands = trail(new, TOES, np.linspace(after.start, after.end, 30)).position
    assert stands[:, 1].min() > at[1] + 0.11
    assert deepest(new, region, np.linspace(before.end, after.end, 200)) < 0.015


def test_a_pass_never_leaves_along_the_way_that_crosses_the_region():
    _, take, before, after = walk()
    narrow = box(0.5, 0.5, depth=0.05)
    stay = RegionConstraint(TOES, before.end, after.start, narrow)
    (found,) = region_passes(take, stay)
    assert abs(found.direction[2]) < 0.5


def test_the_points_of_a_foot_lie_in_a_row_from_heel_to_tip():
    _, take, before, _ = walk()
    time = [(before.start + before.end) / 2]
    ahead = [trail(take, point, time).position[0, 2] for point in left_foot().volume(take.rig)]
    assert len(ahead) == 5
    assert (np.diff(ahead) > 0.01).all()
