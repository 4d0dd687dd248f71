import numpy as np

from arcwright.kinematics import rotation as r
from arcwright.kinematics.forward import forward
from arcwright.kinematics.trail import speed, trail
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from random_rigs import chain_rig, random_rig, random_values


def spinning_arm(turns_per_second=1.0):
    rig = chain_rig(3)
    curves = [None] * 12
    curves[rig.channel("joint0.rotate.z")] = Curve.of([0, 1], [0, 2 * np.pi * turns_per_second])
    return Take(rig, Clip("spin", tuple(curves), duration=1.0))


def test_a_spinning_hand_draws_a_circle_at_even_speed():
    time = np.linspace(0, 1, 401)
    path = trail(spinning_arm(), Point("joint2", [0.5, 0, 0]), time)
    assert np.allclose(np.linalg.norm(path.position, axis=1), 2.5)
    assert np.allclose(path.position[100], [0, 2.5, 0], atol=1e-12)
    assert np.allclose(path.speed, 2 * np.pi * 2.5, rtol=1e-3)
    assert len(path) == 401


def test_orientations_never_change_sign_between_neighbours():
    path = trail(spinning_arm(3.0), "joint2", np.linspace(0, 1, 200))
    assert ((path.orientation[1:] * path.orientation[:-1]).sum(axis=1) > 0).all()


def test_several_trails_are_the_same_as_one_by_one():
    rig = random_rig(4, 10)
    take = Take(rig, Motion("any", [0.0, 0.1, 0.5], random_values(rig, 4)))
    time = np.linspace(0, 0.5, 9)
    points = [(9, [0.1, 0, 0]), 3, Point("joint7", [0, 1, 0])]
    for alone, together in zip(
        [trail(take, point, time) for point in points], trail(take, points, time), strict=True
    ):
        assert np.allclose(alone.position, together.position)
        assert np.allclose(abs(alone.orientation), abs(together.orientation))


def test_orientation_leaves_scale_out_and_agrees_with_the_matrices_without_it():
    rig = random_rig(6, 8, scaled=False)
    values = random_values(rig, 6)
    take = Take(rig, Motion("any", [0.0, 1.0, 2.0], values))
    path = trail(take, 7, [0.0, 1.0, 2.0])
    assert np.allclose(
        r.matrix_from_quaternion(path.orientation), forward(rig, values)[:, 7, :3, :3]
    )


def test_one_moment_has_no_speed():
    assert speed(np.array([1.0]), np.zeros((1, 3))).tolist() == [0.0]
