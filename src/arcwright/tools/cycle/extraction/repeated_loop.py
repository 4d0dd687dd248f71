"""A loop repeated in a longer take, which goes into it and comes out of it smoothly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.tools.cycle.extraction.loop import smooth_step
from arcwright.tools.cycle.extraction.rotation_columns import RotationColumns, continuous_values
from arcwright.tools.cycle.extraction.travel import end_of_travel, moved_root, with_travel

if TYPE_CHECKING:
    from arcwright.tools.cycle.extraction.take_cycle import TakeCycle

Around: TypeAlias = Literal["source", "rest"]

MOST_REPEATS = 1000


def repeat_loop(
    found: TakeCycle,
    count: int,
    *,
    blend: float = 0.3,
    travels: bool = False,
    around: Around = "source",
) -> Motion:
    """The loop `count` times, with the take before and after it, or from and to the rest pose.

    Blends take `blend` seconds each. With the take around it, the loop starts in the first cycle
    that it was made of and goes over into the end of the last one; what follows is moved to where
    the loop has gone.
    """
    if found.motion is None or found.cycle is None:
        raise BadValue("take", "a movement that repeats", found.reason)
    if not 1 <= count <= MOST_REPEATS:
        raise BadValue("repeat", f"1 to {MOST_REPEATS} cycles", count)
    if not 0 <= blend < float("inf"):
        raise BadValue("blend", "seconds, 0 or more", blend)
    if around not in get_args(Around):
        raise BadValue("around", " or ".join(get_args(Around)), repr(around))
    made = _Repeated(found, count, travels)
    frames = min(round(blend * made.rate), made.length // 2)
    values = made.in_source(frames) if around == "source" else made.from_rest(frames)
    values = continuous_values(found.take.rig, values)
    time = np.arange(len(values)) / made.rate
    return Motion(f"{found.take.name} loop", time, values, made.rate)


@dataclass(frozen=True, eq=False)
class _Repeated:
    found: TakeCycle
    count: int
    travels: bool

    @property
    def rate(self) -> float:
        assert self.found.motion is not None
        return self.found.motion.rate

    @property
    def period(self) -> int:
        """Frames of a cycle."""
        assert self.found.motion is not None
        return len(self.found.motion.time) - 1

    @property
    def length(self) -> int:
        """Frames of all cycles."""
        return self.count * self.period

    def loop(self, frames: Floats) -> Floats:
        """(T, C) the loop at frames, also before its first and after its last."""
        found = self.found
        assert found.motion is not None
        values = found.motion.values[np.round(frames).astype(np.int64) % self.period]
        if self.travels and found.root is not None and found.travel is not None:
            values = with_travel(found.root, values, found.travel, frames / self.period)
        return np.asarray(values)

    def in_source(self, blend: int) -> Floats:
        """(T, C) the take until the loop, the loop, the take after it."""
        found, rate = self.found, self.rate
        assert found.cycle is not None
        used = np.flatnonzero(found.cycle.used)
        before, last = (round(float(found.cycle.starts[at]) * rate) for at in used[[0, -1]])
        enter, leave = before / rate, last / rate  # frames of the take stay as they are
        after = int((found.take.duration - leave) * rate + 1e-6)
        frames = np.arange(-before, self.length + after + 1).astype(np.float64)
        lead_in = self._source(enter + frames / rate)
        lead_out = self._source(leave + (frames - self.length) / rate)
        loop = self.loop(np.clip(frames, 0, self.length))
        loop, lead_out = self._placed(loop, lead_out, enter, leave)
        columns = RotationColumns.of(found.take.rig)
        rise = smooth_step(frames / max(blend, 1) + (0 if blend else 1))
        fall = smooth_step((frames - self.length + blend) / max(blend, 1))
        return _joined(columns, (lead_in, loop, lead_out), (rise, fall))

    def from_rest(self, blend: int) -> Floats:
        """(T, C) from the rest pose into the loop and back."""
        rig = self.found.take.rig
        frames = np.arange(-blend, self.length + blend + 1).astype(np.float64)
        loop = self.loop(frames)
        rest = np.tile(rig.channels.default, (len(frames), 1))
        if self.found.root is not None:
            own = rig.channels.joint == self.found.root.joint
            rest[:, own] = loop[:, own]
        columns = RotationColumns.of(rig)
        rise = smooth_step((frames + blend) / max(blend, 1) + (0 if blend else 1))
        fall = smooth_step((frames - self.length) / max(blend, 1))
        return _joined(columns, (rest, loop, rest), (rise, fall))

    def _source(self, time: Floats) -> Floats:
        take = self.found.take
        return values_at(take, np.clip(time, 0.0, take.duration))

    def _placed(
        self, loop: Floats, lead_out: Floats, enter: float, leave: float
    ) -> tuple[Floats, Floats]:
        """The loop where the take enters it, and the rest of the take where the loop has gone."""
        root, way = self.found.root, self.found.travel
        if root is None or way is None:
            return loop, lead_out
        path = np.column_stack([way.place, way.heading])
        time = self.found.take.frame_times()
        first, last = (
            np.array([np.interp(at, time, column) for column in path.T]) for at in (enter, leave)
        )
        turn = float(first[3]) - way.start_heading
        loop = moved_root(root, loop, turn, way.start, first[:3])
        gone = replace(way, start=first[:3], start_heading=float(first[3]))
        place, heading = end_of_travel(gone, self.count if self.travels else 0.0)
        return loop, moved_root(root, lead_out, heading - float(last[3]), last[:3], place)


def _joined(
    columns: RotationColumns, parts: tuple[Floats, Floats, Floats], shares: tuple[Floats, Floats]
) -> Floats:
    """(T, C) one motion that goes over into the next, and then into the last."""
    first, loop, last = (columns.from_channels(each) for each in parts)
    mean = columns.blended(columns.blended(first, loop, shares[0]), last, shares[1])
    return columns.to_channels(mean, parts[0][0])
