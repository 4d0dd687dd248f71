"""Words and work that come late: after an undo, after another document, on a full disk."""

import threading

import pytest

from arcwright import read, same
from arcwright.errors import BadValue
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document import document as documents
from arcwright.server.document import open_document as open_documents
from arcwright.server.jobs import file_commands, jobs, slow_changes
from arcwright.server.storage import folder as folders
from arcwright.server.storage.folder import Folder
from arcwright.server.transport.start import open_document
from arcwright.tools.tangent.session import TangentSession
from crowd import FakeDisk
from local_clients import BEGIN, LONG, PIN, LocalClient, MemoryLog, lift, worker_with

LIFT = m.MoveKeys("biped", "walk", [(1, 1)], value=0.05)


@pytest.fixture
def client():
    with worker_with() as worker:
        yield LocalClient(worker)


@pytest.fixture
def studio(tmp_path, monkeypatch):
    """A client of a worker with a folder; no progress bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "SHOWN_AFTER", 60.0)
    worker = open_document("biped:walk", Folder(tmp_path), tmp_path)
    worker.start()
    yield LocalClient(worker)
    worker.stop()


@pytest.fixture
def lamp(studio, monkeypatch, tmp_path):
    """A file that is read only when the event is set, and the message that adds it."""
    go_on = threading.Event()
    monkeypatch.setattr(file_commands, "read", lambda _: go_on.wait(LONG) and read("lamp:hop"))
    monkeypatch.setattr(studio.worker.files.uploads, "path", lambda _: tmp_path / "lamp.glb")
    return go_on, m.ImportUpload("any", True)


@pytest.fixture
def slow(monkeypatch):
    """Changes that are worked out only when the event is set."""
    go_on, quick = threading.Event(), changes.edit_of
    detected_contacts = slow_changes.detected_contacts

    def wait(scene, change):
        if slow_changes.is_slow(change):
            assert go_on.wait(LONG)
        return quick(scene, change)

    def detect(*given):
        assert go_on.wait(LONG)
        return detected_contacts(*given)

    monkeypatch.setattr(changes, "edit_of", wait)
    monkeypatch.setattr(slow_changes, "detected_contacts", detect)
    return go_on


def labels(client):
    history = client.document.history
    return [edit.label for edit in history.done], [edit.label for edit in history.undone]


def test_a_change_preview_ends_once_undo_has_cancelled_its_interaction(client):
    client.send(m.ApplyChange(PIN), m.PreviewChange(5, LIFT), m.Undo())
    client.send(m.PreviewChange(5, LIFT), m.CommitInteraction(5))
    client.sync()
    assert labels(client) == ([], ["Add Head pin, frames 0-12"])
    client.send(m.PreviewChange(5, LIFT), m.CommitInteraction(5))  # the number is free again
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_the_number_of_a_cancelled_interaction_can_be_used_again(client):
    client.send(m.ApplyChange(PIN), BEGIN, m.Undo(), BEGIN, lift(client, 0.03))
    client.wait(m.Preview)
    client.send(m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_a_change_preview_that_failed_can_continue(client):
    client.send(
        m.PreviewChange(5, m.MoveKeys("biped", "walk", [(1, 999)])), m.PreviewChange(5, LIFT)
    )
    client.sync()
    client.send(m.CommitInteraction(5))
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_notes_are_sent_also_where_no_key_can_be_offered(client, monkeypatch):
    def none(_):
        raise BadValue("time", "one with keys around it", 0.5)

    monkeypatch.setattr(TangentSession, "offer", none)
    client.send(BEGIN, lift(client, 0.6))
    assert client.wait(m.Notes)[-1][0].offer is None
    client.send(m.AcceptOffer(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_slow_work_that_ends_after_an_undo_takes_no_redo_away(studio, slow):
    studio.send(m.ApplyChange(PIN), m.ApplyChange(m.RemoveConstraint("biped", "walk", 0)))
    studio.send(m.ApplyChange(m.DetectContacts("biped", "walk")), m.Undo())
    studio.sync()
    slow.set()
    reported = studio.wait(m.Failure)[-1][0].text
    assert "Find contacts was not applied" in reported
    assert labels(studio) == (["Add Head pin, frames 0-12"], ["Remove LeftToes contact"])


def test_slow_work_that_ends_after_a_step_is_a_step_more(studio, slow):
    studio.send(m.ApplyChange(m.RemoveConstraint("biped", "walk", 0)))
    studio.send(m.ApplyChange(m.DetectContacts("biped", "walk")), m.ApplyChange(PIN))
    studio.sync()
    slow.set()
    studio.wait(m.Document, lambda message: len(message.done) == 3)


def test_slow_work_never_lands_in_another_document(studio, slow):
    studio.send(m.ApplyChange(m.RemoveConstraint("biped", "walk", 0)))
    studio.send(m.ApplyChange(m.DetectContacts("biped", "walk")), m.Open("builtin", "biped:sit"))
    studio.wait(m.Document, lambda message: message.name == "biped:sit")
    before = studio.worker.opened.document.scene
    slow.set()
    assert "another document" in studio.wait(m.Failure)[-1][0].text
    assert studio.worker.opened.document.scene is before


def test_a_file_is_not_added_to_a_document_opened_meanwhile(studio, lamp):
    go_on, add = lamp
    studio.send(add, m.Open("builtin", "biped:sit"))
    studio.wait(m.Document, lambda message: message.name == "biped:sit")
    go_on.set()
    assert "another document" in studio.wait(m.Failure)[-1][0].text
    assert [each.name for each in studio.worker.opened.document.scene.characters] == ["biped"]


def test_what_was_added_but_not_written_down_is_not_called_unchanged(studio, lamp, monkeypatch):
    FakeDisk(monkeypatch, full=True)
    go_on, add = lamp
    studio.send(add)
    go_on.set()
    received = studio.wait(m.Failure)
    assert (
        "lamp" in next(message for message, _ in received if isinstance(message, m.Document)).takes
    )
    assert "not safe on disk yet" in received[-1][0].text
    assert "unchanged" not in received[-1][0].text


def test_travel_goes_all_the_way_also_on_a_full_disk():
    log = MemoryLog()
    with worker_with(log=log) as worker:
        client = LocalClient(worker)
        client.send(
            m.ApplyChange(PIN),
            m.ApplyChange(LIFT),
            m.ApplyChange(m.AddKeys("biped", "walk", [1], 0.1)),
        )
        client.sync()
        log.full = True
        client.send(m.GoToStep(0))
        received = client.wait(m.Failure)
        assert len([1 for message, _ in received if isinstance(message, m.Failure)]) == 1
        assert same(worker.opened.document.scene, read("biped:walk"))
        client.send(m.GoToStep(3))
        client.wait(m.Failure)
        assert len(worker.opened.document.history.done) == 3
        log.full = False


def test_a_step_that_cannot_be_shown_is_neither_done_nor_written_down(monkeypatch):
    log = MemoryLog()
    with worker_with(log=log) as worker:
        client = LocalClient(worker)
        before = worker.opened.document.history
        monkeypatch.setattr(documents.DisplayModel, "fits", lambda *_: 1 / 0)
        client.send(m.ApplyChange(PIN))
        assert "document is unchanged" in client.wait(m.Failure)[-1][0].text
        assert worker.opened.document.history is before
        assert log.lines == []


def test_an_applied_step_is_listed_even_if_showing_it_fails(client, monkeypatch):
    monkeypatch.setattr(open_documents, "take_differences", lambda *_: 1 / 0)
    client.send(m.ApplyChange(PIN))
    received = client.wait(m.Failure)
    assert received[-2][0].done == ["Add Head pin, frames 0-12"]
    assert "reload" in received[-1][0].text


def test_of_two_saves_at_once_the_later_one_stays(tmp_path, monkeypatch):
    folder, begun, go_on = Folder(tmp_path), threading.Event(), threading.Event()
    early, late = read("biped:walk"), read("lamp:hop")
    quick = folders.write

    def slow_first(scene, path):
        if scene is early:
            begun.set()
            assert go_on.wait(LONG)
        return quick(scene, path)

    monkeypatch.setattr(folders, "write", slow_first)
    saves = [
        threading.Thread(target=folder.write, args=(scene, "mine.arc.glb"))
        for scene in (early, late)
    ]
    saves[0].start()
    assert begun.wait(LONG)
    saves[1].start()
    saves[1].join(0.2)
    go_on.set()
    for save in saves:
        save.join(LONG)
    assert same(read(tmp_path / "mine.arc.glb"), late)
