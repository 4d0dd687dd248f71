"""Rotations written near to others are the same rotations."""

import numpy as np

from arcwright import read
from arcwright.kinematics.forward import forward
from arcwright.kinematics.nearest_rotations import nearest_rotations
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Kind


def test_whole_turns_are_taken_off_and_nothing_moves():
    take = read("biped:walk").characters[0].takes[0]
    near = values_at(take, np.linspace(0, 1, 9))
    kind = take.rig.channels.kind
    angles = np.flatnonzero((kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z))
    turned = np.array(near)
    turned[:, angles[::3]] += 2 * np.pi
    found = nearest_rotations(take.rig, turned, near)
    np.testing.assert_allclose(found, near, atol=1e-9)
    np.testing.assert_allclose(forward(take.rig, found), forward(take.rig, turned), atol=1e-9)
