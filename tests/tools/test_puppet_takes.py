"""Performances of puppets as takes: where they begin, punching in, states, recordings."""

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.edits.takes import fit_take
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.overlay import MarkersOverlay, TextOverlay
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.transition import Transition

RATE = 60


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def stick(seconds, speed=(0.0, 1.0), lift=0.0, held=True):
    """A device that goes over the ground after 0.2 s, and up by `lift` in the midst."""
    time = np.arange(round(seconds * RATE) + 1) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, :4] = [0, 1.6, -1.5, 1]
    poses[:, 0, 0] += speed[0] * np.maximum(time - 0.2, 0)
    poses[:, 0, 2] += speed[1] * np.maximum(time - 0.2, 0)
    poses[:, 0, 1] += lift * np.clip(2 * time / seconds - 0.5, 0, 1)
    down = np.full((len(time), 1), held)
    return Performance(time, poses, buttons=down, button_names=("held",), device="code")


def performed(scene, samples, take="", time=0.0, **options):
    session = PuppetSession(scene, Target("", take, time=time), PuppetOptions(**options))
    session.update(samples)
    return session.finish().apply(scene)


def last(scene: Scene):
    return scene.characters[0].takes[-1]


def step(values):
    """The largest change of a joint's angle from one sample to the next, rad."""
    return np.abs(np.diff(values, axis=0)).max()


@pytest.fixture(scope="module")
def walked(scene):
    return performed(scene, stick(2.0))


@pytest.mark.parametrize("time", [0.0, 0.37])
def test_a_performance_begins_in_the_pose_at_the_playhead(scene, time):
    take = scene.characters[0].take("walk")
    made = last(performed(scene, stick(1.0, (0, 0)), "walk", time))
    assert made.base.values[0] == pytest.approx(values_at(take, np.array([time]))[0], abs=1e-9)
    assert step(made.base.values) < 0.25, "and goes on from there without a jump"


def test_it_stands_and_heads_as_the_shown_take_does(scene):
    turned = performed(scene, stick(3.0, (1.0, 0.0)))  # to the left
    name = last(turned).name
    again = performed(turned, stick(1.0, (0, 0)), name, last(turned).duration, punch_in=False)
    before, after = (
        arcwright.trail(last(each), "Hips", [0.9 if i else 3.0])
        for i, each in enumerate((turned, again))
    )
    assert after.position[0] == pytest.approx(before.position[0], abs=0.05)
    assert abs(after.orientation[0] @ before.orientation[0]) > 0.99


def test_a_performed_take_is_punched_into(walked):
    take = last(walked)
    session = PuppetSession(walked, Target("", take.name, time=1.004), PuppetOptions())
    session.update(stick(1.5, (1.0, 0.0)))
    edit = session.finish()
    made = edit.apply(walked)
    assert len(made.characters[0].takes) == len(walked.characters[0].takes)
    punched = last(made)
    assert punched.base.time == pytest.approx(np.arange(151) / RATE)
    assert same(punched.base.values[:61], take.base.values[:61]), "what is before stays exactly"
    assert step(punched.base.values[58:80]) < 0.25
    assert same(edit.inverse().apply(made), walked)
    hips = arcwright.trail(punched, "Hips", [1.0, 2.5]).position
    assert hips[1, 0] - hips[0, 0] > 0.8, "then it goes elsewhere"


@pytest.mark.parametrize("time", [1.5, 1.7, 1.9])
def test_a_swinging_leg_goes_on_at_its_speed_where_it_is_punched_into(walked, time):
    again = performed(walked, stick(1.0), take="performance", time=time)
    rig, values = again.characters[0].rig, last(again).base.values
    joints = [rig.joint(name) for name in ("LeftToes", "RightToes", "LeftHand", "RightHand")]
    velocity = RATE * np.diff(forward(rig, values, joints)[..., :3, 3], axis=0)
    change = np.linalg.norm(np.diff(velocity, axis=0), axis=-1).max(axis=1)  # m/s in a frame
    at = round(time * RATE)
    print(change[at - 2 : at + 2].round(2))
    assert change[at - 1 : at + 1].max() < 1.0


