"""The activity tool on a biped that pours tea."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.characters.skeleton import Joint, root, skeleton
from arcwright.characters.tableware import Teapot
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable
from arcwright.scene.target import Target
from arcwright.tools.activity.new_props import SwappedProp
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.reach import limb_of
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle

POUR = 4  # index of the event


@pytest.fixture(scope="module")
def tea():
    return arcwright.read("biped:tea")


def begun(scene, **options):
    return ActivityTool().begin(scene, Target(), ActivityOptions(**options))


def tracks(scene):
    prepared = PreparedActivity(scene, Target(), 0.0)
    return prepared, prepared.tracks


def dragged(scene, element, event, by, **options):
    session = begun(scene, **options)
    prepared, found = tracks(scene)
    start = found[element].position[prepared.frames[event]]
    time = scene.activities[0].events[event].time
    session.update(
        Drag(ToolHandle(f"{element} at frame {prepared.frames[event]}"), time, start + by)
    )
    return session, session.finish()


def placed_apart(found, pair, frames):
    """(T, 3) where one point is from the other, in the other's frame."""
    own, leader = (found[name.partition(".")[0]] for name in pair)
    away = own.anchor_path(pair[0]) - leader.anchor_path(pair[1])
    turned = np.stack([_back(q, v) for q, v in zip(leader.orientation, away, strict=True)])
    return turned[frames]


def _back(quaternion, vector):
    conjugate = quaternion * [1, -1, -1, -1]
    return quaternion_multiply(quaternion_multiply(conjugate, np.append(0.0, vector)), quaternion)[
        1:
    ]


@pytest.mark.parametrize("by", [(0.12, 0, 0.05), (-0.1, 0, 0.08), (0, 0.06, 0)])
def test_pairs_hold_over_all_of_their_frames_when_the_cup_moves(tea, by):
    _, edit = dragged(tea, "cup", POUR, np.array(by))
    prepared, before = tracks(tea)
    _, after = tracks(edit.apply(tea))
    for hold in prepared.holds:
        pair = hold.pair.constrained, hold.pair.constraining
        old, new = (placed_apart(found, pair, hold.frames) for found in (before, after))
        assert np.linalg.norm(new - old, axis=1).max() < 0.002


def test_what_is_not_edited_stays_at_its_events(tea):
    _, edit = dragged(tea, "cup", POUR, np.array([0.1, 0, 0.06]))
    prepared, before = tracks(tea)
    _, after = tracks(edit.apply(tea))
    frames = [prepared.frames[event] for event in (0, 1, 2, 7, 8)]
    moved = after["right hand"].position[frames] - before["right hand"].position[frames]
    assert np.abs(moved).max() < 0.001
    rests = slice(0, prepared.frames[2])
    assert np.abs(after["pot"].position - before["pot"].position)[rests].max() < 1e-9


def test_what_is_moved_away_from_what_it_is_paired_with_gets_there_with_a_note(tea):
    by = np.array([-0.05, 0.08, -0.04])
    session, edit = dragged(tea, "pot", POUR, by)
    assert any("no longer keeps to cup.rim" in note.text for note in session.notes())
    prepared, before = tracks(tea)
    _, after = tracks(edit.apply(tea))
    frame = prepared.frames[POUR]
    for name in ("pot", "right hand"):
        moved = after[name].position[frame] - before[name].position[frame]
        np.testing.assert_allclose(moved, by, atol=0.001)


def test_a_resting_object_is_moved_wherever_it_rests(tea):
    by = np.array([0.1, 0.0, 0.05])
    _, edit = dragged(tea, "cup", POUR, by)
    _, before = tracks(tea)
    _, after = tracks(edit.apply(tea))
    np.testing.assert_allclose(
        after["cup"].position - before["cup"].position,
        np.tile(by, (len(before["cup"].position), 1)),
    )


