"""Jump: the parabola that a stick follows in the air, and how much of it is done."""

from __future__ import annotations

from dataclasses import dataclass

GRAVITY = 9.81  # m/s²
ON_THE_SPOT = 0.05  # m over the ground: a shorter jump is judged by time, not by its parabola


@dataclass(frozen=True)
class Parabola:
    """y = height + slope (x - at) + bend (x - at)², x along the way over the ground (eq. 6.3)."""

    at: float  # m, where the jumper is now
    height: float  # m, how high it is there
    slope: float
    bend: float  # 1/m; a jump's is below 0

    @property
    def apex(self) -> tuple[float, float] | None:
        """Way and height of the highest place, m; None for a path that has none."""
        if self.bend >= 0:
            return None
        ahead = -self.slope / (2 * self.bend)
        return self.at + ahead, self.height + self.slope * ahead / 2


def parabola(start: tuple[float, float], now: tuple[float, float], slope: float) -> Parabola | None:
    """The parabola from the start of a jump through where it is now, with its slope there.

    None on the spot, where the way over the ground says nothing.
    """
    way = now[0] - start[0]
    if abs(way) < ON_THE_SPOT:
        return None
    return Parabola(now[0], now[1], slope, (slope * way - now[1] + start[1]) / way**2)


def share_done(
    start: tuple[float, float], now: tuple[float, float], velocity: tuple[float, float]
) -> float:
    """How much of a jump is done, 0 to 1, 0.5 at its apex, by where it is and how fast it goes.

    Velocity is along the way and upwards, m/s. On the spot, and where the stick does not go along
    a parabola, by gravity: rising as fast as a throw that ends here.
    """
    ahead, rise = velocity
    if abs(ahead) > 1e-3:
        path = parabola(start, now, rise / ahead)
        apex = None if path is None else path.apex
        if apex is not None and apex[0] - start[0] > ON_THE_SPOT / 2:
            return min(max((now[0] - start[0]) / (2 * (apex[0] - start[0])), 0.0), 1.0)
    high = max(now[1] - start[1], 0.0)
    begun = (rise * rise + 2 * GRAVITY * high) ** 0.5  # m/s at the start of such a throw
    return 0.5 if begun < 1e-6 else min(max(0.5 * (1.0 - rise / begun), 0.0), 1.0)
