from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.curves.hermite import HermiteBasis
from arcwright.curves.keys import keyed
from arcwright.errors import BadValue
from arcwright.files import bvh
from arcwright.kinematics import reduction as reduction_module
from arcwright.kinematics.baked_clip import is_baked
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import Reduction, fit
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.take import Take
from data import DATA, needs_data
from random_cases import examples

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


def waving(mode: str, frames: int = 150, seed: int = 4) -> Take:
    rig = arm(mode)
    time = np.arange(frames) / 60
    rng = np.random.default_rng(seed)
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
    assert made.position_error <= made.deviation <= tolerance
    assert made.key_poses < len(take.base.time) / 3
    assert made.keys_after < made.keys_before / 3


def test_a_rotation_about_the_last_bone_is_kept() -> None:
    rig = arm("ZYX")
    time = np.arange(60) / 30
    values = np.zeros((60, len(rig.channels)))
    twist = rig.channel("hand.rotate.y")
    values[:, twist] = np.sin(time * 4)
    made = fit(Take(rig, Motion("twist", time, values)), 0.005)
    assert made.error[twist] < 0.2
    assert len(made.clip.curves[twist]) > 2


def times_of(clip: Clip) -> set[float]:
    return {t for curve in clip.curves if curve is not None for t in curve.time.tolist()}


def bouncing(frames: int = 121) -> Take:
    """A ball that falls from 1 m, hits the floor and flies up again, twice a second."""
    rig = arm("ZYX")
    time = np.arange(frames) / 120
    phase = np.mod(time, 0.5) - 0.25
    values = np.zeros((frames, len(rig.channels)))
    values[:, 1] = 4.9 * 4 * (0.25**2 - phase**2)
    return Take(rig, Motion("bounce", time, values, 120.0))


@pytest.mark.parametrize("mode", ["ZYX", "quaternion"])
def test_all_channels_that_move_are_keyed_at_the_same_key_poses(mode: str) -> None:
    take = waving(mode)
    made = fit(take, 0.005)
    times = [curve.time for curve in made.clip.curves]
    assert all(same(time, times[0]) for time in times)
    assert made.key_poses == len(times[0])
    assert np.isin(times[0], take.base.time).all()


@pytest.mark.parametrize("mode", ["ZYX", "quaternion"])
def test_per_channel_keys_are_fewer_and_only_at_the_key_poses_counted(mode: str) -> None:
    take = waving(mode)
    reduction = Reduction(take)
    whole, thin = (reduction.at(0.005, poses).fit for poses in ("aligned", "per-channel"))
    assert len(times_of(thin.clip)) == reduction.key_poses(0.005, "per-channel")
    assert times_of(thin.clip) <= set(take.base.time.tolist())
    assert thin.keys_after < whole.keys_after
    assert thin.deviation <= 0.005
    if mode == "quaternion":
        for first in range(3, len(thin.clip.curves), 4):
            four = thin.clip.curves[first : first + 4]
            assert all(same(curve.time, four[0].time) for curve in four)


@pytest.mark.parametrize("poses", ["aligned", "per-channel"])
def test_keys_of_a_smooth_motion_have_aligned_handles_in_line(poses: str) -> None:
    made = fit(waving("ZYX"), 0.005, poses=poses)
    for curve in made.clip.curves:
        if len(curve) > 1:
            assert (curve.handles == Handle.ALIGNED).all()
            (run_in, rise_in), (run_out, rise_out) = curve.tangent[:, 0].T, curve.tangent[:, 1].T
            np.testing.assert_allclose(rise_in * run_out, rise_out * run_in, atol=1e-12)


def test_broken_keys_can_be_requested() -> None:
    made = fit(waving("ZYX"), 0.005, smooth=False)
    assert all((curve.handles == Handle.FREE).all() for curve in made.clip.curves if len(curve) > 1)


def test_only_impacts_have_broken_keys() -> None:
    take = bouncing()
    made = fit(take, 0.005)
    height = made.clip.curves[1]
    broken = height.time[(height.handles == Handle.FREE).any(axis=1)]
    np.testing.assert_allclose(broken, [0.5], atol=1 / 60)
    assert made.key_poses <= 5


