"""New timing of a loop: given frames, the period, and time that never stands still."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.tools.cycle.shaping.retime import LEAST_STEP, retime, retimed
from random_cases import examples

NO_ROTATIONS = np.zeros((0, 4), np.int64)


@st.composite
def requests(draw: st.DrawFn) -> tuple[int, float, dict[int, float]]:
    """Frames, period and times shown, from a nudge to an impossible one."""
    frames = draw(st.integers(3, 60))
    period = draw(st.floats(0.2, 5.0))
    chosen = draw(st.lists(st.integers(0, frames - 1), unique=True, max_size=6))
    far = draw(st.sampled_from([0.5, 4.0, 80.0]))
    offsets = st.floats(-far, far)
    step = period / frames
    return frames, period, {frame: (frame + draw(offsets)) * step for frame in chosen}


@st.composite
def crowded(draw: st.DrawFn) -> tuple[int, float, dict[int, float]]:
    """Frames with hardly more than the least time between most of those that are given."""
    frames = draw(st.integers(8, 60))
    chosen = sorted(draw(st.sets(st.integers(0, frames - 1), min_size=2, max_size=4)))
    counts = np.diff([*chosen, chosen[0] + frames])
    shares = np.array([10.0 ** draw(st.floats(-4, 0)) for _ in chosen])
    ways = LEAST_STEP * counts + (1 - LEAST_STEP) * frames * shares / shares.sum()
    times = np.cumsum([0.0, *ways[:-1]]) / frames
    return frames, 1.0, dict(zip(chosen, times.tolist(), strict=True))


def energy(steps: Floats) -> float:
    return float(np.square(steps - 1).sum() + np.square(steps - np.roll(steps, 1)).sum())


@examples(150, 3000)
@given(requests())
def test_given_frames_are_hit_and_time_grows_by_one_period(
    request: tuple[int, float, dict[int, float]],
) -> None:
    frames, period, shown = request
    found = retime(frames, period, shown)
    for frame, time in shown.items():
        missed = found.missed.get(frame, 0.0)
        assert found.time[frame] == pytest.approx(time + missed, abs=1e-9)
    assert found.time[-1] - found.time[0] == pytest.approx(period, abs=1e-9)
    assert np.diff(found.time).min() >= (LEAST_STEP - 1e-9) * period / frames


@examples(150, 3000)
@given(requests() | crowded(), st.integers(0, 2**32 - 1))
def test_no_other_timing_with_the_same_frames_is_smoother(
    request: tuple[int, float, dict[int, float]], seed: int
) -> None:
    frames, period, shown = request
    steps = np.diff(retime(frames, period, shown).time) * frames / period
    order = sorted(shown) or [0]
    rng = np.random.default_rng(seed)
    other = steps.copy()
    for first, end in zip(order, [*order[1:], order[0] + frames], strict=True):
        own = np.arange(first, end) % frames
        shares = rng.dirichlet(np.full(len(own), 0.7))
        other[own] = LEAST_STEP + shares * (steps[own].sum() - LEAST_STEP * len(own))
    pull = 2 * (3 * steps - np.roll(steps, 1) - np.roll(steps, -1) - 1)  # the energy's gradient
    for way in (other - steps, *_shifts(steps, order)):
        assert pull @ way >= -1e-7


def _shifts(steps: Floats, order: list[int]) -> list[Floats]:
    """Changes of the steps that give time of one to its neighbour between the same frames."""
    frames, ways = len(steps), []
    for one in range(frames):
        for other in ((one + 1) % frames, one - 1):
            between = one if other == one - 1 else other
            if between not in order and steps[one] > LEAST_STEP + 1e-6:
                way = np.zeros(frames)
                way[one], way[other] = -1.0, 1.0
                ways.append(way)
    return ways


@examples(100, 1000)
@given(requests(), st.integers(1, 59))
def test_the_answer_does_not_depend_on_where_the_loop_starts(
    request: tuple[int, float, dict[int, float]], turn: int
) -> None:
    frames, period, shown = request
    turn %= frames
    step = period / frames

    def seen(frame: int) -> tuple[int, float]:
        """The frame's new number, and what its time is less when it comes round."""
        number = frame - turn
        return number % frames, turn * step + (0.0 if number >= 0 else -period)

    turned = {seen(frame)[0]: time - seen(frame)[1] for frame, time in shown.items()}
    plain, other = retime(frames, period, shown), retime(frames, period, turned)
    for frame in range(frames):
        number, less = seen(frame)
        assert other.time[number] == pytest.approx(plain.time[frame] - less, abs=1e-9)


