import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.characters.biped_guitar import fingertip
from arcwright.characters.biped_joints import FINGERS
from arcwright.characters.guitar import FACE, NUT
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.trail import trail
from cast import check_limits, check_mesh

QUARTERS = np.arange(0, 24.01, 0.25) / 24  # s
KEYS = np.array([0, 12, 24]) / 24


def scene():
    return built_in("biped:guitar")


def on_guitar(point, times):
    """Where a point of the player is on the guitar, (T, 3) m."""
    sway = scene().actor("Guitar").takes[0]
    world = forward(sway.rig, values_at(sway, times))[:, 0]
    place = trail(scene().characters[0].takes[0], point, times).position
    return np.einsum("tji,tj->ti", world[:, :3, :3], place - world[:, :3, 3])


def test_the_guitar_is_a_sound_prop_that_sways_with_the_body():
    guitar = scene().actor("Guitar")
    check_mesh(guitar)
    (take,) = guitar.takes
    check_limits(take)
    assert take.duration == scene().characters[0].takes[0].duration
    tip = trail(take, ("Guitar", (NUT, 0, 0)), QUARTERS).position
    assert np.ptp(tip, axis=0).max() > 0.08
    assert sum(len(part.triangles) for part in guitar.shapes[0].parts) < 3000


@pytest.mark.parametrize("finger", FINGERS)
def test_key_poses_hold_the_same_string_and_default_handles_slide_between_them(finger):
    keys = on_guitar(fingertip(finger), KEYS)
    assert np.abs(keys - keys[0]).max() < 1e-6
    along, across, above = keys[0]
    assert 0.3 < along < NUT
    assert abs(across) < 0.022
    assert 0 < above - FACE < 0.006
    path = on_guitar(fingertip(finger), QUARTERS)
    assert 0.005 < np.linalg.norm(path - path[0], axis=1).max() < 0.02


def test_the_other_hand_strums_across_all_strings():
    height = on_guitar(("RightMiddleDistal", (-FINGERS["Middle"][2][2], 0, 0)), QUARTERS)
    assert height[:, 1].max() > 0.02
    assert height[:, 1].min() < -0.02
    assert (np.abs(height[:, 2] - FACE) < 0.05).all()


def test_every_fingertip_is_in_contact_with_the_neck_and_feet_with_the_floor():
    relative = [contact for contact in scene().contacts if contact.relative_to is not None]
    assert {contact.point.joint for contact in relative} == {
        f"Left{name}Distal" for name in FINGERS
    }
    assert {contact.relative_to.character for contact in relative} == {"Guitar"}
    assert len(scene().contacts) == len(relative) + 2


def test_the_body_stays_out_of_the_guitar():
    player, guitar = scene().characters[0], scene().actor("Guitar")
    take, sway = player.takes[0], guitar.takes[0]
    trunk = [player.rig.joint(name) for name in ("Hips", "Spine", "Chest", "UpperChest")]
    for frame in (0, 6, 12, 18):
        time = np.array([frame / 24])
        values = values_at(take, time)
        world = forward(player.rig, values)[0]
        inverse = np.linalg.inv(forward(guitar.rig, values_at(sway, time))[0, 0])
        skin = deform(player, values[0], world)
        for part, moved in zip(player.shapes[0].parts, skin, strict=True):
            joints, weights = (part.attributes[name] for name in ("JOINTS_0", "WEIGHTS_0"))
            own = player.shapes[0].skin.joints[joints]
            torso = (np.isin(own, trunk) * weights).sum(axis=1) > 0.7
            place = moved.positions[torso] @ inverse[:3, :3].T + inverse[:3, 3]
            for middle, radius in ((-0.13, 0.16), (0.06, 0.12)):
                flat = np.hypot(place[:, 0] - middle, place[:, 1]) < radius - 0.01
                assert not (flat & (np.abs(place[:, 2]) < 0.035)).any()


def test_the_project_file_keeps_the_prop_its_clip_and_the_contacts(tmp_path):
    arcwright.write(scene(), tmp_path / "guitar.arc.glb")
    again = arcwright.read(tmp_path / "guitar.arc.glb")
    assert same(again.actor("Guitar").takes, scene().actor("Guitar").takes)
    assert same(again.contacts, scene().contacts)


def test_contacts_with_props_that_are_not_there_are_left_out():
    everything = built_in("biped")
    names = {prop.name for prop in everything.props}
    for contact in everything.contacts:
        assert contact.relative_to is None or contact.relative_to.character in names
    assert any(contact.take == "guitar" for contact in everything.contacts)
