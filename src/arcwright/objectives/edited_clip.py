"""The actor and clip that a tool edits, found in a scene, and their address in it."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Address
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target


@dataclass(frozen=True, eq=False)
class EditedClip:
    """A clip with keys, of one actor."""

    actor: Actor
    take: Take
    clip: Clip
    curves: Address  # of the clip's curves


def find_clip(scene: Scene, target: Target) -> EditedClip:
    """Find the target; a take of samples or with layers raises, with what to do."""
    actor, take, address = find_take(scene, target)
    if not isinstance(take.base, Clip):
        raise BadValue(
            f"clip {take.name!r}",
            "keys; turn samples into keys with fit, such as `arcwright convert IN OUT --fit`",
            "samples",
        )
    if take.layers:
        raise BadValue(f"clip {take.name!r}", "no layers; flatten them with fit", len(take.layers))
    return EditedClip(actor, take, take.base, (*address, "base", "curves"))


def find_take(scene: Scene, target: Target) -> tuple[Actor, Take, Address]:
    """The target's actor and take, of keys or samples, and where the take is in the scene."""
    actor = scene.actor(target.character)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a clip to edit", "none")
    take = actor.take(target.take) if target.take else actor.takes[0]
    group = "characters" if actor in scene.characters else "props"
    place = getattr(scene, group).index(actor)
    return actor, take, (group, place, "takes", actor.takes.index(take))


def take_of_point(scene: Scene, target: Target, point: Point) -> Take:
    """The take that moves a point: the target's, or for another actor its first one or its rest."""
    actor, take, _ = find_take(scene, target)
    other = scene.actor(point.character) if point.character else actor
    if other is actor:
        return take
    still = Clip(take.name, (None,) * len(other.rig.channels), 0.0)
    return other.takes[0] if other.takes else Take(other.rig, still)
