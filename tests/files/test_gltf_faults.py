"""glTF files with something wrong in them: mended and said, or refused in one line."""

import json

import numpy as np
import pytest

from arcwright.errors import BadFile
from arcwright.files.gltf import read
from gltf_builders import Gltf, glb, positions


def fault(gltf, folder):
    with pytest.raises(BadFile) as caught:
        gltf.read(folder)
    assert "\n" not in str(caught.value)
    return caught.value.fault


def test_key_times_out_of_order_are_sorted_and_reported(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="a")
    gltf.animation(0, "translation", [1, 0, 1], [[1, 0, 0], [0, 0, 0], [9, 0, 0]])
    scene = gltf.read(tmp_path)
    curve = scene.characters[0].takes[0].base.curves[0]
    assert (curve.time.tolist(), curve.value.tolist()) == ([0, 1], [0, 9])
    assert any("sorted" in warning for warning in scene.source.warnings)


def test_numbers_that_are_not_finite_are_set_to_zero_and_reported(tmp_path):
    gltf = Gltf()
    position = gltf.numbers([[0, 0, np.nan], [1, 0, 0], [0, np.inf, 0]])
    gltf.add("nodes", mesh=gltf.add("meshes", primitives=[{"attributes": {"POSITION": position}}]))
    scene = gltf.read(tmp_path)
    assert positions(scene).tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert any("nan or inf" in warning for warning in scene.source.warnings)


def test_a_buffer_outside_the_folder_is_refused(tmp_path):
    (tmp_path / "secret.bin").write_bytes(bytes(36))
    folder = tmp_path / "inside"
    folder.mkdir()
    gltf = Gltf(buffers=[{"byteLength": 36, "uri": "../secret.bin"}])
    gltf.add("nodes", mesh=gltf.triangle())
    assert "not a readable file in this file's folder" in fault(gltf, folder)


def test_what_is_dropped_is_reported(tmp_path):
    gltf = Gltf(cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}])
    gltf.add("nodes", camera=0, extras={"mood": "calm"}, extensions={"KHR_lights_punctual": {}})
    warnings = " ".join(gltf.read(tmp_path).source.warnings)
    assert "cameras (1)" in warnings
    assert "KHR_lights_punctual on 1" in warnings
    assert "extras on 1" in warnings


def test_required_extensions_that_are_not_known_are_refused_by_name(tmp_path):
    gltf = Gltf(extensionsUsed=["EXT_secret"], extensionsRequired=["EXT_secret"])
    assert "EXT_secret" in fault(gltf, tmp_path)


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda g: g.root["accessors"][0].update(count=10**15), "accessor 0 reaches past the end"),
        (lambda g: g.root["accessors"][0].update(count=-1), "accessor 0 has count -1"),
        (lambda g: g.root["accessors"][0].update(byteOffset=4), "accessor 0 reaches past the end"),
        (lambda g: g.root["accessors"][0].update(type="VEC9"), "accessor 0 has type 'VEC9'"),
        (lambda g: g.root["accessors"][0].update(bufferView=5), "accessor 0 names bufferView 5"),
        (lambda g: g.root["bufferViews"][0].update(byteLength=99), "bufferView 0 reaches past"),
        (lambda g: g.root["nodes"][0].update(mesh=True), "node 0 names mesh True"),
        (lambda g: g.root["nodes"][0].update(children=[0]), "own ancestor"),
        (lambda g: g.root["nodes"][0].update(translation=[1, 2]), "node 0 has translation"),
        (lambda g: g.root["nodes"][0].update(translation=[1, 2, 1e99]), "node 0 has translation"),
        (lambda g: g.root["nodes"][0].update(name=7), "node 0 has name 7"),
        (lambda g: g.root.update(nodes={}), "has nodes {}"),
        (lambda g: g.root.update(scene=3), "names scene 3"),
        (lambda g: g.root.update(asset={"version": "1.0"}), "glTF 1.0"),
    ],
)
def test_faults_name_the_element(spoil, word, tmp_path):
    gltf = Gltf()
    gltf.add("nodes", mesh=gltf.triangle())
    spoil(gltf)
    assert word in fault(gltf, tmp_path)


