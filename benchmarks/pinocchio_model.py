"""Our rigs as Pinocchio models: one Pinocchio joint per channel, or ready-made joints for three."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.scene.rig import QUATERNION, Rig

SLIDES = (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ)
TURNS = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)


@dataclass
class Peer:
    """A Pinocchio model, where our joints are in it, and which channel feeds each number."""

    model: pin.Model
    frames: list[int]  # per joint of ours
    fed: np.ndarray  # (nq,) our channel
    moved: np.ndarray  # (nv,) our channel

    def configurations(self, values: np.ndarray) -> np.ndarray:
        """(T, nq) of our values (T, C)."""
        return np.ascontiguousarray(values[:, self.fed])


def peer(rig: Rig, *, compact: bool = False) -> Peer:
    """The model of a rig without scale; `compact` uses Pinocchio's own three-axis joints."""
    model, plan = pin.Model(), layout(rig)
    holder: list[tuple[int, pin.SE3]] = []
    frames, fed, moved = [], [], []
    for joint, name in enumerate(rig.names):
        above, place = (0, pin.SE3.Identity())
        if rig.parents[joint] >= 0:
            above, place = holder[rig.parents[joint]]
        place = place * pin.SE3(matrix_from_quaternion(rig.rest[joint]), rig.offset[joint])
        for part, (kind, channels) in enumerate(_parts(rig, plan, joint, compact)):
            above = model.addJoint(above, kind, place, f"{name}/{part}")
            place = pin.SE3.Identity()
            fed += list(channels)
            moved += list(channels)[: kind.nv]
        holder.append((above, place))
        frames.append(model.addFrame(pin.Frame(name, above, place, pin.FrameType.OP_FRAME)))
    return Peer(model, frames, np.array(fed), np.array(moved))


def _parts(rig: Rig, plan, joint: int, compact: bool):
    place = plan.wanted[joint]
    slides, turns = plan.translate[place], plan.rotate[place]
    if compact and (slides != ZERO).all():
        yield pin.JointModelTranslation(), slides
    else:
        yield from ((SLIDES[axis](), [c]) for axis, c in enumerate(slides) if c != ZERO)
    if rig.modes[joint] == QUATERNION:
        if plan.quaternion[place][0] != ZERO:
            yield pin.JointModelSpherical(), plan.quaternion[place][[1, 2, 3, 0]]
    elif compact and rig.modes[joint] == "ZYX" and (turns != ZERO).all():
        yield pin.JointModelSphericalZYX(), turns
    else:
        yield from (
            (TURNS[axis](), [c])
            for axis, c in zip(plan.axes[place], turns, strict=True)
            if c != ZERO
        )
