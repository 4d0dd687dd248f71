"""Few keys for a layer: within the tolerance in space, within limits, no more than needed."""

import numpy as np
import pytest

import arcwright
from acting import circles, performed
from arcwright.curves.evaluate import evaluate_curve
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.cycle.recording.channel_basis import HAIR, channel_basis
from arcwright.tools.cycle.recording.key_spline import Series, SplineFit
from arcwright.tools.cycle.recording.key_times import key_times, segment_distances
from arcwright.tools.cycle.recording.layer_curves import LayerPoses
from arcwright.tools.cycle.recording.layer_fit import fitted_curves

FRAMES = 24


def waves(*columns, frames=FRAMES, closed=True):
    """A series of functions of the phase."""
    phase = 2 * np.pi * np.arange(frames + 1) / frames
    values = np.stack([column(phase) for column in columns], axis=1)
    none = np.full(len(columns), np.inf)
    slopes = np.gradient(values, axis=0)
    groups = [np.array([c]) for c in range(len(columns))]
    plain = np.ones(len(columns)), np.zeros(len(columns))
    return Series(values, slopes, -none, none, closed, *plain, groups)


def layer_of(scene, channels, motion):
    """A closed layer of a standing character; `motion` (phase, (T, n)) sets some channels."""
    take = scene.characters[0].takes[0]
    half, span = FRAMES // 2, 1.0
    times = (np.arange(2 * FRAMES + 1) - half) * span / FRAMES
    values = values_at(take, np.zeros(len(times)))
    own = np.array([take.rig.channel(name) for name in channels])
    values[:, own] += motion(2 * np.pi * times)
    return LayerPoses(take, span, True, FRAMES, own, times, values)


def test_keys_are_where_a_motion_of_few_segments_has_them():
    keys = np.array([0, 7, 15, 24])
    basis = channel_basis(tuple(keys.tolist()), 25, closed=False, sign=1.0)
    nodes = np.array([0.0, 0.1, 1.0, -0.05, 0.2, 0.02, 0.9, 0.0])
    values = (basis.rows @ nodes)[:, None]
    slopes = np.gradient(values, axis=0)
    slopes[keys, 0] = nodes[1::2]

    def apart(made, at):
        return np.abs(made - values[at])[:, 0]

    (found,) = key_times(segment_distances(values, slopes, apart), np.array([1e-6]))
    assert found.tolist() == keys.tolist()


@pytest.mark.parametrize("keys", [(0, 5, 9, 17, FRAMES), (0, 12, FRAMES)])
def test_the_cost_of_a_removal_is_about_what_the_error_grows_by(keys):
    series = waves(np.sin, lambda p: np.cos(2 * p))
    root, weight = np.array([[1.0, 0.4], [0.0, 0.7]]), np.ones(FRAMES + 1)
    fit = SplineFit(series, lambda: np.tile(root.T @ root, (FRAMES + 1, 1, 1)))

    def error(solved):
        return np.square((solved.splines.made - series.values) @ root.T).sum()

    solved = fit.together((keys, keys), weight, [0, 1], fit.apart((keys, keys), weight))
    for cost, group, left in fit.removal_costs(solved):
        without = tuple(left if own == group else keys for own in range(2))
        grown = error(fit.together(without, weight, [0, 1], solved.splines)) - error(solved)
        # The slope that was held at the removed key is part of the cost, not of the error.
        assert cost == pytest.approx(grown, rel=0.2)


def test_errors_of_channels_that_cancel_each_other_do_not_count():
    series = waves(lambda p: np.sin(p) + 0.3 * np.sin(5 * p), lambda p: -0.3 * np.sin(5 * p))
    metric = np.ones((2, 2)) + 1e-6 * np.eye(2)  # their sum
    fit, weight = (
        SplineFit(series, lambda: np.tile(metric, (FRAMES + 1, 1, 1))),
        np.ones(FRAMES + 1),
    )
    few = (0, 6, 12, 18, FRAMES)
    made = fit.together((few, few), weight, [0, 1], fit.apart((few, few), weight)).splines.made
    assert made.sum(axis=1) == pytest.approx(series.values.sum(axis=1), abs=0.02)


def test_what_comes_back_with_the_opposite_sign_or_climbs_is_closed_so():
    turned = waves(lambda p: np.cos(p / 2), lambda p: p / (2 * np.pi) + 0.1 * np.sin(p))
    series = Series(
        *(turned.values, turned.slopes, turned.low, turned.high, True),
        *(np.array([-1.0, 1.0]), np.array([0.0, 1.0]), turned.groups),
    )
    keys = (0, 8, 16, FRAMES)
    metric = np.tile(np.eye(2), (FRAMES + 1, 1, 1))
    splines = SplineFit(series, lambda: metric).apart((keys, keys), np.ones(FRAMES + 1))
    assert splines.made == pytest.approx(series.values, abs=0.01)
    (half, climbing) = splines.nodes
    assert half[-2:] == pytest.approx(-half[:2], abs=1e-12)
    assert climbing[-2:] == pytest.approx(climbing[:2] + [1.0, 0.0], abs=1e-12)


def test_a_layer_is_within_its_tolerance_with_few_keys():
    scene = arcwright.read("biped:stand")
    names = ("LeftUpperArm.rotate.x", "LeftUpperArm.rotate.z", "LeftLowerArm.rotate.y")
    layer = layer_of(
        scene, names, lambda p: 0.25 * np.stack([np.sin(p), np.cos(p), np.sin(2 * p)], axis=1)
    )
    fit = fitted_curves(layer, 0.005)
    assert sum(map(len, fit.curves.values())) <= 18
    made, at = layer.values[layer.rows].copy(), layer.times[layer.rows]
    for channel, curve in fit.curves.items():
        made[:, channel] = evaluate_curve(curve, at)
    places = [forward(layer.take.rig, each) for each in (made, layer.values[layer.rows])]
    off = np.linalg.norm((places[0] - places[1])[..., :3, 3], axis=-1)
    assert off.max() <= 0.005
    assert off.max() == pytest.approx(fit.error, abs=1e-9)


def test_curves_at_a_limit_keep_it_between_keys_without_a_key_on_every_frame():
    scene = arcwright.read("biped:stand")
    rig = scene.characters[0].rig
    channel = rig.channel("LeftLowerArm.rotate.y")
    low, high = float(rig.channels.low[channel]), float(rig.channels.high[channel])

    def at_the_limit(phase):
        wanted = high - 0.3 + 0.6 * np.sin(phase)  # a third of the loop is beyond
        default = values_at(scene.characters[0].takes[0], np.zeros(1))[0, channel]
        return (np.clip(wanted, low, high) - default)[:, None]

    layer = layer_of(scene, ["LeftLowerArm.rotate.y"], at_the_limit)
    fit = fitted_curves(layer, 0.005)
    (curve,) = fit.curves.values()
    assert len(curve) <= 9
    assert evaluate_curve(curve, np.linspace(0, 1, 500)).max() <= high + HAIR + 1e-9
    assert fit.error <= 0.005


def test_no_channel_of_a_performed_head_has_a_key_on_every_frame():
    scene = arcwright.read("dragon:stand")
    after, _ = performed(scene, Target("dragon", "", Point("Head")), circles(1.0, radius=0.15))
    take = after.characters[0].takes[0]
    most = max(len(curve) for curve in take.base.curves if curve is not None)
    assert most <= 0.6 * take.frame_count
