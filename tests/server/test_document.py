"""The document's history stays bounded; what is saved stays known."""

import threading

import pytest

from arcwright.arrays import same
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document import document as documents
from arcwright.server.document.document import Document
from arcwright.server.storage.journal import Journal, journal, recover
from builders import arm_scene
from crowd import FakeDisk
from journalled import renamed
from local_clients import PIN, LocalClient


@pytest.fixture
def document(monkeypatch):
    """A document that keeps five steps."""
    monkeypatch.setattr(documents, "MAX_STEPS", 5)
    return Document(History(arm_scene()), "/some/file.arc.glb")


def do(document, count):
    for step in range(count):
        document.apply(renamed(document.scene, f"step {step} of {count}"))


def test_only_so_many_steps_can_be_undone(document):
    do(document, 8)
    assert len(document.history.done) == 5
    document.go_to_step(0)
    assert document.scene.characters[0].takes[0].name == "step 2 of 8"
    document.go_to_step(5)
    assert document.scene.characters[0].takes[0].name == "step 7 of 8"


def test_a_document_saved_after_dropped_steps_counts_as_saved(document):
    do(document, 5)
    document.mark_saved(document.save_point())
    assert document.saved
    do(document, 2)
    assert not document.saved
    document.undo()
    document.undo()
    assert document.saved


def test_a_document_saved_before_dropped_steps_never_counts_as_saved_again(document):
    do(document, 2)
    document.mark_saved(document.save_point())
    do(document, 6)
    document.go_to_step(0)
    assert not document.saved


def test_a_document_saved_at_the_start_is_unsaved_once_its_first_step_is_dropped(document):
    do(document, 6)
    document.go_to_step(0)
    assert not document.saved


def test_a_step_saved_while_others_were_done_is_known(document):
    do(document, 3)
    then = document.save_point()
    do(document, 3)  # one is dropped meanwhile
    document.mark_saved(then)
    assert not document.saved
    document.go_to_step(2)
    assert document.saved


def test_a_bounded_history_comes_back_from_its_journal(document, tmp_path):
    document.log = Journal.begin(tmp_path, document.scene, document.path)
    do(document, 12)
    document.undo()
    document.log.close()
    history, _, made = recover(tmp_path, document.log.name)
    made.close()
    assert same(history, document.history)


def test_clients_are_notified_once_of_write_errors_and_once_when_all_is_safe(studio, monkeypatch):
    monkeypatch.setattr(journal, "RETRY", 0.02)
    disk = FakeDisk(monkeypatch)
    client = studio()
    disk.full = True
    client.send(m.ApplyChange(PIN))
    reported = client.wait(m.Failure)[-1][0].text
    assert reported.startswith("The last step is not safe on disk yet: the disk is full")
    client.send(m.Undo(), m.Redo())
    received = client.sync()
    assert not [message for message, _ in received if isinstance(message, m.Failure)]
    assert client.worker.opened.document.log.unsafe_steps == 3
    disk.full = False
    assert client.wait(m.Report)[-1][0].text == "All steps are safe on disk again."
    assert client.worker.opened.document.log.unsafe_steps == 0


def test_a_new_client_is_notified_that_steps_are_not_safe(studio):
    (studio.state / "journals").write_text("in the way")
    client = studio()
    over = threading.Event()
    client.worker.post(over.set)
    assert over.wait(60)
    received = LocalClient(client.worker)
    assert "Steps will not be safe on disk" in received.wait(m.Failure)[-1][0].text
    (studio.state / "journals").unlink()
    client.send(m.ApplyChange(PIN))
    assert client.wait(m.Report)[-1][0].text == "All steps are safe on disk again."
