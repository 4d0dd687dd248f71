"""Small files that ask for much are refused, and long real ones are not."""

import json
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from arcwright.errors import BadFile, BadValue
from arcwright.files import read, write
from arcwright.files.gltf import read_looks, read_meshes
from arcwright.files.gltf.output import Output
from arcwright.kinematics.reduction import fit
from arcwright.picture import png
from arcwright.picture.strobe import strobe
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character, Scene, Source
from arcwright.scene.take import MOST_FRAMES, Take
from arcwright.summary import summary
from builders import ROTATE, TRANSLATE, rig_of
from gltf_builders import Gltf

STROBE = import_module("arcwright.picture.strobe")  # its function has the same name


def turning(last, keys=2):
    gltf = Gltf()
    gltf.add("nodes", name="a", children=[1])
    gltf.add("nodes", name="b", translation=[0, 1, 0])
    times = np.linspace(0, last, keys)
    quarter = np.tile([[0, 0, 0, 1], [0, 0.7071068, 0, 0.7071068]], (keys // 2, 1))
    gltf.animation(0, "rotation", times, quarter)
    return gltf


@pytest.mark.parametrize("last", [1e6, 1e7, 1e8, 3e38])
def test_a_key_that_is_set_very_late_is_refused(tmp_path, last):
    with pytest.raises(BadFile, match="at most 1000000 frames"):
        turning(last).read(tmp_path)


def test_few_bytes_may_not_last_for_hours(tmp_path):
    assert turning(600.0).read(tmp_path).characters[0].takes[0].frame_count == 14_401
    with pytest.raises(BadFile, match="lasts far longer than the file has keys for"):
        turning(20_000.0).read(tmp_path)


def test_all_clips_of_a_file_count_together(tmp_path):
    gltf = turning(9000.0)
    gltf.root["animations"] *= 2
    with pytest.raises(BadFile, match="'animation_0_2'|'animation_1'"):
        gltf.read(tmp_path)


def test_a_project_with_the_longest_take_opens_again_and_no_longer_one_can_be_made(tmp_path):
    rig = rig_of([-1], [(0, ROTATE)])
    clip = Clip("long", (None,) * len(rig.channels), MOST_FRAMES / 24)
    scene = Scene(characters=(Character("a", rig, (Take(rig, clip),)),))
    write(scene, tmp_path / "a.arc.glb")
    assert read(tmp_path / "a.arc.glb").characters[0].takes[0].frame_count == MOST_FRAMES + 1


def test_ten_minutes_of_motion_capture_are_well_within():
    rig = rig_of([-1] + list(range(99)), [(joint, ROTATE) for joint in range(100)])
    assert len(rig.channels) == 300
    clip = Clip("dance", (None,) * 300, 600.0, rate=120.0)
    assert Take(rig, clip).frame_count == 72_001
    assert 3 * Take(rig, clip).frame_count * 300 < 100_000_000


def test_a_take_counts_its_frames_without_making_them():
    rig = rig_of([-1], [(0, ROTATE)])
    longest = Clip("a", (None,) * len(rig.channels), MOST_FRAMES / 24)
    take = Take(rig, longest)
    assert take.frame_count == MOST_FRAMES + 1 == len(take.frame_times())
    with pytest.raises(BadValue, match="at most 1000000 frames"):
        replace(take, base=replace(longest, rate=25.0))


def test_a_motion_that_ends_before_0_has_one_frame():
    rig = rig_of([-1], [(0, ROTATE)])
    motion = Motion("a", np.array([-2.0, -1.0]), np.zeros((2, len(rig.channels))))
    assert Take(rig, motion).frame_times().tolist() == [0.0]


def test_few_keys_that_last_for_hours_are_not_fitted(tmp_path):
    take = turning(9000.0).read(tmp_path).characters[0].takes[0]
    with pytest.raises(BadValue, match="length of the take to fit"):
        fit(take, 0.01)


def test_numbers_that_gltf_cannot_hold_are_refused_in_one_line(tmp_path):
    rig = rig_of([-1], [(0, TRANSLATE)])
    motion = Motion(
        "far", np.arange(3) / 24, np.full((3, len(rig.channels)), 1e300) * [[0], [1], [0]]
    )
    scene = Scene(characters=(Character("a", rig, (Take(rig, motion),)),))
    for name in ("a.glb", "a.gltf", "a.arc.glb"):
        with pytest.raises(BadValue, match="32 bits"):
            write(scene, tmp_path / name)


def test_a_mesh_may_not_be_shown_any_number_of_times(tmp_path, monkeypatch):
    monkeypatch.setattr(read_meshes, "MOST_PARTS", 10)
    gltf = Gltf()
    mesh = gltf.triangle()
    for _ in range(11):
        gltf.add("nodes", mesh=mesh)
    with pytest.raises(BadFile, match="node 10 shows its mesh once too often"):
        gltf.read(tmp_path)
    del gltf.root["nodes"][-1]
    contents = summary(gltf.read(tmp_path))
    assert [each["meshes"][0]["triangles"] for each in contents["props"]] == [1] * 10


def zeros(count, **more):
    gltf = Gltf()
    accessor = gltf.add("accessors", componentType=5126, type="VEC3", count=count, **more)
    mesh = gltf.add("meshes", primitives=[{"attributes": {"POSITION": accessor}}])
    gltf.add("nodes", mesh=mesh)
    return gltf


def test_few_bytes_may_not_unfold_to_many_zeros(tmp_path):
    part = zeros(100_000).read(tmp_path).props[0].shapes[0].parts[0]
    assert part.attributes["POSITION"].shape == (100_000, 3)
    with pytest.raises(BadFile, match="accessor 0 unfolds to far more than the file holds"):
        zeros(1_000_000).read(tmp_path)


def test_few_sparse_values_may_not_stand_among_many_zeros(tmp_path):
    gltf = zeros(1_000_000)
    places, values = gltf.view(bytes(2)), gltf.view(bytes(12))
    gltf.root["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": places, "componentType": 5123},
        "values": {"bufferView": values},
    }
    with pytest.raises(BadFile, match="accessor 0 unfolds to far more than the file holds"):
        gltf.read(tmp_path)


def test_a_number_of_thousands_of_digits_is_reported_in_our_words(tmp_path):
    path = tmp_path / "a.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "scene": ' + "9" * 5000 + "}")
    with pytest.raises(BadFile, match="a number has too many digits") as caught:
        read(path)
    assert "sys." not in str(caught.value)


