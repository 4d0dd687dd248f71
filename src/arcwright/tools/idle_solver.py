"""Idle solve: a background thread computes the result of interactions that rest."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Generic, NamedTuple, TypeVar

from arcwright.errors import ArcwrightError
from arcwright.scene.edit import Edit
from arcwright.tools.interaction import Interaction
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import Note, Offer, Offers, Reviews, Session

log = logging.getLogger("arcwright.studio")
_I = TypeVar("_I", bound=Interaction)


class IdleResult(NamedTuple):
    """What committing an interaction would give."""

    notes: tuple[Note, ...]
    offer: Offer | None
    edit: Edit
    overlays: tuple[Overlay, ...] | None = None  # where they are not those of the last preview


class _Request(NamedTuple, Generic[_I]):
    interaction: _I
    updated: float  # s, as it was when the request was made
    session: Session  # a fork: the interaction goes on with its own


class IdleSolver(Generic[_I]):
    """Solves resting interactions one after the other, each as it stood last."""

    def __init__(self, on_result: Callable[[_I, float, IdleResult], None]) -> None:
        self._on_result = on_result
        self._requests: SimpleQueue[_Request[_I] | None] = SimpleQueue()
        self._last: tuple[_Request[_I], Future[Edit]] | None = None
        self._thread = Thread(target=self._run, name="idle solver", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread once the current solve is done."""
        self._requests.put(None)
        self._thread.join()

    def solve(self, interaction: _I) -> None:
        """Solve an interaction as it stands now."""
        fork = interaction.session.fork()
        self._requests.put(_Request(interaction, interaction.updated, fork))

    def edit_of(self, interaction: _I) -> Edit | None:
        """The edit that committing gives, if it was or is being solved: not done twice."""
        last = self._last  # once: the other thread may go on to the next meanwhile
        if last is None:
            return None
        request, edit = last
        if request.interaction is not interaction or request.updated != interaction.updated:
            return None
        return edit.result() if edit.exception() is None else None

    def _run(self) -> None:
        waiting: dict[int, _Request[_I]] = {}
        while True:
            while not waiting or not self._requests.empty():
                request = self._requests.get()
                if request is None:
                    return
                waiting[id(request.interaction)] = request
            request = waiting.pop(next(iter(waiting)))
            if request.interaction.updated == request.updated:
                self._solve(request)

    def _solve(self, request: _Request[_I]) -> None:
        edit: Future[Edit] = Future()
        self._last = request, edit
        try:
            _finish(request.session, edit)
            session = request.session
            overlays = session.result_overlays() if isinstance(session, Reviews) else None
            result = IdleResult(*notes_and_offer(session), edit.result(), overlays)
            self._on_result(request.interaction, request.updated, result)
        except Exception:
            log.exception("idle solve")


def notes_and_offer(session: Session) -> tuple[tuple[Note, ...], Offer | None]:
    """What committing would leave undone and what blocks it; what an extra key would gain."""
    notes = session.notes()
    try:
        return notes, session.offer() if notes and isinstance(session, Offers) else None
    except ArcwrightError as error:  # no key can be added there
        log.info("no offer: %s", error)
        return notes, None


def _finish(session: Session, edit: Future[Edit]) -> None:
    """Finish a session; the future gets its edit, or the error."""
    try:
        edit.set_result(session.finish())
    except Exception as error:
        edit.set_exception(error)
