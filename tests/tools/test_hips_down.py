"""Hips pulled down along motion curves: feet stay above the ground, knees in their plane."""

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright import characters
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.hinges import hinges, local_rotations
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from tangent_edits import begin

HIPS = Point("Hips")


def lowered(scene, time, by):
    """The take after its hips were pulled down, and the notes."""
    session = begin(scene)
    preview = session.update(arcwright.make_drag(scene, HIPS, time=time, by=(0, by, 0)))
    return session.finish().apply(scene).characters[0].takes[0], preview.notes


@pytest.mark.parametrize("frame", [10, 20, 22])
@pytest.mark.parametrize(("by", "within"), [(-0.05, 1e-3), (-0.1, 7e-3)])
def test_swinging_feet_of_a_loop_do_not_sink_with_the_hips(frame, by, within):
    scene = characters.built_in("biped:walk")
    before = scene.characters[0].takes[0]
    after, notes = lowered(scene, frame / 24, by)
    assert notes == ()
    times = np.arange(0, 24.1, 0.25) / 24
    for joint in ("LeftFoot", "LeftToes", "RightFoot", "RightToes"):
        was, now = (trail(take, joint, times).position for take in (before, after))
        assert now[:, 1].min() > was[:, 1].min() - within


def test_hips_that_rise_lift_swinging_feet():
    scene = characters.built_in("biped:walk")
    after, notes = lowered(scene, 21 / 24, 0.12)
    assert notes == ()
    before = scene.characters[0].takes[0]
    was, now = (trail(take, "LeftFoot", [21 / 24]).position[0, 1] for take in (before, after))
    assert now > was + 0.01


def test_a_foot_that_is_dragged_itself_may_go_below_the_ground():
    scene = characters.built_in("biped:walk")
    toes = Point("LeftToes")
    session = begin(scene)
    session.update(arcwright.make_drag(scene, toes, time=20 / 24, by=(0, -0.1, 0)))
    after = session.finish().apply(scene).characters[0].takes[0]
    assert trail(after, toes, [20 / 24]).position[0, 1] < 0.0


@cache
def captured():
    """A walk with knees of three free angles and no limits, and its footplants."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.glb"
        arcwright.write(arcwright.read("biped:walk"), path)
        scene = arcwright.read(path)
    body = scene.characters[0]
    take = replace(body.takes[0], base=fit(body.takes[0], 0.01).clip)
    body = replace(body, takes=(take,))
    return replace(scene, characters=(body,), constraints=footplants(take))


@pytest.mark.parametrize("time", [0.1, 0.61])
def test_straight_knees_bend_in_their_plane(time):
    scene = captured()
    before = scene.characters[0].takes[0]
    after, _ = lowered(scene, time, -0.08)
    times = np.linspace(0, before.duration, 60)
    for hinge in hinges(scene.characters[0], before):
        was, now = (
            local_rotations(take.rig, values_at(take, times), [hinge.joint])[:, 0] @ hinge.lower
            for take in (before, after)
        )
        assert np.degrees(np.arcsin(abs((now - was) @ hinge.axis).max())) < 3.0