def test_a_picture_that_unpacks_to_more_than_it_says_is_cut(tmp_path):
    import struct
    import zlib

    image = np.full((4, 4, 3), 7, np.uint8)
    whole = png.encode(image)
    at = whole.index(b"IDAT") - 4
    length = struct.unpack(">I", whole[at : at + 4])[0]
    bomb = zlib.compress(zlib.decompress(whole[at + 8 : at + 8 + length]) + bytes(50_000_000))
    body = b"IDAT" + bomb
    chunk = struct.pack(">I", len(bomb)) + body + struct.pack(">I", zlib.crc32(body))
    assert (png.decode(whole[:at] + chunk + whole[at + 12 + length :]) == image).all()


def test_a_picture_of_too_many_pixels_is_refused():
    whole = bytearray(png.encode(np.zeros((4, 4, 3), np.uint8)))
    whole[16:24] = (100_000).to_bytes(4, "big") * 2
    with pytest.raises(BadFile, match="100000 x 100000 pixels"):
        png.decode(bytes(whole))


def test_a_strobe_of_too_many_poses_is_refused(tmp_path):
    scene = turning(600.0).read(tmp_path)
    with pytest.raises(BadValue, match="at most 200 poses"):
        strobe(scene, every=1, size=(64, 64))


def test_a_picture_that_is_painted_over_and_over_is_refused(tmp_path):
    gltf = Gltf()
    mesh = gltf.triangle()
    gltf.root["meshes"][mesh]["primitives"] *= 300
    gltf.add("nodes", mesh=mesh)
    with pytest.raises(BadValue, match="at most 100 times over"):
        strobe(gltf.read(tmp_path), size=(600, 600))


def test_a_picture_of_too_many_triangles_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(STROBE, "MOST_TRIANGLES", 30)
    gltf = Gltf()
    mesh = gltf.triangle()
    for _ in range(30):
        gltf.add("nodes", mesh=mesh)
    assert strobe(gltf.read(tmp_path), size=(64, 64)).shape == (64, 64, 3)
    gltf.add("nodes", mesh=mesh)
    with pytest.raises(BadValue, match="at most 30 triangles to draw, over all poses, got 31"):
        strobe(gltf.read(tmp_path), size=(64, 64))


def test_every_pose_of_a_picture_counts_its_triangles(tmp_path, monkeypatch):
    monkeypatch.setattr(STROBE, "MOST_TRIANGLES", 6)
    gltf = turning(10.0)
    gltf.root["nodes"][0]["mesh"] = gltf.triangle()
    scene = gltf.read(tmp_path)
    with pytest.raises(BadValue, match="at most 6 triangles"):
        strobe(scene, size=(64, 64))
    assert strobe(scene, size=(64, 64), every=100).shape == (64, 64, 3)


def test_a_long_take_is_drawn_and_written(tmp_path):
    scene = turning(1000.0, keys=100).read(tmp_path)
    assert strobe(scene, size=(64, 64)).shape == (64, 64, 3)
    write(scene, tmp_path / "a.bvh")
    take = read(tmp_path / "a.bvh").characters[0].takes[0]
    assert take.frame_count == 24_001
    kinds = {Kind(kind) for kind in take.rig.channels.kind}
    assert Kind.ROTATE_X in kinds


def test_gltf_json_names_no_folder_of_the_machine(tmp_path):
    (tmp_path / "a.gltf").write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": 3}))
    with pytest.raises(BadFile) as caught:
        read(tmp_path / "a.gltf")
    assert str(tmp_path) not in caught.value.fault


