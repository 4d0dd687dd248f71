import numpy as np
import pytest

from arcwright.characters.skeleton import Joint, both_sides, mirrored, root, skeleton
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward

ARM = Joint(
    "LeftArm", "Hips", (0.2, 1.3, 0.1), {"x": (-80, 70), "z": (-30, 120)}, frame=(10, 20, -45)
)
HAND = Joint("LeftHand", "LeftArm", (0.5, 1.0, 0.2), {"y": (-20, 30)})


def world(rig, values=None):
    values = rig.channels.default if values is None else values
    return forward(rig, values[None])[0]


def test_joints_stand_where_the_table_says():
    rows = both_sides([root("Hips", (0, 1, 0)), ARM, HAND])
    rig = skeleton(rows)
    assert np.allclose(world(rig)[:, :3, 3], [row.at for row in rows], atol=1e-12)


def test_limits_are_stored_in_radians_and_hinges_have_one_channel():
    rig = skeleton([root("Hips", (0, 1, 0)), ARM, HAND])
    at = rig.channel("LeftArm.rotate.z")
    assert np.degrees(rig.channels.low[at]) == pytest.approx(-30)
    assert np.degrees(rig.channels.high[at]) == pytest.approx(120)
    assert [name for name in rig.channel_names if "LeftHand" in name] == ["LeftHand.rotate.y"]


def test_a_root_translates_and_rotates_freely():
    rig = skeleton([root("Hips", (0, 1, 0))])
    assert rig.channel_names == tuple(
        f"Hips.{group}.{axis}" for group in ("translate", "rotate") for axis in "xyz"
    )


def test_mirrored_rows_move_as_in_a_mirror():
    rig = skeleton(both_sides([root("Hips", (0, 1, 0)), ARM, HAND]))
    values = np.array(rig.channels.default)
    for axis, angle, sign in (("x", 0.4, 1), ("z", 0.7, -1)):
        values[rig.channel(f"LeftArm.rotate.{axis}")] = angle
        values[rig.channel(f"RightArm.rotate.{axis}")] = sign * angle
    placed = world(rig, values)[:, :3, 3]
    left, right = placed[rig.joint("LeftHand")], placed[rig.joint("RightHand")]
    assert np.allclose(left * [-1, 1, 1], right, atol=1e-12)


def test_mirroring_twice_gives_the_row_back():
    assert mirrored(mirrored(ARM)) == ARM


def test_a_child_before_its_parent_is_refused_by_name():
    with pytest.raises(BadValue, match="parent of LeftHand"):
        skeleton([root("Hips", (0, 1, 0)), HAND])
