"""Mull: a second thread that finds out what is in the way of a hand while the first goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any

from arcwright.server.hands import ToolHand

log = logging.getLogger("arcwright.studio")


class Mull:
    """Of hands that wait to be thought about, only the last one is."""

    def __init__(self, found: Callable[[ToolHand, float, Any], None]) -> None:
        self._found = found
        self._asked: SimpleQueue[ToolHand | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="mull", daemon=True)

    def start(self) -> None:
        """Begin to think."""
        self._thread.start()

    def stop(self) -> None:
        """End, when the last thought is done."""
        self._asked.put(None)
        self._thread.join()

    def over(self, hand: ToolHand) -> None:
        """Think about a hand."""
        self._asked.put(hand)

    def _run(self) -> None:
        while True:
            hand = self._asked.get()
            while hand is not None and not self._asked.empty():
                hand = self._asked.get()
            if hand is None:
                return
            moved = hand.moved
            try:
                self._found(hand, moved, hand.thoughts())
            except Exception:
                log.exception("notes")
