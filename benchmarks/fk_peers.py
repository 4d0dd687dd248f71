"""Forward kinematics against Pinocchio: largest error over random rigs and a captured walk.

Run with an environment that has `pin`; exits with 1 if a joint is off by more than 1e-5 m.
"""

from __future__ import annotations

import sys
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np
import pinocchio as pin

from arcwright.files import bvh
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.kinematics.sample import quaternion_channels, sample
from arcwright.scene.rig import EULER_MODES, MODES, Rig
from pinocchio_model import peer

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "support"))
from random_rigs import random_rig  # noqa: E402

WALK = ROOT.parent / "shared" / "data" / "bvh" / "cmu" / "105_29_normal_walk_long.bvh"
ALLOWED = 1e-5  # m, and rad for orientations


def theirs(rig: Rig, values: np.ndarray) -> np.ndarray:
    """(T, J, 4, 4), frame by frame as Pinocchio works."""
    other = peer(rig)
    data = other.model.createData()
    world = np.empty((len(values), len(rig.names), 4, 4))
    for frame, q in enumerate(other.configurations(values)):
        pin.framesForwardKinematics(other.model, data, q)
        for joint, place in enumerate(other.frames):
            world[frame, joint] = data.oMf[place].homogeneous
    return world


def compare(rig: Rig, values: np.ndarray) -> tuple[float, float]:
    """Largest distance, m, and largest angle, rad, between joints."""
    apart = theirs(rig, values) - forward(rig, values)
    angle = np.linalg.norm(apart[..., :3, :3], axis=(-2, -1)) / np.sqrt(2)
    return float(np.linalg.norm(apart[..., :3, 3], axis=-1).max()), float(angle.max())


def random_case(seed: int, modes: tuple[str, ...]) -> tuple[Rig, np.ndarray]:
    rig = random_rig(seed, 30, modes=modes, scaled=False)
    values = np.random.default_rng(seed).uniform(-4, 4, (50, len(rig.channels)))
    four = quaternion_channels(rig)
    values[:, four] = quaternion_normalise(values[:, four])
    return rig, values


def main() -> int:
    cases = {
        "20 random Euler rigs, 30 joints": [random_case(s, EULER_MODES) for s in range(20)],
        "20 random rigs, quaternions too": [random_case(s, MODES) for s in range(20, 40)],
    }
    if WALK.is_file():
        take = bvh.read(WALK).characters[0].takes[0]
        values = sample(take, take.frame_times()[::5]).values
        cases[f"{WALK.name}, {len(values)} frames"] = [(take.rig, values)]
    print(f"Pinocchio {pin.__version__}, largest differences")
    print(f"  {'':44} {'position m':>11} {'angle rad':>11}")
    worst = 0.0
    for name, rigs in cases.items():
        found = np.max([compare(rig, values) for rig, values in rigs], axis=0)
        print(f"  {name:44} {found[0]:11.1e} {found[1]:11.1e}")
        worst = max(worst, *found)
    print("agree" if worst <= ALLOWED else f"DISAGREE: more than {ALLOWED}")
    return int(worst > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
