"""Paths recorded through the studio: the puppet does what their scripts asked for."""

import json
from pathlib import Path

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.puppet_file import read_path
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession

FILES = sorted((Path(__file__).parents[2] / "benchmarks" / "stick_recordings").glob("*.json"))
QUICK = ("mouse_crouch", "phone_flick")
DOES = {"landing": "walk", "locomotion": "walk", "anticipation": "jump", "held": "hang"}
NEAR = 0.2  # s around a change that do not count


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(each, id=each.stem, marks=() if each.stem in QUICK else pytest.mark.slow)
        for each in FILES
    ],
)
def test_a_recorded_path_is_followed_as_its_script_asked(file):
    samples, grip = read_path(file)
    asked = json.loads(file.read_text())["asked"]
    session = PuppetSession(built_in("biped"), Target(), PuppetOptions(), grip=grip)
    session.update(samples)
    times = np.arange(len(session.ticks)) / 60
    begins = np.array([at for at, _ in asked])
    which = np.searchsorted(begins, times, side="right") - 1
    counts = np.abs(times[:, None] - begins[1:]).min(axis=1, initial=np.inf) > NEAR
    right = [
        DOES.get(tick.state.value, tick.state.value) == asked[each][1]
        for tick, each, use in zip(session.ticks, which.tolist(), counts, strict=True)
        if use
    ]
    assert np.mean(right) > 0.95
    assert {what for _, what in asked} <= {
        DOES.get(tick.state.value, tick.state.value) for tick in session.ticks
    }


def test_a_stick_that_only_lifts_has_no_lag():
    samples, grip = read_path(next(each for each in FILES if each.stem == "phone_lift"))
    session = PuppetSession(built_in("biped"), Target(), PuppetOptions(), grip=grip)
    session.update(samples)
    found = measures(session.character, session.ticks, session.options.rate, Terrain())
    assert found["lag_ms"] is None
