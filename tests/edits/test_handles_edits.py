from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.handles import with_auto_handles
from arcwright.curves.keys import keyed
from arcwright.edits.handles import (
    move_handle,
    set_extrapolation,
    set_handles,
    set_interpolation,
)
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from builders import QUATERNION, arm_rig, rig_of
from random_cases import examples
from random_scenes import assert_exact, random_keys_of, random_scene, seeds

FREE, ALIGNED, AUTO, CLAMPED, VECTOR, FLAT = Handle
some = examples(12, 30)


def scene_with(curve):
    rig = arm_rig()
    take = Take(rig, Clip("wave", (curve, *[None] * 6), 2.0))
    return Scene(characters=(Character("arm", rig, (take,)),))


def bounce(kind=AUTO):
    return keyed([0, 0.5, 1, 1.5], [0, 1, 0, 2], kind)


def curve_of(scene, channel=0):
    return scene.characters[0].takes[0].base.curves[channel]


def dragged(curve, key, side, dt, dv):
    scene = scene_with(curve)
    return curve_of(assert_exact(scene, move_handle(scene, "", "", 0, key, side, dt, dv)))


@some
@given(seeds, st.integers(0, 1), st.floats(-0.2, 2), st.floats(-2, 2))
def test_a_dragged_handle_follows_the_pointer_and_is_undone_exactly(seed, side, dt, dv):
    scene = random_scene(seed)
    keys = random_keys_of(scene, np.random.default_rng(seed), 0.2)
    for channel, key in keys[:6]:
        edit = move_handle(scene, "", "", channel, key, side, dt, dv)
        new = curve_of(assert_exact(scene, edit), channel)
        old = curve_of(scene, channel)
        other = key + (1 if side else -1)
        length = abs(old.time[other] - old.time[key]) if 0 <= other < len(old) else np.inf
        share = min(1.0, length / max(dt, 1e-300))
        assert np.allclose(new.tangent[key, side], [max(dt, 0) * share, dv * share], atol=1e-9)
        assert same(new.time, old.time)
        assert same(new.value, old.value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((AUTO, AUTO), (ALIGNED, ALIGNED)),
        ((CLAMPED, CLAMPED), (ALIGNED, ALIGNED)),
        ((FLAT, FLAT), (ALIGNED, ALIGNED)),
        ((ALIGNED, ALIGNED), (ALIGNED, ALIGNED)),
        ((VECTOR, VECTOR), (VECTOR, FREE)),
        ((FREE, VECTOR), (FREE, FREE)),
        ((AUTO, VECTOR), (ALIGNED, FREE)),
        ((VECTOR, AUTO), (VECTOR, FREE)),
        ((FREE, AUTO), (FREE, ALIGNED)),
        ((FREE, FREE), (FREE, FREE)),
    ],
)
def test_handle_types_change_when_dragged(before, after):
    kinds = np.full((4, 2), AUTO)
    kinds[1] = before
    curve = with_auto_handles(replace(bounce(), handles=kinds))
    new = dragged(curve, 1, 1, 0.1, 0.3)
    assert tuple(new.handles[1]) == after
    assert np.allclose(new.tangent[1, 1], [0.1, 0.3])
    if after != (ALIGNED, ALIGNED):
        assert same(new.tangent[1, 0], curve.tangent[1, 0])


@pytest.mark.parametrize("side", [0, 1])
def test_the_other_handle_of_a_smooth_key_rotates_with_it_and_keeps_its_length(side):
    curve = bounce()
    new = dragged(curve, 1, side, 0.1, 0.3)
    other = new.tangent[1, 1 - side]
    assert np.isclose(other[1] / other[0], 3)
    assert np.isclose(np.hypot(*other), np.hypot(*curve.tangent[1, 1 - side]))
    assert new.handles[0].tolist() == [AUTO, AUTO]


def test_the_other_handle_stays_short_when_one_is_dragged_vertical():
    new = dragged(bounce(), 1, 1, -0.5, 0.3)
    assert new.tangent[1, 1].tolist() == [0, 0.3]
    assert np.isclose(new.tangent[1, 0, 1], np.hypot(*bounce().tangent[1, 0]))


def test_a_handle_dragged_beyond_its_segment_evaluates_unchanged():
    curve = bounce(FREE)
    new = dragged(curve, 1, 1, 0.8, 0.4)
    assert np.allclose(new.tangent[1, 1], [0.5, 0.25])
    tangent = np.array(curve.tangent)
    tangent[1, 1] = [0.8, 0.4]
    times = np.linspace(0, 1.5, 30)
    asked = evaluate_curve(replace(curve, tangent=tangent), times)
    assert np.allclose(evaluate_curve(new, times), asked)
    assert dragged(curve, 3, 1, 0.8, 0.4).tangent[3, 1].tolist() == [0.8, 0.4]


