"""What random drags found: odd ranges, far drags, limits, options of the wrong kind."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.errors import BadValue
from arcwright.kinematics import contact
from arcwright.kinematics.sample import values_at
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import place, take_of
from spacetime_edits import TOE, dragged, walking


def test_a_range_that_all_but_begins_with_the_take_does_so():
    scene = walking()
    hips = Point("Hips")
    after, _ = dragged(scene, hips, 0.1, [0, -0.05, 0], start=0.01)
    moved = place(after, hips, [0.0, 1 / 24]) - place(scene, hips, [0.0, 1 / 24])
    assert take_of(after).layers[-1].start == 0
    assert np.linalg.norm(moved[1] - moved[0]) < 0.02


def test_a_drag_far_away_is_followed_at_once():
    finger, held = Point("RightRingIntermediate"), Point("RightMiddleDistal")
    scene = replace(read("biped:jump"), constraints=(Contact(held, 0.03, 0.65, orientation=True),))
    start = place(scene, finger, 0.4583)[0]
    for way in np.concatenate([np.eye(3), -np.eye(3)]):
        session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(knot_spacing=0.5))
        preview = session.update(Drag(finger, 0.4583, position=start + 0.21 * way))
        assert np.linalg.norm(preview.drag.position - start) > 0.025


def over(take, before):
    """How much further angles are beyond their limits at frames than they were, rad."""
    table, times = take.rig.channels, take.frame_times()
    turning = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.ROTATE_Z)
    was, now = (values_at(each, times)[:, turning] for each in (before, take))
    low, high = np.minimum(table.low[turning], was), np.maximum(table.high[turning], was)
    return float(np.maximum(low - now, now - high).max())


WAYS = [(1, 0, 0), (0, -1, 0)]
SLOW_WAYS = [(-1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1)]


@pytest.mark.parametrize(
    "by", [*WAYS, *(pytest.param(way, marks=pytest.mark.slow) for way in SLOW_WAYS)]
)
def test_after_release_limits_hold_at_every_frame(by):
    held = Contact(Point("RightIndexProximal"), 0.1, 0.6)
    scene = replace(read("biped:jump"), constraints=(held,))
    after, _ = dragged(scene, Point("RightRingProximal"), 0.4, 0.1 * np.array(by))
    assert over(take_of(after), take_of(scene)) < 4e-3


def test_a_dragged_footplant_across_a_locked_end_is_noted_to_slide():
    scene = replace(walking(), constraints=(Contact(TOE, 0, 0.9),))
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(end=0.6))
    session.update(Drag(TOE, 0.3, position=place(scene, TOE, 0.3)[0] + [0.1, 0, 0]))
    notes = [note for note in session.notes() if "slides back" in note.text]
    assert [note.blocker for note in notes] == ["RightToes contact"]
    assert notes[0].amount == pytest.approx(0.1, abs=0.01)


def test_footplants_of_a_take_are_detected_once(monkeypatch):
    scene = walking()
    first = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    monkeypatch.setattr(contact, "find_contacts", None)
    again = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    assert (
        len(again.characters["biped"].constraints) == len(first.characters["biped"].constraints) > 0
    )


@pytest.mark.parametrize(
    ("name", "bad"),
    [("knot_spacing", "x"), ("knot_spacing", None), ("end", np.nan), ("floor_limit", "no")],
)
def test_options_of_the_wrong_kind_are_refused(name, bad):
    with pytest.raises(BadValue, match=name):
        SpacetimeOptions(**{name: bad})
