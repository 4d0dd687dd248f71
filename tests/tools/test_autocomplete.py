"""The autocompletion tool: keys stay, feet rest or lift, few keys lie between."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.curves.keys import keyed
from arcwright.errors import ArcwrightError
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample, values_at
from arcwright.open import write
from arcwright.scene.curve import Extrapolation, Interpolation
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.scripting import begin, make_drag
from arcwright.tools.autocomplete import session as session_module
from arcwright.tools.autocomplete.key_poses import own_keys
from arcwright.tools.autocomplete.key_spline import interpolated, window
from arcwright.tools.gesture import Drag, Setting, ToolHandle
from arcwright.tools.overlay import ChoicesOverlay, HandleOverlay, SpanOverlay
from chains import chain_scene, take_of


def completed(scene, **options):
    """An interaction that completes, and the scene after it."""
    interaction = begin("autocomplete", scene, **options)
    interaction.update(Setting(interaction.options))
    return interaction, interaction.finish().apply(scene)


def with_curve(scene, channel, curve):
    actor, take = scene.characters[0], take_of(scene)
    curves = list(take.base.curves)
    curves[channel] = curve
    take = replace(take, base=replace(take.base, curves=tuple(curves)))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


def joint_path(scene, joint, times):
    take = take_of(scene)
    return forward(take.rig, values_at(take, times))[:, take.rig.joint(joint), :3, 3]


def test_the_keys_of_every_channel_stay_bit_for_bit():
    scene = arcwright.read("lamp:hop")  # whose channels have keys at different frames
    _, after = completed(scene, alternative=1)
    before, now = take_of(scene).base.curves, take_of(after).base.curves
    assert not same(before, now)
    for old, new in zip(before, now, strict=True):
        if old is not None:
            rows = np.flatnonzero(np.isin(new.time, old.time))
            assert np.array_equal(new.time[rows], old.time)
            assert np.array_equal(new.value[rows], old.value)


def test_few_keys_lie_between_within_the_tolerance():
    scene = arcwright.read("biped:tea")
    interaction, after = completed(scene, keys="0, 40, 86, 130, 180, 221")
    used = interaction.session.used
    assert used["per_second"] < 8
    assert used["deviation_m"] < 0.005
    times = np.array([0, 40, 86, 130, 180, 221]) / 30
    taken = [values_at(take_of(each), times) for each in (scene, after)]
    assert taken[1] == pytest.approx(taken[0], abs=1e-12)


def test_close_keys_are_completed_by_splines_with_hardly_more_keys():
    scene = arcwright.read("biped:tea")
    interaction, after = completed(scene)
    assert any("Keys are so close" in note.text for note in interaction.notes())
    before, now = (
        sum(len(curve.time) for curve in take_of(each).base.curves if curve is not None)
        for each in (scene, after)
    )
    assert now < 1.2 * before
    assert interaction.session.used["deviation_m"] < 0.005


def test_completing_again_changes_nothing_and_a_dragged_key_completes_anew():
    scene = arcwright.read("biped:jump")
    _, once = completed(scene)
    assert any(take_of(once).inbetweens)
    again, _ = completed(once)
    assert again.finish().empty
    dragged = begin("autocomplete", once)
    dragged.update(make_drag(once, "Hips", frame=41, by=(0, 0.05, 0)))
    after = dragged.finish().apply(once)
    for old, new in zip(
        own_keys(take_of(once)).curves, own_keys(take_of(after)).curves, strict=True
    ):
        if old is not None:
            assert set(old.time) <= set(new.time)
    more, _ = completed(after)
    assert more.finish().empty


def test_a_key_that_was_edited_since_is_the_users_own():
    _, once = completed(arcwright.read("biped:jump"))
    take = take_of(once)
    channel = next(c for c, made in enumerate(take.inbetweens) if made is not None)
    curve, made = take.base.curves[channel], take.inbetweens[channel]
    key = int(np.flatnonzero(curve.time == made.time[0])[0])
    values = curve.value.copy()
    values[key] += 0.1
    edited = with_curve(once, channel, replace(curve, value=values))
    _, after = completed(edited)
    assert values[key] in take_of(after).base.curves[channel].value


def stepped(by=(0, 0, 0.3)):
    """The biped stands, and at the end has its left foot and half its body farther on."""
    scene = arcwright.read("biped:stand")
    interaction = begin("autocomplete", scene)
    interaction.update(make_drag(scene, "LeftFoot", frame=24, by=by))
    interaction.update(make_drag(scene, "Hips", frame=24, by=np.multiply(by, 0.5)))
    return scene, interaction, interaction.finish().apply(scene)


def test_a_foot_that_steps_lifts_and_the_other_one_stays():
    scene, interaction, after = stepped()
    times = np.arange(0, 24.01, 0.25) / take_of(scene).rate
    left, right = (joint_path(after, f"{side}Foot", times) for side in ("Left", "Right"))
    assert left[:, 1].max() > left[0, 1] + 0.02
    assert left[:, 1].min() > left[0, 1] - 2e-3
    assert np.linalg.norm(left[-1] - left[0]) == pytest.approx(0.3, abs=2e-3)
    assert np.linalg.norm(right - right[0], axis=1).max() < 2e-3
    assert not [note for note in interaction.notes() if note.kind == "residual"]
    slides = begin("autocomplete", scene, contacts=False)
    for joint, by in (("LeftFoot", (0, 0, 0.3)), ("Hips", (0, 0, 0.15))):
        slides.update(make_drag(scene, joint, frame=24, by=by))
    path = joint_path(slides.finish().apply(scene), "LeftFoot", times)
    assert np.ptp(path[:, 1]) < np.ptp(left[:, 1])


def test_beyond_chosen_keys_a_take_stays_as_it_was():
    scene = arcwright.read("biped:tea")
    _, after = completed(scene, keys="50-90", alternative=2)
    take, rate = take_of(after), take_of(scene).rate
    outside = np.concatenate([np.linspace(0, 50, 101), np.linspace(90, 222, 265)]) / rate
    assert values_at(take, outside) == pytest.approx(values_at(take_of(scene), outside), abs=1e-9)
    assert not same(values_at(take, [70 / rate]), values_at(take_of(scene), [70 / rate]))


def test_samples_become_keys_and_are_kept_outside_the_range():
    scene = chain_scene()
    actor = scene.characters[0]
    motion = sample(take_of(scene), np.arange(49) / 24)
    baked = replace(take_of(scene), base=motion)
    scene = Scene("baked", (replace(actor, takes=(baked,)),))
    _, after = completed(scene, keys="12, 24, 36")
    times = np.concatenate([np.arange(13), [24], np.arange(36, 49)]) / 24
    assert values_at(take_of(after), times) == pytest.approx(values_at(baked, times), abs=1e-9)
    keys = [curve.time for curve in take_of(after).base.curves]
    assert max(((time > 0.5) & (time < 1.5)).sum() for time in keys) < 12


def test_what_steps_or_repeats_otherwise_stays_and_so_do_joints_that_are_off():
    scene = with_curve(
        chain_scene(), 3, keyed([0, 1, 2], [0, 1, 0], interpolation=Interpolation.STEP)
    )
    scene = with_curve(scene, 4, keyed([0, 1], [0, 1], after=Extrapolation.CYCLE))
    _, after = completed(scene, joints="joint0, joint2")
    before, now = take_of(scene).base.curves, take_of(after).base.curves
    joints = take_of(scene).rig.channels.joint
    for channel, (old, new) in enumerate(zip(before, now, strict=True)):
        stays = channel in (3, 4) or joints[channel] in (1, 3)
        assert (new is old) == stays


def test_a_loop_stays_smooth_where_it_starts_again():
    _, after = completed(arcwright.read("biped:walk"), alternative=1)
    take = take_of(after)
    at, step = np.array([0.0, take.duration]), 1e-7
    ends = values_at(take, np.concatenate([at, [step, take.duration - step]]))
    out, into = (ends[2] - ends[0]) / step, (ends[1] - ends[3]) / step
    assert np.abs(out - into).max() < 1e-4


def test_a_key_moved_in_time_keeps_its_pose_and_its_neighbours():
    scene = arcwright.read("dinosaur:punch")
    interaction = begin("autocomplete", scene, keys="0, 10, 20, 40")
    rate = take_of(scene).rate
    interaction.update(Drag(ToolHandle("key at frame 20"), 0.0, to_time=27 / rate))
    after = take_of(interaction.finish().apply(scene))
    pose = values_at(take_of(scene), np.array([20 / rate]))
    assert values_at(after, np.array([27 / rate])) == pytest.approx(pose, abs=1e-9)
    interaction.update(Drag(ToolHandle("key at frame 20"), 0.0, to_time=99.0))
    spans = [each for each in interaction.preview.overlays if isinstance(each, SpanOverlay)]
    assert spans[-1].start == pytest.approx(39 / rate)
    handles = [each for each in interaction.preview.overlays if isinstance(each, HandleOverlay)]
    assert [each.name for each in handles][-2:] == ["key at frame 39", "key at frame 40"]


def test_a_key_moved_in_time_may_pass_those_of_other_channels():
    scene = arcwright.read("lamp:hop")  # the shade's keys are a frame later
    for to in (18, 20):
        interaction = begin("autocomplete", scene)
        interaction.update(Drag(ToolHandle("key at frame 17"), 0.0, to_time=to / 24))
        curves = take_of(interaction.finish().apply(scene)).base.curves
        assert to in (curves[1].time * 24).round(6)
        assert 18 in (curves[9].time * 24).round(6)


def test_an_edit_beside_an_interaction_keeps_what_was_set():
    scene = arcwright.read("lamp:hop")
    interaction = begin("autocomplete", scene)
    interaction.update(Setting(replace(interaction.options, alternative=2)))
    edit = interaction.finish()
    interaction.begin(replace(scene, name="renamed"))
    assert same(interaction.finish(), edit)


def test_undo_of_a_completion_is_exact():
    scene = arcwright.read("biped:jump")
    interaction, after = completed(scene)
    assert same(History(scene).do(interaction.finish()).undo().scene, scene)
    assert interaction.finish().label.startswith("Complete frames 0")
    assert not same(after, scene)


def test_inbetweens_survive_the_project_file(tmp_path):
    _, after = completed(arcwright.read("biped:jump"))
    write(after, tmp_path / "jump.arc.glb")
    back = arcwright.read(tmp_path / "jump.arc.glb")
    assert any(take_of(back).inbetweens)
    assert same(take_of(back).inbetweens, take_of(after).inbetweens)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"keys": "0"}, "two keys or more"),
        ({"keys": "0, 10, 10"}, "one key at a time, got frame 10 twice"),
        ({"keys": "0, 99"}, "frames from 0 to 36, got 99"),
        ({"keys": "-3, 9"}, "expected frames"),
        ({"keys": "soon"}, "frames, such as 0, 24, 60"),
        ({"joints": "Elbow"}, "no joint named 'Elbow'"),
        ({"model": "swan"}, "swan"),
    ],
)
def test_bad_options_are_refused_with_what_would_be_right(options, words):
    with pytest.raises(ArcwrightError, match=words):
        begin("autocomplete", arcwright.read("lamp:hop"), **options)


def test_an_interaction_survives_bad_input():
    scene = arcwright.read("lamp:hop")
    interaction, _ = completed(scene, keys="0-36")
    edit = interaction.finish()
    for bad in (
        Drag(ToolHandle("root"), 0.0, position=[0, 0, 0]),
        Drag(ToolHandle("key at frame 3"), 0.0, to_time=0.5),
        make_drag(scene, "Base", time=9.0, by=(0, 1, 0)),
    ):
        with pytest.raises(ArcwrightError):
            interaction.update(bad)
    with pytest.raises(ArcwrightError, match="two keys"):
        interaction.set_options(replace(interaction.options, keys="3"))
    assert same(interaction.finish(), edit)


def test_takes_of_samples_ask_for_frames():
    scene = chain_scene()
    baked = replace(take_of(scene), base=sample(take_of(scene), np.arange(49) / 24))
    scene = Scene("baked", (replace(scene.characters[0], takes=(baked,)),))
    with pytest.raises(ArcwrightError, match="such as 0, 24, 60.*as the take has samples"):
        begin("autocomplete", scene)


def test_models_of_other_characters_and_damaged_ones_are_refused(tmp_path):
    with pytest.raises(ArcwrightError, match="one that knows this character, got Model lamp needs"):
        begin("autocomplete", arcwright.read("biped:jump"), model="lamp")
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(b"PK no model" * 99)
    with pytest.raises(ArcwrightError, match="is no completion model"):
        begin("autocomplete", arcwright.read("lamp:hop"), model=str(damaged))


def test_the_base_of_a_lamp_rests_where_its_keys_do_and_stays_out_of_the_floor():
    scene = arcwright.read("lamp:hop")
    for alternative in range(3):
        _, after = completed(scene, keys="0, 11, 17, 22, 36", alternative=alternative, model="lamp")
        times = np.arange(0, 36.01, 0.25) / 24
        base = joint_path(after, "Base", times)
        rests = (times <= 11 / 24) | (times >= 22 / 24)
        assert np.ptp(base[times <= 11 / 24], axis=0).max() < 1e-6
        assert np.ptp(base[times >= 22 / 24], axis=0).max() < 1e-6
        assert base[~rests, 1].min() > -2e-3


def test_many_keys_are_drawn_as_one_bar():
    scene = chain_scene()
    for channel, curve in enumerate(take_of(scene).base.curves):
        times = np.arange(97) / 48
        dense = keyed(times, np.interp(times, curve.time, curve.value))
        scene = with_curve(scene, channel, dense)
    (span,) = begin("autocomplete", scene).session.rest_overlays()
    assert (span.start, span.end) == (0.0, 2.0)


class Waves:
    """A model that adds a wave to the spline, another one for each answer."""

    name = "waves"
    steps = False

    def complete(self, keys, times, answers=1, seed=0, strength=1.0, only=None):
        wave = 0.1 * np.sin(9 * times)[:, None] * window(keys, times)
        numbers = range(1, answers + 1) if only is None else [only + 1]
        return np.stack([interpolated(keys, times) + strength * n * wave for n in numbers])

    def distance_to_examples(self, keys):
        return 2.5


@pytest.fixture
def waves(monkeypatch):
    monkeypatch.setattr(session_module, "choose_model", lambda actor, take, name: (Waves(), ""))


def test_a_model_is_mixed_with_splines_and_unlike_keys_are_noted(waves):
    scene = arcwright.read("lamp:hop")
    moved = [
        values_at(take_of(completed(scene, strength=strength)[1]), np.array([30 / 24]))
        for strength in (0.0, 0.5, 1.0)
    ]
    assert moved[1] == pytest.approx((moved[0] + moved[2]) / 2, abs=2e-3)
    assert np.abs(moved[2] - moved[0]).max() > 0.01
    interaction, _ = completed(scene)
    assert any(
        "unlike the examples" in note.text and note.amount == 2.5 for note in interaction.notes()
    )


def test_alternatives_can_be_chosen_and_are_offered(waves):
    scene = arcwright.read("lamp:hop")
    interaction, first = completed(scene)
    (choices,) = [e for e in interaction.preview.overlays if isinstance(e, ChoicesOverlay)]
    assert [each.label for each in choices.choices] == [f"Answer {n}" for n in range(1, 5)]
    offer = interaction.session.offer()
    interaction.update(Setting(replace(interaction.options, alternative=1)))
    second = interaction.finish()
    assert same(offer.edit, second)
    assert not same(second.apply(scene), first)