def test_counts_that_no_buffer_backs_are_bounded_before_memory_is_taken(tmp_path):
    gltf = Gltf()
    huge = gltf.add("accessors", componentType=5126, type="VEC3", count=2**40)
    gltf.add("nodes", mesh=gltf.add("meshes", primitives=[{"attributes": {"POSITION": huge}}]))
    assert "unfolds to far more" in fault(gltf, tmp_path)


def test_many_keys_on_many_nodes_are_bounded(tmp_path):
    gltf = Gltf()
    time, value = gltf.numbers(np.arange(20000)), gltf.numbers(np.zeros((20000, 3)))
    channels = []
    for node in range(1500):
        gltf.add("nodes")
        channels.append({"sampler": 0, "target": {"node": node, "path": "translation"}})
    gltf.add("animations", channels=channels, samplers=[{"input": time, "output": value}])
    assert "unfolds to far more" in fault(gltf, tmp_path)


def test_small_files_that_reference_one_item_very_often_cost_little(tmp_path):
    gltf = Gltf()
    place = gltf.numbers(np.zeros((50_000, 3)))
    primitives = [{"attributes": {"POSITION": place}}] * 20_000
    gltf.add("nodes", mesh=gltf.add("meshes", primitives=primitives))
    assert "unfolds to far more" in fault(gltf, tmp_path)


def test_thousands_of_roots_are_read_as_one_object(tmp_path):
    gltf = Gltf(nodes=[{"name": "leaf"} for _ in range(2500)])
    scene = gltf.read(tmp_path)
    assert len(scene.props) == 1
    assert scene.props[0].rig.names[:3] == ("leaf", "leaf_2", "leaf_3")
    assert any("2500 separate objects" in warning for warning in scene.source.warnings)


def test_a_wrong_skeleton_is_reported_and_not_used(tmp_path):
    gltf = Gltf()
    mesh = gltf.triangle()
    attributes = gltf.root["meshes"][mesh]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = gltf.numbers([[0, 9, 0, 0]] * 3, "u1")
    attributes["WEIGHTS_0"] = gltf.numbers([[1, 0, 0, 0]] * 3)
    gltf.add("nodes", mesh=mesh, skin=0)
    gltf.add("nodes", name="bone")
    gltf.add("skins", joints=[1], skeleton=0)
    scene = gltf.read(tmp_path)
    assert any("skeleton is not above" in warning for warning in scene.source.warnings)
    part = scene.characters[0].shapes[0].parts[0]
    assert part.attributes["JOINTS_0"].max() == 0  # 9 had no weight


def test_joints_with_weight_outside_the_skin_are_refused(tmp_path):
    gltf = Gltf()
    mesh = gltf.triangle()
    attributes = gltf.root["meshes"][mesh]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = gltf.numbers([[0, 9, 0, 0]] * 3, "u1")
    attributes["WEIGHTS_0"] = gltf.numbers([[0.5, 0.5, 0, 0]] * 3)
    gltf.add("nodes", mesh=mesh, skin=0)
    gltf.add("nodes", name="bone")
    gltf.add("skins", joints=[1])
    assert "joint 9" in fault(gltf, tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"glTF",
        b"{",
        b"[]",
        b"\xff\xfe\x00",
        b'{"asset":NaN}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        glb(b'{"asset":{"version":"2.0"}}')[:30],
        glb(b""),
    ],
)
def test_what_is_not_gltf_is_refused_in_one_line(data, tmp_path):
    path = tmp_path / "bad.glb"
    path.write_bytes(data)
    with pytest.raises(BadFile) as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadFile, match="cannot be read"):
        read(tmp_path / "nowhere.glb")


def test_a_byte_order_mark_is_forgiven(tmp_path):
    path = tmp_path / "bom.gltf"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"asset": {"version": "2.0"}}).encode())
    assert read(path).props == ()
