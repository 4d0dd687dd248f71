"""Mull: a second thread that finds out where a resting hand leads while the first goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any

from arcwright.scene.edit import Edit
from arcwright.server.interactions.interaction import ToolHand, thoughts
from arcwright.tools.tool import Session

log = logging.getLogger("arcwright.studio")


_Rest = tuple[ToolHand, float, Session]  # when it moved last, and where it stands


class Mull:
    """Hands that rest are thought about one after the other, each as it stood last."""

    def __init__(self, found: Callable[[ToolHand, float, Any], None]) -> None:
        self._found = found
        self._asked: SimpleQueue[_Rest | None] = SimpleQueue()
        self._last: tuple[ToolHand, float, Future[Edit]] | None = None  # that was thought about
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
        """What letting go gives, if just that was or is being worked out: not done twice."""
        last = self._last  # once: the other thread may go on to the next hand meanwhile
        if last is None or last[0] is not hand or last[1] != hand.moved:
            return None
        ending = last[2]
        return ending.result() if ending.exception() is None else None

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
            self._last = hand, moved, ending
            try:
                _finish(session, ending)
                self._found(hand, moved, (*thoughts(session), ending.result()))
            except Exception:
                log.exception("notes")


def _finish(session: Session, ending: Future[Edit]) -> None:
    """Work out what letting go gives; who waits for it hears of it, or that it failed."""
    try:
        ending.set_result(session.finish())
    except Exception as error:
        ending.set_exception(error)
