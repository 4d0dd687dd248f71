"""Requests for the footplants of a take, answered from a thread of their own."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from arcwright.edits.edited_take import find_take
from arcwright.edits.footplants import detect_footplants
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.subscriptions import Client
from arcwright.server.messages.encoding import point_ref

log = logging.getLogger("arcwright.studio")


class FootplantRequests:
    """Only the last request of each client counts.

    Footplants of a scene that has changed meanwhile are not sent: its clients ask again.
    """

    def __init__(self, opened: OpenDocument, post: Post) -> None:
        self._opened = opened
        self._post = post
        self._latest: dict[int, m.RequestFootplants] = {}  # by client
        self._pool = ThreadPoolExecutor(1, "footplants")

    def request(self, client: Client, request: m.RequestFootplants) -> None:
        """Detect footplants; the client is sent them when they are found."""
        scene = self._opened.scene
        find_take(scene, request.character, request.take)  # or an error that names what there is
        self._latest[client.number] = request
        self._pool.submit(self._detect, client, request, scene)

    def close(self) -> None:
        """Stop detecting."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _detect(self, client: Client, request: m.RequestFootplants, scene: Scene) -> None:
        if self._latest.get(client.number) is not request:
            return
        character, take, heels = request.character, request.take, request.include_heels
        try:
            found = detect_footplants(scene, character, take, heels=heels)
        except Exception:
            log.exception("footplants")
            return
        infos = [
            m.FootplantInfo(point_ref(each.point, character), each.start, each.end)
            for each in found
        ]
        answer = m.Footplants(character=character, take=take, footplants=infos)

        def send() -> None:
            current = self._opened.scene is scene
            if current and self._latest.get(client.number) is request:
                client.send(answer)

        self._post(send)
