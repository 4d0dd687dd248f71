"""Mull: a second thread that finds out where a resting hand leads while the first goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any

from arcwright.scene.edit import Edit
from arcwright.server.hands import ToolHand, thoughts
from arcwright.tools.tool import Session

log = logging.getLogger("arcwright.studio")


_Rest = tuple[ToolHand, float, Session]  # when it moved last, and where it stands


class Mull:
    """Hands that rest are thought about one after the other, each as it stood last."""

    def __init__(self, found: Callable[[ToolHand, float, Any], None]) -> None:
        self._found = found
        self._asked: SimpleQueue[_Rest | None] = SimpleQueue()
        self._under_way: tuple[ToolHand, float, Future[Edit]] | None = None
        self._thread = Thread(target=self._run, name="mull", daemon=True)

    def start(self) -> None:
        """Begin to think."""
        self._thread.start()

    def stop(self) -> None:
        """End, when the last thought is done."""
        self._asked.put(None)
        self._thread.join()

    def over(self, hand: ToolHand) -> None:
        """Think about a hand as it stands now: by a session of its own, since the hand goes on."""
        self._asked.put((hand, hand.moved, hand.session.aside()))

    def ending(self, hand: ToolHand) -> Edit | None:
        """What letting go gives, if just that is being worked out: waited for, not done twice."""
        if self._under_way is None:
            return None
        other, moved, ending = self._under_way
        if other is not hand or moved != hand.moved or ending.exception() is not None:
            return None
        return ending.result()

    def _run(self) -> None:
        waiting: dict[int, _Rest] = {}
        while True:
            while not waiting or not self._asked.empty():
                rest = self._asked.get()
                if rest is None:
                    return
                waiting[rest[0].number] = rest
            hand, moved, session = waiting.pop(next(iter(waiting)))
            if hand.moved != moved:
                continue
            ending: Future[Edit] = Future()
            self._under_way = hand, moved, ending
            try:
                _finish(session, ending)
                self._found(hand, moved, (*thoughts(session), ending.result()))
            except Exception:
                log.exception("notes")
            self._under_way = None


def _finish(session: Session, ending: Future[Edit]) -> None:
    """Work out what letting go gives; who waits for it hears of it, or that it failed."""
    try:
        ending.set_result(session.finish())
    except Exception as error:
        ending.set_exception(error)
