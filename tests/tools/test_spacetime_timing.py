"""Timing as part of an edit: higher jumps take longer, later frames shift, the rest follows."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.edits.retime import played_beside
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.flights import find_flights
from arcwright.kinematics.sample import sample, values_at
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.constraint import Contact, FlightConstraint, Pin
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.section import Section
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.interaction import Interaction
from arcwright.tools.spacetime.flight_rise import centre_heights
from arcwright.tools.spacetime.stiffness import mass_points
from arcwright.tools.spacetime.timing import Step, peak_acceleration, step_stretch
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from walked import walked

HIPS, APEX = Point("Hips"), 20 / 24
AIR = 15 / 24, 25 / 24


def heights(scene, times):
    actor = scene.characters[0]
    take = actor.takes[0]
    return centre_heights(take.rig, mass_points(actor, take), values_at(take, times))


def jumped(by, scene=None, more=(), **options):
    """A jump whose hips are raised at the apex: the scene before, after, and the session."""
    scene = scene or read("biped:jump")
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options), more)
    start = trail(scene.characters[0].takes[0], HIPS, [APEX]).position[0]
    for share in (0.5, 1.0):
        session.update(Drag(HIPS, APEX, position=start + [0, share * by, 0]))
    return scene, session.finish().apply(scene), session


def ballistic(scene, start, end, gravity):
    """The time of a fall from the apex to both ends of a flight, s."""
    times = np.linspace(start, end, 200)
    height = heights(scene, times)
    falls = height.max() - height[[0, -1]]
    return np.sqrt(2 * falls / gravity).sum()


@pytest.mark.parametrize("by", [0.1, 0.2, 0.3, -0.06])
def test_the_air_time_of_a_changed_jump_is_ballistic(by):
    scene, after, session = jumped(by)
    frames = scene.characters[0].takes[0].frame_times()
    (flight,) = find_flights(frames, heights(scene, frames))
    start, end = (session.warp().moment(each) for each in (flight.start, flight.end))
    expected = ballistic(after, start, end, flight.gravity)
    assert end - start == pytest.approx(expected, rel=0.05)
    assert (end - start > flight.end - flight.start) == (by > 0)


def test_the_drag_is_met_at_its_new_time_and_speeds_stay_between_a_half_and_two():
    scene, after, session = jumped(0.3)
    warp = session.warp()
    start = trail(scene.characters[0].takes[0], HIPS, [APEX]).position[0]
    there = trail(after.characters[0].takes[0], HIPS, [warp.moment(APEX)]).position[0]
    assert there == pytest.approx(start + [0, 0.3, 0], abs=0.01)  # keys move, not samples
    assert 0.5 <= warp.stretch.min() <= warp.stretch.max() <= 2
    assert (np.diff(warp(np.linspace(0, 2, 100))) > 0).all()


def test_later_frames_shift_by_whole_frames_or_the_length_is_kept():
    scene, after, session = jumped(0.2)
    old, new = (each.characters[0].takes[0].duration for each in (scene, after))
    shift = (new - old) * 24
    assert shift == pytest.approx(round(shift), abs=1e-6)
    assert shift >= 2
    _, kept, session = jumped(0.2, keep_length=True)
    assert kept.characters[0].takes[0].duration == pytest.approx(old, abs=1e-9)
    start, end = (session.warp().moment(each) for each in AIR)
    assert end - start > 1.2 * (AIR[1] - AIR[0])


def test_feet_keep_their_place_below_the_body_in_the_air():
    scene, hips, apex = read("biped:jump"), Point("Hips"), [20 / 24]
    take = scene.characters[0].takes[0]
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    start = trail(take, hips, apex).position[0]
    for share in (0.25, 0.5, 0.75, 1.0):
        preview = session.update(
            Drag(hips, apex[0], position=start + share * np.array([0, 0.2, 0.3]))
        )
    after = preview.edit.apply(scene).characters[0].takes[0]
    for side in ("Left", "Right"):
        was, now = (
            trail(each, Point(f"{side}Toes"), apex).position - trail(each, hips, apex).position
            for each in (take, after)
        )
        assert np.linalg.norm(now - was) < 0.05  # 0.1 where take-off and landing lead them


def test_without_the_option_nothing_moves_in_time():
    scene, after, session = jumped(0.2, adapt_timing="off")
    assert session.warp() is None
    assert same(after.characters[0].takes[0].base, scene.characters[0].takes[0].base)


def test_a_flight_with_its_own_constraint_is_left_to_it():
    _, _, session = jumped(0.06, more=(FlightConstraint(*AIR),))
    assert session.warp() is None


def test_undo_is_exact():
    scene, _, session = jumped(0.2)
    history = History(scene).do(session.finish())
    assert same(history.undo().scene, scene)
    assert same(history.undo().redo().scene, history.scene)


def test_samples_sections_contacts_and_props_follow():
    scene = read("biped:jump")
    actor = scene.characters[0]
    times = np.arange(83) / 48
    motion = replace(sample(actor.takes[0], times), rate=48.0)
    sections = (Section("crouch", 0.2), Section("land", 1.2))
    take = replace(actor.takes[0], base=motion, sections=sections)
    other = replace(actor, name="friend", takes=(take,))
    landed = Contact(Point("LeftToes"), 1.25, 1.7)
    scene = replace(
        scene, characters=(actor.with_take(take), other), constraints=(landed, Pin(HIPS, 0.1, 0.2))
    )
    _, after, session = jumped(0.2, scene)
    warp = session.warp()
    new = after.characters[0].takes[0]
    assert [each.start for each in new.sections] == pytest.approx(warp(np.array([0.2, 1.2])))
    assert [after.constraints[0].start, after.constraints[0].end] == pytest.approx(
        warp(np.array([1.25, 1.7]))
    )
    beside = played_beside(after.characters[1], new.name)
    assert beside.duration == pytest.approx(new.duration)
    assert (beside.base.values[-1] == take.base.values[-1]).all()
    stands = np.linspace(1.3, 1.65, 40)
    was, now = (
        np.ptp(trail(each, Point("LeftToes"), at).position, axis=0)
        for each, at in ((take, stands), (new, warp(stands)))
    )
    assert now == pytest.approx(was, abs=1e-3)


def test_previews_stay_at_the_old_times_also_once_the_release_is_known():
    scene = read("biped:jump")
    interaction = Interaction(SpacetimeTool(), scene, Target(), SpacetimeOptions())
    start = trail(scene.characters[0].takes[0], HIPS, [APEX]).position[0]
    shown = interaction.update(Drag(HIPS, APEX, position=start + [0, 0.2, 0]))
    assert shown.edit.apply(scene).characters[0].takes[0].duration == pytest.approx(41 / 24)
    result = interaction.finish()
    assert interaction.preview_result(result) is shown
    assert same(interaction.finish().apply(scene), result.apply(scene))


def test_notes_tell_how_long_a_jump_takes_and_what_shifts():
    _, _, session = jumped(0.2)
    texts = [note.text for note in session.notes() if note.kind in ("timing", "info")]
    assert any("instead of" in text for text in texts)
    assert f"Timing: {session.warp().shift:.2f} s longer, later frames shift" in texts
    _, _, kept = jumped(0.2, keep_length=True)
    assert any(note.text.endswith("the take keeps its length") for note in kept.notes())


def test_a_step_of_twice_the_way_takes_longer_and_a_hard_one_too():
    times = np.linspace(0, 0.6, 40)
    ease = (1 - np.cos(np.pi * times / 0.6)) / 2
    path = np.outer(ease, [0.0, 0.0, 1.0])
    assert step_stretch(Step(times, path, path)) == pytest.approx(1.0)
    assert 1.3 < step_stretch(Step(times, path, 1.5 * path)) * 1.1 < 1.5
    kicked = path + np.outer(0.3 * np.exp(-(((times - 0.3) / 0.05) ** 2)), [0.0, 1.0, 0.0])
    assert step_stretch(Step(times, path, kicked)) > 1.3


def test_automatically_a_longer_step_keeps_its_time_unless_its_foot_becomes_too_quick():
    times = np.linspace(0, 0.6, 40)
    path = np.outer((1 - np.cos(np.pi * times / 0.6)) / 2, [0.0, 0.0, 1.0])
    assert step_stretch(Step(times, path, 1.4 * path), by_length=False) == 1.0
    assert step_stretch(Step(times, path, 1.8 * path), by_length=False) > 1.2
    usual = 2 * peak_acceleration(times, path)  # a short step beside long ones
    assert step_stretch(Step(times, path, 1.8 * path), usual, by_length=False) == 1.0


@cache
def stepped(by, *, swing=False, **options):
    """Toes of a walk dragged where they stand, or before: the take, the result, the session."""
    scene = walked()
    take = scene.characters[0].takes[0]
    first, then = (each for each in footplants(take)[:4] if each.point.joint == "LeftToes")
    start, end = (first.end, then.start) if swing else (then.start, then.end)
    moment = round((start + end) / 2 * take.rate) / take.rate
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options))
    at = trail(take, first.point, [moment]).position[0]
    for share in (0.5, 1.0):
        session.update(Drag(first.point, moment, position=at + share * np.array(by)))
    return take, session.finish().apply(scene).characters[0].takes[0], session


@pytest.mark.parametrize("by", [(0.1, 0, 0), (0.2, 0, 0), (0, 0, 0.2), (0, 0, -0.2)])
def test_an_ordinary_drag_of_a_footplant_changes_no_timing(by):
    take, after, session = stepped(by)
    assert session.warp() is None
    assert same(after.base, take.base)


def test_a_step_that_becomes_too_quick_takes_longer_and_the_walk_keeps_its_length():
    take, after, session = stepped((0, 0.6, 0), swing=True)
    assert session.warp().stretch.max() > 1.1
    assert after.duration == pytest.approx(take.duration, abs=1e-9)
    _, longer, _ = stepped((0, 0.6, 0), swing=True, adapt_timing="on")
    assert longer.duration > take.duration + 0.05
