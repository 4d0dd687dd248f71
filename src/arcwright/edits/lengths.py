"""Edits of rig settings: which joints may change their length, the root, attached joints."""

from __future__ import annotations

from collections.abc import Sequence

from arcwright.edits.edited_take import actor_address, quantity
from arcwright.errors import BadValue
from arcwright.kinematics.rig_analysis import animatable
from arcwright.scene.edit import Change, Edit
from arcwright.scene.rig import LENGTHS
from arcwright.scene.scene import Actor, Scene

_VERBS = {"": "Length as analysed:", "free": "Free the length of", "locked": "Lock the length of"}


def set_lengths(scene: Scene, character: str, joints: Sequence[int], length: str) -> Edit:
    """Set whether edits may translate and scale joints: "free", "locked", or "" as analysed."""
    actor = scene.actor(character)
    if length not in LENGTHS:
        raise BadValue("length", "free, locked or empty", repr(length))
    chosen = sorted({_check_joint(actor, joint) for joint in joints})
    translated, _, scaled = animatable(actor.rig)
    for joint in chosen:
        if length == "free" and not (translated | scaled)[joint]:
            name = actor.rig.names[joint]
            raise BadValue(f"length of {name}", "a joint with translation or scale", "neither")
    after = list(actor.rig.lengths or ("",) * len(actor.rig.names))
    for joint in chosen:
        after[joint] = length
    one = actor.rig.names[chosen[0]] if len(chosen) == 1 else quantity(len(chosen), "joint")
    lengths = tuple(after) if any(after) else ()
    return _edit(scene, actor, "lengths", lengths, f"{_VERBS[length]} {one}")


def set_root(scene: Scene, character: str, joint: int) -> Edit:
    """Set the root joint, which carries the body; -1 as analysed."""
    actor = scene.actor(character)
    label = "Root as analysed"
    if joint != -1:
        label = f"{actor.rig.names[_check_joint(actor, joint)]} is the root"
        if not animatable(actor.rig)[0][joint]:
            raise BadValue("root", "a joint with translation", actor.rig.names[joint])
    return _edit(scene, actor, "root", joint, label)


def set_attached(scene: Scene, character: str, joint: int, limb: int) -> Edit:
    """Attach a joint to another, which carries it in edits; to itself for none, -1 as analysed."""
    actor = scene.actor(character)
    name = actor.rig.names[_check_joint(actor, joint)]
    label = f"{name} attached as analysed"
    if limb != -1:
        on = actor.rig.names[_check_joint(actor, limb)]
        label = f"Detach {name}" if limb == joint else f"Attach {name} to {on}"
        if limb != joint and not animatable(actor.rig)[0][joint]:
            raise BadValue("joint to attach", "one with translation", name)
        if limb != joint and actor.rig.is_below(limb, joint):
            raise BadValue(f"joint to attach {name} to", f"one that is not below {name}", on)
    after = list(actor.rig.attached_to or (-1,) * len(actor.rig.names))
    after[joint] = limb
    attached = tuple(after) if any(each >= 0 for each in after) else ()
    return _edit(scene, actor, "attached_to", attached, label)


def _check_joint(actor: Actor, joint: int) -> int:
    if not 0 <= joint < len(actor.rig.names):
        raise BadValue(f"joint of {actor.name!r}", f"0 to {len(actor.rig.names) - 1}", joint)
    return joint


def _edit(scene: Scene, actor: Actor, field: str, after: object, label: str) -> Edit:
    before = getattr(actor.rig, field)
    if before == after:
        return Edit(label)
    return Edit(label, (Change((*actor_address(scene, actor), "rig", field), before, after),))
