"""Takes: their timing and names, copies of them, and few key poses for baked ones."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Literal

from arcwright.arrays import same
from arcwright.curves.fit import Fit
from arcwright.edits.actors import add_scene, remove_actor, wishes_changed
from arcwright.edits.held import Held, checked, hold
from arcwright.edits.owned import Wish, later, owner
from arcwright.errors import BadValue
from arcwright.kinematics.reduce import as_played
from arcwright.kinematics.reduction import Poses, Reduction
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Scene

__all__ = [
    "add_scene",
    "copy_take",
    "few_keys",
    "fit_take",
    "key_poses",
    "millimetres",
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
    """Frame rate, length (s) and looping of a take; what is None stays.

    With `keep="frames"` a new rate keeps frame numbers: all times are scaled, those of keys,
    samples, layers and wishes, and `duration`, which is in seconds of the old rate.
    """
    held = hold(scene, character, take)
    base = held.take.base
    rate = base.rate if rate is None else rate
    duration = base.duration if duration is None else duration
    checked(rate=rate, duration=duration)
    if keep not in ("seconds", "frames"):
        raise BadValue("keep", "seconds or frames", repr(keep))
    if not rate > 0:
        raise BadValue("rate", "frames per second above 0", rate)
    scale = base.rate / rate if keep == "frames" else 1.0
    label = f"Timing of {base.name}: {rate:g} fps, {duration * scale * rate:.4g} frames"
    if isinstance(base, Clip):
        looped = base.loops if loops is None else loops
        changes = _clip_timing(held, base, scale, rate, duration * scale, looped)
    else:
        if loops or abs(duration - base.duration) > 1e-9:
            advice = "samples as long as they are; turn them into keys with fit"
            raise BadValue(f"clip {base.name!r}", advice, "another length or a loop")
        after = replace(base, time=base.time * scale, rate=rate)
        changes = _field_changes(held, base, after)
    if scale != 1:
        slower = [
            replace(layer, start=layer.start * scale, end=layer.end * scale)
            for layer in held.take.layers
        ]
        changes += _layers(held, slower)
        alone = len(held.actor.takes) == 1
        changes += wishes_changed(
            scene,
            lambda wish: [later(wish, scale) if _about(scene, held, wish, alone) else wish],
        )
    return Edit(label, tuple(changes))


def copy_take(scene: Scene, character: str, take: str, name: str) -> Edit:
    """A second take like this one, with pins, contacts and constraints like its own."""
    held = hold(scene, character, take)
    _check_new(held, name)
    copy = replace(held.take, base=replace(held.take.base, name=name))
    takes = held.actor.takes
    changes = (
        Change(held.at[:-1], takes, (*takes, copy)),
        *wishes_changed(
            scene,
            lambda wish: [wish, replace(wish, clip=name)] if _about(scene, held, wish) else [wish],
        ),
    )
    return Edit(f"Copy {held.take.name} to {name}", changes)


def rename_take(scene: Scene, character: str, take: str, name: str) -> Edit:
    """Another name for a take; its pins, contacts and constraints follow."""
    held = hold(scene, character, take)
    old = held.take.name
    label = f"Rename {old} to {name}"
    if name == old:
        return Edit(label)
    _check_new(held, name)
    changes = (
        Change((*held.at, "base", "name"), old, name),
        *wishes_changed(
            scene,
            lambda wish: [replace(wish, clip=name) if _about(scene, held, wish) else wish],
        ),
    )
    return Edit(label, changes)


def remove_take(scene: Scene, character: str, take: str) -> Edit:
    """A take taken away, with its pins, contacts and constraints."""
    held = hold(scene, character, take)
    rest = tuple(each for each in held.actor.takes if each is not held.take)
    changes = (
        Change(held.at[:-1], held.actor.takes, rest),
        *wishes_changed(scene, lambda wish: [] if _about(scene, held, wish) else [wish]),
    )
    return Edit(f"Remove {held.take.name}", changes)


def fit_take(
    scene: Scene,
    character: str,
    take: str,
    tolerance: float,
    poses: Poses = "aligned",
    *,
    reduction: Reduction | None = None,
) -> Edit:
    """Samples or keys, with their layers, as few key poses; every joint within `tolerance` m.

    A reduction of the take that is there already saves the time to prepare one.
    """
    held = hold(scene, character, take)
    return _fit_edit(held, (reduction or Reduction(held.take)).at(tolerance, poses).fit)


def few_keys(held: Held, tolerance: float) -> tuple[Clip, float]:
    """A take with its layers as few key poses, and how far anything is off at most, m."""
    made = Reduction(held.take).at(tolerance).fit
    return as_played(held.take, made), made.deviation or 0.0


def key_poses(count: int) -> str:
    """As in "24 key poses"."""
    return "1 key pose" if count == 1 else f"{count} key poses"


def _fit_edit(held: Held, made: Fit) -> Edit:
    clip = as_played(held.take, made)
    changes = (Change((*held.at, "base"), held.take.base, clip), *_layers(held, []))
    error = millimetres(made.deviation or 0.0)
    return Edit(f"Fit {clip.name}: {key_poses(made.key_poses)}, at most {error} off", changes)


def millimetres(metres: float) -> str:
    """As in "3.1 mm"."""
    return f"{1000 * metres:.1f} mm"


def _clip_timing(
    held: Held, clip: Clip, scale: float, rate: float, duration: float, loops: bool
) -> tuple[Change, ...]:
    curves = clip.curves if scale == 1 else tuple(_slower(curve, scale) for curve in clip.curves)
    after = replace(clip, curves=curves, rate=rate, duration=duration, loops=loops)
    at = (*held.at, "base", "curves")
    pairs = enumerate(zip(clip.curves, curves, strict=True))
    keys = tuple(Change((*at, c), old, new) for c, (old, new) in pairs if old is not new)
    return keys + _field_changes(held, clip, replace(after, curves=clip.curves))


def _field_changes(held: Held, before: Clip | Motion, after: Clip | Motion) -> tuple[Change, ...]:
    """What differs in the base of a take, field by field, so that all else stays out."""
    pairs = [(f.name, getattr(before, f.name), getattr(after, f.name)) for f in fields(before)]
    at = (*held.at, "base")
    return tuple(Change((*at, name), old, new) for name, old, new in pairs if not same(old, new))


def _layers(held: Held, after: list[Layer]) -> tuple[Change, ...]:
    before = held.take.layers
    return (Change((*held.at, "layers"), before, tuple(after)),) if before else ()


def _slower(curve: Curve | None, scale: float) -> Curve | None:
    if curve is None:
        return None
    return replace(curve, time=curve.time * scale, tangent=curve.tangent * [scale, 1.0])


def _about(scene: Scene, held: Held, wish: Wish, every: bool = False) -> bool:
    """Whether a wish belongs to this take; with `every`, also one about all takes of the actor."""
    clips = (held.take.name, "") if every else (held.take.name,)
    return owner(scene, wish) == held.actor.name and wish.clip in clips


def _check_new(held: Held, name: str) -> None:
    taken = [take.name for take in held.actor.takes]
    if not name.strip() or name in taken:
        wanted = f"a new name, as {', '.join(taken)} are taken"
        raise BadValue("name of a take", wanted, repr(name))
