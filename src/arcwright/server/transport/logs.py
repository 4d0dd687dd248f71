"""The server's log: a flood of equal messages becomes a few lines and a count."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

FIRST = 5  # messages of a kind that are written in each period
PERIOD = 60.0  # s
_MOST_KINDS = 200
_LOGGERS = ("arcwright.studio", "asyncio", "uvicorn")
# What any client can cause says nothing about where the program stood.
_CLIENT_FAULTS = (OSError, EOFError, UnicodeError)  # those of TLS among them


class RateLimitedHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes the first messages of a kind in each period, then how many more there were.

    A kind is a logger and the first line of the message before its values are put in.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
        self._counts: dict[tuple[str, str], int] = {}
        self._first: dict[tuple[str, str], str] = {}  # the first message of each kind
        self._timer: Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message, unless there were too many like it; `handle` holds the lock."""
        if record.exc_info and isinstance(record.exc_info[1], _CLIENT_FAULTS):
            record.exc_info, record.exc_text = None, None
        kind = record.name, str(record.msg).partition("\n")[0]
        if kind not in self._counts and len(self._counts) >= _MOST_KINDS:
            kind = record.name, "other messages"
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self._first.setdefault(kind, record.getMessage().partition("\n")[0][:200])
        if self._timer is None:
            self._timer = Timer(PERIOD, self.summarise)
            self._timer.daemon = True
            self._timer.start()
        if self._counts[kind] <= FIRST:
            super().emit(record)

    def summarise(self) -> None:
        """Log how many messages were suppressed, and begin the next period."""
        with self.lock or _nothing():
            if self._timer is not None:
                self._timer.cancel()
            counts, self._counts, self._timer = self._counts, {}, None
            first, self._first = self._first, {}
            for (name, kind), count in counts.items():
                if count > FIRST:
                    like = first.get((name, kind), kind)
                    text = f"and {count - FIRST:,} more in the last minute like: {like}"
                    summary = logging.LogRecord(name, logging.WARNING, "", 0, text, None, None)
                    super().emit(summary)


@contextmanager
def rate_limited_logs() -> Iterator[None]:
    """All that the server and its libraries log goes through one rate-limited handler."""
    handler = RateLimitedHandler()
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        handler.summarise()
        for logger in loggers:
            logger.removeHandler(handler)
            logger.propagate = True


@contextmanager
def _nothing() -> Iterator[None]:
    yield
