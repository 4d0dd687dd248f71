"""Requests for how many key poses a take needs, while a client chooses a tolerance."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from arcwright.edits.edited_take import find_take
from arcwright.edits.takes import fit_take
from arcwright.errors import ArcwrightError
from arcwright.kinematics.reduction import Progress, Reduction, check_tolerance
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.subscriptions import Client

log = logging.getLogger("arcwright.studio")

PROGRESS_INTERVAL = 0.2  # s between two reports of progress


class _Cancelled(Exception):
    """No client waits for this any more."""


class Reductions:
    """Prepares a take on a thread of its own; only the last request of each client counts."""

    def __init__(self, opened: OpenDocument, post: Post) -> None:
        self._opened = opened
        self._post = post
        self._latest: dict[int, tuple[m.RequestReduction, Take]] = {}  # by client
        self._last: Reduction | None = None
        self._pool = ThreadPoolExecutor(1, "reductions")

    def request(self, client: Client, request: m.RequestReduction) -> None:
        """Count key poses; the client is sent the count when it is known."""
        take = find_take(self._opened.scene, request.character, request.take).take
        check_tolerance(request.tolerance)
        self._latest[client.number] = request, take
        self._pool.submit(self._count, client, request, take)

    def cancel(self, client: Client) -> None:
        """The client no longer wants an answer."""
        self._latest.pop(client.number, None)

    def close(self) -> None:
        """Stop counting."""
        self._latest.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def prepared(self, take: Take) -> Reduction | None:
        """The reduction of a take, if it was the last one prepared."""
        last = self._last
        return last if last is not None and last.take is take else None

    def edit(self, scene: Scene, change: m.FitTake, progress: Progress) -> Edit:
        """The edit that reduces a take; quick where the last request prepared it."""
        take = find_take(scene, change.character, change.take).take
        reduction = self.prepared(take) or Reduction(take, progress=progress)
        about = change.character, change.take, change.tolerance, change.poses
        return fit_take(scene, *about, reduction=reduction)

    def _count(self, client: Client, request: m.RequestReduction, take: Take) -> None:
        if self._latest.get(client.number, (None,))[0] is not request:
            return
        try:
            reduction = self.prepared(take) or self._prepare(client, take)
            self._last = reduction
            if self._latest.get(client.number, (None,))[0] is not request:
                return
            info = _info(request, 1.0)
            info.key_poses = reduction.key_poses(request.tolerance, request.poses)
            info.error = request.tolerance  # per channel, keys are taken out while there is room
            if request.poses == "aligned":
                info.error = reduction.at(request.tolerance).error
        except _Cancelled:
            return
        except ArcwrightError as error:
            client.send(m.Failure(text=str(error)))
            return
        except Exception:
            log.exception("reduction")
            client.send(m.Failure(text="The key poses could not be counted."))
            return
        self._send(client, request, info)

    def _prepare(self, client: Client, take: Take) -> Reduction:
        last = monotonic()

        def progress(share: float) -> None:
            nonlocal last
            now = self._latest.get(client.number)
            if client.too_slow or now is None or now[1] is not take:
                raise _Cancelled
            if monotonic() - last > PROGRESS_INTERVAL:
                last = monotonic()
                self._send(client, now[0], _info(now[0], min(share, 0.99)))

        return Reduction(take, progress=progress)

    def _send(self, client: Client, request: m.RequestReduction, info: m.ReductionInfo) -> None:
        def send() -> None:
            if self._latest.get(client.number, (None,))[0] is request:
                client.send(info)

        self._post(send)


def _info(request: m.RequestReduction, share: float) -> m.ReductionInfo:
    return m.ReductionInfo(
        character=request.character,
        take=request.take,
        tolerance=request.tolerance,
        poses=request.poses,
        share=share,
    )
