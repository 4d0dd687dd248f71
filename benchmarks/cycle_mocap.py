"""The captured cycles of table 5.1: punch, walk and samba, here a dance, each made into one loop.

Run `make bench-cycle-table`, which prints them after the acted ones; they need the captures of
../shared/data. Elements are joints that move, transforms their channels that do. The paper's suits
gave six transforms a joint, ours give the root's position and rotations of all others.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import arcwright
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.loop_clip import LoopFit
from arcwright.tools.cycle.extraction.take_cycle import TakeCycle
from cycle_layers import Paper

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "bvh"
MOVES = 1e-6  # m or rad


@dataclass(frozen=True)
class CapturedRow:
    """One captured cycle."""

    name: str
    capture: str  # a BVH file
    paper: Paper

    @property
    def path(self) -> Path | None:
        """Where the capture is; None where there is none."""
        return next(iter(sorted(DATA.glob(f"*/{self.capture}.bvh"))), None)


CAPTURED = (
    CapturedRow("mocap_punch", "143_23_punching", Paper(21, 126)),
    CapturedRow("mocap_walk", "105_29_normal_walk_long", Paper(60, 253)),
    CapturedRow("mocap_dance", "rokoko_jesse_dance", Paper(52, 159)),
)


@dataclass(frozen=True, eq=False)
class Looped:
    """A captured row and the loop in it."""

    row: CapturedRow
    found: TakeCycle
    loop: LoopFit
    seconds: float  # CPU

    @property
    def take(self) -> Take:
        """The loop as a take."""
        return Take(self.found.take.rig, self.loop.clip)

    @property
    def moving(self) -> tuple[int, int]:
        """Joints and channels of the capture that move."""
        take = self.found.take
        spread = np.ptp(values_at(take, take.frame_times()), axis=0) > MOVES
        return len(set(take.rig.channels.joint[spread].tolist())), int(spread.sum())


def looped(row: CapturedRow) -> Looped:
    """Find the cycle of a capture and make its loop with few keys."""
    assert row.path is not None
    character = arcwright.read(row.path).characters[0]
    began = time.process_time()
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.period is not None, found.reason
    loop = found.loop()
    return Looped(row, found, loop, time.process_time() - began)


HEAD = (
    f"{'capture':16}"
    + "".join(f"{each:>10}" for each in ("elements", "transf.", "paper", "", "take, s"))
    + "".join(f"{each:>10}" for each in ("period", "used", "frames", "keys", "jump"))
    + "".join(f"{each:>10}" for each in ("position", "velocity", "off, mm", "CPU s"))
)


def line(done: Looped, jump: float) -> str:
    """What a row came to; `jump` is the largest step between frames."""
    found, loop, paper = done.found, done.loop, done.row.paper
    assert found.cycle is not None
    elements, transforms = done.moving
    used = f"{int(sum(found.as_json()['used']))} of {len(found.cycles)}"
    frames = round(loop.clip.duration * loop.clip.rate)
    return (
        f"{done.row.name.replace('_', ' '):16}{elements:10}{transforms:10}"
        f"{paper.elements:10}{paper.transforms:10}{found.take.duration:10.1f}"
        f"{found.period:10.2f}{used:>10}{frames:10}{loop.clip.key_count:10}{jump:10.2f}"
        f"{loop.closure.position:10.0e}{loop.closure.velocity:10.0e}{1000 * loop.error:10.1f}"
        f"{done.seconds:10.1f}"
    )
