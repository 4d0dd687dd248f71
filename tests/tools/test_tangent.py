from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag, Performance
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from builders import arm_scene, rig_of
from chains import TIP, chain_scene, place, still_scene, take_of, with_single_keys
from tangent_edits import begin, dragged


def test_the_point_goes_where_it_is_dragged_and_no_key_changes():
    scene = chain_scene()
    session, preview, target = dragged(scene, [0.1, 0.05, -0.1])
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.3)[0] == pytest.approx(target, abs=1e-4)
    assert preview.drag.position == pytest.approx(target, abs=1e-4)
    old, new = (each.characters[0].takes[0].base for each in (scene, after))
    for before, now in zip(old.curves, new.curves, strict=True):
        assert same(before.time, now.time)
        assert same(before.value, now.value)


def test_only_the_window_changes_where_keys_do_not_line_up():
    scene = chain_scene()
    session, preview, _ = dragged(scene, [0.1, 0.0, 0.0], tangents="broken")
    after = session.finish().apply(scene)
    assert preview.span == (0.0, 1.0)
    later = np.linspace(1, 2, 9)
    take, edited = scene.characters[0].takes[0], after.characters[0].takes[0]
    assert values_at(take, later) == pytest.approx(values_at(edited, later), abs=1e-12)


def test_a_drag_that_does_not_move_changes_nothing():
    scene = chain_scene()
    session, _, _ = dragged(scene, [0, 0, 0])
    assert session.finish().empty


def test_a_drag_back_to_its_start_restores_the_clip():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 1),))
    session, _, target = dragged(scene, [0.1, 0.1, 0.0])
    start = place(scene, TIP, 0.3)[0]
    for share in np.linspace(1, 0, 8):
        session.update(Drag(TIP, 0.3, position=start + share * (target - start)))
    assert session.finish().empty


def slerp_scene() -> Scene:
    turn = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
    rig = rig_of([-1, 0], [(0, turn), (1, turn)], ["quaternion", "quaternion"])
    ends = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]])
    slerps = [Curve.of([0, 1], side, interpolation=Interpolation.SLERP) for side in ends.T]
    take = Take(rig, Clip("turn", (*slerps, *slerps), 1.0))
    return Scene("turns", (Character("turns", rig, (take,)),))


def resting_position(session):
    return session._current_problem().model().position(np.zeros(len(session._x)))[0, 0]


def test_a_drag_to_where_handles_at_rest_lead_leaves_the_slerp():
    scene, tip = slerp_scene(), Point("joint1", np.array([0.0, 1.0, 0.0]))
    session = begin(scene)
    start = trail(scene.characters[0].takes[0], tip, [0.3]).position[0]
    session.update(Drag(tip, 0.3, position=start + 0.1))
    resting = resting_position(session.session.body)
    assert np.linalg.norm(resting - start) > 1e-4
    session = begin(scene)
    session.update(Drag(tip, 0.3, position=resting))
    after = session.finish().apply(scene).characters[0].takes[0]
    np.testing.assert_allclose(trail(after, tip, [0.3]).position[0], resting, atol=1e-5)


def test_a_drag_back_to_its_start_leaves_slerps_unchanged():
    scene, tip = slerp_scene(), Point("joint1", np.array([0.0, 1.0, 0.0]))
    start = trail(scene.characters[0].takes[0], tip, [0.3]).position[0]
    session = begin(scene)
    for share in (0.5, 1.0, 0.5, 0.0):
        session.update(Drag(tip, 0.3, position=start + share * np.array([0.05, 0.05, 0.0])))
    assert session.finish().empty


def test_a_pinned_point_keeps_its_path():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 1),))
    session, _, target = dragged(scene, [0.08, 0.05, 0.0])
    after = session.finish().apply(scene)
    quarter = np.arange(0, 24.1, 0.25) / 24
    drift = place(after, "joint2", quarter) - place(scene, "joint2", quarter)
    assert np.abs(drift).max() < 5e-5
    assert place(after, TIP, 0.3)[0] == pytest.approx(target, abs=1e-4)


def test_a_point_pinned_whole_freezes_what_is_above_it():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 2, orientation=True),))
    session, _, _ = dragged(scene, [0.05, 0.05, 0.0])
    touched = {change.address[-1] for change in session.finish().changes}
    rig = scene.characters[0].rig
    assert {rig.names[rig.channels.joint[channel]] for channel in touched} == {"joint3"}


def test_a_point_without_free_channels_stays_and_gets_a_note():
    scene = chain_scene(constraints=(Pin(Point("joint3"), 0, 2, orientation=True),))
    session, preview, _ = dragged(scene, [0.1, 0.0, 0.0])
    assert session.finish().empty
    assert preview.notes[0].blocker == "joint3 pin"


