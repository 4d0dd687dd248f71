"""Puppet session: samples of a device move a puppet, tick by tick, into a take."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.edit import Change, Edit
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Gesture, Performance, Setting
from arcwright.tools.overlay import CurveOverlay, Overlay, TextOverlay
from arcwright.tools.puppet.device_path import DevicePath, PathPart
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet import Puppet, Tick
from arcwright.tools.puppet.puppet_character import PuppetCharacter, puppet_character
from arcwright.tools.puppet.state_machine import State
from arcwright.tools.puppet.terrain import Terrain
from arcwright.tools.tool import Note, Preview, PreviewPose

LABEL = "Puppet"
NAME = "performance"  # of the take that is made
RESTS = (State.LOCOMOTION, State.CROUCH)
NOTED = ("idle", "walk", "run", "mid_jump", "get_up_back")  # roles that are made where missing
LONGEST_FALL = 8.0  # s
SHOWN = {
    State.LOCOMOTION: "on its feet",
    State.CROUCH: "crouching",
    State.ANTICIPATION: "about to jump",
    State.JUMP: "jumping",
    State.HELD: "hanging",
    State.FALL: "falling",
    State.FALLEN: "lying",
    State.GET_UP: "getting up",
    State.LANDING: "landing",
}


class PuppetSession:
    """One performance of a puppet."""

    def __init__(
        self,
        scene: Scene,
        target: Target,
        options: PuppetOptions,
        terrain: Terrain | None = None,
        grip: str = "",
    ) -> None:
        self.scene, self.options = scene, options
        self._actor = scene.actor(target.character)
        self._target = replace(target, character=self._actor.name)
        self._terrain = terrain or Terrain()
        self._grip = Point(grip) if grip else target.point
        self.character = self._prepared()
        self._begin()

    def _prepared(self) -> PuppetCharacter:
        return puppet_character(self._actor, self.options.roles, self._grip)

    def _begin(self) -> None:
        self._path = DevicePath()
        place, heading = _standing(self._actor, self._target, self.character)
        self._puppet = Puppet(self.character, place, heading, self._terrain)
        self.ticks: list[Tick] = []
        self._device: Floats | None = None  # (7,) at the last tick

    @property
    def states(self) -> list[tuple[float, State]]:
        """When each state began, s of the take."""
        found: list[tuple[float, State]] = []
        for index, tick in enumerate(self.ticks):
            if not found or found[-1][1] is not tick.state:
                found.append((index / self.options.rate, tick.state))
        return found

    def update(self, gesture: Gesture) -> Preview:
        """Follow more samples: all ticks up to the last one."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        if not isinstance(gesture, Performance):
            raise BadValue("gesture of puppet", "Performance", type(gesture).__name__)
        part = self._path.append(gesture)
        if part is not None:
            self._run(part, part.end)
        return self._preview()

    def advance(self, to_time: float) -> Preview:
        """Go on to a time since the first sample, with the device where it was last."""
        part = self._path.at_rest()
        if part is not None and self._path.start is not None:
            self._run(part, self._path.start + to_time)
        return self._preview()

    def _run(self, part: PathPart, until: float) -> None:
        """All ticks up to a time."""
        start, seconds = self._path.start, 1.0 / self.options.rate
        assert start is not None
        while (time := start + len(self.ticks) * seconds) <= until + 1e-9:
            device, held = part.at(time)
            device = self._scaled(device)
            holds = held or self.options.hold == "always"
            self.ticks.append(self._puppet.tick(device if holds else None, seconds))
            self._device = device

    def _scaled(self, device: Floats) -> Floats:
        """The device with its movement since the first sample scaled."""
        if self.options.gain == 1.0:
            return device
        first = self._path.first_place
        return np.concatenate([first + self.options.gain * (device[:3] - first), device[3:]])

    def set_options(self, options: PuppetOptions) -> Preview:
        """The same performance with other options."""
        whole, before, self.options = self._path.whole, self.options, options
        if options.roles != before.roles:
            self.character = self._prepared()
        self._begin()
        return self._preview() if whole is None else self.update(whole)

    def finish(self) -> Edit:
        """The performance as a take of its own: one undo step; empty without samples."""
        return self._edit([*self.ticks, *self._after_release()], self.options.rate)

    def _after_release(self) -> list[Tick]:
        """Ticks until a puppet that was released in the air, or falls, is on its feet again."""
        puppet, ticks = self._puppet.fork(), list[Tick]()
        while puppet.state not in RESTS and len(ticks) < LONGEST_FALL * self.options.rate:
            ticks.append(puppet.tick(None, 1.0 / self.options.rate))
        return ticks

    def _edit(self, ticks: Sequence[Tick], rate: float) -> Edit:
        if not ticks:
            return Edit(LABEL)
        takes = self._actor.takes
        added = Take(self._actor.rig, _motion(_free_name(takes), ticks, rate))
        kind = "characters" if self._actor in self.scene.characters else "props"
        at = getattr(self.scene, kind).index(self._actor)
        return Edit(LABEL, (Change((kind, at, "takes"), takes, (*takes, added)),))

    def notes(self) -> tuple[Note, ...]:
        """What was made because the character has no clip for it."""
        if not self.ticks:
            return ()
        own, notes = self.character.roles, list[Note]()
        for role, name in self.options.roles.items():
            if own.get(role) != name:
                text = f"No take {name!r} that can be its {role.replace('_', ' ')}"
                notes.append(Note(text, "info"))
        missing = [role for role in NOTED if role not in own]
        if missing:
            names = ", ".join(role.replace("_", " ") for role in missing)
            notes.append(Note(f"No take for {names}: made from others", "info"))
        return tuple(notes)

    def fork(self) -> PuppetSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._path, other._puppet = self._path.fork(), self._puppet.fork()
        other.ticks = list(self.ticks)
        return other

    def _preview(self) -> Preview:
        if not self.ticks:
            return Preview(lambda: Edit(LABEL))
        # Ticks are only ever added, so a preview needs no copy of them.
        ticks, count, rate = self.ticks, len(self.ticks), self.options.rate
        tick, time = ticks[-1], (count - 1) / rate
        pose = PreviewPose(self._target, time, tick.values)
        return Preview(
            lambda: self._edit(ticks[:count], rate),
            self.notes,
            poses=(pose,),
            overlays=self._overlays(tick),
        )

    def _overlays(self, tick: Tick) -> tuple[Overlay, ...]:
        if tick.end is None or self._device is None:
            return ()
        stick = CurveOverlay(np.array([self._device[:3], tick.end]), "guide")
        return (stick, TextOverlay(SHOWN[tick.state], tick.end, "guide"))


def _motion(name: str, ticks: Sequence[Tick], rate: float) -> Motion:
    values = np.array([tick.values for tick in ticks])
    if len(values) == 1:
        values = np.repeat(values, 2, axis=0)
    return Motion(name, np.arange(len(values)) / rate, values, rate)


def _standing(actor: Actor, target: Target, character: PuppetCharacter) -> tuple[Floats, float]:
    """Where a puppet stands at first, and heads: as its take begins."""
    if not actor.takes:
        return np.zeros(3), 0.0
    take = actor.take(target.take) if target.take else actor.takes[0]
    played = character.own.played_values(values_at(take, np.zeros(1)))
    root = character.gaits.writer.read(played[0])
    own = character.root
    turn = 2.0 * (np.arctan2(root[5], root[3]) - np.arctan2(own[5], own[3]))
    return np.array([root[0], 0.0, root[2]]), float(turn)


def _free_name(takes: Sequence[Take]) -> str:
    names, count = {take.name for take in takes}, 1
    while (name := NAME if count == 1 else f"{NAME} {count}") in names:
        count += 1
    return name
