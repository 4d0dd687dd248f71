"""Keys of an edited loop: those beyond the ranges stay, others are fitted, few are added."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.curves.keys import keyed
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from arcwright.tools.cycle.shaping.changed_ranges import ChangedRanges
from arcwright.tools.cycle.shaping.key_table import KeyTable
from arcwright.tools.cycle.shaping.loop_keys import NewValues, fit_keys
from builders import TRANSLATE, rig_of
from loops import seam
from random_cases import examples

RIG = rig_of([-1], [(0, TRANSLATE)])
METRES = np.ones(3)
ALL = np.arange(3)


@st.composite
def takes(draw):
    """Three curves over 30 frames with keys and handles of all kinds, looping or not."""
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    loops = draw(st.booleans())
    curves = []
    for _ in range(3):
        kind = draw(st.sampled_from(["auto", "free", "linear", "step", "inner", "none", "cycle"]))
        count = int(random.integers(2, 7))
        inner = np.sort(random.choice(np.arange(1, 29), count, replace=False))
        times = np.concatenate([[0], inner, [30]]) / 24
        if kind == "inner":
            times = inner / 24
        values = random.normal(0, 0.3, len(times))
        if kind == "none":
            curves.append(None)
            continue
        mode = {"linear": Interpolation.LINEAR, "step": Interpolation.STEP}.get(kind)
        if mode is not None:
            curves.append(Curve.of(times, values, interpolation=mode))
            continue
        curve = keyed(times, values, Handle.AUTO)
        if kind == "free":
            tangent = np.array(curve.tangent)
            tangent[..., 0] *= random.uniform(0.1, 2.5, tangent.shape[:2])
            tangent[..., 1] += random.normal(0, 0.1, tangent.shape[:2])
            free = np.full(curve.handles.shape, Handle.FREE)
            curve = replace(curve, tangent=tangent, handles=free)
        if kind == "cycle":
            curve = replace(curve, before=Extrapolation.CYCLE, after=Extrapolation.CYCLE_OFFSET)
        curves.append(curve)
    return Take(RIG, Clip("random", tuple(curves), 30 / 24, loops=loops))


def bumped(take, middle, reach, size):
    """New values with a smooth bump around a time, over the seam of a loop."""
    frames = np.arange(30) / 24
    times = np.unique(np.append(frames, middle))
    away = np.abs(times - middle)
    if take.base.loops:
        away = np.minimum(away, take.duration - away)
    near = away < reach
    bump = np.square(1 - np.square(np.minimum(away / reach, 1)))
    values = values_at(take, times) + np.outer(bump, size)
    exact = times[near] == middle
    span = middle - reach, middle + reach
    return NewValues(times[near], (span,), exact, values[near])


@given(
    take=takes(),
    middle=st.floats(0, 29 / 24),
    reach=st.sampled_from([0.03, 0.2, 0.45, 2.0]),
    seed=st.integers(0, 999),
)
@examples(40, 1500)
def test_keys_are_kept_and_samples_are_met(take, middle, reach, seed):
    new = bumped(take, middle, reach, np.random.default_rng(seed).normal(0, 0.1, 3))
    found = fit_keys(take, new, ALL, 0.005, METRES)
    curves = tuple(found.curves.get(c, old) for c, old in enumerate(take.base.curves))
    after = replace(take, base=replace(take.base, curves=curves))
    exact = new.times[new.exact]
    steps = [
        curve is not None and bool((curve.interpolation == Interpolation.STEP).any())
        for curve in take.base.curves
    ]
    smooth = ~np.array(steps)
    met = values_at(after, exact)[:, smooth]
    assert met == pytest.approx(new.values[new.exact][:, smooth], abs=1e-8)
    if smooth.all() and new.times.size:
        off = np.linalg.norm(values_at(after, new.times) - new.values, axis=1)
        assert off.max() <= max(0.005, found.error) + 1e-9
    times = np.arange(0, 30, 0.25) / 24
    for channel, curve in found.curves.items():
        old = take.base.curves[channel]
        around = take.base.loops or (old is not None and old.cyclic)
        ranges = ChangedRanges(new.ranges, 0.0, take.duration if around else None)
        outside = times[~ranges.inside(times)]
        was, now = (values_at(each, outside)[:, channel] for each in (take, after))
        assert now == pytest.approx(was, abs=1e-9)
        if old is not None:
            kept = ~ranges.inside(old.time)
            assert np.isin(old.time, curve.time).all()
            place = np.searchsorted(curve.time, old.time[kept])
            assert np.array_equal(curve.value[place], old.value[kept])
    if take.base.loops:
        gap, slope = seam(after)
        old_gap, old_slope = seam(take)
        assert gap == pytest.approx(old_gap, abs=1e-9)
        assert slope[smooth] == pytest.approx(old_slope[smooth], abs=1e-2)


def test_a_change_that_keys_can_follow_adds_none():
    times = np.arange(0, 31, 5) / 24
    curves = tuple(keyed(times, np.sin(5 * times + each), Handle.AUTO) for each in range(3))
    take = Take(RIG, Clip("dense", curves, 30 / 24, loops=True))
    new = bumped(take, 12 / 24, 0.45, np.array([0.006, 0.003, 0.0]))
    found = fit_keys(take, new, ALL, 0.005, METRES)
    assert found.added == 0
    assert found.error <= 0.005
    assert sorted(found.curves) == [0, 1]


@pytest.mark.parametrize("size", [0.0005, 0.02])
def test_a_change_beside_a_still_frame_stays_in_its_range(size):
    times = np.array([0, 5, 20, 30, 40]) / 24
    curves = tuple(keyed(times, np.sin(5 * times + each), Handle.AUTO) for each in range(3))
    take = Take(RIG, Clip("sparse", curves, 40 / 24, loops=True))
    frames = np.arange(24, 35) / 24
    values = values_at(take, frames)
    values[0] += size  # as where a foot leaves the ground
    new = NewValues(frames, ((23 / 24, 35 / 24),), frames == 29 / 24, values)
    found = fit_keys(take, new, ALL, 0.005, METRES)
    curves = tuple(found.curves.get(c, old) for c, old in enumerate(curves))
    after = replace(take, base=replace(take.base, curves=curves))
    outside = np.concatenate([np.arange(0, 23.1, 0.25), np.arange(35, 40, 0.25)]) / 24
    assert values_at(after, outside) == pytest.approx(values_at(take, outside), abs=1e-12)
    assert bool(found.curves) == (size > 0.0025)


def test_nothing_changes_where_values_are_as_they_were():
    take = Take(RIG, Clip("still", (None,) * 3, 1.0, loops=True))
    new = bumped(take, 0.5, 0.2, np.zeros(3))
    assert fit_keys(take, new, ALL, 0.005, METRES).curves == {}
    motion = Take(RIG, Motion("samples", np.arange(3) / 24, np.zeros((3, 3))))
    with pytest.raises(BadValue, match="expected keys"):
        fit_keys(motion, new, ALL, 0.005, METRES)


@given(take=takes(), seed=st.integers(0, 999))
@examples(30, 500)
def test_inserted_keys_leave_curves_as_they_are(take, seed):
    random = np.random.default_rng(seed)
    dense = np.linspace(0, take.duration, 61)
    for channel, curve in enumerate(take.base.curves):
        if curve is None:
            continue
        table = KeyTable.of([curve])
        clear = dense[np.abs(dense[:, None] - curve.time).min(axis=1) > 1e-9]
        expected = values_at(take, clear)[:, channel]
        assert table.evaluate(clear)[:, 0] == pytest.approx(expected, abs=1e-9)
        low, high = curve.time[[0, -1]]
        places = random.uniform(low, high, 4).tolist()

        def was(time, channel=channel):
            return values_at(take, np.array([time]))[0, [channel]]

        more = table.inserted(places, was)
        assert np.isin(places, more.time).all()
        away = np.abs(dense[:, None] - more.time).min(axis=1) > 1e-9  # steps jump at keys
        inside = dense[(dense > low) & (dense < high) & away]
        assert more.evaluate(inside) == pytest.approx(table.evaluate(inside), abs=1e-8)
        (back,) = more.curves()
        assert len(back) == len(more)
