import numpy as np

from arcwright.characters.sculpt import sculpt
from arcwright.characters.sdf_primitive import ball, distance_field, limb
from arcwright.characters.skeleton import Joint, root, skeleton

RIG = skeleton(
    [
        root("Hips", (0, 0, 0)),
        Joint("Knee", "Hips", (0, 0.4, 0), {"x": (0, 90)}),
        Joint("Other", "Hips", (0.5, 0, 0), {"x": (0, 90)}),
    ]
)
LEG = [
    limb("Hips", (0, 0, 0), (0, 0.4, 0), 0.1, 0.07, colour="red"),
    limb("Knee", (0, 0.4, 0), (0, 0.8, 0), 0.07, 0.05, colour="blue", blend=0.01),
    ball("Knee", (0, 0.6, 0.06), 0.04, paint=True, colour="patch"),
]


def edges_of(faces):
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(edges, axis=0, return_counts=True)


def test_the_mesh_is_closed_and_lies_on_the_surface():
    mesh = sculpt(LEG, RIG, cell=0.02)
    assert (edges_of(mesh.faces)[1] == 2).all()
    assert np.abs(distance_field(LEG)(mesh.position)).max() < 1e-5


def test_faces_and_normals_look_outward():
    mesh = sculpt(LEG, RIG, cell=0.02)
    corners = mesh.position[mesh.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((across * mesh.normal[mesh.faces[:, 0]]).sum(axis=1) > -1e-9).all()
    assert np.allclose(np.linalg.norm(mesh.normal, axis=1), 1, atol=1e-9)
    volume = (corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert 0.0145 < volume < 0.0175


def test_weights_sum_to_one_fade_over_the_joint_and_keep_to_the_line():
    mesh = sculpt(LEG, RIG, cell=0.02)
    assert np.allclose(mesh.weights.sum(axis=1), 1, atol=1e-12)
    knee = (mesh.weights * (mesh.joints == RIG.joint("Knee"))).sum(axis=1)
    high = mesh.position[:, 1]
    assert knee[high > 0.6].min() > 0.99
    assert knee[high < 0.2].max() < 0.01
    assert 0.2 < knee[abs(high - 0.4) < 0.02].mean() < 0.8
    assert not (mesh.joints[mesh.weights > 0] == RIG.joint("Other")).any()


def test_colours_end_in_a_crisp_line():
    mesh = sculpt(LEG, RIG, cell=0.02)
    assert mesh.materials == ("red", "blue", "patch")
    red = mesh.position[mesh.faces[mesh.material == 0]]
    blue = mesh.position[mesh.faces[mesh.material == 1]]
    assert red[..., 1].max() < 0.41
    assert blue[..., 1].min() > 0.385
    patch = mesh.position[mesh.faces[mesh.material == 2]]
    assert np.linalg.norm(patch - [0, 0.6, 0.06], axis=-1).max() < 0.042


def test_sculpting_twice_gives_the_same_mesh():
    one, two = sculpt(LEG, RIG, cell=0.03), sculpt(LEG, RIG, cell=0.03)
    assert np.array_equal(one.position, two.position)
    assert np.array_equal(one.faces, two.faces)
