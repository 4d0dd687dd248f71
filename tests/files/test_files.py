import pytest

from arcwright import files
from arcwright.errors import BadFile
from arcwright.scene.scene import Scene
from builders import arm_scene
from bvh_text import chain


def test_a_file_is_read_by_what_it_holds_whatever_its_name(tmp_path):
    for name in ("a.bvh", "a.BVH", "a.txt", "a", "a.glb"):
        path = tmp_path / name
        path.write_text(chain())
        assert files.read(path).source.format == "bvh"


def test_unit_and_up_are_passed_on(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(chain())
    source = files.read(path, unit=0.5, up="Z").source
    assert (source.unit, source.up) == (0.5, "Z")


def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path):
    path = tmp_path / "a.fbx"
    path.write_text("; FBX")
    with pytest.raises(BadFile, match=r"a\.fbx: unsupported format \(supported: \.bvh, "):
        files.read(path)
    with pytest.raises(BadFile, match=r"a\.obj: unsupported format to write \(supported: \.bvh"):
        files.write(Scene(), tmp_path / "a.obj")


@pytest.mark.parametrize("name", ["none.bvh", "folder"])
def test_what_cannot_be_opened_is_refused_in_one_line(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadFile, match=f"{name}: cannot be read: "):
        files.read(tmp_path / name)


def test_writing_returns_what_was_lost(tmp_path):
    notes = files.write(arm_scene(), tmp_path / "a.bvh")
    assert notes == ("other takes of arm left out: recorded",)


def test_every_format_names_a_module_and_its_own_suffixes():
    suffixes = [suffix for each in files.FORMATS for suffix in each.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix == suffix.lower() and suffix[0] == "." for suffix in suffixes)
