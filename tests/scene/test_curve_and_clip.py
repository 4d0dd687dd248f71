from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from builders import arm_clip, arm_rig


def test_a_plain_curve_has_handles_one_third_along_its_lines():
    curve = Curve.of([0, 3], [0, 6])
    assert curve.tangent[0, 1].tolist() == [1, 2]
    assert curve.tangent[1, 0].tolist() == [1, 2]
    assert (curve.handles == Handle.VECTOR).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"time": [0, 0]}, "Curve.time: expected increasing times"),
        ({"time": []}, "Curve.time: expected at least one key"),
        ({"value": [0]}, "Curve.value: expected 2 keys, as in time"),
        ({"tangent": -np.ones((2, 2, 2))}, "Curve.tangent: expected dt >= 0"),
        ({"handles": np.full((2, 2), 9)}, "Curve.handles: expected 0 to 5"),
        ({"interpolation": [7, 7]}, "Curve.interpolation: expected 0 to 3"),
        ({"value": [0, np.nan]}, "Curve.value: expected finite numbers"),
    ],
)
def test_bad_curves_are_refused_by_field(change, message):
    with pytest.raises(BadValue, match=message):
        replace(Curve.of([0, 1], [0, 1]), **change)


def test_a_plain_curve_of_uneven_lists_is_refused():
    with pytest.raises(BadValue, match=r"Curve.value: expected 2 keys"):
        Curve.of([0, 1], [0, 1, 2])


def test_extrapolation_given_as_a_number_becomes_its_name():
    assert Curve.of([0], [0], after=4).after is Extrapolation.MIRROR


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"duration": -1}, "Clip.duration: expected seconds, 0 or more"),
        ({"duration": np.nan}, "Clip.duration"),
        ({"rate": 0}, "Clip.rate: expected frames per second above 0"),
        ({"curves": (1,)}, r"Clip.curves\[0\]: expected a Curve or None, got int"),
    ],
)
def test_bad_clips_are_refused_by_field(change, message):
    with pytest.raises(BadValue, match=message):
        replace(arm_clip(), **change)


def test_a_clip_counts_its_keys():
    assert arm_clip().key_count == 18


def test_a_motion_needs_increasing_times_and_a_row_each():
    with pytest.raises(BadValue, match=r"Motion.time: expected increasing times"):
        Motion("m", [0, 0], np.zeros((2, 1)))
    with pytest.raises(BadValue, match=r"Motion.values: expected 2 rows"):
        Motion("m", [0, 1], np.zeros((3, 1)))
    with pytest.raises(BadValue, match="at least one sample"):
        Motion("m", [], np.zeros((0, 1)))


def test_a_take_must_fit_its_rig():
    with pytest.raises(BadValue, match=r"Take.base 'c': expected 7 channels, as in the rig, got 1"):
        Take(arm_rig(), Clip("c", (None,), 1))


def layer(**change):
    empty = {"joints": [1], "turn": np.zeros((4, 1, 3)), "channels": [0], "add": np.zeros((4, 1))}
    return Layer(**{"name": "lift", "start": 0, "end": 1, **empty, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"end": 0}, "Layer.end: expected after start"),
        ({"weight": 2}, "Layer.weight: expected 0 to 1"),
        ({"turn": np.zeros((3, 1, 3)), "add": np.zeros((3, 1))}, "4 or more control values"),
        ({"joints": [1, 2]}, "Layer.turn: expected 2 joints, got 1"),
        ({"channels": []}, "Layer.add: expected 0 channels, got 1"),
    ],
)
def test_bad_layers_are_refused_by_field(change, message):
    with pytest.raises(BadValue, match=message):
        layer(**change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"joints": [3]}, "joints 0 to 2"),
        ({"channels": [9]}, "channels 0 to 6"),
        ({"channels": [3]}, "rotation channels in add only"),
    ],
)
def test_a_layer_must_fit_the_rig_of_its_take(change, message):
    with pytest.raises(BadValue, match=message):
        Take(arm_rig(), arm_clip(), (layer(**change),))


def test_a_duration_in_single_precision_does_not_lose_the_last_frame():
    take = Take(arm_rig(), replace(arm_clip(), duration=float(np.float32(80 / 24)) - 1e-7))
    assert len(take.frame_times()) == 81


def test_frame_times_reach_the_last_whole_frame():
    times = Take(arm_rig(), replace(arm_clip(), duration=1.0)).frame_times()
    assert len(times) == 25
    assert times[-1] == 1.0
