"""The cycle of a take in a file, and its loop as a file: for the command line and for batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from arcwright.errors import BadValue
from arcwright.objectives.edited_clip import find_take
from arcwright.open import write
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.scripting import cycle


def cycle_scene(
    scene: Scene,
    out: Path | str | None = None,
    *,
    take: str = "",
    character: str = "",
    method: Literal["auto", "paper"] = "auto",
    shape: Literal["average", "best", "latest"] = "average",
    joints: Sequence[str] = (),
    period: float | None = None,
    start: float | None = None,
    mirror: bool = False,
    tolerance: float = 0.005,
    travels: bool = False,
    repeat: int | None = None,
    blend: float = 0.3,
    around: Literal["source", "rest"] = "source",
) -> dict[str, Any]:
    """What was found in a take, as JSON; its loop is written to `out`, in place or travelling.

    With `repeat` a longer take is written: the loop so many times, blended into what is around it.
    """
    actor, source, (kind, *_) = find_take(scene, Target(character=character, take=take))
    found = cycle(
        source,
        actor=actor,
        method=method,
        shape=shape,
        joints=joints,
        period=period,
        start=start,
        mirror=mirror,
    )
    came = list(scene.source.warnings) if scene.source else []
    result = {"take": source.name, **found.as_json(), "warnings": came}
    if out is None or found.cycle is None:
        return result
    if repeat is None:
        loop = found.loop(tolerance=tolerance, travels=travels)
        made = Take(actor.rig, replace(loop.clip, name=f"{source.name} loop"))
        result["key_poses"], result["fit_error"] = loop.key_poses, loop.error
        result["clip_closure"] = loop.closure.as_json
    else:
        made = found.repeated(repeat, blend=blend, travels=travels, around=around)
    alone = replace(actor, takes=(made,))
    others: dict[str, Any] = {"characters": (), "props": (), "constraints": (), "activities": ()}
    others[str(kind)] = (alone,)
    warnings = write(replace(scene, **others), out)
    frames = made.frame_count - (repeat is None)
    return {**result, "out": str(out), "frames": frames, "warnings": [*came, *warnings]}


def write_loop(scene: Scene, out: Path, **options: Any) -> dict[str, Any]:
    """As `cycle_scene`, but a take that does not repeat is an error."""
    result = cycle_scene(scene, out, **options)
    if result["period"] is None:
        raise BadValue(f"take {result['take']!r}", "a movement that repeats", result["reason"])
    return result
