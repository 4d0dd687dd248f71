"""The gestures of the spacetime report on captured clips: hands are met, plants stay."""

import json
from functools import cache

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.trail import trail
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay
from data import needs_data
from gesture_files import GESTURES

FILES = [
    pytest.param(path, id=path.stem)
    for path in sorted((GESTURES / "spacetime" / "captured").glob("*.json"))
]
HIT = 1e-3  # m
SLIP = 6e-3  # m, from the mean place of a plant; heels that follow toes may be 5 mm off

pytestmark = needs_data


@cache
def played(path):
    case = parse_gesture_file(json.loads(path.read_text(encoding="utf-8")))
    scene = arcwright.read(GESTURES.parents[1] / case.scene)
    return case, scene, *replay(case, scene)


@pytest.mark.parametrize("path", FILES)
def test_the_drag_is_met_on_a_captured_clip(path):
    assert played(path)[3][-1].hit_m < HIT


@pytest.mark.parametrize("path", FILES)
def test_planted_feet_stay_within_some_millimetres(path):
    case, before, after, _ = played(path)
    old, new = (scene.characters[0].takes[0] for scene in (before, after))
    frames = old.frame_times()
    checked = 0
    kept = case.options.get("start", 0.0)  # near to which plants slide as they did
    for plant in footplants(old, heels=bool(case.options.get("include_heels"))):
        if kept and plant.start < kept + 0.3:
            continue
        inside = frames[(frames >= plant.start) & (frames <= plant.end)]
        where = trail(new, plant.point, inside).position
        assert np.linalg.norm(where - where.mean(axis=0), axis=1).max() < SLIP
        checked += 1
    assert checked


@pytest.mark.parametrize("path", FILES)
def test_the_original_is_still_below_the_layer(path):
    _, before, after, _ = played(path)
    old, new = (scene.characters[0].takes[0] for scene in (before, after))
    assert len(new.layers) == len(old.layers) + 1
    assert same(new.base, old.base)
