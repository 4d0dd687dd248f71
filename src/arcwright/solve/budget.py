"""Budget: how much time a solve may take, and how far it has come.

A step that would not be over in time is not begun: the next one is expected to take as long as the
one before, or half as long as the one before that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import thread_time

import numpy as np

FORGOTTEN = 0.5  # of what steps were expected to take, with each that is shorter


@dataclass(eq=False)
class Budget:
    """Counts from when it is made, in CPU time of the thread: a busy machine changes no result."""

    seconds: float = np.inf
    clock: Callable[[], float] = thread_time  # s
    progress: Callable[[float], None] = lambda _: None  # may raise, which cancels the solve
    exhausted: bool = False  # whether some solve had to stop
    _end: float = field(init=False)
    _share: float = field(default=0.0, init=False)
    _asked: float = field(init=False)  # s, when it was asked last
    _step: float = field(default=0.0, init=False)  # s, which a step is expected to take

    def __post_init__(self) -> None:
        self._asked = self.clock()
        self._end = self._asked + self.seconds

    def reach(self, share: float) -> None:
        """So much of the work is done, 0 to 1."""
        self._share = max(self._share, share)
        self.progress(self._share)

    def is_spent(self, longer: float = 1.0) -> bool:
        """Whether to stop now; asked before every step, and the chance to cancel.

        `longer` says how many times as long the next step takes as those before.
        """
        self.progress(self._share)
        now = self.clock()
        self._step = max(now - self._asked, FORGOTTEN * self._step)
        self._asked = now
        self.exhausted = self.exhausted or now + longer * self._step >= self._end
        return self.exhausted
