from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue, UnknownName
from arcwright.scene.rig import ChannelTable, Kind
from builders import QUATERNION, ROTATE, arm_rig, random_rig, rig_of


def test_channels_have_names_an_animator_can_read():
    names = arm_rig().channel_names
    assert names[0] == "joint0.translate.x"
    assert names[-1] == "joint1.rotate.z"
    assert arm_rig().channel("joint0.rotate.y") == 4


def test_a_morph_weight_is_named_by_its_label():
    table = ChannelTable.of([0], [Kind.WEIGHT], label=["smile"])
    assert replace(arm_rig(), channels=table).channel_names == ("joint0.weight.smile",)


def test_an_unknown_joint_is_refused_with_similar_names():
    with pytest.raises(UnknownName, match=r"no joint named 'joint9'; there is joint"):
        arm_rig().joint("joint9")


def test_defaults_change_nothing():
    table = ChannelTable.of([0] * 5, [*QUATERNION, Kind.SCALE_X])
    assert table.default.tolist() == [1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parents": [0, 0, 1]}, "Rig.parents: expected parents before children"),
        ({"parents": [-1, 2, 1]}, "Rig.parents"),
        ({"parents": [-2, 0, 1]}, "Rig.parents"),
        ({"names": ("a", "a", "b")}, "Rig.names: expected each joint name once, got 'a' twice"),
        ({"names": ("a", "b")}, "Rig.parents: expected 2 rows"),
        ({"modes": ("XYZ", "XXX", "XYZ")}, "Rig.modes: expected XYZ or .* got 'XXX'"),
        ({"rest": np.zeros((3, 4))}, "Rig.rest: expected unit quaternions"),
        ({"offset": np.full((3, 3), np.inf)}, "Rig.offset: expected finite"),
        ({"modes": ("quaternion",) * 3}, "joint0: expected rotation channels of mode quaternion"),
    ],
)
def test_bad_rigs_are_refused_by_field(change, message):
    with pytest.raises(BadValue, match=message):
        replace(arm_rig(), **change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": [99] * 7}, "ChannelTable.kind: expected 0 to 14"),
        ({"low": np.ones(7), "high": np.zeros(7)}, "ChannelTable.low: expected low <= high"),
        ({"low": np.full(7, np.nan)}, "ChannelTable.low"),
        ({"stiffness": np.zeros(7)}, "ChannelTable.stiffness: expected numbers above 0"),
        ({"joint": [0] * 6}, "rows, as in joint"),
        ({"kind": [3] * 7, "joint": [0] * 7}, "each joint, kind and label once"),
    ],
)
def test_bad_channel_tables_are_refused_by_field(change, message):
    with pytest.raises(BadValue, match=message):
        replace(arm_rig().channels, **change)


def test_a_channel_of_a_joint_that_is_not_there_is_refused():
    with pytest.raises(BadValue, match="ChannelTable.joint: expected 0 to 0"):
        rig_of([-1], [(1, ROTATE)])


def test_three_of_four_quaternion_channels_are_refused():
    with pytest.raises(BadValue, match="all four quaternion channels or none"):
        rig_of([-1], [(0, QUATERNION[:3])], ["quaternion"])


def test_random_rigs_of_all_kinds_are_accepted():
    for seed in range(20):
        assert len(random_rig(seed).names) == 6
