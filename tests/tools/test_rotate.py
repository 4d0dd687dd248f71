"""Forward kinematics: a rotation turns that joint, and nothing that does not hang on it moves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright import characters
from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay
from arcwright.tools.shared.joint_rotation import rotation_channels
from chains import chain_scene, scene_of, with_single_keys
from random_cases import examples
from random_rigs import random_rig
from rotations import (
    EXACT,
    assert_forward_kinematics,
    below,
    changed_joints,
    off,
    rotate,
    take_of,
    wanted,
    worlds,
)

TOOLS = pytest.mark.parametrize("name", ["pose", "tangent"])


@TOOLS
@pytest.mark.parametrize("joint", ["Head", "LeftHand", "Chest", "Hips", "RightUpperLeg"])
def test_a_joint_of_the_biped_turns_alone(name, joint):
    scene = replace(characters.built_in("biped:walk"), constraints=())
    time, by = 7 / 24, [0.1, 0.25, -0.05]
    session, after = rotate(scene, name, joint, time, by)
    assert_forward_kinematics(scene, after, joint, time)
    assert changed_joints(take_of(scene).rig, session.finish()) == {joint}
    if name == "pose":
        assert off(after, joint, time, wanted(scene, joint, time, by)) < 1e-9
        assert session.notes() == ()


def test_a_pose_keys_all_rotation_channels_of_the_joint_at_the_frame_and_no_others():
    scene = characters.built_in("biped:walk")
    time, rig = 7 / 24, take_of(scene).rig
    session, _ = rotate(scene, "pose", "Neck", time, [0.0, 0.3, 0.0])
    changed = {change.address[-1] for change in session.finish().changes}
    assert changed == set(rotation_channels(rig, rig.joint("Neck")).tolist())
    for change in session.finish().changes:
        assert np.abs(change.after.time - time).min() < 1e-9
        assert change.before is None or len(change.after) <= len(change.before) + 1


def test_a_pose_of_a_joint_with_one_key_changes_nothing_beyond_the_key_poses_around():
    scene = chain_scene()
    channels = rotation_channels(take_of(scene).rig, 3)
    scene, by = with_single_keys(scene, channels), [0.3, 0.1, 0.0]
    _, after = rotate(scene, "pose", "joint3", 1.2, by)
    assert off(after, "joint3", 1.2, wanted(scene, "joint3", 1.2, by)) < 1e-9
    beyond = np.array([0.0, 0.5, 1.0, 2.0])
    was, now = (values_at(take_of(each), beyond)[:, channels] for each in (scene, after))
    assert now == pytest.approx(was, abs=1e-9)


@TOOLS
def test_hips_rotate_about_their_own_place_and_feet_that_were_to_stay_are_named(name):
    scene = characters.built_in("biped:walk")
    session, after = rotate(scene, name, "Hips", 7 / 24, [0.1, 0.1, 0.0])
    kinds = {take_of(scene).rig.channels.kind[c.address[-1]] for c in session.finish().changes}
    assert kinds <= {Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z}
    assert_forward_kinematics(scene, after, "Hips", 7 / 24)
    named = {note.blocker for note in session.notes()}
    assert "LeftToes contact" in named
    assert all("cm" in note.text for note in session.notes())


@given(
    seed=st.integers(0, 10_000),
    joint=st.integers(0, 8),
    by=st.tuples(*[st.floats(-1.2, 1.2)] * 3),
    time=st.sampled_from([0.0, 0.25, 0.5, 0.9]),
)
@examples(20, 60)
@TOOLS
def test_any_joint_of_any_rig_turns_alone(name, seed, joint, by, time):
    scene = scene_of(random_rig(seed, 9), seed)
    rig, before = take_of(scene).rig, scene
    joint = rig.names[joint]
    session, after = rotate(scene, name, joint, time, by)
    edit = session.finish()
    assert changed_joints(rig, edit) <= {joint}
    kinds = {Kind(rig.channels.kind[change.address[-1]]).group for change in edit.changes}
    assert kinds <= {"rotate", "quaternion"}
    assert np.isfinite(values_at(take_of(after), np.linspace(0, 1, 30))).all()
    assert_same_place(before, after, joint)
    assert same(edit.inverse().apply(after), before)
    missed = off(after, joint, time, wanted(scene, joint, time, by))
    notes = [note for note in session.notes() if note.kind == "residual"]
    if missed > 2e-4:
        assert notes[0].amount == pytest.approx(missed, rel=1e-3)
    else:
        assert not notes
    if name == "pose" and len(rotation_channels(rig, rig.joint(joint))) >= 3:
        assert missed < 1e-7
    if name == "tangent":
        for change in edit.changes:
            assert same(
                (change.before.time, change.before.value), (change.after.time, change.after.value)
            )


def assert_same_place(before, after, joint):
    """As `assert_forward_kinematics`, without rigidity: scales may shear what hangs on a joint."""
    rig = take_of(before).rig
    index, times = rig.joint(joint), np.linspace(0, 1, 9)
    was, now = worlds(before, times), worlds(after, times)
    assert same(was[:, ~below(rig, index)], now[:, ~below(rig, index)])
    assert np.abs(was[:, index, :3, 3] - now[:, index, :3, 3]).max() <= EXACT


@TOOLS
def test_the_edit_depends_on_the_start_and_the_last_gesture_only(name):
    scene, time = chain_scene(), 0.3
    ways = []
    for moves in ([], [[0.1, 0, 0], [2.0, 0.2, 0]], [[-0.5, 1.2, 0.3]]):
        session = tool(name).begin(scene, Target(), tool(name).Options())
        for by in (*moves, [0.4, -0.3, 0.2]):
            turned = wanted(scene, "joint2", time, by)
            preview = session.update(Drag(Point("joint2"), time, orientation=turned))
        ways.append(session.finish())
        assert same(preview.edit, ways[-1])
    assert same(ways[0], ways[1])
    assert same(ways[0], ways[2])


@TOOLS
@pytest.mark.parametrize("mode", ["joint", "keep ends", "body"])
def test_a_still_hand_gives_an_empty_edit(name, mode):
    scene = characters.built_in("biped:walk")
    session, _ = rotate(scene, name, "Chest", 7 / 24, [0.0, 0.0, 0.0], rotate=mode)
    assert session.finish().empty
    assert session.notes() == ()


@TOOLS
def test_outside_its_span_a_rotation_changes_nothing(name):
    scene = chain_scene()
    quarters = np.arange(0, 2.01, 1 / 96)
    alone = {"tangents": "broken"} if name == "tangent" else {}  # smooth keys take neighbours along
    session = tool(name).begin(scene, Target(), tool(name).Options(**alone))
    turned = wanted(scene, "joint1", 0.3, [0.5, 0.0, 0.2])
    low, high = session.update(Drag(Point("joint1"), 0.3, orientation=turned)).span
    assert low <= 0.3 <= high < 2.0
    outside = quarters[(quarters < low) | (quarters > high)]
    after = session.finish().apply(scene)
    assert same(*(values_at(take_of(each), outside) for each in (scene, after)))


@pytest.mark.parametrize("tangents", ["smooth", "unified"])
def test_smooth_keys_stay_smooth(tangents):
    scene = chain_scene()
    session, _ = rotate(scene, "tangent", "joint1", 0.8, [0.3, 0.2, 0.1], tangents=tangents)
    for change in session.finish().changes:
        middle = change.after.time.tolist().index(1.0)
        into, out = change.after.tangent[middle]
        assert abs(into[0] * out[1] - into[1] * out[0]) < 1e-9
    assert session.notes() == ()


def test_several_rotations_hold_at_once():
    scene = chain_scene()
    session = tool("tangent").begin(scene, Target(), tool("tangent").Options())
    asked = [
        ("joint2", 0.3, [0.2, 0, 0]),
        ("joint1", 0.3, [0, 0.3, 0]),
        ("joint1", 0.7, [0, 0, 0.2]),
    ]
    turns = [(joint, time, wanted(scene, joint, time, by)) for joint, time, by in asked]
    for joint, time, turned in turns:
        session.update(Drag(Point(joint), time, orientation=turned))
    after = session.finish().apply(scene)
    for joint, time, turned in turns:
        assert off(after, joint, time, turned) < 1e-9
    assert session.notes() == ()


@TOOLS
def test_a_drag_with_a_place_is_solved_for_the_body(name):
    scene, time = chain_scene(), 0.3
    start = trail(take_of(scene), Point("joint3"), [time]).position[0]
    turned = wanted(scene, "joint3", time, [0.1, 0.0, 0.1])
    session = tool(name).begin(scene, Target(), tool(name).Options())
    session.update(Drag(Point("joint3"), time, orientation=turned))
    session.update(Drag(Point("joint3"), time, position=start + [0.05, 0, 0], orientation=turned))
    after = session.finish().apply(scene)
    assert off(after, "joint3", time, turned) < 1e-3
    place = trail(take_of(after), Point("joint3"), [time]).position[0]
    assert place == pytest.approx(start + [0.05, 0, 0], abs=1e-3)


@TOOLS
def test_a_rotation_joined_by_a_drag_elsewhere_is_solved_with_it(name):
    scene, time = chain_scene(), 0.3
    start = trail(take_of(scene), Point("joint3"), [time]).position[0]
    turned = wanted(scene, "joint1", time, [0.1, 0.0, 0.1])
    session = tool(name).begin(scene, Target(), tool(name).Options())
    session.update(Drag(Point("joint1"), time, orientation=turned))
    session.update(Drag(Point("joint3"), time, position=start + [0.02, 0, 0]))
    after = session.finish().apply(scene)
    assert off(after, "joint1", time, turned) < 1e-3
    place = trail(take_of(after), Point("joint3"), [time]).position[0]
    assert place == pytest.approx(start + [0.02, 0, 0], abs=1e-3)


@pytest.mark.parametrize("joint", ["Chest", "Hips"])
def test_hands_and_feet_are_kept_in_place(joint):
    scene = characters.built_in("biped:walk")
    time, by = 7 / 24, [0.1, 0.15, 0.0]
    session, after = rotate(scene, "pose", joint, time, by, rotate="keep ends")
    rig = take_of(scene).rig
    was, now = worlds(scene, [time])[0], worlds(after, [time])[0]
    for end in ("LeftHand", "RightHand", "LeftFoot", "RightFoot"):
        assert np.abs(was[rig.joint(end)] - now[rig.joint(end)]).max() < 1e-5
    assert off(after, joint, time, wanted(scene, joint, time, by)) < 1e-9
    assert np.abs(was[rig.joint(joint), :3, 3] - now[rig.joint(joint), :3, 3]).max() <= EXACT
    assert session.notes() == ()


def test_motion_curves_keep_the_paths_of_hands_as_far_as_key_poses_allow():
    scene = characters.built_in("dinosaur:punch")
    time, by = 27 / 24, [0.1, 0.1, 0.0]
    slips = {}
    for mode in ("joint", "keep ends"):
        session, after = rotate(scene, "tangent", "Hips", time, by, rotate=mode)
        times = np.linspace(0, take_of(scene).duration, 60)
        feet = [take_of(scene).rig.joint(name) for name in ("LeftFoot", "RightFoot")]
        slip = worlds(scene, times)[:, feet, :3, 3] - worlds(after, times)[:, feet, :3, 3]
        slips[mode] = np.linalg.norm(slip, axis=-1).max()
        assert off(after, "Hips", time, wanted(scene, "Hips", time, by)) < 1e-9
    assert slips["keep ends"] < 0.1 * slips["joint"]
    noted = [note for note in session.notes() if note.blocker == "Tail9 contact"]
    assert noted  # a tail is neither hand nor foot


@TOOLS
def test_an_unknown_way_to_rotate_is_refused(name):
    with pytest.raises(BadValue, match="joint or keep ends or body"):
        tool(name).Options(rotate="sideways")


@TOOLS
def test_a_gesture_file_rotates_a_joint_or_the_body(name):
    gesture_file = {
        "scene": "biped:walk",
        "tool": name,
        "drags": [{"point": {"joint": "RightUpperLeg"}, "frame": 7, "turn": [0.1, 0.1, 0]}],
    }
    hip = characters.built_in("biped:walk").characters[0].rig.joint("RightUpperLeg")
    scene = replace(characters.built_in("biped:walk"), constraints=())
    moved = {}
    for mode in ("joint", "body"):
        after, (outcome,) = replay(
            parse_gesture_file(gesture_file | {"options": {"rotate": mode}}), scene
        )
        assert outcome.turn_error_rad < 1e-3
        was, now = (worlds(each, [7 / 24])[0, hip, :3, 3] for each in (scene, after))
        moved[mode] = np.abs(was - now).max()
    assert moved["joint"] <= EXACT < moved["body"]


@TOOLS
def test_a_session_aside_answers_as_the_first(name):
    scene = chain_scene(constraints=(Pin(Point("joint3"), 0, 2), Contact(Point("joint2"), 0, 1)))
    session, _ = rotate(scene, name, "joint1", 0.3, [0.4, 0.0, 0.1])
    aside = session.fork()
    turned = wanted(scene, "joint1", 0.3, [0.1, 0.0, 0.0])
    kept = session.finish()
    session.update(Drag(Point("joint1"), 0.3, orientation=turned))
    assert same(aside.finish(), kept)
    assert {note.blocker for note in aside.notes()} == {"joint3 pin", "joint2 contact"}
