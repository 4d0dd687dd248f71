from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.edits.constraints import add_constraint, change_constraint, remove_constraint
from arcwright.edits.detected_contacts import detect_contacts
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.contact import footplants
from arcwright.open import read
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from builders import arm_scene
from random_scenes import assert_exact, random_scene, seeds

some = settings(max_examples=30)


@some
@given(seeds, st.sampled_from([Pin, Contact]), st.floats(0, 1), st.floats(0, 1))
def test_adding_changing_and_removing_are_undone_exactly(seed, make, start, length):
    scene = random_scene(seed)
    constraint = make(Point("joint1", character="two"), start, start + length, take="walk")
    index = len(scene.constraints)
    added = assert_exact(scene, add_constraint(scene, constraint))
    assert same(added.constraints[index], constraint)
    assert added.characters is scene.characters
    longer = replace(constraint, start=0, end=2.5)
    changed = assert_exact(added, change_constraint(added, index, longer))
    assert same(changed.constraints[index], longer)
    gone = assert_exact(changed, remove_constraint(changed, index))
    assert same(gone, scene)


def test_labels_say_the_joint_and_the_frames():
    scene = arm_scene()
    pin, contact = Pin(Point("joint1"), 0, 1), Contact(Point("joint1"), 0.5, 0.5)
    assert add_constraint(scene, pin).label == "Add joint1 pin, frames 0-24"
    assert add_constraint(scene, contact).label == "Add joint1 contact, frame 12"
    change = change_constraint(scene, 0, replace(scene.pins[0], start=0.1))
    assert change.label == "Change joint2 pin, frames 2.4-24"
    assert remove_constraint(scene, 1).label == "Remove joint1 contact"


def test_frames_are_counted_at_the_rate_of_the_take():
    scene = arm_scene()
    actor = scene.characters[0]
    take = replace(actor.takes[0], base=replace(actor.takes[0].base, name="fast", rate=48))
    scene = replace(scene, characters=(actor.with_take(take),))
    constraint = Pin(Point("joint1"), 0, 1, take="fast")
    assert add_constraint(scene, constraint).label == "Add joint1 pin, frames 0-48"


def test_an_identical_constraint_is_not_added_twice():
    scene = arm_scene()
    assert add_constraint(scene, scene.pins[0]).empty
    assert change_constraint(scene, 0, replace(scene.pins[0], start=0.0, end=1.0)).empty


def test_a_pin_can_change_from_position_to_orientation():
    scene = arm_scene()
    turned = replace(scene.pins[0], position=False, orientation=True)
    pin = change_constraint(scene, 0, turned).apply(scene).pins[0]
    assert (pin.position, pin.orientation) == (False, True)


def test_constraints_on_unknown_names_are_refused():
    scene = arm_scene()
    with pytest.raises(UnknownName, match="no joint named 'joint9'"):
        add_constraint(scene, Pin(Point("joint9"), 0, 1))
    with pytest.raises(UnknownName, match="no character named 'leg'"):
        add_constraint(scene, Pin(Point("joint1", character="leg"), 0, 1))
    with pytest.raises(UnknownName, match="no take named 'swim'"):
        add_constraint(scene, Pin(Point("joint1"), 0, 1, take="swim"))
    with pytest.raises(UnknownName, match="no joint named 'lid'"):
        add_constraint(scene, Contact(Point("joint1"), 0, 1, relative_to=Point("lid")))
    with pytest.raises(BadValue, match="constraint: expected 0 to 1, got 2"):
        remove_constraint(scene, 2)


def test_contacts_of_the_walk_are_detected_once():
    scene = replace(read("biped:walk"), constraints=())
    edit = detect_contacts(scene)
    after = assert_exact(scene, edit)
    found = footplants(scene.characters[0].takes[0])
    assert edit.label == f"Detect {len(found)} contacts"
    assert [c.start for c in after.contacts] == [c.start for c in found]
    assert {c.point.character for c in after.contacts} == {"biped"}
    assert detect_contacts(after).empty


def test_a_contact_that_was_moved_is_not_detected_again():
    scene = replace(read("biped:walk"), constraints=())
    after = detect_contacts(scene).apply(scene)
    first = after.contacts[0]
    shorter = replace(first, end=(first.start + first.end) / 2)
    after = change_constraint(after, 0, shorter).apply(after)
    after = remove_constraint(after, 1).apply(after)
    assert detect_contacts(after).label == "Detect 1 contact"
