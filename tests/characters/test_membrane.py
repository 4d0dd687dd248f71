import numpy as np
import pytest

from arcwright.characters.membrane import Patch, grid_normals, mirrored, sheet, tube

NAMES = ("LeftArm", "LeftFinger", "Body")
ARM, FINGER = np.eye(3)[0], np.eye(3)[1]


def patch(rows=5, columns=4):
    u, v = np.meshgrid(np.linspace(0, 1, rows), np.linspace(1, 2, columns), indexing="ij")
    place = np.stack([v, np.zeros_like(u), u], axis=2)
    held = {"left": np.tile(ARM, (rows, 1)), "right": np.tile(FINGER, (rows, 1))}
    return Patch(place, held, "skin", 0.02)


def line():
    along = np.linspace(0, 1, 6)
    weights = np.stack([1 - along, along, 0 * along], axis=1)
    return tube(np.stack([along, 0 * along, 0 * along], 1), 0.1 - 0.05 * along, weights, NAMES, "b")


def volume(mesh):
    a, b, c = mesh.position[mesh.faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6


@pytest.mark.parametrize("make", [lambda: sheet(patch(), NAMES), line])
def test_sheets_and_tubes_are_closed_and_face_outward(make):
    mesh = make()
    ways = mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    assert {tuple(way) for way in ways.tolist()} == {tuple(way[::-1]) for way in ways.tolist()}
    assert len(np.unique(ways, axis=0)) == len(ways)
    assert volume(mesh) > 0
    assert np.allclose(np.linalg.norm(mesh.normal, axis=1), 1)


def test_a_sheet_is_as_thick_as_it_should_be():
    mesh = sheet(patch(), NAMES)
    assert np.ptp(mesh.position[:, 1]) == pytest.approx(0.02)
    assert volume(mesh) == pytest.approx(0.02)


def test_weights_go_over_evenly_from_one_held_edge_to_the_other():
    mesh = sheet(patch(), NAMES)
    finger = np.where(mesh.joints == 1, mesh.weights, 0).sum(axis=1)
    assert finger == pytest.approx(mesh.position[:, 0] - 1, abs=1e-3)
    assert mesh.weights.sum(axis=1) == pytest.approx(1)


def test_a_mirrored_sheet_has_the_joints_of_the_other_side():
    mesh = sheet(patch(), NAMES)
    other = mirrored(mesh)
    assert other.owners == ("RightArm", "RightFinger", "Body")
    assert np.allclose(other.position * [-1, 1, 1], mesh.position)
    assert volume(other) == pytest.approx(volume(mesh))


def test_normals_of_a_flat_grid_are_square_to_it():
    assert np.allclose(np.abs(grid_normals(patch().position)), [0, 1, 0])
