"""Random edits of a loop, and what must hold after each: a list of what does not."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.shaping.shape import Shaping
from arcwright.tools.gesture import Drag, ToolHandle
from arcwright.tools.shared.drags import DRAG_TOLERANCE
from loops import seam, take_of

KINDS = ("position", "position", "orientation", "scale", "time", "time scale", "channel", "both")
MET = 1e-9  # of a channel; places and orientations of a solved body may be off by what gets no note
TURNED = 1e-3  # rad, as for a place: a tenth of a metre away it is less than what gets a note
BESIDE = 1e-12  # m, rad or plain: what may change beyond the affected range
OPEN = 1e-8  # m, rad or plain: by how much more the ends of a loop may differ
CORNER = 1e-3  # of the fastest speed of a channel: by how much more the slopes there may
SEEN = 2e-3  # m, that the keys of a preview may differ from those of the result where it is dragged


@dataclass(frozen=True, eq=False)
class LoopEdit:
    """Some drags of a loop."""

    scene: object
    target: object
    drags: list
    options: CycleOptions
    kinds: list[str] = field(default_factory=list)


def random_edit(scene, target, random, kinds=None):
    """One to three drags of random points, channels and times, by a few millimetres to far away."""
    take = take_of(scene, target)
    if kinds is None:
        kinds = [str(random.choice(KINDS)) for _ in range(random.choice([1, 1, 1, 2, 3]))]
    drags = [_random_drag(take, target, kind, random) for kind in kinds]
    options = CycleOptions(
        affected_range=float(10 ** random.uniform(-1.7, 0.3)),
        falloff=float(random.choice([0.01, 0.01, 1e-4, 0.5])),
        retime=str(random.choice(["all", "item"])),
    )
    return LoopEdit(scene, target, drags, options, kinds)


def _random_drag(take, target, kind, random):
    rig = take.rig
    time = float(random.uniform(0, take.duration))
    if random.random() < 0.7:
        time = min(round(time * take.rate) / take.rate, take.duration)
    point = Point(str(random.choice(rig.names)), character=target.character)
    if random.random() < 0.3:
        point = Point(point.joint, random.normal(0, 0.03, 3), character=target.character)
    if kind == "channel":
        channel = int(random.integers(len(rig.channels)))
        value = float(values_at(take, np.array([time]))[0, channel])
        wanted = [time, value + random.normal(0, 0.2), 0.0]
        return Drag(ToolHandle(f"channel:{rig.channel_names[channel]}"), time, position=wanted)
    if kind == "time":
        return Drag(point, time, to_time=time + float(random.normal(0, 2.5)) / take.rate)
    if kind == "time scale":
        return Drag(point, time, time_scale=float(random.normal(0, 0.5)))
    if kind == "scale":
        scaled = np.flatnonzero(rig.channels.kind == Kind.SCALE_X)
        if len(scaled):
            point = Point(
                rig.names[rig.channels.joint[random.choice(scaled)]], character=target.character
            )
        return Drag(point, time, scale=np.exp(random.normal(0, 0.3, 3)))
    there = trail(take, point, [time])
    turn = quaternion_from_vector(random.normal(0, 0.4, 3))
    moved = there.position[0] + random.normal(0, 10 ** random.uniform(-3, -0.7), 3)
    return Drag(
        point,
        time,
        position=moved if kind != "orientation" else None,
        orientation=None if kind == "position" else quaternion_multiply(turn, there.orientation[0]),
    )


def broken(edit):
    """What does not hold after an edit, in words; raises what the session should not raise."""
    session, followed, preview = Shaping(edit.scene, edit.target, edit.options), [], None
    for drag in edit.drags:
        try:
            preview = session.update(drag)
        except BadValue as refused:
            if "channels" not in str(refused):
                raise
            continue
        followed = [each for each in followed if each.key != drag.key] + [drag]
    if preview is None:
        return []
    shown = take_of(preview.edit.apply(edit.scene), edit.target)
    history = History(edit.scene).do(session.finish())
    notes, before = session.notes(), take_of(edit.scene, edit.target)
    now = take_of(history.scene, edit.target)
    times = np.arange(round(before.duration * before.rate * 4) + 1) / before.rate / 4
    values = values_at(now, times)
    found = []
    if not same(history.undo().scene, edit.scene):
        found.append("undo does not give back what was there")
    if not (np.isfinite(values).all() and np.isfinite(values_at(shown, times)).all()):
        return [*found, "values that are not finite"]
    found += _opened(before, now, values)
    noted = any(each.kind == "residual" for each in notes) or any("stops" in n.text for n in notes)
    if not noted:
        found += [
            text for drag in followed if (text := _missed(before, now, shown, drag, followed))
        ]
    return found + _beside(session, before, now, followed, times)


def _opened(before, now, values):
    """How a loop that was closed is no longer so."""
    gap, corner = seam(now)
    was, slope = seam(before)
    fastest = np.abs(np.diff(values, axis=0)).max(axis=0) * now.rate * 4
    found = []
    if (np.abs(gap - was) > OPEN).any():
        found.append(f"the ends are {np.abs(gap - was).max():.2g} farther apart")
    sharper = 3 * np.abs(slope)  # a corner that was there, played up to three times faster
    more = np.abs(corner) - sharper
    if (more > CORNER * np.maximum(fastest, 1.0)).any():
        worst = int(np.argmax(more / np.maximum(fastest, 1.0)))
        found.append(
            f"slopes at the seam differ by {more[worst]:.2g} more, of {fastest[worst]:.2g}"
        )
    return found


def _missed(before, now, shown, drag, drags):
    """By how much a drag of a place, an orientation or a channel is not met."""
    alone = len(drags) == 1
    if isinstance(drag.handle, ToolHandle):
        channel = now.rig.channel(drag.handle.name.removeprefix("channel:"))
        table, wanted = now.rig.channels, float(drag.position[1])
        value, was = (values_at(each, np.array([drag.time]))[0, channel] for each in (now, before))
        wanted = float(np.clip(wanted, min(table.low[channel], was), max(table.high[channel], was)))
        quaternion = Kind.QUATERNION_W <= table.kind[channel] <= Kind.QUATERNION_Z
        off = abs(value - wanted)
        return f"a channel is off by {off:.2g}" if alone and off > MET and not quaternion else ""
    if drag.position is not None:
        place = trail(now, drag.point, [drag.time]).position[0]
        off = float(np.linalg.norm(place - drag.position))
        if off > DRAG_TOLERANCE and (alone or not any(each.scale is not None for each in drags)):
            return f"{drag.point.joint} is off by {1000 * off:.2g} mm"
        off = float(np.linalg.norm(trail(shown, drag.point, [drag.time]).position[0] - place))
        if off > SEEN and drag is drags[-1]:
            return f"the preview of {drag.point.joint} is {1000 * off:.2g} mm away"
    if drag.orientation is not None and alone:
        turned = trail(now, drag.point, [drag.time]).orientation[0]
        turn = quaternion_multiply(drag.orientation, quaternion_conjugate(turned))
        off = float(np.linalg.norm(vector_from_quaternion(turn)))
        return f"{drag.point.joint} is rotated by {off:.2g} rad too little" if off > TURNED else ""
    return _tick_missed(before, now, drag) if alone and drag.to_time is not None else ""


def _tick_missed(before, now, drag):
    """By how many frames the dragged frame shows another moment than it should."""
    joint = before.rig.joint(drag.point.joint)
    channels = np.flatnonzero(before.rig.channels.joint == joint)
    times = np.arange(round(before.duration * before.rate) + 1) / before.rate
    rates = np.abs(np.diff(values_at(before, times), axis=0)).max(axis=0)
    moves = channels[rates[channels] > 1e-4]
    if not len(moves) or not 0 <= drag.to_time <= before.duration:
        return ""
    wanted, value = (
        values_at(t, np.array([at]))[0] for t, at in ((before, drag.to_time), (now, drag.time))
    )
    off = float((np.abs(wanted - value)[moves] / rates[moves]).max())
    return f"a tick is off by {off:.2g} frames" if off > 1e-9 else ""


def _beside(session, before, now, drags, times):
    """What changes beyond the affected range."""
    reach, away = session.options.affected_range, np.full(len(times), np.inf)
    for drag in drags:
        apart = np.abs(times - drag.time)
        if before.base.loops:
            apart = np.minimum(apart % before.duration, -apart % before.duration)
        own = reach
        if drag.to_time is not None or drag.time_scale:
            way = abs((drag.to_time or drag.time) - drag.time)
            # ticks reach whole frames from the frame nearest to them: up to one and a half more
            own = max(reach, 2 * way, 2 / before.rate) + 1.5 / before.rate
        away = np.minimum(away, apart / own)
    outside = times[away >= 1.0]
    change = np.abs(values_at(now, outside) - values_at(before, outside)).max(axis=0, initial=0.0)
    repeats = [c for c, curve in enumerate(now.base.curves) if curve is not None and curve.cyclic]
    change[repeats] = 0.0  # these are edited within their own cycle
    most = float(change.max(initial=0.0))
    return [f"beyond the range a channel changes by {most:.2g}"] if most > BESIDE else []
