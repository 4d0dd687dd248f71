from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.arrays import same
from arcwright.compiled import library as compiled
from arcwright.curves.keys import insert_key, keyed, move_key, remove_key
from arcwright.errors import BadValue
from arcwright.kinematics.motion_curve import Sampling, motion_curve, refresh_curves
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.take_difference import changed_span
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from chains import TIP, chain_scene
from random_cases import examples
from random_rigs import random_rig, random_values

POINTS = [TIP, Point("joint1"), Point("joint2", [0.1, 0.2, 0.3])]
WINDOWS = [Sampling(), Sampling(3), Sampling(1), Sampling(4, 0.4, 1.3), Sampling(2, 1.2)]


def with_take(scene, take):
    return replace(scene, characters=(scene.characters[0].with_take(take),))


def drawn_anew(curves, scene):
    points = [each.point for each in curves]
    return motion_curve(scene, points, curves[0].take.name, curves[0].sampling)


def check_refreshed(before, after, points, sampling=WINDOWS[0], clip=""):
    """What is refresh_curves is what is drawn anew, bit for bit."""
    curves = motion_curve(before, points, clip, sampling)
    again = refresh_curves(curves, after)
    assert same(again, drawn_anew(curves, after))
    assert same(refresh_curves(again, before), curves)
    return curves, again


def test_a_curve_is_the_trail_of_its_point_with_whole_frames_among_its_times():
    scene = chain_scene()
    take = scene.characters[0].takes[0]
    curve = motion_curve(scene, TIP)
    path = trail(take, TIP, curve.time)
    assert same(curve.position, path.position)
    assert same(curve.orientation, path.orientation)
    assert same(curve.speed, path.speed)
    assert np.array_equal(curve.time[curve.tick], take.frame_times())
    assert len(curve) == 4 * 48 + 1
    assert not curve.position.flags.writeable


def test_a_window_draws_a_part_on_the_same_times():
    whole = motion_curve(chain_scene(), TIP)
    part = motion_curve(chain_scene(), TIP, sampling=Sampling(4, 0.49, 1.02))
    inside = (whole.time >= 0.49) & (whole.time <= 1.02)
    assert same(part.time, whole.time[inside])
    assert same(part.position, whole.position[inside])
    assert same(part.tick, whole.tick[inside])
    assert part.key_time.tolist() == [0.6, 1.0]


def test_a_clip_that_ends_between_frames_is_drawn_to_its_end():
    scene = chain_scene()
    take = scene.characters[0].takes[0]
    scene = with_take(scene, replace(take, base=replace(take.base, duration=1.51)))
    curve = motion_curve(scene, TIP)
    assert curve.time[-1] == 1.51
    assert not curve.tick[-1]
    assert len(motion_curve(scene, TIP, sampling=Sampling(4, 3.0))) == 0


def test_keys_are_those_of_the_channels_that_move_the_point():
    scene = chain_scene()
    curve = motion_curve(scene, TIP)
    assert curve.key_time.tolist() == [0.0, 0.6, 1.0, 2.0]
    assert curve.key_count.tolist() == [15, 4, 15, 15]
    root = motion_curve(scene, "joint0")
    assert root.key_count.tolist() == [6, 2, 6, 6]


def test_constraints_are_listed_with_their_kind_and_span():
    pins = Pin(TIP, 0.5, 1.0, orientation=True), Pin(TIP, 0, 1, take="other")
    contacts = Contact(Point("joint3"), 0, 1), Contact(Point("joint2"), 0, 1)
    scene = chain_scene(constraints=(*pins, *contacts))
    (pin,) = motion_curve(scene, TIP).constraints
    assert (pin.name, pin.kind, pin.start, pin.end) == ("joint3 pin", "pin", 0.5, 1.0)
    assert (pin.position, pin.orientation) == (True, True)
    turned, planted = motion_curve(scene, "joint3").constraints
    assert (turned.kind, turned.position, turned.orientation) == ("pin", False, True)
    assert (planted.kind, planted.position, planted.orientation) == ("contact", True, False)
    assert motion_curve(scene, TIP, sampling=Sampling(4, 1.2)).constraints == ()


def test_points_drawn_together_are_as_one_by_one():
    scene = chain_scene()
    for point, together in zip(POINTS, motion_curve(scene, POINTS), strict=True):
        assert same(together, motion_curve(scene, point))


def test_samples_and_layers_are_drawn_without_keys_or_on_top():
    scene = chain_scene()
    take = scene.characters[0].takes[0]
    times = take.frame_times()
    recorded = replace(take, base=Motion("recorded", times, values_at(take, times)))
    curve = motion_curve(with_take(scene, recorded), TIP, "recorded")
    assert len(curve.key_time) == 0
    keyed_curve = motion_curve(scene, TIP)
    assert curve.position[curve.tick] == pytest.approx(keyed_curve.position[keyed_curve.tick])
    layered = with_take(scene, replace(take, layers=(bump(take.rig, 0.5, 1.0),)))
    lifted = motion_curve(layered, TIP)
    moved = np.abs(lifted.position - keyed_curve.position).max(axis=1) > 1e-9
    assert moved.any()
    assert not moved[(lifted.time < 0.5) | (lifted.time > 1.0)].any()
    assert same(lifted.key_time, keyed_curve.key_time)


