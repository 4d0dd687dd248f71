"""Displacement layers pass through the poses that they were made from."""

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.displacement_layer import displacement, displacement_layer
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layering import with_layer
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.scene.rig import Kind


def changed(take, values, seed=0):
    """Other poses: every rotation differs, by up to a radian or so in the middle."""
    kinds = take.rig.channels.kind
    rotates = (kinds >= Kind.ROTATE_X) & (kinds <= Kind.QUATERNION_Z)
    along = np.sin(np.linspace(0, 3, len(values)))[:, None]
    random = np.random.default_rng(seed).normal(size=values.shape[1])
    found = values + 0.4 * along * random * rotates
    four = quaternion_channels(take.rig)
    found[:, four] = quaternion_normalise(found[:, four])
    return found


@pytest.mark.parametrize("name", ["biped:walk", "dragon:fly", "lamp", "robot", "biped:tea"])
def test_a_layer_gives_back_the_poses_at_its_times(name):
    take = arcwright.read(name).characters[0].takes[0]
    times = take.frame_times()[:40]
    values = values_at(take, times)
    after = changed(take, values)
    moved = displacement(take.rig, values, after)
    layer = displacement_layer("layer", times[0], times[-1], moved)
    found = with_layer(take.rig, layer, times, values)
    assert np.abs(forward(take.rig, found) - forward(take.rig, after)).max() < 1e-9


def test_what_does_not_differ_is_left_out():
    take = arcwright.read("biped:walk").characters[0].takes[0]
    values = values_at(take, take.frame_times())
    assert displacement(take.rig, values, values).none
    after = values.copy()
    after[:, take.rig.channels.joint == take.rig.joint("Hips")] += 0.01
    moved = displacement(take.rig, values, after)
    assert moved.joints.tolist() == [take.rig.joint("Hips")]
    assert len(moved.channels) == 3
