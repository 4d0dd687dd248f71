"""How fast a client may send: faster than any pointer, slower than a flood."""

from __future__ import annotations

import asyncio
import time

RATE = 1000.0  # messages a second of one client that are read at once
BURST = 2000.0


class TokenBucket:
    """Delays messages that come faster than `RATE`, after a burst."""

    def __init__(self) -> None:
        self._left, self._at = BURST, time.monotonic()

    async def take(self) -> None:
        """Wait until the next message may be read."""
        now = time.monotonic()
        self._left = min(BURST, self._left + RATE * (now - self._at)) - 1.0
        self._at = now
        if self._left < 0:
            await asyncio.sleep(-self._left / RATE)
