"""Replay: run a gesture file headless and measure the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.options import options_from
from arcwright.tools.replay.constraint_parser import parse_constraint
from arcwright.tools.replay.gesture_file import Case, FileDrag
from arcwright.tools.tool import Applied, Preview


@dataclass(frozen=True)
class Outcome:
    """What came of one drag."""

    hit_m: float  # distance of the point from where the drag was
    turn_error_rad: float
    pin_drift_m: float  # largest slip of any pin or contact at quarter frames
    limit_excess: float  # largest excess over a joint limit at quarter frames, m or rad
    keys_before: int
    keys_after: int
    key_change: float  # largest change of time or value of any key there was
    notes: tuple[str, ...]
    ms: tuple[float, ...]  # of each move
    used: Mapping[str, float]  # what the tool made of options that depend on the take, s

    @property
    def ms_p50(self) -> float:
        """What a move takes, in the middle."""
        return float(np.median(self.ms))

    @property
    def ms_p95(self) -> float:
        """What few moves take longer than."""
        return float(np.percentile(self.ms, 95))

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        found = asdict(self) | {"notes": list(self.notes), "ms_p50": self.ms_p50}
        del found["ms"]
        return found | {"ms_p95": self.ms_p95}


def replay(
    case: Case, scene: Scene, clock: Callable[[], float] = perf_counter
) -> tuple[Scene, list[Outcome]]:
    """The scene after all drags of a case, each from where the last one ended."""
    scene, target = _begun(case, scene)
    outcomes: list[Outcome] = []
    for drag in case.drags:
        scene, outcome = _replayed(case, scene, target, drag, clock)
        outcomes.append(outcome)
    return scene, outcomes


def can_apply(case: Case) -> bool:
    """Whether a gesture file has no drags and its tool can solve constraints without one."""
    return not case.drags and hasattr(tool(case.tool), "applied")


def apply(case: Case, scene: Scene) -> tuple[Scene, Applied]:
    """Solve the constraints of a gesture file without drags: the scene after it and the outcome."""
    scene, target = _begun(case, scene)
    chosen = tool(case.tool)
    options = options_from(chosen.Options, case.options)
    done: Applied = chosen.applied(scene, target, options)
    return done.edit.apply(scene), done


def _begun(case: Case, scene: Scene) -> tuple[Scene, Target]:
    """The scene with the constraints of a case, and what the case is about."""
    actor = scene.actor(case.character)
    clip = case.clip or actor.takes[0].name
    rate = actor.take(clip).rate
    parsed = [parse_constraint(each, rate, where, clip) for where, each in case.constraints]
    simple = all(isinstance(each, Pin | Contact) for each in parsed)
    if not simple and not hasattr(tool(case.tool), "applied"):
        raise BadValue("constraints", "a tool that takes them, such as spacetime", case.tool)
    scene = replace(scene, constraints=(*scene.constraints, *parsed))
    return scene, Target(actor.name, clip)


def _replayed(
    case: Case, scene: Scene, target: Target, drag: FileDrag, clock: Callable[[], float]
) -> tuple[Scene, Outcome]:
    chosen = tool(case.tool)
    before = scene.actor(target.character).take(target.take)
    options = options_from(chosen.Options, case.options)
    session = chosen.begin(scene, target, options)
    moves = _moves(drag, _played(scene, target, drag.point), before.rate)
    spent: list[float] = []
    preview: Preview | None = None
    for move in moves:
        began = clock()
        preview = session.update(move)
        spent.append((clock() - began) * 1000)
    assert preview is not None
    after_scene: Scene = session.finish().apply(scene)
    after = after_scene.actor(target.character).take(target.take)
    hit, turned = _missed(moves[-1], _played(after_scene, target, drag.point))
    changed = _key_change(before, after)
    held = (moves[-1].time, moves[-1].time) if chosen.one_frame else preview.span
    outcome = Outcome(
        hit_m=hit,
        turn_error_rad=turned,
        pin_drift_m=pin_drift(after_scene, before, after, held),
        limit_excess=limit_excess(after),
        keys_before=_keys(before),
        keys_after=_keys(after),
        key_change=changed,
        notes=tuple(note.text for note in preview.notes),
        ms=tuple(spent),
        used=getattr(session, "used", {}),
    )
    return after_scene, outcome


def _played(scene: Scene, target: Target, point: Point) -> Take:
    """The take that a point is on: the target's, or the first one of a prop, or its rest."""
    prop = next((each for each in scene.props if each.name == point.character), None)
    if prop is None or prop.name == target.character:
        return scene.actor(target.character).take(target.take)
    lies = Clip(target.take, (None,) * len(prop.rig.channels), 0.0)
    return prop.takes[0] if prop.takes else Take(prop.rig, lies)


