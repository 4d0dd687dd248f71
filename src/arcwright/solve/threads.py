"""Threads: small linear algebra on one thread; more only get in each other's way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

_P = ParamSpec("_P")
_R = TypeVar("_R")


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def on_one_thread(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function with BLAS on one thread while it runs, and as before afterwards."""

    @wraps(function)
    def alone(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with _controller().limit(limits=1):
            return function(*args, **kwargs)

    return alone
