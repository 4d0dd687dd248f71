"""Knees and elbows without limits of their own bend one way only in spacetime edits."""

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright.edits.hinges import accept_hinges
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hinges import hinges, local_rotations
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import HingeConstraint
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.displacement import unknowns_of
from arcwright.tools.spacetime.hinge_limits import HingeLimits
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool


@cache
def captured():
    """A built-in walk through a glTF file: quaternions, without limits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.glb"
        arcwright.write(arcwright.read("biped:walk"), path)
        return arcwright.read(path)


SCENE = captured()
BODY = SCENE.characters[0]
TAKE = BODY.takes[0]
HINGES = hinges(BODY, TAKE)


def least_bend(take, hinge):
    """rad, the smallest bend over a take."""
    values = values_at(take, take.frame_times())
    local = local_rotations(take.rig, values, [hinge.joint])[:, 0]
    return float(hinge.bend(local @ hinge.lower).min())


def after(joint, by, **options):
    session = SpacetimeTool().begin(SCENE, Target(), SpacetimeOptions(**options))
    start = trail(TAKE, Point(joint), [0.5]).position[0]
    for share in (0.25, 0.5, 0.75, 1.0):
        session.update(Drag(Point(joint), 0.5, position=start + share * np.array(by)))
    return session.finish().apply(SCENE).characters[0].takes[0]


def test_knees_and_elbows_are_found_with_the_way_they_bend():
    names = {TAKE.rig.names[each.joint] for each in HINGES}
    assert names == {"LeftLowerLeg", "RightLowerLeg", "LeftLowerArm", "RightLowerArm"}
    for each in HINGES:
        assert each.axis @ each.upper == pytest.approx(0.0, abs=1e-6)
        assert each.low <= min(0.0, least_bend(TAKE, each)) + 1e-6


def test_a_rig_with_limits_keeps_its_own():
    scene = arcwright.read("biped:walk")
    assert hinges(scene.characters[0], scene.characters[0].takes[0]) == ()


def worst(take):
    return max(each.low - least_bend(take, each) for each in HINGES)


@pytest.mark.parametrize("which", range(4))
def test_a_joint_that_is_pushed_through_does_not_bend_backwards(which):
    hinge = HINGES[which]
    world = forward(TAKE.rig, values_at(TAKE, np.array([0.5])))[0]
    above = int(TAKE.rig.parents[hinge.joint])
    way = world[above, :3, :3] @ np.cross(hinge.upper, hinge.axis)
    by = -0.2 * way
    free = after(TAKE.rig.names[hinge.child], -by, guess_limits=False)
    limited = after(TAKE.rig.names[hinge.child], -by)
    assert worst(limited) < np.radians(2.0)
    assert worst(limited) <= max(worst(free), 0.0) + 1e-6


def test_the_slope_of_a_bend_is_its_derivative():
    start = values_at(TAKE, np.array([0.2, 0.5]))
    unknowns = unknowns_of(TAKE.rig)
    narrow = [each._replace(low=3.0, high=3.1) for each in HINGES]
    limits = HingeLimits(TAKE.rig, unknowns, np.array([0.2, 0.5]), start, narrow)
    random = np.random.default_rng(0)
    x = 0.7 * random.normal(size=(2, unknowns.count))
    step = 1e-6 * random.normal(size=x.shape)
    one, two = limits.violations(x), limits.violations(x + step)
    assert len(one.residual)
    assert np.array_equal(one.sample, two.sample)
    change = (one.slope * step[one.sample[:, None], one.columns]).sum(axis=1)
    assert one.residual - two.residual == pytest.approx(change, rel=1e-3, abs=1e-11)


def test_the_original_may_stay_beyond_a_limit():
    start = values_at(TAKE, TAKE.frame_times())
    unknowns = unknowns_of(TAKE.rig)
    tight = [each._replace(low=1.0, high=1.2) for each in HINGES]
    limits = HingeLimits(TAKE.rig, unknowns, TAKE.frame_times(), start, tight)
    assert limits.violations(np.zeros((len(start), unknowns.count))) is None


def test_bends_have_their_sign():
    for each in HINGES:
        turned = matrix_from_vector(0.3 * each.axis) @ each.upper
        assert float(each.bend(turned)) == pytest.approx(0.3)


def test_a_hinge_of_the_scene_replaces_the_guess_while_it_lasts():
    knee = next(each for each in HINGES if "Leg" in TAKE.rig.names[each.joint])
    name = TAKE.rig.names[knee.joint]
    own = HingeConstraint(Point(name), 0.2, 0.6, low=0.5, high=1.0)
    scene = replace(SCENE, constraints=(own,))
    (character,) = SpacetimeTool().begin(scene, Target(), SpacetimeOptions()).characters.values()
    (found,) = (each for each in character.hinges if each.joint == knee.joint)
    assert (found.low, found.high, found.start, found.end) == (0.5, 1.0, 0.2, 0.6)
    assert len(character.hinges) == 4
    assert character.unsolved == ()


def test_a_hinge_of_a_joint_without_an_axis_is_said_to_have_no_effect():
    scene = replace(SCENE, constraints=(HingeConstraint(Point("Spine"), 0, 1, low=0.0),))
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    (character,) = session.characters.values()
    assert [each.name for each in character.unsolved] == ["Spine hinge"]


def test_a_guess_can_be_accepted_and_changed():
    accepted = accept_hinges(SCENE).apply(SCENE)
    assert len(accepted.constraints) == 4
    assert accept_hinges(accepted).changes == ()
    (character,) = (
        SpacetimeTool()
        .begin(accepted, Target(), SpacetimeOptions(guess_limits=False))
        .characters.values()
    )
    assert sorted(each.joint for each in character.hinges) == sorted(each.joint for each in HINGES)


def test_a_limb_wound_around_is_as_far_from_both_limits_on_either_side_of_where_they_meet():
    start, unknowns = values_at(TAKE, np.array([0.5])), unknowns_of(TAKE.rig)
    hinge = HINGES[0]
    limits = HingeLimits(TAKE.rig, unknowns, np.array([0.5]), start, [hinge])
    axis = local_rotations(TAKE.rig, start, [hinge.joint])[0, 0].T @ hinge.axis
    row = 3 * unknowns.joints.tolist().index(hinge.joint)
    angles = np.linspace(0.0, 2 * np.pi, 721)
    over = []
    for angle in angles:
        x = np.zeros((1, unknowns.count))
        x[0, row : row + 3] = angle * axis
        found = limits.violations(x)
        over.append(0.0 if found is None else float(np.abs(found.residual).max(initial=0.0)))
    assert max(over) > 1.0
    assert np.abs(np.diff(over)).max() < 1.1 * angles[1]
