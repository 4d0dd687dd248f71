from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.edits.detected_contacts import detect_contacts
from arcwright.edits.point_constraints import (
    add_point_constraint,
    change_point_constraint,
    remove_point_constraint,
)
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.contact import footplants
from arcwright.open import read
from arcwright.scene.point import Contact, Pin, Point
from builders import arm_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds

some = examples(12, 30)


@some
@given(seeds, st.sampled_from([Pin, Contact]), st.floats(0, 1), st.floats(0, 1))
def test_adding_changing_and_removing_are_undone_exactly(seed, make, start, length):
    scene = random_scene(seed)
    constraint = make(Point("joint1", character="two"), start, start + length, clip="walk")
    kind = make.__name__.lower()
    place = len(getattr(scene, f"{kind}s"))
    added = assert_exact(scene, add_point_constraint(scene, constraint))
    assert same(getattr(added, f"{kind}s")[place], constraint)
    assert added.characters is scene.characters
    changed = assert_exact(added, change_point_constraint(added, kind, place, start=0, end=2))
    now = getattr(changed, f"{kind}s")[place]
    assert (now.start, now.end, now.position) == (0, 2, True)
    gone = assert_exact(changed, remove_point_constraint(changed, kind, place))
    assert same(gone, scene)


def test_labels_say_the_joint_and_the_frames():
    scene = arm_scene()
    assert (
        add_point_constraint(scene, Pin(Point("joint1"), 0, 1)).label == "Pin joint1, frames 0-24"
    )
    assert (
        add_point_constraint(scene, Contact(Point("joint1"), 0.5, 0.5)).label
        == "Contact joint1, frame 12"
    )
    change = change_point_constraint(scene, "pin", 0, start=0.1)
    assert change.label == "Change joint2 pin, frames 2.4-24"
    assert remove_point_constraint(scene, "contact", 0).label == "Remove joint1 contact"


def test_frames_are_counted_at_the_rate_of_the_take():
    scene = arm_scene()
    actor = scene.characters[0]
    take = replace(actor.takes[0], base=replace(actor.takes[0].base, name="fast", rate=48))
    scene = replace(scene, characters=(actor.with_take(take),))
    constraint = Pin(Point("joint1"), 0, 1, clip="fast")
    assert add_point_constraint(scene, constraint).label == "Pin joint1, frames 0-48"


def test_an_identical_constraint_is_not_added_twice():
    scene = arm_scene()
    assert add_point_constraint(scene, scene.pins[0]).empty
    assert change_point_constraint(scene, "pin", 0, start=0.0, end=1.0).empty


def test_a_pin_can_change_from_position_to_orientation():
    scene = arm_scene()
    edit = change_point_constraint(scene, "pin", 0, position=False, orientation=True)
    pin = edit.apply(scene).pins[0]
    assert (pin.position, pin.orientation) == (False, True)


def test_constraints_on_unknown_names_are_refused():
    scene = arm_scene()
    with pytest.raises(UnknownName, match="no joint named 'joint9'"):
        add_point_constraint(scene, Pin(Point("joint9"), 0, 1))
    with pytest.raises(UnknownName, match="no character named 'leg'"):
        add_point_constraint(scene, Pin(Point("joint1", character="leg"), 0, 1))
    with pytest.raises(UnknownName, match="no take named 'swim'"):
        add_point_constraint(scene, Pin(Point("joint1"), 0, 1, clip="swim"))
    with pytest.raises(UnknownName, match="no joint named 'lid'"):
        add_point_constraint(scene, Contact(Point("joint1"), 0, 1, relative_to=Point("lid")))
    with pytest.raises(BadValue, match="pin: expected 0 to 0, got 1"):
        remove_point_constraint(scene, "pin", 1)
    with pytest.raises(BadValue, match="kind: expected pin or contact, got 'floor'"):
        remove_point_constraint(scene, "floor", 0)
    with pytest.raises(BadValue, match="expected position, orientation or both, got neither"):
        change_point_constraint(scene, "pin", 0, position=False)
    with pytest.raises(BadValue, match=r"at or after start \(2.0 s\)"):
        change_point_constraint(scene, "contact", 0, start=2)


def test_contacts_of_the_walk_are_detected_once():
    scene = replace(read("biped:walk"), contacts=())
    edit = detect_contacts(scene)
    after = assert_exact(scene, edit)
    found = footplants(scene.characters[0].takes[0])
    assert edit.label == f"Detect {len(found)} contacts"
    assert [c.start for c in after.contacts] == [c.start for c in found]
    assert {c.point.character for c in after.contacts} == {"biped"}
    assert detect_contacts(after).empty


def test_a_contact_that_was_moved_is_not_detected_again():
    scene = replace(read("biped:walk"), contacts=())
    after = detect_contacts(scene).apply(scene)
    first = after.contacts[0]
    after = change_point_constraint(after, "contact", 0, end=(first.start + first.end) / 2).apply(
        after
    )
    after = remove_point_constraint(after, "contact", 1).apply(after)
    assert detect_contacts(after).label == "Detect 1 contact"
