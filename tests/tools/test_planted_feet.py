"""Feet that stand stay planted while a pose is dragged, unless the foot itself is dragged."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import characters
from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool

FEET = ("LeftFoot", "RightFoot")


def alone(name, contacts=()):
    """A take of the biped in a scene with these contacts only."""
    scene = characters.built_in(f"biped:{name}")
    return replace(scene, constraints=contacts, props=())


def dragged(scene, joint, by, time=0.0, **options):
    """Where joints were and are: a function of their name that gives position and orientation."""
    session = PoseTool().begin(scene, Target(), PoseOptions(**options))
    before = scene.characters[0].takes[0]
    start = trail(before, joint, [time]).position[0]
    for share in np.linspace(0, 1, 6)[1:]:
        session.update(Drag(Point(joint), time, position=start + share * np.asarray(by)))
    after = session.finish().apply(scene).characters[0].takes[0]

    def moved(name):
        was, now = (trail(take, name, [time]) for take in (before, after))
        turned = abs(float(was.orientation[0] @ now.orientation[0]))
        return now.position[0] - was.position[0], 2 * np.arccos(min(turned, 1.0))

    return moved


def cut_to_one_frame(scene):
    """The scene with one key pose at 0 s as the first character's only take."""
    character = scene.characters[0]
    take = character.takes[0]
    values = values_at(take, np.zeros(1))[0]
    curves = [
        None if curve is None else keyed([0.0], [value])
        for curve, value in zip(take.base.curves, values, strict=True)
    ]
    short = replace(take, base=replace(take.base, curves=tuple(curves), duration=0.0))
    return replace(scene, characters=(replace(character, takes=(short,)),))


@pytest.mark.parametrize("contacts", [False, True])
def test_lowered_hips_bend_the_knees_and_leave_the_feet(contacts):
    points = tuple(Contact(Point(f"{side}Toes"), 0, 1) for side in ("Left", "Right"))
    moved = dragged(alone("stand", points if contacts else ()), "Hips", [0.0, -0.1, 0.0])
    assert moved("Hips")[0] == pytest.approx([0, -0.1, 0], abs=1e-4)
    for foot in FEET:
        way, turn = moved(foot)
        assert np.abs(way).max() < 1e-4
        assert turn < 1e-3
    assert moved("LeftLowerLeg")[0][2] > 0.02  # the knee goes forward


def test_a_pose_of_one_frame_has_standing_feet():
    moved = dragged(cut_to_one_frame(alone("stand")), "Hips", [0.0, -0.1, 0.0])
    assert max(np.abs(moved(foot)[0]).max() for foot in FEET) < 1e-4


def test_a_hand_out_of_reach_takes_the_body_along_but_not_the_feet():
    moved = dragged(alone("stand"), "LeftHand", [0.6, 0.3, 0.7])
    assert np.linalg.norm(moved("Hips")[0]) > 0.03
    assert max(np.abs(moved(foot)[0]).max() for foot in FEET) < 1e-3


@pytest.mark.parametrize("joint", ["LeftFoot", "LeftToes", "LeftLowerLeg"])
def test_a_dragged_leg_lifts_its_foot_and_leaves_the_other(joint):
    moved = dragged(alone("stand"), joint, [0.0, 0.08, 0.05])
    assert moved(joint)[0] == pytest.approx([0, 0.08, 0.05], abs=1e-3)
    assert np.abs(moved("RightFoot")[0]).max() < 1e-4


def test_feet_in_the_air_are_not_planted():
    moved = dragged(alone("jump"), "Hips", [0.0, 0.1, 0.0], time=0.85)
    assert moved("LeftFoot")[0] == pytest.approx([0, 0.1, 0], abs=1e-3)


def test_feet_can_be_left_free():
    moved = dragged(alone("stand"), "Hips", [0.0, -0.1, 0.0], plant_feet=False)
    assert moved("LeftFoot")[0] == pytest.approx([0, -0.1, 0], abs=1e-3)


def test_a_short_chain_does_not_bring_the_legs_in():
    moved = dragged(alone("stand"), "LeftHand", [0.05, 0.05, 0.0], chain_length=2)
    assert np.abs(moved("Hips")[0]).max() == 0


def test_a_contact_that_the_chain_cannot_move_brings_nothing_in():
    points = tuple(Contact(Point(f"{side}Toes"), 0, 1) for side in ("Left", "Right"))
    moved = dragged(alone("stand", points), "LeftHand", [0.3, 0.5, 0.3], chain_length=3)
    assert np.abs(moved("Hips")[0]).max() == 0


def test_feet_without_names_are_found_by_their_place():
    scene = alone("stand")
    character = scene.characters[0]
    rig = replace(character.rig, names=tuple(f"joint_{n}" for n in range(len(character.rig.names))))
    nameless = replace(scene, characters=(replace(character, rig=rig),))
    hips, foot = (f"joint_{character.rig.joint(name)}" for name in ("Hips", "LeftFoot"))
    moved = dragged(nameless, hips, [0.0, -0.1, 0.0])
    assert moved(hips)[0] == pytest.approx([0, -0.1, 0], abs=1e-4)
    assert np.linalg.norm(moved(foot)[0]) < 1e-3


@pytest.mark.parametrize("name", ["stand", "walk"])
def test_a_far_reach_over_planted_feet_does_not_pop_on_release(name):
    """During the drag, the pose is nearly that of the release."""
    scene, time = alone(name), 0.3
    take = scene.characters[0].takes[0]
    joint, by = ("LeftHand", [0.1, 0.3, 0.5]) if name == "stand" else ("Hips", [0.1, 0.0, 0.1])
    session = PoseTool().begin(scene, Target(), PoseOptions())
    start = trail(take, joint, [time]).position[0]
    for share in np.linspace(0, 1, 31)[1:]:
        preview = session.update(Drag(Point(joint), time, position=start + share * np.array(by)))
    ends = [
        forward(take.rig, values_at(edit.apply(scene).characters[0].takes[0], np.array([time])))
        for edit in (preview.edit, session.finish())
    ]
    assert np.linalg.norm((ends[1] - ends[0])[0, :, :3, 3], axis=1).max() < 0.01
