"""Replay: run a gesture file headless and measure the outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from time import perf_counter
from typing import Any

import numpy as np

from arcwright.errors import BadValue
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import take_of_point
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag, Gesture, Setting, ToolHandle, chunks
from arcwright.tools.interaction import Interaction
from arcwright.tools.options import options_from
from arcwright.tools.replay.constraint_parser import parse_constraint
from arcwright.tools.replay.gesture_entries import (
    FileDrag,
    FileGesture,
    FileSamples,
    FileSetting,
    FileUse,
)
from arcwright.tools.replay.gesture_file import Case
from arcwright.tools.replay.outcome import Outcome, key_change, key_count, limit_excess, pin_drift
from arcwright.tools.tool import Retimes, Solved, Solves


def replay(
    case: Case, scene: Scene, clock: Callable[[], float] = perf_counter
) -> tuple[Scene, list[Outcome]]:
    """The scene after all interactions of a case, each from where the last one ended."""
    scene, target = _begun(case, scene)
    outcomes: list[Outcome] = []
    for gestures in _interactions(case):
        scene, outcome = _replayed(case, scene, target, gestures, clock)
        outcomes.append(outcome)
    return scene, outcomes


def can_apply(case: Case) -> bool:
    """Whether a gesture file has no gestures and its tool can solve constraints without one."""
    return not case.gestures and isinstance(tool(case.tool), Solves)


def apply(case: Case, scene: Scene) -> tuple[Scene, Solved]:
    """Solve the constraints of a file without gestures: the scene after it and the outcome."""
    scene, target = _begun(case, scene)
    chosen = tool(case.tool)
    assert isinstance(chosen, Solves)
    options = options_from(chosen.Options, case.options)
    done: Solved = chosen.solve(scene, target, options)
    return done.edit.apply(scene), done


def _begun(case: Case, scene: Scene) -> tuple[Scene, Target]:
    """The scene with the constraints of a case, and what the case is about."""
    actor = scene.actor(case.character)
    clip = case.take or (actor.takes[0].name if actor.takes else "")
    rate = _take(scene, Target(actor.name, clip)).rate
    parsed = [parse_constraint(each, rate, where, clip) for where, each in case.constraints]
    simple = all(isinstance(each, Pin | Contact) for each in parsed)
    if not simple and not isinstance(tool(case.tool), Solves):
        raise BadValue("constraints", "a tool that takes them, such as spacetime", case.tool)
    scene = replace(scene, constraints=(*scene.constraints, *parsed))
    return scene, Target(actor.name, clip)


def _interactions(case: Case) -> list[list[FileGesture]]:
    """The gestures of each interaction."""
    found: list[list[FileGesture]] = []
    for gesture in case.gestures:
        if gesture.continues:
            found[-1].append(gesture)
        else:
            found.append([gesture])
    return found


def _target_of(scene: Scene, target: Target, use: FileUse) -> Target:
    """What a gesture is about: what the file says, unless it says otherwise."""
    if use.character:
        takes = scene.actor(use.character).takes
        target = Target(use.character, use.take or (takes[0].name if takes else ""))
    elif use.take:
        target = replace(target, take=use.take)
    return replace(target, point=use.point, channels=use.channels)


def _take(scene: Scene, target: Target) -> Take:
    """The take of a target; an actor without one stands still."""
    actor = scene.actor(target.character)
    if actor.takes:
        return actor.take(target.take) if target.take else actor.takes[0]
    return Take(actor.rig, Clip("", (None,) * len(actor.rig.channels), 0.0))


def _replayed(
    case: Case,
    scene: Scene,
    target: Target,
    gestures: list[FileGesture],
    clock: Callable[[], float],
) -> tuple[Scene, Outcome]:
    chosen = tool(case.tool)
    use = gestures[0].use
    target = _target_of(scene, target, use)
    before = _take(scene, target)
    options = options_from(chosen.Options, {**case.options, **use.options})
    interaction = Interaction(chosen, scene, target, options)
    spent: list[float] = []
    for gesture in gestures:
        for update in _updates(gesture, scene, target, options):
            began = clock()
            interaction.update(update)
            spent.append((clock() - began) * 1000)
    preview, drag = interaction.preview, interaction.last_drag
    assert preview is not None
    after_scene = interaction.finish().apply(scene)
    after = _take(after_scene, target)
    session = interaction.session
    warp = session.warp() if isinstance(session, Retimes) else None
    hit = turned = None
    if drag is not None and isinstance(drag.handle, Point):
        moved = drag if warp is None else replace(drag, time=warp.moment(drag.time))
        hit, turned = _drag_errors(moved, take_of_point(after_scene, target, drag.point))
    held = (drag.time, drag.time) if chosen.one_frame and drag else preview.span
    if warp is not None and held is not None:
        held = warp.moment(held[0]), warp.moment(held[1])
    outcome = Outcome(
        hit_m=hit,
        turn_error_rad=turned,
        pin_drift_m=pin_drift(after_scene, before, after, held, warp),
        limit_excess=limit_excess(after),
        keys_before=key_count(before),
        keys_after=key_count(after),
        key_change=key_change(before, after),
        notes=tuple(note.text for note in preview.notes),
        ms=tuple(spent),
        used=getattr(interaction.session, "used", {}),
    )
    return after_scene, outcome


def _updates(gesture: FileGesture, scene: Scene, target: Target, options: Any) -> Sequence[Gesture]:
    """A gesture as a face delivers it: move by move, chunk by chunk."""
    match gesture:
        case FileSetting():
            values = {each.name: getattr(options, each.name) for each in fields(options)}
            return [Setting(options_from(type(options), values | dict(gesture.options)))]
        case FileSamples(samples, chunk):
            return chunks(samples, chunk)
    rate = _take(scene, target).rate
    if isinstance(gesture.handle, ToolHandle):
        return _handle_moves(gesture, rate)
    return _moves(gesture, take_of_point(scene, target, gesture.point), rate)


def _handle_moves(drag: FileDrag, rate: float) -> list[Drag]:
    """A handle goes to its target in one move: only its tool knows where it is."""
    to_time = None if drag.to_frame is None else drag.to_frame / rate
    return [Drag(drag.handle, drag.frame / rate, position=drag.to, axes=drag.axes, to_time=to_time)]


def _moves(drag: FileDrag, take: Take, rate: float) -> list[Drag]:
    """The drag's moves: from where the point is, straight to where it should go."""
    time = drag.frame / rate
    to_time = None if drag.to_frame is None else drag.to_frame / rate
    at = trail(take, drag.point, np.array([time]))
    position, orientation = at.position[0], at.orientation[0]
    by = drag.by if drag.to is None else drag.to - position
    turning = bool(np.abs(drag.turn).max() > 0)
    others = turning or drag.scale_time or drag.to_frame is not None or drag.scale is not None
    moving = bool(np.abs(by).max() > 0) or drag.to is not None or not others
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
                to_time=None if to_time is None else time + share * (to_time - time),
                scale=None if drag.scale is None else drag.scale**share,
            )
        )
    return moves


def _drag_errors(drag: Drag, take: Take) -> tuple[float, float]:
    at = trail(take, drag.point, np.array([drag.time]))
    hit = turned = 0.0
    if drag.position is not None:
        away = drag.position - at.position[0]
        hit = float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))
    if drag.orientation is not None:
        between = quaternion_multiply(drag.orientation, quaternion_conjugate(at.orientation[0]))
        turned = float(np.linalg.norm(vector_from_quaternion(between)))
    return hit, turned
