"""Scripting: use a tool from Python in one call, or step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_take, take_of_point
from arcwright.scene.constraint import Constraint, Pin
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.recording import Recording, recording_at
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target, target_of
from arcwright.tools import catalogue
from arcwright.tools.cycle.extraction.loop import Shape
from arcwright.tools.cycle.extraction.take_cycle import Method, TakeCycle, extract_cycle
from arcwright.tools.gesture import Drag, Performance
from arcwright.tools.interaction import Interaction
from arcwright.tools.options import options_from
from arcwright.tools.recorded_device import performance_from as performance_from
from arcwright.tools.tool import Solved, Solves, Tool


def tool_names() -> tuple[str, ...]:
    """The names of all tools."""
    return tuple(each.name for each in catalogue.tools())


def find_tool(name: str) -> Tool:
    """The tool of this name; its `Options` are those that `begin` and `drag` take."""
    return catalogue.tool(name)


def begin(
    tool: str,
    scene: Scene,
    *,
    character: str = "",
    take: str = "",
    point: Point | str | None = None,
    channels: Sequence[str] = (),
    recording: Recording | None = None,
    time: float = 0.0,
    pins: Sequence[Point | str | Pin] = (),
    constraints: Sequence[Constraint] = (),
    **options: Any,
) -> Interaction:
    """Begin an interaction with a tool: `update` it with gestures, then `finish` it to an edit.

    `point` or `channels`, such as `Jaw.rotate.x`, follow a `Performance`, or are what options such
    as `phase` are about. A `recording` of the scene is made into its layer or take again, with its
    own options where no others are given. A performance of a puppet begins at `time`, s.

    `pins` are points that keep their path, by the name of a joint or as a `Point` through the
    whole take. Pins and constraints hold during this interaction besides those of the scene; they
    do not become part of the edit. `options` are those of the tool.
    """
    chosen = find_tool(tool)
    if recording is not None:
        scene = _with_constraints(scene, target_of(recording), pins, constraints)
        given = options_from(chosen.Options, {**recording.options, **options})
        return Interaction(chosen, scene, target_of(recording), given)
    held = Point(point) if isinstance(point, str) else point
    if held is not None and held.character and not character:
        character = held.character
    actor = scene.actor(character)
    target = _target(scene, character, take) if actor.takes else Target(actor.name)
    scene = _with_constraints(scene, target, pins, constraints)
    target = replace(target, point=held, channels=tuple(channels), time=float(time))
    return Interaction(chosen, scene, target, options_from(chosen.Options, options))


def perform(
    scene: Scene,
    item: Point | str | Sequence[str],
    performance: Performance,
    *,
    character: str = "",
    take: str = "",
    pins: Sequence[Point | str | Pin] = (),
    **options: Any,
) -> Edit:
    """Perform a point, or channels by name, with what a device recorded: it becomes a loop.

    `item` is a `Point`, the name of a joint, or a sequence of channels. The edit is empty where
    nothing repeats; `begin("cycle", ...)` also tells why. Options are those of the cycle tool.
    """
    interaction = begin(
        "cycle",
        scene,
        character=character,
        take=take,
        point=item if isinstance(item, Point | str) else None,
        channels=() if isinstance(item, Point | str) else tuple(str(each) for each in item),
        pins=pins,
        **options,
    )
    interaction.update(performance)
    return interaction.finish()


def record_again(scene: Scene, recording: Recording | int, **options: Any) -> Edit:
    """Make the layer or take of a kept recording again, with other options such as `period`.

    `recording` is one of `scene.recordings`, or its index.
    """
    if isinstance(recording, int):
        recording = recording_at(scene.recordings, recording)
    return begin(recording.tool, scene, recording=recording, **options).finish()


def cycle(
    take: Take,
    *,
    actor: Actor | None = None,
    method: Method = "auto",
    shape: Shape = "average",
    joints: Sequence[str] = (),
    period: float | None = None,
    start: float | None = None,
    mirror: bool = False,
) -> TakeCycle:
    """The cycle of a movement that repeats in a take: its period, cuts and a loop with few keys.

    Where nothing repeats, `period` is None and `reason` says why. `joints` are those whose movement
    must repeat, all by default; `period` chooses among the alternatives. The loop starts with the
    moment `start` of the take, s. With `mirror` its second half is the first, mirrored. The `actor`
    that has the take helps to find its root.
    """
    return extract_cycle(
        take,
        actor=actor,
        method=method,
        shape=shape,
        joints=joints,
        period=period,
        start=start,
        mirror=mirror,
    )


def drag(
    scene: Scene,
    point: Point | str,
    *,
    frame: float | None = None,
    time: float | None = None,
    by: ArrayLike | None = None,
    to: ArrayLike | None = None,
    turn: ArrayLike | None = None,
    time_scale: float | None = None,
    to_frame: float | None = None,
    scale: ArrayLike | None = None,
    axes: ArrayLike | None = None,
    tool: str = "tangent",
    character: str = "",
    take: str = "",
    pins: Sequence[Point | str | Pin] = (),
    constraints: Sequence[Constraint] = (),
    **options: Any,
) -> Edit:
    """Drag a point at a frame and return the edit; the scene stays as it is.

    The drag is that of `make_drag`; pins, constraints and options are those of `begin`, which
    also gives previews and notes.
    """
    interaction = begin(
        tool,
        scene,
        character=character,
        take=take,
        pins=pins,
        constraints=constraints,
        **options,
    )
    interaction.update(
        make_drag(
            scene,
            point,
            frame=frame,
            time=time,
            by=by,
            to=to,
            turn=turn,
            time_scale=time_scale,
            to_frame=to_frame,
            scale=scale,
            axes=axes,
            character=character,
            take=take,
        )
    )
    return interaction.finish()


def make_drag(
    scene: Scene,
    point: Point | str,
    *,
    frame: float | None = None,
    time: float | None = None,
    by: ArrayLike | None = None,
    to: ArrayLike | None = None,
    turn: ArrayLike | None = None,
    time_scale: float | None = None,
    to_frame: float | None = None,
    scale: ArrayLike | None = None,
    axes: ArrayLike | None = None,
    character: str = "",
    take: str = "",
) -> Drag:
    """A drag from where a point is in the scene, at a frame or a time in seconds.

    `by` is in metres from where the point is, `to` a position in the world; `turn` is a rotation
    vector in the world, rad, from the orientation that its joint has; `to_frame` is the frame whose
    moment it should show, `scale` one factor or three. See `Drag` for the others.
    """
    point = Point(point) if isinstance(point, str) else point
    target = _target(scene, character, take)
    if (frame is None) == (time is None):
        raise BadValue("drag", "a frame or a time", "neither" if frame is None else "both")
    if by is not None and to is not None:
        raise BadValue("drag", "by or to", "both")
    rate = scene.actor(target.character).take(target.take).rate
    moment = time if time is not None else (frame or 0.0) / rate
    start = trail(take_of_point(scene, target, point), point, [moment])
    position: Floats | None = None if to is None else frozen(to, "to", (3,))
    if by is not None:
        position = start.position[0] + frozen(by, "by", (3,))
    orientation: Floats | None = None
    if turn is not None:
        rotation = quaternion_from_vector(frozen(turn, "turn", (3,)))
        orientation = quaternion_multiply(rotation, start.orientation[0])
    if all(each is None for each in (position, orientation, time_scale, to_frame, scale)):
        raise BadValue("drag", "by, to, turn, time_scale, to_frame or scale", "none of them")
    directions = None if axes is None else frozen(np.atleast_2d(axes), "axes", ("A", 3))
    factors = None if scale is None else np.broadcast_to(np.asarray(scale, float), (3,))
    to_time = None if to_frame is None else to_frame / rate
    return Drag(point, moment, position, orientation, time_scale, directions, to_time, factors)


def solve_constraints(
    scene: Scene,
    *,
    tool: str = "spacetime",
    character: str = "",
    take: str = "",
    pins: Sequence[Point | str | Pin] = (),
    constraints: Sequence[Constraint] = (),
    **options: Any,
) -> Solved:
    """Change a take so that its constraints hold: the edit, and notes on what still does not."""
    chosen = find_tool(tool)
    if not isinstance(chosen, Solves):
        raise BadValue("tool", "one that solves constraints, such as spacetime", tool)
    target = _target(scene, character, take)
    scene = _with_constraints(scene, target, pins, constraints)
    return chosen.solve(scene, target, options_from(chosen.Options, options))


def _target(scene: Scene, character: str, take: str) -> Target:
    actor, found, _ = find_take(scene, Target(character, take))
    return Target(actor.name, found.name)


def _with_constraints(
    scene: Scene,
    target: Target,
    pins: Iterable[Point | str | Pin],
    constraints: Iterable[Constraint],
) -> Scene:
    """The scene with more constraints."""
    more = (*(_pin(scene, target, pin) for pin in pins), *constraints)
    for each in more:
        if not isinstance(each, Constraint):
            raise BadValue("constraints", "pins, contacts and other constraints", each)
    return replace(scene, constraints=(*scene.constraints, *more))


def _pin(scene: Scene, target: Target, pin: Point | str | Pin) -> Pin:
    """A pin as given, or one of a point through the whole take."""
    if isinstance(pin, Pin):
        return pin
    point = Point(pin) if isinstance(pin, str) else pin
    take = take_of_point(scene, target, point)
    take.rig.joint(point.joint)  # an unknown name is refused
    return Pin(point, 0.0, take.duration)
