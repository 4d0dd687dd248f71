"""Layers: how much of each is used, their order and names, and many made into one base.

A layer is named by its place in the take: 0 lies on the base, the last one on top of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.edits.held import Held, checked, counted, hold
from arcwright.edits.selection import whole_quaternions
from arcwright.edits.takes import few_keys, millimetres
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Change, Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take


def mute_layer(scene: Scene, character: str, take: str, layer: int, muted: bool) -> Edit:
    """A layer that is not used for now, or used again."""
    held = hold(scene, character, take)
    old = _layer(held, layer)
    label = f"{'Mute' if muted else 'Unmute'} {old.name}"
    return _with_field(held, layer, "muted", old.muted, muted, label)


def weigh_layer(scene: Scene, character: str, take: str, layer: int, weight: float) -> Edit:
    """How much of a layer is used, 0 to 1."""
    held = hold(scene, character, take)
    old = _layer(held, layer)
    checked(weight=weight)
    if not 0 <= weight <= 1:
        raise BadValue(f"weight of {old.name!r}", "0 to 1", weight)
    label = f"Weight of {old.name}: {100 * weight:.3g} %"
    return _with_field(held, layer, "weight", old.weight, float(weight), label)


def rename_layer(scene: Scene, character: str, take: str, layer: int, name: str) -> Edit:
    """Another name for a layer."""
    held = hold(scene, character, take)
    old = _layer(held, layer)
    if not name.strip():
        raise BadValue("name of a layer", "some letters", repr(name))
    return _with_field(held, layer, "name", old.name, name, f"Rename {old.name} to {name}")


def move_layer(scene: Scene, character: str, take: str, layer: int, to: int) -> Edit:
    """A layer taken out and put in at another place of the stack."""
    held = hold(scene, character, take)
    moved, _ = _layer(held, layer), _layer(held, to)
    stack = list(held.take.layers)
    stack.insert(to, stack.pop(layer))
    label = f"{'Raise' if to > layer else 'Lower'} {moved.name}"
    return Edit(label) if to == layer else _stacked(held, stack, label)


def remove_layer(scene: Scene, character: str, take: str, layer: int) -> Edit:
    """A layer taken away."""
    held = hold(scene, character, take)
    gone = _layer(held, layer)
    rest = (*held.take.layers[:layer], *held.take.layers[layer + 1 :])
    return _stacked(held, rest, f"Remove {gone.name}")


def copy_layer(scene: Scene, character: str, take: str, layer: int) -> Edit:
    """A second layer like this one, right above it, under a name of its own."""
    held = hold(scene, character, take)
    old = _layer(held, layer)
    taken = {each.name for each in held.take.layers}
    numbers = range(2, len(taken) + 3)
    name = next(new for n in numbers if (new := f"{old.name} ({n})") not in taken)
    stack = list(held.take.layers)
    stack.insert(layer + 1, replace(old, name=name))
    return _stacked(held, stack, f"Copy {old.name}")


def flatten(scene: Scene, character: str, take: str, tolerance: float) -> Edit:
    """All layers and their base as few keys, each joint near its place; the label says how near.

    Curves of channels that no layer touches stay as they are, key for key.
    """
    held = hold(scene, character, take)
    used = _used(held)
    clip, error = few_keys(held, tolerance)
    base = held.take.base
    if isinstance(base, Clip):
        touched = _touched(held.take, used)
        pairs = enumerate(zip(base.curves, clip.curves, strict=True))
        curves = tuple(new if c in touched else old for c, (old, new) in pairs)
        clip = replace(clip, curves=curves)
        error = _farthest(held.take, Take(held.take.rig, clip))
    label = f"Flatten {base.name} into {clip.key_count} keys, within {millimetres(error)}"
    return _based(held, clip, label + _dropped(held, used))


def bake(scene: Scene, character: str, take: str) -> Edit:
    """The layers of a recorded take put into its samples, which lose nothing by it."""
    held = hold(scene, character, take)
    used = _used(held)
    base = held.take.base
    if not isinstance(base, Motion):
        raise BadValue(f"clip {base.name!r}", "samples; flatten keys into keys", "keys")
    label = f"Bake {base.name} into its samples"
    return _based(held, sample(held.take, base.time), label + _dropped(held, used))


def _layer(held: Held, layer: int) -> Layer:
    layers = held.take.layers
    if not 0 <= layer < len(layers):
        there = f"0 to {len(layers) - 1}" if layers else "none, as it has none"
        raise BadValue(f"layer of {held.take.name!r}", there, layer)
    return layers[layer]


def _with_field(
    held: Held, layer: int, field: str, before: object, after: object, label: str
) -> Edit:
    if before == after:
        return Edit(label)
    return Edit(label, (Change((*held.at, "layers", layer, field), before, after),))


def _stacked(held: Held, layers: Sequence[Layer], label: str) -> Edit:
    return Edit(label, (Change((*held.at, "layers"), held.take.layers, tuple(layers)),))


def _based(held: Held, base: Clip | Motion, label: str) -> Edit:
    """Another base, and no layers."""
    bases = Change((*held.at, "base"), held.take.base, base)
    return Edit(label, (bases, Change((*held.at, "layers"), held.take.layers, ())))


def _used(held: Held) -> list[Layer]:
    """The layers that are heard; a take without any raises."""
    if not held.take.layers:
        raise BadValue(f"clip {held.take.name!r}", "layers to put into its base", "none")
    return [layer for layer in held.take.layers if not layer.muted and layer.weight > 0]


def _dropped(held: Held, used: list[Layer]) -> str:
    silent = len(held.take.layers) - len(used)
    return f", without {counted(silent, 'muted layer')}" if silent else ""


def _touched(take: Take, layers: list[Layer]) -> set[int]:
    """The channels that layers change."""
    joint, kind = take.rig.channels.joint, take.rig.channels.kind
    found: set[int] = set()
    for layer in layers:
        turning = np.isin(joint, layer.joints)
        turning &= (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)
        found.update(np.flatnonzero(turning).tolist(), layer.channels.tolist())
    return set(whole_quaternions(take.rig, found))


def _farthest(before: Take, after: Take) -> float:
    """How far any joint is from where it was, m, over all frames."""
    times = before.frame_times()
    was, now = _places(before, times), _places(after, times)
    return float(np.linalg.norm(now - was, axis=-1).max(initial=0.0))


def _places(take: Take, times: Floats) -> Floats:
    places: Floats = forward(take.rig, sample(take, times).values)[..., :3, 3]
    return places
