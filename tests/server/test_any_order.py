"""Messages in any order: whatever two clients send can be undone, redone and recovered."""

import pytest

from arcwright.arrays import same
from arcwright.kinematics.take_difference import last_frame
from arcwright.server import messages as m
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import recover
from arcwright.server.transport.start import open_document
from crowd import Crowd, FakeDisk
from local_clients import LocalClient
from pages import Page, assert_alike


@pytest.fixture
def crowd_of(tmp_path, monkeypatch):
    """A crowd at a worker with a journal."""
    running = []
    disk = FakeDisk(monkeypatch)

    def begin(seed, **crowd):
        worker = open_document("lamp:hop", Folder(tmp_path), tmp_path)
        worker.start()
        running.append(worker)
        return Crowd(worker, seed, disk, **crowd)

    yield begin
    for worker in running:
        worker.stop()


@pytest.mark.parametrize("seed", range(12))
def test_whatever_was_sent_can_be_undone_redone_and_recovered(crowd_of, tmp_path, seed):
    crowd = crowd_of(seed)
    worker, beginning = crowd.worker, crowd.worker.opened.document.scene
    crowd.send_messages(80)
    crowd.settle()
    history = worker.opened.document.history
    assert worker.interactions._active == {}
    for each in crowd.clients:
        message = [message for message, _ in each.received if isinstance(message, m.Document)][-1]
        assert message == worker.opened.document.message(worker.opened._revision)
    client = crowd.clients[0]
    client.send(m.GoToStep(0))
    client.sync()
    assert same(worker.opened.document.scene, beginning)
    client.send(*[m.Redo() for _ in history.done])
    client.sync()
    assert same(worker.opened.document.scene, history.scene)
    assert worker.opened.document.history.done == history.done
    assert worker.opened.document.history.undone == history.undone
    worker.stop()
    again, _, journal = recover(tmp_path, worker.opened.document.log.name)
    journal.close()
    assert same(again.scene, history.scene)
    assert same(again.done, history.done)
    assert same(again.undone, history.undone)


@pytest.mark.parametrize("seed", range(12))
def test_clients_with_different_subscriptions_hold_what_a_fresh_one_receives(crowd_of, seed):
    crowd = crowd_of(seed, clients=4, looks=15)
    crowd.send_messages(150)
    crowd.settle()
    scene = crowd.worker.opened.document.scene
    takes = {("lamp", take.name): last_frame(take) for take in scene.actor("lamp").takes}
    for client in crowd.clients:
        held, fresh = Page(client.received), LocalClient(crowd.worker)
        asked = [m.RequestKeys(*at) for at in held.keys if at in takes]
        asked += [m.RequestFrames(*at, 0, 239) for at in held.poses if at in takes]
        fresh.send(*asked, client.client.subscription)
        fresh.sync()
        assert_alike(held, Page(fresh.received), takes, crowd.shown.get(client, []))
        crowd.worker.leave(fresh.client)
