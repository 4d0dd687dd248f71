"""Threads: small linear algebra on one thread; more threads slow it down."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Limit:
    """One thread for BLAS from the first caller that enters to the last that leaves."""

    def __init__(self) -> None:
        self._controller: ThreadpoolController | None = None  # slow to make
        self._lock = Lock()
        self._inside = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._controller is None:
                self._controller = ThreadpoolController()
            if self._inside == 0:
                self._limit = self._controller.limit(limits=1)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limit.restore_original_limits()


_limit = _Limit()


def on_one_thread(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function with BLAS on one thread while it runs, and as before afterwards."""

    @wraps(function)
    def alone(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with _limit:
            return function(*args, **kwargs)

    return alone
