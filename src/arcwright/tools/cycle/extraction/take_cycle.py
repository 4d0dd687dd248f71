"""The cycle of a take: its loop as a clip with few keys, in place or travelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mirror import Mirror, mirror_of
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.root_path import RootPath, root_path
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Actor, Character
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.body_features import (
    axis_tips,
    continuous_frames,
    seen_from_root,
)
from arcwright.tools.cycle.extraction.clip_loop import ClipEnds, search_clip
from arcwright.tools.cycle.extraction.closed_clip import closed_clip_cycle
from arcwright.tools.cycle.extraction.closure import Closure, finite
from arcwright.tools.cycle.extraction.half_cycle import mirrored_half, straightened
from arcwright.tools.cycle.extraction.loop import Shape, cycle_weights, unit_quaternions
from arcwright.tools.cycle.extraction.loop_clip import LoopFit, extended_phases, fit_loop, in_place
from arcwright.tools.cycle.extraction.loop_seam import Carry
from arcwright.tools.cycle.extraction.model import (
    LEAST_SAMPLES,
    Cycle,
    PerformedSamples,
    extract,
    moves,
)
from arcwright.tools.cycle.extraction.paper import find_as_published
from arcwright.tools.cycle.extraction.period import Candidate
from arcwright.tools.cycle.extraction.phase import Alignment, evenly_timed
from arcwright.tools.cycle.extraction.repeated_loop import Around, repeat_loop
from arcwright.tools.cycle.extraction.rotation_columns import RotationColumns, continuous_values
from arcwright.tools.cycle.extraction.search import CycleSearch, caution, search_cycles
from arcwright.tools.cycle.extraction.signal import MotionSignal
from arcwright.tools.cycle.extraction.travel import (
    Travel,
    travel,
    with_travel,
    without_travel,
)

Method: TypeAlias = Literal["auto", "paper"]

TOLERANCE = 0.005  # m, of the fitted loop
AXIS = 0.1  # of the body's size: how far from a joint that only turns its movement is seen


@dataclass(frozen=True, eq=False)
class TakeCycle:
    """What was found in a take: a loop, or the reason why there is none."""

    take: Take
    reason: str | None  # why there is no loop
    alternatives: tuple[Candidate, ...]  # possible periods, the best first
    cycle: Cycle | None = None
    motion: Motion | None = None  # the loop in place; the last sample is the first again
    root: RootPath | None = None
    travel: Travel | None = None
    exact_start: bool = False  # whether a person chose where the loop starts

    @property
    def period(self) -> float | None:
        """Seconds of a cycle, None if nothing repeats."""
        return None if self.cycle is None else self.cycle.period

    @property
    def cycles(self) -> list[tuple[float, float]]:
        """Start and end of every cycle in the take, s."""
        if self.cycle is None:
            return []
        return list(pairwise(self.cycle.cuts.tolist()))

    @property
    def confidence(self) -> float:
        """1 for many exact repetitions, a half for one of them, 0 for none."""
        return self.alternatives[0].confidence if self.cycle and self.alternatives else 0.0

    @property
    def caution(self) -> str | None:
        """Why the loop may not be one, in words for people; None where that is well seen."""
        if self.cycle is None:
            return None
        return caution(self.alternatives, self.cycle.error, sum(self.cycle.used))

    def loop(self, *, tolerance: float = TOLERANCE, travels: bool = False) -> LoopFit:
        """The loop as a clip with few keys: in place, or travelling as the take does."""
        if self.motion is None:
            raise BadValue("take", "a movement that repeats", self.reason)
        rig, motion = self.take.rig, self.motion
        frames = len(motion.time) - 1
        phases = extended_phases(frames)
        values = np.array(motion.values[np.round(phases * frames).astype(int) % frames])
        carry: Carry = in_place
        straight = True
        if travels and self.root is not None and self.travel is not None:
            carry, straight = partial(_carried, self.root, self.travel), self.travel.turn == 0
        values = carry(values, phases)
        time = np.arange(len(phases)) / motion.rate
        extended = replace(motion, time=time, values=continuous_values(rig, values))
        exact = self.exact_start
        return fit_loop(
            rig, extended, frames, tolerance, carry, straight=straight, exact_start=exact
        )

    def repeated(
        self,
        count: int,
        *,
        blend: float = 0.3,
        travels: bool = False,
        around: Around = "source",
    ) -> Take:
        """A take that goes into the loop, repeats it `count` times, and comes out of it.

        `blend` seconds are the way in and the way out: from the take that was looped and back to
        it, or from and to the rest pose with `around="rest"`.
        """
        motion = repeat_loop(self, count, blend=blend, travels=travels, around=around)
        return Take(self.take.rig, motion)

    @property
    def starts(self) -> list[float]:
        """Moments of the take, s, that the loop's first frame is made of: one in each cycle."""
        if self.cycle is None:
            return []
        return [float(each) for each in self.cycle.starts]

    def as_json(self) -> dict[str, Any]:
        """Everything found, as `arcwright cycle --json` prints it."""
        cycle = self.cycle
        found: dict[str, Any] = {"period": self.period, "confidence": round(self.confidence, 4)}
        if cycle is None:
            found["reason"] = self.reason
        else:
            found["caution"] = self.caution
            found["cycles"] = [[round(start, 4), round(end, 4)] for start, end in self.cycles]
            found["used"] = list(cycle.used)
            found["starts"] = [round(each, 4) for each in self.starts]
            found["closure"] = cycle.closure.as_json
            found["error"] = finite(cycle.error)
            if self.travel is not None:
                found["stride"] = self.travel.stride.tolist()
                found["turn"] = self.travel.turn
        found["alternatives"] = [
            {"period": each.period, "score": each.score, "confidence": each.confidence}
            for each in self.alternatives
        ]
        return found


