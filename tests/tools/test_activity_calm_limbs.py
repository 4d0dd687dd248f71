"""Calm limbs: what is solved frame by frame swings no more than the original did."""

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.swivel import Swivel
from arcwright.tools.activity.calm_limbs import calm_angles

COUNT, WIDTH = 90, 7.5
RNG = np.random.default_rng(3)
JITTER = 0.01 * RNG.normal(size=COUNT)


def limb(angle: Floats, flexion: float = 1.0) -> Swivel:
    line = np.tile([1.0, 0.0, 0.0], (COUNT, 1))
    return Swivel(line, np.diff(angle), np.full(COUNT, flexion))


def jerk(angle: Floats) -> float:
    return float(np.sqrt((np.diff(angle, 3) ** 2).mean()))


def ends_fixed() -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    fixed = np.zeros(COUNT, bool)
    fixed[:3] = fixed[-3:] = True
    return fixed


def test_jitter_of_solved_poses_goes_and_that_of_the_original_stays() -> None:
    own, solved = JITTER, JITTER + 0.02 * RNG.normal(size=COUNT)
    solved[:3], solved[-3:] = own[:3], own[-3:]
    angle = calm_angles(limb(own), limb(solved), ends_fixed(), WIDTH)
    assert jerk(solved) > 1.5 * jerk(own)
    assert jerk(solved + angle) < 1.02 * jerk(own)
    assert np.abs(angle[ends_fixed()]).max() < 1e-5


def test_slow_deviations_stay() -> None:
    way = 0.5 * np.sin(np.linspace(0, np.pi, COUNT)) ** 4
    angle = calm_angles(limb(JITTER), limb(JITTER + way), ends_fixed(), WIDTH)
    assert np.abs(angle).max() < 0.1 * way.max()


def test_a_flip_of_the_elbow_becomes_a_swing() -> None:
    flip = np.where(np.arange(COUNT) < COUNT // 2, 0.0, 1.5)
    angle = calm_angles(limb(np.zeros(COUNT)), limb(flip), np.zeros(COUNT, bool), WIDTH)
    assert np.abs(np.diff(flip + angle)).max() < 0.2
    assert jerk(flip + angle) < 0.02 * jerk(flip)


def test_a_straight_limb_is_left_alone() -> None:
    straight = limb(JITTER, flexion=0.01)
    angle = calm_angles(straight, limb(3 * JITTER, flexion=0.01), ends_fixed(), WIDTH)
    assert np.abs(angle).max() < 1e-9
