"""Random drags of whole motions: a take, a held point and where it goes, options and wishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from arcwright import files
from arcwright.arrays import Floats
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.motion import Motion
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.tool import Preview, Target
from tangent_drag_cases import built_in_takes

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
KINDS = ("built-in", "gltf", "bvh")
FEWEST = 5  # joints of a rig that is a character
TAKES = 4  # of one file
SECONDS = 4.0  # of captured motion
UNCUT = 0.15  # of captured takes stay as long as they are
LIMITED = 0.4  # of captured rigs get joint limits, somewhat beyond where the motion goes
STEADY = 0.03  # m, how far a point that is planted moves
SHORT = 2.0  # s; only of shorter takes many control values are asked for
MOVES = 8
FLAGS = ("whole_body", "floating", "floor", "keep_ends", "heels")


@dataclass(frozen=True)
class Case:
    """A scene with one take, a held point, and where it is taken."""

    scene: Scene
    point: Point
    time: float
    place: Floats  # before
    target: Floats
    options: SpacetimeOptions

    @property
    def take(self) -> Take:
        """The take that is edited."""
        return self.scene.characters[0].takes[0]

    def begin(self) -> SpacetimeSession:
        """A session of its own."""
        return SpacetimeTool().begin(self.scene, Target(), self.options)

    def session(self, by: Sequence[Floats]) -> tuple[SpacetimeSession, Preview]:
        """A session after moves of the hand, and its last preview."""
        session = self.begin()
        for place in by:
            preview = self.move(session, place)
        return session, preview

    def move(self, session: SpacetimeSession, place: Floats) -> Preview:
        """The hand goes to a place."""
        return session.update(Drag(self.point, self.time, position=place))

    def straight(self) -> list[Floats]:
        """The way of the hand."""
        shares = np.linspace(0.1, 1, MOVES)
        return [self.place + share * (self.target - self.place) for share in shares]

    def told(self) -> str:
        """The case in a line."""
        usual = SpacetimeOptions()
        chosen = [
            f"{name}={value:.3g}"
            for name, value in vars(self.options).items()
            if value != getattr(usual, name)
        ]
        kept = [
            f"{type(w).__name__} {w.point.joint}" for w in self.scene.pins + self.scene.contacts
        ]
        by = np.linalg.norm(self.target - self.place)
        return (
            f"{self.scene.name}:{self.take.name} {self.point.joint} at {self.time:.3f} s"
            f" by {by:.3f} m {' '.join(chosen)} {', '.join(kept)}"
        )


def random_case(random: np.random.Generator, kind: str, far: float) -> Case:
    """Everything at random."""
    scene = random_take(random, kind)
    take = scene.characters[0].takes[0]
    frames, last = take.frame_times(), take.duration
    moment = float(random.choice(frames) if random.random() < 0.7 else random.uniform(0, last))
    point = Point(str(random.choice(take.rig.names)), random.normal(0, 0.05, 3))
    away = random.normal(size=3)
    place = trail(take, point, [moment]).position[0]
    target = place + away / np.linalg.norm(away) * random.uniform(0.005, far)
    options = random_options(random, last, moment)
    return Case(with_wishes(random, scene), point, moment, place, target, options)


def random_options(random: np.random.Generator, last: float, moment: float) -> SpacetimeOptions:
    start, end = 0.0, 0.0
    if random.random() < 0.3:
        start = max(moment - random.uniform(0.1, 1), 0)
        end = min(moment + random.uniform(0.1, 1), last)
    spacings = [0.05, 0.07, 0.1, 0.5] if last > SHORT else [0.02, 0.07, 0.5]
    return SpacetimeOptions(
        spacing=float(random.choice(spacings)),
        start=start,
        end=end,
        clean=bool(random.random() < 0.7),
        **{name: bool(random.random() < 0.25) for name in FLAGS},
    )


def with_wishes(random: np.random.Generator, scene: Scene) -> Scene:
    """Up to two pins and contacts anywhere; without contacts, footplants are found."""
    take = scene.characters[0].takes[0]
    wishes: dict[type, list[Pin | Contact]] = {Pin: [], Contact: []}
    for kind in random.choice([Pin, Contact], random.integers(3)):
        joint = Point(str(random.choice(take.rig.names)))
        wishes[kind].append(random_wish(random, take, kind, joint))
    return replace(scene, pins=tuple(wishes[Pin]), contacts=tuple(wishes[Contact]))


def random_wish(
    random: np.random.Generator, take: Take, kind: type[Pin | Contact], point: Point
) -> Pin | Contact:
    """A path anywhere, a plant for as long as the point is about where it is in the middle."""
    start, end = np.sort(random.uniform(0, take.duration, 2))
    turned = bool(random.random() < 0.3)
    if kind is Contact:
        times = np.linspace(start, end, 41)
        path = trail(take, point, times).position
        off = np.flatnonzero(np.linalg.norm(path - path[20], axis=1) > STEADY)
        start = times[off[off < 20].max(initial=-1) + 1]
        end = times[off[off > 20].min(initial=41) - 1]
    return kind(point, start, end, orientation=turned)


def random_take(random: np.random.Generator, kind: str) -> Scene:
    """A scene with one character that has one take."""
    if kind != "bvh":
        known = takes_of(kind)
        scene, take = known[random.integers(len(known))]
        return only(scene, take, take.rig)
    path = captured()[random.integers(len(captured()))]
    scene = read(path)
    take = scene.characters[0].takes[0]
    rig = take.rig
    if random.random() >= UNCUT:
        take = cut(take, random.uniform(0, 1))
    if random.random() < LIMITED:
        take = limited(take, random.uniform(0.02, 0.3))
    return only(scene, take, rig)


def only(scene: Scene, take: Take, rig: Rig) -> Scene:
    """The character of a rig with one take, which may have come to stand on another one."""
    actor = next(each for each in scene.characters if each.rig is rig)
    return Scene(scene.name, (replace(actor, rig=take.rig, takes=(take,)),))


@cache
def takes_of(kind: str) -> Sequence[tuple[Scene, Take]]:
    """The takes of characters that are drawn from."""
    if kind == "built-in":
        return built_in_takes()
    found: list[tuple[Scene, Take]] = []
    for path in sorted(DATA.glob("gltf/**/*.gl*")):
        scene = read(path)
        for actor in scene.characters:
            takes = [take for take in actor.takes if take.duration > 0][:TAKES]
            found += [(scene, take) for take in takes if len(take.rig.names) >= FEWEST]
    return found


@cache
def captured() -> Sequence[Path]:
    return sorted(DATA.glob("bvh/**/*.bvh"))


@cache
def read(path: Path) -> Scene:
    return files.read(path)


def cut(take: Take, share: float, seconds: float = SECONDS) -> Take:
    """Some seconds of a motion, beginning at a share of what could be left out before them."""
    assert isinstance(take.base, Motion)
    time, count = take.base.time, int(seconds * take.rate)
    first = int(share * max(len(time) - count, 0))
    part = slice(first, first + count)
    base = replace(take.base, time=time[part] - time[first], values=take.base.values[part])
    return replace(take, base=base)


def limited(take: Take, room: float) -> Take:
    """On a rig whose angles, but for those of the root, end so far (rad) beyond the motion's."""
    values, table = values_at(take, take.frame_times()), take.rig.channels
    turns = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.ROTATE_Z)
    turns &= take.rig.parents[table.joint] >= 0
    low = np.where(turns, values.min(axis=0) - room, table.low)
    high = np.where(turns, values.max(axis=0) + room, table.high)
    rig = replace(take.rig, channels=replace(table, low=low, high=high))
    return replace(take, rig=rig)
