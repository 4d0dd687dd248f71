"""The acted cycles of table 5.1: each row animates what the paper's did, and becomes a loop."""

import json
from functools import cache

import numpy as np
import pytest

import arcwright
from arcwright.files.array_file import read_arrays
from arcwright.kinematics.sample import sample
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.gesture import Performance
from gesture_files import GESTURES

FOLDER = GESTURES / "cycle" / "table"
PAPER = {  # animated elements and transforms, and frames of our loop
    "dinosaur_walk": (13, 39, 28),
    "human_punch": (5, 8, 24),
    "robot_swim": (8, 23, 36),
    "human_dance": (12, 33, 24),
    "dinosaur_dance": (18, 49, 24),
    "dragon_eat": (10, 29, 42),
    "dragon_fly": (35, 51, 48),  # the tail sways once in two beats of the wings
    "human_juggle": (16, 52, 60),  # three beats of the hands
    "dinosaur_leap": (11, 21, 30),
    "human_kick": (11, 30, 32),
}
RATES = {"mouse": 80, "pen": 100, "gamepad": 60, "controller": 72}  # Hz
ROTATES = 0.02  # of a quaternion
has_tool = pytest.mark.skipif(
    "cycle" not in [tool.name for tool in TOOLS], reason="nothing replays performances yet"
)


@cache
def row(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@cache
def performance(arrays):
    found = read_arrays(FOLDER, arrays)
    names = tuple(f"axis {n}" for n in range(found.get("axes", np.zeros((0, 0))).shape[1]))
    return Performance(**found, axis_names=names)


def performances(name):
    """The gestures of a row that are acted; drags may shape what they came to."""
    return [each for each in row(name)["gestures"] if each["kind"] == "performance"]


def each_gesture():
    return [
        pytest.param(name, gesture, id=gesture["arrays"][:-4])
        for name in PAPER
        for gesture in performances(name)
    ]


def transforms(gesture):
    """Channels, or directions in which a device moves and axes about which it rotates."""
    if "channels" in gesture:
        return len(gesture["channels"])
    poses = performance(gesture["arrays"]).poses[:, 0]
    moved = np.ptp(poses[:, :3], axis=0) > 0
    rotated = np.ptp(poses[:, 4:], axis=0) > ROTATES
    return int(moved.sum()) + 3 * bool(rotated.any())


def elements(gesture):
    joints = [name.split(".")[0] for name in gesture.get("channels", [])]
    return {
        (gesture.get("character", ""), joint) for joint in joints or [gesture["point"]["joint"]]
    }


def test_every_row_that_is_acted_by_hand_is_there_and_no_file_lies_beside_them():
    used = {f"{name}.json" for name in PAPER}
    used |= {gesture["arrays"] for name in PAPER for gesture in performances(name)}
    assert {path.name for path in FOLDER.iterdir()} == used
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 700_000


@pytest.mark.parametrize("name", PAPER)
def test_a_row_performs_as_many_elements_and_transforms_as_the_paper(name):
    least, more, _ = PAPER[name]
    gestures = performances(name)
    assert len(set().union(*map(elements, gestures))) >= least
    assert sum(map(transforms, gestures)) >= more
    assert "synthetic" in row(name)["about"]


@pytest.mark.parametrize("name", PAPER)
def test_a_row_starts_from_a_still_take(name):
    scene = arcwright.read(row(name)["scene"])
    for actor in scene.actors:
        for take in actor.takes[:1]:
            values = sample(take, np.linspace(0, take.duration, 25)).values
            assert np.ptp(values, axis=0).max() < 1e-9


@pytest.mark.parametrize(("name", "gesture"), each_gesture())
def test_a_performance_fits_its_rig_and_its_device(name, gesture):
    actor = arcwright.read(row(name)["scene"]).actor(gesture.get("character", ""))
    acted = performance(gesture["arrays"])
    rate = len(acted) / (acted.times[-1] - acted.times[0])
    assert rate == pytest.approx(RATES[gesture["device"]], rel=0.05)
    assert acted.times[0] >= 0
    if "channels" in gesture:
        assert gesture["device"] == "gamepad"
        assert acted.axes.shape[1] == len(gesture["axis_names"]) == len(gesture["channels"]) <= 6
        assert set(gesture["channels"]) <= set(actor.rig.channel_names)
        assert (np.ptp(acted.axes, axis=0) > 0.02).all()
        assert np.abs(acted.axes).max() <= 1
    else:
        assert gesture["point"]["joint"] in actor.rig.names
        assert acted.poses.shape[1] == 1
        assert np.linalg.norm(acted.poses[:, 0, 3:], axis=1) == pytest.approx(1, abs=1e-3)
        plane = gesture["device"] in ("mouse", "pen")
        assert (np.ptp(acted.poses[:, 0, :3], axis=0) > 0).sum() <= (2 if plane else 3)


@pytest.mark.parametrize("name", PAPER)
def test_only_the_first_layer_is_acted_before_anything_plays(name):
    first, *others = performances(name)
    assert "start" in first["options"]
    for gesture in others:
        assert "start" not in gesture.get("options", {})


@has_tool
@pytest.mark.slow
@pytest.mark.parametrize("name", PAPER)
def test_every_layer_becomes_part_of_one_loop(name):
    from arcwright.replay import read_case, replay_on

    least, more, frames = PAPER[name]
    scene, result, _ = replay_on(
        read_case(FOLDER / f"{name}.json"), arcwright.read(row(name)["scene"])
    )
    begun = [each for each in row(name)["gestures"] if not each.get("continues")]
    assert len(result["interactions"]) == len(begun)
    moving = set()
    for actor in scene.actors:
        for take in actor.takes[:1]:
            assert take.base.loops
            values = sample(take, np.linspace(0, take.duration, 4 * frames + 1)).values
            changed = np.flatnonzero(np.ptp(values, axis=0) > 1e-3)
            moving |= {(actor.name, take.rig.channel_names[channel]) for channel in changed}
    assert scene.characters[0].takes[0].duration * 24 == pytest.approx(frames)
    assert len({(actor, channel.split(".")[0]) for actor, channel in moving}) >= least
    assert len(moving) >= more
