"""Motion curves move channels of every kind, in any hierarchy, each with its own stiffness."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind
from arcwright.tools.gesture import Drag
from builders import QUATERNION, ROTATE, SCALE, TRANSLATE, random_rig, rig_of
from chains import TIP, chain_scene, place, scene_of
from tangent_edits import begin, dragged


def moved_kinds(rig, edit):
    """The groups of channels that an edit changed."""
    return {Kind(rig.channels.kind[change.address[-1]]).group for change in edit.changes}


@pytest.mark.parametrize(
    ("kinds", "mode", "group"),
    [
        (TRANSLATE, "XYZ", "translate"),
        (ROTATE, "ZXY", "rotate"),
        (QUATERNION, "quaternion", "quaternion"),
        (SCALE, "XYZ", "scale"),
    ],
)
def test_channels_of_each_kind_take_a_point_where_it_is_dragged(kinds, mode, group):
    rig = rig_of([-1, 0, 1], [(0, kinds), (1, kinds)], [mode] * 3)
    scene = scene_of(rig)
    point = Point("joint2", [0.2, 0.5, 0.3])
    wanted = scene_of(rig, seed=5, size=0.32)  # a pose nearby, so within reach
    middle = (
        trail(each.characters[0].takes[0], point, [0.5]).position[0] for each in (scene, wanted)
    )
    start, end = middle
    session = begin(scene)
    for share in (0.2, 0.4):
        session.update(Drag(point, 0.5, position=start + share * (end - start)))
    edit = session.finish()
    after = edit.apply(scene)
    assert moved_kinds(rig, edit) == {group}
    goal = start + 0.4 * (end - start)
    assert place(after, point, 0.5)[0] == pytest.approx(goal, abs=1e-3)


def test_quaternions_stay_of_length_one_and_turn_a_joint_as_wanted():
    rig = rig_of([-1, 0], [(0, QUATERNION), (1, QUATERNION)], ["quaternion"] * 2)
    scene = scene_of(rig)
    point = Point("joint1", [0, 0.5, 0])
    session, _, target = dragged(scene, [0.1, -0.02, 0.1], time=0.5, point=point)
    after = session.finish().apply(scene)
    assert np.linalg.norm(place(after, point, 0.5)[0] - target) < 0.02
    four = values_at(after.characters[0].takes[0], np.linspace(0, 1, 50)).reshape(50, 2, 4)
    assert np.linalg.norm(four, axis=2) == pytest.approx(1)


def test_weights_of_blend_shapes_move_no_point_and_are_left_alone():
    rig = chain_scene().characters[0].rig
    table = rig.channels
    smile = ChannelTable.of(
        [*table.joint, 3, 3],
        [*map(Kind, table.kind), Kind.WEIGHT, Kind.WEIGHT],
        label=[*table.label, "smile", "frown"],
    )
    scene = scene_of(replace(rig, channels=smile))
    session, _, target = dragged(scene, [0.1, 0.05, 0.0])
    edit = session.finish()
    assert place(edit.apply(scene), TIP, 0.3)[0] == pytest.approx(target, abs=1e-4)
    assert "weight" not in moved_kinds(scene.characters[0].rig, edit)


@pytest.mark.parametrize("seed", range(8))
def test_chains_through_any_hierarchy_are_dragged_by_any_point_of_a_bone(seed):
    rig = random_rig(seed, 9)
    scene = scene_of(rig, seed)
    point = Point(f"joint{8 - seed % 3}", [0.1, -0.3, 0.2])
    start = place(scene, point, 0.5)[0]
    session, preview, _ = dragged(scene, [0.03, 0.02, -0.02], time=0.5, point=point)
    edit = session.finish()
    after = edit.apply(scene)
    assert np.linalg.norm(place(after, point, 0.5)[0] - start - [0.03, 0.02, -0.02]) < 1e-3
    assert preview.notes == ()
    joint, above = rig.joint(point.joint), set()
    while joint >= 0:
        above.add(joint)
        joint = int(rig.parents[joint])
    assert {int(rig.channels.joint[change.address[-1]]) for change in edit.changes} <= above


def test_a_stiff_channel_moves_less():
    scene = chain_scene()
    rig = scene.characters[0].rig
    spins = [rig.channel(f"joint1.rotate.{axis}") for axis in "xyz"]
    gone = []
    for stiffness in (0.3, 1.0, 5.0):
        stiff = np.array(rig.channels.stiffness)
        stiff[spins] = stiffness
        changed = replace(rig, channels=replace(rig.channels, stiffness=stiff))
        stiffened = replace(scene, characters=(replace(scene.characters[0], rig=changed),))
        session, _, target = dragged(stiffened, [0.2, 0.1, 0.0], body_follows=1.0)
        after = session.finish().apply(stiffened)
        assert place(after, TIP, 0.3)[0] == pytest.approx(target, abs=1e-3)
        was, now = (
            values_at(each.characters[0].takes[0], np.array([0.3]))[0]
            for each in (stiffened, after)
        )
        gone.append(np.abs(now - was)[spins].max())
    assert gone[0] > 1.5 * gone[1] > 3 * gone[2]
