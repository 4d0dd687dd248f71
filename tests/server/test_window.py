"""A window that lags: previews are superseded, the rest waits, and never without end."""

from functools import partial

from arcwright.server.document import client as rooms
from arcwright.server.document.client import Window
from arcwright.server.document.subscriptions import Parcel, deliver


def sent(window):
    return [*iter(window.next, None)]


def test_messages_are_sent_in_order_and_wake_the_sender_once():
    woken = []
    window = Window(1, lambda: woken.append(True))
    for data in (b"a", b"b", b"a"):
        window.tell(data)
    assert len(woken) == 1
    assert sent(window) == [b"a", b"b", b"a"]
    window.tell(b"c")
    assert len(woken) == 2


def test_what_comes_while_something_is_being_sent_wakes_the_sender_again():
    woken = []
    window = Window(1, lambda: woken.append(True))
    window.tell(b"a")
    assert window.next() == b"a"
    window.tell(b"b")
    assert len(woken) == 2
    assert sent(window) == [b"b"]


def test_windows_of_one_event_loop_are_woken_by_one_call():
    calls = []

    class Loop:
        def soon(self, act):
            calls.append(act)
            act()

    one, other, woken = Loop(), Loop(), []
    windows = [
        Window(i, partial(woken.append, i), loop.soon) for i, loop in enumerate((one, one, other))
    ]
    deliver([Parcel(windows, b"a"), Parcel(windows[:2], b"b")])
    assert sorted(woken) == [0, 1, 2]
    assert len(calls) == 2
    assert [sent(each) for each in windows] == [[b"a", b"b"], [b"a", b"b"], [b"a"]]


def test_a_loop_that_has_ended_is_not_woken():
    def ended(_):
        raise RuntimeError("Event loop is closed")

    window = Window(1, lambda: None, ended)
    window.tell(b"a")
    assert sent(window) == [b"a"]


def test_of_previews_only_the_last_one_waits():
    window = Window(1, lambda: None)
    window.tell(b"still")
    for data in (b"one", b"two", b"three"):
        window.tell(data, ("preview", 1))
    window.tell(b"end")
    assert sent(window) == [b"still", b"three", b"end"]


def test_a_window_far_behind_is_let_go(monkeypatch):
    monkeypatch.setattr(rooms, "MOST_WAITING", 1000)
    window = Window(1, lambda: None)
    for _ in range(100):
        window.tell(bytes(900), "preview")
    assert not window.lost
    window.tell(bytes(200))
    assert window.lost
    assert sent(window) == []
