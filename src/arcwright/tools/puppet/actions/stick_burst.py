"""Stick burst: a quick movement of a stick, cut out of how it is led, and its features.

A burst begins where the stick's velocity leaves the velocity at which it was led, and ends where
it is that velocity again; one that stays at another velocity is a start, a turn or a stop. Its path
is taken against that leading velocity, so that a gesture is the same for a puppet that stands and
for one that walks.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats

PERSON = 1.4  # m, from the lowest to the highest joint: the size for which lengths are stated
STARTS = 0.45  # m/s off from the leading velocity
STEADY = 0.3  # m/s by which a steady velocity varies at most
STEADY_SECONDS = 0.08  # near the leading velocity
ANEW_SECONDS = 0.2  # at another velocity, which leads from then on
LEADS = 0.35  # s over which the leading velocity is averaged
SMOOTHING = 0.02  # s, of the velocity
BEFORE = 0.08  # s before its start is noticed that belong to a burst
STEEP = 4.0  # times as fast up as over the ground: a flick
SUDDEN = 2.8  # m/s upwards
LED = 0.3  # m/s: a slower stick stood
BACK = 0.01  # m: a wind-up goes farther back
LONGEST = 0.9  # s
SHORTEST = 0.12  # s


@dataclass(frozen=True, eq=False)
class Burst:
    """T moments of a quick movement: right, up and ahead of the puppet, from where it began."""

    times: Floats  # (T,) s, from 0
    path: Floats  # (T, 3) m, for a person's size, against the leading velocity

    def features(self) -> Floats:
        """(F,) what tells gestures apart: extents, ends, peak speeds, order and direction."""
        times, (right, up, ahead) = self.times, self.path.T
        velocity = np.gradient(self.path, times, axis=0)
        farthest, highest = int(np.argmax(ahead)), int(np.argmax(up))
        turns = np.diff(ahead) * (up[1:] + up[:-1]) - np.diff(up) * (ahead[1:] + ahead[:-1])
        speeds = [velocity[:, 2].max(), -velocity[:, 2].min(), velocity[:, 1].max()]
        lasts = times[-1]
        return np.array(
            [
                *(ahead.max(), -ahead.min(), up.max(), -up.min(), np.abs(right).max()),
                *(ahead[-1], up[-1], up[farthest], ahead[: farthest + 1].min()),
                *(0.1 * each for each in speeds),
                float(turns.sum())
                / 2,  # area around which it goes, above 0 from back over to front
                float(times[highest] - times[farthest]),
                lasts,
                float(ahead.mean()),
            ]
        )


@dataclass(eq=False)
class BurstFinder:
    """Finds bursts in the end of a stick, tick by tick."""

    size: float  # m, of the body
    _velocity: Floats | None = None  # (3,) m/s, smoothed
    _leading: Floats = field(default_factory=lambda: np.zeros(3))  # m/s, averaged
    _recent: deque[tuple[float, Floats, Floats, Floats]] = field(default_factory=deque)
    _last: Floats | None = None
    _now: float = 0.0
    _start: tuple[float, Floats, Floats] | None = None  # time, place and leading velocity
    _heading: float = 0.0
    _path: list[tuple[float, Floats]] = field(default_factory=list)

    def fork(self) -> BurstFinder:
        """A finder that has seen the same."""
        other = BurstFinder(self.size)
        other.__dict__.update(self.__dict__)
        other._recent, other._path = self._recent.copy(), list(self._path)
        return other

    def see(self, end: Floats, heading: float, seconds: float) -> Burst | None:
        """Take note of the stick's end (3,) m; the burst that has just ended, if one did."""
        self._now += seconds
        rate = np.zeros(3) if self._last is None else (end - self._last) / seconds
        self._last = end
        share = 1.0 - np.exp(-seconds / SMOOTHING)
        before = rate if self._velocity is None else self._velocity
        self._velocity = before + share * (rate - before)
        self._recent.append((self._now, end, self._velocity, self._leading))
        while self._recent[0][0] < self._now - ANEW_SECONDS:
            self._recent.popleft()
        if self._start is not None:
            return self._goes_on()
        if np.linalg.norm(self._velocity - self._leading) > STARTS * self.size / PERSON:
            began = [each for each in self._recent if each[0] >= self._now - BEFORE]
            self._start, self._heading = (began[0][0], began[0][1], began[0][3]), heading
            self._path = [self._relative(time, place) for time, place, _, _ in began]
            return None
        self._leading = self._leading + min(seconds / LEADS, 1.0) * (self._velocity - self._leading)
        return None

    @property
    def undecided(self) -> bool:
        """Whether the stick may be in a throw or kick: no jump and no lift begins meanwhile."""
        if self._start is None:
            return False
        path = np.array([place for _, place in self._path])
        up, ahead = path[:, 1], path[:, 2]
        winds_up = (ahead < -0.03) & (up > 0.015) & (-ahead > 0.5 * up)
        swings = (ahead > 0.04) & (up < -0.025) & (ahead > 0.5 * -up)
        return bool((winds_up | swings).any()) and not self._stopped

    @property
    def _stopped(self) -> bool:
        """Whether a stick that was led has stopped, and now goes straight up: a flick.

        Seen against the velocity at which it was led, that goes back like the wind-up of a throw,
        but over the ground it does not go back, and most of its speed is upwards.
        """
        assert self._start is not None
        assert self._velocity is not None
        aside = float(np.hypot(self._velocity[0], self._velocity[2]))
        ahead = np.array([np.sin(self._heading), np.cos(self._heading)])
        times, path = np.array([at for at, _ in self._path]), np.array([at for _, at in self._path])
        went = path[:, 2] + times * float(self._start[2][[0, 2]] @ ahead) * PERSON / self.size
        led = float(np.hypot(self._start[2][0], self._start[2][2]))
        stood = led > LED * self.size / PERSON and went.min() > -BACK
        rise = float(self._velocity[1])
        return bool(stood and rise > STEEP * aside and rise > SUDDEN * self.size / PERSON)

    @property
    def comes_back(self) -> bool:
        """Whether a quick movement is on its way back to where it began."""
        if self._start is None:
            return False
        away = np.linalg.norm([place for _, place in self._path], axis=1)
        return bool(away[-1] < 0.9 * away.max() and away.max() > 0.06)

    def _relative(self, time: float, place: Floats) -> tuple[float, Floats]:
        assert self._start is not None
        began, origin, leading = self._start
        x, y, z = (place - origin - (time - began) * leading) * (PERSON / self.size)
        cosine, sine = np.cos(self._heading), np.sin(self._heading)
        return time - began, np.array([cosine * x - sine * z, y, cosine * z + sine * x])

    def _goes_on(self) -> Burst | None:
        assert self._start is not None
        time, place, velocity, _ = self._recent[-1]
        self._path.append(self._relative(time, place))
        lasts, scale = self._path[-1][0], PERSON / self.size
        back = float(np.linalg.norm(velocity - self._start[2])) * scale < STEADY
        steady = self._varied(STEADY_SECONDS if back else ANEW_SECONDS) * scale < STEADY
        if lasts < LONGEST and (not steady or lasts < SHORTEST + BEFORE):
            return None
        times, path = (np.array(each) for each in zip(*self._path, strict=True))
        self._start, self._path, self._leading = None, [], velocity
        return Burst(times, path) if back else None  # else it is led differently from now on

    def _varied(self, seconds: float) -> float:
        """By how much, m/s, the velocity has varied for some seconds."""
        recent = [each for at, _, each, _ in self._recent if at > self._now - seconds]
        return float(np.linalg.norm(np.ptp(np.array(recent), axis=0)))
