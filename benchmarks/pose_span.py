"""How far does a pose change the motion around it? Random poses of keyed clips and fitted captures.

    python benchmarks/pose_span.py [--cases 100]

Printed: frames of the take at which some channel differs although they lie outside the segments
between its key before and its key after the pose (key poses of the clip, for a channel that is
not keyed around it), and how many frames differ in all.
"""

from __future__ import annotations

import argparse
import sys

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from limbs_first import Body, joints, random_case, sources

ROUNDING = 1e-12  # a value that had one key is now worked out between several alike


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100, help="of each source")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    worst = 0
    print(f"{'':12}{'poses':>6}{'outside: median':>17}{'p95':>6}{'most':>6}{'changed: median':>17}")
    for source in ("built-in", "characters", "captures"):
        random = np.random.default_rng([options.seed, len(source)])
        found = []
        bodies = sources(1, reduced=True)[source]
        while len(found) < options.cases:
            body = bodies[random.integers(len(bodies))]
            case = random_case(random, body, hands_only=False)
            if case is not None:
                found.append(measured(body, case[0], _on_a_key(random, body, case[1]), case[2]))
        outside, changed = np.array(found).T
        print(
            f"{source:12}{len(found):6}{np.median(outside):17.0f}{np.percentile(outside, 95):6.0f}"
            f"{outside.max():6.0f}{np.median(changed):17.0f}"
        )
        worst = max(worst, int(outside.max()))
    return 0 if worst == 0 else 1


def _on_a_key(random: np.random.Generator, body: Body, when: float) -> float:
    """Half of the poses are at a key pose, the others between."""
    poses = key_poses(body.take.base)
    near = poses[(poses >= 0) & (poses <= body.take.duration)]
    return float(near[np.abs(near - when).argmin()]) if random.random() < 0.5 else when


def key_poses(clip: Clip) -> np.ndarray:
    return np.unique(np.concatenate([c.time for c in clip.curves if c is not None]))


def measured(body: Body, point, when: float, target: np.ndarray) -> tuple[int, int]:
    """Frames changed outside of the neighbouring segments, and frames changed at all."""
    was = trail(body.take, point, [when]).position[0]
    way = target - joints(body.take, when)[body.take.rig.joint(point.joint)]
    far = np.linalg.norm(way) or 1.0
    session = tool("pose").begin(body.scene, Target(), tool("pose").Options())
    session.update(Drag(point, when, position=was + way / far * min(far, 0.1)))
    after = session.finish().apply(body.scene).characters[0].takes[0]
    frames = np.arange(int(body.take.duration * body.take.rate) + 1) / body.take.rate
    differs = np.abs(values_at(body.take, frames) - values_at(after, frames)) > ROUNDING
    poses, outside = key_poses(body.take.base), np.zeros(len(frames), bool)
    for channel in np.flatnonzero(differs.any(axis=0)).tolist():
        curve = body.take.base.curves[channel]
        keys = poses if curve is None or len(curve) < 2 or not _around(curve, when) else curve.time
        start = keys[keys < when - 1e-6].max(initial=-np.inf)
        end = keys[keys > when + 1e-6].min(initial=np.inf)
        outside |= differs[:, channel] & ((frames < start - 1e-9) | (frames > end + 1e-9))
    return int(outside.sum()), int(differs.any(axis=1).sum())


def _around(curve, when: float) -> bool:
    """Whether a time lies among the keys of a curve."""
    return bool(curve.time[0] - 1e-6 <= when <= curve.time[-1] + 1e-6)


if __name__ == "__main__":
    sys.exit(main())
