"""Puppet session: samples of a device move a puppet, tick by tick, into a take."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.recording import Recording
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Gesture, Performance, Setting
from arcwright.tools.overlay import CurveOverlay, Overlay, TextOverlay
from arcwright.tools.puppet.blend_overlay import blend_overlay
from arcwright.tools.puppet.device_path import DevicePath, PathPart
from arcwright.tools.puppet.driving.car_puppet import CarPuppet
from arcwright.tools.puppet.driving.wheels import chassis_of
from arcwright.tools.puppet.kept_samples import as_kept, kept_samples, recording_changes
from arcwright.tools.puppet.objects.movable import movable_of
from arcwright.tools.puppet.objects.prop_puppet import PropPuppet
from arcwright.tools.puppet.objects.prop_takes import PropTakes, surroundings
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.performed_take import PerformedTake, free_name, is_performed, punch_time
from arcwright.tools.puppet.puppet import Puppet
from arcwright.tools.puppet.puppet_character import PuppetCharacter, puppet_character
from arcwright.tools.puppet.ragdoll.colliders import colliders_of
from arcwright.tools.puppet.ragdoll.ragdoll_model import RagdollModel, has_physics, ragdoll_model
from arcwright.tools.puppet.start import Start, standing, start_at
from arcwright.tools.puppet.state_machine import LEADS, LIMP, SHOWN, State
from arcwright.tools.puppet.tick import Tick
from arcwright.tools.puppet.tick_log import TickLog
from arcwright.tools.shared.kept_recording import performance_of
from arcwright.tools.tool import Note, Preview, PreviewPose

PHYSICAL = ("roles", "rate", "blocks")  # options that a ragdoll depends on
LABEL = "Puppet"
NOTED = ("idle", "walk", "run", "mid_jump", "get_up_back")  # roles that are made where missing
LONGEST_FALL = 12.0  # s
STRAIGHTENS = 0.25  # s in which a puppet that has landed stands upright again
NO_PHYSICS = "A held or fallen puppet is stiff without physics: pip install arcwright[physics]"
PATIENCE = 0.1  # s without a sample, after which a device is taken to rest


class PuppetSession:
    """One performance of a puppet.

    It begins at the playhead. The shown take is punched into where it is a performance itself;
    a target with a recording makes that part of its take again.
    """

    def __init__(
        self,
        scene: Scene,
        target: Target,
        options: PuppetOptions,
        grip: str = "",
    ) -> None:
        self.scene, self.options = scene, options
        self._actor = scene.actor(target.character)
        self._target = replace(target, character=self._actor.name)
        self.terrain = self.options.ground_of(scene)
        self._grip = Point(grip) if grip else target.point
        self.character = self._prepared()
        self._props = PropTakes(scene, self._actor)
        self._physics = self._ragdoll_model()
        takes = self._actor.takes
        self._shown = self._actor.take(target.take or takes[0].name) if takes else None
        self._begin()
        if target.recording is not None:
            self._follow(performance_of(target.recording))

    def _ragdoll_model(self) -> RagdollModel | None:
        """What a ragdoll needs; None without MuJoCo."""
        if not has_physics():
            return None
        colliders = colliders_of(self.terrain, self.scene.props)
        actor = self.character.own.played_actor(self._actor)
        return ragdoll_model(actor, self.character, colliders, 1.0 / self.options.rate)

    def _prepared(self) -> PuppetCharacter:
        return puppet_character(self._actor, self.options.roles_of(self._actor), self._grip)

    def _begin(self) -> None:
        self._path = DevicePath()
        self._offset: float | None = None  # s, from the device's time to that of the take
        self._under, self._start_time, self._start = self._beginning()
        self._puppet = self._new_puppet()
        self.ticks = TickLog()
        self._device: Floats | None = None  # (7,) at the last tick
        self._resting: PuppetSession | None = None  # what follows if the device gives no more

    def _new_puppet(self) -> Puppet | PropPuppet | CarPuppet:
        prop = movable_of(self._actor) if self._actor in self.scene.props else None
        if prop is not None:
            return PropPuppet(prop, self.terrain)
        place, heading = np.zeros(3), 0.0
        if self._start is not None:
            place, heading = standing(self._start, self.character)
        puppet = self._on_wheels(place, heading) or self._on_feet(place, heading)
        if self._start is not None:
            puppet.begin_in(*self._start.at_tick(1.0 / self.options.rate))
        return puppet

    def _on_wheels(self, place: Floats, heading: float) -> CarPuppet | None:
        chassis = chassis_of(self.character)
        if chassis is None:
            return None
        return CarPuppet(self.character, chassis, place, heading, self.terrain)

    def _on_feet(self, place: Floats, heading: float) -> Puppet:
        around = surroundings(self.character, self._props.movables, self.terrain, self.options)
        return Puppet(
            self.character,
            place,
            heading,
            self.terrain,
            gestures=self.options.gestures,
            around=around,
            physics=self._physics,
        )

    def _beginning(self) -> tuple[Take | None, float, Start | None]:
        """The take that is punched into, when, and what the puppet is like there."""
        take, recorded = self._shown, self._target.recording
        if take is None:
            return None, 0.0, None
        if recorded is not None:
            begin = float(recorded.times[0])
            channels = len(self._actor.rig.channels)
            start = Start.restored(recorded.start, channels) if len(recorded.start) else None
            return take, begin, start
        if not (self.options.punch_in and is_performed(take)):
            time = min(max(self._target.time, 0.0), take.duration)
            return None, 0.0, start_at(take, time, self.character)
        begin = punch_time(take, self._target.time)
        return take, begin, start_at(take, begin, self.character)

    @property
    def states(self) -> list[tuple[float, State]]:
        """When each state began, s since the first sample."""
        found: list[tuple[float, State]] = []
        for index, tick in enumerate(self.ticks):
            if not found or found[-1][1] is not tick.state:
                found.append((index / self.options.rate, tick.state))
        return found

    @property
    def events(self) -> list[tuple[float, str]]:
        """What happened to props, and when, s of the take."""
        rate = self.options.rate
        return [(index / rate, each.event) for index, each in enumerate(self.ticks) if each.event]

    def update(self, gesture: Gesture) -> Preview:
        """Follow more samples: all ticks up to the last one."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        if not isinstance(gesture, Performance):
            raise BadValue("gesture of puppet", "Performance", type(gesture).__name__)
        if self._offset is None and len(gesture):
            self._offset = self._start_time - float(gesture.times[0])
        self._follow(as_kept(gesture, self._offset or 0.0))
        return self._preview()

    def _follow(self, samples: Performance) -> None:
        """Samples at times of the take."""
        self._resting = None
        part = self._path.append(samples)
        if part is not None:
            self._run(part, part.end)

    def advance(self, to_time: float) -> Preview:
        """Show a time since the first sample; a device that gave none for a while rests.

        That is a guess: samples that come later count from where the last ones ended.
        """
        end, until = self._path.end, self._start_time + to_time
        if end is None or until <= end + PATIENCE:
            return self._preview()
        if self._resting is None:
            self._resting = self.fork()
        part = self._resting._path.rest(until)
        if part is not None:
            self._resting._run(part, until)
        return self._resting._preview()

    def _run(self, part: PathPart, until: float) -> None:
        """All ticks up to a time."""
        seconds = 1.0 / self.options.rate
        while (time := self._start_time + len(self.ticks) * seconds) <= until + 1e-9:
            device, held = part.at(time, always=self.options.hold == "always")
            self._device = self._scaled(device)
            if isinstance(self._puppet, Puppet):
                self._puppet.around.head_device = held.head
            pressed = self._path.pressed(time)
            holds = None if held.body is None else self._device
            self.ticks.append(self._puppet.tick(holds, seconds, pressed))

    def _scaled(self, device: Floats) -> Floats:
        """The device with its movement since the first sample scaled."""
        if self.options.gain == 1.0:
            return device
        first = self._path.first_place
        return np.concatenate([first + self.options.gain * (device[:3] - first), device[3:]])

    def set_options(self, options: PuppetOptions) -> Preview:
        """The same performance with other options."""
        whole, start = self._path.whole, self._start_time
        before, self.options = self.options, options
        if options.roles != before.roles:
            self.character = self._prepared()
        self.terrain = options.ground_of(self.scene)
        if any(getattr(options, name) != getattr(before, name) for name in PHYSICAL):
            self._physics = self._ragdoll_model()
        self._begin()
        if whole is not None:
            moved = self._start_time - start  # punched in before, and not now, or the reverse
            self._follow(replace(whole, times=whole.times + moved) if moved else whole)
        return self._preview()

    def finish(self) -> Edit:
        """The performance as a take: one undo step; empty without samples."""
        if not self.ticks:
            return Edit(LABEL)
        ticks = [*self.ticks, *self._after_release()]
        takes = self._take_changes(ticks, self.options.punch_out)
        own = self._actor.name, self._name
        kept = recording_changes(self.scene, self._kept(), own, self._start_time)
        return Edit(LABEL, (*takes, *kept))

    def _after_release(self) -> list[Tick]:
        """Ticks until a puppet that was released in the air, or falls, is on its feet again."""
        puppet, ticks, rate = self._puppet.fork(), list[Tick](), self.options.rate
        while puppet.state not in LEADS and len(ticks) < LONGEST_FALL * rate:
            ticks.append(puppet.tick(None, 1.0 / rate))
        more = round(STRAIGHTENS * rate) if ticks else 0
        return ticks + [puppet.tick(None, 1.0 / rate) for _ in range(more)]

    def _take_changes(self, ticks: Sequence[Tick], out: bool) -> tuple[Change, ...]:
        """The take of the puppet, and those of props that it moved."""
        takes, rate, under = self._actor.takes, self.options.rate, self._under
        start = None if self._start is None else self._start.values
        plan = PerformedTake(self.character, self._name, self._start_time, rate, start, under, out)
        take = plan.made(ticks)
        if under is None:
            own = Change(self._address, takes, (*takes, take))
        else:
            own = Change((*self._address, takes.index(under)), under, take)
        placed = [tick.objects for tick in ticks]
        return (own, *self._props.changes(placed, rate, take.name, self._start_time))

    @property
    def _address(self) -> Address:
        kind = "characters" if self._actor in self.scene.characters else "props"
        return kind, getattr(self.scene, kind).index(self._actor), "takes"

    @property
    def _name(self) -> str:
        return self._under.name if self._under is not None else free_name(self._actor.takes)

    def _kept(self) -> Recording | None:
        """What the scene keeps of the samples; None where they are too many."""
        whole, point = self._path.whole, self._target.point
        if whole is None:
            return None
        named = point and replace(point, character=self._actor.name)
        target = replace(self._target, take=self._name, point=named)
        options = replace(self.options, **self.options.roles_of(self._actor))
        return kept_samples(whole, target, self._start, options)

    def notes(self) -> tuple[Note, ...]:
        """What was made for want of a clip, and what is not kept or not simulated."""
        if not self.ticks:
            return ()
        found = self._role_notes() if (on_feet := isinstance(self._puppet, Puppet)) else []
        if self._target.recording is not None and self._under and not is_performed(self._under):
            found.append("Made again, it replaces what was edited in the take since")
        if on_feet and self._physics is None and any(tick.state in LIMP for tick in self.ticks):
            found.append(NO_PHYSICS)
        if self._kept() is None:
            found.append("Too long to keep its samples: it cannot be made again")
        return tuple(Note(text, "info") for text in found)

    def _role_notes(self) -> list[str]:
        own = self.character.roles
        found = [
            f"No take {name!r} that can be its {role.replace('_', ' ')}"
            for role, name in self.options.roles_of(self._actor).items()
            if own.get(role) != name
        ]
        if missing := [role.replace("_", " ") for role in NOTED if role not in own]:
            found.append(f"No take for {', '.join(missing)}: made from others")
        return found

    def fork(self) -> PuppetSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._path, other._puppet = self._path.fork(), self._puppet.fork()
        other.ticks, other._resting = self.ticks.fork(), None
        return other

    def _preview(self) -> Preview:
        if not self.ticks:
            return Preview(lambda: Edit(LABEL))
        # Ticks are only ever added, so a preview needs no copy of them.
        ticks, count, last = self.ticks, len(self.ticks), self.ticks[-1]
        time = self._start_time + (count - 1) / self.options.rate
        span = self._start_time, time
        acting = self._target.recording is None
        out = self.options.punch_out and not acting  # what follows the release is not known yet
        pose = PreviewPose(self._target, time, last.values, acted=True)
        return Preview(
            lambda: Edit(LABEL, self._take_changes(ticks[:count], out)),
            self.notes,
            lambda: span,
            poses=(pose, *self._props.poses(last.objects, time)) if acting else (),
            overlays=self._overlays(last) if acting else (),
        )

    def _overlays(self, tick: Tick) -> tuple[Overlay, ...]:
        found = tuple[Overlay, ...]()
        if self.options.show_blend and isinstance(self._puppet, Puppet):
            writer, size = self.character.gaits.writer, self.character.size
            place = writer.read(self.character.own.played_values(tick.values[None])[0])[:3]
            point, space = self._puppet.blend_point, self.character.gaits.space
            found = blend_overlay(space, point, place * [1, 0, 1], size)
        if tick.end is None or self._device is None:
            return found
        sticks = [CurveOverlay(np.array([self._device[:3], tick.end]), "guide")]
        head = self._puppet.around.head_stick if isinstance(self._puppet, Puppet) else None
        if head is not None:
            sticks.append(CurveOverlay(head, "guide"))
        return (*found, *sticks, TextOverlay(SHOWN[tick.state], tick.end, "guide"))
