"""Performances become loops: of props, joints, channels and points of a body."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from acting import ball_scene, begun, circles, performed, poses, spins, times, triggers
from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.curve import Extrapolation
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag, Performance, ToolHandle, chunks
from arcwright.tools.overlay import ChoicesOverlay, CurveOverlay, HandleOverlay, TextOverlay
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay

BALL = Target("Ball", "", Point("joint0", character="Ball"))


def ball_take(scene):
    return scene.props[0].takes[0]


def overlays(preview, kind):
    return [each for each in preview.overlays if isinstance(each, kind)]


def test_a_performed_prop_goes_round_with_few_keys():
    scene = ball_scene(5.0)
    after, interaction = performed(scene, BALL, circles(1.0, noise=0.003))
    take = ball_take(after)
    assert take.base.loops
    assert take.duration == pytest.approx(1.0, abs=1 / 24)
    path = trail(take, Point("joint0"), np.linspace(0, take.duration, 50)).position
    radius = np.linalg.norm(path[:, :2] - path[:-1, :2].mean(axis=0), axis=1)
    assert radius == pytest.approx(np.full(50, 0.1), abs=0.01)
    moving = [curve for curve in take.base.curves if curve is not None and np.ptp(curve.value)]
    assert max(map(len, moving)) <= 9
    assert interaction.notes() == ()


def test_the_loop_closes_in_value_and_slope_and_goes_on():
    after, _ = performed(ball_scene(), BALL, circles(1.0, noise=0.004))
    take = ball_take(after)
    for curve in take.base.curves:
        if curve is not None and len(curve) > 1:
            assert curve.value[0] == pytest.approx(curve.value[-1], abs=1e-9)
            out, into = curve.tangent[0, 1], curve.tangent[-1, 0]
            assert out[1] / out[0] == pytest.approx(into[1] / into[0], abs=1e-9)
            assert curve.after == curve.before == Extrapolation.CYCLE
    at = np.array([0.2, 0.7])
    later = values_at(take, at + 3 * take.duration)
    assert values_at(take, at) == pytest.approx(later, abs=1e-9)


def test_the_point_starts_where_it_is_and_follows_the_device():
    scene = ball_scene()
    interaction = begun(scene, BALL, gain=2.0)
    acted = circles(1.0, 0.3)
    preview = interaction.update(acted)
    moved = acted.poses[-1, 0, :3] - acted.poses[0, 0, :3]
    assert preview.poses[0].values[:3] == pytest.approx(2 * moved, abs=1e-7)  # kept in 32 bits
    assert preview.edit.empty
    assert overlays(preview, CurveOverlay)[0].style == "reference"


def test_any_chunks_give_the_same_edit_and_buffers_grow():
    scene, whole = ball_scene(), circles(0.8, 6, noise=0.002)
    _, at_once = performed(scene, BALL, whole)
    for size in (1, 7, 100):
        interaction = begun(scene, BALL)
        for part in chunks(whole, size):
            interaction.update(part)
        assert same(interaction.finish(), at_once.finish())


def test_the_orientation_follows_a_device_that_turns():
    scene = ball_scene()
    after, _ = performed(scene, BALL, spins(1.0, angle=0.6))
    turned = trail(ball_take(after), Point("joint0"), np.linspace(0, 1, 49)).orientation
    angle = 2 * np.arcsin(turned[:, 2])
    assert np.ptp(angle) == pytest.approx(1.2, abs=0.05)
    still, _ = performed(scene, BALL, spins(1.0, angle=0.05))
    assert same(still, scene)  # less than 5 degrees: only the position counts, which rests


def test_a_device_that_spins_round_makes_a_loop_of_one_turn():
    time = times(5.0)
    turn = np.zeros((len(time), 3))
    turn[:, 1] = 2 * np.pi * time
    given = Performance(time, poses(np.zeros_like(turn), turn))
    after, _ = performed(ball_scene(), BALL, given, perform="orientation")
    take = ball_take(after)
    assert take.duration == pytest.approx(1.0, abs=1 / 24)
    turned = trail(take, Point("joint0"), np.linspace(0, 1, 25)).orientation
    steps = 2 * np.arccos(np.clip((turned[1:] * turned[:-1]).sum(axis=1), -1, 1))
    assert steps.max() < 2 * steps.mean()  # even, also over half turns


def test_scale_follows_two_devices_an_axis_or_the_height():
    time = times(4.0)
    wave = np.sin(2 * np.pi * time)
    place = np.zeros((len(time), 3))
    rest = poses(place)
    place[:, 0] = 0.4 * 2 ** (0.5 * wave)
    two = Performance(time, np.concatenate([rest, poses(place)], axis=1))
    axis = Performance(time, axes=0.5 * wave[:, None], axis_names=("stick",))
    place[:, 0], place[:, 1] = 0, 0.125 * wave
    ways = [two, axis, Performance(time, poses(place))]
    for given in ways:
        after, _ = performed(ball_scene(), BALL, given, perform="scale")
        size = values_at(ball_take(after), np.linspace(0, 1, 49))[:, 6:9]
        assert size[:, 0] == pytest.approx(size[:, 2])
        assert size.max() / size.min() == pytest.approx(2.0, rel=0.5)


def test_what_a_rig_cannot_do_is_noted_and_changes_nothing():
    scene = arcwright.read("biped:stand")
    hand = Target("biped", "", Point("RightHand"))
    for options, said in (
        ({"perform": "scale"}, "no scale channels"),
        ({"drive": "joint"}, "let the body follow"),
    ):
        after, interaction = performed(scene, hand, circles(), **options)
        assert same(after, scene)
        assert said in interaction.notes()[0].text


def test_an_axis_drives_a_channel_to_its_limits():
    scene = arcwright.read("dinosaur:punch")
    rig = scene.characters[0].rig
    jaw = rig.channel("Jaw.rotate.x")
    after, _ = performed(scene, Target(channels=("Jaw.rotate.x",)), triggers())
    take, before = after.characters[0].takes[0], scene.characters[0].takes[0]
    values = values_at(take, np.linspace(0, 1.4, 100))[:, jaw]
    limit = rig.channels.high[jaw] if np.isfinite(rig.channels.high[jaw]) else 1.0
    assert values.max() == pytest.approx(limit, abs=0.05)
    assert values.min() == pytest.approx(rig.channels.default[jaw], abs=0.05)
    for channel, (old, new) in enumerate(zip(before.base.curves, take.base.curves, strict=True)):
        assert (new is old) == (channel != jaw)  # all else stays


def test_a_pointer_drives_channels_by_the_directions_in_which_it_moves_most():
    scene = arcwright.read("dinosaur:punch")
    time = times(4.0)
    place = np.zeros((len(time), 3))
    place[:, 1] = 0.1 * np.sin(2 * np.pi * time)
    place[:, 0] = 0.001 * np.random.default_rng(0).normal(size=len(time))
    target = Target(channels=("Jaw.rotate.x",))
    after, _ = performed(scene, target, Performance(time, poses(place)))
    jaw = scene.characters[0].rig.channel("Jaw.rotate.x")
    assert np.ptp(values_at(after.characters[0].takes[0], np.linspace(0, 1, 30))[:, jaw]) > 0.05


def test_quaternion_components_and_unknown_channels_are_refused():
    scene = arcwright.read("dinosaur:punch")
    with pytest.raises(arcwright.ArcwrightError, match="no channel named 'Jaw.rotate.w'"):
        begun(scene, Target(channels=("Jaw.rotate.w",))).update(triggers())
    with pytest.raises(BadValue, match="each channel once"):
        begun(scene, Target(channels=("Jaw.rotate.x",) * 2)).update(triggers())


@pytest.mark.parametrize(
    ("name", "joint"),
    [("biped:stand", "RightHand"), ("biped:walk", "LeftHand"), ("robot:hover", "")],
)
def test_a_body_follows_a_performed_point(name, joint):
    scene = arcwright.read(name)
    character = scene.characters[0]
    joint = joint or character.rig.names[-1]
    period = 1.0
    target = Target(character.name, "", Point(joint))
    after, interaction = performed(scene, target, circles(period, radius=0.05, noise=0.002))
    take, layer = after.characters[0].takes[0], interaction.session._use._finished()[0]
    at = take.frame_times()
    wanted = layer.acted.at(layer.timing.phases(at))[:, :3]
    wanted = wanted + interaction.session._use._loop.travelled(at)
    off = np.linalg.norm(trail(take, Point(joint), at).position - wanted, axis=1)
    assert off.max() < 0.01 + layer.remaining.max()
    bone = np.linalg.norm(np.diff(_bone(take, joint, at), axis=1), axis=-1)
    assert np.ptp(bone) < 1e-6


def _bone(take, joint, at):
    """Both ends of the bone to a joint."""
    end = take.rig.joint(joint)
    world = arcwright.forward(take.rig, values_at(take, at), [int(take.rig.parents[end]), end])
    return world[..., :3, 3]


def test_feet_stay_planted_while_the_hips_are_performed():
    scene = arcwright.read("biped:stand")
    target = Target("biped", "", Point("Hips"))
    after, _ = performed(scene, target, circles(1.0, radius=0.03))
    take = after.characters[0].takes[0]
    at = np.linspace(0, take.duration, 40)
    for foot in ("LeftFoot", "RightFoot"):
        path = trail(take, Point(foot), at).position
        assert np.ptp(path, axis=0).max() < 0.006
    assert np.ptp(trail(take, Point("Hips"), at).position, axis=0).max() > 0.04


def test_a_prop_without_a_take_gets_one():
    scene = ball_scene(takes=False)
    after, interaction = performed(scene, replace(BALL, take=""), circles())
    assert [take.name for take in after.props[0].takes] == ["loop"]
    assert same(interaction.finish().inverse().apply(after), scene)


def test_without_a_target_the_root_is_performed():
    scene = ball_scene()
    after, _ = performed(scene, Target("Ball"), circles())
    assert not same(after, scene)


def test_the_preview_says_period_and_cycles_and_offers_others():
    interaction = begun(ball_scene(), BALL)
    preview = interaction.update(circles(1.02, 4.2, noise=0.002))
    (text,) = overlays(preview, TextOverlay)
    assert text.text.startswith("1.0")
    assert "cycles" in text.text
    (choices,) = overlays(preview, ChoicesOverlay)
    assert choices.option == "period"
    assert choices.choices[choices.chosen].value == pytest.approx(1.02, rel=0.03)
    styles = [each.style for each in overlays(preview, CurveOverlay)]
    assert styles.count("guide") >= 3
    assert styles.count("edit") == styles.count("reference") == 1
    assert not preview.edit.empty
    double = max(choices.choices, key=lambda each: each.value).value
    if double > 1.5:
        interaction.set_options(replace(interaction.options, period=double))
        assert ball_take(interaction.finish().apply(ball_scene())).duration > 1.5


def test_the_preview_shows_what_finishing_does():
    scene = ball_scene()
    interaction = begun(scene, BALL)
    preview = interaction.update(circles(1.0, noise=0.003))
    shown, done = (ball_take(each.apply(scene)) for each in (preview.edit, interaction.finish()))
    at = np.linspace(0, 1, 30)
    apart = values_at(shown, at)[:, :3] - values_at(done, at)[:, :3]
    assert np.abs(apart).max() < 0.006
    assert shown.base.key_count > done.base.key_count


def test_the_cut_can_be_dragged_along_the_loop():
    scene = ball_scene()
    interaction = begun(scene, BALL)
    preview = interaction.update(circles(1.0, 5))
    (handle,) = overlays(preview, HandleOverlay)
    goal = np.array([-0.2, 0.0, 0.0])  # the far side of the circle
    moved = interaction.update(Drag(ToolHandle(handle.name), 0.0, position=goal))
    assert moved.drag.position == pytest.approx([-0.2, 0, 0], abs=0.01)
    at_start = values_at(ball_take(interaction.finish().apply(scene)), np.zeros(1))[0, :3]
    assert at_start == pytest.approx([-0.2, 0, 0], abs=0.012)
    interaction.begin(replace(scene, name="renamed"))  # nothing is lost
    again = values_at(ball_take(interaction.finish().apply(interaction.scene)), np.zeros(1))[0, :3]
    assert again == pytest.approx(at_start)


def test_the_start_can_be_set_in_seconds_of_the_recording():
    acted = circles(1.0, 5)
    after, _ = performed(ball_scene(), BALL, acted, start=0.5)
    start = values_at(ball_take(after), np.zeros(1))[0, :3]
    assert start == pytest.approx([-0.2, 0, 0], abs=0.012)


@pytest.mark.parametrize("shape", ["average", "best", "latest"])
@pytest.mark.parametrize("method", ["auto", "paper"])
def test_every_shape_and_method_gives_a_loop(shape, method):
    scene = ball_scene()
    after, _ = performed(scene, BALL, circles(1.0, 5, noise=0.003), shape=shape, method=method)
    assert ball_take(after).duration == pytest.approx(1.0, abs=0.1)


def test_a_slow_drift_of_the_device_is_removed():
    after, _ = performed(ball_scene(), BALL, circles(1.0, 6, drift=0.02))
    path = trail(ball_take(after), Point("joint0"), np.linspace(0, 1, 30)).position
    assert np.ptp(path[:, 2]) < 0.012


# What does not repeat, and what devices get wrong.


def test_a_standstill_and_few_samples_change_nothing_and_say_why():
    scene = ball_scene()
    rest = Performance(times(3.0), poses(np.zeros((180, 3))))
    for given, said in (
        (rest, "nothing moves"),
        (circles(1.0, 0.05), "only 3 samples"),
    ):
        after, interaction = performed(scene, BALL, given)
        assert same(after, scene)
        assert said in interaction.notes()[0].text
        assert "at least twice" in interaction.notes()[0].text


def test_a_single_cycle_can_be_closed_by_choice():
    scene = ball_scene()
    interaction = begun(scene, BALL)
    preview = interaction.update(circles(1.5, 1.02))
    assert interaction.finish().empty
    assert "close this one" in interaction.notes()[0].text
    (choices,) = overlays(preview, ChoicesOverlay)
    assert choices.choices[choices.chosen].value is None
    preview = interaction.set_options(replace(interaction.options, period=choices.choices[1].value))
    take = ball_take(interaction.finish().apply(scene))
    assert take.duration == pytest.approx(1.5, abs=0.12)
    assert overlays(preview, ChoicesOverlay)[0].chosen == 1


def test_the_single_cycle_that_was_chosen_is_closed_not_a_weak_period_near_it():
    interaction = begun(ball_scene(), BALL)
    preview = interaction.update(circles(1.0, 1.5, noise=0.01))
    single = overlays(preview, ChoicesOverlay)[0].choices[1]
    preview = interaction.set_options(replace(interaction.options, period=single.value))
    (choices,) = overlays(preview, ChoicesOverlay)
    assert choices.choices[choices.chosen].label == single.label
    (text,) = overlays(preview, TextOverlay)
    assert text.text.startswith(f"{single.value:.2f} s · 1 cycle")


def test_the_result_is_drawn_with_all_samples_where_the_last_preview_was_of_fewer():
    """A loop that the last samples take away is not shown as if it could be kept."""
    interaction = begun(ball_scene(), BALL, period=0.62)
    acted = circles(1.5, 0.8)
    early, late = slice(0, 60), slice(60, None)
    interaction.update(Performance(acted.times[early], acted.poses[early]))
    preview = interaction.update(Performance(acted.times[late], acted.poses[late]))
    (text,) = overlays(preview, TextOverlay)
    assert text.text.endswith("1 cycle")
    result = interaction.finish()
    assert result.empty
    shown = interaction.preview_result(result, interaction.result_overlays())
    assert not overlays(shown, TextOverlay)
    (choices,) = overlays(shown, ChoicesOverlay)
    assert choices.choices[choices.chosen].label == "No loop"
    assert choices.choices[1].label.startswith("One cycle")


def test_a_movement_acted_hardly_twice_is_kept_with_a_caution():
    _, interaction = performed(ball_scene(), BALL, circles(1.0, 2.1))
    (note,) = interaction.notes()
    assert note.text.startswith("Check the loop: the movement is seen only 2.1 times")


def test_noise_does_not_repeat():
    random = np.random.default_rng(4)
    place = np.cumsum(random.normal(0, 0.01, (300, 3)), axis=0)
    after, interaction = performed(ball_scene(), BALL, Performance(times(5.0), poses(place)))
    assert same(after, ball_scene())
    assert interaction.notes()[0].text.startswith("No loop: ")


def test_doubled_times_and_dropped_frames_are_handled():
    acted = circles(1.0, 6, noise=0.001)
    held = replace(acted, times=np.floor(acted.times * 24) / 24)  # a playhead of whole frames
    after, _ = performed(ball_scene(), BALL, held)
    assert ball_take(after).duration == pytest.approx(1.0, abs=1 / 24)
    keep = np.random.default_rng(1).random(len(acted)) > 0.3
    keep[150:200] = False
    dropped = replace(
        acted,
        **{name: getattr(acted, name)[keep] for name in ("times", "poses", "axes", "buttons")},
    )
    after, interaction = performed(ball_scene(), BALL, dropped)
    assert ball_take(after).duration == pytest.approx(1.0, abs=1 / 24)
    assert "no samples for" in interaction.notes()[0].text


def test_bad_samples_are_refused_and_lose_nothing():
    scene, acted = ball_scene(), circles(1.0, 5)
    interaction = begun(scene, BALL)
    interaction.update(acted)
    before = interaction.finish()
    with pytest.raises(BadValue, match="finite"):
        replace(acted, poses=np.where(acted.poses > 0.05, np.nan, acted.poses))
    with pytest.raises(BadValue, match="never fall"):
        replace(acted, times=acted.times[::-1])
    with pytest.raises(BadValue, match="or later, where the samples before ended"):
        interaction.update(acted)
    two = replace(circles(1.0, 1, start=9.0), poses=np.tile(acted.poses[:60], (1, 2, 1)))
    with pytest.raises(BadValue, match="1 devices, as before"):
        interaction.update(two)
    with pytest.raises(BadValue, match="0 axes, as before, got 1"):
        interaction.update(
            replace(circles(1.0, 1, start=9.0), axes=np.zeros((60, 1)), axis_names=("x",))
        )
    assert same(interaction.finish(), before)
    interaction.update(circles(1.0, 2, start=5.0))  # and it goes on
    assert not interaction.finish().empty


def test_quaternions_of_length_zero_are_no_rotation():
    acted = circles(1.0, 5)
    broken = acted.poses.copy()
    broken[:, :, 3:] = 0.0
    after, _ = performed(ball_scene(), BALL, replace(acted, poses=broken))
    assert np.isfinite(values_at(ball_take(after), np.linspace(0, 1, 20))).all()


def test_baked_takes_and_layers_are_refused_with_what_to_do():
    from arcwright.scene.motion import Motion
    from arcwright.scene.take import Take

    scene = arcwright.read("biped:walk")
    character = scene.characters[0]
    motion = Motion("walk", [0.0, 1.0], np.zeros((2, len(character.rig.channels))))
    baked = replace(character, takes=(Take(character.rig, motion),))
    with pytest.raises(BadValue, match="turn samples into keys"):
        begun(replace(scene, characters=(baked,)), Target()).update(circles())


def test_a_joint_of_another_take_is_a_device():
    walk = arcwright.read("biped:walk").characters[0].takes[0]
    device = arcwright.performance_from(walk, "LeftHand", relative_to="Hips")
    assert len(device) == 25
    far = arcwright.performance_from(walk, "LeftHand").poses[:, 0, 2]
    assert np.ptp(far) > np.ptp(device.poses[:, 0, 2]) + 0.5  # it walks on
    scene = arcwright.read("biped:stand")
    assert arcwright.perform(scene, "RightHand", device).empty  # acted once
    edit = arcwright.perform(scene, "RightHand", device, period=1.0, perform="position")
    take = edit.apply(scene).characters[0].takes[0]
    swing = trail(take, Point("RightHand"), np.linspace(0, take.duration, 30)).position
    assert np.ptp(swing[:, 2]) == pytest.approx(np.ptp(device.poses[:, 0, 2]), rel=0.25)
    case = {
        "scene": "biped:stand",
        "tool": "cycle",
        "gestures": [
            {
                "kind": "performance",
                "from": "biped:walk",
                "joint": "LeftHand",
                "relative_to": "Hips",
                "point": {"joint": "RightHand"},
                "options": {"period": 1.0, "perform": "position"},
            }
        ],
    }
    parsed = parse_gesture_file(case, None, arcwright.read)
    assert same(replay(parsed, scene)[0], edit.apply(scene))
    with pytest.raises(BadValue, match="samples in the file itself"):
        parse_gesture_file(case)