def test_a_handle_that_does_not_move_keeps_its_type():
    scene = scene_with(bounce())
    dt, dv = curve_of(scene).tangent[1, 1]
    edit = move_handle(scene, "", "", 0, 1, 1, dt, dv)
    assert edit.empty
    assert edit.label == "Move handle of joint0.translate.x"


@some
@given(seeds, st.sampled_from(list(Handle)))
def test_handle_types_are_set_and_undone_exactly(seed, kind):
    scene = random_scene(seed)
    keys = random_keys_of(scene, np.random.default_rng(seed))
    edit = set_handles(scene, "", "", keys, kind)
    after = assert_exact(scene, edit)
    for channel, key in keys:
        assert (curve_of(after, channel).handles[key] == kind).all()
    count = "1 key" if len(keys) == 1 else f"{len(keys)} keys"
    assert edit.label == f"Make {count} {kind.name.lower().replace('_', ' ')}"
    assert set_handles(after, "", "", keys, kind).empty


def test_automatic_handles_are_computed_and_free_ones_stay():
    scene = scene_with(bounce(FREE))
    keys = [(0, key) for key in range(4)]
    auto = set_handles(scene, "", "", keys, AUTO).apply(scene)
    assert same(curve_of(auto), bounce(AUTO))
    free = set_handles(auto, "", "", keys, FREE).apply(auto)
    assert same(curve_of(free).tangent, curve_of(auto).tangent)


@some
@given(seeds, st.sampled_from([Interpolation.BEZIER, Interpolation.LINEAR, Interpolation.STEP]))
def test_interpolation_is_set_and_undone_exactly(seed, kind):
    scene = random_scene(seed)
    keys = random_keys_of(scene, np.random.default_rng(seed))
    after = assert_exact(scene, set_interpolation(scene, "", "", keys, kind))
    for channel, key in keys:
        assert curve_of(after, channel).interpolation[key] == kind


def test_quaternion_components_change_interpolation_together():
    rig = rig_of([-1], [(0, QUATERNION)], ["quaternion"])
    curves = tuple(Curve.of([0, 1], own) for own in ([1, 0], [0, 1], [0, 0], [0, 0]))
    scene = Scene(characters=(Character("top", rig, (Take(rig, Clip("spin", curves, 1)),)),))
    edit = set_interpolation(scene, "", "", [(2, 0)], Interpolation.SLERP)
    assert edit.label == "Make 4 segments slerp"
    assert [curve_of(edit.apply(scene), c).interpolation[0] for c in range(4)] == [3] * 4
    with pytest.raises(BadValue, match="slerp on quaternions only"):
        set_interpolation(scene_with(bounce()), "", "", [(0, 0)], Interpolation.SLERP)


@some
@given(seeds, st.sampled_from(list(Extrapolation)), st.sampled_from(list(Extrapolation)))
def test_extrapolation_is_set_and_undone_exactly(seed, before, after):
    scene = random_scene(seed)
    channels = list(range(len(scene.characters[0].rig.channels)))
    now = assert_exact(scene, set_extrapolation(scene, "", "", channels, before, after))
    for channel in channels:
        curve = curve_of(now, channel)
        assert curve is None or (curve.before, curve.after) == (before, after)


def test_the_handles_of_a_loop_use_the_next_cycle():
    scene = scene_with(bounce())
    cycle = Extrapolation.CYCLE_OFFSET
    edit = set_extrapolation(scene, "", "", [0, 1], cycle, cycle)
    made = keyed([0, 0.5, 1, 1.5], [0, 1, 0, 2], AUTO, before=cycle, after=cycle)
    assert same(curve_of(edit.apply(scene)), made)
    assert edit.label == "Make ends of 2 curves cycle offset"
    mixed = set_extrapolation(scene, "", "", [0], Extrapolation.HOLD, Extrapolation.LINEAR)
    assert mixed.label == "Make ends of 1 curve hold before and linear after"
    assert set_extrapolation(scene, "", "", [], cycle, cycle).empty


def test_invalid_handles_are_refused():
    scene = scene_with(bounce())
    with pytest.raises(BadValue, match="side: expected 0 for in or 1 for out, got 2"):
        move_handle(scene, "", "", 0, 0, 2, 0.1, 0)
    with pytest.raises(BadValue, match=r"key of joint0.translate.x: expected 0 to 3, got 4"):
        move_handle(scene, "", "", 0, 4, 0, 0.1, 0)
    with pytest.raises(BadValue, match="dv: expected a finite number, got inf"):
        move_handle(scene, "", "", 0, 0, 0, 0.1, float("inf"))
    with pytest.raises(BadValue, match="expected 0 to 6, got 9"):
        set_extrapolation(scene, "", "", [9], Extrapolation.HOLD, Extrapolation.HOLD)
