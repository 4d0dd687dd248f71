"""The reference pose that many captures begin with, before the motion itself.

Captures of the CMU database start with one or two frames in a T-pose; the next frame is somewhere
else altogether. Such frames are no motion: faces skip them.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take

MOST = 3  # frames
AFTER = 12  # steps after the jump that it is compared with
JUMP = 0.1  # of the rig's size: the least that some joint moves from one frame to the next
SUDDEN = 4.0  # times the largest step after it
ALIKE = 0.3  # of the rig's size: how far joints of the reference pose may be from the rest pose

_known: WeakKeyDictionary[Motion, int] = WeakKeyDictionary()


def lead_in(take: Take) -> int:
    """How many frames at the start of a recorded take show a reference pose; mostly 0."""
    if not isinstance(take.base, Motion):
        return 0
    if take.base not in _known:
        _known[take.base] = _counted(take, take.base)
    return _known[take.base]


def _counted(take: Take, motion: Motion) -> int:
    values = motion.values[: MOST + AFTER + 1]
    size = rig_size(take.rig)
    if len(values) < MOST + 2 or size <= 0:
        return 0
    rest = np.array(take.rig.channels.default)[None]
    posed = _posture(take, np.concatenate([rest, values])) / size
    steps = np.linalg.norm(np.diff(posed[1:], axis=0), axis=2).max(axis=1)
    for count in range(1, MOST + 1):
        jump, later = steps[count - 1], steps[count : count + AFTER]
        if jump > JUMP and jump > SUDDEN * later.max():
            off = np.linalg.norm(posed[1 : count + 1] - posed[0], axis=2)
            return count if off.max() < ALIKE else 0
    return 0


def _posture(take: Take, values: Floats) -> Floats:
    """(T, J, 3) m, where joints are seen from the joint that the body hangs on."""
    world = forward(take.rig, values)
    parents = take.rig.parents.tolist()
    root = next((j for j in range(len(parents)) if parents.count(j) > 1), 0)
    turn, place = world[:, root, :3, :3], world[:, None, root, :3, 3]
    turn = turn / np.maximum(np.linalg.norm(turn, axis=1, keepdims=True), 1e-12)
    seen: Floats = np.einsum("tji,tkj->tki", turn, world[:, :, :3, 3] - place)
    return seen