def extract_cycle(
    take: Take,
    *,
    actor: Actor | None = None,
    method: Method = "auto",
    shape: Shape = "average",
    joints: Sequence[str] = (),
    period: float | None = None,
    start: float | None = None,
    mirror: bool = False,
) -> TakeCycle:
    """The cycle of a take; `joints` are those whose movement must repeat, all by default.

    `period`, in seconds, chooses among the alternatives: the nearest one is taken. `start`, in
    seconds of the take, is the moment with which the loop starts. With `mirror` its second half is
    the first one, mirrored to the other side.
    """
    for name, value, choices in (("method", method, Method), ("shape", shape, Shape)):
        if value not in get_args(choices):
            raise BadValue(name, " or ".join(get_args(choices)), repr(value))
    if start is not None and not 0 <= start <= take.duration:
        raise BadValue("start", f"a moment of the take, 0 to {take.duration:.2f} s", start)
    about = analyse(Character("", take.rig, (take,)) if actor is None else actor, take)
    body = _Body.of(take, about.root, about.size, joints)
    if method == "paper":
        return _as_published(body)
    found = _search(body, period)
    alignment, signal = found.alignment, found.signal
    if alignment is None or signal is None:
        return TakeCycle(take, found.reason, found.candidates)
    weights = cycle_weights(alignment, shape)
    way, performed = body.in_place(signal, alignment, weights, found.samples.features)
    frames = max(2, round(alignment.period / signal.rate * take.rate))
    frames += frames % 2 if mirror else 0
    phase = None if start is None else alignment.phase((start - signal.start) * signal.rate)
    make = closed_clip_cycle if found.candidates[0].parts else extract
    cycle = make(performed, signal, alignment, frames, shape, phase)
    motion = body.motion(cycle.loop, performed, cycle.cuts[int(np.argmax(cycle.weights))])
    if mirror:
        way = None if way is None else straightened(way)
        half = mirrored_half(take.rig, about.root, motion.values[:-1], way)
        motion = replace(motion, values=np.concatenate([half, half[:1]]))
    exact = start is not None
    return TakeCycle(take, None, found.candidates, cycle, motion, body.root, way, exact)


def _search(body: _Body, period: float | None) -> CycleSearch:
    views, base = list(body.views()), body.take.base
    if not isinstance(base, Clip):
        return search_cycles(views, period)
    return search_clip(views, ClipEnds(base.loops, base.duration, body.size), period)


def _carried(root: RootPath, way: Travel, values: Floats, phases: Floats) -> Floats:
    """Channel values (T, C) moved by the travel of so many cycles."""
    return with_travel(root, values, way, phases)