def test_an_element_that_follows_another_moves_that_one_instead(tea):
    session = begun(tea)
    prepared, found = tracks(tea)
    at = found["right hand"].position[prepared.frames[2]]
    by = np.array([0.05, 0.0, 0.02])
    session.update(Drag(ToolHandle("right hand at frame 46"), 0.0, at + by))
    assert "pot" in session.finish().label


def test_what_may_not_be_moved_is_refused_with_what_may(tea):
    with pytest.raises(BadValue, match="cup at frame 64"):
        begun(tea).update(Drag(ToolHandle("cup at frame 38"), 0.0, np.zeros(3)))
    with pytest.raises(BadValue, match="may be moved at 'reach': expected none"):
        begun(tea).update(Drag(ToolHandle("right hand at frame 14"), 0.0, np.zeros(3)))


def test_a_target_out_of_reach_stops_at_the_border_with_a_note(tea):
    session, edit = dragged(tea, "cup", POUR, np.array([0.0, 0.0, 1.5]))
    assert any("out of reach" in note.text for note in session.notes())
    _, before = tracks(tea)
    _, after = tracks(edit.apply(tea))
    far = np.linalg.norm(after["cup"].position - before["cup"].position, axis=1).max()
    assert 0.05 < far < 1.0


def test_a_finger_of_a_hand_with_a_thumb_reaches_as_far_as_its_arm():
    names = ["Hips", "Chest", "LeftArm", "LeftForeArm", "LeftHand", "LeftIndex", "LeftThumb"]
    parents = ("Hips", "Chest", "LeftArm", "LeftForeArm", "LeftHand", "LeftHand")
    joints = [root("Hips", (0.0, 1.0, 0.0))]
    for at, (name, parent) in enumerate(zip(names[1:], parents, strict=True)):
        joints.append(Joint(name, parent, (0.25 * at, 1.2, 0.0)))
    joints.append(Joint("RightArm", "Chest", (-0.25, 1.2, 0.0)))
    rig = skeleton(joints)
    limb = [rig.names[each] for each in limb_of(rig, Point("LeftIndex"))]
    assert limb == ["LeftArm", "LeftForeArm", "LeftHand", "LeftIndex"]


def test_a_body_walks_to_a_cup_out_of_reach_and_feet_do_not_slide(tea):
    session, edit = dragged(tea, "cup", POUR, np.array([0.9, 0.0, 0.3]), out_of_reach="walk")
    after = edit.apply(tea)
    assert not session.notes()
    take = after.characters[0].takes[0]
    assert take.duration > tea.characters[0].takes[0].duration
    for contact in after.contacts:
        if contact.point.joint.endswith("Foot") and contact.relative_to is None:
            times = take.frame_times()
            inside = times[(times >= contact.start) & (times <= contact.end)]
            path = arcwright.trail(take, contact.point.joint, inside).position
            steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
            assert np.median(steps) < 5e-4  # of a foot that stands most of this time


def test_events_are_retimed_with_all_that_plays_beside(tea):
    session = begun(tea)
    time = tea.activities[0].events[POUR].time
    session.update(Drag(ToolHandle("cup at frame 86"), time, to_time=time + 0.4))
    after = session.finish().apply(tea)
    event = after.activities[0].events[POUR]
    assert event.time == pytest.approx(time + 0.4, abs=0.02)
    assert after.characters[0].takes[0].duration == pytest.approx(
        tea.characters[0].takes[0].duration, abs=1e-6
    )
    prepared, before = tracks(tea)
    later, moved = tracks(after)
    old, new = prepared.frames[POUR], later.frames[POUR]
    assert np.abs(before["pot"].position[old] - moved["pot"].position[new]).max() < 0.002


