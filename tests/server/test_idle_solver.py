"""Idle solves show the result of the release while the pointer rests, so that nothing jumps."""

from threading import Event
from time import sleep

import numpy as np
import pytest

from arcwright.kinematics.sample import values_at
from arcwright.server import messages as m
from arcwright.server.interactions.tool_interaction import ToolInteraction
from arcwright.tools.spacetime.session import SpacetimeSession
from local_clients import BEGIN, LocalClient, lift, worker_with


@pytest.fixture
def client():
    with worker_with() as worker:
        yield LocalClient(worker)


def rested(client, tool, by):
    """The pose that an interaction is shown after an idle solve."""
    client.send(m.BeginInteraction(1, tool, "biped", "walk", {}), lift(client, by))
    client.wait(m.Notes)
    message, arrays = client.wait(m.Preview)[-1]
    return message, arrays["pose0"]


def pose_at(worker, time):
    actor = worker.opened.document.scene.characters[0]
    values = values_at(actor.takes[0], np.array([time]))
    return worker.opened.document.model.layouts[actor.name].poses(actor.rig, values)[0]


@pytest.mark.parametrize("tool", ["spacetime", "tangent"])
@pytest.mark.parametrize("by", [0.05, 0.6])
def test_an_idle_preview_shows_the_very_pose_that_committing_gives(client, tool, by):
    message, pose = rested(client, tool, by)
    client.send(m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert pose == pytest.approx(pose_at(client.worker, message.poses[0].time), abs=1e-5)


def test_an_idle_result_is_reused_on_commit(client, monkeypatch):
    rested(client, "spacetime", 0.1)
    interaction = next(iter(client.worker.interactions._active.values()))
    monkeypatch.setattr(interaction.session, "finish", None)
    client.send(m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_an_update_discards_the_idle_result(client, monkeypatch):
    rested(client, "spacetime", 0.1)
    interaction = next(iter(client.worker.interactions._active.values()))
    assert isinstance(interaction, ToolInteraction)
    assert interaction.result is not None
    monkeypatch.setattr(client.worker.interactions._idle_solver, "solve", lambda _: None)
    client.send(lift(client, 0.2))
    client.wait(m.Preview)
    assert interaction.result is None


def test_two_idle_interactions_both_get_their_result(client):
    other = LocalClient(client.worker)
    client.send(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(client, 0.1))
    other.send(
        m.BeginInteraction(2, "spacetime", "biped", "walk", {}), lift(client, 0.05, interaction=2)
    )
    received = {1, 2}
    while received:
        received -= {client.wait(m.Notes)[-1][0].interaction}


def test_a_commit_waits_for_the_running_idle_solve(client, monkeypatch):
    begun, may_end, count = Event(), Event(), []
    finish = SpacetimeSession.finish

    def slow(session):
        count.append(session)
        begun.set()
        assert may_end.wait(30)
        return finish(session)

    monkeypatch.setattr(SpacetimeSession, "finish", slow)
    client.send(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(client, 0.1))
    assert begun.wait(30)
    client.send(m.CommitInteraction(1))
    may_end.set()
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert len(count) == 1


def test_an_idle_result_that_was_not_sent_yet_is_reused_on_commit(client, monkeypatch):
    solver, finish, count = client.worker.interactions._idle_solver, SpacetimeSession.finish, []
    monkeypatch.setattr(solver, "_on_result", lambda *_: None)
    monkeypatch.setattr(
        SpacetimeSession, "finish", lambda session: (count.append(session), finish(session))[1]
    )
    client.send(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(client, 0.1))
    while solver._last is None or not solver._last[1].done():
        sleep(0.01)
    client.send(m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert len(count) == 1


def test_a_commit_solves_itself_where_the_idle_solve_failed(client, monkeypatch):
    finish, tried = SpacetimeSession.finish, []

    def once(session):
        tried.append(session)
        if len(tried) == 1:
            raise RuntimeError("lost")
        return finish(session)

    monkeypatch.setattr(SpacetimeSession, "finish", once)
    client.send(m.BeginInteraction(1, "spacetime", "biped", "walk", {}), lift(client, 0.1))
    while not tried:
        sleep(0.01)
    client.send(m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert len(tried) == 2


def test_an_idle_drag_out_of_reach_gets_notes_and_an_offer(client):
    client.send(BEGIN, lift(client, 0.6))
    notes = client.wait(m.Notes)[-1][0]
    assert notes.notes[0].blocker == "LeftToes contact"
    assert "short" in notes.notes[0].text
    assert notes.offer is not None
    keys = client.document.scene.characters[0].takes[0].base.key_count
    client.send(m.AcceptOffer(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert client.document.scene.characters[0].takes[0].base.key_count > keys


def test_an_offer_accepted_before_it_was_sent_is_computed(client):
    keys = client.document.scene.characters[0].takes[0].base.key_count
    client.send(BEGIN, lift(client, 0.6), m.AcceptOffer(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    assert client.document.scene.characters[0].takes[0].base.key_count > keys


def test_an_idle_drag_within_reach_gets_empty_notes(client):
    client.send(BEGIN, lift(client, 0.02))
    notes = client.wait(m.Notes)[-1][0]
    assert notes.notes == []
    assert notes.offer is None
