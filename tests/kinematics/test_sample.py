import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.kinematics import rotation as r
from arcwright.kinematics.sample import quaternion_channels, sample, values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind
from arcwright.scene.take import Take
from random_rigs import chain_rig, random_rig, random_values


def motion_take(rig, values, layers=(), step=0.1):
    values = np.asarray(values, float)
    return Take(rig, Motion("move", step * np.arange(len(values)), values), layers)


def clip_take(rig, curves, layers=()):
    by_channel = [curves.get(name) for name in rig.channel_names]
    return Take(rig, Clip("keys", tuple(by_channel), duration=1.0), layers)


def turning_layer(joint, vector, *, weight=1.0, muted=False, start=0.0, end=1.0):
    return Layer(
        "push",
        start,
        end,
        joints=[joint],
        turn=np.tile(np.asarray(vector, float), (5, 1, 1)),
        channels=[],
        add=np.zeros((5, 0)),
        weight=weight,
        muted=muted,
    )


def test_a_motion_at_its_own_times_is_itself():
    rig = random_rig(1, modes=("ZYX",))
    values = random_values(rig, 1, 7)
    take = motion_take(rig, values)
    assert np.array_equal(sample(take, take.base.time).values, values)


def test_between_samples_values_run_straight_and_outside_they_hold():
    rig = chain_rig(2)
    values = np.zeros((3, 9))
    values[:, 0] = [1.0, 2.0, 4.0]
    got = sample(motion_take(rig, values), [-1.0, 0.05, 0.1, 0.175, 0.2, 9.0]).values[:, 0]
    assert np.allclose(got, [1.0, 1.5, 2.0, 3.5, 4.0, 4.0])


def test_angles_are_interpolated_along_the_shorter_arc():
    rig = chain_rig(2)
    values = np.zeros((2, 9))
    turn = rig.channel("joint0.rotate.y")
    values[:, turn] = [3.0, -3.0]
    half = sample(motion_take(rig, values), [0.05]).values[0, turn]
    assert np.isclose(half, np.pi)
    values[:, turn] = 0.0
    values[:, 0] = [4.0, -4.0]
    assert sample(motion_take(rig, values), [0.05]).values[0, 0] == 0.0


def test_quaternions_take_the_short_way_and_come_out_normalised():
    rig = chain_rig(2, QUATERNION)
    four = quaternion_channels(rig)[0]
    values = np.zeros((2, len(rig.channels)))
    values[0, four] = [2.0, 0.0, 0.0, 0.0]
    values[1, four] = [-0.8, -0.6, 0.0, 0.0]
    got = sample(motion_take(rig, values), [0.0, 0.05, 0.1]).values
    assert np.allclose(np.linalg.norm(got[:, four], axis=1), 1.0)
    assert got[1, four][0] > 0.9


def test_a_zero_quaternion_comes_out_as_the_identity():
    rig = chain_rig(2, QUATERNION)
    got = sample(motion_take(rig, np.zeros((2, len(rig.channels)))), [0.0, 0.05]).values
    assert np.array_equal(got[:, quaternion_channels(rig)[1]], [[1, 0, 0, 0]] * 2)


def test_a_single_sample_holds_for_ever():
    rig = chain_rig(2)
    take = motion_take(rig, np.full((1, 9), 0.25))
    assert np.array_equal(sample(take, [-1.0, 0.0, 5.0]).values, np.full((3, 9), 0.25))


def test_a_clip_gives_its_curves_and_defaults_elsewhere():
    rig = chain_rig(2, QUATERNION)
    curves = {
        "joint0.translate.x": Curve.of([0, 1], [0, 2]),
        "joint1.quaternion.x": Curve.of([0], [1]),
    }
    got = sample(clip_take(rig, curves), [0.25, 0.5])
    assert np.allclose(got.values[:, 0], [0.5, 1.0])
    assert np.allclose(got.values[0, quaternion_channels(rig)[1]], [0.5**0.5, 0.5**0.5, 0, 0])
    assert got.rate == 24.0
    assert got.name == "keys"