@pytest.mark.parametrize("odd", [None, 3, "x", [], [1, 2], [1, "a", 2, 3], {}, [[1] * 3] * 4])
def test_an_invalid_material_is_drawn_with_defaults(tmp_path, odd):
    texture = {
        "index": odd,
        "texCoord": odd,
        "extensions": {"KHR_texture_transform": {"scale": odd}},
    }
    gltf = Gltf(textures=[{"source": odd}, {"source": 0}], images=[{"uri": "gone.png"}])
    gltf.add(
        "materials", pbrMetallicRoughness={"baseColorFactor": odd, "baseColorTexture": texture}
    )
    gltf.add("materials", pbrMetallicRoughness=odd, normalTexture={"index": odd})
    gltf.add("nodes", mesh=gltf.triangle(material=0))
    gltf.add("nodes", mesh=gltf.triangle(material=1), translation=[1, 0, 0])
    scene = gltf.read(tmp_path)
    assert strobe(scene, size=(64, 64)).shape == (64, 64, 3)
    write(scene, tmp_path / "out.glb")


def test_a_part_that_many_nodes_show_is_looked_through_once(tmp_path, monkeypatch):
    gltf = Gltf()
    mesh = gltf.triangle(indices=gltf.numbers([0, 1, 2], "u2"))
    for node in range(50):
        gltf.add("nodes", name=f"n{node}", mesh=mesh)
    scene = gltf.read(tmp_path)
    looked, accessor = [], Output.accessor
    monkeypatch.setattr(
        Output, "accessor", lambda *given, **more: looked.append(1) or accessor(*given, **more)
    )
    write(scene, tmp_path / "out.glb")
    assert len(looked) == 2
    again = read(tmp_path / "out.glb")
    assert [prop.shapes[0].name for prop in again.props] == [f"n{at}" for at in range(50)]


def test_an_array_that_many_morph_targets_share_is_looked_through_once(tmp_path, monkeypatch):
    gltf = Gltf()
    shared = gltf.numbers(np.ones((3, 3)))
    mesh = gltf.triangle(targets=[{"POSITION": shared}] * 50)
    gltf.add("nodes", mesh=mesh)
    scene = gltf.read(tmp_path)
    looked, accessor = [], Output.accessor
    monkeypatch.setattr(
        Output, "accessor", lambda *given, **more: looked.append(1) or accessor(*given, **more)
    )
    write(scene, tmp_path / "out.glb")
    assert len(looked) == 2
    assert len(read(tmp_path / "out.glb").characters[0].shapes[0].morph_names) == 50


def missing_pictures(count):
    gltf = Gltf(images=[{"uri": f"x{at}.png"} for at in range(count)])
    gltf.add("nodes", name="a", camera=0)
    return gltf


def test_a_few_of_many_warnings_are_kept_the_last_among_them(tmp_path):
    scene = missing_pictures(300).read(tmp_path)
    warnings = scene.source.warnings
    assert len(warnings) <= 51
    assert "x0.png" in warnings[0]
    assert "and 251 more" in warnings
    assert warnings[-1] == "dropped: cameras (1)"
    write(scene, tmp_path / "a.arc.glb")
    assert read(tmp_path / "a.arc.glb").source.warnings == warnings
    assert len(write(scene, tmp_path / "a.glb")) <= 51


def test_few_warnings_are_kept_as_they_are():
    warnings = tuple(f"warning {at}" for at in range(51))
    assert Source("glb", warnings=warnings).warnings == warnings


def test_a_long_warning_is_cut():
    (warnings,) = Source("glb", warnings=("x" * 1_000_000,)).warnings
    assert warnings == "x" * 297 + "..."


def test_a_bvh_and_an_obj_with_many_faults_say_few_of_them(tmp_path):
    joints = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\n" * 300
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
    motion = "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n"
    (tmp_path / "a.bvh").write_text(head + joints + motion)
    pictures = "".join(f"newmtl m{at}\nmap_Kd x{at}.png\n" for at in range(300))
    (tmp_path / "a.mtl").write_text(pictures)
    (tmp_path / "a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    for name in ("a.bvh", "a.obj"):
        warnings = read(tmp_path / name).source.warnings
        assert len(warnings) == 51, name
        assert warnings[-1] == "up axis not known: assuming Y", name


@pytest.mark.parametrize("kind", ["images", "materials", "textures", "samplers"])
def test_a_file_of_too_many_pictures_or_materials_is_refused(tmp_path, monkeypatch, kind):
    monkeypatch.setitem(read_looks.MAX_COUNTS, kind, 10)
    gltf = Gltf(**{kind: [{}] * 11})
    with pytest.raises(BadFile, match=f"has 11 {kind}, more than the 10 that are read"):
        gltf.read(tmp_path)
    del gltf.root[kind][-1]
    gltf.read(tmp_path)