@pytest.mark.parametrize("first", [0, 1])
def test_a_transition_goes_on_at_the_old_speed_and_ends_in_the_new_motion(first):
    def old(time):
        return np.array([0.5 + 2.0 * time, -1.0]), np.array([time, 1, 0, 1, 0, 0, 0])

    def new(time):
        return np.array([-0.3 - time, 0.5 * time]), np.array([0, 0.9, 0.5 * time, 1, 0, 0, 0])

    tick, lead, angles = 1 / RATE, first / RATE, np.array([True, False])
    four = np.zeros((0, 4), np.int64)
    change = Transition(
        old(0), new(lead), angles, four, 0.22, before=old(-tick), tick=tick, lead=lead
    )
    shown = []
    for number in range(first, 16):
        change.passed += tick
        shown.append(change.applied(*new(number * tick)))
    then = [old(0), *shown] if first else shown
    moved, drifted = (RATE * (then[1][part] - then[0][part]) for part in (0, 1))
    assert np.allclose(moved, [2, 0], atol=0.3)  # of 3 and 0.5 by which the two motions differ
    assert np.allclose(drifted[[0, 2]], [1, 0], atol=0.1)
    assert change.over
    assert np.allclose(shown[-1][0], new(15 * tick)[0])


def test_a_transition_takes_the_short_way_between_quaternions_of_other_sign():
    root, angles = np.array([0, 1, 0, 1, 0, 0, 0.0]), np.zeros(4, bool)
    last, after = np.array([0.96, 0.28, 0, 0]), np.array([-0.8, -0.6, 0, 0])
    change = Transition((last, root), (after, root), angles, np.arange(4)[None], 0.2)
    change.passed = 0.1
    shown = change.applied(after, root)[0]
    assert np.linalg.norm(shown) > 0.9  # 0.2 where it goes through nothing
    assert abs(shown / np.linalg.norm(shown) @ last) > 0.9


def test_after_a_punch_the_rest_can_go_on(walked):
    take = last(walked)
    made = last(performed(walked, stick(0.6, (1.0, 0.0)), take.name, 0.8, punch_out=True))
    assert made.duration == pytest.approx(take.duration)
    assert same(made.base.values[:49], take.base.values[:49])
    assert step(made.base.values) < 0.3
    own = np.array([1.7, 2.0])
    was, now = (arcwright.trail(each, "Hips", own).position for each in (take, made))
    assert np.linalg.norm(np.diff(now, axis=0)) == pytest.approx(
        np.linalg.norm(np.diff(was, axis=0)), rel=0.02
    )


def test_edited_performances_are_never_punched_into(walked):
    name = walked.characters[0].name
    fitted = fit_take(walked, name, last(walked).name, 0.02).apply(walked)
    made = performed(fitted, stick(0.5), last(fitted).name, 0.5)
    assert [take.name for take in made.characters[0].takes[-2:]] == ["performance", "performance 2"]
    assert same(made.characters[0].takes[-2], last(fitted))


def test_states_are_kept_as_sections(scene):
    made = last(performed(scene, stick(2.0, (0, 0), lift=0.5)))
    assert [each.name for each in made.sections][:2] == ["locomotion", "held"]
    assert made.sections[-1].name == "locomotion", "also those after the release"
    starts = [each.start for each in made.sections]
    assert starts[0] == 0
    assert starts == sorted(starts)


def test_sections_before_a_punch_stay(scene):
    held = performed(scene, stick(2.0, (0, 0), lift=0.5))
    before = last(held)
    at = before.sections[1].start + 0.1
    made = last(performed(held, stick(0.5, (0, 0)), before.name, at))
    assert made.sections[:2] == before.sections[:2]
    assert made.sections[2].name == "locomotion"


def test_samples_are_kept_and_make_the_same_take_again(walked):
    (kept,) = walked.recordings
    assert (kept.tool, kept.take, kept.device) == ("puppet", last(walked).name, "code")
    assert kept.button_names == ("held",)
    again = arcwright.record_again(walked, kept).apply(walked)
    assert same(last(again), last(walked))
    assert same(again.recordings, walked.recordings)


def test_samples_are_used_again_with_other_options(walked):
    more = arcwright.record_again(walked, 0, gain=2.0).apply(walked)
    far = [arcwright.trail(last(each), "Hips", [2.0]).position[0, 2] for each in (walked, more)]
    assert far[1] == pytest.approx(2 * far[0], rel=0.1)
    assert more.recordings[0].options == {"gain": 2.0}


