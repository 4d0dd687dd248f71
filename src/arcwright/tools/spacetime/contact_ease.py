"""Contact ease: how contacts ease in before they begin and out after they end.

They ease less where there is little time: between two contacts of a point, beside a region that a
foot passes, and towards a drag of the same limb, which they would pull back before it is reached.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.scene.rig import Rig
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.displacement import smoothstep
from arcwright.tools.spacetime.motion_constraint import CONTACT, MotionConstraint

MAX_RAMP = 0.35  # of the time to another contact of a point, a region, or a drag of the limb
SOON = 0.05  # s: nearer to a drag than that a contact holds the limb, and the drag falls short


def limb_swings(
    rig: Rig, constraints: Sequence[MotionConstraint], drags: Sequence[Drag]
) -> dict[int, list[float]]:
    """The times of drags (s) on the limb of each contact, by its index."""
    found: dict[int, list[float]] = {}
    for drag in drags:
        joint = rig.joint(drag.point.joint)
        own = {
            index: rig.joint(each.point.joint)
            for index, each in enumerate(constraints)
            if each.kind == CONTACT and _is_at_end(rig, joint, rig.joint(each.point.joint))
        }
        if drag.position is not None and _is_chain(rig, set(own.values())):
            for index in own:
                found.setdefault(index, []).append(drag.time)
    return found


def _is_at_end(rig: Rig, joint: int, contact: int) -> bool:
    """Whether a contact holds a joint, one below it, or its parent."""
    return contact in (joint, int(rig.parents[joint])) or bool(ancestors(rig, contact)[joint])


def _is_chain(rig: Rig, joints: set[int]) -> bool:
    """Whether joints follow each other: both feet below hips are no limb."""
    return all(a >= b or ancestors(rig, b)[a] for a in joints for b in joints)


def contact_ramps(
    constraints: Sequence[MotionConstraint],
    constraint: MotionConstraint,
    ramp: float,
    drags: Sequence[float] = (),
) -> tuple[float, float]:
    """Seconds before and after a contact, at most `ramp`; `drags` are times (s) on its limb."""
    if constraint.kind != CONTACT:
        return 0.0, 0.0
    gaps = [_gaps(constraint, time, time) for time in drags if _is_apart(constraint, time)]
    for other in constraints:
        same = other.kind == CONTACT and other.point_index == constraint.point_index
        if same and other is not constraint:
            gaps.append(_gaps(constraint, other.start, other.end))
        if constraint.point.joint in other.foot:
            gaps += [_gaps(constraint, each.times[0], each.times[-1]) for each in other.passes]
    before, after = np.min(gaps, axis=0) if gaps else (np.inf, np.inf)
    return min(ramp, MAX_RAMP * float(before)), min(ramp, MAX_RAMP * float(after))


def _is_apart(constraint: MotionConstraint, time: float) -> bool:
    return not constraint.overlaps(time - SOON, time + SOON)


def _gaps(constraint: MotionConstraint, start: float, end: float) -> tuple[float, float]:
    """Seconds to a constraint from what ends before it, and from it to what starts after it."""
    before, after = constraint.start - end, start - constraint.end
    return before if before >= 0 else np.inf, after if after >= 0 else np.inf


def contact_weight(
    times: Floats, constraint: MotionConstraint, before: float, after: float
) -> Floats:
    """(T,) 1 within a constraint; rises before it and falls after it."""
    early = np.maximum(constraint.start - times - 1e-9, 0.0) / max(before, 1e-9)
    late = np.maximum(times - constraint.end - 1e-9, 0.0) / max(after, 1e-9)
    return smoothstep(1 - np.maximum(early, late))
