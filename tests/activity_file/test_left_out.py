"""Activities of takes that a command leaves out do not come along; other formats say so."""

from dataclasses import replace

import numpy as np

from arcwright.convert import with_only
from arcwright.cycle_file import cycle_scene
from arcwright.files import arc, gltf
from arcwright.kinematics.sample import sample
from arcwright.open import read
from arcwright.scene.activity import Activity
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from tea import tea, tea_scene


def test_one_take_keeps_its_own_activities():
    scene = tea_scene(tea(), tea("still", "other"), replace(tea(name="first"), take=""))
    assert [each.name for each in with_only(scene, "still").activities] == ["other"]
    assert [each.name for each in with_only(scene, "wave").activities] == ["tea", "first"]


def test_gltf_says_that_it_has_no_activities(tmp_path):
    warnings = gltf.write(tea_scene(), tmp_path / "tea.glb")
    assert "glTF has no activities: 1 left out" in warnings
    assert not any("activities" in each for each in arc.write(tea_scene(), tmp_path / "t.arc.glb"))


def test_a_loop_of_a_take_leaves_its_activity_behind(tmp_path):
    scene = read("biped:walk")
    actor = scene.characters[0]
    walk = actor.takes[0]
    once = sample(walk, np.linspace(0, walk.duration, 31)[:-1]).values
    motion = Motion("walk", np.arange(120) / 30, np.tile(once, (4, 1)), 30.0)
    repeated = Take(actor.rig, motion)
    scene = replace(
        scene, characters=(replace(actor, takes=(repeated,)),), activities=(Activity("stroll"),)
    )
    cycle_scene(scene, tmp_path / "loop.arc.glb")
    assert read(tmp_path / "loop.arc.glb").activities == ()