def test_points_of_two_characters_are_refused():
    scene = chain_scene()
    other = replace(scene.characters[0], name="other")
    scene = replace(scene, characters=(*scene.characters, other))
    with pytest.raises(BadValue, match="points of one character"):
        motion_curve(scene, [TIP, Point("joint1", character="other")])
    bare = replace(scene, characters=(replace(other, takes=()),))
    with pytest.raises(BadValue, match="a take"):
        motion_curve(bare, "joint1")
    assert motion_curve(scene, []) == refresh_curves([], scene) == []


def bump(rig, start, end, size=0.3):
    channels = [rig.channel(f"joint0.translate.{axis}") for axis in "xyz"]
    turn = np.zeros((6, 1, 3))
    turn[2:4] = size
    add = np.zeros((6, 3))
    add[2:4] = 0.1 * size
    return Layer("bump", start, end, [1], turn, channels, add)


drags = st.tuples(
    st.sampled_from(POINTS),
    st.floats(0.02, 1.98),
    st.tuples(*[st.floats(-0.3, 0.3)] * 3),
    st.sampled_from(WINDOWS),
    st.sampled_from([{}, {"tangents": "unified"}, {"time_reach": 1}]),
)


@examples(24, 60)
@given(drags)
def test_after_any_drag_of_a_path_redrawing_is_drawing_anew_bit_for_bit(drag):
    point, time, by, sampling, options = drag
    scene = chain_scene(constraints=(Pin(Point("joint1"), 0, 1),))
    session = TangentTool().begin(scene, Target(), TangentOptions(**options))
    start = trail(scene.characters[0].takes[0], point, [time]).position[0]
    preview = session.update(Drag(point, time, position=start + by))
    after = preview.edit.apply(scene)
    curves, again = check_refreshed(scene, after, POINTS, sampling)
    for old, new in zip(curves, again, strict=True):
        moved = old.time[(old.position != new.position).any(axis=1)]
        assert ((moved >= preview.span[0]) & (moved <= preview.span[1])).all()


@examples(16, 40)
@given(drags)
def test_after_any_pose_redrawing_is_drawing_anew_bit_for_bit(drag):
    point, time, by, sampling, _ = drag
    scene = chain_scene()
    session = PoseTool().begin(scene, Target(), PoseOptions())
    start = trail(scene.characters[0].takes[0], point, [time]).position[0]
    session.update(Drag(point, time, position=start + by))
    check_refreshed(scene, session.finish().apply(scene), POINTS, sampling)


def random_scene(seed):
    """A rig of all modes; each channel has keys of its own and any interpolation."""
    rig = random_rig(seed, 6)
    random = np.random.default_rng(seed)
    curves = []
    line_up = np.unique(random.uniform(0, 2, 6))
    for _ in range(len(rig.channels)):
        times = line_up if random.random() < 0.5 else np.unique(random.uniform(0, 2, 5))
        curves.append(random_curve(random, times))
    take = Take(rig, Clip("any", tuple(curves), 2.0))
    return Scene("any", (Character("any", rig, (take,)),))


def random_curve(random, times):
    curve = keyed(times, random.normal(0, 0.7, len(times)))
    return replace(
        curve,
        tangent=np.abs(random.normal(0, 0.4, (len(times), 2, 2))),
        interpolation=random.integers(0, 4, len(times)),
        before=random.choice(list(Extrapolation)),
        after=random.choice(list(Extrapolation)),
    )


def edited_curve(random, curve):
    key = int(random.integers(len(curve)))
    match int(random.integers(6)):
        case 0:
            return move_key(curve, key, value=float(random.normal()))
        case 1:
            return remove_key(curve, key) if len(curve) > 1 else None
        case 2:
            inside = float(random.uniform(curve.time[0], curve.time[-1]))
            return insert_key(curve, inside)
        case 3:
            tangent = np.array(curve.tangent)
            tangent[key, int(random.integers(2)), 1] += 0.5
            return replace(curve, tangent=tangent)
        case 4:
            modes = np.array(curve.interpolation)
            modes[key] = int(random.choice(list(Interpolation)))
            return replace(curve, interpolation=modes)
        case _:
            return None


@examples(40, 150)
@given(st.integers(0, 10_000), st.sampled_from(WINDOWS), st.booleans())
def test_after_any_edit_of_any_rig_redrawing_is_drawing_anew_bit_for_bit(seed, sampling, plain):
    random = np.random.default_rng(seed)
    scene = random_scene(seed)
    take = scene.characters[0].takes[0]
    curves = list(take.base.curves)
    for channel in random.integers(0, len(curves), 2).tolist():
        curves[channel] = edited_curve(random, curves[channel]) if curves[channel] else None
    after = with_take(scene, replace(take, base=replace(take.base, curves=tuple(curves))))
    points = [Point("joint5"), Point("joint3", [0.2, 0, 0.1])]
    with pytest.MonkeyPatch.context() as patch:
        if plain:
            patch.setattr(compiled, "library", None)
        check_refreshed(scene, after, points, sampling)