def test_a_retimed_event_previews_the_body_and_the_props_as_they_will_be(tea):
    session, prepared = begun(tea), tracks(tea)[0]
    time = prepared.times[prepared.frames[POUR]]
    handle = ToolHandle(f"pot at frame {prepared.frames[POUR]}")
    preview = session.update(Drag(handle, time, to_time=time + 0.3))
    after = session.finish().apply(tea)
    assert {each.target.character for each in preview.poses} == {"biped", "Pot"}
    for pose in preview.poses:
        assert pose.time == time
        take = after.actor(pose.target.character).take(pose.target.take)
        np.testing.assert_allclose(pose.values, values_at(take, [time])[0], atol=0.01)
    still = values_at(tea.characters[0].takes[0], [time])[0]
    assert np.abs(preview.poses[0].values - still).max() > 0.05


@pytest.mark.parametrize("result", ["layer", "keys", "samples"])
def test_the_result_is_a_layer_keys_or_samples(tea, result):
    _, edit = dragged(tea, "cup", POUR, np.array([0.1, 0, 0.05]), result=result)
    after = edit.apply(tea)
    take = after.characters[0].takes[0]
    assert len(take.layers) == (result == "layer")
    assert type(take.base).__name__ == ("Motion" if result == "samples" else "Clip")
    assert edit.inverse().apply(after).characters[0].takes[0].layers == ()


def test_gaze_follows_the_cup(tea):
    _, edit = dragged(tea, "cup", POUR, np.array([0.15, 0, 0.0]))
    frame = PreparedActivity(tea, Target(), 0.0).frames[POUR]
    for scene, turned in ((tea, False), (edit.apply(tea), True)):
        take = scene.characters[0].takes[0]
        found = arcwright.trail(take, "Head", take.frame_times())
        if not turned:
            before = found.orientation[frame]
    between = quaternion_multiply(found.orientation[frame], before * [1, -1, -1, -1])
    angle = 2 * np.arccos(min(abs(between[0]), 1.0))
    assert np.radians(3) < angle < np.radians(40)


def test_gaze_stays_within_joint_limits(tea):
    _, edit = dragged(tea, "cup", POUR, np.array([-0.13, -0.18, -0.66]))
    take = edit.apply(tea).characters[0].takes[0]
    before = tea.characters[0].takes[0]
    table = take.rig.channels
    own = [take.rig.names[joint] in ("Neck", "Head") for joint in table.joint]
    beyond = [
        np.maximum(values - table.high, table.low - values)[:, own].clip(0)
        for values in (values_at(each, each.frame_times()) for each in (before, take))
    ]
    assert (beyond[1] - beyond[0]).max() < np.radians(0.5)


def test_rotating_the_pot_turns_the_hand_that_holds_it(tea):
    session = begun(tea)
    prepared, found = tracks(tea)
    frame = prepared.frames[POUR]
    turn = quaternion_from_vector(np.array([0.0, 0.3, 0.0]))
    goal = quaternion_multiply(turn, found["pot"].orientation[frame])
    time = tea.activities[0].events[POUR].time
    session.update(Drag(ToolHandle("pot at frame 86"), time, orientation=goal))
    _, after = tracks(session.finish().apply(tea))
    hand = after["right hand"].orientation[frame]
    expected = quaternion_multiply(turn, found["right hand"].orientation[frame])
    assert abs(abs(hand @ expected) - 1) < 1e-4
    spout = after["pot"].anchor_path("pot.spout")[frame]
    assert np.linalg.norm(spout - found["pot"].anchor_path("pot.spout")[frame]) < 0.002