def test_a_contact_keeps_its_point_still():
    still = still_scene(constraints=(Contact(Point("joint3"), 0, 1),))
    session, _, target = dragged(still, [0.05, 0.05, 0.0], point=Point("joint1"), time=0.5)
    after = session.finish().apply(still)
    path = place(after, "joint3", np.arange(0, 24.1, 0.25) / 24)
    assert np.abs(path - path[0]).max() < 2e-4
    assert place(after, "joint1", 0.5)[0] == pytest.approx(target, abs=1e-3)


def test_joint_limits_hold_at_all_times():
    scene = chain_scene()
    rig = scene.characters[0].rig
    limits = replace(rig.channels, low=np.full(15, -1.4), high=np.full(15, 1.4))
    character = replace(scene.characters[0], rig=replace(rig, channels=limits))
    scene = replace(scene, characters=(character,))
    session, preview, _ = dragged(scene, [3, 3, 3], moves=20)
    after = session.finish().apply(scene)
    values = values_at(after.characters[0].takes[0], np.linspace(0, 2, 500))
    assert np.abs(values).max() <= 1.4 + 1e-9
    assert preview.notes
    assert preview.notes[0].amount > 1


def test_orientation_is_dragged_too():
    scene = chain_scene()
    session = begin(scene)
    take = scene.characters[0].takes[0]
    from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply

    now = trail(take, TIP, np.array([0.3])).orientation[0]
    wanted = quaternion_multiply(quaternion_from_vector(np.array([0.2, -0.1, 0.1])), now)
    session.update(Drag(TIP, 0.3, orientation=wanted))
    after = session.finish().apply(scene)
    turned = trail(after.characters[0].takes[0], TIP, np.array([0.3])).orientation[0]
    assert abs(turned @ wanted) == pytest.approx(1, abs=1e-7)


def test_scaling_time_changes_timing_only():
    scene = chain_scene()
    session = begin(scene)
    session.update(Drag(TIP, 0.5, time_scale=0.3))
    changes = session.finish().changes
    assert changes
    for change in changes:
        assert same(change.before.value, change.after.value)
        assert change.after.tangent[:, :, 1] == pytest.approx(change.before.tangent[:, :, 1])
        longest = np.diff(change.after.time).max()
        assert change.after.tangent[:, :, 0].max() <= longest


def test_a_drag_along_an_axis_leaves_the_others_free():
    scene = chain_scene()
    start = place(scene, TIP, 0.3)[0]
    session = begin(scene)
    session.update(Drag(TIP, 0.3, position=start + [0.2, 9, 9], axes=[[1, 0, 0]]))
    after = session.finish().apply(scene)
    moved = place(after, TIP, 0.3)[0] - start
    assert moved[0] == pytest.approx(0.2, abs=1e-4)
    assert np.abs(moved[1:]).max() < 0.2


def test_unified_tangents_stay_smooth_across_keys():
    scene = chain_scene()
    session, _, _ = dragged(scene, [0.1, 0.0, 0.05], time=1.5, tangents="unified")
    for change in session.finish().changes:
        into, out = change.after.tangent[1:-1, 0], change.after.tangent[1:-1, 1]
        assert into[:, 0] * out[:, 1] == pytest.approx(into[:, 1] * out[:, 0], abs=1e-9)


def breaks(change):
    into, out = change.after.tangent[1:-1, 0], change.after.tangent[1:-1, 1]
    return np.abs(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0]).max(initial=0.0)


def test_smooth_tangents_break_less_than_broken_ones():
    scene = chain_scene()
    worst = {}
    for tangents in ("smooth", "broken"):
        session, _, target = dragged(scene, [0.1, 0.0, 0.05], time=1.5, tangents=tangents)
        after = session.finish().apply(scene)
        assert place(after, TIP, 1.5)[0] == pytest.approx(target, abs=1e-4)
        worst[tangents] = sum(breaks(change) for change in session.finish().changes)
    assert worst["smooth"] < 0.8 * worst["broken"]


def test_a_longer_reach_lets_more_segments_take_part():
    scene = chain_scene()
    scene = replace(scene, constraints=(*scene.constraints, Pin(Point("joint1"), 0, 2)))
    session, preview, _ = dragged(scene, [0.1, 0.0, 0.0], time_reach=1)
    assert preview.span == (0.0, 2.0)
    assert not session.finish().empty


def test_two_points_are_dragged_at_once():
    scene = chain_scene()
    session = begin(scene)
    first, second = place(scene, TIP, 0.3)[0], place(scene, "joint2", 0.3)[0]
    session.update(Drag(TIP, 0.3, position=first + [0.05, 0, 0]))
    session.update(Drag(Point("joint2"), 0.3, position=second + [0, 0.03, 0]))
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.3)[0] == pytest.approx(first + [0.05, 0, 0], abs=1e-4)
    assert place(after, "joint2", 0.3)[0] == pytest.approx(second + [0, 0.03, 0], abs=1e-4)


