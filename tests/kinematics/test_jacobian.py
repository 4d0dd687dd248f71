import numpy as np
import pytest

from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places, places
from arcwright.scene.point import Point
from arcwright.scene.rig import QUATERNION, Kind
from random_rigs import chain_rig, random_rig, random_values


def test_a_straight_arm_swings_its_hand_sideways():
    rig = chain_rig(3)
    answer = point_jacobian(rig, np.zeros((1, 12)), [("joint2", [0.5, 0, 0])])
    shoulder = answer.channels.tolist().index(rig.channel("joint0.rotate.z"))
    assert np.allclose(answer.position, [[[2.5, 0, 0]]])
    assert np.allclose(answer.linear[0, 0, :, shoulder], [0, 2.5, 0])
    assert np.allclose(answer.angular[0, 0, :, shoulder], [0, 0, 1])


def test_columns_are_the_channels_above_the_points_and_no_others():
    rig = chain_rig(4)
    answer = point_jacobian(rig, np.zeros((2, 15)), ["joint1"])
    assert set(rig.channels.joint[answer.channels]) == {0, 1}
    assert answer.channels.tolist() == sorted(answer.channels.tolist())
    assert answer.linear.shape == answer.angular.shape == (2, 1, 3, 9)


def test_columns_can_be_narrowed_to_channels_in_play():
    rig = random_rig(2, 10)
    values = random_values(rig, 2)
    whole = point_jacobian(rig, values, [9, 4])
    some = whole.channels[::3]
    part = point_jacobian(rig, values, [9, 4], channels=some)
    assert np.array_equal(part.channels, some)
    assert np.array_equal(part.linear, whole.linear[..., ::3])
    assert np.array_equal(part.angular, whole.angular[..., ::3])


def test_weight_and_custom_channels_never_appear():
    for seed in range(6):
        rig = random_rig(seed)
        answer = point_jacobian(rig, random_values(rig, seed), range(9))
        assert (rig.channels.kind[answer.channels] < Kind.WEIGHT).all()


def test_scaling_a_quaternion_moves_nothing():
    rig = chain_rig(3, QUATERNION)
    values = random_values(rig, 4)
    answer = point_jacobian(rig, values, [(2, [0, 1, 0])])
    four = [rig.channel(f"joint1.quaternion.{axis}") for axis in "wxyz"]
    columns = np.searchsorted(answer.channels, four)
    outward = answer.linear[..., columns] @ values[:, None, four, None]
    assert np.allclose(outward, 0, atol=1e-12)


def test_a_joint_scaled_to_nothing_still_has_finite_derivatives():
    rig = random_rig(1, 8)
    values = random_values(rig, 1)
    kinds = rig.channels.kind
    values[:, (kinds >= Kind.SCALE_X) & (kinds <= Kind.SCALE_Z)] = 0.0
    answer = point_jacobian(rig, values, range(8))
    assert np.isfinite(answer.linear).all()
    assert np.isfinite(answer.angular).all()


def test_points_are_found_by_point_name_index_or_pair():
    rig = chain_rig(3)
    found = places(rig, [Point("joint1"), "joint2", 0, ("joint1", [1, 2, 3]), (2, [0, 0, 1])])
    assert found.joints.tolist() == [1, 2, 0, 1, 2]
    assert found.offsets[3].tolist() == [1, 2, 3]
    assert places(rig, found) is found


def test_points_that_are_not_there_are_refused():
    rig = chain_rig(3)
    with pytest.raises(UnknownName, match="no joint named 'elbow'"):
        places(rig, ["elbow"])
    with pytest.raises(BadValue, match="joint: expected 0 to 2, got 7"):
        places(rig, [7])
    with pytest.raises(BadValue, match="offset"):
        places(rig, [(0, [1, 2])])
    with pytest.raises(BadValue, match=r"Places.offsets: expected 1 rows"):
        Places([0], np.zeros((2, 3)))
