"""Requests for what tools draw before a gesture, answered from a thread of their own."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from arcwright.errors import ArcwrightError
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.overlays import overlay_info
from arcwright.server.document.subscriptions import Client
from arcwright.tools.catalogue import tool
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import DrawsAtRest

log = logging.getLogger("arcwright.studio")


class RestOverlayRequests:
    """Only the last request of each client counts, and only while the scene is the same."""

    def __init__(self, opened: OpenDocument, post: Post) -> None:
        self._opened = opened
        self._post = post
        self._latest: dict[int, m.RequestRestOverlays] = {}  # by client
        self._pool = ThreadPoolExecutor(1, "rest overlays")

    def request(self, client: Client, request: m.RequestRestOverlays) -> None:
        """Begin a session of the tool; the client is sent what it draws."""
        tool(request.tool)  # or an error that names what there is
        self._latest[client.number] = request
        self._pool.submit(self._begin, client, request, self._opened.scene)

    def close(self) -> None:
        """Stop."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin(self, client: Client, request: m.RequestRestOverlays, scene: Scene) -> None:
        if self._latest.get(client.number) is not request:
            return
        drawn: tuple[Overlay, ...] = ()
        problem = ""
        try:
            drawn = _drawn(scene, request)
        except ArcwrightError as error:
            problem = str(error)
        except Exception:
            log.exception("overlays of %s", request.tool)
            problem = "That failed because of an internal error."
        answer = m.RestOverlays(
            tool=request.tool,
            character=request.character,
            take=request.take,
            overlays=[overlay_info(each) for each in drawn],
            problem=problem,
        )

        def send() -> None:
            current = self._opened.scene is scene
            if current and self._latest.get(client.number) is request:
                client.send(answer)

        self._post(send)


def _drawn(scene: Scene, request: m.RequestRestOverlays) -> tuple[Overlay, ...]:
    chosen = tool(request.tool)
    session = chosen.begin(scene, Target(request.character, request.take), chosen.Options())
    return session.rest_overlays() if isinstance(session, DrawsAtRest) else ()
