"""Contact strokes on loops that have contacts already: which foot is meant, and what stays."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_stroke import ContactStroke
from arcwright.tools.cycle.options import CycleOptions
from stepping import beside, biped_in_place, drawn

HALF = 0.12  # m, of a stroke under one footprint
SLIDE = 0.001  # m, within one contact
CROUCH = built_in("biped:crouch_walk")
VIEWS = {"side": 0.0, "from above": 0.35}


class Drawn:
    """A stroke under the footprint of a contact, and what becomes of all contacts."""

    def __init__(self, scene, place, *, above=-0.02, pitch=0.0, **options):
        self.scene, self.before = scene, scene.characters[0].takes[0]
        line = np.asarray(place) + np.array([[0, above, -HALF], [0, above, HALF]])
        self.session = ContactStroke(scene, Target(), CycleOptions(**options))
        self.session.update(drawn(beside(scene, pitch), line, 20))
        self.after = self.session.finish().apply(scene).characters[0].takes[0]
        self.notes = self.session.notes()
        self.said = " ".join(note.text for note in self.notes)

    def slide(self, contact):
        path = trail(self.after, contact.point, _within(contact)).position
        return float(np.linalg.norm(path - path[0], axis=1).max())

    def moved(self, contact):
        was, now = (
            trail(take, contact.point, _within(contact)).position
            for take in (self.before, self.after)
        )
        return float(np.linalg.norm(now - was, axis=1).max())


def _within(contact):
    return np.linspace(contact.start, contact.end, 40)


def footprint(scene, contact):
    middle = 0.5 * (contact.start + contact.end)
    return trail(scene.characters[0].takes[0], contact.point, [middle]).position[0]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("index", range(len(CROUCH.contacts)))
def test_a_stroke_takes_the_foot_that_it_is_drawn_under(view, index):
    contact = CROUCH.contacts[index]
    made = Drawn(CROUCH, footprint(CROUCH, contact), above=0.03, pitch=VIEWS[view])
    joint, other = contact.point.joint, {"LeftToes", "RightToes"} - {contact.point.joint}
    raised = [footprint(made.session.finish().apply(CROUCH), each)[1] for each in CROUCH.contacts]
    for each, height in zip(CROUCH.contacts, raised, strict=True):
        assert height == pytest.approx(0.06 if each.point.joint == joint else 0.03, abs=0.012)
    assert f"{other.pop()} keeps" in made.said


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("above", [-0.02, 0.0, 0.03])
@pytest.mark.parametrize("index", range(len(CROUCH.contacts)))
def test_no_contact_of_the_loop_slides(view, above, index):
    place = footprint(CROUCH, CROUCH.contacts[index])
    made = Drawn(CROUCH, place, above=above, pitch=VIEWS[view])
    for contact in CROUCH.contacts:
        assert made.slide(contact) < SLIDE


def test_a_contact_that_moves_is_named_with_how_far():
    contact = CROUCH.contacts[0]
    made = Drawn(CROUCH, footprint(CROUCH, contact), above=0.03)
    moved = made.moved(contact)
    assert moved > 0.01
    assert f"LeftToes contact moves by {1e3 * moved:.0f} mm" in made.said


@pytest.mark.parametrize("contact", CROUCH.contacts)
def test_under_the_soles_of_a_contact_its_own_height_is_the_ground(contact):
    made = Drawn(CROUCH, footprint(CROUCH, contact))
    assert all(made.moved(each) < SLIDE for each in CROUCH.contacts)
    assert "moves by" not in made.said


WALK = built_in("biped:walk")


@pytest.mark.parametrize("above", [-0.02, 0.03, 0.09])
@pytest.mark.parametrize("part", [(0.0, 0.35), (0.2, 0.55), (0.4, 0.75), (0.0, 1.0)])
def test_a_stroke_anywhere_under_a_walk_leaves_no_contact_sliding(above, part):
    """High, under swings, or under all of it: 75 cm of slide before timing was kept."""
    curves = ContactStroke(WALK, Target(), CycleOptions()).loop.curves
    low, ends = curves.place[..., 1].min(), (curves.seen[..., 2].min(), curves.seen[..., 2].max())
    start, end = (ends[0] + share * (ends[1] - ends[0]) for share in part)
    session = ContactStroke(WALK, Target(), CycleOptions())
    line = np.array([[0, low + above, start], [0, low + above, end]])
    session.update(drawn(beside(WALK), line, 40))
    after = session.finish().apply(WALK).characters[0].takes[0]
    for contact in WALK.contacts:
        path = trail(after, contact.point, _within(contact)).position
        assert np.linalg.norm(path - path[0], axis=1).max() < 0.005


def test_a_stroke_under_a_swing_changes_nothing_and_says_so():
    session = ContactStroke(WALK, Target(), CycleOptions())
    session.update(drawn(beside(WALK), np.array([[0, 0.06, 0.55], [0, 0.06, 0.95]]), 40))
    assert not session.finish().changes
    (note,) = session.notes()
    assert note.text.startswith("No contact: the stroke is under the swing of LeftToes.")
    assert "touches the ground in frames 3 to 12" in note.text


def test_of_curves_that_lie_over_each_other_the_one_in_front_is_meant():
    scene = biped_in_place()
    loop = ContactStroke(scene, Target(), CycleOptions()).loop
    ahead = loop.curves.place[np.argmin(loop.curves.place[:, 0, 1]), 0]
    session = ContactStroke(scene, Target(), CycleOptions())
    session.update(drawn(beside(scene), ahead + np.array([[0, 0.01, -0.05], [0, 0.01, 0.05]]), 20))
    (item,) = session._now.touch.items.tolist()
    assert loop.points[item].joint == "LeftToes"  # beside: on the left


def test_what_a_stroke_leaves_unmet_is_said():
    """A heel that is said to stand, but rolls, and a pinned hand that travels on."""
    scene = biped_in_place()
    hand = Pin(Point("LeftHand"), 0.0, 0.5)
    heel = Contact(Point("LeftFoot"), 0.1, 0.4)
    scene = replace(scene, constraints=(hand, heel))
    line = np.array([[0, 0.05, -1.0], [0, 0.05, 1.0]])
    session = ContactStroke(scene, Target(), CycleOptions())
    session.update(drawn(beside(scene), line, 40))
    after = session.finish().apply(scene).characters[0].takes[0]
    path = trail(after, heel.point, _within(heel)).position
    slide = float(np.linalg.norm(path - path[0], axis=1).max())
    said = {note.blocker: note for note in session.notes() if note.blocker}
    assert set(said) == {"LeftHand pin", "LeftFoot contact"}
    assert said["LeftFoot contact"].amount == pytest.approx(slide, rel=0.1)
    assert all(note.kind == "residual" for note in said.values())
