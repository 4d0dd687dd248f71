"""Part: one character's share in an edit: its take, and what is wished of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rig_analysis import analyse
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Address, Change
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.edited_clip import find_take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.grip import Grip
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.props import Pushed
from arcwright.tools.spacetime.wishes import Wish, floor_wishes, wishes_of
from arcwright.tools.tool import Target

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions


@dataclass(frozen=True, eq=False)
class Part:
    """A take that changes."""

    name: str  # of the character
    take: Take
    address: Address
    wishes: tuple[Wish, ...]
    rigid: Ints  # channels that stay, so that bones keep their length


class Solved(NamedTuple):
    """A part, what was wished of it, and where that leads."""

    part: Part
    grip: Grip
    drags: tuple[Drag, ...]
    model: SpacetimeModel
    state: State

    def change(self, name: str) -> Change:
        """A layer more, of this name."""
        layers = self.part.take.layers
        after = (*layers, self.model.layer(self.state.x, name))
        return Change((*self.part.address, "layers"), layers, after)


def part_of(
    scene: Scene, target: Target, options: SpacetimeOptions, more: Sequence[Constraint] = ()
) -> Part:
    """A character of a scene with its wishes."""
    actor, take, address = find_take(scene, target)
    wishes = wishes_of(scene, actor, take, more, plants=options.find_plants, heels=options.heels)
    if options.floor:
        wishes += floor_wishes(take)
    return Part(actor.name, take, address, wishes, analyse(actor, take).rigid(take.rig))


def holders(scene: Scene, thing: str) -> Iterator[Target]:
    """The characters that hold a thing at some time, and the clips in which they do."""
    seen = set()
    for each in scene.contacts:
        if each.relative_to is None or each.relative_to.character != thing:
            continue
        actor = scene.actor(each.point.character)
        if actor in scene.characters and actor.takes and actor.name not in seen:
            seen.add(actor.name)
            yield Target(actor.name, each.clip)


def carried_by(grip: Grip, moved: Sequence[Pushed]) -> dict[int, Floats]:
    """The wishes that go along with things that were moved: for each how far, (T, 3) m."""
    found = {}
    for index, wish in enumerate(grip.wishes):
        for each in moved:
            if wish.carrier is not None and wish.carrier.actor is each.thing.prop:
                path = grip.paths[:, wish.place]
                found[index] = each.along(wish.carrier.joint, grip.range.times, path)
    return found
