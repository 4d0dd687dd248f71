"""Units: the starting scene in parts, so that damage to one part loses that part only."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcwright.errors import BadFile
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Address
from arcwright.scene.rig import ChannelTable, Rig
from arcwright.scene.scene import Actor, Character, Prop, Scene
from arcwright.scene.shape import Image, Look, Shape
from arcwright.scene.take import Take
from arcwright.server.names import spoken

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
    shell = {"actors": tuple(actors), "units": len(units), "name": scene.name}
    shell |= {"source": scene.source, "pins": scene.pins, "contacts": scene.contacts}
    return shell | {"constraints": scene.constraints}, units


def names(shell: Shell) -> dict[int, str]:
    """What each unit is called when it is lost."""
    made: dict[int, str] = {}
    for kind, own_name, rig, takes, images, look, shapes in shell["actors"]:
        name = spoken(own_name)
        made.setdefault(rig, f"{kind} {name!r}")
        made |= {number: f"take {take!r} of {name}" for number, take, _, _ in takes}
        made |= {number: f"image {image!r} of {name}" for number, image in images}
        made.setdefault(look, f"the materials of {name}")
        made |= {number: f"shape {shape!r} of {name}" for number, shape in shapes}
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
    """The scene again; `unit` gives one or raises `BadFile`, `put` hears of placeholders."""
    made = Joined(Scene())
    actors = list(_actors(shell, _Units(unit, put), made))
    made.scene = Scene(
        name=shell["name"],
        characters=tuple(each for each in actors if isinstance(each, Character)),
        props=tuple(each for each in actors if isinstance(each, Prop)),
        pins=shell["pins"],
        contacts=shell["contacts"],
        constraints=shell["constraints"],
        source=shell["source"],
    )
    return made


class _Units:
    """Units by number, each asked for once; those that cannot be read get a placeholder."""

    def __init__(self, unit: Callable[[int], object], put: Callable[[int, object], None]) -> None:
        self._unit, self._put = unit, put
        self._known: dict[int, tuple[object, bool]] = {}

    def get(self, number: int, kind: type, instead: object) -> tuple[Any, bool]:
        """The unit, or what is used instead of it, and whether it is the unit."""
        if number not in self._known:
            self._known[number] = self._read(number, kind, instead)
        return self._known[number]

    def _read(self, number: int, kind: type, instead: object) -> tuple[object, bool]:
        try:
            value = self._unit(number)
            if isinstance(value, kind):
                return value, True
        except BadFile:
            pass
        if instead is not None:
            self._put(number, instead)
        return instead, False


def _actors(shell: Shell, units: _Units, made: Joined) -> Iterator[Actor]:
    called = names(shell)
    for kind, name, rig_number, takes, images, look_number, shapes in shell["actors"]:
        lost: list[str] = []

        def get(number: int, sort: type, instead: object, lost: list[str] = lost) -> Any:
            value, there = units.get(number, sort, instead)
            if not there:
                lost.append(called[number])
                if isinstance(value, Rig | Take):
                    made.placeholders.append(value.base if isinstance(value, Take) else value)
            return value

        rig: Rig = get(rig_number, Rig, _placeholder_rig())
        gone = bool(lost)
        own_takes = []
        for number, take, duration, rate in takes:
            base = Clip(take, (None,) * len(rig.channels), duration, rate)
            own_takes.append(get(number, Take, Take(rig, base)))
        for number, image in images:
            get(number, Image, Image(image, "image/png", _PIXEL))
        look = get(look_number, Look, Look())
        own_shapes = [get(number, Shape, None) for number, _ in shapes]
        kept = () if gone else tuple(each for each in own_shapes if each is not None)
        made.lost += [f"{kind} {name!r}"] if gone else lost
        sort = Prop if kind == "prop" else Character
        yield sort(name, rig, tuple(own_takes), kept, look)


def _placeholder_rig() -> Rig:
    one = np.ones((1, 3))
    turn = np.array([[1.0, 0, 0, 0]])
    return Rig(("lost",), np.array([-1]), 0 * one, turn, one, ("XYZ",), ChannelTable.of([], []))