def _moves(drag: FileDrag, take: Take, rate: float) -> list[Drag]:
    """The drag's moves: from where the point is, straight to where it should go."""
    time = drag.frame / rate
    at = trail(take, drag.point, np.array([time]))
    position, orientation = at.position[0], at.orientation[0]
    by = drag.by if drag.to is None else drag.to - position
    turning = bool(np.abs(drag.turn).max() > 0)
    moving = bool(np.abs(by).max() > 0) or not (turning or drag.scale_time)
    moves = []
    for share in np.linspace(1 / drag.steps, 1, drag.steps):
        turned = quaternion_multiply(quaternion_from_vector(share * drag.turn), orientation)
        moves.append(
            Drag(
                drag.point,
                time,
                position=position + share * by if moving else None,
                orientation=turned if turning else None,
                time_scale=None if drag.scale_time is None else share * drag.scale_time,
                axes=drag.axes,
            )
        )
    return moves


def _missed(drag: Drag, take: Take) -> tuple[float, float]:
    at = trail(take, drag.point, np.array([drag.time]))
    hit = turned = 0.0
    if drag.position is not None:
        away = drag.position - at.position[0]
        hit = float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))
    if drag.orientation is not None:
        between = quaternion_multiply(drag.orientation, quaternion_conjugate(at.orientation[0]))
        turned = float(np.linalg.norm(vector_from_quaternion(between)))
    return hit, turned


def quarter_frames(start: float, end: float, rate: float) -> Floats:
    """Times at every quarter frame from start to end, both included."""
    count = int(np.ceil((end - start) * rate * 4))
    return np.linspace(start, end, count + 1) if end > start else np.array([start])


def pin_drift(
    scene: Scene, before: Take, after: Take, span: tuple[float, float] | None = None
) -> float:
    """Largest slip, m, of any pin or contact of the edited actor, in the span that was edited.

    A pin slips off the path it had; a contact off its place, or off the straight way between
    the places of its ends, or off the point it is held against.
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
        start, end = max(constraint.start, 0.0), min(constraint.end, before.duration)
        if start > end:  # it begins after the take, or is over before it
            continue
        times = quarter_frames(start, end, before.rate)
        inside = (times >= low - 1e-9) & (times <= high + 1e-9)
        slip = _slip(scene, constraint, before, after, times)[inside]
        worst = max(worst, float(slip.max(initial=0.0)))
    return worst


def _slip(
    scene: Scene, constraint: Pin | Contact, before: Take, after: Take, times: Floats
) -> Floats:
    """(T,) m."""
    path = trail(after, constraint.point, times).position
    if isinstance(constraint, Pin):
        wanted = trail(before, constraint.point, times).position
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
    values = values_at(take, quarter_frames(0, max(take.duration, 1e-9), take.rate))
    table = take.rig.channels
    over = np.maximum(values - table.high, table.low - values)
    return float(max(over.max(initial=0.0), 0.0))


def _keys(take: Take) -> int:
    return take.base.key_count if isinstance(take.base, Clip) else 0


def _key_change(before: Take, after: Take) -> float:
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
