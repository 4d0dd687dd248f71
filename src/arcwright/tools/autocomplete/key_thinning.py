"""Key thinning: in-between keys only of the channels that need them.

A key pose gives every channel a key. Most channels follow the completion with fewer, or with none.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.rig import Rig
from arcwright.tools.autocomplete.key_curves import FitTask, Fitted, fitted

EVERY = (0, 4, 2)  # of in-between keys that channels get, 0 for none, before they get all
MORE = 1.1  # of an error beyond the tolerance
SHARES = (0.5, 0.25, 0.12, 0.06)  # of the tolerance that one channel may use up


def thinned(
    task: FitTask, added: list[int], broken: Bools, aim: Deviation, units: Floats
) -> Fitted:
    """Curves with some of the in-between keys `added`, within the tolerance if those with all are.

    `units` (C,) are what moves a joint by a metre.
    """
    whole = fitted(task, added, broken)
    choices = [fitted(task, added[::step] if step else [], broken) for step in EVERY]
    choices.append(whole)
    off = np.stack(
        [abs(values - task.values).max(axis=0) / units for values, _ in choices]
    )  # (choices, C) m
    off = _together(task.rig, off * _strictness(task))
    most = max(task.tolerance, MORE * float(aim.largest(whole[0]).max()))
    for share in SHARES:
        good = off <= share * task.tolerance
        good[-1] = True
        chosen: Ints = good.argmax(axis=0)
        values = np.stack([each for each, _ in choices])[chosen, :, np.arange(len(chosen))].T
        if aim.largest(values).max() <= most:
            return values, tuple(choices[at][1][c] for c, at in enumerate(chosen.tolist()))
    return whole


def _strictness(task: FitTask) -> Floats:
    """(C,) the largest weight of a joint that a channel moves."""
    most = task.strict.max(axis=0)
    for joint in range(len(most) - 1, -1, -1):
        parent = int(task.rig.parents[joint])
        if parent >= 0:
            most[parent] = max(most[parent], most[joint])
    return np.asarray(most[task.rig.channels.joint])


def _together(rig: Rig, off: Floats) -> Floats:
    """Errors (choices, C) with the largest of a quaternion for all four of its channels."""
    found = off.copy()
    four = quaternion_channels(rig)
    if len(four):
        found[:, four] = off[:, four].max(axis=-1, keepdims=True)
    return found
