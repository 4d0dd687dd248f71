from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.edits.wishes import (
    add_wish,
    change_wish,
    contacts_found,
    remove_wish,
    segment_around,
)
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.contact import find_contacts
from arcwright.open import read
from arcwright.scene.point import Contact, Pin, Point
from builders import arm_scene
from random_scenes import assert_exact, random_scene, seeds

some = settings(max_examples=30)


@some
@given(seeds, st.sampled_from([Pin, Contact]), st.floats(0, 1), st.floats(0, 1))
def test_adding_changing_and_removing_are_taken_back_exactly(seed, make, start, length):
    scene = random_scene(seed)
    wish = make(Point("joint1", character="two"), start, start + length, clip="walk")
    kind = make.__name__.lower()
    place = len(getattr(scene, f"{kind}s"))
    added = assert_exact(scene, add_wish(scene, wish))
    assert same(getattr(added, f"{kind}s")[place], wish)
    assert added.characters is scene.characters
    changed = assert_exact(added, change_wish(added, kind, place, start=0, end=2))
    now = getattr(changed, f"{kind}s")[place]
    assert (now.start, now.end, now.position) == (0, 2, True)
    gone = assert_exact(changed, remove_wish(changed, kind, place))
    assert same(gone, scene)


def test_labels_say_the_joint_and_the_frames():
    scene = arm_scene()
    assert add_wish(scene, Pin(Point("joint1"), 0, 1)).label == "Pin joint1, frames 0-24"
    assert add_wish(scene, Contact(Point("joint1"), 0.5, 0.5)).label == "Contact joint1, frame 12"
    change = change_wish(scene, "pin", 0, start=0.1)
    assert change.label == "Change joint2 pin, frames 2.4-24"
    assert remove_wish(scene, "contact", 0).label == "Remove joint1 contact"


def test_frames_are_counted_at_the_rate_of_the_clip():
    scene = arm_scene()
    actor = scene.characters[0]
    take = replace(actor.takes[0], base=replace(actor.takes[0].base, name="fast", rate=48))
    scene = replace(scene, characters=(actor.with_take(take),))
    wish = Pin(Point("joint1"), 0, 1, clip="fast")
    assert add_wish(scene, wish).label == "Pin joint1, frames 0-48"


def test_a_wish_that_is_there_is_not_added_twice():
    scene = arm_scene()
    assert add_wish(scene, scene.pins[0]).empty
    assert change_wish(scene, "pin", 0, start=0.0, end=1.0).empty


def test_what_a_pin_holds_can_change():
    scene = arm_scene()
    edit = change_wish(scene, "pin", 0, position=False, orientation=True)
    pin = edit.apply(scene).pins[0]
    assert (pin.position, pin.orientation) == (False, True)


def test_wishes_about_nothing_are_refused():
    scene = arm_scene()
    with pytest.raises(UnknownName, match="no joint named 'joint9'"):
        add_wish(scene, Pin(Point("joint9"), 0, 1))
    with pytest.raises(UnknownName, match="no character named 'leg'"):
        add_wish(scene, Pin(Point("joint1", character="leg"), 0, 1))
    with pytest.raises(UnknownName, match="no clip named 'swim'"):
        add_wish(scene, Pin(Point("joint1"), 0, 1, clip="swim"))
    with pytest.raises(UnknownName, match="no joint named 'lid'"):
        add_wish(scene, Contact(Point("joint1"), 0, 1, relative_to=Point("lid")))
    with pytest.raises(BadValue, match="pin: expected 0 to 0, got 1"):
        remove_wish(scene, "pin", 1)
    with pytest.raises(BadValue, match="kind: expected pin or contact, got 'wish'"):
        remove_wish(scene, "wish", 0)
    with pytest.raises(BadValue, match="expected position, orientation or both, got neither"):
        change_wish(scene, "pin", 0, position=False)
    with pytest.raises(BadValue, match=r"at or after start \(2.0 s\)"):
        change_wish(scene, "contact", 0, start=2)


def test_contacts_of_the_walk_are_found_once():
    scene = replace(read("biped:walk"), contacts=())
    edit = contacts_found(scene, "", "")
    after = assert_exact(scene, edit)
    found = find_contacts(scene.characters[0].takes[0])
    assert edit.label == f"Find {len(found)} contacts"
    assert [c.start for c in after.contacts] == [c.start for c in found]
    assert {c.point.character for c in after.contacts} == {"biped"}
    assert contacts_found(after, "", "").empty


def test_a_contact_that_was_moved_is_not_found_again():
    scene = replace(read("biped:walk"), contacts=())
    after = contacts_found(scene, "", "").apply(scene)
    first = after.contacts[0]
    after = change_wish(after, "contact", 0, end=(first.start + first.end) / 2).apply(after)
    after = remove_wish(after, "contact", 1).apply(after)
    assert contacts_found(after, "", "").label == "Find 1 contact"


def test_a_character_without_feet_says_so():
    with pytest.raises(BadValue, match="no joint is called toe, foot or ankle"):
        contacts_found(arm_scene(), "", "")


def test_a_segment_lies_between_the_keys_of_channels_that_move_the_point():
    take = arm_scene().characters[0].takes[0]
    assert segment_around(take, Point("joint0"), 0.3) == (0, 0.5)  # the hinge is below it
    tip = Point("joint2", np.array([0, 1, 0]))
    assert segment_around(take, tip, 0.3) == (0.25, 0.5)
    assert segment_around(take, tip, 0.5) == (0.5, 1)
    assert segment_around(take, tip, 1.0) == (0.5, 1)
    assert segment_around(take, tip, 7.0) == (0.5, 1)
    assert segment_around(take, tip, -1.0) == (0, 0.25)


def test_the_segment_of_samples_is_all_of_them():
    take = arm_scene().characters[0].takes[1]
    assert segment_around(take, Point("joint1"), 0.1) == (0, take.duration)
