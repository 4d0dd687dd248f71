"""What sampling and kinematics cost: 60 joints over 240 frames, all at once and frame by frame."""

from __future__ import annotations

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.kinematics.sample import quaternion_channels, sample
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind, Rig
from arcwright.scene.take import Take
from side_by_side import measure, table

JOINTS, FRAMES, RATE = 60, 240, 24.0
TIMES = np.arange(FRAMES) / RATE
TIPS = [11, 23, 35, 47]


def body(mode: str) -> Rig:
    """Five chains of twelve joints from one root."""
    turns = range(6, 10) if mode == QUATERNION else (5, 4, 3)
    rows = [(0, axis) for axis in range(3)]
    rows += [(joint, kind) for joint in range(JOINTS) for kind in turns]
    return Rig(
        names=tuple(f"joint{joint}" for joint in range(JOINTS)),
        parents=[-1] + [joint - 1 if joint % 12 else 0 for joint in range(1, JOINTS)],
        offset=np.random.default_rng(0).normal(0, 0.2, (JOINTS, 3)),
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (JOINTS, 1)),
        scale=np.ones((JOINTS, 3)),
        modes=(mode,) * JOINTS,
        channels=ChannelTable.of([joint for joint, _ in rows], [Kind(kind) for _, kind in rows]),
    )


def keyed_take(rig: Rig, rng: np.random.Generator) -> Take:
    """21 keys a channel, each channel at its own times."""
    curves = []
    for default in rig.channels.default:
        frames = np.unique([0, *rng.choice(np.arange(1, FRAMES), 19, replace=False), FRAMES])
        curves.append(keyed(frames / RATE, default + rng.normal(0, 0.4, len(frames))))
    return Take(rig, Clip("keys", tuple(curves), FRAMES / RATE, RATE))


def captured_take(rig: Rig, rng: np.random.Generator) -> Take:
    """The same length at 120 samples a second."""
    values = rng.normal(0, 0.4, (FRAMES * 5 + 1, len(rig.channels)))
    four = quaternion_channels(rig)
    values[:, four] = quaternion_normalise(values[:, four])
    return Take(rig, Motion("capture", np.arange(len(values)) / RATE / 5, values, RATE * 5))


def layered(take: Take, rng: np.random.Generator) -> Take:
    """Ten joints turned by a layer."""
    turn = rng.normal(0, 0.2, (20, 10, 3))
    layer = Layer("push", 0.0, 10.0, np.arange(10), turn, np.zeros(0), np.zeros((20, 0)))
    return Take(take.rig, take.base, (layer,))


def main() -> None:
    for mode in ("ZYX", QUATERNION):
        rng = np.random.default_rng(1)
        rig = body(mode)
        keys, capture = keyed_take(rig, rng), captured_take(rig, rng)
        pushed = layered(keys, rng)
        values = sample(keys, TIMES).values
        works = {
            "sample keys + all joints": lambda t=keys, r=rig: forward(r, sample(t, TIMES).values),
            "sample keys": lambda t=keys: sample(t, TIMES),
            "sample keys, ten joints in a layer": lambda t=pushed: sample(t, TIMES),
            "sample capture": lambda t=capture: sample(t, TIMES + 0.003),
            "all joints": lambda r=rig, v=values: forward(r, v),
            "four tips": lambda r=rig, v=values: forward(r, v, TIPS),
            "trails of four tips": lambda t=keys: trail(t, TIPS, TIMES),
            "all joints, frame by frame": lambda r=rig, v=values: [
                forward(r, v[frame : frame + 1]) for frame in range(FRAMES)
            ],
        }
        title = f"{JOINTS} joints ({mode}), {len(rig.channels)} curves, {FRAMES} frames"
        print(table(title, measure(works, 30), "all joints"))


if __name__ == "__main__":
    main()
