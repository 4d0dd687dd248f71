"""Held: the actor and take that an edit is about, and where they stand in the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take


@dataclass(frozen=True, eq=False)
class Held:
    """A take of an actor."""

    actor: Actor
    take: Take
    at: Address  # of the take

    @property
    def clip(self) -> Clip:
        """The keys of the take; samples raise, with what to do."""
        base = self.take.base
        if not isinstance(base, Clip):
            wanted = "keys; turn samples into keys with fit"
            raise BadValue(f"clip {base.name!r}", wanted, "samples")
        return base

    def curve(self, channel: int) -> Curve | None:
        """The curve of a channel, checked."""
        return self.clip.curves[known_channel(self.actor, channel)]

    def edit(self, label: str, curves: Mapping[int, Curve]) -> Edit:
        """The edit that puts other curves in; those that stay the same are left out."""
        changes = []
        for channel, after in sorted(curves.items()):
            before = self.clip.curves[channel]
            if not same(before, after):
                changes.append(Change((*self.at, "base", "curves", channel), before, after))
        return Edit(label, tuple(changes))


def hold(scene: Scene, character: str, take: str) -> Held:
    """Find a take; "" is the first character, or its first take."""
    actor = scene.actor(character)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a clip to edit", "none")
    found = actor.take(take) if take else actor.takes[0]
    return Held(actor, found, (*actor_address(scene, actor), "takes", actor.takes.index(found)))


def actor_address(scene: Scene, actor: Actor) -> Address:
    """Where a character or prop stands."""
    group = "characters" if actor in scene.characters else "props"
    return (group, getattr(scene, group).index(actor))


def known_channel(actor: Actor, channel: int) -> int:
    """A channel of the actor's rig, checked."""
    if not 0 <= channel < len(actor.rig.channels):
        last = len(actor.rig.channels) - 1
        raise BadValue(f"channel of {actor.name!r}", f"0 to {last}", channel)
    return channel


def counted(count: int, word: str) -> str:
    """As in "3 keys"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def checked(**numbers: float) -> None:
    """Refuse numbers that are not finite, by their names."""
    for name, number in numbers.items():
        if not float("-inf") < number < float("inf"):
            raise BadValue(name.replace("_", " "), "a finite number", number)
