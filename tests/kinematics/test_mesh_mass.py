"""Mass of a body from its meshes: volume, centre and inertia, whatever the mesh is like."""

from dataclasses import replace

import numpy as np
import pytest
from boxes import box

from arcwright import characters
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.mesh_mass import mesh_mass
from arcwright.scene.shape import Part, Shape, Skin
from random_rigs import chain_rig


def skinned(rig, boxes):
    """One skin of boxes (joint, vertices, faces), each on one joint."""
    first = np.cumsum([0, *(len(v) for _, v, _ in boxes)])
    position = np.concatenate([v for _, v, _ in boxes]).astype(np.float32)
    faces = np.concatenate([f + at for (_, _, f), at in zip(boxes, first[:-1], strict=True)])
    owner = np.concatenate([np.full(len(v), j) for j, v, _ in boxes])
    joints = np.zeros((len(position), 4), np.uint8)
    joints[:, 0] = owner
    weights = np.zeros((len(position), 4), np.float32)
    weights[:, 0] = 1
    part = Part({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights}, faces.ravel())
    bind = np.linalg.inv(forward(rig, rig.channels.default[None])[0])
    return Shape("body", 0, (part,), Skin(np.arange(len(rig.names)), bind))


def rigid(joint, low, high, sides=range(6)):
    vertices, faces = box(low, high, sides)
    return Shape("rigid", joint, (Part({"POSITION": vertices}, faces.ravel()),))


def big_and_small(rig, sides=range(6), twice=1):
    big = (0, *box((-1, -1, -1), (1, 1, 1), sides))
    small = (2, *box((1.75, -0.25, -0.25), (2.25, 0.25, 0.25), sides))
    return skinned(rig, [big, small] * twice)


def test_joints_weigh_as_much_as_the_volume_they_carry():
    found = mesh_mass(rig := chain_rig(3), (big_and_small(rig),))
    assert found.volume[0] == pytest.approx(8, rel=0.01)
    assert found.volume[2] == pytest.approx(0.125, rel=0.05)
    assert found.volume[1] == 0


def test_the_centre_and_the_spread_are_those_of_the_solid():
    found = mesh_mass(rig := chain_rig(2), (skinned(rig, [(0, *box((1, -0.5, -2), (3, 0.5, 2)))]),))
    assert found.centre[0] == pytest.approx([2, 0, 0], abs=0.02)
    expected = np.diag([4, 1, 16]) / 12
    assert found.covariance[0] == pytest.approx(expected, rel=0.02, abs=0.01)


@pytest.mark.parametrize("sides", [range(2, 6), range(1, 6)], ids=["tube", "open on one side"])
def test_open_meshes_weigh_like_closed_ones(sides):
    rig = chain_rig(3)
    shares = [body_mass(rig, (big_and_small(rig, each),)).share for each in (range(6), sides)]
    assert shares[1] == pytest.approx(shares[0], abs=0.01)


def test_doubled_and_flipped_meshes_weigh_like_plain_ones():
    rig = chain_rig(3)
    shape = big_and_small(rig, twice=2)
    part = shape.parts[0]
    faces = part.indices.reshape(-1, 3).copy()
    faces[::2] = faces[::2, ::-1]
    flipped = replace(shape, parts=(replace(part, indices=faces.ravel()),))
    plain = body_mass(rig, (big_and_small(rig),))
    for each in (shape, flipped):
        found = body_mass(rig, (each,))
        assert found.share == pytest.approx(plain.share, abs=1e-6)
        assert found.centre == pytest.approx(plain.centre, abs=1e-6)


def test_a_flat_figure_weighs_by_its_area():
    rig = chain_rig(2)
    figure = [(0, *box((0, 0, 0), (1, 1, 0), [4])), (1, *box((1, 0, 0), (4, 1, 0), [4]))]
    assert body_mass(rig, (skinned(rig, figure),)).share == pytest.approx([0.25, 0.75], abs=0.01)


def test_rigid_meshes_count_but_not_what_a_skinned_joint_wears_or_holds():
    rig = chain_rig(3)
    arm = skinned(rig, [(1, *box((0, 0, 0), (1, 1, 1)))])
    trunk, sword = rigid(0, (0, 0, 0), (1, 2, 1)), rigid(2, (0, 0, 0), (5, 5, 5))
    found = mesh_mass(rig, (arm, trunk, sword))
    assert found.volume == pytest.approx([2, 1, 0], rel=0.05)
    assert mesh_mass(rig, (trunk, sword)).volume == pytest.approx([2, 0, 125], rel=0.05)


def test_a_scaled_joint_weighs_what_is_seen():
    rig = chain_rig(2)
    scaled = replace(rig, scale=np.array([[100.0] * 3, [1.0] * 3]))
    found = body_mass(scaled, (rigid(0, (0, -0.005, -0.005), (0.01, 0.005, 0.005)),))
    points, share = found.particles()
    world = forward(scaled, scaled.channels.default[None])[0]
    place = world[0, :3, :3] @ points.offsets.T + world[0, :3, 3:]
    assert place @ share == pytest.approx([0.5, 0, 0], abs=0.02)
    assert np.cov(place, aweights=share, bias=True) == pytest.approx(np.eye(3) / 12, abs=0.01)


def test_without_a_mesh_names_and_lengths_tell():
    biped = characters.built_in("biped").characters[0]
    shares = dict(zip(body_mass(biped.rig).joints, body_mass(biped.rig).share, strict=True))
    assert shares[biped.rig.joint("Head")] == pytest.approx(0.081, abs=0.005)
    points = Shape("cloud", 0, (Part({"POSITION": np.ones((3, 3))}, None, mode=0),))
    assert body_mass(biped.rig, (points,)).share == pytest.approx(body_mass(biped.rig).share)


@pytest.mark.parametrize("name", characters.names())
def test_built_in_characters_weigh_alike_left_and_right(name):
    character = characters.built_in(name).characters[0]
    found = body_mass(character.rig, character.shapes)
    world = forward(character.rig, character.rig.channels.default[None])[0]
    place = [
        world[j, :3, :3] @ c + world[j, :3, 3]
        for j, c in zip(found.joints, found.centre, strict=True)
    ]
    size = np.ptp(world[:, :3, 3], axis=0).max()
    assert abs(found.share @ np.array(place)[:, 0]) < 0.02 * size
    assert found.share.sum() == pytest.approx(1)


def test_meshes_are_weighed_once():
    character = characters.built_in("lamp").characters[0]
    again = replace(character, takes=())
    assert mesh_mass(character.rig, character.shapes) is mesh_mass(again.rig, again.shapes)
