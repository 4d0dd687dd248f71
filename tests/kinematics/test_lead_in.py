"""The T-pose that captures begin with is found, and nothing else is."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.lead_in import lead_in
from arcwright.kinematics.sample import sample
from arcwright.scene.motion import Motion

CAPTURES = sorted(Path("../shared/data/bvh/cmu").rglob("*.bvh"))
BUILT_IN = ["biped:walk", "biped:jump", "biped:run", "dinosaur:punch"]


def captured(name, frames=0, rate=60.0):
    """A built-in take as samples, after some frames of the rest pose."""
    take = arcwright.read(name).characters[0].takes[0]
    times = np.arange(round(take.duration * rate) + 1) / rate
    moving = sample(take, times).values
    rest = np.array(take.rig.channels.default)
    values = np.concatenate([np.tile(rest, (frames, 1)), moving])
    return replace(take, base=Motion("capture", np.arange(len(values)) / rate, values), layers=())


@pytest.mark.parametrize("frames", [0, 1, 2, 3])
def test_frames_of_the_rest_pose_before_a_capture_are_counted(frames):
    assert lead_in(captured("biped:walk", frames)) == frames


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_motion_is_taken_for_it(name):
    take = arcwright.read(name).characters[0].takes[0]
    assert lead_in(take) == 0
    assert lead_in(captured(name)) == 0


def test_short_and_still_takes_have_none():
    still = captured("biped:walk", 3)
    assert (
        lead_in(
            replace(
                still,
                base=replace(still.base, time=still.base.time[:3], values=still.base.values[:3]),
            )
        )
        == 0
    )
    held = np.repeat(still.base.values[3:4], len(still.base.time), axis=0)
    assert lead_in(replace(still, base=replace(still.base, values=held))) == 0


@pytest.mark.skipif(not CAPTURES, reason="no captures")
def test_real_captures_of_the_database_begin_with_it():
    counts = [lead_in(arcwright.read(path).characters[0].takes[0]) for path in CAPTURES[::6]]
    assert set(counts) <= {1, 2}
