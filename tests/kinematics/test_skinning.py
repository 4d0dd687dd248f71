import numpy as np
import pytest

from arcwright.kinematics import rotation as r
from arcwright.kinematics.forward import forward
from arcwright.kinematics.skinning import deform, morph_weights, surface_normals
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character
from arcwright.scene.shape import Part, Shape, Skin
from random_rigs import chain_rig

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
UP = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
FACES = np.array([0, 1, 2, 0, 2, 3])


def part(**more):
    morphs = more.pop("morphs", ())
    return Part({"POSITION": SQUARE, "NORMAL": UP, **more}, FACES, morphs=morphs)


def posed(shape, rig=None, values=None):
    rig = rig or chain_rig(3)
    values = np.zeros(len(rig.channels)) if values is None else values
    (answer,) = deform(Character("c", rig, shapes=(shape,)), values, forward(rig, values[None])[0])
    return answer


def skinned(joints, weights, **more):
    skin = Skin([0, 1, 2], bind_inverse(chain_rig(3)))
    sets = {}
    for index in range(np.shape(joints)[1] // 4):
        four = slice(4 * index, 4 * index + 4)
        sets[f"JOINTS_{index}"] = np.array(joints, np.uint8)[:, four]
        sets[f"WEIGHTS_{index}"] = np.array(weights, np.float32)[:, four]
    return Shape("skin", 0, (part(**sets, **more),), skin)


def bind_inverse(rig):
    return np.linalg.inv(forward(rig, np.zeros((1, len(rig.channels))))[0])


def test_a_rigid_shape_follows_its_joint():
    rig = chain_rig(3)
    values = np.zeros(12)
    values[rig.channel("joint1.rotate.z")] = np.pi / 2
    answer = posed(Shape("box", 1, (part(),)), rig, values)
    assert np.allclose(answer.positions, [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert np.allclose(answer.normals, UP)


def test_a_skin_in_its_bind_pose_is_the_mesh_itself():
    answer = posed(skinned([[0, 1, 2, 0]] * 4, [[0.2, 0.3, 0.5, 0.0]] * 4))
    assert np.allclose(answer.positions, SQUARE)
    assert np.allclose(answer.normals, UP)


def test_each_vertex_is_blended_from_its_joints():
    rig = chain_rig(3)
    values = np.random.default_rng(0).normal(size=12)
    world = forward(rig, values[None])[0]
    bones = world @ bind_inverse(rig)
    joints = [[0, 1, 2, 0], [1, 0, 0, 0], [2, 1, 0, 0], [0, 2, 0, 0]]
    weights = [[0.2, 0.3, 0.5, 0], [1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.9, 0.1, 0, 0]]
    answer = posed(skinned(joints, weights), rig, values)
    for vertex in range(4):
        blend = sum(w * bones[j] for j, w in zip(joints[vertex], weights[vertex], strict=True))
        expected = blend[:3, :3] @ SQUARE[vertex] + blend[:3, 3]
        assert np.allclose(answer.positions[vertex], expected, atol=1e-6)


def test_weights_that_do_not_sum_to_one_are_scaled():
    rig = chain_rig(3)
    values = np.random.default_rng(1).normal(size=12)
    right = posed(skinned([[0, 1, 0, 0]] * 4, [[0.5, 0.5, 0, 0]] * 4), rig, values)
    wrong = posed(skinned([[0, 1, 0, 0]] * 4, [[0.2, 0.2, 0, 0]] * 4), rig, values)
    assert np.allclose(right.positions, wrong.positions, atol=1e-6)


def test_more_than_four_joints_count():
    rig = chain_rig(3)
    values = np.random.default_rng(1).normal(size=12)
    four = posed(skinned([[0, 1, 2, 0]] * 4, [[0.2, 0.3, 0.5, 0]] * 4), rig, values)
    eight = posed(
        skinned([[0, 0, 0, 0, 1, 2, 0, 0]] * 4, [[0.1, 0.1, 0, 0, 0.3, 0.5, 0, 0]] * 4), rig, values
    )
    assert np.allclose(four.positions, eight.positions, atol=1e-6)


def test_a_vertex_without_weights_follows_the_shapes_joint():
    rig = chain_rig(3)
    values = np.zeros(12)
    values[0] = 5.0
    answer = posed(skinned([[0, 0, 0, 0]] * 4, [[0.0] * 4] * 4), rig, values)
    assert np.allclose(answer.positions, SQUARE + np.array([5, 0, 0]))


def face_rig():
    return Rig(
        names=("head",),
        parents=[-1],
        offset=np.zeros((1, 3)),
        rest=[[1.0, 0, 0, 0]],
        scale=np.ones((1, 3)),
        modes=("XYZ",),
        channels=ChannelTable.of([0], [Kind.WEIGHT], label=["smile"]),
    )


def test_a_weight_channel_overrides_the_shapes_own_weight():
    grin = {"POSITION": np.tile(np.array([0, 0, 2], np.float32), (4, 1))}
    frown = {"POSITION": np.tile(np.array([1, 0, 0], np.float32), (4, 1))}
    shape = Shape("face", 0, (part(morphs=(grin, frown)),), None, ("smile", "frown"), (0.9, 0.5))
    assert morph_weights(face_rig(), shape, np.array([0.25])).tolist() == [0.25, 0.5]
    answer = posed(shape, face_rig(), np.array([0.25]))
    assert np.allclose(answer.positions, SQUARE + np.array([0.5, 0, 0.5]))


def test_missing_normals_are_made_from_the_triangles():
    bare = Part({"POSITION": SQUARE}, FACES)
    assert np.allclose(surface_normals(bare, SQUARE.astype(float)), UP)
    answer = posed(Shape("bare", 0, (bare,)))
    assert np.allclose(answer.normals, UP)
    cloud = Part({"POSITION": SQUARE}, None, mode=0)
    assert np.array_equal(posed(Shape("cloud", 0, (cloud,))).normals, np.zeros((4, 3)))


@pytest.mark.parametrize("stretch", [[2.0, 1.0, 0.5], [1.0, 3.0, -1.0]])
def test_normals_stay_across_the_surface_under_uneven_scale(stretch):
    tilted = r.quaternion_rotate(
        r.quaternion_from_vector(np.array([0.5, 0.4, 0.3])), SQUARE.astype(float)
    )
    normal = r.cross(tilted[1] - tilted[0], tilted[3] - tilted[0])
    shape = Shape(
        "plane", 0, (Part({"POSITION": tilted, "NORMAL": np.tile(normal, (4, 1))}, FACES),)
    )
    rig = face_rig()
    world = np.diag([*stretch, 1.0])[None]
    (answer,) = deform(Character("c", rig, shapes=(shape,)), np.zeros(1), world)
    along = answer.positions[1:] - answer.positions[0]
    assert np.allclose(along @ answer.normals[0], 0, atol=1e-12)
    assert np.allclose(np.linalg.norm(answer.normals, axis=1), 1)


def test_a_mirrored_shape_keeps_its_normals_outside():
    ball = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0.8, 0]])
    shape = Shape("ball", 0, (Part({"POSITION": ball, "NORMAL": ball}, FACES),))
    world = np.diag([-1.0, 1.0, 1.0, 1.0])[None]
    (answer,) = deform(Character("c", face_rig(), shapes=(shape,)), np.zeros(1), world)
    assert np.allclose(answer.normals, answer.positions)


def test_joints_without_weights_leave_a_shape_rigid():
    shape = Shape("odd", 0, (part(JOINTS_0=np.zeros((4, 4), np.uint8)),), Skin([0], [np.eye(4)]))
    assert np.allclose(posed(shape).positions, SQUARE)