def test_a_scaled_cup_keeps_its_hand_outside_and_its_rim_under_the_spout(tea):
    session = begun(tea)
    time = tea.activities[0].events[POUR].time
    session.update(Drag(ToolHandle("cup at frame 86"), time, scale=np.full(3, 1.5)))
    edit = session.finish()
    after = edit.apply(tea)
    prepared, before = tracks(tea)
    _, found = tracks(after)
    rim = tea.activities[0].object("cup").anchor("rim")
    np.testing.assert_allclose(after.activities[0].object("cup").anchor("rim"), 1.5 * rim)
    apart = [
        each["pot"].anchor_path("pot.spout") - each["cup"].anchor_path("cup.rim")
        for each in (before, found)
    ]
    pouring = slice(prepared.frames[POUR], prepared.frames[POUR + 1] + 1)
    assert np.abs(apart[1] - apart[0])[pouring].max() < 0.002
    hands = [
        np.linalg.norm(each["left hand"].position - each["cup"].position, axis=1)[86]
        for each in (before, found)
    ]
    assert hands[1] > hands[0]
    assert same(edit.inverse().apply(after), tea)


@pytest.mark.parametrize("spout", [0.08, 0.2])
def test_another_pot_pours_into_the_same_cup(tea, spout):
    new = Teapot(spout_length=spout)
    about = new.object()
    session = begun(tea)
    session.swap("pot", SwappedProp(new.prop(), about.anchor_names, about.anchor_offsets))
    after = session.finish().apply(tea)
    prepared, before = tracks(tea)
    _, found = tracks(after)
    pouring = slice(prepared.frames[POUR], prepared.frames[POUR + 1] + 1)
    apart = [
        each["pot"].anchor_path("pot.spout") - each["cup"].anchor_path("cup.rim")
        for each in (before, found)
    ]
    assert np.abs(apart[1] - apart[0])[pouring].max() < 0.002
    held = slice(prepared.frames[1], prepared.frames[-1] + 1)
    grip = placed_apart(found, ("right hand", "pot.handle"), held)
    assert np.ptp(grip, axis=0).max() < 0.004


def fixed(prop):
    """A prop as files have it that nothing animates: in its place, without channels."""
    rig = prop.rig
    place = rig.offset + rig.channels.default[:3]
    return replace(prop, rig=replace(rig, offset=place, channels=ChannelTable.of([], [])))


def test_the_range_of_a_retimed_event_covers_both_of_its_sides(tea):
    session = begun(tea)
    preview = session.update(Drag(ToolHandle("pot at frame 86"), 86 / 30, to_time=96 / 30))
    first, last = (30 * time for time in preview.span)
    assert 60 < first < 75
    assert 115 < last < 135


def test_a_prop_of_a_file_without_animation_is_moved_rotated_and_undone(tea):
    cup = tea.actor("Cup")
    still = replace(tea, props=tuple(fixed(each) if each is cup else each for each in tea.props))
    by = np.array([0.1, 0.0, 0.05])
    _, edit = dragged(still, "cup", POUR, by)
    (_, before), (_, after) = tracks(tea), tracks(edit.apply(still))
    moved = after["cup"].position - before["cup"].position
    np.testing.assert_allclose(moved, np.tile(by, (len(moved), 1)), atol=1e-9)
    assert same(edit.inverse().apply(edit.apply(still)), still)
    session = begun(still)
    turn = quaternion_from_vector(np.array([0.0, 0.4, 0.0]))
    goal = quaternion_multiply(turn, before["cup"].orientation[86])
    time = tea.activities[0].events[POUR].time
    session.update(Drag(ToolHandle("cup at frame 86"), time, orientation=goal))
    _, rotated = tracks(session.finish().apply(still))
    assert abs(abs(rotated["cup"].orientation[86] @ goal) - 1) < 1e-6


def test_a_prop_of_a_file_without_animation_takes_the_place_of_the_pot(tea):
    about = tea.activity("tea").object("pot")
    new = fixed(Teapot(spout_length=0.08).prop())
    session = begun(tea)
    session.swap("pot", SwappedProp(new, about.anchor_names, about.anchor_offsets))
    (_, before), (_, after) = tracks(tea), tracks(session.finish().apply(tea))
    np.testing.assert_allclose(after["pot"].position[0], before["pot"].position[0], atol=1e-6)
    assert np.ptp(after["pot"].position, axis=0).max() > 0.05