def test_every_punch_keeps_its_samples(walked):
    name = last(walked).name
    twice = performed(walked, stick(1.0, (1.0, 0.0)), name, 1.0)
    assert [each.times[0] for each in twice.recordings] == pytest.approx([0.0, 1.0])
    again = arcwright.record_again(twice, 1).apply(twice)
    assert same(last(again), last(twice)), "the part is made again after what is before it"
    first = arcwright.record_again(twice, 0).apply(twice)
    assert same(last(first), last(walked)), "the first part made again is all of the take"
    assert len(first.recordings) == 1


def test_a_take_that_was_edited_since_is_made_again_with_a_note(walked):
    name = walked.characters[0].name
    fitted = fit_take(walked, name, last(walked).name, 0.02).apply(walked)
    interaction = arcwright.begin("puppet", fitted, recording=fitted.recordings[0])
    assert any("edited in the take since" in note.text for note in interaction.notes())
    assert same(last(interaction.finish().apply(fitted)).base, last(walked).base)


@pytest.mark.slow
def test_samples_that_come_late_make_the_take_they_would_have_made(scene):
    late, prompt = (PuppetSession(scene, Target(), PuppetOptions()) for _ in range(2))
    for each in chunks(stick(1.5), 30):
        prompt.update(each)
        late.update(each)
        late.advance(20.0)  # as with a page that draws slowly: nothing comes for a long time
    assert len(late.ticks) == len(prompt.ticks)
    made = late.finish().apply(scene)
    assert same(last(made).base, last(prompt.finish().apply(scene)).base)
    assert last(made).duration == pytest.approx(1.5, abs=0.02)
    assert same(last(arcwright.record_again(made, 0).apply(made)), last(made))


@pytest.mark.parametrize("rate", [24, 60, 120])
def test_a_puppet_released_in_the_air_straightens_for_as_long_at_any_rate(scene, rate):
    take = last(performed(scene, stick(1.0, speed=(0.0, 0.0), lift=0.25), rate=rate))
    assert [each.name for each in take.sections][-2:] == ["landing", "locomotion"]
    assert take.duration - take.sections[-1].start == pytest.approx(0.25, abs=0.5 / rate)


def test_performances_survive_files(walked, tmp_path):
    arcwright.write(walked, tmp_path / "a.arc.glb")
    back = arcwright.read(tmp_path / "a.arc.glb")
    assert same(back.recordings, walked.recordings)
    assert last(back).sections == last(walked).sections
    assert same(last(arcwright.record_again(back, 0).apply(back)), last(walked))


def test_a_performance_is_fitted_edited_exported_and_read_back(walked, tmp_path):
    name, actor = last(walked).name, walked.characters[0].name
    scene = fit_take(walked, actor, name, 0.01).apply(walked)
    scene = arcwright.drag(scene, "LeftHand", time=1.0, by=(0, 0.1, 0), take=name).apply(scene)
    before = arcwright.trail(last(scene), "Head", [1.0]).position[0]
    lower = {"by": (0, -0.1, 0), "take": name, "tool": "spacetime"}
    scene = arcwright.drag(scene, "Head", time=1.0, **lower).apply(scene)
    after = arcwright.trail(last(scene), "Head", [1.0]).position[0]
    assert after - before == pytest.approx([0, -0.1, 0], abs=5e-3)
    arcwright.write(scene, tmp_path / "edited.glb")
    back = arcwright.read(tmp_path / "edited.glb").characters[0].take(name)
    assert back.sections == last(walked).sections
    times = np.linspace(0, back.duration, 50)
    for joint in ("Hips", "Head", "LeftHand", "RightToes"):
        was, now = (arcwright.trail(each, joint, times).position for each in (last(scene), back))
        assert np.abs(was - now).max() < 1e-4


def test_the_blend_space_is_drawn_where_asked_for(scene):
    plain, drawn = (
        arcwright.begin("puppet", scene, show_blend=on).update(stick(1.0)) for on in (False, True)
    )
    names = [each.text for each in drawn.overlays if isinstance(each, TextOverlay)]
    assert {"idle", "walk", "run", "crouch", "crouch_walk", "on its feet"} <= set(names)
    assert len(plain.overlays) == 2
    at = [each for each in drawn.overlays if isinstance(each, MarkersOverlay)]
    assert [each.style for each in at] == ["reference", "edit"]
    low, high = at[0].positions.min(axis=0) - 1e-9, at[0].positions.max(axis=0) + 1e-9
    assert ((at[1].positions >= low) & (at[1].positions <= high)).all()
    assert same(plain.edit, drawn.edit)
