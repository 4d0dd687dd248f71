"""Outcome: what an interaction did to a take, in figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import quarter_frames, values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take


@dataclass(frozen=True)
class Outcome:
    """The result of one interaction, in figures."""

    hit_m: float | None  # distance of the point from where the drag was; None without a drag
    turn_error_rad: float | None
    pin_drift_m: float  # largest slip of any pin or contact at quarter frames
    limit_excess: float  # largest excess over a joint limit at quarter frames, m or rad
    keys_before: int
    keys_after: int
    key_change: float  # largest change of time or value of any key there was
    notes: tuple[str, ...]
    ms: tuple[float, ...]  # of each update
    used: Mapping[str, float]  # what the tool made of options that depend on the take, s

    @property
    def ms_p50(self) -> float:
        """Median time of an update."""
        return float(np.median(self.ms))

    @property
    def ms_p95(self) -> float:
        """95th percentile of the time of an update."""
        return float(np.percentile(self.ms, 95))

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        found = asdict(self) | {"notes": list(self.notes), "ms_p50": self.ms_p50}
        del found["ms"]
        return found | {"ms_p95": self.ms_p95}


def pin_drift(
    scene: Scene,
    before: Take,
    after: Take,
    span: tuple[float, float] | None = None,
    warp: TimeWarp | None = None,
) -> float:
    """Largest slip, m, of any pin or contact of the edited actor, in the span that was edited.

    A pin slips off the path it had; a contact off its place, or off the straight way between
    the places of its ends, or off the point it is held against. Constraints and span are at the
    times after the edit, to which the `warp` leads.
    """
    low, high = span or (-np.inf, np.inf)
    worst = 0.0
    constraints: tuple[Pin | Contact, ...] = (*scene.pins, *scene.contacts)
    for constraint in constraints:
        if scene.actor(constraint.point.character).rig is not before.rig or not constraint.position:
            continue
        if (
            constraint.take not in ("", before.name)
            or constraint.end < low
            or constraint.start > high
        ):
            continue
        start, end = max(constraint.start, 0.0), min(constraint.end, after.duration)
        if start > end:  # it begins after the take, or is over before it
            continue
        times = quarter_frames(start, end, before.rate)
        inside = (times >= low - 1e-9) & (times <= high + 1e-9)
        old = times if warp is None else warp.inverse(times)
        slip = _slip(scene, constraint, before, after, times, old)[inside]
        worst = max(worst, float(slip.max(initial=0.0)))
    return worst


def _slip(
    scene: Scene,
    constraint: Pin | Contact,
    before: Take,
    after: Take,
    times: Floats,
    old_times: Floats,
) -> Floats:
    """(T,) m."""
    path = trail(after, constraint.point, times).position
    if isinstance(constraint, Pin):
        wanted = trail(before, constraint.point, old_times).position
    elif constraint.relative_to is None:
        share = np.linspace(0, 1, len(times))[:, None]
        wanted = path[0] + share * (path[-1] - path[0])
    else:
        holder = scene.actor(constraint.relative_to.character)
        played = after if holder.rig is after.rig else (holder.takes or (None,))[0]
        values = (
            np.tile(holder.rig.channels.default, (len(times), 1))
            if played is None
            else values_at(played, times)
        )
        world = forward(holder.rig, values, [holder.rig.joint(constraint.relative_to.joint)])[:, 0]
        local = np.linalg.inv(world[0]) @ np.append(path[0], 1.0)
        wanted = (world @ local)[:, :3]
    slip: Floats = np.linalg.norm(path - wanted, axis=1)
    return slip


def limit_excess(take: Take) -> float:
    """Largest excess over a joint limit at quarter frames, m or rad."""
    values = values_at(take, quarter_frames(0, take.duration, take.rate))
    table = take.rig.channels
    over = np.maximum(values - table.high, table.low - values)
    return float(max(over.max(initial=0.0), 0.0))


def key_count(take: Take) -> int:
    """The number of keys; a motion has none."""
    return take.base.key_count if isinstance(take.base, Clip) else 0


def key_change(before: Take, after: Take) -> float:
    """Largest change of time or value of any key there was."""
    worst = 0.0
    if not isinstance(before.base, Clip) or not isinstance(after.base, Clip):
        return worst
    for old, new in zip(before.base.curves, after.base.curves, strict=True):
        if old is None or new is None or new is old:
            continue
        near = np.abs(new.time[:, None] - old.time).argmin(axis=0)
        worst = max(worst, float(np.abs(old.time - new.time[near]).max()))
        worst = max(worst, float(np.abs(old.value - new.value[near]).max()))
    return worst
