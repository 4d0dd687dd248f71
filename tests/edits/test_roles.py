"""Roles of takes and the ground of a scene: chosen, kept with the scene, followed by puppets."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.edits.roles import set_role
from arcwright.edits.takes import remove_take, rename_take
from arcwright.errors import ArcwrightError
from arcwright.open import read, write
from arcwright.scene.target import Target
from arcwright.scene.terrain import Block, Terrain
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession

GROUND = Terrain((Block((-1.0, 1.0), (0.5, 2.0), (0.1, 0.3)),), 0.0, 0.02)


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def test_a_role_is_an_undo_step_and_is_taken_back_to_automatic(scene):
    edit = set_role(scene, "biped", "walk", "crouch_walk")
    chosen = edit.apply(scene)
    assert dict(chosen.characters[0].roles) == {"walk": "crouch_walk"}
    assert dict(edit.inverse().apply(chosen).characters[0].roles) == {}
    assert dict(set_role(chosen, "biped", "walk", "").apply(chosen).characters[0].roles) == {}
    assert set_role(chosen, "biped", "walk", "crouch_walk").empty


def test_roles_follow_the_names_of_takes(scene):
    chosen = set_role(scene, "biped", "walk", "crouch_walk").apply(scene)
    renamed = rename_take(chosen, "biped", "crouch_walk", "sneak").apply(chosen)
    assert dict(renamed.characters[0].roles) == {"walk": "sneak"}
    removed = remove_take(renamed, "biped", "sneak").apply(renamed)
    assert dict(removed.characters[0].roles) == {}


@pytest.mark.parametrize(("role", "take"), [("", "walk"), ("x" * 65, "walk"), ("walk", "nothing")])
def test_bad_roles_are_refused(scene, role, take):
    with pytest.raises(ArcwrightError):
        set_role(scene, "biped", role, take)


def test_a_puppet_plays_roles_and_ground_of_a_scene_that_was_saved(scene, tmp_path):
    chosen = set_role(scene, "biped", "walk", "crouch_walk").apply(scene)
    write(replace(chosen, ground=GROUND), tmp_path / "test.arc.glb")
    back = read(tmp_path / "test.arc.glb")
    assert back.ground == GROUND
    session = PuppetSession(back, Target(), PuppetOptions())
    assert session.character.roles["walk"] == "crouch_walk"
    assert session.terrain == GROUND
    other = PuppetSession(back, Target(), PuppetOptions(walk="run", blocks="0 0 1 0.1"))
    assert other.character.roles["walk"] == "run"
    assert other.terrain.blocks != GROUND.blocks


def test_a_performance_made_again_plays_the_takes_that_it_was_made_with(scene):
    chosen = set_role(scene, "biped", "walk", "crouch_walk").apply(scene)
    session = PuppetSession(chosen, Target(), PuppetOptions())
    poses = np.array([[[0.0, 1.6, -1.5, 1.0, 0.0, 0.0, 0.0]]] * 2)
    session.update(Performance(np.array([0.0, 0.2]), poses))
    performed = session.finish().apply(chosen)
    assert performed.recordings[0].options["walk"] == "crouch_walk"
