"""Positions and Jacobians of four points over some frames: ours against a loop of Pinocchio.

Run with an environment that has `pin`; exits with 1 if a derivative is off by more than 1e-9.
"""

from __future__ import annotations

import sys

import one_thread  # noqa: F401

# isort: split
import numpy as np
import pinocchio as pin

from arcwright.compiled import library as compiled
from arcwright.kinematics.jacobian import plain_jacobian, point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import ChannelTable, Kind, Rig
from pinocchio_model import Peer, peer
from side_by_side import measure, table

TIPS = (5, 10, 20, 28)  # toes and hands of `body`
WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
ALLOWED = 1e-9


def body() -> Rig:
    """31 joints as in the CMU captures: two legs, a spine, a head, two arms with hands."""
    parents = [-1, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15]
    parents += [13, 17, 18, 19, 20, 21, 20, 13, 24, 25, 26, 27, 28, 27]
    count = len(parents)
    rows = [(0, axis) for axis in range(3)]
    rows += [(joint, kind) for joint in range(count) for kind in (5, 4, 3)]
    return Rig(
        names=tuple(f"joint{joint}" for joint in range(count)),
        parents=parents,
        offset=np.random.default_rng(0).normal(0, 0.2, (count, 3)),
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        scale=np.ones((count, 3)),
        modes=("ZYX",) * count,
        channels=ChannelTable.of([joint for joint, _ in rows], [Kind(kind) for _, kind in rows]),
    )


def with_points(rig: Rig, points: Places, *, compact: bool) -> tuple[Peer, list[int]]:
    other = peer(rig, compact=compact)
    ids = []
    for number, (joint, offset) in enumerate(zip(points.joints, points.offsets, strict=True)):
        carrier = other.model.frames[other.frames[joint]]
        place = carrier.placement * pin.SE3(np.eye(3), offset)
        frame = pin.Frame(f"point{number}", carrier.parentJoint, place, pin.FrameType.OP_FRAME)
        ids.append(other.model.addFrame(frame))
    return other, ids


def loop(other: Peer, data: pin.Data, ids: list[int], configurations: np.ndarray):
    """Positions (T, P, 3) and Jacobians (T, P, 6, nv), frame by frame as Pinocchio works."""
    count = len(configurations)
    position = np.empty((count, len(ids), 3))
    jacobian = np.empty((count, len(ids), 6, other.model.nv))
    for frame, q in enumerate(configurations):
        pin.computeJointJacobians(other.model, data, q)
        for number, place in enumerate(ids):
            pin.updateFramePlacement(other.model, data, place)
            position[frame, number] = data.oMf[place].translation
            jacobian[frame, number] = pin.getFrameJacobian(other.model, data, place, WORLD)
    return position, jacobian


def compare(rig: Rig, points: Places, frames: int, repeats: int) -> float:
    """Print the table for so many frames; the largest difference found."""
    values = np.random.default_rng(1).uniform(-1, 1, (frames, len(rig.channels)))
    works = {"ours, NumPy alone": lambda: plain_jacobian(rig, values, points)}
    if compiled.library is not None:
        works["ours, compiled"] = lambda: point_jacobian(rig, values, points)
    ours, worst = list(works), 0.0
    for name, compact in (("one joint per channel", False), ("its three-axis joints", True)):
        other, ids = with_points(rig, points, compact=compact)
        data, q = other.model.createData(), other.configurations(values)
        works[f"Pinocchio, {name}"] = lambda a=(other, data, ids, q): loop(*a)
        theirs = loop(other, data, ids, q)
        worst = max(worst, *(apart(works[mine](), other, theirs) for mine in ours))
    print(table(f"{frames} frames", measure(works, repeats), ours[-1]))
    return worst


def main() -> int:
    points = Places(np.array(TIPS), np.random.default_rng(2).normal(0, 0.1, (4, 3)))
    if compiled.library is None:
        print("the kernel was not built, or ARCWRIGHT_PLAIN=1: NumPy alone")
    print(f"Pinocchio {pin.__version__}, 31 joints, 4 points: positions, orientations, Jacobians")
    worst = max(compare(body(), points, frames, 100) for frames in (20, 60, 240))
    print(f"largest difference {worst:.1e} m or rad per unit")
    print("agree" if worst <= ALLOWED else f"DISAGREE: more than {ALLOWED}")
    return int(worst > ALLOWED)


def apart(answer, other: Peer, theirs) -> float:
    """Largest difference over positions and all columns; those we leave out must be zero."""
    position, jacobian = theirs
    ours = np.zeros_like(jacobian)
    column = np.searchsorted(answer.channels, other.moved)
    driven = np.isin(other.moved, answer.channels)
    ours[:, :, :3, driven] = answer.linear[..., column[driven]]
    ours[:, :, 3:, driven] = answer.angular[..., column[driven]]
    return float(max(abs(ours - jacobian).max(), abs(answer.position - position).max()))


if __name__ == "__main__":
    sys.exit(main())
