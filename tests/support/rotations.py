"""Rotations of joints in sessions of tools, and what they leave as it was."""

import numpy as np

from arcwright.arrays import same
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_normalise,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

EXACT = 1e-12  # m


def take_of(scene):
    return scene.characters[0].takes[0]


def wanted(scene, joint, time, by):
    """The orientation of a joint, rotated in the world by a rotation vector."""
    now = trail(take_of(scene), joint, [time]).orientation[0]
    return quaternion_normalise(quaternion_multiply(quaternion_from_vector(np.array(by)), now))


def rotate(scene, name, joint, time, by, **options):
    """A session in which a joint was rotated, and the scene after it."""
    session = tool(name).begin(scene, Target(), tool(name).Options(**options))
    session.update(Drag(Point(joint), time, orientation=wanted(scene, joint, time, by)))
    return session, session.finish().apply(scene)


def off(scene, joint, time, orientation):
    """Rad from an orientation."""
    now = trail(take_of(scene), joint, [time]).orientation[0]
    return np.linalg.norm(vector_from_quaternion(quaternion_multiply(orientation, conjugate(now))))


def conjugate(turn):
    return quaternion_conjugate(turn)


def below(rig, joint):
    """(J,) the joint and what hangs on it."""
    found = np.zeros(len(rig.names), bool)
    for each, parent in enumerate(rig.parents):
        found[each] = each == joint or (parent >= 0 and found[parent])
    return found


def worlds(scene, times):
    return forward(take_of(scene).rig, values_at(take_of(scene), np.asarray(times)))


def assert_forward_kinematics(before, after, joint, time):
    """The joint's place and all that does not hang on it stay; what hangs on it is rigid."""
    rig = take_of(before).rig
    index = rig.joint(joint)
    hanging = below(rig, index)
    times = np.linspace(0, take_of(before).duration, 21)
    was, now = worlds(before, times), worlds(after, times)
    assert same(was[:, ~hanging], now[:, ~hanging])
    assert np.abs(was[:, index, :3, 3] - now[:, index, :3, 3]).max() <= EXACT
    was, now = worlds(before, [time])[0], worlds(after, [time])[0]
    local = [np.linalg.inv(each[index]) @ each[hanging] for each in (was, now)]
    assert np.abs(local[0] - local[1]).max() < 1e-9


def changed_joints(rig, edit):
    return {rig.names[rig.channels.joint[change.address[-1]]] for change in edit.changes}
