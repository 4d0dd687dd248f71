"""Nodes keep their names, or stay without one, when a glTF file is read and written again."""

import json
import struct

import numpy as np
import pytest

from arcwright.files import arc
from arcwright.files.gltf import read, write
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from gltf_builders import Gltf


def skinned(names, children, joints, turned):
    """A skinned triangle on its own node 0, then nodes with these names (None: without one)."""
    gltf = Gltf()
    mesh = gltf.triangle()
    attributes = gltf.root["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = gltf.numbers(np.zeros((3, 4)), "u1")
    attributes["WEIGHTS_0"] = gltf.numbers([[1, 0, 0, 0]] * 3)
    gltf.add("nodes", name="body", mesh=mesh, skin=0)
    for node, name in enumerate(names, 1):
        below = {"children": children[node]} if node in children else {}
        own = {} if name is None else {"name": name}
        gltf.add("nodes", translation=[node, 2.0 * node, 0], **own, **below)
    gltf.add("skins", joints=joints)
    s = 0.5**0.5
    for node in turned:
        gltf.animation(node, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, s, s]])
    return gltf


CASES = {
    "siblings": skinned([None, None, None, None], {1: [2, 3, 4]}, [1, 2, 3, 4], [3]),
    "chain": skinned(["hips", None, None, None], {1: [2], 2: [3], 3: [4]}, [1, 2, 3, 4], [2, 4]),
    "taken": skinned(["hips", None, "node_2", "node_3"], {1: [2, 3, 4]}, [2, 3, 4], [2, 3]),
    "twice": skinned(["arm", "arm", "arm_2", "arm"], {1: [2, 3, 4]}, [1, 2, 3, 4], [2, 4]),
    "children first": skinned([None, None, "hips", None], {3: [2], 2: [4, 1]}, [1, 2, 4], [1, 4]),
    "empty": skinned(["hips", "", "knee"], {1: [2], 2: [3]}, [1, 2, 3], [2]),
}


def contents(path):
    data = path.read_bytes()
    if data[:4] != b"glTF":
        return json.loads(data)
    (size,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + size])


def described(path):
    """Nodes by their way from the top, joints of skins, targets of animations; "" is no name."""
    gltf = contents(path)
    nodes = gltf["nodes"]
    parents = {c: n for n, node in enumerate(nodes) for c in node.get("children", [])}

    def place(node):
        found = nodes[node].get("name") or None, tuple(nodes[node].get("translation", ()))
        return (*place(parents[node]), found) if node in parents else (found,)

    skins = [[place(node) for node in skin["joints"]] for skin in gltf.get("skins", [])]
    targets = [
        (channel["target"]["path"], place(channel["target"]["node"]))
        for animation in gltf.get("animations", [])
        for channel in animation["channels"]
    ]
    return sorted(map(place, range(len(nodes))), key=str), skins, sorted(targets, key=str)


def same_actors(one, other):
    for a, b in zip(one.actors, other.actors, strict=True):
        assert (a.name, a.rig.names) == (b.name, b.rig.names)
        assert a.rig.file_names == b.rig.file_names
        assert a.rig.parents.tolist() == b.rig.parents.tolist()
        assert a.rig.channel_names == b.rig.channel_names
        for first, second in zip(a.shapes, b.shapes, strict=True):
            assert first.joint == second.joint
            if first.skin is not None:
                assert first.skin.joints.tolist() == second.skin.joints.tolist()
        for first, second in zip(a.takes, b.takes, strict=True):
            times = np.linspace(0, first.duration, 9)
            worlds = [forward(t.rig, sample(t, times).values) for t in (first, second)]
            assert abs(worlds[0] - worlds[1]).max() < 1e-5


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("case", CASES)
def test_nodes_come_back_as_they_were(tmp_path, case, suffix):
    scene = CASES[case].read(tmp_path)
    for number in range(2):
        path = tmp_path / f"again_{number}{suffix}"
        write(scene, path)
        assert described(path) == described(tmp_path / "test.glb")
        back = read(path)
        same_actors(scene, back)
        assert not any("extras" in warning for warning in back.source.warnings)
        scene = back


@pytest.mark.parametrize("case", CASES)
def test_a_project_file_keeps_the_nodes_and_writes_them_as_they_were(tmp_path, case):
    scene = CASES[case].read(tmp_path)
    arc.write(scene, tmp_path / "kept.arc.glb")
    kept = arc.read(tmp_path / "kept.arc.glb")
    same_actors(scene, kept)
    write(kept, tmp_path / "plain.glb")
    write(scene, tmp_path / "straight.glb")
    assert described(tmp_path / "plain.glb") == described(tmp_path / "straight.glb")


def test_a_node_keeps_a_name_that_would_be_made_up_for_another(tmp_path):
    names = CASES["taken"].read(tmp_path).characters[0].rig.names
    assert names == ("body", "hips", "node_2_2", "node_2", "node_3")


def test_joints_of_a_rig_made_in_code_are_written_by_name(tmp_path):
    scene = CASES["chain"].read(tmp_path)
    write(scene, tmp_path / "a.glb")
    names = [node.get("name") for node in contents(tmp_path / "a.glb")["nodes"]]
    assert names == ["body", "hips", None, None, None]


def test_unnamed_actors_are_not_exchanged(tmp_path):
    """A prop before a character in the file; characters are written first."""
    gltf = Gltf()
    gltf.add("nodes", mesh=gltf.triangle())
    gltf.add("nodes", translation=[1, 0, 0])
    gltf.add("nodes", translation=[2, 0, 0])
    gltf.animation(2, "translation", [0, 1], [[2, 0, 0], [2, 1, 0]])
    scene = gltf.read(tmp_path)
    write(scene, tmp_path / "again.glb")
    same_actors(scene, read(tmp_path / "again.glb"))
    assert not any("name" in node for node in contents(tmp_path / "again.glb")["nodes"])


def test_actors_of_one_name_are_not_exchanged(tmp_path):
    gltf = Gltf()
    gltf.add("nodes", name="Root", mesh=gltf.triangle())
    gltf.add("nodes", name="Root")
    gltf.animation(1, "translation", [0, 1], [[2, 0, 0], [2, 1, 0]])
    scene = gltf.read(tmp_path)
    write(scene, tmp_path / "again.glb")
    same_actors(scene, read(tmp_path / "again.glb"))


@pytest.mark.parametrize("odd", [7, "", ["a"], None])
def test_a_joint_name_in_extras_that_is_no_name_is_passed_over(tmp_path, odd):
    gltf = Gltf()
    gltf.add("nodes", extras={"arcwright_joint": odd})
    assert gltf.read(tmp_path).props[0].rig.names == ("node_0",)
