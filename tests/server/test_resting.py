"""A hand that rests sees what letting go gives; then nothing jumps when it does."""

from threading import Event
from time import sleep

import numpy as np
import pytest

from arcwright.kinematics.sample import values_at
from arcwright.server import messages as m
from arcwright.server.interactions.interaction import ToolHand
from arcwright.tools.spacetime.session import SpacetimeSession
from seats import GRAB, Seat, desk_with, lift


@pytest.fixture
def seat():
    with desk_with() as desk:
        yield Seat(desk)


def rested(seat, tool, by):
    """The pose that is shown to a hand once it has rested."""
    seat.say(m.BeginInteraction(1, tool, "biped", "walk", {}), lift(seat, by))
    seat.wait(m.Notes)
    told, arrays = seat.wait(m.Preview)[-1]
    return told, arrays["pose"]


def pose_at(desk, time):
    actor = desk.story.scene.characters[0]
    values = values_at(actor.takes[0], np.array([time]))
    return desk.story.model.bodies[actor.name].poses(actor.rig, values)[0]


@pytest.mark.parametrize("tool", ["spacetime", "tangent"])
@pytest.mark.parametrize("by", [0.05, 0.6])
def test_a_resting_hand_sees_the_very_pose_that_letting_go_gives(seat, tool, by):
    told, pose = rested(seat, tool, by)
    seat.say(m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    assert pose == pytest.approx(pose_at(seat.desk, told.time), abs=1e-5)


def test_what_a_resting_hand_was_shown_is_not_worked_out_again(seat, monkeypatch):
    rested(seat, "spacetime", 0.1)
    hand = next(iter(seat.desk._holding._hands.values()))
    monkeypatch.setattr(hand.session, "finish", None)
    seat.say(m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_a_hand_that_goes_on_forgets_where_it_rested(seat, monkeypatch):
    rested(seat, "spacetime", 0.1)
    hand = next(iter(seat.desk._holding._hands.values()))
    assert isinstance(hand, ToolHand)
    assert hand.ending is not None
    monkeypatch.setattr(seat.desk._holding.mull, "over", lambda _: None)
    seat.say(lift(seat, 0.2))
    seat.wait(m.Preview)
    assert hand.ending is None


def test_of_two_hands_that_rest_at_once_each_hears_of_its_end(seat):
    other = Seat(seat.desk)
    seat.say(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(seat, 0.1))
    other.say(m.BeginInteraction(2, "spacetime", "biped", "walk", {}), lift(seat, 0.05, hand=2))
    heard = {1, 2}
    while heard:
        heard -= {seat.wait(m.Notes)[-1][0].interaction}


def test_a_hand_that_lets_go_waits_for_what_is_being_worked_out(seat, monkeypatch):
    begun, may_end, count = Event(), Event(), []
    finish = SpacetimeSession.finish

    def slow(session):
        count.append(session)
        begun.set()
        assert may_end.wait(30)
        return finish(session)

    monkeypatch.setattr(SpacetimeSession, "finish", slow)
    seat.say(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(seat, 0.1))
    assert begun.wait(30)
    seat.say(m.CommitInteraction(1))
    may_end.set()
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    assert len(count) == 1


def test_an_end_that_was_found_but_not_yet_told_is_not_worked_out_again(seat, monkeypatch):
    mull, finish, count = seat.desk._holding.mull, SpacetimeSession.finish, []
    monkeypatch.setattr(mull, "_found", lambda *_: None)
    monkeypatch.setattr(
        SpacetimeSession, "finish", lambda session: (count.append(session), finish(session))[1]
    )
    seat.say(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(seat, 0.1))
    while mull._last is None or not mull._last[2].done():
        sleep(0.01)
    seat.say(m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    assert len(count) == 1


def test_a_hand_that_lets_go_finds_its_end_itself_where_thinking_of_it_failed(seat, monkeypatch):
    finish, tried = SpacetimeSession.finish, []

    def once(session):
        tried.append(session)
        if len(tried) == 1:
            raise RuntimeError("lost")
        return finish(session)

    monkeypatch.setattr(SpacetimeSession, "finish", once)
    seat.say(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(seat, 0.1))
    while not tried:
        sleep(0.01)
    seat.say(m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    assert len(tried) == 2


def test_a_resting_hand_out_of_reach_hears_what_is_in_its_way_and_may_take_a_key(seat):
    seat.say(GRAB, lift(seat, 0.6))
    notes = seat.wait(m.Notes)[-1][0]
    assert notes.notes[0].blocker == "LeftToes contact"
    assert "short" in notes.notes[0].text
    assert notes.offer is not None
    keys = seat.desk.story.scene.characters[0].takes[0].base.key_count
    seat.say(m.AcceptOffer(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    assert seat.desk.story.scene.characters[0].takes[0].base.key_count > keys


def test_an_offer_taken_before_it_was_told_is_worked_out(seat):
    keys = seat.desk.story.scene.characters[0].takes[0].base.key_count
    seat.say(GRAB, lift(seat, 0.6), m.AcceptOffer(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    assert seat.desk.story.scene.characters[0].takes[0].base.key_count > keys


def test_a_hand_within_reach_hears_that_nothing_is_in_its_way(seat):
    seat.say(GRAB, lift(seat, 0.02))
    notes = seat.wait(m.Notes)[-1][0]
    assert notes.notes == []
    assert notes.offer is None
