"""Budget: how much time a solve may take, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import thread_time

import numpy as np


@dataclass(eq=False)
class Budget:
    """Counts from when it is made, in CPU time of the thread: a busy machine changes no result."""

    seconds: float = np.inf
    clock: Callable[[], float] = thread_time  # s
    progress: Callable[[float], None] = lambda _: None  # may raise, which cancels the solve
    exhausted: bool = False  # whether some solve had to stop
    _end: float = field(init=False)
    _share: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._end = self.clock() + self.seconds

    def reach(self, share: float) -> None:
        """So much of the work is done, 0 to 1."""
        self._share = max(self._share, share)
        self.progress(self._share)

    def is_spent(self) -> bool:
        """Whether to stop now; asked before every step, and the chance to cancel."""
        self.progress(self._share)
        self.exhausted = self.exhausted or self.clock() >= self._end
        return self.exhausted
