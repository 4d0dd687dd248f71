"""The line of messages before the desk: a move that waits is replaced by the next one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count
from threading import Condition

from arcwright.server import messages as m
from arcwright.server.document.client import Window

MOST = 4000  # messages that may wait; more than that no person says

Word = m.ClientMessage | Callable[[], None]


@dataclass(frozen=True, eq=False)
class Said:
    """What a window has said, or something that the desk has to do."""

    word: Word
    window: Window | None = None


class Waiting:
    """First come, first served; but of words that supersede each other only the last one waits.

    A word never passes one that changes the document or ends a hand, nor one of its own window.
    Otherwise windows take turns: where the desk cannot keep up, each is heard as often as others.
    """

    def __init__(self) -> None:
        self._line: list[tuple[Hashable | None, Said]] = []  # with what each is about
        self._changed = Condition()
        self._turns = count(1)

    def put(self, said: Said) -> bool:
        """Stand in line; False when too many wait."""
        topic = _topic(said)
        with self._changed:
            older = self._superseded(topic)
            if older is not None:
                del self._line[older]
            elif len(self._line) >= MOST and said.window is not None:
                return False
            self._line.append((topic, said))
            self._changed.notify()
            return True

    def take(self, patience: float | None = None) -> Said | None:
        """The next in line, or None when nobody came for `patience` seconds."""
        with self._changed:
            if not self._line:
                self._changed.wait_for(lambda: self._line, patience)
            return self._line.pop(self._next())[1] if self._line else None

    def __len__(self) -> int:
        return len(self._line)

    def _next(self) -> int:
        """The first word of the window that has waited longest for its turn."""
        best, chosen, least = 0, None, float("inf")
        for place, (topic, said) in enumerate(self._line):
            if topic is None or said.window is None:
                break
            if said.window.turn < least:
                best, chosen, least = place, said.window, said.window.turn
        if chosen is not None:
            chosen.turn = next(self._turns)
        return best

    def _superseded(self, topic: Hashable | None) -> int | None:
        if topic is None:
            return None
        for place in range(len(self._line) - 1, -1, -1):
            other = self._line[place][0]
            if other is None:
                return None
            if other == topic:
                return place
        return None


def _topic(said: Said) -> Hashable | None:
    """What a word is about, for words that may be superseded; None for all others."""
    number = said.window.number if said.window is not None else 0
    match said.word:
        case m.UpdateInteraction(hand, point, time):
            return "move", number, hand, point.joint, point.offset, point.character, time
        case m.PreviewChange(hand):
            return "slide", number, hand
        case m.SetOptions(hand):
            return "tune", number, hand
        case m.Subscribe():
            return "show", number
        case m.RequestFrames(character, take, first, last, bare):
            return "frames", number, character, take, first, last, bare
        case m.RequestKeys(character, take):
            return "keys", number, character, take
        case m.RequestFootplants():
            return "plants", number
        case _:
            return None
