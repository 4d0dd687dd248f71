"""A window on the document: what it shows, and what still has to be sent to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock

from arcwright.server import messages as m
from arcwright.server.access import Role
from arcwright.server.wire import encode

MOST_WAITING = 64 << 20  # bytes; a window further behind is let go and comes back anew


class Window:
    """Messages may come from any thread; `wake` is called when there is something to send."""

    def __init__(self, number: int, wake: Callable[[], None]) -> None:
        self.number = number
        self.role: Role = "edit"
        self.shown = m.Show("", "", [])
        self.keyed: set[tuple[str, str]] = set()  # takes whose keys it knows
        self.lost = False
        self._wake = wake
        self._waiting: dict[Hashable, bytes] = {}
        self._size = 0
        self._count = 0
        self._lock = Lock()

    def tell(self, data: bytes, topic: Hashable | None = None) -> None:
        """Send a message; one that waits and has the same topic is superseded."""
        with self._lock:
            if self.lost:
                return
            self._count += 1
            key = ("one", self._count) if topic is None else topic
            self._size += len(data) - len(self._waiting.pop(key, b""))
            self._waiting[key] = data
            if self._size > MOST_WAITING:
                self.lost = True
                self._waiting.clear()
        self._wake()

    def say(self, message: m.Down) -> None:
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
