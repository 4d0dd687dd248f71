"""Loops in place brought to the ground by one stroke: whether anything slides, and how far it goes.

All figures are measured on the resulting take, over three loops: `slide` from one frame in contact
to the next, `between` the farthest that a point gets from its place between two frames, `stride`
the travel of the root against the distance of footprints, `bend` the largest change of a point's
step from frame to frame, against that of the loop in place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters import built_in
from arcwright.kinematics.feet import feet
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_stroke import ContactStroke, Touch
from arcwright.tools.cycle.options import CycleOptions
from stepping import beside, biped_in_place, drawn, stepping

_T = TypeVar("_T")
LOOPS = 3
TOES = [Point("LeftToes"), Point("RightToes")]
GROUNDS = ("level", "slope", "steps", "curve")


def main() -> None:
    """Print a row for each loop and ground."""
    print(
        f"{'loop':16}{'ground':8}{'items':>6}{'contact':>9}{'flight':>8}{'slide':>12}{'between':>11}"
        f"{'stride':>9}{'off':>10}{'bend':>7}{'keys':>11}{'update':>9}{'finish':>8}"
    )
    for name, scene in _loops().items():
        for ground in GROUNDS:
            _row(name, scene, ground)


def _loops() -> dict[str, Scene]:
    spider = {each.point.joint: each.point for each in built_in("spider:stride").contacts}
    phases = [0.5 * (("Left" in name) == (int(name[-7]) % 2)) for name in spider]
    return {
        "biped walk": biped_in_place(),
        "biped run": stepping("biped:stand", TOES, [0, 0.5]),
        "biped hop": stepping("biped:stand", TOES, [0, 0]),
        "dinosaur walk": stepping(
            "dinosaur:punch", feet(built_in("dinosaur").characters[0].rig), [0, 0.5]
        ),
        "spider walk": stepping(
            "spider:stride", list(spider.values()), phases, stride=0.1, lift=0.05
        ),
        "lamp hop": stepping("lamp:hop", [Point("Base")], [0]),
    }


@dataclass(frozen=True, eq=False)
class Result:
    """A take with contacts, and what touches when."""

    take: Take
    touch: Touch
    points: list[Point]
    frames: int
    duration: float  # s
    fine: int  # samples of a frame

    def path(self, item: int, times: Floats) -> Floats:
        """(T, 3) m, of one item."""
        return trail(self.take, self.points[int(self.touch.items[item])], times).position

    def slides(self) -> tuple[float, float]:
        """m, from frame to frame, and between two frames."""
        parts, found = 8, [0.0, 0.0]
        times = np.arange(LOOPS * self.frames * parts) / (self.frames * parts) * self.duration
        for item in range(len(self.touch.items)):
            path = self.path(item, times).reshape(-1, parts, 3)
            own = np.tile(self.touch.touches[:: self.fine, item], LOOPS)
            both = (own[1:] & own[:-1]).nonzero()[0]
            steps = np.linalg.norm(path[both + 1, 0] - path[both, 0], axis=-1)
            inside = np.linalg.norm(path[both] - path[both, :1], axis=-1)
            found = [max(found[0], steps.max(initial=0)), max(found[1], inside.max(initial=0))]
        return found[0], found[1]

    def off_stride(self, root: Floats) -> float:
        """By what part of it the root's travel differs from the distance of footprints."""
        worst = 0.0
        for item in range(len(self.touch.items)):
            at = (
                int(np.argmax(self.touch.touches[:: self.fine, item])) / self.frames * self.duration
            )
            first, last = self.path(item, np.array([at, at + self.duration]))
            worst = max(worst, float(np.linalg.norm(last - first - root)))
        return worst / max(float(np.linalg.norm(root)), 1e-9)

    def bend(self, before: Floats) -> float:
        """The largest second difference of a path, against that of the loop in place."""
        times = np.arange(2 * self.frames) / self.frames * self.duration
        after = [np.diff(self.path(i, times), 2, axis=0) for i in range(len(self.touch.items))]
        own = before[:: self.fine][:, self.touch.items]
        was = np.roll(own, -1, axis=0) - 2 * own + np.roll(own, 1, axis=0)
        return float(np.abs(after).max() / np.abs(was).max())


def _row(name: str, scene: Scene, ground: str) -> None:
    surface = "plane" if ground in ("level", "slope") else ground
    session = ContactStroke(scene, Target(), CycleOptions(surface=surface))
    stroke = drawn(beside(scene), _line(session.loop.curves.place, ground), 40)
    moved, _ = _timed(lambda: session.update(stroke))
    ended, edit = _timed(session.finish)
    touch = session._now.touch
    assert touch is not None
    take = edit.apply(scene).characters[0].takes[0]
    loop = session.loop
    found = Result(take, touch, loop.points, loop.frames, loop.duration, loop.fine)
    slide, between = found.slides()
    joint = analyse(scene.characters[0], take).root
    ends = trail(take, joint, np.array([0.0, found.duration])).position
    way = ends[1] - ends[0]
    flags = touch.touches[:: session.loop.fine]
    keys = sum(len(change.after) for change in edit.changes if change.address[-1] != "loops")  # type: ignore[arg-type]
    print(
        f"{name:16}{ground:8}{len(touch.items):6}{int(flags.sum()):9}"
        f"{int((~flags.any(axis=1)).sum()):8}{1e3 * slide:10.5f}mm{1e3 * between:9.2f}mm"
        f"{np.linalg.norm(way):8.3f}m{100 * found.off_stride(way):9.5f}%"
        f"{found.bend(session.loop.curves.place):7.1f}{keys:6}/{len(edit.changes):4}"
        f"{moved:7.1f}ms{ended:6.0f}ms"
    )


def _line(curves: Floats, ground: str) -> Floats:
    """(N, 3) m, through the low part of curves (M, P, 3)."""
    share = np.linspace(-1, 1, 21)
    tall, wide = np.ptp(curves[..., 1]), np.ptp(curves[..., 2])
    height = curves[..., 1].min() + 0.15 * tall + 0 * share
    if ground in ("slope", "steps"):
        height += 0.2 * wide * share
    if ground == "curve":
        height += 0.2 * tall * (1 - share**2)
    ahead = curves[..., 2].mean() + wide * share
    return np.stack([np.full_like(share, curves[..., 0].mean()), height, ahead], axis=1)


def _timed(run: Callable[[], _T]) -> tuple[float, _T]:
    start = time.thread_time()
    found = run()
    return 1e3 * (time.thread_time() - start), found


if __name__ == "__main__":
    main()
