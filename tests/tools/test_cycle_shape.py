"""Shaping a loop: drags of its curve, arrows, ticks and channels; settings of the whole loop."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright import read
from arcwright.arrays import same
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Extrapolation, Interpolation
from arcwright.scene.history import History
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.shaping.loop_timing import Tick
from arcwright.tools.cycle.shaping.shape import Shaping
from arcwright.tools.cycle.shaping.shaped_clip import ShapedClip
from arcwright.tools.cycle.shaping.time_keys import CycleKeys, TimeEdit, groups_of
from arcwright.tools.gesture import Drag, Setting, ToolHandle
from arcwright.tools.shared.joint_rotation import rotation_channels
from data import DATA, needs_data
from loops import BALL, BUILT_IN, ball_scene, looping, seam, take_of
from random_cases import examples

HIT = 1e-4  # m


def at(take, point, time):
    return trail(take, point, [time]).position[0]


def after(session):
    edit = session.finish()
    return take_of(edit.apply(session.scene), session._target)


def frames_of(take, per_frame=1):
    return np.arange(round(take.duration * take.rate * per_frame) + 1) / take.rate / per_frame


@st.composite
def drags(draw):
    """A loop of a built-in, and up to three drags of its points, near and far."""
    scene, target = looping(*draw(st.sampled_from(BUILT_IN)))
    take = take_of(scene, target)
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    found = []
    for _ in range(draw(st.integers(1, 3))):
        joint = take.rig.names[random.integers(len(take.rig.names))]
        point = Point(joint, random.normal(0, 0.02, 3) * random.integers(2))
        time = float(random.choice([random.uniform(0, take.duration), random.integers(24) / 24]))
        time = min(time, take.duration)
        there = trail(take, point, [time])
        kind = draw(st.sampled_from(["position", "position", "orientation", "time"]))
        size = 10 ** random.uniform(-3, -0.7)
        if kind == "position":
            wanted = {"position": there.position[0] + random.normal(0, size, 3)}
        elif kind == "orientation":
            turn = quaternion_from_vector(random.normal(0, 0.4, 3))
            wanted = {"orientation": quaternion_multiply(turn, there.orientation[0])}
        else:
            wanted = {"to_time": time + float(random.uniform(-0.08, 0.08))}
        found.append(Drag(point, time, **wanted))
    options = CycleOptions(affected_range=draw(st.sampled_from([0.03, 0.25, 0.6])))
    return scene, target, found, options


def dragged(session, gestures):
    """Follows drags, but those that a rig cannot follow."""
    rig = take_of(session.scene, session._target).rig
    previews = []
    for each in gestures:
        turns = rotation_channels(rig, rig.joint(each.point.joint))
        if each.only_rotates and not len(turns):
            with pytest.raises(BadValue, match="rotation channels"):
                session.update(each)
        else:
            previews.append(session.update(each))
    return previews


@given(case=drags())
@examples(8, 300)
def test_random_drags_keep_a_loop_closed_and_can_be_undone(case):
    scene, target, gestures, options = case
    session = Shaping(scene, target, options)
    previews = dragged(session, gestures)
    edit = session.finish()
    history = History(scene).do(edit)
    assert same(history.undo().scene, scene)
    before, now = take_of(scene, target), take_of(history.scene, target)
    values = values_at(now, frames_of(now, 4))
    assert np.isfinite(values).all()
    gap, slope = seam(now)
    old_gap, old_slope = seam(before)
    if not any(each.to_time for each in gestures):
        assert gap == pytest.approx(old_gap, abs=1e-9)
        assert slope == pytest.approx(old_slope, abs=1e-2)
    if previews and gestures[-1].position is not None and len(gestures) == 1:
        away = np.linalg.norm(at(now, gestures[0].point, gestures[0].time) - gestures[0].position)
        assert away < HIT or any(each.kind == "residual" for each in session.notes())
        assert away == pytest.approx(previews[-1].drag.remaining, abs=1e-6)


@given(case=drags(), seed=st.integers(0, 99))
@examples(4, 100)
def test_only_the_latest_of_each_drag_counts(case, seed):
    scene, target, gestures, options = case
    random = np.random.default_rng(seed)
    direct, moved = Shaping(scene, target, options), Shaping(scene, target, options)
    for each in gestures:
        if each.position is not None:
            moved.update(replace(each, position=each.position + random.normal(0, 0.05, 3)))
            assert moved._drags
    dragged(moved, gestures)
    dragged(direct, gestures)
    assert same(moved.finish(), direct.finish())


@pytest.mark.parametrize(("name", "take"), BUILT_IN)
def test_a_still_hand_gives_an_empty_edit(name, take):
    scene, target = looping(name, take)
    played = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions())
    for joint in played.rig.names[:6]:
        there = trail(played, Point(joint), [0.25])
        session.update(Drag(Point(joint), 0.25, position=there.position[0]))
        session.update(Drag(Point(joint), 0.5, to_time=0.5))
    assert session.finish().empty


def test_a_drag_moves_the_loop_around_it_and_nothing_else():
    scene, target = ball_scene()
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions(affected_range=0.25))
    goal = at(take, BALL, 15 / 24) + [0.1, 0.2, 0.0]
    preview = session.update(Drag(BALL, 15 / 24, position=goal))
    now = after(session)
    assert at(now, BALL, 15 / 24) == pytest.approx(goal, abs=1e-9)
    times = frames_of(take, 4)
    shift = np.linalg.norm(
        trail(now, BALL, times).position - trail(take, BALL, times).position, axis=1
    )
    outside = np.abs(times - 15 / 24) >= 0.25
    assert shift[outside].max() < 1e-12
    assert shift.argmax() == 60
    assert (np.diff(shift[38:61]) > -2e-3).all()
    assert (np.diff(shift[60:83]) < 2e-3).all()
    low, high = preview.span
    assert low <= 15 / 24 - 0.25
    assert high >= 15 / 24 + 0.25


@pytest.mark.parametrize("extrapolation", [Extrapolation.HOLD, Extrapolation.CYCLE])
def test_a_drag_at_the_seam_goes_over_it(extrapolation):
    scene, target = ball_scene(extrapolation=extrapolation)
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions(affected_range=0.3))
    for time in (0.0, take.duration):  # the same frame
        other = Shaping(scene, target, CycleOptions(affected_range=0.3))
        goal = at(take, BALL, time) + [0.0, 0.2, 0.0]
        for each in (session, other):
            each.update(Drag(BALL, time, position=goal))
        now = after(other)
        for end in (0.0, take.duration):
            assert at(now, BALL, end) == pytest.approx(goal, abs=1e-9)
        gap, slope = seam(now)
        assert np.abs(gap).max() < 1e-9
        assert np.abs(slope).max() < 1e-3
        moved = trail(now, BALL, [0.1]).position - trail(take, BALL, [0.1]).position
        assert moved[0, 1] > 0.1
        assert (
            trail(now, BALL, [take.duration - 0.1]).position[0, 1]
            > 0.1 + trail(take, BALL, [take.duration - 0.1]).position[0, 1]
        )


def test_joints_stay_within_the_tolerance_and_smaller_ones_need_more_keys():
    scene, target = looping("biped", "walk")
    point, counts = Point("LeftHand"), []
    take = take_of(scene, target)
    for tolerance in (0.02, 0.005, 0.0005):
        session = Shaping(scene, target, CycleOptions(tolerance=tolerance))
        session.update(Drag(point, 0.3, position=at(take, point, 0.3) + [0.0, 0.1, 0.05]))
        stage = session._current().stage
        now = after(session)
        counts.append(now.base.key_count)
        made = trail(now, point, stage.frames.times).position
        wanted = replace(take, base=Motion("m", stage.frames.times, stage.values))
        aim = trail(wanted, point, stage.frames.times).position
        assert np.linalg.norm(made - aim, axis=1).max() <= tolerance
    assert counts == sorted(counts)


def test_channels_of_a_body_that_hardly_change_get_no_keys():
    scene, target = looping("biped", "walk")
    take, hand = take_of(scene, target), Point("LeftHand")
    session = Shaping(scene, target, CycleOptions())
    goal = at(take, hand, 0.45) + [0.05, 0.04, 0.04]
    session.update(Drag(hand, 0.45, position=goal))
    now, stage = after(session), session._loop.stage
    moved = [a is not b for a, b in zip(take.base.curves, now.base.curves, strict=True)]
    change = np.abs(stage.values - stage.frames.was).max(axis=0) * stage.clip.metres
    tolerance = CycleOptions().tolerance
    assert (change > 0).sum() > sum(moved) > 0
    assert change[~np.array(moved)].max() < tolerance / 4
    assert at(now, hand, 0.45) == pytest.approx(goal, abs=1e-7)
    shown = forward(take.rig, values_at(now, stage.frames.times))[..., :3, 3]
    off = shown - forward(take.rig, stage.values)[..., :3, 3]
    assert np.linalg.norm(off, axis=-1).max() <= tolerance


def test_an_arrow_rotates_its_joint_in_place():
    scene, target = looping("biped", "walk")
    take, hand = take_of(scene, target), Point("LeftUpperArm")
    there = trail(take, hand, [0.3])
    turn = quaternion_from_vector(np.array([0.1, 0.2, -0.1]))
    goal = quaternion_multiply(turn, there.orientation[0])
    session = Shaping(scene, target, CycleOptions())
    session.update(Drag(hand, 0.3, orientation=goal))
    assert not session.notes() or session.notes()[0].kind != "residual"
    now = after(session)
    times = frames_of(take, 2)
    assert abs(trail(now, hand, [0.3]).orientation[0] @ goal) == pytest.approx(1, abs=1e-12)
    assert trail(now, hand, times).position == pytest.approx(trail(take, hand, times).position)
    apart = np.abs(
        (trail(now, hand, times).orientation * trail(take, hand, times).orientation).sum(1)
    )
    assert apart[np.abs(times - 0.3) >= 0.25].min() == pytest.approx(1, abs=1e-12)


def test_scale_is_spread_and_refused_where_there_is_none():
    scene, target = ball_scene()
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions())
    session.update(Drag(BALL, 0.5, scale=[2.0, 1.0, 0.5]))
    was, now = (values_at(each, np.array([0.5]))[0, 6:9] for each in (take, after(session)))
    assert now == pytest.approx(was * [2.0, 1.0, 0.5])
    scene, target = looping("biped", "walk")
    session = Shaping(scene, target, CycleOptions())
    with pytest.raises(BadValue, match="scale channels"):
        session.update(Drag(Point("Head"), 0.5, scale=[2, 2, 2]))
    assert session.finish().empty


@pytest.mark.parametrize("mode", [Interpolation.LINEAR, Interpolation.SLERP])
def test_straight_segments_and_quaternions_are_shaped_too(mode):
    scene, target = ball_scene(mode=mode)
    take = take_of(scene, target)
    there = trail(take, BALL, [0.6])
    goal = quaternion_multiply(quaternion_from_vector(np.array([0, 0.5, 0])), there.orientation[0])
    session = Shaping(scene, target, CycleOptions(affected_range=0.2))
    session.update(Drag(BALL, 0.6, position=there.position[0] + [0, 0.1, 0], orientation=goal))
    now, times = after(session), frames_of(take, 4)
    found = trail(now, BALL, [0.6])
    assert found.position[0] == pytest.approx(there.position[0] + [0, 0.1, 0], abs=1e-9)
    assert abs(found.orientation[0] @ goal) == pytest.approx(1, abs=1e-9)
    outside = times[np.abs(times - 0.6) >= 0.2]
    assert values_at(now, outside) == pytest.approx(values_at(take, outside), abs=1e-9)


def test_a_tick_shows_the_moment_it_is_dragged_to():
    scene, target = looping("biped", "walk")
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions())
    ticks = {10: 11.3, 14: 13.2}
    for frame, shown in ticks.items():
        preview = session.update(Drag(Point("Hips"), frame / 24, to_time=shown / 24))
    now = after(session)
    for frame, shown in ticks.items():
        expected = values_at(take, np.array([shown / 24]))
        assert values_at(now, np.array([frame / 24])) == pytest.approx(expected, abs=1e-9)
    times = frames_of(take, 4)
    outside = times[(times < 4 / 24) | (times > 20 / 24)]
    assert values_at(now, outside) == pytest.approx(values_at(take, outside), abs=1e-12)
    assert now.duration == take.duration
    assert preview.poses[0].values == pytest.approx(
        values_at(now, np.array([14 / 24]))[0], abs=1e-9
    )


def test_a_tick_at_the_seam_keeps_the_loop_closed():
    scene, target = ball_scene()
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions())
    session.update(Drag(BALL, 0.0, to_time=2 / 24))
    now = after(session)
    gap, slope = seam(now)
    assert np.abs(gap).max() < 1e-9
    assert np.abs(slope).max() < 1e-3
    assert at(now, BALL, 0.0) == pytest.approx(at(take, BALL, 2 / 24), abs=1e-9)
    assert at(now, BALL, 1.0) == pytest.approx(at(take, BALL, 1.0), abs=1e-12)


def test_only_the_item_is_retimed_on_request():
    scene, target = looping("biped", "walk")
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions(retime="item"))
    session.update(Drag(Point("LeftHand"), 0.5, to_time=13.5 / 24))
    edit = session.finish()
    joints = {take.rig.names[take.rig.channels.joint[each.address[-1]]] for each in edit.changes}
    assert joints
    assert all(joint.startswith("Left") for joint in joints)


@pytest.mark.parametrize("spread", [0.4, -0.8])
def test_the_wheel_spreads_and_tightens_frames(spread):
    scene, target = ball_scene()
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions())
    session.update(Drag(BALL, 15 / 24, time_scale=spread))
    now = after(session)
    around = np.array([14, 15, 16]) / 24
    steps = [
        np.linalg.norm(np.diff(trail(each, BALL, around).position, axis=0)) for each in (take, now)
    ]
    assert (steps[1] > steps[0]) == (spread > 0)
    assert at(now, BALL, 15 / 24) == pytest.approx(at(take, BALL, 15 / 24), abs=1e-9)


def test_a_tick_that_is_blocked_gets_a_note():
    scene, target = ball_scene()
    session = Shaping(scene, target, CycleOptions())
    session.update(Drag(BALL, 10 / 24, to_time=10 / 24))
    preview = session.update(Drag(BALL, 11 / 24, to_time=6 / 24))
    assert any("frames short" in note.text for note in preview.notes)
    assert not session.finish().empty


def test_a_channel_is_dragged_by_its_handle():
    scene, target = ball_scene()
    take = take_of(scene, target)
    name = "joint0.weight.grin"
    channel = take.rig.channel(name)
    session = Shaping(scene, replace(target, channels=(name,)), CycleOptions())
    preview = session.update(Drag(ToolHandle(f"channel:{name}"), 0.5, position=[0, 0.9, 0]))
    assert preview.drag.remaining < 1e-12
    assert {overlay.name for overlay in preview.overlays} == {f"channel:{name}"}
    edit = session.finish()
    assert [change.address[-1] for change in edit.changes] == [channel]
    assert values_at(after(session), np.array([0.5]))[0, channel] == pytest.approx(0.9)
    with pytest.raises(UnknownName):
        session.update(Drag(ToolHandle("channel:joint0.weight.frown"), 0.5, position=[0, 1, 0]))
    with pytest.raises(BadValue, match="a point of a character"):
        session.update(Drag(ToolHandle("root"), 0.5, position=[0, 1, 0]))
    assert same(session.finish(), edit)


def test_a_channel_is_dragged_at_the_end_of_a_loop_that_travels():
    scene, target = looping("spider", "walk")
    take, session = take_of(scene, target), Shaping(scene, target, CycleOptions())
    name = take.rig.channel_names[int(np.abs(seam(take)[0]).argmax())]
    channel, end = take.rig.channel(name), take.duration
    was = values_at(take, np.array([0.0, end]))[:, channel]
    session.update(Drag(ToolHandle(f"channel:{name}"), end, position=[end, was[1] + 0.1, 0]))
    now = values_at(after(session), np.array([0.0, end]))[:, channel]
    assert now == pytest.approx(was + 0.1, abs=1e-9)


def test_a_range_that_meets_itself_beside_the_seam_adds_no_key_there():
    scene, target = looping("biped", "walk")
    take, arm = take_of(scene, target), Point("LeftUpperArm")
    session = Shaping(scene, target, CycleOptions(affected_range=21.16 / 24))
    session.update(Drag(arm, 21.172 / 24, position=at(take, arm, 21.172 / 24) + [0.02, 0.1, 0]))
    for curve in after(session).base.curves:
        assert curve is None or len(curve) == 1 or np.diff(curve.time).min() > 0.1 / 24


def test_a_layer_of_half_a_period_is_edited_within_its_own():
    scene, target = ball_scene(extrapolation=Extrapolation.CYCLE)
    take = take_of(scene, target)
    half = tuple(
        replace(curve, time=curve.time / 2, tangent=curve.tangent * [0.5, 1.0])
        for curve in take.base.curves
    )
    layer = replace(take, base=replace(take.base, curves=half))
    scene = replace(scene, props=(replace(scene.props[0], takes=(layer,)),))
    session = Shaping(scene, target, CycleOptions(affected_range=0.2))
    goal = at(layer, BALL, 10 / 24) + [0, 0.1, 0]
    session.update(Drag(BALL, 10 / 24, position=goal))
    now = after(session)
    assert at(now, BALL, 10 / 24) == pytest.approx(goal, abs=1e-9)
    assert at(now, BALL, 30 / 24) == pytest.approx(goal, abs=1e-9)
    assert np.ptp(now.base.curves[0].time) == pytest.approx(20 / 24)
    assert any("repeats" in note.text for note in session.notes())
    again = Shaping(scene, target, CycleOptions())
    again.update(Drag(BALL, 10 / 24, to_time=11 / 24))
    now = after(again)
    for frame in (10, 30):
        expected = at(layer, BALL, (frame + 1) / 24)
        assert at(now, BALL, frame / 24) == pytest.approx(expected, abs=1e-9)


def test_the_length_of_a_loop_is_set():
    scene, target = looping("biped", "walk")
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions())
    preview = session.update(Setting(CycleOptions(loop_period=1.5)))
    now = after(session)
    assert now.duration == 1.5
    assert now.base.key_count == take.base.key_count
    times = np.linspace(0, 1, 33)
    assert values_at(now, 1.5 * times) == pytest.approx(values_at(take, times), abs=1e-9)
    assert preview.span == (0.0, 1.5)
    assert History(scene).do(session.finish()).undo().scene is not None
    assert same(History(scene).do(session.finish()).undo().scene, scene)


@pytest.mark.parametrize("extrapolation", [Extrapolation.HOLD, Extrapolation.CYCLE])
@pytest.mark.parametrize("phase", [0.2, -0.35, 10 / 24, 5.0])
def test_the_phase_of_an_item_is_shifted_over_the_seam(extrapolation, phase):
    scene, target = ball_scene(extrapolation=extrapolation)
    take = take_of(scene, target)
    session = Shaping(scene, replace(target, point=BALL), CycleOptions())
    session.set_options(CycleOptions(phase=phase))
    now = after(session)
    times = np.linspace(0, take.duration, 81)[:-1]
    expected = values_at(take, (times - phase) % take.duration)
    assert values_at(now, times) == pytest.approx(expected, abs=1e-9)
    gap, slope = seam(now)
    assert np.abs(gap).max() < 1e-9
    assert np.abs(slope).max() < 1e-3
    for old, new in zip(take.base.curves, now.base.curves, strict=True):
        assert len(new) <= len(old) + 1
        assert np.isin(np.round(old.value, 9), np.round(new.value, 9)).all()


def test_a_travelling_root_goes_on_after_its_phase_was_shifted():
    scene, target = looping("biped", "walk")
    take = take_of(scene, target)
    session = Shaping(scene, replace(target, channels=("Hips.translate.z",)), CycleOptions())
    session.set_options(CycleOptions(phase=0.25))
    now, channel = after(session), take.rig.channel("Hips.translate.z")
    times = np.linspace(0, 1, 21)
    found = values_at(now, times)[:, channel]
    assert found == pytest.approx(values_at(take, times - 0.25)[:, channel], abs=1e-9)


def test_settings_count_without_a_drag_only():
    scene, target = ball_scene()
    assert Shaping(scene, target, CycleOptions(phase=0.2, loop_period=3.0)).finish().empty
    session = Shaping(scene, target, CycleOptions(phase=0.2, loop_period=3.0))
    goal = at(take_of(scene, target), BALL, 0.5) + [0.1, 0, 0]
    session.update(Drag(BALL, 0.5, position=goal))
    assert after(session).duration == take_of(scene, target).duration
    plain = Shaping(*ball_scene(loops=False), CycleOptions())
    preview = plain.set_options(CycleOptions(phase=0.2))
    assert plain.finish().empty
    assert "loops" in preview.notes[0].text


def test_a_take_that_does_not_loop_is_shaped_without_wrapping():
    scene, target = ball_scene(loops=False)
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions(affected_range=0.2))
    goal = at(take, BALL, 0.05) + [0, 0.2, 0]
    preview = session.update(Drag(BALL, 0.05, position=goal))
    now = after(session)
    assert at(now, BALL, 0.05) == pytest.approx(goal, abs=1e-9)
    assert at(now, BALL, take.duration) == pytest.approx(at(take, BALL, take.duration), abs=1e-12)
    assert not any(getattr(overlay, "closed", False) for overlay in preview.overlays)


def test_previews_agree_with_what_finishing_gives():
    scene, target = looping("biped", "walk")
    take, hand = take_of(scene, target), Point("LeftHand")
    session = Shaping(scene, target, CycleOptions())
    goal = at(take, hand, 0.3)
    for step in np.linspace(0.01, 0.12, 12):
        preview = session.update(Drag(hand, 0.3, position=goal + [0, step, 0]))
        shown = take_of(preview.edit.apply(scene), target)
        times = frames_of(take)
        apart = trail(shown, hand, times).position - trail(after(session), hand, times).position
        assert np.linalg.norm(apart, axis=1).max() <= 2 * CycleOptions().tolerance
        here = trail(shown, hand, [0.3]).position[0]
        assert here == pytest.approx(preview.drag.position, abs=1e-9)


@pytest.mark.parametrize("time", [0.0, 0.04, 0.4, 0.97])
@pytest.mark.parametrize("way", [-0.11, 0.02, 0.1])
@pytest.mark.parametrize(("name", "take"), BUILT_IN)
def test_keys_retimed_at_once_are_those_of_each_group(name, take, time, way):
    scene, target = looping(name, take)
    clip = ShapedClip(scene, target)
    edit = TimeEdit(clip.clip, clip.packed, clip.cycles, [Tick(time, time + way)], 0.25)
    for cycle, channels in clip.cycles.items():
        at_once = CycleKeys.of(clip.clip, cycle, channels)
        apart = CycleKeys(cycle, channels, None, groups_of(clip.clip, channels))
        expected = edit.previewed([apart])
        assert at_once.flat is not None
        for channel, curve in edit.previewed([at_once]).items():
            other = expected[channel]
            assert curve.time == pytest.approx(other.time, abs=1e-12)
            assert curve.value == pytest.approx(other.value, abs=1e-12)
            sides = curve.tangent.reshape(-1, 2)[1:-1]  # all but those beyond the ends
            assert sides == pytest.approx(other.tangent.reshape(-1, 2)[1:-1], abs=1e-11)
            assert (curve.handles == other.handles).all()
            assert (curve.before, curve.after) == (other.before, other.after)


def test_a_previewed_tick_is_met_exactly():
    scene, target = looping("biped", "walk")
    take, session = take_of(scene, target), Shaping(scene, target, CycleOptions())
    for way in np.linspace(0.005, 0.08, 5):
        preview = session.update(Drag(Point("Hips"), 0.0, to_time=way))
        shown = take_of(preview.edit.apply(scene), target)
        expected = values_at(take, np.array([way]))[0]
        assert values_at(shown, np.array([0.0]))[0] == pytest.approx(expected, abs=1e-12)
        assert seam(shown)[0] == pytest.approx(seam(take)[0], abs=1e-9)


def test_overlays_are_the_loop_and_its_affected_part():
    scene, target = ball_scene()
    take = take_of(scene, target)
    session = Shaping(scene, target, CycleOptions(affected_range=0.25))
    preview = session.update(Drag(BALL, 0.0, position=at(take, BALL, 0.0) + [0, 0.1, 0]))
    guide, edit = preview.overlays
    assert (guide.style, guide.closed, len(guide.positions)) == ("guide", True, 40)
    assert (edit.style, edit.closed) == ("edit", False)
    assert len(edit.positions) == 11  # five frames on both sides of the seam
    assert np.linalg.norm(np.diff(edit.positions, axis=0), axis=1).max() < 0.2


def test_samples_and_layers_are_refused_with_what_to_do():
    scene, target = ball_scene()
    prop = scene.props[0]
    motion = Motion("circle", np.arange(5) / 24, np.zeros((5, len(prop.rig.channels))))
    baked = replace(scene, props=(replace(prop, takes=(Take(prop.rig, motion),)),))
    with pytest.raises(BadValue, match="fit"):
        Shaping(baked, target, CycleOptions())
    with pytest.raises(UnknownName):
        Shaping(scene, replace(target, channels=("joint0.rotate.w",)), CycleOptions())


def test_channels_without_keys_and_single_frames_are_shaped():
    scene, target = ball_scene()
    prop = scene.props[0]
    for duration, loops in ((1.0, True), (1.0, False), (0.0, True)):
        empty = Clip("circle", (None,) * len(prop.rig.channels), duration, loops=loops)
        still = replace(scene, props=(replace(prop, takes=(Take(prop.rig, empty),)),))
        for time in (0.0, 0.5 * duration, duration):
            session = Shaping(still, target, CycleOptions())
            session.update(Drag(BALL, time, position=[0.1, 0.2, 0.0]))
            now = after(session)
            assert at(now, BALL, time) == pytest.approx([0.1, 0.2, 0.0], abs=1e-9)


def test_other_characters_are_refused():
    scene, target = looping("biped", "walk")
    session = Shaping(scene, target, CycleOptions())
    with pytest.raises(BadValue, match="a point of biped"):
        session.update(Drag(Point("Hips", character="guitar"), 0.5, position=[0, 1, 0]))
    assert Target().point is None


@needs_data
@pytest.mark.parametrize("loops", [True, False])
@pytest.mark.parametrize("file", ["Fox.glb", "RiggedFigure.glb", "InterpolationTest.glb"])
def test_exported_characters_are_shaped(file, loops):
    scene = read(DATA / "gltf" / file)
    character = scene.characters[0]
    take = replace(character.takes[0], base=replace(character.takes[0].base, loops=loops))
    scene = replace(scene, characters=(replace(character, takes=(take,)), *scene.characters[1:]))
    target, time = Target(character.name, take.name), round(take.duration * 10) / 24
    for joint in character.rig.names[1::7] or character.rig.names:
        session = Shaping(scene, target, CycleOptions())
        goal = at(take, Point(joint), time) + [0.01, 0.02, 0.0]
        preview = session.update(Drag(Point(joint), time, position=goal))
        now = after(session)
        place = at(now, Point(joint), time)
        assert place == pytest.approx(preview.drag.position, abs=1e-8)
        assert np.linalg.norm(place - goal) == pytest.approx(preview.drag.remaining, abs=1e-6)
        session = Shaping(scene, target, CycleOptions())
        session.update(Drag(Point(joint), time, to_time=time + 0.04))
        shown = at(take, Point(joint), time + 0.04)
        assert at(after(session), Point(joint), time) == pytest.approx(shown, abs=1e-6)
