"""Retiming: keys, samples, layers, sections, constraints and other actors follow a time warp."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from arcwright.curves.time_warp import TimeWarp
from arcwright.edits.retime import retime
from arcwright.kinematics.sample import sample, values_at
from arcwright.open import read
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.layer import Layer
from arcwright.scene.marker import Marker
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.section import Section
from builders import full_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds
from tea import tea, tea_scene

SLOW = TimeWarp([0.25, 0.5, 0.75, 1.0], [1.0, 1.5, 1.5, 1.0])  # 0.25 s longer


def sampled_walk(rate=48.0):
    """A walk as samples, with its constraints."""
    scene = read("biped:walk")
    actor = scene.characters[0]
    take = actor.takes[0]
    motion = sample(take, np.arange(int(take.duration * rate) + 1) / rate)
    base = replace(motion, rate=rate)
    return replace(scene, characters=(actor.with_take(replace(take, base=base)),))


@examples(16, 40)
@given(seeds)
def test_undo_is_exact(seed):
    scene = random_scene(seed)
    assert_exact(scene, retime(scene, "one", "", SLOW))


def test_samples_follow_the_warp_and_later_ones_shift_by_whole_frames():
    scene = sampled_walk()
    old = scene.characters[0].takes[0]
    new = retime(scene, "", "", SLOW).apply(scene).characters[0].takes[0]
    assert new.frame_count == old.frame_count + 12
    assert np.diff(new.base.time) == pytest.approx(1 / 48, abs=1e-9)
    assert (new.base.values[-1] == old.base.values[-1]).all()
    times = np.linspace(0, old.duration, 200)
    assert values_at(new, SLOW(times)) == pytest.approx(values_at(old, times), abs=0.01)


def test_keys_move_with_their_handles():
    scene = read("biped:walk")
    old = scene.characters[0].takes[0]
    new = retime(scene, "", "", SLOW).apply(scene).characters[0].takes[0]
    assert new.duration == pytest.approx(old.duration + SLOW.shift)
    for was, now in zip(old.base.curves, new.base.curves, strict=True):
        if was is not None:
            assert now.time == pytest.approx(SLOW(was.time))
            assert (now.value == was.value).all()


def test_layers_keep_their_displacement():
    scene = sampled_walk()
    actor = scene.characters[0]
    bumps = np.random.default_rng(3).normal(size=(14, 1, 3)) * 0.2
    layer = Layer("bend", 0.1, 0.95, [2], bumps, [0], np.zeros((14, 1)))
    take = replace(actor.takes[0], layers=(layer,))
    scene = replace(scene, characters=(actor.with_take(take),))
    new = retime(scene, "", "", SLOW).apply(scene).characters[0].takes[0]
    times = np.linspace(0, take.duration, 300)
    assert values_at(new, SLOW(times)) == pytest.approx(values_at(take, times), abs=0.02)


def test_sections_and_constraints_follow():
    scene = sampled_walk()
    actor = scene.characters[0]
    take = replace(
        actor.takes[0],
        sections=(Section("step", 0.1), Section("on", 0.9)),
        markers=(Marker("beat", 0.9),),
    )
    pin = Pin(Point("Hips"), 0.5, 1.0)
    contact = Contact(Point("LeftToes"), 0.2, 0.6)
    scene = replace(scene, characters=(actor.with_take(take),), constraints=(pin, contact))
    after = retime(scene, "", "", SLOW).apply(scene)
    starts = [each.start for each in after.characters[0].takes[0].sections]
    assert after.characters[0].takes[0].markers[0].time == starts[1]
    assert starts == pytest.approx(SLOW(np.array([0.1, 0.9])))
    times = [time for each in after.constraints for time in (each.start, each.end)]
    assert times == pytest.approx(SLOW(np.array([0.5, 1.0, 0.2, 0.6])))


def changed(scene: Scene, edit) -> set[str]:
    """The names of the actors that an edit changes."""
    after = edit.apply(scene)
    return {new.name for old, new in zip(scene.actors, after.actors, strict=True) if old is not new}


def test_other_actors_shift_with_it_and_stay_where_the_length_is_kept():
    scene = full_scene()
    played = {actor.name for actor in scene.actors if actor.takes}
    name = scene.characters[0].name
    end = scene.characters[0].takes[0].duration
    knots = np.linspace(0, end, 5)
    assert changed(scene, retime(scene, name, "", TimeWarp(knots, [1, 1.4, 1.4, 1.4, 1]))) == played
    alone = replace(scene, constraints=())
    kept = TimeWarp(knots, [1, 1.4, 1, 0.6, 1])
    assert changed(alone, retime(alone, name, "", kept)) == {name}


def test_events_follow_the_take_that_their_activity_is_about():
    scene = tea_scene(tea(), tea("still", "other"))
    after = assert_exact(scene, retime(scene, "arm", "wave", SLOW))
    moved, other = after.activities
    assert [each.time for each in moved.events] == pytest.approx(SLOW(np.array([0.25, 0.5, 1.0])))
    assert [each.name for each in moved.events] == ["lift", "pour", ""]
    assert other is scene.activities[1]
