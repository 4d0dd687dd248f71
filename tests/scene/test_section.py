"""Sections of takes: kept in files, scaled with their take, never out of order."""

from dataclasses import replace
from pathlib import Path

import pytest

from arcwright.arrays import same
from arcwright.edits.takes import copy_take, fit_take, set_timing
from arcwright.errors import BadValue
from arcwright.files import arc, gltf
from arcwright.scene.section import Section
from arcwright.summary import format_summary, summary
from builders import arm_scene

STATES = (Section("locomotion", 0.0), Section("jump", 0.25))


def scene_with_sections():
    scene = arm_scene()
    first = scene.characters[0]
    takes = (replace(first.takes[0], sections=STATES), *first.takes[1:])
    return replace(scene, characters=(replace(first, takes=takes), *scene.characters[1:]))


def take_of(scene):
    return scene.characters[0].takes[0]


def test_sections_rise():
    take = take_of(arm_scene())
    with pytest.raises(BadValue, match="starts that rise"):
        replace(take, sections=(Section("a", 1.0), Section("b", 1.0)))
    with pytest.raises(BadValue, match="seconds"):
        Section("a", float("nan"))


@pytest.mark.parametrize(("form", "name"), [(arc, "a.arc.glb"), (gltf, "a.glb"), (gltf, "a.gltf")])
def test_sections_come_back_from_files(form, name, tmp_path):
    form.write(scene_with_sections(), tmp_path / name)
    assert take_of(form.read(tmp_path / name)).sections == STATES


def test_damaged_extras_lose_only_what_is_no_section(tmp_path):
    path = tmp_path / "a.gltf"
    gltf.write(scene_with_sections(), path)
    for stored in ('"x"', '[[1,"a"],[0.5,"b"],["c",2],[3,4],7]', "{}"):
        text = path.read_text().replace(
            '"joint0":[[0.0,"locomotion"],[0.25,"jump"]]', f'"joint0":{stored}'
        )
        (tmp_path / "b.gltf").write_text(text)
        found = take_of(gltf.read(tmp_path / "b.gltf")).sections
        assert found == ((Section("a", 1.0),) if "[" in stored else ())


def test_files_without_sections_open():
    back = arc.read(Path(__file__).parents[1] / "files" / "version_5.arc.glb")
    assert back.recordings[0].buttons is None
    assert all(take.sections == () for actor in back.actors for take in actor.takes)


def test_sections_follow_their_take():
    scene = scene_with_sections()
    name = scene.characters[0].name
    take = take_of(scene)
    slower = set_timing(scene, name, take.name, rate=take.rate / 2, keep="frames").apply(scene)
    assert [each.start for each in take_of(slower).sections] == [0.0, 0.5]
    assert take_of(fit_take(scene, name, take.name, 0.01).apply(scene)).sections == STATES
    copied = copy_take(scene, name, take.name, "other").apply(scene)
    assert copied.characters[0].takes[-1].sections == STATES
    edit = set_timing(scene, name, take.name, rate=take.rate / 2, keep="frames")
    assert same(edit.inverse().apply(slower), scene)


def test_a_summary_lists_sections():
    scene = scene_with_sections()
    assert summary(scene)["characters"][0]["takes"][0]["sections"] == [
        [0.0, "locomotion"],
        [0.25, "jump"],
    ]
    assert "sections: locomotion 0 s, jump 0.25 s" in format_summary(scene)