def test_channels_that_stay_have_one_key() -> None:
    made = fit(bouncing(), 0.005)
    assert [len(curve) for curve in made.clip.curves if curve is not made.clip.curves[1]] == [
        1 for _ in made.clip.curves[1:]
    ]


@examples(5, 15)
@given(st.integers(0, 10_000), st.sampled_from(["ZYX", "quaternion"]), st.floats(0.001, 0.05))
def test_random_motions_stay_within_the_tolerance_also_between_samples(
    seed: int, mode: str, tolerance: float
) -> None:
    take = waving(mode, 80, seed)
    made = fit(take, tolerance)
    assert farthest(take, made.clip) <= tolerance
    time = np.arange(4 * 79 + 1) / 240
    between = [
        forward(take.rig, values_at(each, time))[..., :3, 3]
        for each in (take, Take(take.rig, made.clip))
    ]
    # A motion runs straight from sample to sample; a curve does not.
    bend = np.diff(between[0][::4], n=2, axis=0)
    straight = np.linalg.norm(bend, axis=-1).max() / 8
    apart = np.linalg.norm(between[0] - between[1], axis=-1).max()
    assert apart <= tolerance * 1.02 + straight


def test_the_first_and_last_pose_stay() -> None:
    take = waving("ZYX")
    made = fit(take, 0.02)
    ends = take.base.time[[0, -1]]
    for values in (values_at(Take(take.rig, made.clip), ends),):
        np.testing.assert_allclose(values, take.base.values[[0, -1]], atol=1e-4)


def test_a_count_for_any_tolerance_is_that_of_the_fit() -> None:
    take = waving("ZYX")
    reduction = Reduction(take)
    counts = [reduction.at(tolerance).key_poses for tolerance in (0.001, 0.005, 0.02, 0.1)]
    assert counts == sorted(counts, reverse=True)
    assert counts[1] == fit(take, 0.005).key_poses


def of_few_key_poses(seed: int, count: int = 9) -> tuple[Take, np.ndarray]:
    """Two seconds of a motion that this many key poses describe, and the samples they are at."""
    rng, rig = np.random.default_rng(seed), arm("ZYX")
    time = np.arange(241) / 120
    between = rng.choice(np.arange(11, 230, 24), count - 2, replace=False)
    keys = np.concatenate([[0], np.sort(between + 2 * rng.integers(0, 5, count - 2)), [240]])
    nodes = rng.normal(0, 0.3, (count, 3, len(rig.channels)))
    nodes[:, 1] = nodes[:, 2] = rng.normal(0, 1, nodes[:, 0].shape)
    values = HermiteBasis.of(time, keys).evaluate(nodes)
    return Take(rig, Motion("few", time, values, 120.0)), keys


@pytest.mark.parametrize("seed", range(4))
def test_the_key_poses_that_a_motion_was_made_of_are_found(seed: int) -> None:
    take, keys = of_few_key_poses(seed)
    assert fit(take, 0.002).key_poses <= len(keys) + 2


def test_an_armature_that_is_scaled_needs_no_more_key_poses() -> None:
    plain = waving("ZYX")
    rig, values = plain.rig, plain.base.values
    scaled = replace(rig, offset=rig.offset / 100, scale=np.vstack([[100.0] * 3, np.ones((3, 3))]))
    take = Take(scaled, Motion("wave", plain.base.time, values, 60.0))
    np.testing.assert_allclose(
        forward(scaled, values)[..., :3, 3], forward(rig, plain.base.values)[..., :3, 3], atol=1e-9
    )
    assert fit(take, 0.01).key_poses == fit(plain, 0.01).key_poses


@pytest.mark.slow
def test_minimax_refits_save_key_poses(monkeypatch: pytest.MonkeyPatch) -> None:
    takes = [waving("quaternion", 200, seed) for seed in range(2)]
    count = sum(fit(take, 0.005).key_poses for take in takes)
    monkeypatch.setattr(reduction_module, "NEARLY", 1.0)
    assert count <= 0.93 * sum(fit(take, 0.005).key_poses for take in takes)


def test_preparing_tells_how_much_is_done_and_can_be_stopped() -> None:
    shares: list[float] = []
    Reduction(waving("ZYX"), progress=shares.append)
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.1

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Reduction(waving("ZYX"), progress=stop)


