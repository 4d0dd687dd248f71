"""Edited take: the actor and take that an edit changes, and the take's address in the scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take


@dataclass(frozen=True, eq=False)
class EditedTake:
    """A take, its actor, and its address in the scene."""

    actor: Actor
    take: Take
    address: Address  # of the take

    @property
    def clip(self) -> Clip:
        """The keyed curves of the take; raises `BadValue` for a sampled motion."""
        base = self.take.base
        if not isinstance(base, Clip):
            expected = "keyframes; convert samples with fit"
            raise BadValue(f"take {base.name!r}", expected, "samples")
        return base

    def curve(self, channel: int) -> Curve | None:
        """The curve of a channel; raises for a channel that does not exist."""
        return self.clip.curves[check_channel(self.actor, channel)]

    def edit(self, label: str, curves: Mapping[int, Curve]) -> Edit:
        """The edit that replaces curves by channel; unchanged ones are left out."""
        changes = []
        for channel, after in sorted(curves.items()):
            before = self.clip.curves[channel]
            if not same(before, after):
                changes.append(Change((*self.address, "base", "curves", channel), before, after))
        return Edit(label, tuple(changes))


def find_take(scene: Scene, character: str, take: str) -> EditedTake:
    """Find a take by name; "" is the first character, or its first take."""
    actor = scene.actor(character)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a take to edit", "none")
    found = actor.take(take) if take else actor.takes[0]
    return EditedTake(
        actor, found, (*actor_address(scene, actor), "takes", actor.takes.index(found))
    )


def actor_address(scene: Scene, actor: Actor) -> Address:
    """The address of a character or prop in its scene."""
    group = "characters" if actor in scene.characters else "props"
    return (group, getattr(scene, group).index(actor))


def check_channel(actor: Actor, channel: int) -> int:
    """Return the channel, or raise if the actor's rig has no such channel."""
    if not 0 <= channel < len(actor.rig.channels):
        last = len(actor.rig.channels) - 1
        raise BadValue(f"channel of {actor.name!r}", f"0 to {last}", channel)
    return channel


def quantity(count: int, word: str) -> str:
    """A count with its noun: "1 key", "3 keys"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def at_frames(times: Iterable[float], rate: float) -> str:
    """Where keys are, as text: " at frame 5", " at frames 5-12"; nothing for none."""
    frames = [time * rate for time in times]
    if not frames:
        return ""
    first, last = (f"{round(end, 1):g}" for end in (min(frames), max(frames)))
    return f" at frame {first}" if first == last else f" at frames {first}-{last}"


def check_finite(**numbers: float) -> None:
    """Raise `BadValue` naming the first number that is not finite."""
    for name, number in numbers.items():
        if not float("-inf") < number < float("inf"):
            raise BadValue(name.replace("_", " "), "a finite number", number)
