"""Clips with a key on every frame: edits never pop, and few key poses are offered."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from random_rigs import chain_rig

LINEAR, SLERP = Interpolation.LINEAR, Interpolation.SLERP
HAND = Point("LeftHand")
FRAME = 12 / 24
BETWEEN = 10 / 24  # with room between the key poses around it, once the walk is reduced


def baked(take):
    """The same motion with a key on every frame, as exporters write it."""
    times = np.arange(round(take.duration * 24) + 1) / 24
    rows = values_at(take, times).T
    curves = tuple(Curve.of(times, row, interpolation=LINEAR) for row in rows)
    return replace(take, base=Clip(take.name, curves, float(times[-1])))


@pytest.fixture(scope="module")
def walk():
    scene = arcwright.read("biped:walk")
    character = scene.characters[0]
    take = baked(character.takes[0])
    return Scene("walk", (replace(character, takes=(take,)),))


def dragged(scene, name, by, time=FRAME, **options):
    """A session after one drag, and where the point was to go."""
    chosen = tool(name)
    session = chosen.begin(scene, Target(), chosen.Options(**options))
    goal = trail(scene.characters[0].takes[0], HAND, [time]).position[0] + by
    session.update(Drag(HAND, time, position=goal))
    return session, goal


def test_motion_curves_note_a_baked_clip_and_offer_few_key_poses(walk):
    session, goal = dragged(walk, "tangent", [0, 0.05, 0.05], BETWEEN)
    assert session.finish().empty
    notes = session.notes()
    assert [note.blocker for note in notes] == ["keys on every frame"]
    assert "key on every frame" in notes[0].text
    offer = session.offer()
    assert "key poses" in offer.text
    after = offer.edit.apply(walk)
    take = after.characters[0].takes[0]
    keys = max(len(curve) for curve in take.base.curves if curve is not None)
    assert keys < 20 < len(walk.characters[0].takes[0].base.curves[0])
    reached = trail(take, HAND, [BETWEEN]).position[0]
    assert np.linalg.norm(reached - goal) == pytest.approx(offer.remaining, abs=1e-3)
    assert same(offer.edit.inverse().apply(after), walk)


def test_an_offer_that_was_taken_is_not_made_again(walk):
    session, _ = dragged(walk, "tangent", [0, 0.05, 0.05], BETWEEN)
    after = session.offer().edit.apply(walk)
    again, _ = dragged(after, "tangent", [0, 0.02, 0])
    assert not any("every frame" in note.text for note in again.notes())


@pytest.mark.parametrize("rotate", ["joint", "body"])
def test_a_pose_is_blended_in_over_the_frames_around_it(walk, rotate):
    session, goal = dragged(walk, "pose", [0, 0.1, 0.05], rotate=rotate)
    edit = session.finish()
    after = edit.apply(walk).characters[0].takes[0]
    before = walk.characters[0].takes[0]
    times = np.arange(25) / 24
    moved = np.linalg.norm(
        trail(after, HAND, times).position - trail(before, HAND, times).position, axis=1
    )
    assert np.linalg.norm(trail(after, HAND, [FRAME]).position[0] - goal) < 1e-3
    assert np.abs(np.diff(moved)).max() < 0.4 * moved[12]  # no pop of one frame
    assert moved[[0, 5, 19, 24]].max() == 0.0
    assert any(note.kind == "info" for note in session.notes())
    assert same(edit.inverse().apply(edit.apply(walk)), walk)


def test_a_rotation_of_a_quaternion_is_blended_in_as_a_rotation():
    rig = chain_rig(3, "quaternion")
    times = np.arange(30) / 24
    values = np.tile(rig.channels.default, (len(times), 1))
    turn = quaternion_from_vector(np.outer(np.sin(4 * times), [0.0, 0.0, 0.8]))
    quaternion = np.flatnonzero(
        (rig.channels.joint == 1) & (rig.channels.kind >= Kind.QUATERNION_W)
    )
    values[:, quaternion] = turn * np.where(np.arange(30) % 2, 1, -1)[:, None]  # signs flip
    curves = tuple(
        Curve.of(times, row, interpolation=SLERP if channel in quaternion else LINEAR)
        for channel, row in enumerate(values.T)
    )
    take = Take(rig, Clip("turning", curves, float(times[-1])))
    scene = Scene("chain", (Character("chain", rig, (take,)),))
    chosen = tool("pose")
    session = chosen.begin(scene, Target(), chosen.Options())
    time = 12 / 24
    point = Point(rig.names[1])
    here = trail(take, point, [time])
    wanted = quaternion_multiply(
        quaternion_from_vector(np.array([0.0, 0.3, 0.0])), here.orientation[0]
    )
    session.update(Drag(point, time, orientation=wanted))
    after = session.finish().apply(scene).characters[0].takes[0]
    reached = trail(after, point, [time]).orientation[0]
    assert abs(reached @ wanted) == pytest.approx(1.0, abs=1e-6)
    before, now = (trail(each, point, times).orientation for each in (take, after))
    angle = 2 * np.arccos(np.clip(np.abs((before * now).sum(axis=1)), 0, 1))
    assert angle[12] == pytest.approx(0.3, abs=1e-3)
    assert np.abs(np.diff(angle)).max() < 0.12


def without_keys(scene, *, still):
    """The walk where only a few joints have a key on every frame; others have none, or two."""
    character = scene.characters[0]
    take = character.takes[0]
    table, names = take.rig.channels, take.rig.names
    arm = {names.index(name) for name in ("LeftShoulder", "LeftUpperArm", "LeftLowerArm")}
    curves = list(take.base.curves)
    for channel, curve in enumerate(curves):
        if int(table.joint[channel]) in arm:
            two = Curve.of([0.0, take.duration], curve.value[[0, 0]], interpolation=LINEAR)
            curves[channel] = two if still else None
    take = replace(take, base=replace(take.base, curves=tuple(curves)))
    return replace(scene, characters=(replace(character, takes=(take,)),))


@pytest.mark.parametrize("still", [False, True])
@pytest.mark.parametrize("frame", [12.0, 12.5])
def test_joints_without_a_key_on_every_frame_are_blended_in_too(walk, still, frame):
    scene = without_keys(walk, still=still)
    before = scene.characters[0].takes[0]
    chosen = tool("pose")
    session = chosen.begin(scene, Target(), chosen.Options())
    goal = trail(before, HAND, [frame / 24]).position[0] + [0, 0.1, 0.05]
    session.update(Drag(HAND, frame / 24, position=goal))
    edit = session.finish()
    after = edit.apply(scene).characters[0].takes[0]
    assert np.linalg.norm(trail(after, HAND, [frame / 24]).position[0] - goal) < 1e-3
    times = np.arange(25) / 24
    moved = np.linalg.norm(
        trail(after, HAND, times).position - trail(before, HAND, times).position, axis=1
    )
    assert np.abs(np.diff(moved)).max() < 0.4 * moved.max()
    assert moved[[0, 5, 19, 24]].max() == pytest.approx(0.0, abs=1e-12)
    assert same(edit.inverse().apply(edit.apply(scene)), scene)


def test_quaternions_without_keys_are_blended_in_as_rotations():
    rig = chain_rig(4, "quaternion")
    times = np.arange(30) / 24
    moving = np.flatnonzero((rig.channels.joint == 1) & (rig.channels.kind >= Kind.QUATERNION_W))
    turn = quaternion_from_vector(np.outer(np.sin(4 * times), [0.0, 0.0, 0.8]))
    curves = [None] * len(rig.channels)
    for part, channel in enumerate(moving.tolist()):
        curves[channel] = Curve.of(times, turn[:, part], interpolation=SLERP)
    take = Take(rig, Clip("turning", tuple(curves), float(times[-1])))
    scene = Scene("chain", (Character("chain", rig, (take,)),))
    chosen = tool("pose")
    session = chosen.begin(scene, Target(), chosen.Options())
    point = Point(rig.names[3])
    goal = trail(take, point, [0.5]).position[0] + [-0.1, 0.2, 0.3]
    session.update(Drag(point, 0.5, position=goal))
    after = session.finish().apply(scene).characters[0].takes[0]
    before, now = (trail(each, point, times).position for each in (take, after))
    moved = np.linalg.norm(now - before, axis=1)
    assert np.linalg.norm(now[12] - goal) < 1e-3
    assert np.abs(np.diff(moved)).max() < 0.4 * moved.max()


def shaking(scene):
    """The baked walk with a head that shakes so fast that every other frame is a key pose."""
    character = scene.characters[0]
    take = character.takes[0]
    channel = next(
        c
        for c, joint in enumerate(take.rig.channels.joint)
        if take.rig.names[joint] == "Head" and take.rig.channels.kind[c] == Kind.ROTATE_Y
    )
    curves = list(take.base.curves)
    sway = 0.5 * np.sin(0.5 * np.pi * np.arange(len(curves[channel])))
    curves[channel] = replace(curves[channel], value=curves[channel].value + sway)
    take = replace(take, base=replace(take.base, curves=tuple(curves)))
    return replace(scene, characters=(replace(character, takes=(take,)),))


def test_motion_curves_offer_a_blended_pose_where_key_poses_would_be_too_close(walk):
    scene = shaking(walk)
    session, goal = dragged(scene, "tangent", [0, 0.1, 0.05])
    offer = session.offer()
    assert "blended in" in offer.text
    before, after = (each.characters[0].takes[0] for each in (scene, offer.edit.apply(scene)))
    assert np.linalg.norm(trail(after, HAND, [FRAME]).position[0] - goal) < 1e-3
    assert offer.remaining == 0.0
    times = np.arange(25) / 24
    moved = np.linalg.norm(
        trail(after, HAND, times).position - trail(before, HAND, times).position, axis=1
    )
    assert np.abs(np.diff(moved)).max() < 0.4 * moved[12]
    assert same(offer.edit.inverse().apply(offer.edit.apply(scene)), scene)


def test_a_pose_offers_no_key_poses_that_are_too_close(walk):
    session, _ = dragged(shaking(walk), "pose", [0, 0.1, 0.05])
    assert session.offer() is None


@pytest.mark.parametrize("asked", [{"time_scale": 0.3}, {"orientation": [0.6, 0.8, 0.0, 0.0]}])
def test_there_is_no_offer_where_a_pose_would_cause_a_jump(walk, asked):
    chosen = tool("tangent")
    session = chosen.begin(shaking(walk), Target(), chosen.Options())
    session.update(Drag(HAND, FRAME, **asked))
    assert session.offer() is None
    assert session.notes()


def test_an_offer_reaches_the_target_on_a_key_pose_of_the_reduced_clip(walk):
    for frame in range(2, 23):
        session, goal = dragged(walk, "tangent", [0, 0.05, 0], frame / 24)
        offer = session.offer()
        take = offer.edit.apply(walk).characters[0].takes[0]
        reached = trail(take, HAND, [frame / 24]).position[0]
        assert np.linalg.norm(reached - goal) < 1e-3, (frame, offer.text)


def test_channels_without_keys_get_none_by_a_reduction(walk):
    scene = without_keys(walk, still=False)
    session, _ = dragged(scene, "tangent", [0, 0.0, 0.02], BETWEEN)
    offer = session.offer()
    assert "Reduce" in offer.text
    before, after = (each.characters[0].takes[0].base for each in (scene, offer.edit.apply(scene)))
    added = [c for c, curve in enumerate(before.curves) if curve is None and after.curves[c]]
    assert not added
