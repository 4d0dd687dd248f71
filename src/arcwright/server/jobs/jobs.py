"""Jobs: work of more than a moment, on a thread of its own while the document stays usable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from threading import Lock, Thread, Timer
from time import monotonic
from typing import TypeVar

from arcwright.errors import ArcwrightError
from arcwright.server import messages as m

log = logging.getLogger("arcwright.studio")

PATIENCE = 0.5  # s; what takes longer gets a bar
MOMENT = 1.0  # s
_T = TypeVar("_T")
Progress = Callable[[float], None]


class Jobs:
    """Starts work; `then` hands its result to the desk's thread, `tell` speaks to windows."""

    def __init__(
        self, tell: Callable[[m.ServerMessage], None], then: Callable[[Callable[[], None]], None]
    ):
        self._tell = tell
        self._then = then
        self._numbers = count(1)
        self._running: dict[int, _Running] = {}
        self._lock = Lock()

    def start(
        self,
        label: str,
        work: Callable[[Progress], _T],
        done: Callable[[_T], None],
        failed: Callable[[str], None],
        *,
        cancel: bool = True,
    ) -> int:
        """Do `work` on a thread; `done` or `failed` follow on the desk's, unless cancelled."""
        job = _Running(next(self._numbers), label, self._tell, cancel)
        with self._lock:
            self._running[job.number] = job

        def run() -> None:
            try:
                result = work(job.progress)
            except _Cancelled:
                return
            except ArcwrightError as error:
                text = str(error)
                self._end(job, lambda: failed(text))
            except Exception:
                log.exception("job %r", label)
                self._end(job, lambda: failed(f"{label} did not work; nothing was changed"))
            else:
                self._end(job, lambda: done(result))

        job.thread = Thread(target=run, name=f"job {job.number}", daemon=True)
        job.thread.start()
        return job.number

    def runs(self, number: int) -> bool:
        """Whether something may still come of a job."""
        with self._lock:
            return number in self._running

    def cancel(self, number: int) -> None:
        """What comes of a job is thrown away; it ends when it next tells how much is done."""
        with self._lock:
            job = self._running.get(number)
            if job is None or not job.cancel:
                return
            del self._running[number]
        job.end()

    def close(self) -> None:
        """Nothing is wanted any more: jobs that look are given a moment to tidy up."""
        with self._lock:
            running, self._running = list(self._running.values()), {}
        for job in running:
            job.end()
        until = monotonic() + MOMENT
        for job in running:
            if job.thread is not None:
                job.thread.join(max(0.0, until - monotonic()))

    def _end(self, job: _Running, then: Callable[[], None]) -> None:
        with self._lock:
            wanted = job.number in self._running
            if wanted:
                self._then(then)  # what comes of it waits before it counts as over
                del self._running[job.number]
        if wanted:
            job.end()


class _Cancelled(Exception):
    """Nobody waits for this work any more."""


class _Running:
    """A job that windows hear of only when it takes a while."""

    def __init__(
        self, number: int, label: str, tell: Callable[[m.ServerMessage], None], cancel: bool
    ) -> None:
        self.number, self.label, self.cancel = number, label, cancel
        self.thread: Thread | None = None
        self._tell = tell
        self._share = 0.0
        self._shown = self._ended = False
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def progress(self, share: float) -> None:
        """How much is done, 0 to 1; 0 is unknown."""
        with self._lock:
            if self._ended:
                raise _Cancelled
            before, self._share = self._share, min(share, 0.99)
            if self._shown and self._share != before:
                self._say(self._share)

    def end(self) -> None:
        """Take the bar away, if there is one."""
        self._timer.cancel()
        with self._lock:
            if self._shown and not self._ended:
                self._say(1.0)
            self._ended = True

    def _show(self) -> None:
        with self._lock:
            if not self._ended:
                self._shown = True
                self._say(self._share)

    def _say(self, share: float) -> None:
        self._tell(m.Job(job=self.number, label=self.label, share=share, cancel=self.cancel))
