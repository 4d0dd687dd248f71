"""Detected footplants, as clients receive, accept and drag them."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from arcwright import Point, read, same, trail
from arcwright.edits.footplants import accept_all, detect_footplants
from arcwright.kinematics.contact import footplants
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.jobs import footplant_requests
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import DocumentWorker
from local_clients import LONG, LocalClient, kinds

AT = "biped", "walk"


@pytest.fixture
def client(tmp_path):
    """A client on a walk whose contacts were removed."""
    scene = replace(read("biped:walk"), constraints=())
    worker = DocumentWorker(Document(History(scene)), Folder(tmp_path), tmp_path)
    worker.start()
    yield LocalClient(worker)
    worker.stop()


def found(client, **options):
    message, _ = client.request(m.RequestFootplants(*AT, **options), m.Footplants)
    assert (message.character, message.take) == AT
    return message.footplants


def contacts(client):
    client.sync()
    return client.document.scene.contacts


def push(client, footplant, interaction=1, **options):
    """A drag of a footplant over the ground, accepted."""
    when = (footplant.start + footplant.end) / 2
    take = client.document.scene.actor("biped").takes[0]
    x, y, z = trail(take, Point(footplant.point.joint), [when]).position[0].tolist()
    client.send(m.BeginInteraction(interaction, "spacetime", *AT, {}, **options))
    client.send(
        m.UpdateInteraction(interaction, footplant.point, when, (x + 0.1, y, z)),
        m.CommitInteraction(interaction),
    )
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_detected_footplants_are_sent_and_nothing_is_changed(client):
    take = client.document.scene.actor("biped").takes[0]
    message = [(each.point.joint, each.start, each.end) for each in found(client)]
    assert message == [(each.point.joint, each.start, each.end) for each in footplants(take)]
    assert contacts(client) == ()


def test_footplants_of_a_motion_that_has_changed_since_are_not_sent(client, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_, **__):
        begun.set()
        assert go_on.wait(LONG)
        return []

    with monkeypatch.context() as patched:
        patched.setattr(footplant_requests, "detect_footplants", slow)
        client.send(m.RequestFootplants(*AT))
        assert begun.wait(LONG)
        client.send(m.ApplyChange(m.AddKeys(*AT, [1], 0.1)))
        client.wait(m.Document)
        go_on.set()
        client.worker.footplants._pool.submit(int).result(LONG)  # detection is over
    assert "Plants" not in kinds(client.sync())
    assert len(found(client)) == 2


def test_a_take_with_contacts_has_none_to_be_found(client):
    client.send(m.ApplyChange(m.AcceptFootplants(*AT)))
    assert len(contacts(client)) == 2
    assert found(client) == []


def test_accepted_footplants_are_one_undo_step(client):
    before = client.document.scene
    client.send(m.ApplyChange(m.AcceptFootplants(*AT)))
    accepted = contacts(client)
    assert [each.take for each in accepted] == ["walk", "walk"]
    assert [edit.label for edit in client.document.history.done] == ["Accept 2 footplants"]
    client.send(m.Undo())
    client.sync()
    assert same(client.document.scene, before)


def test_a_footplant_is_changed_or_removed_while_the_others_are_accepted(client):
    first, second = found(client)
    change = m.AcceptFootplants(*AT, point=first.point, was=first.start, start=0.0, end=0.3)
    client.send(m.PreviewChange(7, change), m.CommitInteraction(7))
    client.wait(m.InteractionEnded)
    assert [(each.start, each.end) for each in contacts(client)] == [
        (0.0, 0.3),
        (second.start, second.end),
    ]
    assert [edit.label for edit in client.document.history.done] == [
        f"Change a footplant of {first.point.joint}"
    ]
    client.send(
        m.Undo(),
        m.ApplyChange(m.AcceptFootplants(*AT, point=first.point, was=first.start, without=True)),
    )
    (only,) = contacts(client)
    assert only.point.joint == second.point.joint


def test_dragging_a_footplant_accepts_all_in_the_same_step(client):
    before = client.document.scene
    first, _ = found(client)
    push(client, first, accept_footplants=True)
    assert len(contacts(client)) == 2
    scene = client.document.scene
    assert [
        len(client.document.history.done),
        len(scene.actor("biped").takes[0].layers),
    ] == [1, 1]
    client.send(m.Undo())
    client.sync()
    assert same(client.document.scene, before)
    client.send(m.Redo())
    client.sync()
    assert same(client.document.scene, scene)


def test_a_drag_that_moves_nothing_accepts_no_footplants(client):
    first, _ = found(client)
    when = first.start
    take = client.document.scene.actor("biped").takes[0]
    place = tuple(trail(take, Point(first.point.joint), [when]).position[0].tolist())
    client.send(m.BeginInteraction(1, "spacetime", *AT, {}, accept_footplants=True))
    client.send(m.UpdateInteraction(1, first.point, when, place), m.CommitInteraction(1))
    assert not client.wait(m.InteractionEnded)[-1][0].committed
    assert contacts(client) == ()


def test_a_drag_gives_the_same_motion_whether_footplants_are_accepted_or_only_detected(client):
    first, _ = found(client)
    takes = []
    for options in ({}, {"accept_footplants": True}):
        push(client, first, **options)
        client.sync()
        takes.append(client.document.scene.actor("biped").takes[0])
        client.send(m.Undo())
        client.sync()
    times = np.linspace(0, 1, 9)
    ends = [trail(take, Point("Hips"), times).position for take in takes]
    assert np.array_equal(*ends)


def test_changing_an_unknown_footplant_and_removing_the_only_one_are_refused(client):
    wrong = m.AcceptFootplants(*AT, point=m.PointRef("Hips"), was=0.1, without=True)
    assert "Hips" in client.request(m.ApplyChange(wrong), m.Failure)[0].text
    assert "nobody" in client.request(m.RequestFootplants("nobody", "walk"), m.Failure)[0].text


def test_heels_are_found_with_toes_and_beside_toes_that_are_noted():
    bare = replace(read("biped:jump"), constraints=())
    toes = accept_all(bare, "biped", "jump", heels=False).apply(bare)
    assert len(toes.contacts) == 4
    for scene, count in ((bare, 8), (toes, 4)):
        assert len(detect_footplants(scene, "biped", "jump", heels=True)) == count
