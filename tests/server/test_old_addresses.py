"""Steps of journals in which pins and contacts were lists of their own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.files.values import LOST
from arcwright.scene.constraint import BalanceConstraint, Contact, FlightConstraint, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.old_addresses import with_current_addresses
from arcwright.server.storage.journal.records import Kind
from arcwright.server.storage.journal.replay import Losses, Written, replayed
from arcwright.server.storage.journal.state import State
from arcwright.server.storage.journal.units import Joined

GROUPS = "pins", "contacts", "constraints"
MAKERS = {
    "pins": lambda at: Pin(Point("a"), at, at),
    "contacts": lambda at: Contact(Point("a"), at, at),
    "constraints": lambda at: BalanceConstraint(at, at) if at % 2 else FlightConstraint(at, at),
}


@st.composite
def old_steps(draw):
    """Steps as they were written then, and the three lists after each."""
    lists, steps, after = dict.fromkeys(GROUPS, ()), [], []
    for number in range(draw(st.integers(1, 8))):
        changes = []
        for group in draw(st.lists(st.sampled_from(GROUPS), min_size=1, max_size=3, unique=True)):
            own, new = lists[group], MAKERS[group](number)
            if own and draw(st.booleans()):
                index = draw(st.integers(0, len(own) - 1))
                changes.append(((group, index), new))
                lists[group] = (*own[:index], new, *own[index + 1 :])
            else:
                lists[group] = draw(st.sampled_from([(*own, new), own[1:], own[:-1], (new, *own)]))
                changes.append(((group,), lists[group]))
        steps.append((f"step {number}", changes))
        after.append(tuple(each for group in GROUPS for each in lists[group]))
    return steps, after


@settings(max_examples=150)
@given(old_steps(), st.integers(0, 8), st.data())
def test_every_step_does_what_it_did_and_is_undone_and_redone(made, undone, data):
    steps, after = made
    undone = min(undone, len(steps))
    dropped = data.draw(st.integers(0, len(steps) - undone))
    events = [Written(Kind.EDIT, 0.0, content) for content in steps]
    events += [Written(Kind.UNDO, 0.0)] * undone + [Written(Kind.DROPPED, 0.0)] * dropped
    start, losses = Scene(), Losses()
    empty = State(start, 0.0)
    state, scene = replayed(Joined(start), events, empty, losses, old_groups=True)
    assert not losses
    states = [(), *after]
    done = len(steps) - undone
    assert same(scene.constraints, states[done])
    assert same(state.start.constraints, states[dropped])
    for number in range(done - 1, dropped - 1, -1):
        scene = state.done[number - dropped].edit.inverse().apply(scene)
        assert same(scene.constraints, states[number])
    for number, step in enumerate((*state.done, *state.undone[::-1]), dropped + 1):
        scene = step.edit.apply(scene)
        assert same(scene.constraints, states[number])


def test_other_addresses_stay_and_a_whole_scene_starts_anew():
    pin, contact = MAKERS["pins"](0), MAKERS["contacts"](1)
    scene = Scene(constraints=(pin, contact))
    changes = [(("name",), "x"), ((), scene), (("contacts", 0), MAKERS["contacts"](2))]
    found = with_current_addresses(changes, Scene())
    assert found[:2] == changes[:2]
    assert found[2][0] == ("constraints", 1)


def test_what_is_lost_stays_lost_and_what_makes_no_sense_is_refused():
    (change,) = with_current_addresses([(("pins",), LOST)], Scene())
    assert change == (("constraints",), LOST)
    for bad in ((("pins", 0), MAKERS["pins"](0)), (("contacts",), (3,)), (("contacts",), None)):
        with pytest.raises(BadValue):
            with_current_addresses([bad], Scene())
