"""Support: what a character stands on, and its centre of mass over that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.scene.constraint import Balance
from arcwright.tools.spacetime.kept import Kept
from arcwright.tools.spacetime.lanes import ASKED, COMPASS, HELD, NONE, ON, Lane
from arcwright.tools.spacetime.wishes import PLANT, Wish


def support_lane(kept: Kept, index: int, lanes: Sequence[Lane]) -> Lane:
    """Balance: the centre of mass over the plants of other lanes.

    While hands drag, or no further off than it was: a step is no fall that a drag should mend.
    """
    wish, times = kept.wishes[index], kept.range.times
    assert isinstance(wish.asked, Balance)
    assert wish.shares is not None
    group = np.array(wish.members)
    centre = np.tensordot(wish.shares, kept.paths[:, group], (0, 1))
    reach = np.full((len(times), len(COMPASS)), -np.inf)
    for lane in lanes:
        if lane.kind == "place" and _carries(kept, lane):
            on = lane.weight >= ON * HELD
            reach[on] = np.maximum(reach[on], lane.target[on] @ COMPASS.T + wish.asked.around)
    stands = np.isfinite(reach).all(axis=1)
    inside = stands & (times >= wish.start - 1e-9) & (times <= wish.end + 1e-9)
    reach = np.where(stands[:, None], reach, 0.0)
    if kept.hands:
        reach = np.maximum(reach, centre @ COMPASS.T)
    weight, whose = ASKED * inside.astype(np.float64), np.where(inside, index, NONE)
    return Lane("support", wish.place, reach, weight, whose, group=group, shares=wish.shares)


def _carries(kept: Kept, lane: Lane) -> bool:
    owners = set(lane.wish.tolist()) - {NONE}
    return bool(owners) and all(_stands(kept.wishes[each]) for each in owners)


def _stands(wish: Wish) -> bool:
    """Whether a wish is a plant on the floor or on a thing that never moves."""
    fast = wish.carrier is None or wish.carrier.take is None
    return wish.kind == PLANT and wish.other == NONE and fast
