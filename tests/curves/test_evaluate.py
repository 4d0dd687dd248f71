import numpy as np
import pytest
from hypothesis import given

from arcwright.curves.evaluate import evaluate, evaluate_curve
from arcwright.curves.pack import pack, pack_curves
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.rig import ChannelTable, Kind, Rig
from plain import plain_value, random_curve, seeds
from random_cases import examples


def one_joint(kinds: list[Kind], mode: str = "ZYX") -> Rig:
    table = ChannelTable.of([0] * len(kinds), kinds)
    return Rig(("a",), [-1], np.zeros((1, 3)), [[1, 0, 0, 0]], np.ones((1, 3)), (mode,), table)


def times_around(curve: Curve, rng: np.random.Generator) -> np.ndarray:
    span = curve.time[-1] - curve.time[0] + 0.5
    free = rng.uniform(curve.time[0] - 2 * span, curve.time[-1] + 2 * span, 40)
    return np.concatenate([free, curve.time])


@examples(80, 200)
@given(seeds)
def test_one_curve_equals_the_plain_evaluator(seed: int) -> None:
    curve = random_curve(seed)
    times = times_around(curve, np.random.default_rng(seed))
    got = evaluate_curve(curve, times)
    # A vertical place turns the last digit of time into a visible difference of value.
    hair = np.where(np.isin(times, curve.time), 0, 1e-14 * 8)
    near = np.array([[plain_value(curve, t) for t in times + way * hair] for way in (-1, 0, 1)])
    assert (got >= near.min(axis=0) - 1e-9).all()
    assert (got <= near.max(axis=0) + 1e-9).all()


@examples(24, 60)
@given(seeds)
def test_a_batch_equals_its_curves_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    curves = [
        None if rng.random() < 0.2 else random_curve(int(s)) for s in rng.integers(2**31, size=9)
    ]
    shared = random_curve(seed, 5)
    curves += [shared, Curve.of(shared.time, shared.value), shared]
    default = rng.normal(size=len(curves))
    times = rng.uniform(-4, 8, 50)
    got = evaluate(pack_curves(curves, default), times)
    for c, curve in enumerate(curves):
        want = default[c] if curve is None else evaluate_curve(curve, times)
        np.testing.assert_array_equal(got[:, c], want)


@examples(40, 100)
@given(seeds)
def test_at_keys_the_value_is_exactly_the_key(seed: int) -> None:
    curve = random_curve(seed)
    np.testing.assert_array_equal(evaluate_curve(curve, curve.time), curve.value)


def test_chosen_channels_come_in_the_order_named() -> None:
    packed = pack_curves([random_curve(s) for s in range(6)] + [None], np.arange(7.0))
    times = np.linspace(-3, 5, 70)
    every = evaluate(packed, times)
    chosen = [5, 0, 6, 2, 2]
    np.testing.assert_array_equal(evaluate(packed, times, channels=chosen), every[:, chosen])
    assert evaluate(packed, times, channels=[]).shape == (70, 0)
    with pytest.raises(BadValue, match="channels"):
        evaluate(packed, times, channels=[7])


def test_long_runs_of_times_are_the_same_as_short_ones() -> None:
    packed = pack_curves([random_curve(s) for s in range(8)], np.zeros(8))
    times = np.linspace(-10, 10, 30_000)
    long = evaluate(packed, times)
    np.testing.assert_array_equal(long[::999], evaluate(packed, times[::999]))


def test_a_clip_without_curves_gives_defaults() -> None:
    rig = one_joint([Kind.SCALE_X, Kind.ROTATE_X])
    packed = pack(Clip("still", (None, None), 1.0), rig)
    np.testing.assert_array_equal(evaluate(packed, [0.0, 9.0]), [[1, 0], [1, 0]])
    assert evaluate(packed, []).shape == (0, 2)


def test_a_clip_of_another_rig_is_refused() -> None:
    with pytest.raises(BadValue, match="2 channels"):
        pack(Clip("x", (None,), 1.0), one_joint([Kind.SCALE_X, Kind.SCALE_Y]))


def test_a_cycle_with_offset_rises_by_its_own_height_each_cycle() -> None:
    curve = Curve.of(
        [0, 1], [1, 3], before=Extrapolation.CYCLE_OFFSET, after=Extrapolation.CYCLE_OFFSET
    )
    np.testing.assert_allclose(evaluate_curve(curve, [-1.5, -0.5, 0.5, 1, 2.5]), [-2, 0, 2, 3, 6])


def test_a_mirror_runs_back_and_forth() -> None:
    curve = Curve.of([0, 1], [0, 1], before=Extrapolation.MIRROR, after=Extrapolation.MIRROR)
    np.testing.assert_allclose(
        evaluate_curve(curve, [-1.25, -0.25, 1.25, 2, 2.25]),
        [0.75, 0.25, 0.75, 0, 0.25],
        atol=1e-12,
    )


def quaternion_curves(q: np.ndarray, times: list[list[float]]) -> tuple[Curve, ...]:
    return tuple(
        Curve.of(times[c], np.resize(q[:, c], len(times[c])), interpolation=Interpolation.SLERP)
        for c in range(4)
    )


QUATERNION = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]


def test_slerp_rotates_evenly_about_one_axis() -> None:
    half = np.array([0, 0.2, 1.3]) / 2
    q = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=-1)
    rig = one_joint(QUATERNION, "quaternion")
    packed = pack(Clip("turn", quaternion_curves(q, [[0, 1, 2]] * 4), 2), rig)
    values = evaluate(packed, [0.25, 1.0, 1.5, 3.0])
    np.testing.assert_allclose(2 * np.arctan2(values[:, 1], values[:, 0]), [0.05, 0.2, 0.75, 1.3])
    np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-5, 3.0])
def test_slerp_takes_the_shorter_arc_and_never_breaks(angle: float) -> None:
    q = np.array([[1, 0, 0, 0], [-np.cos(angle / 2), -np.sin(angle / 2), 0, 0]])
    rig = one_joint(QUATERNION, "quaternion")
    packed = pack(Clip("turn", quaternion_curves(q, [[0, 1]] * 4), 1), rig)
    value = evaluate(packed, [0.5])[0]
    np.testing.assert_allclose(value, [np.cos(angle / 4), np.sin(angle / 4), 0, 0], atol=1e-12)


def test_slerp_curves_that_do_not_line_up_run_straight() -> None:
    q = np.array([[1, 0, 0, 0], [0.6, 0.8, 0, 0]])
    rig = one_joint(QUATERNION, "quaternion")
    curves = quaternion_curves(q, [[0, 1], [0, 1], [0, 1], [0, 0.5, 1]])
    packed = pack(Clip("turn", curves, 1), rig)
    np.testing.assert_allclose(evaluate(packed, [0.5])[0, :2], [0.8, 0.4])


def test_curves_alike_in_time_share_one_group() -> None:
    rng = np.random.default_rng(3)
    time = np.cumsum(rng.uniform(0.1, 1, 6))
    curves = [
        Curve.of(time, rng.normal(size=6), interpolation=Interpolation.BEZIER) for _ in range(20)
    ]
    assert len(pack_curves(curves, np.zeros(20)).group_count) == 1
