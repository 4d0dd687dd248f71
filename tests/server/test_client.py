"""A client that lags: previews are superseded, the rest waits, and never without end."""

from functools import partial

from arcwright.server.document import subscriptions
from arcwright.server.document.subscriptions import Client, Delivery, deliver


def sent(client):
    return [*iter(client.next_message, None)]


def test_messages_are_sent_in_order_and_wake_the_sender_once():
    woken = []
    client = Client(1, lambda: woken.append(True))
    for data in (b"a", b"b", b"a"):
        client.send_data(data)
    assert len(woken) == 1
    assert sent(client) == [b"a", b"b", b"a"]
    client.send_data(b"c")
    assert len(woken) == 2


def test_what_comes_while_something_is_being_sent_wakes_the_sender_again():
    woken = []
    client = Client(1, lambda: woken.append(True))
    client.send_data(b"a")
    assert client.next_message() == b"a"
    client.send_data(b"b")
    assert len(woken) == 2
    assert sent(client) == [b"b"]


def test_clients_of_one_event_loop_are_woken_by_one_call():
    calls = []

    class Loop:
        def call_soon(self, act):
            calls.append(act)
            act()

    one, other, woken = Loop(), Loop(), []
    clients = [
        Client(i, partial(woken.append, i), loop.call_soon)
        for i, loop in enumerate((one, one, other))
    ]
    deliver([Delivery(clients, b"a"), Delivery(clients[:2], b"b")])
    assert sorted(woken) == [0, 1, 2]
    assert len(calls) == 2
    assert [sent(each) for each in clients] == [[b"a", b"b"], [b"a", b"b"], [b"a"]]


def test_a_loop_that_has_ended_is_not_woken():
    def ended(_):
        raise RuntimeError("Event loop is closed")

    client = Client(1, lambda: None, ended)
    client.send_data(b"a")
    assert sent(client) == [b"a"]


def test_of_previews_only_the_last_one_waits():
    client = Client(1, lambda: None)
    client.send_data(b"still")
    for data in (b"one", b"two", b"three"):
        client.send_data(data, ("preview", 1))
    client.send_data(b"end")
    assert sent(client) == [b"still", b"three", b"end"]


def test_a_client_far_behind_is_disconnected(monkeypatch):
    monkeypatch.setattr(subscriptions, "MAX_QUEUED", 1000)
    client = Client(1, lambda: None)
    for _ in range(100):
        client.send_data(bytes(900), "preview")
    assert not client.too_slow
    client.send_data(bytes(200))
    assert client.too_slow
    assert sent(client) == []
