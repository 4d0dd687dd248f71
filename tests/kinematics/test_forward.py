import gc
import weakref

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.kinematics import rotation as r
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import layout
from arcwright.scene.rig import QUATERNION, Kind
from random_rigs import chain_rig, random_rig, random_values


def plain_forward(rig, row, *, scaled=True):
    """The joint formula of the conventions, word by word, one joint at a time."""
    world = []
    for joint in range(len(rig.names)):
        value = {
            Kind(kind): row[channel]
            for channel, kind in enumerate(rig.channels.kind)
            if rig.channels.joint[channel] == joint
        }
        slide = [value.get(Kind(Kind.TRANSLATE_X + axis), 0.0) for axis in range(3)]
        stretch = [value.get(Kind(Kind.SCALE_X + axis), 1.0) for axis in range(3)]
        local = (
            block(move=rig.offset[joint])
            @ block(r.matrix_from_quaternion(rig.rest[joint]))
            @ block(move=slide)
            @ block(plain_turn(rig.modes[joint], value))
            @ block(np.diag(rig.scale[joint] * stretch if scaled else np.ones(3)))
        )
        parent = rig.parents[joint]
        world.append(local if parent < 0 else world[parent] @ local)
    return np.array(world)


def block(turn=None, move=(0.0, 0.0, 0.0)):
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) if turn is None else turn
    matrix[:3, 3] = move
    return matrix


def plain_turn(mode, value):
    if mode == QUATERNION:
        q = np.array([value[Kind(Kind.QUATERNION_W + i)] for i in range(4)])
        return r.matrix_from_quaternion(r.quaternion_normalise(q))
    turn = np.eye(3)
    for letter in mode:
        axis = "XYZ".index(letter)
        angle = value.get(Kind(Kind.ROTATE_X + axis), 0.0)
        vector = angle * np.eye(3)[axis]
        turn = turn @ r.matrix_from_vector(vector)
    return turn


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("scaled", [True, False])
def test_every_joint_follows_the_formula_of_the_conventions(seed, scaled):
    rig = random_rig(seed, 12, scaled=scaled, rest=seed % 3 > 0)
    values = random_values(rig, seed, 4)
    expected = np.array([plain_forward(rig, row) for row in values])
    assert np.allclose(forward(rig, values), expected, atol=1e-11)
    turned = np.array([plain_forward(rig, row, scaled=False)[:, :3, :3] for row in values])
    assert np.allclose(r.matrix_from_quaternion(orientation(rig, values)), turned, atol=1e-11)


def test_only_the_requested_joints_are_returned_in_order():
    rig = random_rig(3, 12)
    values = random_values(rig, 3)
    everything = forward(rig, values)
    assert np.array_equal(forward(rig, values, [7, 2, 7]), everything[:, [7, 2, 7]])
    assert forward(rig, values, []).shape == (3, 0, 4, 4)


def test_only_the_ancestors_are_looked_at():
    rig = chain_rig(5)
    assert layout(rig, [2]).joints.tolist() == [0, 1, 2]


def test_long_motions_are_the_same_in_blocks_as_frame_by_frame():
    rig = random_rig(5, 30)
    values = random_values(rig, 5, 700)
    whole = forward(rig, values)
    for frame in (0, 271, 272, 699):
        assert np.allclose(whole[frame], forward(rig, values[frame : frame + 1])[0], atol=1e-12)


def test_a_zero_quaternion_stands_still_without_nan():
    rig = chain_rig(3, QUATERNION)
    world = forward(rig, np.zeros((2, len(rig.channels))))
    assert np.array_equal(world[..., :3, :3], np.broadcast_to(np.eye(3), (2, 3, 3, 3)))


def test_no_times_give_no_frames():
    rig = chain_rig(3)
    assert forward(rig, np.zeros((0, len(rig.channels)))).shape == (0, 3, 4, 4)


def test_values_of_another_rig_are_refused():
    rig = chain_rig(3)
    with pytest.raises(BadValue, match=r"values: expected shape \(T, 12\), got shape \(2, 5\)"):
        forward(rig, np.zeros((2, 5)))
    with pytest.raises(BadValue, match="joints: expected indices 0 to 2"):
        forward(rig, np.zeros((2, 12)), [3])


def test_a_rig_and_its_layouts_are_forgotten_together():
    rig = chain_rig(3)
    plan = weakref.ref(layout(rig))
    forward(rig, np.zeros((1, 12)), [1])
    held = weakref.ref(rig)
    del rig
    gc.collect()
    assert held() is None
    assert plan() is None


def test_the_number_of_remembered_layouts_is_bounded():
    rig = chain_rig(10)
    first = weakref.ref(layout(rig, [0, 1]))
    for a in range(10):
        for b in range(10):
            layout(rig, [a, b, a])
    gc.collect()
    assert first() is None
