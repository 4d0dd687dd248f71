"""Units: the starting scene in parts, so that damage to one part loses that part only."""

from __future__ import annotations

import base64
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcwright.errors import BadFile
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Address
from arcwright.scene.recording import Recording
from arcwright.scene.rig import ChannelTable, Rig
from arcwright.scene.scene import Actor, Character, Prop, Scene
from arcwright.scene.shape import Image, Look, Shape
from arcwright.scene.sound import Sound, SoundFile
from arcwright.scene.take import Take
from arcwright.server.storage.names import displayed

_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)  # a PNG of one grey pixel
Shell = dict[str, Any]


def split(scene: Scene) -> tuple[Shell, list[object]]:
    """What holds a scene together, and its units in an order in which none needs a later one."""
    units: list[object] = []
    numbers: dict[int, int] = {}

    def number(unit: object) -> int:
        if id(unit) not in numbers:
            numbers[id(unit)] = len(units)
            units.append(unit)
        return numbers[id(unit)]

    actors = []
    for actor in (*scene.characters, *scene.props):
        rig = number(actor.rig)
        takes = tuple((number(each), each.name, each.duration, each.rate) for each in actor.takes)
        images = tuple((number(each), each.name) for each in actor.look.images)
        look = number(actor.look)
        shapes = tuple((number(each), each.name) for each in actor.shapes)
        kind = "prop" if isinstance(actor, Prop) else "character"
        actors.append((kind, actor.name, rig, takes, images, look, shapes))
    recordings = tuple((number(each), each.item) for each in scene.recordings)
    shell = {"actors": tuple(actors), "units": len(units), "name": scene.name}
    shell |= {"source": scene.source, "constraints": scene.constraints}
    shell |= {"activities": scene.activities, "cameras": scene.cameras, "flow": scene.flow}
    shell |= {"poses": scene.poses, "sound": None}
    if scene.sound is not None:
        file = scene.sound.file
        shell["sound"] = (number(file), file.name, scene.sound.start, scene.sound.muted)
        shell["units"] = len(units)
    return shell | {"recordings": recordings}, units


def has_old_groups(shell: Shell) -> bool:
    """Whether a journal was written when pins and contacts were lists of their own."""
    return "pins" in shell


def old_groups(shell: Shell) -> tuple[Constraint, ...]:
    """Pins, then contacts of a journal that has them as lists of their own."""
    return (*shell["pins"], *shell["contacts"]) if has_old_groups(shell) else ()


def names(shell: Shell, lost: Set[int]) -> list[str]:
    """What lost units are called; a character without its rig is lost as a whole."""
    made: list[str] = []
    for kind, own_name, rig, takes, images, look, shapes in shell["actors"]:
        name = displayed(own_name)
        if rig in lost:
            made.append(f"{kind} {name!r}")
            continue
        made += [f"take {take!r} of {name}" for number, take, _, _ in takes if number in lost]
        made += [f"image {image!r} of {name}" for number, image in images if number in lost]
        made += [f"the materials of {name}"] if look in lost else []
        made += [f"shape {shape!r} of {name}" for number, shape in shapes if number in lost]
    recorded = shell.get("recordings", ())
    made += [f"the recording of {displayed(item)}" for number, item in recorded if number in lost]
    sound = shell.get("sound")
    made += [f"the sound {displayed(sound[1])}"] if sound and sound[0] in lost else []
    return made


@dataclass
class Joined:
    """A scene out of its units, with placeholders for lost ones."""

    scene: Scene
    lost: list[str] = field(default_factory=list)  # "take 'walk' of biped"
    placeholders: list[object] = field(default_factory=list)  # rigs, and bases of takes

    def touches_lost(self, scene: Scene, address: Address) -> bool:
        """Whether an address leads into a placeholder."""
        match address:
            case ("characters" | "props" as group, int(index), *rest):
                actor: Actor = getattr(scene, group)[index]
                if self._is_placeholder(actor.rig):
                    return True
                match rest:
                    case ("takes", int(number), *_):
                        return self._is_placeholder(actor.takes[number].base)
        return False

    def _is_placeholder(self, value: object) -> bool:
        return any(value is each for each in self.placeholders)


def join(shell: Shell, unit: Callable[[int], object], put: Callable[[int, object], None]) -> Joined:
    """The scene again; `unit` gives one or raises `BadFile`, `put` is given placeholders."""
    made, units = Joined(Scene()), _Units(unit, put)
    actors = [_actor(described, units, made) for described in shell["actors"]]
    described = shell.get("recordings", ())  # not in journals of earlier versions
    recordings = [units.get(number, Recording, None) for number, _ in described]
    sound = _sound(shell.get("sound"), units)
    made.lost = names(shell, units.lost)
    made.scene = Scene(
        name=shell["name"],
        characters=tuple(each for each in actors if isinstance(each, Character)),
        props=tuple(each for each in actors if isinstance(each, Prop)),
        constraints=(*old_groups(shell), *shell["constraints"]),
        source=shell["source"],
        recordings=tuple(each for each in recordings if each is not None),
        activities=shell.get("activities", ()),  # nor are these
        poses=shell.get("poses", ()),
        cameras=shell.get("cameras", ()),
        flow=shell.get("flow"),
        sound=sound,
    )
    return made


class _Units:
    """Units by number, each read once; those that cannot be read get a placeholder."""

    def __init__(self, unit: Callable[[int], object], put: Callable[[int, object], None]) -> None:
        self.lost: set[int] = set()
        self._unit, self._put = unit, put
        self._known: dict[int, object] = {}

    def get(self, number: int, kind: type, instead: object) -> Any:
        """The unit, or what is used instead of it."""
        if number not in self._known:
            self._known[number] = self._read(number, kind, instead)
        return self._known[number]

    def _read(self, number: int, kind: type, instead: object) -> object:
        try:
            value = self._unit(number)
            if isinstance(value, kind):
                return value
        except BadFile:
            pass
        self.lost.add(number)
        if instead is not None:
            self._put(number, instead)
        return instead


def _sound(described: tuple[Any, ...] | None, units: _Units) -> Sound | None:
    if described is None:
        return None
    number, _, start, muted = described
    file = units.get(number, SoundFile, None)
    return None if file is None else Sound(file, start, muted)


def _actor(described: tuple[Any, ...], units: _Units, made: Joined) -> Actor:
    kind, name, rig_number, takes, images, look_number, shapes = described
    rig: Rig = units.get(rig_number, Rig, _placeholder_rig())
    has_rig = rig_number not in units.lost
    if not has_rig:
        made.placeholders.append(rig)
    own_takes = []
    for number, take_name, duration, rate in takes:
        base = Clip(take_name, (None,) * len(rig.channels), duration, rate)
        own_takes.append(units.get(number, Take, Take(rig, base)))
        if number in units.lost:
            made.placeholders.append(own_takes[-1].base)
    for number, image in images:
        units.get(number, Image, Image(image, "image/png", _PIXEL))
    look = units.get(look_number, Look, Look())
    own_shapes = [units.get(number, Shape, None) for number, _ in shapes]
    kept = [each for each in own_shapes if each is not None and has_rig]
    return (Prop if kind == "prop" else Character)(name, rig, tuple(own_takes), tuple(kept), look)


def _placeholder_rig() -> Rig:
    one = np.ones((1, 3))
    turn = np.array([[1.0, 0, 0, 0]])
    return Rig(("lost",), np.array([-1]), 0 * one, turn, one, ("XYZ",), ChannelTable.of([], []))
