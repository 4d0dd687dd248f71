"""Fade: how an offset dies away, smooth in value, velocity and acceleration at both ends."""

from __future__ import annotations


def left_of_fade(share: float) -> float:
    """What is left of an offset after a share of its time: 1 at 0, 0 from 1 on."""
    if share >= 1.0:
        return 0.0
    return 1.0 - share * share * share * (share * (6 * share - 15) + 10)


def carried_by_fade(share: float) -> float:
    """How far an offset of velocity 1 is carried on after a share of its time: 0 from 1 on."""
    if share >= 1.0:
        return 0.0
    return share * (1.0 + share * share * (share * (8 - 3 * share) - 6))
