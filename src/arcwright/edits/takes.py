"""Edits of takes: timing, renaming, copying, removing, and fitting keyframes to samples."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Literal

from arcwright.arrays import same
from arcwright.curves.fit import Fit
from arcwright.edits.activity_subjects import is_about, with_event_times
from arcwright.edits.actors import (
    activity_changes,
    add_scene,
    constraint_changes,
    recording_changes,
    remove_actor,
    unique_name,
)
from arcwright.edits.edited_take import EditedTake, check_finite, find_take
from arcwright.edits.ownership import owner, scale_times
from arcwright.edits.roles import role_changes
from arcwright.errors import BadValue
from arcwright.kinematics.reduction import Poses, Reduction, as_played
from arcwright.scene.activity import Activity
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Constraint
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.recording import Recording
from arcwright.scene.scene import Scene

__all__ = [
    "add_scene",
    "copy_take",
    "fit_take",
    "key_poses",
    "millimetres",
    "reduce_to_clip",
    "remove_actor",
    "remove_take",
    "rename_take",
    "set_timing",
]


def set_timing(
    scene: Scene,
    character: str,
    take: str,
    *,
    rate: float | None = None,
    duration: float | None = None,
    loops: bool | None = None,
    keep: Literal["seconds", "frames"] = "seconds",
) -> Edit:
    """Set frame rate, length (s) and looping of a take; None leaves a value unchanged.

    With `keep="frames"` a new rate keeps frame numbers: all times are scaled, those of keys,
    samples, layers, constraints and events of activities, and `duration`, which is in seconds of
    the old rate.
    """
    edited = find_take(scene, character, take)
    base = edited.take.base
    rate = base.rate if rate is None else rate
    duration = base.duration if duration is None else duration
    check_finite(rate=rate, duration=duration)
    if keep not in ("seconds", "frames"):
        raise BadValue("keep", "seconds or frames", repr(keep))
    if not rate > 0:
        raise BadValue("rate", "frames per second above 0", rate)
    scale = base.rate / rate if keep == "frames" else 1.0
    frames = f"{duration * scale * rate:.4g}"
    counted = f"{frames} frame" if frames == "1" else f"{frames} frames"
    label = f"Timing of {base.name}: {rate:g} fps, {counted}"
    if isinstance(base, Clip):
        looped = base.loops if loops is None else loops
        changes = _clip_timing(edited, base, scale, rate, duration * scale, looped)
    else:
        if loops or abs(duration - base.duration) > 1e-9:
            advice = "samples of unchanged length; convert them to keyframes with fit"
            raise BadValue(f"take {base.name!r}", advice, "another length or a loop")
        after = replace(base, time=base.time * scale, rate=rate)
        changes = _field_changes(edited, base, after)
    if scale != 1:
        changes += _scaled_with_it(scene, edited, scale)
    return Edit(label, tuple(changes))


def scale_clip(scene: Scene, character: str, take: str, duration: float) -> Edit:
    """Play a clip faster or slower, so that it is `duration` seconds long at the same rate.

    The times of keys, handles, layers, constraints and events are scaled with it.
    """
    edited = find_take(scene, character, take)
    clip = edited.take.base
    check_finite(duration=duration)
    if not isinstance(clip, Clip) or not clip.duration > 0:
        raise BadValue(f"take {edited.take.name!r}", "keys, and a length above 0", clip.duration)
    if not duration > 0:
        raise BadValue("duration", "seconds above 0", duration)
    scale = duration / clip.duration
    if scale == 1:
        return Edit(f"Length of {clip.name}")
    changes = _clip_timing(edited, clip, scale, clip.rate, duration, clip.loops)
    changes += _scaled_with_it(scene, edited, scale)
    return Edit(f"Length of {clip.name}: {duration:.4g} s", changes)


def _scaled_with_it(scene: Scene, edited: EditedTake, scale: float) -> tuple[Change, ...]:
    """Layers, sections, markers, constraints and activities of a take whose times are scaled."""
    scaled = [
        replace(layer, start=layer.start * scale, end=layer.end * scale)
        for layer in edited.take.layers
    ]
    alone = len(edited.actor.takes) == 1
    return (
        _layer_change(edited, scaled)
        + _section_change(edited, scale)
        + _marker_change(edited, scale)
        + constraint_changes(
            scene,
            lambda constraint: [
                scale_times(constraint, scale)
                if _belongs_to(scene, edited, constraint, alone)
                else constraint
            ],
        )
        + activity_changes(
            scene,
            lambda each: [
                with_event_times(each, lambda times: times * scale)
                if is_about(scene, each, edited)
                else each
            ],
        )
    )


def copy_take(scene: Scene, character: str, take: str, name: str) -> Edit:
    """Copy a take, with its constraints, recordings and activities, under a new name."""
    edited = find_take(scene, character, take)
    _check_new_name(edited, name)
    copy = replace(edited.take, base=replace(edited.take.base, name=name))
    takes = edited.actor.takes
    changes = (
        Change(edited.address[:-1], takes, (*takes, copy)),
        *constraint_changes(
            scene,
            lambda constraint: (
                [constraint, replace(constraint, take=name)]
                if _belongs_to(scene, edited, constraint)
                else [constraint]
            ),
        ),
        *recording_changes(
            scene,
            lambda each: [each, replace(each, take=name)] if _made(edited, each) else [each],
        ),
        *_copied_activities(scene, edited, name),
    )
    return Edit(f"Copy {edited.take.name} to {name}", changes)


def _copied_activities(scene: Scene, edited: EditedTake, take: str) -> tuple[Change, ...]:
    taken = {each.name for each in scene.activities}

    def copied(activity: Activity) -> list[Activity]:
        if not is_about(scene, activity, edited):
            return [activity]
        name = unique_name(activity.name, taken)
        taken.add(name)
        return [activity, replace(activity, name=name, take=take)]

    return activity_changes(scene, copied)


def rename_take(scene: Scene, character: str, take: str, name: str) -> Edit:
    """Rename a take; its constraints, recordings, activities and roles follow."""
    edited = find_take(scene, character, take)
    old = edited.take.name
    label = f"Rename {old} to {name}"
    if name == old:
        return Edit(label)
    _check_new_name(edited, name)
    changes = (
        Change((*edited.address, "base", "name"), old, name),
        *constraint_changes(
            scene,
            lambda constraint: [
                replace(constraint, take=name)
                if _belongs_to(scene, edited, constraint)
                else constraint
            ],
        ),
        *recording_changes(
            scene, lambda each: [replace(each, take=name) if _made(edited, each) else each]
        ),
        *activity_changes(
            scene,
            lambda each: [
                replace(each, take=name) if each.take and is_about(scene, each, edited) else each
            ],
        ),
        *role_changes(scene, edited.actor, lambda each: name if each == old else each),
    )
    return Edit(label, changes)


def remove_take(scene: Scene, character: str, take: str) -> Edit:
    """Remove a take, with its constraints, recordings, activities and roles."""
    edited = find_take(scene, character, take)
    remaining = tuple(each for each in edited.actor.takes if each is not edited.take)
    changes = (
        Change(edited.address[:-1], edited.actor.takes, remaining),
        *constraint_changes(
            scene, lambda constraint: [] if _belongs_to(scene, edited, constraint) else [constraint]
        ),
        *recording_changes(scene, lambda each: [] if _made(edited, each) else [each]),
        *activity_changes(scene, lambda each: [] if is_about(scene, each, edited) else [each]),
        *role_changes(scene, edited.actor, lambda each: "" if each == edited.take.name else each),
    )
    return Edit(f"Remove {edited.take.name}", changes)


def fit_take(
    scene: Scene,
    character: str,
    take: str,
    tolerance: float,
    poses: Poses = "aligned",
    *,
    reduction: Reduction | None = None,
) -> Edit:
    """Replace a take and its layers by few key poses, every joint within `tolerance` m.

    Passing a prepared `reduction` of the take saves the time to prepare one.
    """
    edited = find_take(scene, character, take)
    return _fit_edit(edited, (reduction or Reduction(edited.take)).at(tolerance, poses).fit)


def reduce_to_clip(edited: EditedTake, tolerance: float) -> tuple[Clip, float]:
    """Reduce a take with its layers to few key poses; also returns the largest deviation, m."""
    made = Reduction(edited.take).at(tolerance).fit
    return as_played(edited.take, made), made.deviation or 0.0


def key_poses(count: int) -> str:
    """A count of key poses as text: "24 key poses"."""
    return "1 key pose" if count == 1 else f"{count} key poses"


def _fit_edit(edited: EditedTake, made: Fit) -> Edit:
    clip = as_played(edited.take, made)
    changes = (
        Change((*edited.address, "base"), edited.take.base, clip),
        *_layer_change(edited, []),
    )
    error = millimetres(made.deviation or 0.0)
    return Edit(f"Fit {clip.name}: {key_poses(made.key_poses)}, at most {error} off", changes)


def millimetres(metres: float) -> str:
    """A length as text: "3.1 mm"."""
    return f"{1000 * metres:.1f} mm"


def _clip_timing(
    edited: EditedTake, clip: Clip, scale: float, rate: float, duration: float, loops: bool
) -> tuple[Change, ...]:
    curves = (
        clip.curves
        if scale == 1
        else tuple(_scale_curve_times(curve, scale) for curve in clip.curves)
    )
    after = replace(clip, curves=curves, rate=rate, duration=duration, loops=loops)
    at = (*edited.address, "base", "curves")
    pairs = enumerate(zip(clip.curves, curves, strict=True))
    keys = tuple(Change((*at, c), old, new) for c, (old, new) in pairs if old is not new)
    return keys + _field_changes(edited, clip, replace(after, curves=clip.curves))


def _field_changes(
    edited: EditedTake, before: Clip | Motion, after: Clip | Motion
) -> tuple[Change, ...]:
    """One change per field of the base that differs, so that the edit holds nothing else."""
    pairs = [(f.name, getattr(before, f.name), getattr(after, f.name)) for f in fields(before)]
    at = (*edited.address, "base")
    return tuple(Change((*at, name), old, new) for name, old, new in pairs if not same(old, new))


def _layer_change(edited: EditedTake, after: list[Layer]) -> tuple[Change, ...]:
    before = edited.take.layers
    return (Change((*edited.address, "layers"), before, tuple(after)),) if before else ()


def _section_change(edited: EditedTake, scale: float) -> tuple[Change, ...]:
    before = edited.take.sections
    after = tuple(replace(each, start=each.start * scale) for each in before)
    return (Change((*edited.address, "sections"), before, after),) if before else ()


def _marker_change(edited: EditedTake, scale: float) -> tuple[Change, ...]:
    before = edited.take.markers
    after = tuple(replace(each, time=each.time * scale) for each in before)
    return (Change((*edited.address, "markers"), before, after),) if before else ()


def _scale_curve_times(curve: Curve | None, scale: float) -> Curve | None:
    if curve is None:
        return None
    return replace(curve, time=curve.time * scale, tangent=curve.tangent * [scale, 1.0])


def _belongs_to(
    scene: Scene, edited: EditedTake, constraint: Constraint, every: bool = False
) -> bool:
    """Whether a constraint is on this take; with `every`, also one on all takes of the actor."""
    clips = (edited.take.name, "") if every else (edited.take.name,)
    return owner(scene, constraint) == edited.actor.name and constraint.take in clips


def _made(edited: EditedTake, recording: Recording) -> bool:
    """Whether this take was made from a recording."""
    return (recording.character, recording.take) == (edited.actor.name, edited.take.name)


def _check_new_name(edited: EditedTake, name: str) -> None:
    taken = [take.name for take in edited.actor.takes]
    if not name.strip() or name in taken:
        expected = f"a new name, as {', '.join(taken)} are taken"
        raise BadValue("name of a take", expected, repr(name))
