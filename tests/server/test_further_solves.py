"""Solve further: a committed drag that ran out of time is solved again as a job."""

from dataclasses import replace
from itertools import count

import pytest

from arcwright import Point, read
from arcwright.scene.constraint import Pin
from arcwright.server import messages as m
from arcwright.tools.spacetime import session
from local_clients import LocalClient, lift, worker_with


@pytest.fixture
def client(monkeypatch):
    """At a worker whose releases are out of time after a few steps."""
    ticks = count()
    monkeypatch.setattr(session, "thread_time", lambda: float(next(ticks)))
    scene = read("biped:walk")
    scene = replace(scene, constraints=(Pin(Point("Hips"), 0.45, 0.49), *scene.constraints))
    with worker_with(scene, idle=False) as worker:
        yield LocalClient(worker)


def commit_drag(client):
    """Drag the hips away from their pin; the notes of the release."""
    client.send(
        m.BeginInteraction(1, "spacetime", "biped", "walk", {"solve_time": 5.0}),
        lift(client, -0.3, time=0.5),
        m.CommitInteraction(1),
    )
    return client.wait(m.Notes)[-1][0].notes


def test_a_drag_that_ran_out_of_time_says_so_and_is_solved_further_as_the_same_step(client):
    assert "unfinished" in [note.kind for note in commit_drag(client)]
    client.wait(m.InteractionEnded)
    (first,) = client.document.history.done
    client.send(m.SolveFurther(1))
    report = client.wait(m.Report)[-1][0]
    assert report.text.startswith("Solved further")
    assert "unfinished" not in [note.kind for note in report.notes]
    (second,) = client.document.history.done
    assert second.label == first.label
    assert second is not first


def test_solving_further_is_refused_once_something_else_was_done(client):
    commit_drag(client)
    client.wait(m.InteractionEnded)
    client.send(m.Undo(), m.SolveFurther(1))
    assert "changed in the meantime" in client.wait(m.Failure)[-1][0].text
    client.send(m.SolveFurther(7))
    assert "another interaction" in client.wait(m.Failure)[-1][0].text
