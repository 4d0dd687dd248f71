"""Rotations that fall short: joint limits, missing channels and keys, notes and offers."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import orientation
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.tools.shared.joint_rotation import rotation_channels
from chains import chain_scene, scene_of
from random_rigs import chain_rig
from rotations import (
    changed_joints,
    off,
    rotate,
    take_of,
    wanted,
)

TOOLS = pytest.mark.parametrize("name", ["pose", "tangent"])


def limited(scene, joint, most):
    """With limits of one joint's rotation channels around the values they have."""
    character = scene.characters[0]
    rig = character.rig
    own = rotation_channels(rig, rig.joint(joint))
    low, high = np.array(rig.channels.low), np.array(rig.channels.high)
    low[own], high[own] = -most, most
    changed = replace(rig, channels=replace(rig.channels, low=low, high=high))
    return replace(scene, characters=(replace(character, rig=changed),))


@TOOLS
def test_joint_limits_hold_and_the_note_says_how_far_it_falls_short(name):
    scene = limited(scene_of(chain_rig(4, "XYZ"), 3, size=0.05), "joint2", 0.5)
    rig, by = take_of(scene).rig, [1.5, 0.2, 0.0]
    session, after = rotate(scene, name, "joint2", 0.5, by)
    own = rotation_channels(rig, 2)
    assert np.abs(values_at(take_of(after), np.linspace(0, 1, 41))[:, own]).max() <= 0.5 + 1e-9
    (note,) = session.notes()
    missed = off(after, "joint2", 0.5, wanted(scene, "joint2", 0.5, by))
    assert note.amount == pytest.approx(missed)
    assert note.text == f"joint limits keep joint2 {np.degrees(missed):.1f}° off"


def test_clamped_rotations_come_as_near_as_any_pose_within_the_limits():
    scene = limited(scene_of(chain_rig(4, "ZXY"), 3, size=0.05), "joint2", 0.5)
    rig, by = take_of(scene).rig, [0.9, 0.4, -0.3]
    session, _ = rotate(scene, "pose", "joint2", 0.5, by)
    (note,) = session.notes()
    own, pose = rotation_channels(rig, 2), values_at(take_of(scene), np.array([0.5]))
    tried = np.repeat(pose, 4000, axis=0)
    tried[:, own] = np.random.default_rng(1).uniform(-0.5, 0.5, (4000, len(own)))
    turned = orientation(rig, tried, [2])[:, 0]
    away = quaternion_multiply(wanted(scene, "joint2", 0.5, by), quaternion_conjugate(turned))
    assert note.amount <= np.linalg.norm(vector_from_quaternion(away), axis=1).min() + 1e-6


def test_a_joint_that_cannot_rotate_says_so():
    rig = chain_rig(4, "XYZ")
    table = rig.channels
    own = rotation_channels(rig, 2)
    rest = [c for c in range(len(table)) if c not in own]
    parts = ("joint", "kind", "default", "low", "high", "stiffness")
    fewer = {part: getattr(table, part)[rest] for part in parts}
    rig = replace(rig, channels=replace(table, **fewer, label=tuple(table.label[c] for c in rest)))
    session, _ = rotate(scene_of(rig), "pose", "joint2", 0.5, [0.3, 0.0, 0.0])
    assert session.finish().empty
    assert session.notes()[0].text == "joint2 has no rotation channels: it stays 17.2° off"


def test_without_leave_to_key_only_existing_keys_change():
    scene = chain_scene()
    session, after = rotate(scene, "pose", "joint1", 1.0, [0.3, 0.0, 0.0], auto_key=False)
    assert take_of(after).base.key_count == take_of(scene).base.key_count
    assert session.notes() == ()
    session, _ = rotate(scene, "pose", "joint1", 0.3, [0.3, 0.0, 0.0], auto_key=False)
    assert session.finish().empty
    assert session.notes()[0].text == "missing keys keep joint1 17.2° off"


def test_on_a_key_pose_motion_curves_say_what_keeps_the_joint_and_offer_a_key():
    scene = chain_scene()
    turned = wanted(scene, "joint1", 1.0, [0.3, 0.0, 0.0])
    session, after = rotate(scene, "tangent", "joint1", 1.0, [0.3, 0.0, 0.0])
    assert same(after, scene)
    assert session.notes()[0].text == "key poses keep joint1 17.2° off"
    offered = session.offer()
    assert offered.text == "A key at frame 24 rotates joint1 17.2° further"
    assert off(offered.edit.apply(scene), "joint1", 1.0, turned) < 1e-9
    assert changed_joints(take_of(scene).rig, offered.edit) == {"joint1"}


def test_no_key_is_offered_between_keys_of_the_next_frames():
    scene = chain_scene()
    take = take_of(scene)
    frames = np.arange(0, 49) / 24
    values = values_at(take, frames)
    curves = tuple(keyed(frames, values[:, c]) for c in range(values.shape[1]))
    baked = replace(take, base=replace(take.base, curves=curves))
    scene = replace(scene, characters=(scene.characters[0].with_take(baked),))
    session, _ = rotate(scene, "tangent", "joint1", 1.0, [0.3, 0.0, 0.0])
    assert session.notes()
    assert session.session.body.offer() is None  # of a key; few key poses are offered instead
