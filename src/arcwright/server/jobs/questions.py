"""Questions: requests about a scene that are answered from a thread of their own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from arcwright.edits.edited_take import find_take
from arcwright.errors import ArcwrightError
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document.activities import proposed_events
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.overlays import overlay_info
from arcwright.server.document.subscriptions import Client
from arcwright.tools.catalogue import tool
from arcwright.tools.options import options_from
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import DrawsAtRest

log = logging.getLogger("arcwright.studio")


class Question(NamedTuple):
    """How one kind of request is answered."""

    check: Callable[[Scene, Any], object]  # raises at once where it cannot be
    answer: Callable[[Scene, Any], Any]  # on a thread; an `ArcwrightError` becomes a problem
    without: Callable[[Any, str], Any]  # the answer where there is only a problem to tell


class Questions:
    """Only the last request of a client and kind counts, and only while the scene is the same."""

    def __init__(self, opened: OpenDocument, post: Post) -> None:
        self._opened = opened
        self._post = post
        self._latest: dict[tuple[int, type[Any]], Any] = {}  # by client and kind
        self._pools = {kind: ThreadPoolExecutor(1, kind.__name__) for kind in QUESTIONS}

    def request(self, client: Client, request: Any) -> None:
        """Look for the answer; the client is sent it when it is found."""
        scene, kind = self._opened.scene, type(request)
        QUESTIONS[kind].check(scene, request)
        self._latest[client.number, kind] = request
        self._pools[kind].submit(self._answer, client, request, scene)

    def close(self) -> None:
        """Stop."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _answer(self, client: Client, request: Any, scene: Scene) -> None:
        place = client.number, type(request)
        if self._latest.get(place) is not request:
            return
        question = QUESTIONS[type(request)]
        try:
            answer = question.answer(scene, request)
        except ArcwrightError as error:
            answer = question.without(request, str(error))
        except Exception:
            log.exception("answer to %s", request)
            answer = question.without(request, "That failed because of an internal error.")

        def send() -> None:
            if self._opened.scene is scene and self._latest.get(place) is request:
                client.send(answer)

        self._post(send)


def _rest_overlays(scene: Scene, request: m.RequestRestOverlays) -> m.RestOverlays:
    chosen = tool(request.tool)
    options = options_from(chosen.Options, request.options)
    target = Target(request.character, request.take, time=request.time)
    session = chosen.begin(scene, target, options)
    drawn = session.rest_overlays() if isinstance(session, DrawsAtRest) else ()
    return _overlays(request, "", drawn)


def _overlays(
    request: m.RequestRestOverlays, problem: str, drawn: tuple[Overlay, ...] = ()
) -> m.RestOverlays:
    return m.RestOverlays(
        tool=request.tool,
        character=request.character,
        take=request.take,
        overlays=[overlay_info(each) for each in drawn],
        problem=problem,
    )


def _no_events(request: m.RequestProposedEvents, problem: str) -> m.ProposedEvents:
    return m.ProposedEvents(
        character=request.character,
        take=request.take,
        objects=[],
        effectors=[],
        events=[],
        problem=problem,
    )


QUESTIONS: Mapping[type[Any], Question] = {
    m.RequestRestOverlays: Question(
        lambda _, request: tool(request.tool), _rest_overlays, _overlays
    ),
    m.RequestProposedEvents: Question(
        lambda scene, request: find_take(scene, request.character, request.take),
        lambda scene, request: proposed_events(scene, request.character, request.take),
        _no_events,
    ),
}
