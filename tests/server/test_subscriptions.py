"""Many clients of one document: each receives what it shows, the dragging one first."""

import gc
import weakref

import numpy as np
import pytest

from arcwright.edits.takes import fit_take
from arcwright.server import messages as m
from arcwright.server.document import array_messages
from arcwright.server.interactions import preview_stream
from builders import arm_scene
from local_clients import (
    BEGIN,
    HIPS,
    REQUEST_FRAMES,
    REQUEST_KEYS,
    SUBSCRIBE,
    LocalClient,
    kinds,
    lift,
    worker_with,
)
from pages import Page


def messages_of(received, kind):
    return [message for message, _ in received if isinstance(message, kind)]


def sync_all(*clients):
    return [client.sync() for client in clients]


def settled(*clients):
    """What clients receive until observers have all of it."""
    received = [[] for _ in clients]
    while True:
        both = sync_all(*clients)
        pending = any(
            interaction.previews.observers_behind or interaction.previews.poses_deferred
            for interaction in clients[0].worker.interactions._active.values()
        )
        for own, new in zip(received, both, strict=True):
            own += new
        if not pending:
            for own, new in zip(received, sync_all(*clients), strict=True):
                own += new
            return received


def test_a_client_receives_only_what_it_has_requested(worker):
    drags, watches, plain = LocalClient(worker), LocalClient(worker), LocalClient(worker)
    drags.send(REQUEST_FRAMES, REQUEST_KEYS)
    watches.send(REQUEST_FRAMES)
    sync_all(drags, watches, plain)
    drags.send(BEGIN, lift(drags, 0.02))
    own, other, none = settled(drags, watches, plain)
    assert {"Preview", "Frames", "Keys"} == set(kinds(own))
    assert {"Preview", "Frames"} == set(kinds(other))
    assert {"Preview"} == set(kinds(none))
    drags.send(m.CommitInteraction(1))
    own, other, none = sync_all(drags, watches, plain)
    assert {"Frames", "Keys", "Document", "InteractionEnded"} == set(kinds(own))
    assert {"Frames", "Document", "InteractionEnded"} == set(kinds(other))
    assert {"Document", "InteractionEnded"} == set(kinds(none))


def test_a_client_that_shows_another_take_gets_no_previews_until_it_shows_this_one():
    with worker_with("biped", idle=False) as worker:
        drags, watches = LocalClient(worker), LocalClient(worker)
        watches.send(REQUEST_FRAMES, REQUEST_KEYS, m.Subscribe("biped", "jump", []))
        sync_all(drags, watches)
        drags.send(BEGIN, lift(drags, 0.02))
        _, received = settled(drags, watches)
        assert kinds(received) == ["Preview"]
        watches.send(m.Subscribe("biped", "walk", []))
        _, received = settled(drags, watches)
        assert {each.preview_of for each in messages_of(received, m.Frames)} == {1}
        drags.send(m.CancelInteraction(1), lift(drags, 0.02))
        drags.sync()


def test_what_many_clients_show_is_encoded_once(worker, monkeypatch):
    counts = {}

    def counted(name):
        made = getattr(array_messages, name)

        def count(*given, **more):
            counts[name] = counts.get(name, 0) + 1
            return made(*given, **more)

        return count

    clients = [LocalClient(worker) for _ in range(6)]
    for client in clients:
        client.send(SUBSCRIBE, REQUEST_FRAMES, REQUEST_KEYS)
    sync_all(*clients)
    for name in ("frames", "keys", "curve"):
        monkeypatch.setattr(array_messages, name, counted(name))
    clients[0].send(BEGIN, lift(clients[0], 0.02))
    sync_all(*clients)
    assert counts == {"frames": 1, "keys": 1, "curve": 2}
    counts.clear()
    clients[0].send(m.CommitInteraction(1))
    received = sync_all(*clients)
    assert counts == {"frames": 1, "keys": 1, "curve": 2}
    assert all(kinds(each) == kinds(received[0]) for each in received)


def test_the_dragging_client_gets_every_preview_and_observers_the_last(worker, monkeypatch):
    monkeypatch.setattr(
        preview_stream, "OBSERVER_INTERVAL", 60.0
    )  # s; only what is sent late reaches them
    monkeypatch.setattr(preview_stream, "MAX_OBSERVER_INTERVAL", 60.0)
    drags, watches = LocalClient(worker), LocalClient(worker)
    drags.send(BEGIN, REQUEST_FRAMES)
    watches.send(REQUEST_FRAMES)
    sync_all(drags, watches)
    answers, seen = 0, []
    for step in range(1, 6):
        drags.send(lift(drags, 0.004 * step))
        own, other = sync_all(drags, watches)
        answers += len(messages_of(own, m.Preview))
        seen += messages_of(other, m.Preview)
    assert answers == 5
    assert len(seen) == 1
    interaction = worker.interactions._active[1]
    assert interaction.previews.observers_behind
    interaction.previews.observers_due = 0.0
    last = messages_of(drags.received, m.Preview)[-1]
    (received,) = settled(watches)
    assert messages_of(received, m.Preview)[-1].drag == last.drag
    ((message, arrays),) = [each for each in received if isinstance(each[0], m.Frames)]
    own = [each for each in drags.received if isinstance(each[0], m.Frames)][-1]
    np.testing.assert_array_equal(arrays["poses"], own[1]["poses"])
    assert message.preview_of == 1


