import numpy as np

from arcwright.characters.assembly import Piece, assembled, both_sides
from arcwright.characters.skeleton import Joint, root, skeleton
from arcwright.characters.skeleton import both_sides as both_joints
from arcwright.characters.solids import box

JOINTS = both_joints(
    [
        root("Body", (0, 1, 0)),
        Joint("LeftArm", "Body", (0.5, 1, 0), {"x": (-9, 9)}, frame=(0, 90, 0)),
    ]
)


def test_a_piece_stands_in_the_axes_of_its_joint_and_is_held_by_it_alone():
    mesh = assembled(skeleton(JOINTS), [Piece("LeftArm", "red", box(0.1, 0.1, 1, 0.01))])
    assert np.allclose(mesh.position.min(axis=0), [0, 0.95, -0.05], atol=1e-6)
    assert np.allclose(mesh.position.max(axis=0), [1, 1.05, 0.05], atol=1e-6)
    assert mesh.owners == ("LeftArm",)
    assert (mesh.weights == [1, 0, 0, 0]).all()


def test_pieces_of_the_left_are_mirrored_to_the_right():
    pieces = both_sides([Piece("LeftArm", "red", box(0.1, 0.1, 0.4, 0.01).moved((0.1, 0.2, 0.3)))])
    mesh = assembled(skeleton(JOINTS), pieces)
    left = mesh.position[mesh.position[:, 0] > 0]
    right = mesh.position[mesh.position[:, 0] < 0]
    assert np.allclose(np.sort(left[:, 1]), np.sort(right[:, 1]))
    assert np.allclose(left.mean(axis=0) * [-1, 1, 1], right.mean(axis=0))


def test_there_is_one_material_per_colour_in_order_of_use():
    solid = box(0.1, 0.1, 0.1, 0.01)
    rows = [
        Piece("Body", "red", solid),
        Piece("LeftArm", "blue", solid),
        Piece("Body", "red", solid),
    ]
    mesh = assembled(skeleton(JOINTS), rows)
    assert mesh.materials == ("red", "blue")
    assert set(mesh.material.tolist()) == {0, 1}
