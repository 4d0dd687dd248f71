"""The animator frees and locks lengths of joints, and says which joint is the root."""

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.edits.lengths import set_attached, set_lengths, set_root
from arcwright.errors import BadValue
from arcwright.files import arc
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from exported_rig import NAMES, exported

HAND = NAMES.index("Hand")


def scene():
    return Scene(characters=(exported(),))


def test_freeing_and_locking_are_one_step_each_and_undone_exactly():
    before = scene()
    for length in ("free", "locked"):
        edit = set_lengths(before, "", [HAND], length)
        after = edit.apply(before)
        assert after.characters[0].rig.lengths[HAND] == length
        assert same(edit.inverse().apply(after), before)
        back = set_lengths(after, "", [HAND], "").apply(after)
        assert same(back, before)
    assert set_lengths(before, "", [HAND], "").empty


def test_the_label_says_what_was_done():
    assert set_lengths(scene(), "", [HAND], "free").label == "Free the length of Hand"
    assert set_lengths(scene(), "", [2, 3], "locked").label == "Lock the length of 2 joints"
    assert set_root(scene(), "", 2).label == "Spine is the root"


def test_the_root_is_set_and_undone():
    before = scene()
    edit = set_root(before, "", 2)
    after = edit.apply(before)
    assert analyse(after.characters[0]).root == 2
    assert same(edit.inverse().apply(after), before)
    assert same(set_root(after, "", -1).apply(after), before)


def test_attaching_is_refused_where_it_could_not_be_carried():
    with pytest.raises(BadValue, match="not below Spine"):
        set_attached(scene(), "", 2, HAND)
    with pytest.raises(BadValue, match="one with translation"):
        set_attached(scene(), "", 0, HAND)
    with pytest.raises(BadValue, match="0 to 4"):
        set_attached(scene(), "", HAND, 99)
    assert set_attached(scene(), "", HAND, 4).label == "Attach Hand to Foot"
    assert set_attached(scene(), "", HAND, HAND).label == "Detach Hand"


def test_attached_joints_are_kept_in_the_project_file(tmp_path):
    attached = set_attached(scene(), "", HAND, 4).apply(scene())
    arc.write(attached, tmp_path / "attached.arc.glb")
    assert arc.read(tmp_path / "attached.arc.glb").actor("").rig.attached_to[HAND] == 4


@pytest.mark.parametrize("joint", [-1, 5, 99])
def test_unknown_joints_are_refused(joint):
    with pytest.raises(BadValue, match="0 to 4"):
        set_lengths(scene(), "", [joint], "free")


def test_invalid_lengths_and_roots_are_refused():
    with pytest.raises(BadValue, match="Armature"):
        set_lengths(scene(), "", [0], "free")  # it has no channels at all
    with pytest.raises(BadValue, match="Armature"):
        set_root(scene(), "", 0)
    with pytest.raises(BadValue, match="free, locked"):
        set_lengths(scene(), "", [HAND], "loose")


def test_a_project_file_keeps_lengths_and_root(tmp_path):
    expected = set_lengths(scene(), "", [HAND], "free").apply(scene())
    expected = set_root(expected, "", 2).apply(expected)
    arc.write(expected, tmp_path / "said.arc.glb")
    back = arc.read(tmp_path / "said.arc.glb").characters[0].rig
    assert back.lengths[HAND] == "free"
    assert back.root == 2


def bone(take, joint, times):
    """(T,) m, how long the bone above a joint is."""
    place = forward(take.rig, values_at(take, times))[:, :, :3, 3]
    return np.linalg.norm(place[:, joint] - place[:, take.rig.parents[joint]], axis=1)


@pytest.mark.parametrize("name", ["pose", "tangent", "spacetime"])
def test_every_tool_stretches_freed_bones_only(name):
    """Hips locked, Hand beyond reach: only a freed hand can go towards it."""
    stretched = {}
    for length in ("", "free", "locked"):
        start = set_lengths(scene(), "", [1], "locked").apply(scene())
        start = set_lengths(start, "", [HAND], length).apply(start)
        take = start.characters[0].takes[0]
        chosen, when = tool(name), 0.5
        session = chosen.begin(start, Target(), chosen.Options())
        place = trail(take, Point("Hand"), np.array([when])).position[0]
        session.update(Drag(Point("Hand"), when, position=place + [0.0, 0.15, 0.0]))
        after = session.finish().apply(start).characters[0].takes[0]
        times = np.linspace(0, 1, 25)
        stretched[length] = float(abs(bone(after, HAND, times) - bone(take, HAND, times)).max())
    assert stretched["free"] > 0.02
    assert max(stretched[""], stretched["locked"]) < 1e-6
