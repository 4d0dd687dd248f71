"""Prop takes: the props of a scene that a puppet can move, and takes of where it moved them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.scene.edit import Change
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.puppet.held_head import held_head
from arcwright.tools.puppet.objects.look_at import look_at
from arcwright.tools.puppet.objects.movable import Movable, Placement, channel_values, movable_of
from arcwright.tools.puppet.objects.scene_objects import Body, SceneObjects
from arcwright.tools.puppet.objects.surroundings import Surroundings
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.tool import PreviewPose


class PropTakes:
    """The movable props of a scene; none for a performer that is a prop itself."""

    def __init__(self, scene: Scene, performer: Actor) -> None:
        found = [
            (index, made)
            for index, prop in enumerate(scene.props if performer in scene.characters else ())
            if (made := movable_of(prop)) is not None
        ]
        self._scene = scene
        self._indices = [index for index, _ in found]
        self.movables: tuple[Movable, ...] = tuple(made for _, made in found)

    def changes(
        self, ticks: Sequence[tuple[Placement, ...]], rate: float, name: str, begin: float
    ) -> tuple[Change, ...]:
        """A take for each prop that was moved, named as the puppet's, if that is free.

        Ticks begin at `begin` s of it; until then a prop is where it starts.
        """
        made = []
        for column, movable in enumerate(self.movables):
            placed = [row[column] for row in ticks]
            if all(each is movable.start for each in placed):
                continue
            prop = self._scene.props[self._indices[column]]
            own = Take(prop.rig, _motion(movable, placed, rate, begin, _free_name(prop, name)))
            address = ("props", self._indices[column], "takes")
            made.append(Change(address, prop.takes, (*prop.takes, own)))
        return tuple(made)

    def poses(self, placed: Sequence[Placement], time: float) -> tuple[PreviewPose, ...]:
        """The props that were moved, as they are now."""
        return tuple(
            PreviewPose(Target(movable.name), time, channel_values(movable, each))
            for movable, each in zip(self.movables, placed, strict=True)
            if each is not movable.start
        )


def surroundings(
    character: PuppetCharacter,
    movables: Sequence[Movable],
    terrain: Terrain,
    options: PuppetOptions,
) -> Surroundings:
    """What a character can reach for and look at."""
    objects = None
    if movables:
        body = Body(character.size, character.depth, character.height)
        objects = SceneObjects(movables, character.arms, body, terrain, terrain.snow)
    rig, stand = character.rig, character.stand
    held = held_head(rig, character.gaits.writer.joint, character.size)
    return Surroundings(objects, look_at(rig, stand), options.look_at, held)


def _motion(
    movable: Movable, placed: Sequence[Placement], rate: float, begin: float, name: str
) -> Motion:
    values = [channel_values(movable, placed[0])]
    for each in placed[1:]:
        values.append(channel_values(movable, each, values[-1]))
    rows = np.array(values if len(values) > 1 else values * 2)
    times = begin + np.arange(len(rows)) / rate
    if begin > 0:
        times, rows = np.append(0.0, times), np.concatenate([rows[:1], rows])
    return Motion(name, times, rows, rate)


def _free_name(prop: Actor, name: str) -> str:
    taken, count, free = {take.name for take in prop.takes}, 1, name
    while free in taken:
        count += 1
        free = f"{name} {count}"
    return free
