import numpy as np
import pytest

from arcwright.characters.solids import (
    Solid,
    ball,
    beam,
    box,
    drum,
    joined,
    lathe,
    plate,
    ring,
    rod,
    shaded,
    tube,
)

SHAPES = {
    "box": (box(0.3, 0.2, 0.4, 0.03, 3), 0.0233),
    "drum": (drum(0.2, 0.1, 0.02), 0.0121),
    "ball": (ball(0.1, 0.2, 0.3, 48, 33), 4 / 3 * np.pi * 0.006),
    "rod": (rod((0, 0, 0), (0, 0, 1), 0.05, sides=48), np.pi * 0.05**2 * 1.04),
    "ring": (ring(0.5, 0.05, 96, 48), 2 * np.pi**2 * 0.5 * 0.05**2),
    "plate": (plate([(0, 0), (0.2, 0), (0.2, 0.3), (0, 0.3)], 0.1, 0.001), 0.006),
    "tube": (tube([(0, 0, 0), (0, 0, 0.4), (0, 0, 1)], 0.05, 48), np.pi * 0.05**2),
    "beam": (beam((0, 0, 0), (0.3, 0.4, 0), 0.1, 0.1, 0.001), 0.005),
}


def volume(position, triangles):
    a, b, c = position[triangles].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6


@pytest.mark.parametrize("name", SHAPES)
def test_solids_face_outward_and_have_the_volume_they_should(name):
    solid, wanted = SHAPES[name]
    assert volume(solid.position, solid.triangles) == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize("name", SHAPES)
def test_solids_are_closed(name):
    position, _, triangles = shaded(SHAPES[name][0])
    _, corner = np.unique(np.round(position * 1e5), axis=0, return_inverse=True)
    faces = corner.reshape(-1)[triangles]
    edges = faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    there, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 1).all()
    assert {(a, b) for a, b in there.tolist()} == {(b, a) for a, b in there.tolist()}


@pytest.mark.parametrize("name", SHAPES)
def test_shading_keeps_shape_and_gives_unit_normals(name):
    position, normal, triangles = shaded(SHAPES[name][0])
    assert volume(position, triangles) == pytest.approx(SHAPES[name][1], rel=0.03)
    assert np.allclose(np.linalg.norm(normal, axis=1), 1)


def test_sharp_edges_are_split_and_soft_ones_shared():
    can = lathe([(0, 0), (1, 0), (1, 1), (0, 1)], 24)
    position, normal, _ = shaded(can)
    rim = normal[np.isclose(position[:, 1], 1) & (np.linalg.norm(position[:, ::2], axis=1) > 0.9)]
    assert len(rim) == 48
    assert set(np.round(rim[:, 1], 6).tolist()) == {0.0, 1.0}


def test_normals_of_a_ball_point_away_from_its_middle():
    position, normal, _ = shaded(ball(1, 1, 1, 32, 25))
    assert (np.einsum("ij,ij->i", position, normal) > 0.99).all()


def test_a_mirrored_solid_still_faces_outward():
    solid = box(0.3, 0.2, 0.4, 0.03).moved((1, 0, 0)).scaled(-1, 1, 1)
    assert volume(solid.position, solid.triangles) > 0
    assert solid.position[:, 0].max() < 0


def test_rotations_are_about_x_then_y_then_z():
    solid = Solid(np.array([[0.0, 1.0, 0.0]]), np.zeros((0, 3), np.int64))
    assert np.allclose(solid.rotated(x=90).position, [[0, 0, 1]])
    assert np.allclose(solid.rotated(x=90, y=90).position, [[1, 0, 0]])
    assert np.allclose(solid.rotated(x=90, y=90, z=90).position, [[0, 1, 0]])


def test_joined_solids_keep_their_own_corners():
    both = joined(box(1, 1, 1, 0.1), box(1, 1, 1, 0.1).moved((5, 0, 0)))
    assert volume(both.position, both.triangles) == pytest.approx(1.94, rel=0.02)