@examples(16, 40)
@given(st.integers(0, 10_000), st.integers(0, 30), st.integers(0, 30))
def test_after_any_change_of_samples_redrawing_is_drawing_anew(seed, first, last):
    rig = random_rig(seed, 6)
    values = 0.5 * random_values(rig, seed, 31)
    scene = Scene(
        "s", (Character("c", rig, (Take(rig, Motion("m", np.arange(31) / 24, values)),)),)
    )
    other = values.copy()
    other[min(first, last) : max(first, last)] += 0.1
    motion = Motion("m", np.arange(31) / 24, other)
    check_refreshed(scene, with_take(scene, Take(rig, motion)), [Point("joint5")])


@pytest.mark.parametrize("spans", [[(0.2, 0.6)], [(0.2, 0.6), (1.0, 1.5)], [(1.0, 1.5)]])
def test_layers_that_come_and_go_are_refreshed(spans):
    scene = chain_scene()
    take = scene.characters[0].takes[0]
    under = replace(take, layers=(bump(take.rig, 0.1, 0.9, 0.1),))
    over = replace(under, layers=(*under.layers, *(bump(take.rig, *span) for span in spans)))
    check_refreshed(with_take(scene, under), with_take(scene, over), POINTS)
    whole = np.arange(len(take.rig.channels))
    assert changed_span(under, over, whole) == (spans[0][0], spans[-1][1])


def test_what_did_not_change_is_shared():
    scene = chain_scene()
    take = scene.characters[0].takes[0]
    curves = list(take.base.curves)
    last = take.rig.channel("joint3.rotate.x")
    curves[last] = move_key(curves[last], 1, value=0.9)
    after = with_take(scene, replace(take, base=replace(take.base, curves=tuple(curves))))
    root, tip = refresh_curves(motion_curve(scene, [Point("joint1"), TIP]), after)
    assert not same(tip.position, motion_curve(scene, TIP).position)
    alone = motion_curve(scene, "joint1")
    assert refresh_curves(alone, after).position is alone.position
    assert same(root.position, alone.position)


def test_only_the_segments_that_changed_are_worked_out_again(monkeypatch):
    scene = arcwright.read("biped:walk")
    take = scene.characters[0].takes[0]
    curve = motion_curve(scene, "LeftHand")
    session = TangentTool().begin(scene, Target(), TangentOptions(tangents="broken"))
    start = trail(take, "LeftHand", [0.2]).position[0]
    session.update(Drag(Point("LeftHand"), 0.2, position=start + [0.02, 0.03, 0]))
    after = session.finish().apply(scene)
    asked = []
    monkeypatch.setattr(
        "arcwright.kinematics.motion_curve.trail",
        lambda *words: asked.append(words[2]) or trail(*words),
    )
    again = refresh_curves(curve, after)
    assert len(asked[0]) < 0.7 * len(curve)
    assert same(again, motion_curve(after, "LeftHand"))


def test_a_longer_clip_or_other_pins_are_seen_when_refreshed():
    scene = chain_scene()
    take = scene.characters[0].takes[0]
    longer = with_take(scene, replace(take, base=replace(take.base, duration=2.5)))
    check_refreshed(scene, longer, POINTS)
    pinned = replace(scene, constraints=(*scene.constraints, Pin(TIP, 0, 1)))
    curve = motion_curve(scene, TIP)
    again = refresh_curves(curve, pinned)
    assert [each.kind for each in again.constraints] == ["pin"]
    assert again.position is curve.position


def test_curves_drawn_apart_are_refreshed_apart():
    scene = chain_scene()
    apart = [motion_curve(scene, TIP), motion_curve(scene, TIP, sampling=Sampling(2))]
    assert same(refresh_curves(apart, scene), apart)


def test_a_changed_ray_beyond_the_keys_is_seen():
    curve = replace(
        Curve.of([0.5, 1.0, 1.5], [0, 1, 0.5], interpolation=Interpolation.BEZIER),
        before=Extrapolation.LINEAR,
        after=Extrapolation.LINEAR,
    )
    rig = chain_scene().characters[0].rig
    spin = rig.channel("joint1.rotate.z")
    assert rig.channels.kind[spin] == Kind.ROTATE_Z
    for key, side in ((0, 0), (2, 1)):
        tangent = np.array(curve.tangent)
        tangent[key, side] += [0.1, 0.2]
        scenes = []
        for own in (curve, replace(curve, tangent=tangent)):
            curves = tuple(own if at == spin else None for at in range(len(rig.channels)))
            take = Take(rig, Clip("swing", curves, 2.0))
            scenes.append(Scene("ray", (Character("chain", rig, (take,)),)))
        check_refreshed(*scenes, POINTS)
