"""Loops shaped by drags: time of each move, how exactly it is met, keys, and what else changes.

Every drag goes its way in 30 moves, as a pointer does; for each the edit of the preview is built.
CPU time of one thread, in milliseconds: `press` is the first update, which prepares the others,
`move` is the pose and what is drawn, `edit` that and the keys of the preview, `finish` the edit
that stays. `off` is how far the dragged frame ends from its
target: in mm for places, in frames for ticks. `beside` is the largest change of a channel beyond
the affected range.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from arcwright import characters
from arcwright.arrays import Floats
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.shaping.shape import Shaping
from arcwright.tools.gesture import Drag, ToolHandle
from loops import BALL, ball_scene

MOVES = 30
FRAMES = 40  # of every loop
RATE = 24.0
WAY = 0.08  # m, of a drag at its end; of a channel, in its unit
TICKS = 2.5  # frames, of a dragged tick at its end
CHANNEL = "joint0.weight.grin"
EVERYWHERE = 60.0  # s, a range that takes in the whole loop


@dataclass
class Figures:
    """What the drags of a case come to."""

    press: list[float] = field(default_factory=list)
    move: list[float] = field(default_factory=list)
    edit: list[float] = field(default_factory=list)
    finish: list[float] = field(default_factory=list)
    off: float = 0.0
    beside: float = 0.0
    keys: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Case:
    """What is dragged."""

    name: str
    scene: Scene
    target: Target
    handle: Point | ToolHandle
    ticks: bool = False
    options: CycleOptions = field(default_factory=CycleOptions)

    @property
    def take(self) -> Take:
        """The loop."""
        return self.scene.actor(self.target.character).take(self.target.take)

    def drag(self, frame: float, way: Floats, share: float) -> Drag:
        """The drag of a frame, so far on its way."""
        at = frame / RATE
        if self.ticks:
            return Drag(self.handle, at, to_time=at + share * float(way[0]) * TICKS / RATE)
        if isinstance(self.handle, ToolHandle):
            was = values_at(self.take, np.array([at]))[0, self.take.rig.channel(CHANNEL)]
            return Drag(self.handle, at, position=[0.0, was + share * WAY * way[0], 0.0])
        place = trail(self.take, self.handle, [at]).position[0]
        return Drag(self.handle, at, position=place + share * WAY * way)


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drags", type=int, default=12, help="drags of each case")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{given.drags} drags of {MOVES} moves each, loops of {FRAMES} frames")
    head = "press p95  move p50   p95  edit p50   p95  finish p50   p95       off   beside  keys"
    print(f"{'':34}{head}")
    for case in cases():
        random = np.random.default_rng(given.seed)
        print(f"{case.name:34}{_row(case, measured(case, random, given.drags))}", flush=True)


def cases() -> list[Case]:
    """Props, roots, channels and bodies; curves and ticks."""
    ball, own = ball_scene()
    biped, walk = _walk()
    item, whole = CycleOptions(retime="item"), CycleOptions(affected_range=EVERYWHERE)
    hips, channel = Point("Hips"), ToolHandle(f"channel:{CHANNEL}")
    return [
        Case("curve of a prop", ball, own, BALL),
        Case("curve of a root", biped, walk, hips),
        Case("curve of a channel", ball, own, channel),
        Case("ticks of a prop", ball, own, BALL, True),
        Case("ticks of a root", biped, walk, hips, True, item),
        Case("ticks of a channel", ball, own, channel, True, item),
        Case("ticks of a whole body", biped, walk, hips, True),
        Case("curve of a hand", biped, walk, Point("LeftHand")),
        Case("curve of a hand, all 40 frames", biped, walk, Point("LeftHand"), False, whole),
        Case("curve of a foot, all 40 frames", biped, walk, Point("RightFoot"), False, whole),
        Case("curve of a head, all 40 frames", biped, walk, Point("Head"), False, whole),
    ]


def _walk() -> tuple[Scene, Target]:
    """The walk of the biped, 40 frames long."""
    scene, target = characters.built_in("biped"), Target("biped", "walk")
    session = Shaping(scene, target, CycleOptions())
    session.set_options(CycleOptions(loop_period=FRAMES / RATE))
    return session.finish().apply(scene), target


def measured(case: Case, random: np.random.Generator, drags: int) -> Figures:
    """Drags of random frames to random sides."""
    figures, before = Figures(), case.take
    for _ in range(drags):
        frame, way = float(random.integers(FRAMES)), random.normal(size=3)
        way /= np.linalg.norm(way)
        session = Shaping(case.scene, case.target, case.options)
        press = partial(session.update, case.drag(frame, way, 1e-4))
        figures.press.append(_timed(press))
        for share in np.linspace(1 / MOVES, 1.0, MOVES):
            drag = case.drag(frame, way, float(share))
            start = time.thread_time()
            preview = session.update(drag)
            figures.move.append(time.thread_time() - start)
            assert preview.edit is not None
            figures.edit.append(time.thread_time() - start)
        figures.finish.append(_timed(session.finish))
        scene = session.finish().apply(case.scene)
        after = scene.actor(case.target.character).take(case.target.take)
        figures.off = max(figures.off, _off(case, before, after, drag))
        figures.beside = max(figures.beside, _beside(session, before, after, drag))
        figures.keys.append(_keys(after))
    return figures


def _timed(function: Callable[[], object]) -> float:
    start = time.thread_time()
    function()
    return time.thread_time() - start


def _off(case: Case, before: Take, after: Take, drag: Drag) -> float:
    """mm from the target, or frames from the moment."""
    now = values_at(after, np.array([drag.time]))[0]
    if drag.to_time is not None:
        loop = np.arange(FRAMES + 1.0) / RATE
        rates = np.abs(np.diff(values_at(before, loop), axis=0)).max(axis=0)
        shown = values_at(before, np.array([drag.to_time % before.duration]))[0]
        turn = float(np.floor(drag.to_time / before.duration))
        travel = np.diff(values_at(before, np.array([0.0, before.duration])), axis=0)[0]
        moves = np.array([_follows(case, each) for each in range(len(rates))]) & (rates > 1e-9)
        return float((np.abs(now - shown - turn * travel)[moves] / rates[moves]).max())
    assert drag.position is not None
    if isinstance(drag.handle, ToolHandle):
        return 1000 * abs(float(now[before.rig.channel(CHANNEL)] - drag.position[1]))
    place = trail(after, drag.handle, [drag.time]).position[0]
    return 1000 * float(np.linalg.norm(place - drag.position))


def _follows(case: Case, channel: int) -> bool:
    """Whether a channel follows the ticks of a case."""
    rig = case.take.rig
    if case.options.retime == "all":
        return True
    if isinstance(case.handle, ToolHandle):
        return channel == rig.channel(CHANNEL)
    return rig.names[rig.channels.joint[channel]] == case.handle.joint


def _beside(session: Shaping, before: Take, after: Take, drag: Drag) -> float:
    """The largest change of a channel beyond the affected range."""
    times = np.arange(4 * FRAMES) / RATE / 4
    away = np.abs(times - drag.time)
    away = np.minimum(away, before.duration - away)
    reach = session.options.affected_range
    if drag.to_time is not None:
        reach = max(reach, 2 * abs(drag.to_time - drag.time)) + 1 / RATE
    outside = times[away >= reach]
    change = values_at(after, outside) - values_at(before, outside)
    return float(np.abs(change).max(initial=0.0))


def _keys(take: Take) -> int:
    curves = getattr(take.base, "curves", ())
    return sum(len(curve) for curve in curves if curve is not None)


def _row(case: Case, figures: Figures) -> str:
    times = figures.press, figures.move, figures.edit, figures.finish
    press, move, edit, finish = (1e3 * np.percentile(each, [50, 95]) for each in times)
    keys = f"{_keys(case.take)} → {round(float(np.mean(figures.keys)))}"
    unit = "f " if case.ticks else "mm"
    return (
        f"{press[1]:9.1f}{move[0]:10.2f}{move[1]:6.2f}{edit[0]:10.2f}{edit[1]:6.2f}{finish[0]:12.1f}{finish[1]:6.1f}"
        f"  {figures.off:8.1e}{unit} {figures.beside:7.1e}  {keys}"
    )


if __name__ == "__main__":
    main()
