"""glTF files as they should be, read."""

import numpy as np
import pytest

from arcwright.errors import ArcwrightError
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.curve import Handle, Interpolation
from arcwright.scene.rig import Kind
from gltf_builders import PNG, Gltf, positions


def test_still_roots_become_props_without_channels(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="box", mesh=gltf.triangle(), translation=[1, 2, 3])
    gltf.add("nodes", name="lid", rotation=[0, 0, 1, 0], scale=[2, 2, 2])
    scene = gltf.read(tmp_path)
    assert [prop.name for prop in scene.props] == ["box", "lid"]
    assert len(scene.props[0].rig.channels) == 0
    world = forward(scene.props[1].rig, np.zeros((1, 0)))[0, 0]
    assert np.allclose(world, np.diag([-2, -2, 2, 1]))


def test_a_skin_ties_mesh_and_joints_into_one_character(tmp_path):
    gltf = Gltf()
    mesh = gltf.triangle()
    attributes = gltf.root["meshes"][mesh]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = gltf.numbers([[0, 1, 0, 0]] * 3, "u1")
    attributes["WEIGHTS_0"] = gltf.numbers([[0.5, 0.5, 0, 0]] * 3)
    gltf.add("nodes", name="body", mesh=mesh, skin=0)
    gltf.add("nodes", name="hip", children=[2])
    gltf.add("nodes", name="knee", translation=[0, 1, 0])
    gltf.add("skins", joints=[1, 2])
    scene = gltf.read(tmp_path)
    (character,) = scene.characters
    assert character.rig.names == ("body", "hip", "knee")
    assert character.shapes[0].skin.joints.tolist() == [1, 2]
    assert np.array_equal(character.shapes[0].skin.inverse_bind[1], np.eye(4))
    moving = {n for n in character.rig.channel_names if ".translate." in n}
    assert {name.split(".")[0] for name in moving} == {"body", "hip"}


def test_names_are_made_and_made_unique(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", children=[1, 2])
    gltf.add("nodes", name="arm")
    gltf.add("nodes", name="arm")
    scene = gltf.read(tmp_path)
    assert scene.props[0].rig.names == ("node_0", "arm", "arm_2")
    assert any("same name" in warning for warning in scene.source.warnings)


def test_linear_rotations_become_slerp_with_signs_aligned(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="a")
    gltf.animation(0, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, -0.6, -0.8]])
    take = gltf.read(tmp_path).characters[0].takes[0]
    curves = take.base.curves[-4:]
    assert all(curve.interpolation[0] == Interpolation.SLERP for curve in curves)
    assert [curve.value[1] for curve in curves] == pytest.approx([0.8, 0, 0, 0.6])


def test_cubic_splines_become_one_third_handles_exactly(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="a")
    triples = np.random.default_rng(1).normal(size=(9, 3)).astype(np.float32)
    gltf.animation(0, "translation", [0.5, 1, 2], triples, "CUBICSPLINE")
    take = gltf.read(tmp_path).characters[0].takes[0]
    curve = take.base.curves[1]
    assert curve.tangent[:, 0, 0] == pytest.approx([0, 0.5 / 3, 1 / 3])
    assert curve.tangent[:, 1, 1] == pytest.approx([triples[2, 1] / 6, triples[5, 1] / 3, 0])
    assert (curve.handles == Handle.FREE).all()
    at = 0.3  # of the last segment, by the formula of the standard
    v0, m0, v1, m1 = triples[4], triples[5], triples[7], triples[6]
    wanted = (
        (2 * at**3 - 3 * at**2 + 1) * v0
        + (at**3 - 2 * at**2 + at) * m0
        + (3 * at**2 - 2 * at**3) * v1
        + (at**3 - at**2) * m1
    )
    got = sample(take, np.array([1.3])).values[0, :3]
    assert np.abs(got - wanted).max() < 1e-6


def test_steps_hold_and_times_outside_hold(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="a")
    gltf.animation(0, "scale", [1, 2], [[1, 1, 1], [3, 3, 3]], "STEP")
    take = gltf.read(tmp_path).characters[0].takes[0]
    column = [k == Kind.SCALE_X for k in take.rig.channels.kind].index(True)
    values = sample(take, np.array([0, 1.5, 1.999, 2, 5])).values[:, column]
    assert values.tolist() == [1, 1, 1, 3, 3]
    assert take.duration == 2


def test_weights_have_a_channel_for_each_target(tmp_path):
    gltf = Gltf()
    offset = gltf.numbers(np.ones((3, 3)))
    mesh = gltf.triangle(targets=[{"POSITION": offset}, {"POSITION": offset}])
    gltf.root["meshes"][mesh] |= {
        "weights": [0.25, 0],
        "extras": {"targetNames": ["smile", "frown"]},
    }
    gltf.add("nodes", name="face", mesh=mesh)
    gltf.animation(0, "weights", [0, 1], [0, 1, 0.5, 0])
    character = gltf.read(tmp_path).characters[0]
    assert character.rig.channel_names[-2:] == ("face.weight.smile", "face.weight.frown")
    assert character.rig.channels.default[-2:].tolist() == [0.25, 0]
    assert character.takes[0].base.curves[-1].value.tolist() == [1, 0]
    assert len(character.shapes[0].parts[0].morphs) == 2


