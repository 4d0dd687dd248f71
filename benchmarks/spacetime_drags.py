"""Random drags of whole motions, with random options and wishes: what breaks, and how often?

Built-in characters, or with `real` the rigged files and captured motion of ../shared/data; targets
up to 0.3 m away, or 2 m with `--far`. A number for each drag, its bound, and the cases over it:

way mm      the held point at the end, when the hand came by another way; `body mm` all joints
slip mm     plants, beyond what a note tells; where they slide from the beginning, they may
limit rad   further over a joint limit than before, at frames; `between rad` at quarters of these
outside     values outside the range of the edit that change
seam        displacements of loops that end otherwise than they begin, in value and slope
again, undo, still   the same moves give the same, undo gives the same scene, a still hand nothing
jump mm     the held point, from the last move to letting go
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import files
from arcwright.arrays import Floats, same
from arcwright.errors import BadValue
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.tool import Note, Target
from tangent_drags import built_in_takes

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHOWN = 4  # cases over a bound
STEADY = 0.03  # m, how far a point that is planted moves
SHORT = 2.0  # s; only of shorter takes many control values are asked for
SECONDS = 4.0  # of captured motion
BOUNDS = {
    "way mm": 5.0, "body mm": np.inf, "slip mm": 2.0, "limit rad": 0.005, "between rad": np.inf,
    "outside": 0.0,
    "seam": 1e-9, "again": 0.0, "undo": 0.0, "still": 0.0, "jump mm": np.inf,
    "move ms": np.inf, "end ms": np.inf,
}  # fmt: skip

Takes = Sequence[tuple[Scene, Take]]


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

    def session(self, by: Sequence[Floats]) -> tuple[SpacetimeSession, Floats]:
        """A session after moves of the hand, and where the point is then."""
        session = SpacetimeTool().begin(self.scene, Target(), self.options)
        for place in by:
            reached = session.update(Drag(self.point, self.time, position=place)).reached
        return session, reached

    def straight(self) -> list[Floats]:
        """The way of the hand."""
        return [self.place + share * (self.target - self.place) for share in np.linspace(0.1, 1, 8)]

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
            f" by {by:.2f} m {' '.join(chosen)} {', '.join(kept)}"
        )


def random_case(random: np.random.Generator, takes: Takes, far: float) -> Case:
    """Everything at random."""
    scene, take = takes[random.integers(len(takes))]
    actor = next(each for each in scene.characters if each.rig is take.rig)
    scene = Scene(scene.name, (replace(actor, takes=(take,)),))
    frames, last = take.frame_times(), take.duration
    moment = float(random.choice(frames) if random.random() < 0.7 else random.uniform(0, last))
    start, end = 0.0, 0.0
    if random.random() < 0.3:
        start, end = (
            max(moment - random.uniform(0.1, 1), 0),
            min(moment + random.uniform(0.1, 1), last),
        )
    flags = ("whole_body", "floating", "floor", "keep_ends", "heels")
    spacings = [0.05, 0.07, 0.1, 0.5] if last > SHORT else [0.02, 0.07, 0.5]
    options = SpacetimeOptions(
        spacing=float(random.choice(spacings)),
        start=start,
        end=end,
        clean=bool(random.random() < 0.7),
        **{name: bool(random.random() < 0.25) for name in flags},
    )
    point = Point(str(random.choice(take.rig.names)), random.normal(0, 0.05, 3))
    away = random.normal(size=3)
    place = trail(take, point, [moment]).position[0]
    target = place + away / np.linalg.norm(away) * random.uniform(0.005, far)
    wishes: dict[type, list[Pin | Contact]] = {Pin: [], Contact: []}
    for kind in random.choice([Pin, Contact], random.integers(3)):
        joint = Point(str(random.choice(take.rig.names)))
        wishes[kind].append(random_wish(random, take, kind, joint))
    scene = replace(scene, pins=tuple(wishes[Pin]), contacts=tuple(wishes[Contact]))
    return Case(scene, point, moment, place, target, options)


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


def tried(random: np.random.Generator, case: Case) -> dict[str, float]:
    """What came of a drag, by several ways."""
    began = time.process_time()
    session, reached = case.session(case.straight())
    moved = time.process_time()
    edit, notes = session.finish(), session.notes()
    ended = time.process_time()
    after = edit.apply(case.scene)
    aside = case.place + random.normal(0, 0.2, 3)
    other = case.session([aside, *np.linspace(aside, case.target, 5)])[0].finish().apply(case.scene)
    again = case.session(case.straight())[0].finish().apply(case.scene)
    still = case.session([case.place])[0].finish()
    take, changed = case.take, after.characters[0].takes[0]
    held, by_other = (held_at(case, each) for each in (after, other))
    frames = np.arange(0, take.duration, 0.25 / take.rate)
    before, values = values_at(take, frames), values_at(changed, frames)
    assert np.isfinite(values).all(), "not a number"
    span = changed.layers[-1] if len(changed.layers) > len(take.layers) else None
    outside = (frames < span.start - 1e-9) | (frames > span.end + 1e-9) if span else frames >= 0
    there = [
        forward(take.rig, values_at(each.characters[0].takes[0], frames[::4]))[..., :3, 3]
        for each in (after, other)
    ]
    return {
        "way mm": 1e3 * float(np.linalg.norm(held - by_other)),
        "body mm": 1e3 * float(np.linalg.norm(there[0] - there[1], axis=-1).max()),
        "slip mm": 1e3 * slipped(case, changed, notes),
        "limit rad": excess(take, before[::4], values[::4]),
        "between rad": excess(take, before, values),
        "outside": float((before[outside] != values[outside]).sum()),
        "seam": seam(take, changed, case.options),
        "again": float(not same(after, again)),
        "undo": float(not same(edit.inverse().apply(after), case.scene)),
        "still": float(not still.empty),
        "jump mm": 1e3 * float(np.linalg.norm(held - reached)),
        "move ms": (moved - began) * 1e3 / len(case.straight()),
        "end ms": (ended - moved) * 1e3,
    }


def held_at(case: Case, scene: Scene) -> Floats:
    return trail(scene.characters[0].takes[0], case.point, [case.time]).position[0]


def excess(take: Take, before: Floats, after: Floats) -> float:
    """How much further any angle is beyond its limit, rad."""
    table = take.rig.channels
    turning = (table.kind >= 3) & (table.kind <= 5)
    low, high = np.minimum(table.low, before), np.maximum(table.high, before)
    over = np.maximum(np.maximum(low - after, after - high), 0.0)
    return float(over[:, turning].max(initial=0.0))


def slipped(case: Case, after: Take, notes: Sequence[Note]) -> float:
    """How far a plant is at any frame from its place, m, at most; not those told to slip."""
    plants = case.scene.contacts or footplants(case.take, heels=case.options.heels)
    told = {note.blocker for note in notes}
    worst = 0.0
    frames = case.take.frame_times()
    for plant in plants:
        span = after.layers[-1] if after.layers else None
        inside = frames[(frames >= plant.start) & (frames <= plant.end)]
        if span is None or not len(inside) or f"{plant.point.joint} contact" in told:
            continue
        was, now = (trail(each, plant.point, inside).position for each in (case.take, after))
        rest = was.mean(axis=0) - was
        away = now - was
        kept = [away - share * rest for share in np.linspace(0, 1, 21)]
        if case.options.floating or taken_along(case, plant):
            kept = [each - each.mean(axis=0) for each in kept]
        worst = max(worst, min(float(np.linalg.norm(each, axis=1).max()) for each in kept))
    return worst


def taken_along(case: Case, plant: Contact) -> bool:
    """Whether the hand may carry a plant: any of a joint next to the held one."""
    rig = case.take.rig
    a, b = rig.joint(plant.point.joint), rig.joint(case.point.joint)
    near = a == b or rig.parents[a] == b or rig.parents[b] == a or rig.parents[a] == rig.parents[b]
    return bool(near)


def seam(take: Take, after: Take, options: SpacetimeOptions) -> float:
    """By how much the displacement of a loop ends otherwise than it begins."""
    whole = not (options.start or options.end or options.keep_ends)
    if not (isinstance(take.base, Clip) and take.base.loops and whole and after.layers):
        return 0.0
    layer = after.layers[-1]
    x = np.concatenate([layer.turn.reshape(len(layer.turn), -1), layer.add], axis=1)
    slopes = (x[1] - x[0]) - (x[-1] - x[-2])
    return float(max(np.abs(x[0] - x[-1]).max(), np.abs(slopes).max()))


@cache
def takes_of(kind: str) -> Takes:
    """All takes that are drawn from."""
    return real_takes() if kind == "real" else built_in_takes()


def real_takes() -> list[tuple[Scene, Take]]:
    found: list[tuple[Scene, Take]] = []
    for path in sorted(DATA.glob("gltf/**/*.gl*")):
        scene = files.read(path)
        for actor in scene.characters:
            found += [(scene, take) for take in actor.takes[:3] if take.duration > 0]
    for path in sorted(DATA.glob("bvh/**/*.bvh"))[::4]:
        scene = files.read(path)
        take = scene.characters[0].takes[0]
        assert isinstance(take.base, Motion)
        part = slice(2, 2 + int(SECONDS * take.rate))
        base = replace(
            take.base, time=take.base.time[part] - take.base.time[2], values=take.base.values[part]
        )
        found.append((scene, replace(take, base=base)))
    return found


@dataclass(frozen=True)
class Outcome:
    """What came of one case: numbers, a refusal in words, or an error."""

    told: str
    found: Mapping[str, float] = field(default_factory=dict)
    refused: str = ""
    broke: str = ""


def work(given: argparse.Namespace, number: int) -> Outcome:
    """One case of its own seed."""
    random = np.random.default_rng([given.seed, number])
    case = random_case(random, takes_of(given.kind), 2.0 if given.far else 0.3)
    told = f"#{number} {case.told()}"
    try:
        return Outcome(told, tried(random, case))
    except BadValue as refusal:
        return Outcome(told, refused=str(refusal))
    except Exception as error:
        return Outcome(told, broke=f"{type(error).__name__} {error}")


def report(outcomes: Sequence[Outcome]) -> int:
    """Print what was found; 0 if nothing is over its bound."""
    done = [each for each in outcomes if each.found]
    broke = [each for each in outcomes if each.broke]
    refused = {each.refused: each.told for each in outcomes if each.refused}
    for text, told in refused.items():
        print(f"refused: {text}\n    {told}")
    for each in broke:
        print(f"BROKE: {each.broke}\n    {each.told}")
    print(
        f"{len(done)} drags, {len(outcomes) - len(done) - len(broke)} refused, {len(broke)} broke"
    )
    bad = len(broke)
    for name, bound in BOUNDS.items():
        sizes = np.array([each.found[name] for each in done])
        over = [at for at in np.argsort(-sizes).tolist() if sizes[at] > bound]
        bad += len(over)
        print(
            f"{name:11} p50 {np.median(sizes):9.3g}  p95 {np.percentile(sizes, 95):9.3g}"
            f"  max {sizes.max():9.3g}  over {bound:g}: {len(over)}"
        )
        for at in over[:SHOWN]:
            print(f"    {sizes[at]:.3g}: {done[at].told}")
    return 1 if bad else 0


def main() -> int:
    """Print the table; 0 if nothing is over its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("built-in", "real"))
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    if given.kind == "real" and not DATA.is_dir():
        print("no real files: ../shared/data is not there")
        return 0
    with ProcessPoolExecutor(given.jobs) as pool:
        outcomes = list(pool.map(work, [given] * given.cases, range(given.cases)))
    return report(outcomes)


if __name__ == "__main__":
    sys.exit(main())