def test_points_without_a_character_belong_to_the_one_the_client_shows():
    from arcwright import read
    from arcwright.edits.actors import add_scene

    scene = read("biped:walk")
    scene = add_scene(scene, read("biped:walk")).apply(scene)
    names = [each.name for each in scene.characters]
    with worker_with(scene, idle=False) as worker:
        clients = [LocalClient(worker), LocalClient(worker)]
        for client, name in zip(clients, names, strict=True):
            client.send(m.Subscribe(name, "walk", [HIPS]))
        for received, name in zip(sync_all(*clients), names, strict=True):
            assert [each.character for each in messages_of(received, m.Curve)] == [name]
        clients[0].send(
            m.BeginInteraction(1, "tangent", names[0], "walk", {}), lift(clients[0], 0.02)
        )
        received, other = settled(*clients)
        assert {each.character for each in messages_of(received, m.Curve)} == {names[0]}
        assert messages_of(other, m.Curve) == []


def test_a_curve_of_another_take_is_sent_whole_when_the_shown_take_is_gone():
    with worker_with("biped", idle=False) as worker:
        stays, falls = LocalClient(worker), LocalClient(worker)
        first = worker.opened.document.scene.actor("biped").takes[0].name
        stays.send(m.Subscribe("biped", first, [HIPS]))
        falls.send(m.Subscribe("biped", "jump", [HIPS]))
        sync_all(stays, falls)
        stays.send(m.ApplyChange(m.RemoveTake("biped", "jump")))
        own, other = sync_all(stays, falls)
        assert messages_of(own, m.Curve) == []
        (curve,) = messages_of(other, m.Curve)
        assert (curve.take, curve.first) == (first, 0)
        assert curve.arrays[0].shape == [curve.total]


def test_a_take_that_comes_again_has_no_keys_of_the_one_that_went():
    with worker_with("biped", idle=False) as worker:
        client = LocalClient(worker)
        client.send(
            m.ApplyChange(m.CopyTake("biped", "stand", "again")), m.RequestKeys("biped", "again")
        )
        client.send(
            m.ApplyChange(m.RemoveTake("biped", "again")),
            m.ApplyChange(m.CopyTake("biped", "walk", "again")),
        )
        client.sync()
        curves = worker.opened.document.scene.actor("biped").take("walk").base.curves
        keyed = {channel for channel, curve in enumerate(curves) if curve is not None}
        assert set(Page(client.received).keys["biped", "again"]) == keyed


def test_samples_that_come_back_by_undo_have_no_keys():
    scene = arm_scene()
    with worker_with(scene, idle=False) as worker:
        client = LocalClient(worker)
        client.worker.post(lambda: worker.opened.apply(fit_take(scene, "arm", "recorded", 0.01)))
        client.send(m.RequestKeys("arm", "recorded"))
        client.sync()
        assert Page(client.received).keys["arm", "recorded"]
        client.send(m.Undo())
        received = client.sync()
        assert messages_of(received, m.Failure) == []
        assert Page(client.received).keys["arm", "recorded"] == {}


def test_requested_frames_are_sent_when_the_take_grows(worker):
    client = LocalClient(worker)
    client.send(REQUEST_FRAMES)
    client.sync()
    before = len(Page(client.received).poses["biped", "walk"])
    client.send(m.ApplyChange(m.SetTiming("biped", "walk", 24.0, 2.0, False)))
    client.sync()
    assert len(Page(client.received).poses["biped", "walk"]) == 2 * (before - 1) + 1


@pytest.mark.parametrize("first", [30, 10**15])
def test_frames_beyond_the_end_are_none_and_cost_nothing(worker, first):
    client = LocalClient(worker)
    client.send(m.RequestFrames("biped", "walk", first, first + 10))
    assert client.sync() == []
    assert client.client.known_poses == {}


@pytest.mark.parametrize("clients", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_disconnected_clients_leave_nothing_behind(worker, clients):
    stays = LocalClient(worker)
    stays.send(SUBSCRIBE)
    gone = []
    for number in range(clients):
        joined = worker.join(lambda: None)
        worker.receive(joined, m.Subscribe("biped", "walk", [m.PointRef("Head"), HIPS]))
        worker.receive(joined, REQUEST_FRAMES)
        worker.receive(joined, REQUEST_KEYS)
        if number % 50 == 0:
            worker.receive(joined, m.BeginInteraction(100 + number, "tangent", "biped", "walk", {}))
            worker.receive(joined, lift(stays, 0.02, interaction=100 + number))
        worker.leave(joined)
        gone.append(weakref.ref(joined))
        del joined
        stays.sync()
        stays.received.clear()
    gc.collect()
    assert worker.opened.subscriptions.clients == [stays.client]
    assert worker.interactions._active == {}
    assert worker.interactions._cancelled == set()
    assert {key: set(group) for key, group in worker.opened.subscriptions.curves.items()} == {
        ("biped", "walk"): {HIPS, m.PointRef("LeftHand")}
    }
    assert sum(each() is not None for each in gone) <= 1  # the queue may still hold the last one
