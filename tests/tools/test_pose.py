from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.curves.keys import keyed, with_auto_handles
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Handle
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from chains import TIP, chain_scene, still_scene, take_of
from pose_edits import posed


def test_a_key_pose_is_changed_and_other_keys_stay():
    scene = chain_scene()
    after, preview, target = posed(scene, [0.2, 0.1, 0.0], 1.0)
    assert trail(take_of(after), TIP, [1.0]).position[0] == pytest.approx(target, abs=1e-5)
    assert preview.drag.position == pytest.approx(target, abs=1e-4)
    assert take_of(after).base.key_count == take_of(scene).base.key_count
    for other in (0.0, 2.0):
        before = values_at(take_of(scene), np.array([other]))
        assert values_at(take_of(after), np.array([other])) == pytest.approx(before)


def test_between_keys_what_moved_is_keyed():
    scene = chain_scene()
    after, _, target = posed(scene, [0.1, 0.0, 0.1], 0.3)
    assert trail(take_of(after), TIP, [0.3]).position[0] == pytest.approx(target, abs=1e-5)
    assert take_of(after).base.key_count > take_of(scene).base.key_count


def test_without_auto_key_no_key_is_added_between_keys():
    scene = chain_scene()
    after, _, _ = posed(scene, [0.1, 0.0, 0.1], 0.3, auto_key=False)
    assert same(after, scene)


def test_pinned_points_stay_where_they_are():
    pins = (Pin(Point("joint2"), 0, 2), Pin(Point("joint0"), 0, 2, orientation=True))
    scene = still_scene(constraints=(*pins, Contact(Point("joint1"), 0, 2)))
    after, _, _ = posed(scene, [0.05, -0.1, 0.05], 1.0)
    for name in ("joint0", "joint1", "joint2"):
        before = trail(take_of(scene), name, [1.0]).position
        assert trail(take_of(after), name, [1.0]).position == pytest.approx(before, abs=2e-5)


def test_limits_hold_and_a_far_hand_gets_a_note():
    scene = chain_scene()
    rig = scene.characters[0].rig
    limits = replace(rig.channels, low=np.full(15, -1.4), high=np.full(15, 1.4))
    character = replace(scene.characters[0], rig=replace(rig, channels=limits))
    scene = replace(scene, characters=(character,))
    after, preview, _ = posed(scene, [9.0, 9.0, 0.0], 1.0)
    assert np.abs(values_at(take_of(after), np.array([1.0]))).max() <= 1.4 + 1e-9
    assert preview.notes[0].text.startswith("joint3 stays")
    assert preview.drag.remaining > 1


def test_orientation_is_posed_too():
    scene = chain_scene()
    now = trail(take_of(scene), TIP, [1.0]).orientation[0]
    wanted = quaternion_multiply(quaternion_from_vector(np.array([0.3, 0.1, -0.2])), now)
    session = PoseTool().begin(scene, Target(), PoseOptions())
    session.update(Drag(TIP, 1.0, orientation=wanted))
    after = session.finish().apply(scene)
    turned = trail(take_of(after), TIP, [1.0]).orientation[0]
    assert abs(turned @ wanted) == pytest.approx(1, abs=1e-7)


def test_a_channel_without_keys_is_keyed_between_the_poses_around_it():
    scene = chain_scene()
    take = take_of(scene)
    curves = (None, *take.base.curves[1:])
    character = scene.characters[0].with_take(replace(take, base=replace(take.base, curves=curves)))
    scene = replace(scene, characters=(character,))
    after, _, _ = posed(scene, [0.5, 0.0, 0.0], 1.0)
    made = take_of(after).base.curves[0]
    assert made.time.tolist() == [0.6, 1.0, 2.0]
    assert made.value[0] == made.value[2] == 0.0


def test_the_span_of_a_pose_ends_at_keys_that_stay_as_they_are():
    scene = chain_scene()
    take = take_of(scene)
    times = np.arange(6.0)
    still = [keyed(times, np.sin(times + c), Handle.FREE) for c in range(len(take.base.curves))]
    base = replace(take.base, curves=tuple(still), duration=5.0)
    scene = replace(scene, characters=(scene.characters[0].with_take(replace(take, base=base)),))
    assert posed(scene, [0.1, 0.0, 0.0], 2.0)[1].span == (1.0, 3.0)
    assert posed(scene, [0.1, 0.0, 0.0], 2.5)[1].span == (2.0, 3.0)  # the cut segment
    assert posed(scene, [0.1, 0.0, 0.0], 0.0)[1].span == (0.0, 1.0)
    assert posed(scene, [0.1, 0.0, 0.0], 2.5, auto_key=False)[1].span == (2.5, 2.5)


def swaying_scene():
    """A chain whose channels have automatic handles at six keys, and one channel with one key."""
    scene = chain_scene()
    take = take_of(scene)
    times = np.arange(6.0)
    curves = [keyed(times, 0.4 * np.sin(2 * times + c)) for c in range(len(take.base.curves))]
    curves[1] = keyed([0.0], [0.1])
    base = replace(take.base, curves=tuple(curves), duration=5.0)
    return replace(scene, characters=(scene.characters[0].with_take(replace(take, base=base)),))


@pytest.mark.parametrize(("time", "beside"), [(2.0, (1.0, 3.0)), (2.5, (2.0, 3.0))])
def test_a_pose_changes_nothing_beyond_the_keys_beside_it(time, beside):
    scene = swaying_scene()
    after, preview, _ = posed(scene, [0.2, 0.2, 0.1], time)
    assert preview.span == beside
    times = np.linspace(0, 5, 501)
    outside = (times < beside[0]) | (times > beside[1])
    was, now = (values_at(take_of(each), times) for each in (scene, after))
    several = np.arange(was.shape[1]) != 1
    assert (was[outside][:, several] == now[outside][:, several]).all()
    assert now[outside][:, 1] == pytest.approx(was[outside][:, 1], abs=1e-12)
    assert np.abs(was - now)[~outside].max() > 0.01


def test_a_pose_stays_local_when_other_keys_are_edited_later():
    """Handles that would have followed are stored as ones that do not."""
    scene = swaying_scene()
    after, _, _ = posed(scene, [0.2, 0.2, 0.1], 2.0)
    for curve in take_of(after).base.curves:
        again = with_auto_handles(curve)
        assert again.tangent == pytest.approx(curve.tangent, abs=1e-8)


def test_time_reach_lets_the_handles_of_more_keys_follow():
    scene = swaying_scene()
    after, preview, _ = posed(scene, [0.2, 0.2, 0.1], 2.0, time_reach=1)
    assert preview.span == (0.0, 4.0)
    times = np.linspace(0, 5, 501)
    was, now = (values_at(take_of(each), times) for each in (scene, after))
    changed = times[np.abs(was - now).max(axis=1) > 1e-6]
    assert changed.min() < 1.0
    assert 3.0 < changed.max() < 4.0
