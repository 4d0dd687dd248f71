"""How far a run is: counts, rate, remaining time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Counts of a run so far; `total` is None where the files are not counted yet."""

    done: int
    skipped: int
    failed: int
    total: int | None
    seconds: float
    workers: int | None = None  # how many tasks can run at once

    @property
    def rate(self) -> float:
        """Tasks that ran, per second; skipped ones cost next to nothing and do not count."""
        return (self.done + self.failed) / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds to go at this rate; None where that is not known."""
        if self.total is None or self.rate == 0:
            return None
        return max(self.total - self.done - self.failed - self.skipped, 0) / self.rate

    def __str__(self) -> str:
        counted = self.done + self.failed + self.skipped
        parts = [f"{counted}" + ("" if self.total is None else f" of {self.total}")]
        if self.skipped:
            parts.append(f"{self.skipped} done before")
        parts.append(f"{self.failed} failed")
        parts.append(f"{self.rate:.3g}/s")
        if self.remaining is not None:
            parts.append(f"{_clock(self.remaining)} to go")
        if self.workers == 0:
            parts.append("no worker in the cluster")
        return ", ".join(parts)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
