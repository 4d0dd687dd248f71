"""Acting in layers: the period of a new layer, its phase, and what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from acting import ball_scene, begun, circles, performed, poses, spins, times, triggers
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import keyed
from arcwright.files import read, write
from arcwright.kinematics.forward import forward
from arcwright.kinematics.motion_curve import motion_curve
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.cycle.recording.layer_timing import RATIOS, circular_mean, snapped_ratio
from arcwright.tools.gesture import Drag, Performance
from builders import ROTATE, TRANSLATE, rig_of

PERIOD = 1.0
ARM = Target("arm", "", None, ("joint1.rotate.z",))


def looping_scene(extrapolates=False):
    """Two bones: the root sways and its own channels loop; the second bone is still."""
    from arcwright.scene.curve import Extrapolation

    rig = rig_of([-1, 0, 1], [(0, TRANSLATE + ROTATE), (1, ROTATE), (2, ROTATE)])
    way = Extrapolation.CYCLE if extrapolates else Extrapolation.HOLD
    curves = [None] * len(rig.channels)
    curves[0] = keyed([0, 0.5, PERIOD], [0, 0.2, 0], before=way, after=way)
    curves[3] = keyed([0, 0.25, PERIOD], [0.1, -0.2, 0.1], before=way, after=way)
    take = Take(rig, Clip("sway", tuple(curves), PERIOD, loops=True))
    return Scene("arm", (Character("arm", rig, (take,)),))


def wave(period, cycles=6.0, start=0.0, size=0.5):
    """An axis that goes to and fro."""
    time = times(period * cycles, start=start)
    axis = size * np.sin(2 * np.pi * time / period)
    return Performance(time, axes=axis[:, None], axis_names=("stick",))


def take_of(scene):
    return scene.actors[0].takes[0]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("off", [0.93, 1.0, 1.08])
def test_a_period_near_a_ratio_snaps_to_it(ratio, off):
    times_, of = RATIOS[ratio]
    wanted = PERIOD * times_ / of
    scene = looping_scene()
    after, interaction = performed(scene, ARM, wave(off * wanted))
    take = take_of(after)
    assert take.duration == pytest.approx(PERIOD * times_)
    channel = take.rig.channel("joint1.rotate.z")
    curve = take.base.curves[channel]
    assert curve.time[-1] - curve.time[0] == pytest.approx(wanted)
    at = np.linspace(0, take.duration, 60)
    values = values_at(take, at)
    assert values[:, channel] == pytest.approx(values_at(take, at + wanted)[:, channel], abs=1e-6)
    assert f" · {ratio}" in interaction.preview.overlays[0].text


@pytest.mark.parametrize("ratio", ["1:2", "1:3", "2:1", "3:1", "3:2"])
@pytest.mark.parametrize("extrapolates", [False, True])
def test_what_is_not_performed_goes_on_looping(ratio, extrapolates):
    scene = looping_scene(extrapolates)
    times_, of = RATIOS[ratio]
    after, _ = performed(scene, ARM, wave(PERIOD * times_ / of))
    before, take = take_of(scene), take_of(after)
    at = np.linspace(0, take.duration - 1e-6, 97)
    others = [
        c for c in range(len(before.rig.channels)) if c != before.rig.channel(ARM.channels[0])
    ]
    wanted = values_at(before, at % PERIOD)[:, others]
    assert values_at(take, at)[:, others] == pytest.approx(wanted, abs=1e-9)
    for channel in others:
        old, new = before.base.curves[channel], take.base.curves[channel]
        if old is None or extrapolates or take.duration == PERIOD:
            assert new is old  # bit for bit
        else:
            for name in ("time", "value", "tangent", "handles", "interpolation"):
                assert same(getattr(new, name), getattr(old, name))


def test_a_free_period_comes_out_even_and_is_noted():
    scene = looping_scene()
    after, interaction = performed(scene, ARM, wave(0.77))
    take = take_of(after)
    curve = take.base.curves[take.rig.channel(ARM.channels[0])]
    period = curve.time[-1] - curve.time[0]
    assert period == pytest.approx(0.77, rel=0.03)
    rounds = take.duration / period
    assert rounds == pytest.approx(round(rounds))
    assert "keeps its own period" in interaction.notes()[0].text
    after, interaction = performed(scene, ARM, wave(0.77), ratio="1:1")
    assert take_of(after).duration == PERIOD
    assert interaction.notes() == ()


def test_the_layer_is_in_phase_with_what_was_seen():
    scene = looping_scene()
    for start in (0.0, 0.37, 5.81):
        acted = wave(PERIOD, 6, start=start)
        after, _ = performed(scene, ARM, acted)
        channel = scene.characters[0].rig.channel(ARM.channels[0])
        at = np.arange(24) / 24
        found = values_at(take_of(after), at)[:, channel]
        wanted = 0.5 * np.sin(2 * np.pi * at)
        assert found == pytest.approx(wanted, abs=0.04)


def test_a_circular_mean_goes_over_the_seam():
    assert circular_mean([0.98, 1.04, 2.06], [1, 1, 1], 1.0) == pytest.approx(0.0267, abs=1e-3)
    assert snapped_ratio(0.71, 1.0, "auto") == ""
    assert snapped_ratio(0.71, 1.0, "2:1") == "2:1"


def test_a_still_take_becomes_as_long_as_the_performance():
    scene = arcwright.read("biped:stand")
    after, _ = performed(scene, Target("biped", "", Point("RightHand")), circles(0.8))
    take = take_of(after)
    assert take.base.loops
    assert take.duration * take.rate == pytest.approx(round(0.8 * 24))


def test_a_still_prop_follows_the_loop_of_another_actor():
    other = looping_scene().characters
    scene = replace(ball_scene(3.0), characters=other)
    after, _ = performed(
        scene, Target("Ball", "", Point("joint0", character="Ball")), circles(0.52)
    )
    curve = after.props[0].takes[0].base.curves[0]
    assert curve.time[-1] == pytest.approx(0.5)
    assert after.props[0].takes[0].duration == PERIOD
    assert after.characters == other


def test_layers_add_up_and_each_is_one_undo_step():
    scene = arcwright.read("biped:stand")
    history = History(scene)
    layers = [
        (Target("biped", "", Point("RightHand")), circles(1.0, noise=0.002)),
        (Target("biped", "", Point("LeftHand")), circles(0.49)),
        (Target("biped", "", None, ("Head.rotate.y",)), wave(2.05)),
    ]
    durations = []
    for target, acted in layers:
        _, interaction = performed(history.scene, target, acted)
        history = history.do(interaction.finish())
        durations.append(take_of(history.scene).duration)
    assert durations == pytest.approx([1.0, 1.0, 2.0])
    take = take_of(history.scene)
    at = np.linspace(0, 2, 49)
    assert values_at(take, at) == pytest.approx(values_at(take, at + 2.0), abs=1e-6)
    for _ in layers:
        history = history.undo()
    assert same(history.scene, scene)


def test_performing_an_item_again_replaces_its_layer():
    scene = ball_scene()
    target = Target("Ball", "", Point("joint0", character="Ball"))
    first, _ = performed(scene, target, circles(1.0, radius=0.1))
    second, _ = performed(first, target, circles(0.7, radius=0.05))
    take = second.props[0].takes[0]
    assert take.duration == pytest.approx(0.7, abs=1 / 24)
    path = values_at(take, np.linspace(0, take.duration, 40))[:, :2]
    assert np.ptp(path, axis=0) == pytest.approx([0.1, 0.1], abs=0.01)


def test_rotation_is_layered_over_a_performed_position():
    scene = ball_scene()
    target = Target("Ball", "", Point("joint0", character="Ball"))
    moved, _ = performed(scene, target, circles(1.0))
    both, _ = performed(moved, target, spins(1.0), perform="orientation")
    curves = both.props[0].takes[0].base.curves
    placed = moved.props[0].takes[0].base.curves[:3]
    assert all(a is b for a, b in zip(curves[:3], placed, strict=True))
    assert np.ptp(evaluate_curve(curves[4], np.linspace(0, 1, 25))) > 0.5


# Punch-in


def test_punching_in_changes_a_part_and_keeps_the_keys_outside():
    scene = ball_scene(2.0)
    target = Target("Ball", "", Point("joint0", character="Ball"))
    first, _ = performed(scene, target, circles(2.0, 4), tolerance=0.001)
    time = times(4.0, start=2.0)
    place = np.zeros((len(time), 3))
    place[:, 2] = 0.2 * np.sin(np.pi * np.clip((time % 2.0 - 0.5) / 1.0, 0, 1)) ** 2
    acted = Performance(time, poses(place))
    second, interaction = performed(first, target, acted, punch_start=0.25, punch_end=0.75)
    old, new = first.props[0].takes[0], second.props[0].takes[0]
    at = np.linspace(0, 2, 97)
    apart = np.abs(values_at(new, at) - values_at(old, at)).max(axis=1)
    inside = (at > 0.5) & (at < 1.5)
    assert apart[~inside].max() < 1e-9
    assert apart[inside].max() > 0.1
    steps = np.abs(np.diff(values_at(new, np.linspace(0, 2, 481))[:, :3], axis=0)).max()
    assert steps < 0.012  # no jump where they join
    assert same(interaction.finish().inverse().apply(second), first)


def test_a_part_that_was_not_acted_changes_nothing_and_says_so():
    scene = looping_scene()
    acted = wave(PERIOD, 0.2, start=0.0)
    after, interaction = performed(scene, ARM, acted, punch_start=0.6, punch_end=0.8)
    assert same(after, scene)
    assert "Nothing was acted between 0.60 and 0.80 s" in interaction.notes()[0].text


def test_a_part_may_go_over_the_end_of_the_loop():
    scene = looping_scene(extrapolates=True)
    acted = wave(PERIOD, 3.0)
    after, _ = performed(scene, ARM, acted, punch_start=0.8, punch_end=0.2)
    channel = scene.characters[0].rig.channel(ARM.channels[0])
    values = values_at(take_of(after), np.arange(24) / 24)[:, channel]
    assert np.abs(values[6:18]).max() < 1e-9
    assert np.ptp(values) > 0.1


# Files and other tools


@pytest.mark.parametrize(("ratio", "period"), [("1:2", 0.5), ("3:1", 3.0), ("3:2", 1.5)])
@pytest.mark.parametrize("ending", [".glb", ".bvh", ".arc.glb"])
def test_layers_of_other_periods_are_exported(tmp_path, ratio, period, ending):
    scene = looping_scene(extrapolates=True)
    after, interaction = performed(scene, ARM, wave(period))
    assert interaction.session._use._finished()[0].timing.ratio == ratio
    take = take_of(after)
    path = tmp_path / f"loop{ending}"
    write(after, path)
    back = take_of(read(path))
    # a looping take in BVH ends a frame before the loop does: the next frame is the first again
    missing = 1 / take.rate if ending == ".bvh" else 0.0
    assert back.duration == pytest.approx(take.duration - missing, abs=1e-3)
    at = take.frame_times()[: len(back.frame_times())]
    places = [
        forward(each.rig, values_at(each, at))[
            :, [each.rig.joint(n) for n in take.rig.names], :3, 3
        ]
        for each in (take, back)
    ]
    assert places[1] == pytest.approx(places[0], abs=2e-3)


def test_motion_curves_and_other_tools_work_on_layers():
    after, _ = performed(looping_scene(extrapolates=True), ARM, wave(1.5))
    assert take_of(after).duration == 3.0
    curve = motion_curve(after, Point("joint2"))
    assert curve.position[0] == pytest.approx(curve.position[-1], abs=0.01)
    for name in ("pose", "tangent", "spacetime", "cycle"):
        edit = arcwright.drag(after, "joint2", frame=10, by=(0.02, 0.0, 0.0), tool=name)
        assert not edit.empty


def test_one_interaction_is_one_use():
    scene = looping_scene()
    interaction = begun(scene, ARM)
    interaction.update(wave(1.0))
    before = interaction.finish()
    with pytest.raises(arcwright.ArcwrightError, match="being performed; finish that first"):
        interaction.update(Drag(Point("joint2"), 0.2, position=[0, 2, 0]))
    assert same(interaction.finish(), before)
    assert begun(scene, ARM, loop_period=3.0).finish().empty  # no gesture, no change
    setting = begun(scene, ARM)
    setting.set_options(replace(setting.options, loop_period=3.0))
    assert take_of(setting.finish().apply(scene)).duration == 3.0


def test_a_trigger_and_a_circle_at_once_perform_a_channel_by_the_trigger():
    acted, pull = circles(1.0, 4), triggers(0.8, 5)
    both = replace(acted, axes=pull.axes[: len(acted)], axis_names=("trigger",))
    scene = looping_scene()
    after, _ = performed(scene, ARM, both, ratio="free")
    take = take_of(after)
    curve = take.base.curves[take.rig.channel(ARM.channels[0])]
    assert curve.time[-1] == pytest.approx(0.8, rel=0.03)


def test_contacts_hold_on_when_a_layer_makes_the_loop_longer():
    scene = built_in("dragon:stand")
    act = circles(1.3, cycles=4, radius=0.05)
    history = History(scene)
    interaction = begun(scene, Target("dragon", "", Point("Head", character="dragon")))
    interaction.update(act)
    history = history.do(interaction.finish())
    after = history.scene
    take = take_of(after)
    assert take.duration == pytest.approx(31 / 24)
    assert [(each.start, each.end) for each in after.contacts] == [(0, take.duration)] * 4
    for joint in ("LeftToes", "RightForeToes"):
        path = trail(take, Point(joint), np.arange(32) / 24).position
        assert np.ptp(path, axis=0).max() < 1e-3  # m
    history = history.undo()
    assert same(history.scene, scene)


def test_what_holds_for_a_part_of_a_loop_holds_again_in_each_round():
    scene = built_in("biped:walk")
    old = [each for each in scene.contacts if each.end < PERIOD]
    after, _ = performed(
        scene, Target("biped", "", Point("Head", character="biped")), circles(2.0, radius=0.02)
    )
    new = [each for each in after.contacts if each.point.joint == old[0].point.joint]
    assert take_of(after).duration == 2 * PERIOD
    assert {round(old[0].start, 6), round(old[0].start + PERIOD, 6)} <= {
        round(each.start, 6) for each in new
    }


def unflagged(scene, last=None):
    """The same scene as files without a loop flag give it, with another value at its last key."""
    actor, take = scene.characters[0], take_of(scene)
    curves = list(take.base.curves)
    if last is not None:
        curves[3] = keyed([0, 0.25, PERIOD], [0.1, -0.2, last])
    clip = replace(take.base, curves=tuple(curves), loops=False)
    return replace(scene, characters=(replace(actor, takes=(replace(take, base=clip),)),))


def seam_gap(take, joint=2):
    """m, how far a joint is at the end from where it is at the start."""
    places = forward(take.rig, values_at(take, np.array([0.0, take.duration])), [joint])
    return float(np.linalg.norm(places[1, 0, :3, 3] - places[0, 0, :3, 3]))


@pytest.mark.parametrize("acted", [0.46, 0.32, 1.07])
def test_a_take_that_ends_as_it_starts_stays_closed_under_a_layer(acted):
    scene = unflagged(looping_scene())
    assert seam_gap(take_of(scene)) < 1e-9
    after, interaction = performed(scene, ARM, wave(acted))
    take = take_of(after)
    assert take.duration == PERIOD
    assert take.base.loops
    assert seam_gap(take) < 1e-6
    assert "ends as it starts" in interaction.notes()[0].text
    for old, new in zip(take_of(scene).base.curves, take.base.curves, strict=True):
        assert old is None or np.array_equal(old.value, new.value)


@pytest.mark.parametrize(("acted", "last"), [(0.46, 0.9), (0.7, None)])
def test_a_take_that_does_not_close_or_fit_keeps_the_acted_period(acted, last):
    after, interaction = performed(unflagged(looping_scene(), last), ARM, wave(acted))
    assert not take_of(after).base.loops
    assert "does not loop" in interaction.notes()[0].text


def test_a_point_of_a_body_stays_closed_in_a_take_that_ends_as_it_starts():
    scene = unflagged(looping_scene())
    target = Target("arm", "", Point("joint2"))
    after, _ = performed(scene, target, circles(0.52, radius=0.2, noise=0.002))
    take = take_of(after)
    assert take.base.loops
    assert seam_gap(take) < 1e-6
    near = forward(take.rig, values_at(take, np.array([1e-3, PERIOD - 1e-3])), [2])[:, 0, :3, 3]
    middle = forward(take.rig, values_at(take, np.zeros(1)), [2])[0, 0, :3, 3]
    assert near[0] - middle == pytest.approx(middle - near[1], abs=1e-4)


def test_a_joint_that_cannot_be_moved_follows_the_rotation_of_a_device():
    target = Target("arm", "", Point("joint2"))
    after, interaction = performed(looping_scene(), target, spins(PERIOD), drive="joint")
    angle = values_at(take_of(after), np.linspace(0, PERIOD, 25))
    channel = take_of(after).rig.channel("joint2.rotate.y")
    assert np.ptp(angle[:, channel]) == pytest.approx(1.0, abs=0.1)
    assert not [note for note in interaction.notes() if "cannot" in note.text]
