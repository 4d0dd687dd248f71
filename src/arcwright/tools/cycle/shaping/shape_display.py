"""Shape display: what is drawn and said while a loop is shaped."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.columns import channels_moving
from arcwright.scene.point import Point
from arcwright.tools.cycle.shaping.affected_frames import place_at
from arcwright.tools.cycle.shaping.shaped_loop import CHANNEL, ShapedLoop, channel_name
from arcwright.tools.cycle.shaping.shaped_stage import Stage
from arcwright.tools.gesture import Drag, ToolHandle
from arcwright.tools.overlay import CurveOverlay, HandleOverlay, Overlay
from arcwright.tools.shared.drags import DRAG_TOLERANCE, worst
from arcwright.tools.tool import DragStatus, Note

CLOSED = 3.0  # of the largest step: a path whose ends are farther apart does not close


def drag_status(loop: ShapedLoop, drag: Drag, pose: Floats) -> DragStatus:
    """How far the latest drag has come; a channel is at its value."""
    if isinstance(drag.handle, ToolHandle):
        value = float(pose[loop.start.rig.channel(channel_name(drag))])
        place = np.array([drag.time, value, 0.0])
        if drag.position is None:
            return DragStatus(place, None, 0.0)
        wanted = np.array([drag.time, drag.position[1], 0.0])
        return DragStatus(place, wanted, abs(value - float(wanted[1])))
    place = place_at(loop.start.rig, pose[None], drag.point)[0]
    if drag.position is None:
        return DragStatus(place, None, 0.0)
    return DragStatus(place, drag.position, loop.residual(drag).remaining)


def overlays(loop: ShapedLoop, drag: Drag) -> tuple[Overlay, ...]:
    """The loop of the dragged point and the part of it that is affected; handles of a channel."""
    if isinstance(drag.handle, ToolHandle):
        return _channel_handles(loop, channel_name(drag))
    clip, point = loop.start, drag.point
    times = clip.frames
    values = clip.frame_values
    if loop.time_edit is not None:
        values = values.copy()
        moving = np.intersect1d(channels_moving(clip.rig, [point]), loop.timed_channels)
        values[:, moving] = loop.time_edit.shown(times, moving)
    places_now = place_at(clip.rig, values, point)
    affected = np.zeros(len(times), bool)
    if loop.timing is not None:
        affected |= loop.timing.affected(times)
    whole, there = times, places_now
    for stage in (loop.own_stage, loop.stage):
        if stage is not None:
            whole, there, affected = _with_stage(loop, stage, point, whole, there, affected)
    loops = clip.period is not None
    shown: list[Overlay] = [CurveOverlay(there, "guide", loops and _returns(there))]
    if affected.any():
        gap = int(np.argmin(affected)) if loops and not affected.all() else 0
        order = np.roll(np.arange(len(whole)), -gap)
        whole_loop = loops and bool(affected.all()) and _returns(there)
        shown.append(CurveOverlay(there[order[affected[order]]], "edit", whole_loop))
    return tuple(shown)


def _returns(path: Floats) -> bool:
    """Whether a path (T, 3) ends beside its start, as that of a root that travels does not."""
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    gap = float(np.linalg.norm(path[0] - path[-1]))
    return gap <= CLOSED * float(steps.max(initial=0.0))


def _with_stage(
    loop: ShapedLoop,
    stage: Stage,
    point: Point,
    times: Floats,
    there: Floats,
    affected: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> tuple[Floats, Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The path with the frames of a stage in place of those at the same times."""
    own = stage.frames.times
    kept = ~np.isclose(times[:, None], own, rtol=0.0, atol=1e-9).any(axis=1)
    whole = np.concatenate([times[kept], own])
    order = np.argsort(whole)
    moved = np.concatenate([there[kept], place_at(loop.start.rig, stage.values, point)])
    marked = np.concatenate([affected[kept], np.ones(len(own), bool)])
    return whole[order], moved[order], marked[order]


def _channel_handles(loop: ShapedLoop, name: str) -> tuple[Overlay, ...]:
    """A handle for each key of a channel, at its time and value."""
    curve = loop.start.clip.curves[loop.start.rig.channel(name)]
    if curve is None:
        return ()
    keys = zip(curve.time.tolist(), curve.value.tolist(), strict=True)
    return tuple(HandleOverlay(f"{CHANNEL}{name}", np.array([*key, 0.0])) for key in keys)


def shape_notes(loop: ShapedLoop) -> tuple[Note, ...]:
    """What is left undone, and what else people should know."""
    notes: list[Note] = []
    unmet = worst(loop.residual(drag) for drag in loop.moved)
    if unmet is not None:
        notes.append(unmet.note())
    clip, rate = loop.start.clip, loop.start.clip.rate
    for tick, off in () if loop.timing is None else loop.timing.missed:
        frame = f"Frame {round(tick.time * rate, 1):g}"
        text = f"{frame} stops {abs(off) * rate:.1f} frames short: others are in the way"
        notes.append(Note(text, "info", abs(off)))
    stage = loop.stage
    if stage is not None and stage.left is not None:
        away = stage.left.max(axis=1)
        beyond = (away > DRAG_TOLERANCE) & ~stage.frames.exact
        if beyond.any():
            joint = stage.points[int(stage.left.max(axis=0).argmax())].joint
            text = f"{joint} is out of reach in {int(beyond.sum())} frames beside the dragged one"
            notes.append(Note(text, "info", float(away[beyond].max())))
    repeating = {each for fit in (loop.own_fit[1], loop.fit[1]) if fit for each in fit.repeating}
    repeating |= set(loop.retimed[1].repeating if loop.retimed[1] else ())
    if repeating:
        joints = sorted({loop.start.rig.names[loop.start.rig.channels.joint[c]] for c in repeating})
        text = f"{joints[0]} repeats within the loop, and so does this edit"
        notes.append(Note(text, "info", 0.0))
    added = loop.fit[0].clip.key_count - clip.key_count
    if added > 0:
        notes.append(Note(f"Added {added} {'key' if added == 1 else 'keys'}", "info", float(added)))
    return tuple(notes)
