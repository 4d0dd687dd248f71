import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from captured_activities import RATE, SCENES, captured_sit
from cast import check_mesh
from data import needs_data

pytestmark = needs_data
HELD = {"pick up": ("Box", 3.1, 7.26), "mug": ("Mug", 6.16, 13.0), "drink": ("Glass", 1.05, 3.83)}


def place(actor, joint, times):
    """(T, 4, 4) of a joint of an actor in its first take, or at rest."""
    values = np.tile(actor.rig.channels.default, (len(times), 1))
    if actor.takes:
        values = values_at(actor.takes[0], times)
    return forward(actor.rig, values, [actor.rig.joint(joint)])[:, 0]


@pytest.mark.parametrize("name", SCENES)
def test_scenes_have_an_activity_about_props_that_are_there(name):
    scene = SCENES[name]()
    about, take = scene.activity(), scene.characters[0].takes[0]
    assert take.rate == RATE
    assert about.events[-1].time <= take.duration
    joints = scene.characters[0].rig.names
    assert all(each.point.joint in joints for each in about.effectors)
    for each in about.objects:
        check_shapes(scene.actor(each.prop))


def check_shapes(prop):
    if prop.shapes[0].skin is not None:
        check_mesh(prop)
    for part in prop.shapes[0].parts:
        assert np.isfinite(part.attributes["POSITION"]).all()
        assert np.allclose(np.linalg.norm(part.attributes["NORMAL"], axis=1), 1, atol=1e-3)


@pytest.mark.parametrize("name", HELD)
def test_props_go_with_the_hand_that_holds_them_and_stand_before_and_after(name):
    scene, (prop, grab, release) = SCENES[name](), HELD[name]
    times = np.arange(np.ceil(grab * RATE), np.floor(release * RATE)) / RATE
    hand = place(scene.characters[0], "RightHandIndex1", times)
    held = np.linalg.inv(hand) @ place(scene.actor(prop), prop, times)
    assert np.abs(held - held[0]).max() < 2e-3
    end = scene.characters[0].takes[0].duration
    still = place(scene.actor(prop), prop, np.arange(0, grab, 1 / RATE))
    assert np.ptp(still, axis=0).max() < 1e-9
    if release + 0.3 < end:
        down = place(scene.actor(prop), prop, np.arange(release + 0.25, end, 1 / RATE))
        assert np.ptp(down, axis=0).max() < 1e-9
        assert down[0, 1, 3] == pytest.approx(still[0, 1, 3], abs=1e-9)
        assert down[0, :3, 1] == pytest.approx([0, 1, 0], abs=1e-9)


def test_the_stool_is_under_the_hips_while_they_rest():
    scene = captured_sit()
    hips = place(scene.characters[0], "Hips", np.arange(1.0, 1.9, 1 / RATE))[:, :3, 3]
    stool = scene.actor("Chair")
    every = np.concatenate([part.attributes["POSITION"] for part in stool.shapes[0].parts])
    low, high = (each + stool.rig.offset[0] for each in (every.min(axis=0), every.max(axis=0)))
    assert (low[[0, 2]] < hips[:, [0, 2]]).all()
    assert (hips[:, [0, 2]] < high[[0, 2]]).all()
    assert np.abs(hips[:, 1] - high[1]).max() < 0.12
    seat = scene.activity().object("chair").anchor("seat")
    assert seat == pytest.approx([0.0, high[1], 0.0])


POINTED = [("point", "Left", 4.0), ("directions", "Left", 2.6), ("directions", "Right", 4.6)]


@pytest.mark.parametrize(("name", "side", "at"), POINTED)
def test_arms_point_at_their_targets(name, side, at):
    scene = SCENES[name]()
    event = next(each for each in scene.activity().events if each.time == at)
    target = scene.actor(scene.activity().object(event.look_at).prop)
    times = np.array([at])
    shoulder, hand = (
        place(scene.characters[0], f"{side}{part}", times)[0, :3, 3] for part in ("Arm", "Hand")
    )
    ball = place(target, target.rig.names[0], times)[0, :3, 3]
    assert np.cross(hand - shoulder, ball - hand) == pytest.approx(np.zeros(3), abs=1e-3)
    assert np.linalg.norm(ball - shoulder) == pytest.approx(2 * np.linalg.norm(hand - shoulder))
