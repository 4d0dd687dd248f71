"""Jobs: work that takes a while, on threads of its own while the document stays usable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from threading import Lock, Thread, Timer
from time import monotonic
from typing import TypeVar

from arcwright.errors import ArcwrightError
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.subscriptions import Client

log = logging.getLogger("arcwright.studio")

SHOWN_AFTER = 0.5  # s; a job that takes longer gets a progress bar
CLOSE_TIMEOUT = 1.0  # s
_T = TypeVar("_T")
Progress = Callable[[float], None]


class ResultDiscarded(ArcwrightError):
    """The result of a job no longer fits the open document."""

    def __init__(self, label: str, why: str) -> None:
        super().__init__(f"{label} was not applied: {why}")


def require_open(opened: OpenDocument, document: Document, label: str) -> None:
    """Raise `ResultDiscarded` if another document was opened since the job began."""
    if opened.document is not document:
        raise ResultDiscarded(label, "another document was opened in the meantime")


class Jobs:
    """Starts jobs; their results are used on the worker's thread."""

    def __init__(self, opened: OpenDocument, post: Post) -> None:
        self._opened = opened
        self._post = post
        self._numbers = count(1)
        self._running: dict[int, _Running] = {}
        self._lock = Lock()

    def start(
        self,
        client: Client,
        label: str,
        work: Callable[[Progress], _T],
        done: Callable[[_T], None],
        *,
        can_cancel: bool = True,
        on_failure: str = "",
    ) -> int:
        """Do `work` on a thread, then `done` on the worker's, unless the job is cancelled.

        The client is sent the reason if either of them fails, followed by `on_failure`.
        """
        job = _Running(next(self._numbers), label, self._broadcast, can_cancel)
        with self._lock:
            self._running[job.number] = job

        def fail(text: str) -> None:
            client.send(m.Failure(text=f"{text}. {on_failure}" if on_failure else text))

        def finish(result: _T) -> None:
            try:
                done(result)
            except ArcwrightError as error:  # of the step, which may have been applied all the same
                client.send(m.Failure(text=str(error)))

        def run() -> None:
            try:
                result = work(job.progress)
            except _Cancelled:
                return
            except ArcwrightError as error:
                text = str(error)
                self._end(job, lambda: fail(text))
            except Exception:
                log.exception("job %r", label)
                self._end(job, lambda: fail(f"{label} failed; nothing was changed"))
            else:
                self._end(job, lambda: finish(result))

        job.thread = Thread(target=run, name=f"job {job.number}", daemon=True)
        job.thread.start()
        return job.number

    def is_running(self, number: int) -> bool:
        """Whether the result of a job is still to come."""
        with self._lock:
            return number in self._running

    def cancel(self, number: int) -> None:
        """Discard the result of a job; its thread ends when it next reports progress."""
        with self._lock:
            job = self._running.get(number)
            if job is None or not job.can_cancel:
                return
            del self._running[number]
        job.end()

    def close(self) -> None:
        """Cancel all jobs, and wait a moment for those that notice."""
        with self._lock:
            running, self._running = list(self._running.values()), {}
        for job in running:
            job.end()
        until = monotonic() + CLOSE_TIMEOUT
        for job in running:
            if job.thread is not None:
                job.thread.join(max(0.0, until - monotonic()))

    def _broadcast(self, message: m.ServerMessage) -> None:
        self._post(lambda: self._opened.subscriptions.broadcast(message))

    def _end(self, job: _Running, then: Callable[[], None]) -> None:
        with self._lock:
            wanted = job.number in self._running
            if wanted:
                self._post(then)  # queued before the job counts as over
                del self._running[job.number]
        if wanted:
            job.end()


class _Cancelled(Exception):
    """The job was cancelled."""


class _Running:
    """A job; clients see it only when it takes a while."""

    def __init__(
        self,
        number: int,
        label: str,
        broadcast: Callable[[m.ServerMessage], None],
        can_cancel: bool,
    ) -> None:
        self.number, self.label, self.can_cancel = number, label, can_cancel
        self.thread: Thread | None = None
        self._broadcast = broadcast
        self._share = 0.0
        self._shown = self._ended = False
        self._lock = Lock()
        self._timer = Timer(SHOWN_AFTER, self._show)
        self._timer.daemon = True
        self._timer.start()

    def progress(self, share: float) -> None:
        """Report the share that is done, 0 to 1; 0 where it is unknown."""
        with self._lock:
            if self._ended:
                raise _Cancelled
            before, self._share = self._share, min(share, 0.99)
            if self._shown and self._share != before:
                self._send(self._share)

    def end(self) -> None:
        """Remove the progress bar, if there is one."""
        self._timer.cancel()
        with self._lock:
            if self._shown and not self._ended:
                self._send(1.0)
            self._ended = True

    def _show(self) -> None:
        with self._lock:
            if not self._ended:
                self._shown = True
                self._send(self._share)

    def _send(self, share: float) -> None:
        self._broadcast(
            m.Job(job=self.number, label=self.label, share=share, cancel=self.can_cancel)
        )
