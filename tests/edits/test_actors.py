from dataclasses import replace

import pytest
from hypothesis import given

from arcwright.arrays import same
from arcwright.edits.actors import unique_name
from arcwright.edits.takes import add_scene, remove_actor
from arcwright.errors import UnknownName
from arcwright.open import read
from arcwright.scene.activity import Activity, ActivityObject
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from builders import arm_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds
from tea import tea_scene

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


def test_activities_of_an_added_scene_use_the_new_names():
    scene, other = random_scene(3), random_scene(4)
    after = assert_exact(scene, add_scene(scene, other))
    assert [each.name for each in after.activities] == [
        *("carry", "look", "stroll"),
        *("carry 2", "look 2", "stroll 2"),
    ]
    carry, look, stroll = after.activities[3:]
    assert (carry.character, carry.take, look.take) == ("one 2", "walk", "walk")
    assert (carry.objects[0].name, carry.objects[0].prop) == ("box", "box 2")
    assert {each.point.character for each in carry.effectors} == {"one 2"}
    assert (stroll.character, stroll.objects[0].prop) == ("two 2", "box 2")
    assert same(carry.events, other.activities[0].events)
    assert after.activities[:3] == scene.activities


def test_activities_on_missing_actors_are_added_without_them():
    lost = Activity("lost", "ghost")
    half = Activity("half", "arm", objects=(ActivityObject("ghost"), ActivityObject("pot")))
    other = replace(tea_scene(), activities=(lost, half))
    (added,) = add_scene(Scene(), other).apply(Scene()).activities
    assert (added.name, [each.name for each in added.objects]) == ("half", ["pot"])


def test_activities_go_with_their_character_and_lose_a_removed_prop():
    scene = tea_scene()
    assert assert_exact(scene, remove_actor(scene, "arm")).activities == ()
    (without_cup,) = assert_exact(scene, remove_actor(scene, "cup")).activities
    assert [each.name for each in without_cup.objects] == ["pot"]
    assert [len(each.pairs) for each in without_cup.events] == [1, 1, 0]
    assert without_cup.events[1].look_at == ""
    without_table = assert_exact(scene, remove_actor(scene, "table"))
    assert without_table.activities[0] is scene.activities[0]


def test_an_activity_keeps_its_character_when_another_becomes_the_first():
    scene = random_scene(9)
    after = assert_exact(scene, remove_actor(scene, "one"))
    assert [each.name for each in after.activities] == ["stroll"]
    added = assert_exact(Scene(), add_scene(Scene(), scene))
    assert [each.character for each in added.activities] == ["one", "one", "two"]
