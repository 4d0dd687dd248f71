"""The cycle of a performance: period, cuts, loop, closure, and what is no cycle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.tools.cycle.extraction.closure import acceleration_changes, calm_frame
from arcwright.tools.cycle.extraction.loop import Shape
from arcwright.tools.cycle.extraction.model import (
    Cycle,
    PerformedSamples,
    extract,
    no_cycle_reason,
    no_loop_reason,
    periods,
    signal_of,
)
from arcwright.tools.cycle.extraction.paper import find_as_published
from arcwright.tools.cycle.extraction.phase import Alignment, align, evenly_timed
from performances import KINDS, act, shape_error


def found(time: Floats, values: Floats, shape: Shape = "average", frames: int = 60) -> Cycle:
    samples = PerformedSamples(time, values, values)
    signal = signal_of(samples)
    best = periods(samples, signal)[0]
    return extract(samples, signal, align(signal, best), frames, shape)


def reason(time: Floats, values: Floats) -> str | None:
    samples = PerformedSamples(time, values, values)
    few = len(time) < 8
    return no_cycle_reason(samples, [] if few else periods(samples, signal_of(samples)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("jitter", [0.0, 0.1])
def test_the_period_of_an_acted_loop_is_found(kind: str, jitter: float) -> None:
    near = []
    for seed in range(4):
        acted = act(kind, jitter, seed)
        cycle = found(acted.time, acted.values)
        near.append(abs(cycle.period / acted.period - 1) < 0.1)
    assert sum(near) >= 3


def test_an_aligned_mean_is_nearer_to_the_acted_loop_than_a_plain_one() -> None:
    aligned, plain = [], []
    for seed in range(24):
        acted = act("half", 0.15, seed)
        samples = PerformedSamples(acted.time, acted.values, acted.values)
        signal = signal_of(samples)
        best = min(periods(samples, signal), key=lambda each: abs(each.period - acted.period))
        alignment = align(signal, best)
        for errors, timing in ((aligned, alignment), (plain, evenly_timed(alignment.cuts))):
            loop = extract(samples, signal, timing, 60).loop
            errors.append(shape_error(loop, acted.loop)[0])
    assert np.median(aligned) < 0.9 * np.median(plain)


@settings(max_examples=15, deadline=None)
@given(
    kind=st.sampled_from(KINDS),
    jitter=st.floats(0, 0.2),
    seed=st.integers(0, 10_000),
    shape=st.sampled_from(["average", "best", "latest"]),
)
def test_every_loop_closes_in_position_and_velocity(
    kind: str, jitter: float, seed: int, shape: Shape
) -> None:
    acted = act(kind, jitter, seed)
    cycle = found(acted.time, acted.values, shape)
    assert np.isfinite(cycle.loop).all()
    assert cycle.closure.position < 0.01
    assert cycle.closure.velocity < 0.01
    assert (np.diff(cycle.cuts) > 0).all()


def test_the_best_shape_is_one_of_the_cycles() -> None:
    acted = act("body", 0.1, 3)
    cycle = found(acted.time, acted.values, "best")
    assert sorted(cycle.weights.tolist()) == [0.0] * (len(cycle.weights) - 1) + [1.0]


def test_a_cycle_unlike_the_others_is_left_out() -> None:
    time = np.arange(0, 8, 1 / 60)
    values = np.stack([np.sin(2 * np.pi * time), np.cos(2 * np.pi * time)], axis=1)
    odd = (time >= 3) & (time < 4)
    values[odd] = np.stack([np.cos(6 * np.pi * time[odd]), np.sin(4 * np.pi * time[odd])], axis=1)
    cycle = found(time, values)
    assert abs(cycle.period - 1) < 0.05
    assert 1 <= len(cycle.used) - sum(cycle.used) <= 3
    radius = np.linalg.norm(cycle.loop, axis=1)
    assert abs(radius - 1).max() < 0.1


def test_rotations_are_averaged_as_rotations() -> None:
    time = np.arange(0, 6, 1 / 60)
    angle = 0.8 * np.sin(2 * np.pi * time)
    zero = np.zeros_like(angle)
    turned = np.stack([np.cos(angle / 2), np.sin(angle / 2), zero, zero], axis=1)
    turned[time > 3] *= -1  # the same rotations
    features = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    columns = np.arange(4)[None]
    samples = PerformedSamples(time, turned, features, columns)
    signal = signal_of(samples)
    cycle = extract(samples, signal, align(signal, periods(samples, signal)[0]), 60)
    assert abs(np.linalg.norm(cycle.loop, axis=1) - 1).max() < 1e-9
    largest = 2 * np.arctan2(abs(cycle.loop[:, 1]).max(), abs(cycle.loop[:, 0]).min())
    assert abs(largest - 0.8) < 0.03


def test_what_does_not_repeat_is_said_so() -> None:
    time = np.arange(0, 4, 1 / 60)
    still = np.zeros((len(time), 3))
    once = np.exp(-np.square(time - 2) * 8)[:, None] * [1.0, 0.5, 0.2]
    wandering = np.cumsum(np.random.default_rng(0).normal(size=(len(time), 3)), axis=0)
    assert reason(time, still) == "nothing moves"
    assert reason(time[:3], once[:3]) == "there are only 3 samples"
    assert reason(time, once) == "no movement comes back"
    assert reason(time, wandering) == "no movement comes back"
    circle = np.stack([np.sin(2 * np.pi * time / 4), np.cos(2 * np.pi * time / 4)], axis=1)
    assert reason(time, circle) == "no movement comes back"  # a single cycle
    short = "0.10 s are too short for two cycles"
    assert reason(np.arange(13) / 120, np.random.default_rng(1).normal(size=(13, 2))) == short


def test_a_circle_starts_where_it_is_calmest() -> None:
    angle = 2 * np.pi * np.arange(60) / 60
    ellipse = np.stack([np.cos(angle), 1.2 * np.sin(angle)], axis=1)
    change = np.roll(acceleration_changes(ellipse), 1)
    assert change.min() > 0.6 * np.percentile(change, 95)  # no frame is much calmer than others
    ellipse = np.roll(ellipse, -int(np.argmax(change)), axis=0)
    started = np.roll(ellipse, -calm_frame(ellipse), axis=0)
    assert acceleration_changes(started)[-1] == pytest.approx(change.min())


def test_cycles_of_which_no_two_are_alike_are_said_so() -> None:
    random = np.random.default_rng(2)
    knots = Alignment(
        np.arange(4.0)[:, None] + [0.0, 1.0], np.arange(4) == 2, random.random(4), 1.0
    )
    assert no_loop_reason(knots) == "no two of its 4 cycles are alike"
    assert no_loop_reason(evenly_timed(np.arange(5.0))) is None
    chance = replace(knots, used=np.full(4, True), residual=np.full(4, 0.85))
    assert no_loop_reason(chance) == "its cycles have too little in common"


def test_bad_samples_are_refused() -> None:
    time = np.arange(100) / 30
    values = np.sin(time)[:, None] * [1.0, 2.0]
    values[7, 1] = np.nan
    with pytest.raises(BadValue, match="sample 7"):
        PerformedSamples(time, values, values)
    with pytest.raises(BadValue, match="increasing"):
        PerformedSamples(time[::-1], values, values)


def test_the_published_method_finds_an_even_loop() -> None:
    time = np.arange(0, 10, 1 / 30)
    values = np.stack([np.sin(2 * np.pi * time), np.cos(4 * np.pi * time + 1)], axis=1)
    published = find_as_published(values)
    assert published is not None
    assert published.period % 15 in (0, 1, 14)  # equal velocity is enough for a match
    assert published.mean(values).shape == (published.period, 2)


def detail(cycle: Floats) -> float:
    """Energy of the harmonics 4 to 9 of a cycle, both ends included or not."""
    return float(np.square(np.abs(np.fft.rfft(cycle, axis=0)[4:10])).sum()) / len(cycle) ** 2


def test_detail_in_small_movements_is_kept_too() -> None:
    random = np.random.default_rng(4)
    time = np.arange(0, 6, 1 / 60)
    swing = np.stack([np.sin(2 * np.pi * time), np.cos(2 * np.pi * time)], axis=1)
    phases = 2 * np.pi * (5 * time[:, None] + 0.25 * random.normal(size=(6, 24))[time.astype(int)])
    cycle = found(time, np.concatenate([swing, 0.015 * np.sin(phases)], axis=1))
    single = 24 * (0.015 / 2) ** 2
    assert 0.85 * single < detail(cycle.loop) < 1.15 * single


def test_a_single_cycle_keeps_its_detail_when_its_ends_are_bent_to_meet() -> None:
    place = np.arange(61) / 60
    values = np.sin(2 * np.pi * np.outer(place, [1, 3.6])) * [1.0, 0.1]  # one of them never closes
    samples = PerformedSamples(place, values, values)
    signal = signal_of(samples)
    cycle = extract(samples, signal, evenly_timed(np.array([0.0, 30.0])), 60)
    level = values[:-1] - np.outer(place[:-1], values[-1] - values[0])
    assert 0.85 * detail(level) < detail(cycle.loop) < 1.05 * detail(level)
    assert cycle.closure.position < 0.01
    assert cycle.closure.velocity < 0.01


def test_a_loop_is_as_detailed_as_a_single_cycle() -> None:
    shares = []
    for seed in range(12):
        acted = act("walk", 0.1, seed)
        cycle = found(acted.time, acted.values)
        at = acted.cuts[:-1, None] + np.diff(acted.cuts)[:, None] * np.arange(61) / 60
        each = np.stack([np.interp(at, acted.time, column) for column in acted.values.T], axis=-1)
        each -= np.arange(61)[:, None] / 60 * (each[:, -1:] - each[:, :1])
        single, loop = (
            np.square(np.abs(np.fft.rfft(values, axis=-2)[..., 4:12, :])).sum(axis=(-1, -2))
            for values in (each[:, :-1], cycle.loop)
        )
        shares.append(float(loop * (60 / len(cycle.loop)) ** 2 / np.median(single)))
    assert min(shares) > 0.75
    assert np.median(shares) > 0.9
