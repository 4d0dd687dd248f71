from dataclasses import replace

import pytest
from hypothesis import given

from arcwright.arrays import same
from arcwright.edits.actors import unique_name
from arcwright.edits.takes import add_scene, remove_actor
from arcwright.errors import UnknownName
from arcwright.open import read
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from builders import arm_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds

some = examples(12, 30)


@some
@given(seeds)
def test_adding_and_removing_a_scene_restores_the_original(seed):
    scene, other = random_scene(seed), random_scene(seed + 7)
    edit = add_scene(scene, other)
    after = assert_exact(scene, edit)
    assert [actor.name for actor in after.characters] == ["one", "two", "one 2", "two 2"]
    assert [actor.name for actor in after.props] == ["box", "box 2"]
    assert edit.label == "Add one 2 and two 2 and box 2"
    assert [pin.point.character for pin in after.pins] == ["", "", "one 2", "one 2"]
    assert after.contacts[3].relative_to.character == "box 2"
    assert after.characters[2].rig is other.characters[0].rig
    for name in ("one 2", "two 2", "box 2"):
        after = assert_exact(after, remove_actor(after, name))
    assert same(after, scene)


def test_a_prop_keeps_its_pins_when_the_first_character_comes():
    scene = Scene(props=random_scene(0).props, constraints=(Pin(Point("joint0"), 0, 1),))
    after = assert_exact(scene, add_scene(scene, arm_scene()))
    assert after.actor().name == "arm"
    assert [pin.point.character for pin in after.pins] == ["box", "arm"]


def test_constraints_on_missing_actors_are_not_added():
    lost = Pin(Point("joint0", character="ghost"), 0, 1)
    other = replace(arm_scene(), constraints=(lost,))
    assert add_scene(Scene(), other).apply(Scene()).pins == ()


def test_an_empty_scene_adds_nothing():
    assert add_scene(arm_scene(), Scene()).empty
    assert add_scene(arm_scene(), Scene()).label == "Add nothing"


def test_removing_an_actor_removes_constraints_on_it():
    scene = random_scene(5)
    after = assert_exact(scene, remove_actor(scene, ""))
    assert [actor.name for actor in after.characters] == ["two"]
    assert after.pins == ()
    assert [contact.point.character for contact in after.contacts] == ["two"]
    without_box = remove_actor(scene, "box").apply(scene)
    assert len(without_box.pins) == 2
    assert all(contact.relative_to is None for contact in without_box.contacts)
    assert remove_actor(scene, "box").label == "Remove box"
    with pytest.raises(UnknownName, match="no character named 'leg'"):
        remove_actor(scene, "leg")


def test_meshes_are_shared_with_the_scene_they_come_from():
    scene, other = read("lamp"), read("lamp")
    after = add_scene(scene, other).apply(scene)
    assert after.characters[1].shapes[0] is other.characters[0].shapes[0]
    assert after.characters[0] is scene.characters[0]


def test_duplicate_names_get_the_next_number():
    assert unique_name("biped", ["lamp"]) == "biped"
    assert unique_name("biped", ["biped"]) == "biped 2"
    assert unique_name("biped 2", ["biped", "biped 2", "biped 3"]) == "biped 4"