def test_samples_and_other_gestures_are_refused_with_advice():
    with pytest.raises(BadValue, match="turn samples into keys with fit"):
        TangentTool().begin(arm_scene(), Target(take="recorded"), TangentOptions())
    with pytest.raises(BadValue, match="expected a Drag"):
        begin(chain_scene()).update(Performance([0.0]))


def test_an_offer_of_one_key_brings_the_point_closer_and_is_not_taken_by_itself():
    scene = still_scene()
    rig = scene.characters[0].rig
    limits = replace(rig.channels, low=np.full(15, -0.6), high=np.full(15, 0.6))
    character = replace(scene.characters[0], rig=replace(rig, channels=limits))
    scene = replace(scene, characters=(character,))
    session, preview, target = dragged(scene, [0.9, -0.6, 0.0], time=0.0025, moves=12)
    offer = session.offer()
    assert preview.drag.remaining > 0.01
    assert offer.remaining < preview.drag.remaining - 1e-3
    assert "frame 0.06" in offer.text
    keyed_scene = offer.edit.apply(scene)
    there = place(keyed_scene, TIP, 0.0025)[0]
    assert np.linalg.norm(there - target) == pytest.approx(offer.remaining, abs=1e-4)
    plain = session.finish().apply(scene)
    assert plain.characters[0].takes[0].base.key_count == 45


def test_an_offer_comes_as_near_as_it_says_also_where_some_channels_have_no_keys():
    scene = chain_scene()
    actor = scene.characters[0]
    base = actor.takes[0].base
    curves = tuple(
        None if 6 <= channel < 12 else curve for channel, curve in enumerate(base.curves)
    )
    take = replace(actor.takes[0], base=replace(base, curves=curves))
    scene = replace(scene, characters=(replace(actor, takes=(take,)),))
    session, preview, target = dragged(scene, [0.0, -0.2, 0.1], time=1.0)
    offer = session.offer()
    there = place(offer.edit.apply(scene), TIP, 1.0)[0]
    assert np.linalg.norm(there - target) == pytest.approx(offer.remaining, abs=1e-4)
    assert offer.remaining < preview.drag.remaining - 0.01
    assert "jumps" not in offer.text


def test_an_offered_key_of_channels_with_one_key_changes_them_between_the_key_poses_around():
    single = list(range(9, 15))
    scene = with_single_keys(chain_scene(), single)
    session, _, _ = dragged(scene, [0.9, -0.9, 0.5], time=1.02)
    after = session.offer().edit.apply(scene)
    was, now = (values_at(take_of(each), np.array([0, 0.5, 1, 1.02, 2])) for each in (scene, after))
    moved = np.abs(now - was)[:, single].max(axis=1)
    assert moved[3] > 0.01
    assert moved[[0, 1, 2, 4]] == pytest.approx(0, abs=1e-9)


def test_an_offer_says_where_its_key_would_make_a_joint_jump():
    session, _, _ = dragged(still_scene(), [1.5, -1.5, 0.0], time=25 / 24)  # keys at frame 24
    assert "jumps" in (text := session.offer().text)
    assert "between frames 24 and 25" in text or "between frames 25 and 26" in text


def test_there_is_no_offer_where_the_drag_is_met():
    session, _, _ = dragged(chain_scene(), [0.05, 0.0, 0.0])
    assert session.offer() is None


def test_notes_requested_late_name_no_blocking_constraint():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 2),))
    session = begin(scene)
    start = place(scene, TIP, 0.3)[0]
    early = session.update(Drag(TIP, 0.3, position=start + [5, 5, 5]))
    session.update(Drag(TIP, 0.3, position=start))
    session.update(Drag(Point("joint1"), 0.4, position=start))
    assert early.notes[0].blocker == ""
    assert "stays" in early.notes[0].text


def test_dragging_far_outside_the_clip_or_on_a_key_changes_nothing():
    scene = chain_scene()
    for time in (-3.0, 0.0, 9.0):
        session = begin(scene)
        start = place(scene, TIP, time)[0]
        preview = session.update(Drag(TIP, time, position=start + [0.1, 0, 0]))
        assert preview.drag.remaining > 0.05
        assert session.finish().apply(scene) is not None
        kept = place(session.finish().apply(scene), TIP, [0.0, 1.0, 2.0])
        assert kept == pytest.approx(place(scene, TIP, [0.0, 1.0, 2.0]), abs=1e-12)


def test_an_undo_step_is_named_after_the_drag():
    scene = chain_scene()
    turned = np.array([np.cos(0.1), 0.0, 0.0, np.sin(0.1)])
    wanted = {"Drag": {"position": np.zeros(3)}, "Rotate": {"orientation": turned}}
    for verb, way in (wanted | {"Time": {"time_scale": 0.3}}).items():
        session = begin(scene)
        session.update(Drag(TIP, 0.5, **way))
        assert session.finish().label.startswith(f"{verb} {TIP.joint} at frame ")