def test_nothing_given_and_frames_at_their_own_time_change_nothing() -> None:
    even = np.arange(41) * 0.025
    assert np.array_equal(retime(40, 1.0, {}).time, even)
    own = {frame: float(even[frame]) for frame in (3, 17, 30)}
    assert retime(40, 1.0, own).time == pytest.approx(even, abs=1e-12)
    every = {frame: float(even[frame]) for frame in range(40)}
    assert retime(40, 1.0, every).time == pytest.approx(even, abs=1e-12)


def test_one_frame_alone_shifts_the_loop() -> None:
    found = retime(20, 1.0, {5: 0.35})
    assert found.time == pytest.approx(np.arange(21) * 0.05 + 0.1, abs=1e-12)


def test_a_frame_dragged_beyond_another_stops_at_the_least_step() -> None:
    found = retime(40, 40.0, {0: 0.0, 20: 20.0, 10: 33.0})
    assert found.time[[0, 20]] == pytest.approx([0.0, 20.0], abs=1e-12)
    assert found.time[10] == pytest.approx(20.0 - 10 * LEAST_STEP)
    assert found.missed == {10: pytest.approx(19.0 - 33.0)}
    before = retime(40, 40.0, {20: 20.0, 10: -90.0})
    assert before.time[10] == pytest.approx(20.0 - 40.0 + 30 * LEAST_STEP)


def test_a_loop_is_shown_at_other_times() -> None:
    phase = 2 * np.pi * np.arange(60) / 60
    loop = np.stack([np.cos(phase), np.sin(phase)], axis=1)
    time = retime(60, 1.5, {0: 0.0, 20: 0.9}).time[:-1]
    wanted = np.stack([np.cos(2 * np.pi * time / 1.5), np.sin(2 * np.pi * time / 1.5)], axis=1)
    assert retimed(loop, 1.5, time, NO_ROTATIONS) == pytest.approx(wanted, abs=2e-5)
    even = np.arange(60) * 1.5 / 60
    assert np.array_equal(retimed(loop, 1.5, even, NO_ROTATIONS), loop)
    assert np.array_equal(retimed(loop, 1.5, even + 3.0, NO_ROTATIONS), loop)


def test_what_stands_still_stands_still_at_other_times() -> None:
    loop = np.maximum(np.sin(2 * np.pi * np.arange(40) / 40), 0.0)[:, None]
    shown = retimed(loop, 40.0, np.linspace(22.0, 38.0, 77), NO_ROTATIONS)
    assert np.abs(shown).max() < 1e-15


def test_rotations_are_unit_quaternions_over_a_change_of_sign() -> None:
    angle = 2 * np.pi * np.arange(30) / 30  # a whole turn: the sign changes at the seam
    loop = np.stack([np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle], axis=1)
    time = np.linspace(0.0, 30.0, 211)
    shown = retimed(loop, 30.0, time, np.arange(4)[None])
    turned = 2 * np.pi * time / 30
    wanted = np.stack([np.cos(turned / 2), np.sin(turned / 2)], axis=1)
    assert np.abs((shown[:, :2] * wanted).sum(axis=1)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("frames", "period", "shown", "field"),
    [
        (2, 1.0, {}, "frames"),
        (10, 0.0, {}, "period"),
        (10, float("nan"), {}, "period"),
        (10, 1.0, {10: 0.5}, "frame"),
        (10, 1.0, {-1: 0.5}, "frame"),
        (10, 1.0, {3: float("nan")}, "time shown at frame 3"),
    ],
)
def test_bad_requests_are_refused(
    frames: int, period: float, shown: dict[int, float], field: str
) -> None:
    with pytest.raises(BadValue) as caught:
        retime(frames, period, shown)
    assert caught.value.field == field
