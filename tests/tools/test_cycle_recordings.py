"""Recordings are kept: undone, saved and made into their layer again with other options."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from acting import ball_scene, begun, circles, performed, spins, triggers
from arcwright import files
from arcwright.arrays import same
from arcwright.edits.actors import add_scene, remove_actor
from arcwright.edits.takes import copy_take, remove_take, rename_take
from arcwright.errors import BadValue
from arcwright.scene import recording as recordings
from arcwright.scene.point import Point
from arcwright.scene.recording import Recording, with_recording
from arcwright.scene.target import Target, target_of
from arcwright.tools.gesture import Drag, Setting, ToolHandle
from arcwright.tools.overlay import ChoicesOverlay, HandleOverlay

BALL = Target("Ball", "", Point("joint0", character="Ball"))


def take_of(scene):
    return scene.actors[0].takes[0]


def test_keeping_a_layer_keeps_its_samples_and_one_undo_removes_both():
    scene, acted = ball_scene(), circles(1.0, noise=0.003)
    after, interaction = performed(scene, BALL, acted, gain=2.0)
    (kept,) = after.recordings
    assert same(kept.times, acted.times)
    assert kept.poses == pytest.approx(acted.poses, abs=1e-7)
    assert kept.poses.dtype == np.float32
    assert (kept.character, kept.take, kept.item, kept.tool) == ("Ball", "loop", "joint0", "cycle")
    assert dict(kept.options) == {"gain": 2.0}
    assert same(interaction.finish().inverse().apply(after), scene)


def test_what_does_not_repeat_is_not_kept():
    after, _ = performed(ball_scene(), BALL, circles(1.0, 0.7))
    assert after.recordings == ()


@pytest.mark.parametrize("target", [BALL, Target("Ball", channels=("joint0.rotate.x",))])
def test_the_same_options_make_the_same_layer_bit_for_bit(target):
    acted = circles(1.0, 6, noise=0.004, seed=3)
    after, _ = performed(ball_scene(), target, acted)
    assert arcwright.record_again(after, 0).empty


def test_another_shape_and_period_are_made_of_the_kept_samples():
    after, _ = performed(ball_scene(), BALL, circles(1.0, 6, noise=0.01))
    best = arcwright.record_again(after, -1, shape="best").apply(after)
    assert not same(take_of(best), take_of(after))
    assert dict(best.recordings[0].options) == {"shape": "best"}
    longer = arcwright.record_again(after, after.recordings[0], period=2.0).apply(after)
    assert take_of(longer).duration == pytest.approx(2.0, abs=1 / 24)
    back = arcwright.record_again(longer, 0, period=None).apply(longer)
    assert same(back, after)


def test_a_layer_made_again_starts_where_it_was_acted_not_where_its_loop_is():
    scene = ball_scene()
    after, _ = performed(scene, BALL, circles(1.0, 5.0, start=0.3))
    again = arcwright.record_again(after, 0, shape="latest").apply(after)
    places = [
        arcwright.trail(take_of(each), "joint0", take_of(each).frame_times()).position.mean(axis=0)
        for each in (after, again)
    ]
    assert places[0] == pytest.approx(places[1], abs=1e-3)


def test_a_body_is_made_again_also_under_later_layers():
    scene = arcwright.read("biped:stand")
    after = arcwright.perform(scene, "RightHand", circles(1.0, 5.0)).apply(scene)
    assert arcwright.record_again(after, 0).empty
    both = arcwright.perform(after, "Hips", circles(1.0, 5.0, radius=0.03)).apply(after)
    assert arcwright.record_again(both, 1).empty
    again = arcwright.record_again(both, 0).apply(both)  # over the moving hips
    hips, hand = (
        np.linalg.norm(np.subtract(*[path_of(each, name) for each in (both, again)]), axis=1)
        for name in ("Hips", "RightHand")
    )
    assert hips.max() < 0.01
    assert hand.max() > 0.005
    acted = path_of(again, "RightHand") - path_of(after, "RightHand")
    assert np.linalg.norm(acted, axis=1).max() < 0.012  # in the world, as acted


def test_a_hand_moves_along_with_the_body_also_when_its_take_has_become_a_loop():
    scene, acted = arcwright.read("biped:stand"), circles(1.0, 5.0, radius=0.05)
    scene = arcwright.perform(scene, "Hips", acted).apply(scene)
    clip = replace(take_of(scene).base, loops=False)
    take = replace(take_of(scene), base=clip)
    scene = replace(scene, characters=(replace(scene.characters[0], takes=(take,)),))
    after = arcwright.perform(scene, "RightHand", acted).apply(scene)
    assert take_of(after).base.loops
    again = arcwright.record_again(after, 1).apply(after)
    assert path_of(again, "RightHand") == pytest.approx(path_of(after, "RightHand"), abs=1e-9)


def path_of(scene, joint):
    take = take_of(scene)
    return arcwright.trail(take, joint, take.frame_times()).position


def test_the_cut_that_was_dragged_is_kept_as_the_start():
    interaction = begun(ball_scene(), BALL)
    acted = circles(1.0, 5.0)
    preview = interaction.update(acted)
    (cut,) = [each for each in preview.overlays if isinstance(each, HandleOverlay)]
    moved = cut.position - [0.2, 0, 0]  # to the other side of the circle
    interaction.update(Drag(ToolHandle("cut"), 0.0, position=moved))
    after = interaction.finish().apply(ball_scene())
    assert after.recordings[0].options["start"] > 0
    again = arcwright.record_again(after, 0).apply(after)
    firsts = [arcwright.trail(take_of(each), "joint0", [0.0]).position for each in (after, again)]
    assert firsts[0] == pytest.approx(firsts[1], abs=2e-3)


def test_an_open_recording_follows_options_and_offers_periods_and_shapes():
    after, _ = performed(ball_scene(), BALL, circles(1.0, 6, noise=0.004))
    kept = after.recordings[0]
    interaction = begun(after, target_of(kept))
    preview = interaction.update(Setting(replace(interaction.options, shape="best")))
    offered = {each.option for each in preview.overlays if isinstance(each, ChoicesOverlay)}
    assert offered == {"period", "shape"}
    assert same(interaction.finish(), arcwright.record_again(after, 0, shape="best"))
    interaction.begin(after)  # as after another client's edit
    assert same(interaction.finish(), arcwright.record_again(after, 0, shape="best"))


def test_an_item_performed_again_has_one_recording_and_another_item_its_own():
    once, _ = performed(ball_scene(), BALL, circles(1.0, 5.0))
    twice, _ = performed(once, BALL, circles(1.0, 4.0, radius=0.2))
    assert len(twice.recordings) == 1
    assert twice.recordings[0].duration == pytest.approx(4.0, abs=0.1)
    other = Target("Ball", channels=("joint0.scale.x",))
    both, _ = performed(twice, other, triggers(1.0))
    assert [each.item for each in both.recordings] == ["joint0", "joint0.scale.x"]
    assert both.recordings[1].device == "gamepad"


def test_a_part_is_kept_beside_the_whole_until_that_is_performed_anew():
    once, _ = performed(ball_scene(), BALL, circles(1.0, 5.0))
    part = {"punch_start": 0.2, "punch_end": 0.6}
    punched, _ = performed(once, BALL, circles(1.0, 3.0, radius=0.15), **part)
    assert [each.part for each in punched.recordings] == [(None, None), (0.2, 0.6)]
    anew, _ = performed(punched, BALL, circles(1.0, 4.0))
    assert [each.part for each in anew.recordings] == [(None, None)]


def test_too_many_samples_make_a_layer_but_are_not_kept(monkeypatch):
    monkeypatch.setattr("arcwright.tools.cycle.recording.record.MOST_BYTES", 1000)
    after, interaction = performed(ball_scene(), BALL, circles(1.0, 5.0))
    assert take_of(after).base.key_count
    assert after.recordings == ()
    assert "too many to be kept" in interaction.notes()[-1].text


def test_the_oldest_recordings_go_first(monkeypatch):
    made = [
        Recording(np.arange(3.0), np.zeros((3, 0, 7)), np.zeros((3, 0)), channels=(name,))
        for name in ("a", "b", "c")
    ]
    monkeypatch.setattr(recordings, "MOST_BYTES_IN_ALL", 2 * made[0].size)
    kept = ()
    for each in made:
        kept = with_recording(kept, each)
    assert [each.item for each in kept] == ["b", "c"]


def test_bad_recordings_are_refused():
    with pytest.raises(BadValue, match="never falling"):
        Recording([1.0, 0.0], np.zeros((2, 1, 7)), np.zeros((2, 0)))
    with pytest.raises(BadValue, match="axis_names"):
        Recording([0.0, 1.0], np.zeros((2, 1, 7)), np.zeros((2, 1)))
    with pytest.raises(BadValue, match="scene with recordings"):
        arcwright.record_again(ball_scene(), 0)


def test_recordings_survive_the_project_file(tmp_path):
    after, _ = performed(ball_scene(), BALL, circles(1.0, 5.0, noise=0.002), shape="latest")
    files.write(after, tmp_path / "ball.arc.glb")
    back = files.read(tmp_path / "ball.arc.glb")
    assert same(back, after)
    assert same(
        arcwright.record_again(back, 0, shape="best"),
        arcwright.record_again(after, 0, shape="best"),
    )
    turned = files.read(tmp_path / "ball.arc.glb", up="Z")
    assert turned.recordings == ()
    assert "recordings" in turned.source.warnings[-1]


def test_recordings_follow_their_take_and_actor():
    scene, _ = performed(ball_scene(), BALL, spins())
    renamed = rename_take(scene, "Ball", "loop", "spin").apply(scene)
    assert [each.take for each in renamed.recordings] == ["spin"]
    copied = copy_take(scene, "Ball", "loop", "second").apply(scene)
    assert [each.take for each in copied.recordings] == ["loop", "second"]
    removed = remove_take(copied, "Ball", "loop").apply(copied)
    assert [each.take for each in removed.recordings] == ["second"]
    added = add_scene(scene, scene).apply(scene)
    assert [each.character for each in added.recordings] == ["Ball", "Ball 2"]
    assert added.recordings[1].point.character == "Ball 2"
    assert remove_actor(added, "Ball").apply(added).recordings[0].character == "Ball 2"
    assert not arcwright.record_again(added, 1, perform="orientation", gain=0.5).empty
