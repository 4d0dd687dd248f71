"""Pictures as in fig. 5.9: two acted cycles in blue and yellow, their loop in green.

Run `make cycle-pictures`; writes docs/pictures/cycle from captures of ../shared/data. With names of
BVH files: strips of stills across the seam of their loops, into out/cycle, to be looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import arcwright
from arcwright import Take
from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture.camera import framed
from arcwright.picture.poses import view_direction
from arcwright.picture.strip import strip
from arcwright.scene.rig import Rig
from arcwright.tools.cycle.extraction.take_cycle import TakeCycle
from arcwright.tools.cycle.extraction.travel import without_travel
from drawing.small_png import write_small
from drawing.wires import BLUE, GREEN, YELLOW, Wire, draw_wires

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "bvh"
CAPTURES = (
    ("105_29_normal_walk_long", "walk"),
    ("rokoko_jesse_dance", "dance"),
    ("143_23_punching", "punches"),
)
PHASES = 6
SIZE = 220, 330
SEAM = (-3, -2, -1, 0, 1, 2, 3)  # frames of a loop's seam, in 30ths of a second


def main() -> None:
    """Write the pictures of the docs, or strips of the named captures."""
    names = sys.argv[1:]
    for path in sorted(DATA.glob("*/*.bvh")):
        for name, title in CAPTURES:
            if not names and path.stem == name:
                _overlaid(_found(path), title, ROOT / "docs" / "pictures" / "cycle")
        if any(each in path.stem for each in names):
            _seam(_found(path), path.stem, ROOT / "out" / "cycle")


def _found(path: Path) -> TakeCycle:
    character = arcwright.read(path).characters[0]
    return arcwright.cycle(character.takes[0], actor=character)


def _overlaid(found: TakeCycle, title: str, folder: Path) -> None:
    """Poses of two acted cycles and of the loop at even phases."""
    assert found.cycle is not None
    assert found.motion is not None
    take, cycle, rig = found.take, found.cycle, found.take.rig
    values = values_at(take, take.frame_times())
    if found.root is not None and found.travel is not None:
        values = without_travel(found.root, values, found.travel)
    acted = forward(rig, values)[..., :3, 3]
    loop = forward(rig, found.motion.values[:-1])[..., :3, 3]
    camera = framed(loop.reshape(-1, 3), view_direction(rig, forward(rig, values)), SIZE)
    panels = []
    for share in np.arange(PHASES) / PHASES:
        wires = []
        for tint, which in zip((BLUE, YELLOW), np.flatnonzero(cycle.used)[:2], strict=False):
            at = cycle.alignment.at(np.array([which + cycle.start + share]))[0] / _signal_rate(
                found
            )
            frame = int(np.clip(round(at * take.rate), 0, len(acted) - 1))
            wires += _bones(rig, acted[frame], tint, 1.6, 0.75)
        wires += _bones(rig, loop[int(share * len(loop))], GREEN, 2.0, 1.0)
        panels.append((draw_wires(wires, camera), f"phase {share:.2f}"))
    sheet = strip(panels, title=f"{title}: two acted cycles and their loop, {found.period:.2f} s")
    write_small(sheet, folder / f"{title}.png")


def _signal_rate(found: TakeCycle) -> float:
    """Samples a second of the signal in which cycles are aligned."""
    assert found.cycle is not None
    cuts = found.cycle.alignment.cuts
    return float((cuts[-1] - cuts[0]) / (found.cycle.cuts[-1] - found.cycle.cuts[0]))


def _seam(found: TakeCycle, name: str, folder: Path) -> None:
    """Stills of the fitted loop before, at and after its seam, and at even phases."""
    if found.period is None:
        print(f"{name}: {found.reason}")
        return
    loop = found.loop()
    take = Take(found.take.rig, loop.clip)
    length = loop.clip.duration
    times = np.array([*(each / 30 for each in SEAM), *(length * np.arange(1, 7) / 7)]) % length
    world = _at(take, times)
    every = world[..., :3, 3]
    camera = framed(every.reshape(-1, 3), view_direction(take.rig, world), (170, 260))
    captions = [f"{each:+d}" for each in SEAM] + [f"{share:.2f}" for share in np.arange(1, 7) / 7]
    panels = [
        (draw_wires(_bones(take.rig, pose, GREEN, 2.0, 1.0), camera), caption)
        for pose, caption in zip(every, captions, strict=True)
    ]
    gaps, used = loop.closure, f"{sum(found.cycle.used)}/{len(found.cycle.used)}"  # type: ignore[union-attr]
    title = f"{name}: {found.period:.2f} s, {used} cycles, seam {gaps.acceleration:.2f} of p95"
    write_small(strip(panels, title=title, columns=7), folder / f"{name}.png")


def _at(take: Take, times: Floats) -> Floats:
    return forward(take.rig, values_at(take, times))


def _bones(rig: Rig, places: Floats, tint: str, radius: float, alpha: float) -> list[Wire]:
    return [
        Wire(places[[parent, joint]], tint, radius, alpha)
        for joint, parent in enumerate(rig.parents.tolist())
        if parent > 0 or (parent == 0 and np.linalg.norm(places[joint] - places[0]) < 1.0)
    ]


if __name__ == "__main__":
    main()
