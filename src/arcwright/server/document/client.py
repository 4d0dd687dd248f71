"""A window on the document: what it shows, and what still has to be sent to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import partial
from threading import Lock

import numpy as np

from arcwright.arrays import Bools
from arcwright.server import messages as m
from arcwright.server.messages.encoding import encode
from arcwright.server.transport.access import Role

MOST_WAITING = 64 << 20  # bytes; a window further behind is let go and comes back anew

TakeKey = tuple[str, str]  # character, take
Soon = Callable[[Callable[[], None]], object]  # has something called on an event loop


def at_once(act: Callable[[], None]) -> None:
    """Stands for an event loop where there is none."""
    act()


class Window:
    """Messages may come from any thread; `wake` is called, by `soon`, when there are some to send.

    It is not called again before all that waited was taken.
    """

    def __init__(self, number: int, wake: Callable[[], None], soon: Soon = at_once) -> None:
        self.number = number
        self.role: Role = "edit"
        self.shown = m.Subscribe("", "", [])
        self.drawn: list[tuple[TakeKey, m.PointRef]] = []  # the points it shows that are there
        self.keyed: set[TakeKey] = set()  # takes whose keys it knows
        self.posed: dict[TakeKey, Bools] = {}  # frames whose poses it knows
        self.lost = False
        self.turn = 0  # when it was heard last, counted by `Waiting`
        self.wake, self.soon = wake, soon
        self._waiting: dict[Hashable, bytes] = {}
        self._size = 0
        self._count = 0
        self._lock = Lock()

    def tell(self, data: bytes, topic: Hashable | None = None) -> None:
        """Send a message; one that waits and has the same topic is superseded."""
        if self.put(data, topic):
            wake([self])

    def put(self, data: bytes, topic: Hashable | None = None) -> bool:
        """Have a message wait to be sent; whether the window has to be woken for it."""
        with self._lock:
            if self.lost:
                return False
            idle = not self._waiting
            self._count += 1
            key = ("one", self._count) if topic is None else topic
            self._size += len(data) - len(self._waiting.pop(key, b""))
            self._waiting[key] = data
            if self._size > MOST_WAITING:
                self.lost = True
                self._waiting.clear()
            return idle or self.lost

    def say(self, message: m.ServerMessage) -> None:
        """Send a message that has no numbers."""
        self.tell(encode(message))

    def next(self) -> bytes | None:
        """The next message to be sent."""
        with self._lock:
            if not self._waiting:
                return None
            data = self._waiting.pop(next(iter(self._waiting)))
            self._size -= len(data)
            return data

    def forget(self) -> None:
        """Another document, of which it knows nothing."""
        self.shown = m.Subscribe("", "", [])
        self.drawn = []
        self.keyed.clear()
        self.posed.clear()

    def knows_poses(self, key: TakeKey, first: int, last: int) -> None:
        """It was told the poses of these frames, and hears of them again when they change."""
        known = self.posed.get(key, np.zeros(0, bool))
        if len(known) <= last:
            known = np.append(known, np.zeros(last + 1 - len(known), bool))
        known[first : last + 1] = True
        self.posed[key] = known

    def plays(self, key: TakeKey) -> bool:
        """Whether a take is to be seen in it: the shown one, or one of another character."""
        return key[1] == self.shown.take or key[0] != self.shown.character


def wake(windows: Iterable[Window]) -> None:
    """Have windows send what waits.

    One call for all windows of an event loop: each call may cost the caller a switch of threads.
    """
    loops: dict[Soon, list[Window]] = {}
    for window in windows:
        loops.setdefault(window.soon, []).append(window)
    for soon, group in loops.items():
        with suppress(RuntimeError):  # the loop has ended, and nobody listens any more
            soon(partial(_wake_each, group))


def _wake_each(windows: Iterable[Window]) -> None:
    for window in windows:
        window.wake()
