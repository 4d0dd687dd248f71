"""Reductions: how many key poses a take would need, while a window chooses a tolerance."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from arcwright.edits.held import hold
from arcwright.edits.takes import fit_take
from arcwright.errors import ArcwrightError
from arcwright.kinematics.reduction import Progress, Reduction, check_tolerance
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document.client import Window

log = logging.getLogger("arcwright.studio")

EVERY = 0.2  # s between two words about progress


class _Cancelled(Exception):
    """Nobody waits for this any more."""


class Reductions:
    """Prepares a take on a thread of its own; of what a window asks, only the last counts."""

    def __init__(
        self, soon: Callable[[Callable[[], None]], None], scene: Callable[[], Scene]
    ) -> None:
        self._soon = soon
        self._scene = scene
        self._asked: dict[int, tuple[m.RequestReduction, Take]] = {}  # by window
        self._last: Reduction | None = None
        self._pool = ThreadPoolExecutor(1, "reductions")

    def ask(self, window: Window, ask: m.RequestReduction) -> None:
        """A window wants to know a count; the answer follows."""
        take = hold(self._scene(), ask.character, ask.take).take
        check_tolerance(ask.tolerance)
        self._asked[window.number] = ask, take
        self._pool.submit(self._count, window, ask, take)

    def cancel(self, window: Window) -> None:
        """A window wants to know no more."""
        self._asked.pop(window.number, None)

    def close(self) -> None:
        """Count no more."""
        self._asked.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def prepared(self, take: Take) -> Reduction | None:
        """The reduction of a take, if it was the last one asked about."""
        last = self._last
        return last if last is not None and last.take is take else None

    def edit(self, scene: Scene, change: m.FitTake, progress: Progress) -> Edit:
        """The edit that reduces a take, quick where a window has just asked about it."""
        take = hold(scene, change.character, change.take).take
        reduction = self.prepared(take) or Reduction(take, progress=progress)
        about = change.character, change.take, change.tolerance, change.poses
        return fit_take(scene, *about, reduction=reduction)

    def _count(self, window: Window, ask: m.RequestReduction, take: Take) -> None:
        if self._asked.get(window.number, (None,))[0] is not ask:
            return
        try:
            reduction = self.prepared(take) or self._prepare(window, take)
            self._last = reduction
            if self._asked.get(window.number, (None,))[0] is not ask:
                return
            found = reduction.at(ask.tolerance)
        except _Cancelled:
            return
        except ArcwrightError as error:
            window.say(m.Failure(text=str(error)))
            return
        except Exception:
            log.exception("reduction")
            window.say(m.Failure(text="The key poses could not be counted."))
            return
        info = _info(ask, 1.0)
        info.key_poses, info.error = found.key_poses, found.error
        if ask.poses == "per-channel":  # keys are taken out of these poses while there is room
            info.error = ask.tolerance
        self._tell(window, ask, info)

    def _prepare(self, window: Window, take: Take) -> Reduction:
        last = monotonic()

        def progress(share: float) -> None:
            nonlocal last
            now = self._asked.get(window.number)
            if window.lost or now is None or now[1] is not take:
                raise _Cancelled
            if monotonic() - last > EVERY:
                last = monotonic()
                self._tell(window, now[0], _info(now[0], min(share, 0.99)))

        return Reduction(take, progress=progress)

    def _tell(self, window: Window, ask: m.RequestReduction, info: m.ReductionInfo) -> None:
        def tell() -> None:
            if self._asked.get(window.number, (None,))[0] is ask:
                window.say(info)

        self._soon(tell)


def _info(ask: m.RequestReduction, share: float) -> m.ReductionInfo:
    return m.ReductionInfo(
        character=ask.character,
        take=ask.take,
        tolerance=ask.tolerance,
        poses=ask.poses,
        share=share,
    )
