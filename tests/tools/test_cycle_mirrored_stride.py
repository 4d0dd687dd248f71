"""A single stride whose steps mirror each other has a period, though nothing comes back."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.characters import built_in
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.tools.cycle.extraction.model import PerformedSamples
from arcwright.tools.cycle.extraction.search import search_cycles
from random_cases import examples

RATE = 60.0


def steps(period, cycles, mirrored=True):
    """Two sides that do the same half a period apart."""
    time = np.arange(round(RATE * period * cycles)) / RATE
    turns = [2 * np.pi * (time / period + later) for later in (0.0, 0.5)]
    features = np.stack([np.cos(turn) + 0.3 * np.sin(2 * turn) for turn in turns], axis=1)
    image = features[:, ::-1].copy() if mirrored else None
    return PerformedSamples(time, features, features, mirrored=image)


@given(st.floats(0.6, 3.0), st.floats(1.4, 1.5))
@examples(8, 40)
def test_a_stride_seen_once_is_found_by_its_mirrored_steps(period, cycles):
    assert search_cycles([steps(period, cycles, mirrored=False)]).alignment is None
    found = search_cycles([steps(period, cycles)])
    assert found.alignment is not None
    assert len(found.alignment) == 1
    assert found.alignment.period / found.signal.rate == pytest.approx(period, rel=0.1)
    assert found.candidates[0].mirrored
    assert found.candidates[0].confidence <= 0.5


@given(st.integers(0, 10_000))
@examples(8, 40)
def test_movements_without_steps_get_no_period_from_their_mirror(seed):
    random = np.random.default_rng(seed)
    time = np.arange(120) / RATE
    knots = random.normal(size=(6, 4))
    path = np.stack([np.interp(time, np.linspace(0, 2, 6), each) for each in knots.T], axis=1)
    samples = PerformedSamples(time, path, path, mirrored=path[:, [1, 0, 3, 2]])
    assert search_cycles([samples]).alignment is None


def test_one_and_a_half_cycles_of_a_walk_are_a_loop_with_a_caution():
    character = built_in("biped:walk").characters[0]
    take = character.takes[0]
    time = np.arange(round(1.5 * RATE)) / RATE
    motion = Motion("walk", time, values_at(take, time), RATE)
    found = arcwright.cycle(replace(take, base=motion), actor=character)
    assert found.period == pytest.approx(1.0, rel=0.05)
    assert found.caution is not None
    assert "two steps that mirror each other" in found.caution
    assert found.loop().closure.position < 0.01
    again = arcwright.cycle(replace(take, base=motion), actor=character, period=found.period)
    assert again.period == found.period