def _as_published(body: _Body) -> TakeCycle:
    """The published method on the same features, root and rotations."""
    features, rate = body.features, body.take.rate
    found = find_as_published(features) if len(features) >= LEAST_SAMPLES else None
    if found is None:
        return TakeCycle(body.take, "the published method finds no two cuts", ())
    signal = MotionSignal(features, 0.0, rate)
    alignment = evenly_timed(found.cuts.astype(float))
    weights = np.ones(len(alignment))
    way, performed = body.in_place(signal, alignment, weights, features)
    loop = found.mean(performed.values)
    loop = unit_quaternions(loop, performed.quaternions)
    cuts = found.cuts / rate
    used = tuple([True] * len(alignment))
    gaps = Closure(0.0, float("nan"))
    period = found.period / rate
    cycle = Cycle(period, loop, cuts, used, weights, gaps, float("nan"), alignment)
    motion = body.motion(loop, performed, cuts[0])
    return TakeCycle(body.take, None, (), cycle, motion, body.root, way)


@dataclass(frozen=True, eq=False)
class _Body:
    """A take as its cycle is looked for: channel values, the root, features."""

    take: Take
    values: Floats  # (N, C)
    root: RootPath | None
    size: float  # m
    place: Floats  # (N, J, 3) m, joints whose movement must repeat, in the world; where all only
    # turn or scale, as wheels do, the tips of their axes
    features: Floats  # (N, 3 J) the same, seen from the root and its heading
    mirror: Mirror | None  # of a body with two sides, whose joints are all looked at

    @staticmethod
    def of(take: Take, root_joint: int, size: float, joints: Sequence[str]) -> _Body:
        """The body of a take; `joints` are those whose movement must repeat, all by default."""
        rig, values = take.rig, values_at(take, take.frame_times())
        world = forward(rig, values)
        kept = continuous_frames(world[..., :3, 3])
        values, world = values[kept], world[kept]
        if joints:
            world = world[:, [rig.joint(name) for name in joints]]
        root = root_path(rig, root_joint, values)
        place = world[..., :3, 3]
        features = _features(place, root, level=True)
        turns_only = not moves(features)
        if turns_only:
            place = axis_tips(world, AXIS * size)
            features = _features(place, root, level=True)
        mirror = None if joints or turns_only or root is None else mirror_of(rig)
        two_sided = mirror is not None and len(mirror.pairs) > 0
        return _Body(take, values, root, size, place, features, mirror if two_sided else None)

    def views(self) -> Iterator[PerformedSamples]:
        """The features alone, as where the root goes is not known before the cycles are; then as on
        uneven ground, with heights above the root, as the ground's are no part of a movement."""
        time = self.take.frame_times()
        mirrored = None if self.mirror is None else _mirrored(self.features, self.mirror)
        yield PerformedSamples(time, self.features, self.features, mirrored=mirrored)
        if self.root is not None:
            uneven = _features(self.place, self.root, level=False)
            yield PerformedSamples(time, uneven, uneven)

    def in_place(
        self, signal: MotionSignal, alignment: Alignment, weights: Floats, features: Floats
    ) -> tuple[Travel | None, PerformedSamples]:
        """The travel of cycles that were aligned by some features, and the samples without it."""
        way, values = None, self.values
        if self.root is not None:
            time = self.take.frame_times()
            way = travel(self.root, time, signal, alignment, weights, self.size)
            values = without_travel(self.root, values, way)
        columns = RotationColumns.of(self.take.rig)
        return way, PerformedSamples(
            self.take.frame_times(),
            columns.from_channels(values),
            features,
            columns.quaternions,
        )

    def motion(self, loop: Floats, performed: PerformedSamples, start: float) -> Motion:
        """The loop (M, V) as channel values, its first sample again at the end."""
        rate = self.take.rate
        columns = RotationColumns.of(self.take.rig)
        sample = int(np.argmin(np.abs(performed.time - start)))
        closed = np.concatenate([loop, loop[:1]])
        values = columns.to_channels(closed, self.values[sample])
        return Motion(self.take.name, np.arange(len(closed)) / rate, values, rate)


def _features(place: Floats, root: RootPath | None, *, level: bool) -> Floats:
    if root is None:
        return place.reshape(len(place), -1)
    return seen_from_root(place, root.position, root.heading, level=level)


def _mirrored(features: Floats, mirror: Mirror) -> Floats:
    """(N, 3 J) features of all joints in the mirror: of the other side, seen from the root."""
    place = features.reshape(len(features), -1, 3)[:, mirror.counterpart]
    level = mirror.normal * [1.0, 0.0, 1.0]
    normal = level / np.linalg.norm(level)
    reflected = place - 2 * (place @ normal)[..., None] * normal
    return np.asarray(reflected.reshape(len(features), -1))