def test_flipped_euler_angles_need_no_key_poses_of_their_own() -> None:
    rig = arm("ZYX")
    time = np.arange(90) / 30
    angle = np.linspace(-0.6, 0.6, 90)
    values = np.zeros((90, len(rig.channels)))
    turn = [rig.channel(f"upper.rotate.{axis}") for axis in "zyx"]
    values[:, turn[1]] = angle
    flipped = values.copy()
    flipped[30:60, turn] = np.stack([0 * angle + np.pi, np.pi - angle, 0 * angle - np.pi], -1)[
        30:60
    ]
    takes = [Take(rig, Motion("turn", time, each)) for each in (values, flipped)]
    assert fit(takes[1], 0.002).key_poses == fit(takes[0], 0.002).key_poses


def baked(mode: str, kind: Interpolation) -> Take:
    """A clip with a key on every frame."""
    take = waving(mode, 60)
    time = np.arange(60) / 60
    curves = [Curve.of(time, row, interpolation=kind) for row in take.base.values.T]
    return Take(take.rig, Clip("baked", tuple(curves), float(time[-1]), 60.0))


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("ZYX", Interpolation.LINEAR), ("quaternion", Interpolation.SLERP)],
)
def test_clips_with_a_key_on_every_frame_are_reduced(mode: str, kind: Interpolation) -> None:
    take = baked(mode, kind)
    made = fit(take, 0.01)
    assert farthest(take, made.clip) <= 0.01
    assert made.key_poses < 25
    kinds = {int(kind) for curve in made.clip.curves for kind in curve.interpolation}
    assert kinds == {Interpolation.BEZIER}


def test_channels_that_step_still_step_at_the_same_moments() -> None:
    take = baked("ZYX", Interpolation.LINEAR)
    time = take.frame_times()
    stepped = Curve.of(time, np.where(time < 0.4, 0.0, 1.0), interpolation=Interpolation.STEP)
    clip = Clip("baked", (*take.base.curves[:-1], stepped), take.duration, take.rate)
    made = fit(Take(take.rig, clip), 0.01)
    curve = made.clip.curves[-1]
    assert set(curve.interpolation.tolist()) == {Interpolation.STEP}
    np.testing.assert_allclose(curve.time, [0, 0.4])
    assert set(curve.time.tolist()) <= {
        t for each in made.clip.curves[:-1] for t in each.time.tolist()
    }
    between = np.arange(237) / 240
    takes = Take(take.rig, clip), Take(take.rig, made.clip)
    steps = [values_at(each, between)[:, -1] for each in takes]
    np.testing.assert_array_equal(*steps)


def test_channels_that_only_carry_the_noise_of_an_exporter_do_not_count() -> None:
    take = baked("ZYX", Interpolation.LINEAR)
    noise = Curve.of(np.array([0.0, take.duration]), np.array([0.25, 0.25 + 1e-7]))
    clip = take.base
    assert isinstance(clip, Clip)
    still = tuple(noise for _ in clip.curves[4:])
    assert is_baked(Clip("baked", (*clip.curves[:4], *still), clip.duration, clip.rate))


def test_only_clips_with_keys_on_nearly_every_frame_are_baked() -> None:
    take = baked("ZYX", Interpolation.LINEAR)
    assert is_baked(take.base)
    assert not is_baked(fit(take, 0.01).clip)
    gaps = [Curve.of(np.delete(c.time, 30), np.delete(c.value, 30)) for c in take.base.curves]
    assert is_baked(Clip("gap", tuple(gaps), take.duration, take.rate))
    half = [Curve.of(c.time[:30], c.value[:30]) for c in take.base.curves]
    assert not is_baked(Clip("half", tuple(half), take.duration, take.rate))
    still = [Curve.of(c.time, 0 * c.value) for c in take.base.curves]
    assert not is_baked(Clip("still", tuple(still), take.duration, take.rate))
    assert not is_baked(Clip("none", (None, None), 1.0, 24.0))
    assert not is_baked(Clip("short", tuple(c for c in half), 3 / 60, 60.0))


def test_poses_of_another_kind_are_refused() -> None:
    with pytest.raises(BadValue, match="aligned or per-channel"):
        fit(waving("ZYX", 4), 0.01, poses="some")  # type: ignore[arg-type]


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
    assert fit(walk, 0.01).key_poses < 12
