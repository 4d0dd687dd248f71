"""A window that lags: previews are superseded, the rest waits, and never without end."""

from arcwright.server import window as rooms
from arcwright.server.window import Window


def sent(window):
    return [*iter(window.next, None)]


def test_messages_are_sent_in_order_and_wake_the_sender():
    woken = []
    window = Window(1, lambda: woken.append(True))
    for data in (b"a", b"b", b"a"):
        window.tell(data)
    assert sent(window) == [b"a", b"b", b"a"]
    assert len(woken) == 3


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
