"""Constraints are met without a drag: one step, messages about it, and a way to stop it."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from arcwright import read, same, trail
from arcwright.scene.constraint import (
    Contact,
    DistanceConstraint,
    FloorConstraint,
    PathConstraint,
    Pin,
)
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.jobs import jobs, slow_changes
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import DocumentWorker
from local_clients import LONG, LocalClient

HANDS = Point("LeftHand"), Point("RightHand")
SOLVE = m.ApplyChange(m.SolveConstraints("biped", "walk", {}))


@pytest.fixture
def client_of(tmp_path, monkeypatch):
    """A client at a worker with this scene; no bars unless a test wants them."""
    monkeypatch.setattr(jobs, "SHOWN_AFTER", LONG)
    made = []

    def begin(*constraints, contacts=None, scene=None):
        scene = scene or read("biped:walk")
        others = scene.constraints if contacts is None else contacts
        scene = replace(scene, constraints=(*constraints, *others))
        worker = DocumentWorker(Document(History(scene)), Folder(tmp_path), tmp_path)
        worker.start()
        made.append(worker)
        return LocalClient(worker)

    yield begin
    for worker in made:
        worker.stop()


@pytest.fixture
def held_up(monkeypatch):
    """Work that is done but not message before `go`."""
    begun, go = Event(), Event()
    real = slow_changes.solve_constraints

    def slow(scene, change, progress):
        found = real(scene, change, progress)
        begun.set()
        go.wait(LONG)
        return found

    monkeypatch.setattr(slow_changes, "solve_constraints", slow)
    yield begun, go
    go.set()


def two_takes():
    scene = read("biped:walk")
    (actor,) = scene.characters
    (take,) = actor.takes
    other = replace(take, base=replace(take.base, name="other"))
    return replace(scene, characters=(replace(actor, takes=(take, other)),))


def hands_apart(scene):
    take = scene.characters[0].takes[0]
    left, right = (
        trail(take, interaction, np.arange(6, 19) / 24).position for interaction in HANDS
    )
    return np.linalg.norm(left - right, axis=1)


def test_a_distance_is_met_in_one_step_that_undo_takes_back(client_of):
    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4))
    before = client.document.scene
    client.send(SOLVE)
    received = client.wait(m.Report)
    assert received[-1][0].text == "Constraints solved."
    assert received[-1][0].notes == []
    assert [edit.label for edit in client.document.history.done] == ["Solve constraints"]
    assert np.abs(hands_apart(client.document.scene) - 0.4).max() < 2e-3
    message = [message for message, _ in received if isinstance(message, m.Document)][-1]
    assert [layer.name for layer in message.takes["biped"][0].layers] == ["Constraints"]
    client.send(m.Undo())
    client.wait(m.Document)
    assert same(client.document.scene, before)


def test_where_all_constraints_are_met_nothing_is_added_to_the_history(client_of):
    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4))
    client.send(SOLVE)
    client.wait(m.Report)
    client.send(SOLVE)
    message = client.wait(m.Report)[-1][0]
    assert "are met already" in message.text
    assert len(client.document.history.done) == 1


def test_where_there_are_no_constraints_in_range_that_is_reported(client_of):
    client = client_of(DistanceConstraint(*HANDS, 0.1, 0.3, 0.4), contacts=())
    client.send(m.ApplyChange(m.SolveConstraints("biped", "walk", {"start": 0.6, "end": 0.9})))
    assert "has no constraints" in client.wait(m.Report)[-1][0].text
    assert client.document.history.done == ()


def test_residuals_of_unreachable_constraints_are_reported(client_of):
    bound = tuple(Contact(Point(each), 0, 1) for each in ("Hips", "LeftToes", "RightToes"))
    client = client_of(PathConstraint(HANDS[0], [0.5], [[4.0, 1.0, 0.0]]), contacts=bound)
    client.send(SOLVE)
    message = client.wait(m.Report)[-1][0]
    (note,) = [each for each in message.notes if "LeftHand path" in each.text]
    assert note.amount > 1
    assert f"{1000 * note.amount:.0f} mm" in note.text
    assert message.text == "Constraints solved as closely as possible."


def test_options_of_the_tool_count_and_are_checked(client_of):
    client = client_of(DistanceConstraint(*HANDS, 0.4, 0.6, 0.4))
    options = {"start": 0.25, "end": 0.75, "fix_foot_skate": False}
    client.send(m.ApplyChange(m.SolveConstraints("biped", "walk", options)))
    client.wait(m.Report)
    (layer,) = client.document.scene.characters[0].takes[0].layers
    assert (layer.start, layer.end) == (0.25, 0.75)
    client.send(m.ApplyChange(m.SolveConstraints("biped", "walk", {"speed": 3})))
    assert "speed" in client.wait(m.Failure)[-1][0].text
    assert len(client.document.history.done) == 1


def test_it_can_be_cancelled_and_then_stops_working(client_of, monkeypatch):
    monkeypatch.setattr(jobs, "SHOWN_AFTER", 0.0)
    shown, reached, stopped = Event(), Event(), Event()
    real = slow_changes.solve_constraints

    def slow(scene, change, progress):
        def message(share):
            reached.set()
            shown.wait(LONG)
            try:
                progress(share)
            except BaseException:
                stopped.set()
                raise

        return real(scene, change, message)

    monkeypatch.setattr(slow_changes, "solve_constraints", slow)
    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4))
    client.send(SOLVE)
    assert reached.wait(LONG)
    job = client.wait(m.Job)[-1][0]
    assert job.label == "Solve constraints"
    assert job.cancel
    client.send(m.CancelJob(job.job))
    client.wait(m.Job, lambda message: message.share == 1)
    shown.set()
    assert stopped.wait(LONG)
    assert client.document.history.done == ()


def test_undo_meanwhile_leaves_it_out(client_of, monkeypatch):
    begun, go = Event(), Event()
    real = slow_changes.solve_constraints

    def slow(scene, change, progress):
        begun.set()
        go.wait(LONG)
        return real(scene, change, progress)

    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4))
    floor = constraint_values(FloorConstraint(0.0, 1.0))
    client.send(m.ApplyChange(m.AddConstraint("biped", "walk", floor)))
    monkeypatch.setattr(slow_changes, "solve_constraints", slow)
    client.send(SOLVE)
    assert begun.wait(LONG)
    client.send(m.Undo())
    client.wait(m.Document, lambda message: message.undone)
    go.set()
    assert "was not applied" in client.wait(m.Failure)[-1][0].text
    assert client.document.history.done == ()


CHANGED = constraint_values(DistanceConstraint(*HANDS, 0.25, 0.75, 0.9))
PINNED = constraint_values(Pin(HANDS[0], 0.0, 0.5))


@pytest.mark.parametrize(
    "change",
    [
        m.RemoveTake("biped", "walk"),
        m.ChangeConstraint("biped", "walk", 0, CHANGED),
        m.RemoveConstraint("biped", "walk", 0),
        m.AddConstraint("biped", "walk", PINNED),
    ],
    ids=["take", "changed", "removed", "pin"],
)
def test_a_result_for_another_motion_or_other_constraints_is_discarded(client_of, held_up, change):
    begun, go = held_up
    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4), scene=two_takes())
    client.send(SOLVE)
    assert begun.wait(LONG)
    client.send(m.ApplyChange(change))
    client.wait(m.Document)
    go.set()
    assert "changed in the meantime; solve again" in client.wait(m.Failure)[-1][0].text
    assert not any(take.layers for take in client.document.scene.characters[0].takes)
    assert len(client.document.history.done) == 1


def test_a_change_that_has_nothing_to_do_with_it_does_not_leave_it_out(client_of, held_up):
    begun, go = held_up
    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4), scene=two_takes())
    client.send(SOLVE)
    assert begun.wait(LONG)
    client.send(m.ApplyChange(m.SetTiming("biped", "other", 24.0, 2.0, False)))
    client.wait(m.Document)
    go.set()
    assert client.wait(m.Report)[-1][0].text == "Constraints solved."


def test_while_one_solve_is_running_another_is_refused(client_of, held_up):
    begun, go = held_up
    client = client_of(DistanceConstraint(*HANDS, 0.25, 0.75, 0.4))
    client.send(SOLVE)
    assert begun.wait(LONG)
    client.send(SOLVE)
    assert "is running already" in client.wait(m.Failure)[-1][0].text
    go.set()
    assert client.wait(m.Report)[-1][0].text == "Constraints solved."
    assert len(client.document.history.done) == 1
    client.send(SOLVE)
    assert "are met already" in client.wait(m.Report)[-1][0].text