def test_times_may_come_in_any_order_when_only_values_are_wanted():
    rig = chain_rig(2)
    take = clip_take(rig, {"joint0.translate.x": Curve.of([0, 1], [0, 2])})
    assert values_at(take, np.array([1.0, 0.0, 0.5]))[:, 0].tolist() == [2.0, 0.0, 1.0]
    assert values_at(take, np.zeros(0)).shape == (0, 9)
    with pytest.raises(BadValue):
        sample(take, [1.0, 0.0])


def test_packed_curves_are_released_with_their_clip():
    rig = chain_rig(2)
    take = clip_take(rig, {"joint0.translate.x": Curve.of([0, 1], [0, 2])})
    sample(take, [0.5])
    clip = weakref.ref(take.base)
    del take
    gc.collect()
    assert clip() is None


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "ZYX", QUATERNION])
def test_a_turning_layer_is_composed_after_the_base_rotation(mode):
    rig = chain_rig(3, mode)
    values = random_values(rig, 5, 4)
    vector = np.array([0.3, -0.2, 0.5])
    base = motion_take(rig, values)
    layered = motion_take(rig, values, (turning_layer(1, vector, weight=0.5),))
    times = np.linspace(0, 0.3, 7)
    before = turns_of(rig, sample(base, times).values, 1)
    after = turns_of(rig, sample(layered, times).values, 1)
    expected = r.matrix_from_quaternion(before) @ r.matrix_from_vector(0.5 * vector)
    assert np.allclose(r.matrix_from_quaternion(after), expected)
    untouched = rig.channels.joint != 1
    same = sample(layered, times).values == sample(base, times).values
    assert same[:, untouched].all()


def turns_of(rig, values, joint):
    kinds, mode = rig.channels.kind, rig.modes[joint]
    first = Kind.QUATERNION_W if mode == QUATERNION else Kind.ROTATE_X
    channel = {int(kinds[c]) - first: c for c in np.flatnonzero(rig.channels.joint == joint)}
    if mode == QUATERNION:
        return values[:, [channel[i] for i in range(4)]]
    return r.quaternion_from_euler(values[:, [channel["XYZ".index(x)] for x in mode]], mode)


def test_a_small_rotation_of_euler_angles_never_jumps_a_branch():
    rig = chain_rig(2, "ZYX")
    values = np.zeros((50, 9))
    values[:, 3:6] = np.linspace([-7, 1.4, 9], [8, 1.9, -5], 50)  # through gimbal lock
    layered = motion_take(rig, values, (turning_layer(0, [0.0, 0.02, 0.0], end=99.0),))
    change = sample(layered, layered.base.time).values - values
    assert np.abs(change).max() < np.pi / 2


def hinge_rig():
    """As chain_rig(2, "ZYX"), but the second joint turns about Z only."""
    rig = chain_rig(2, "ZYX")
    kept = [*range(6), rig.channel("joint1.rotate.z")]
    kinds = [Kind(kind) for kind in rig.channels.kind[kept]]
    return replace(rig, channels=ChannelTable.of(rig.channels.joint[kept].tolist(), kinds))


def test_a_hinge_takes_the_part_of_a_rotation_about_its_axis():
    rig = hinge_rig()
    values = np.zeros((2, 7))
    values[:, 6] = 6.5
    layers = (turning_layer(1, [0, 0, 0.25]), turning_layer(1, [0.4, 0.3, 0.0]))
    got = sample(motion_take(rig, values, layers), [0.05]).values
    assert np.isclose(got[0, 6], 6.75)


def test_an_added_layer_adds_and_does_nothing_outside_its_range():
    rig = chain_rig(2)
    layer = Layer(
        "lift", 0.1, 0.2, joints=[], turn=np.zeros((4, 0, 3)), channels=[1], add=np.ones((4, 1))
    )
    take = motion_take(rig, np.zeros((5, 9)), (layer, layer))
    got = sample(take, [0.05, 0.1, 0.15, 0.2, 0.25]).values
    assert np.allclose(got[:, 1], [0, 2, 2, 2, 0])


def test_muted_and_weightless_layers_do_nothing():
    rig = chain_rig(2)
    values = random_values(rig, 1, 4)
    layers = (turning_layer(1, [1, 0, 0], muted=True), turning_layer(1, [1, 0, 0], weight=0.0))
    take = motion_take(rig, values, layers)
    assert np.array_equal(sample(take, take.base.time).values, values)
