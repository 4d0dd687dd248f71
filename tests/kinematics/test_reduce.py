import numpy as np
import pytest

from arcwright.curves.keys import keyed
from arcwright.errors import BadValue
from arcwright.files import bvh
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduce import fit
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.take import Take
from data import DATA, needs_data

ANGLES = [Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z]
QUATERNION = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]


def arm(mode: str) -> Rig:
    """A root that slides and three joints of 0.3 m that turn."""
    turning = QUATERNION if mode == "quaternion" else ANGLES
    kinds = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z, *turning * 4]
    joints = [0] * 3 + [joint for joint in range(4) for _ in turning]
    offset = np.array([[0, 0, 0], [0, 0.3, 0], [0, 0.3, 0], [0, 0.3, 0]])
    rest = np.tile([1.0, 0, 0, 0], (4, 1))
    names = ("root", "upper", "lower", "hand")
    parents = [-1, 0, 1, 2]
    table = ChannelTable.of(joints, kinds)
    return Rig(names, parents, offset, rest, np.ones((4, 3)), (mode,) * 4, table)


def waving(mode: str, frames: int = 150) -> Take:
    rig = arm(mode)
    time = np.arange(frames) / 60
    rng = np.random.default_rng(4)
    count = len(rig.channels)
    pace, phase = rng.uniform(1, 8, count), rng.uniform(0, 6, count)
    values = 0.4 * np.sin(time[:, None] * pace + phase)
    if mode == "quaternion":
        four = values[:, 3:].reshape(frames, 4, 4)
        four[..., 0] += 1.5
        four /= np.linalg.norm(four, axis=-1, keepdims=True)
        values[:, 3:] = four.reshape(frames, -1)
    return Take(rig, Motion("wave", time, values, 60.0))


def farthest(take: Take, clip: Clip) -> float:
    time = take.base.time if isinstance(take.base, Motion) else take.frame_times()
    old = forward(take.rig, sample(take, time).values)
    new = forward(take.rig, sample(Take(take.rig, clip), time).values)
    return float(np.linalg.norm(old[..., :3, 3] - new[..., :3, 3], axis=-1).max())


@pytest.mark.parametrize("mode", ["ZYX", "quaternion"])
@pytest.mark.parametrize("tolerance", [0.001, 0.02])
def test_joints_stay_within_the_tolerance_with_far_fewer_keys(mode: str, tolerance: float) -> None:
    take = waving(mode)
    made = fit(take, tolerance)
    assert made.position_error == pytest.approx(farthest(take, made.clip), abs=1e-12)
    assert made.position_error <= tolerance
    assert made.keys_after < made.keys_before / 4


def test_a_turn_about_the_last_bone_is_kept() -> None:
    rig = arm("ZYX")
    time = np.arange(60) / 30
    values = np.zeros((60, len(rig.channels)))
    twist = rig.channel("hand.rotate.y")
    values[:, twist] = np.sin(time * 4)
    made = fit(Take(rig, Motion("twist", time, values)), 0.005)
    assert made.error[twist] < 0.2
    assert len(made.clip.curves[twist]) > 2


def test_a_keyed_take_is_fitted_at_its_frames() -> None:
    rig = arm("ZYX")
    curves = tuple(keyed([0, 0.5, 1], [0, 0.3, -0.1]) for _ in range(len(rig.channels)))
    take = Take(rig, Clip("nod", curves, 1.0, 24.0))
    made = fit(take, 0.002)
    assert made.keys_before == 25 * len(rig.channels)
    assert farthest(take, made.clip) <= 0.002


def test_a_tolerance_of_nothing_is_refused() -> None:
    with pytest.raises(BadValue, match="metres above 0"):
        fit(waving("ZYX", 4), 0.0)


def test_a_single_sample_becomes_single_keys() -> None:
    take = waving("ZYX", 1)
    assert fit(take, 0.01).keys_after == len(take.rig.channels)


@needs_data
def test_a_walk_keeps_its_feet_within_half_a_centimetre() -> None:
    take = bvh.read(DATA / "bvh" / "cmu" / "02_01_walk.bvh", unit=0.056444).characters[0].takes[0]
    base = take.base
    assert isinstance(base, Motion)
    walk = Take(take.rig, Motion("walk", base.time[:120], base.values[1:121], base.rate))
    made = fit(walk, 0.005)
    assert farthest(walk, made.clip) <= 0.005
    assert made.keys_after < made.keys_before / 8
