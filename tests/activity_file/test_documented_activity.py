"""The activity file that the documentation shows, and the Python beside it."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcwright.activity_file import (
    ElementEdit,
    EventRetime,
    ObjectEdit,
    Swap,
    edit_entries,
    elements,
    events,
    read_activity,
)
from arcwright.activity_file import read as reading
from arcwright.files import arc
from arcwright.open import read
from arcwright.scene.activity import Pair
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from builders import rig_of

PAGE = (Path(__file__).parents[2] / "docs" / "activity.md").read_text()
RATE = 30.0


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """The documented file, beside a scene with the character, take and props that it names."""
    character = read("biped:walk").characters[0]
    still = np.tile(character.rig.channels.default, (121, 1))
    take = Take(character.rig, Motion("pour", np.arange(121) / RATE, still, RATE))
    props = tuple(Prop(name, rig_of([-1], [])) for name in ("pot", "cup"))
    scene = Scene("tea", (replace(character, takes=(take,)),), props)
    arc.write(scene, tmp_path / "tea.arc.glb")
    (shown,) = blocks("json")
    (tmp_path / "ACTIVITY.json").write_text(shown)
    return tmp_path


def test_the_documented_file_is_read(folder):
    found = read_activity(folder / "ACTIVITY.json")
    activity = found.activity
    assert found.warnings == ()
    assert activity.element_names == ("Pelvis", "LeftHand", "RightHand", "pot", "cup")
    lift, pour, put_down = activity.events
    assert [each.time * RATE for each in activity.events] == pytest.approx([24, 54, 84])
    assert lift.movable == ("pot", "cup")
    assert pour.pairs == (
        Pair("RightHand", "pot.handle"),
        Pair("LeftHand", "cup"),
        Pair("pot.spout", "cup"),
    )
    assert put_down.involved == {"LeftHand", "RightHand", "pot"}
    kinds = [type(each) for each in found.edits]
    assert kinds == [ObjectEdit, ElementEdit, Swap, EventRetime]


def test_the_documented_python_runs(folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    for block in blocks("python"):
        exec(compile(block, "activity.md", "exec"), names)
    assert names["edit"].label == "Move event pour to frame 57"
    assert names["scene"].activity("pour tea").events[1].time == 1.9


def test_every_key_is_documented():
    rows = re.findall(r"^\| (`[^|]+) \|", PAGE, re.MULTILINE)
    documented = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    for keys in (reading._KEYS, elements._OBJECT_KEYS, elements._EFFECTOR_KEYS, events._KEYS):
        assert keys <= documented
    for keys in (*edit_entries._ABOUT.values(), events._PAIR_KEYS):
        assert all(f"`{key}`" in PAGE for key in keys)