def test_animations_of_one_name_are_numbered(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="a")
    for _ in range(2):
        gltf.animation(0, "translation", [0, 1], np.zeros((2, 3)))
    for animation in gltf.root["animations"]:
        animation["name"] = "walk"
    assert [take.name for take in gltf.read(tmp_path).characters[0].takes] == ["walk", "walk_2"]


def test_interleaved_normalised_and_sparse_numbers(tmp_path):
    gltf = Gltf()
    rows = np.zeros(3, [("position", "<f4", 3), ("uv", "<u2", 2)])
    rows["position"], rows["uv"] = np.arange(9).reshape(3, 3), [[65535, 0]] * 3
    view = gltf.view(rows.tobytes(), byteStride=16)
    accessor = {"bufferView": view, "count": 3}
    patched = gltf.add(
        "accessors",
        **accessor,
        componentType=5126,
        type="VEC3",
        sparse={
            "count": 1,
            "indices": {"bufferView": gltf.view(b"\2"), "componentType": 5121},
            "values": {"bufferView": gltf.view(np.float32([7, 7, 7]).tobytes())},
        },
    )
    uv = gltf.add(
        "accessors", **accessor, byteOffset=12, componentType=5123, type="VEC2", normalized=True
    )
    attributes = {"POSITION": patched, "TEXCOORD_0": uv}
    gltf.add("nodes", mesh=gltf.add("meshes", primitives=[{"attributes": attributes}]))
    part = gltf.read(tmp_path).props[0].shapes[0].parts[0]
    assert part.attributes["POSITION"].tolist() == [[0, 1, 2], [3, 4, 5], [7, 7, 7]]
    assert part.attributes["TEXCOORD_0"].tolist() == [[1, 0]] * 3


def test_matrices_are_decomposed_and_shear_is_reported(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="a", matrix=[0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1])
    gltf.add("nodes", name="b", matrix=[1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    gltf.add("nodes", name="c", matrix=[-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    scene = gltf.read(tmp_path)
    world = forward(scene.props[0].rig, np.zeros((1, 0)))[0, 0]
    assert np.allclose(world, [[0, -3, 0, 5], [2, 0, 0, 6], [0, 0, 4, 7], [0, 0, 0, 1]])
    assert sum("shear" in warning for warning in scene.source.warnings) == 1
    assert np.isfinite(scene.props[2].rig.rest).all()


def test_unit_and_up_are_overridden(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="box", mesh=gltf.triangle(), translation=[0, 0, 3])
    scene = gltf.read(tmp_path, unit=0.01, up="Z")
    world = forward(scene.props[0].rig, np.zeros((1, 0)))[0, 0]
    assert np.allclose(world[:3, 3], [0, 0.03, 0])
    assert positions(scene).max() == pytest.approx(0.01)
    assert (scene.source.unit, scene.source.up) == (0.01, "Z")
    with pytest.raises(ArcwrightError):
        gltf.read(tmp_path, up="W")


def test_textures_are_kept_missing_ones_reported_and_none_read_from_outside(tmp_path):
    (tmp_path / "a b.png").write_bytes(PNG + b"...")
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "a b.png").write_bytes(PNG)
    gltf = Gltf(images=[{"uri": "a%20b.png"}, {"uri": "gone.png"}, {"uri": "../a%20b.png"}])
    gltf.root["images"] += [
        {"uri": "http://example.org/x.png"},
        {"uri": "data:image/jpeg;base64,/9j/"},
    ]
    gltf.add("materials", name="red", extensions={"KHR_materials_unlit": {}})
    gltf.add("nodes", mesh=gltf.triangle(material=0))
    scene = gltf.read(folder)
    look = scene.props[0].look
    assert [image.data for image in look.images[:4]] == [PNG, b"", b"", b""]
    assert look.images[4].mime == "image/jpeg"
    assert look.gltf["materials"][0]["extensions"] == {"KHR_materials_unlit": {}}
    warnings = " ".join(scene.source.warnings)
    assert "gone.png" in warnings
    assert "'../a b.png' is not a readable file in this file's folder" in warnings
    assert "another machine" in warnings


def test_pictures_of_the_same_bytes_are_the_same_bytes(tmp_path):
    (tmp_path / "a.png").write_bytes(PNG + bytes(1000))
    gltf = Gltf(images=[{"uri": "a.png"}] * 3)
    gltf.root["images"] += [{"bufferView": gltf.view(PNG), "mimeType": "image/png"}] * 3
    gltf.add("nodes", mesh=gltf.triangle())
    images = gltf.read(tmp_path).props[0].look.images
    assert len({id(image.data) for image in images}) == 2
