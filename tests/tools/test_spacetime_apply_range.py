"""What Apply looks at and changes, what it says where it changes nothing, what counts as a gain."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.errors import BadValue
from arcwright.scene.constraint import Apart, Balance, Follow, Meet, Stay
from arcwright.scene.point import Contact, Point
from arcwright.scene.region import Ball
from arcwright.tools.spacetime import solve_constraints as apply_room
from arcwright.tools.spacetime.constraints import part_of
from arcwright.tools.spacetime.diagnosis import unmet
from arcwright.tools.spacetime.prepared_edit import grip
from arcwright.tools.spacetime.solve_constraints import applied, look
from arcwright.tools.spacetime.targets import wanted
from arcwright.tools.spacetime.tool import SpacetimeOptions
from arcwright.tools.tool import Target
from chains import chain_scene, place
from spacetime_edits import LEFT, RIGHT, TOES, long_walk, met, sampled, walking


def loop_of(seconds):
    """A walk that goes round, and is told to last so long."""
    scene = replace(read("biped:walk"), contacts=(), pins=())
    (actor,) = scene.characters
    take = replace(actor.takes[0], base=replace(actor.takes[0].base, duration=seconds))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


def test_a_long_loop_changes_as_a_whole_so_that_it_stays_closed():
    scene = loop_of(8.0)
    ends = np.array([0.0, 8.0])
    after, done = met(scene, Apart(LEFT, RIGHT, 0.0, 0.6, 0.4))
    assert (done.used["start"], done.used["end"]) == (0.0, 8.0)
    first, last = place(after, LEFT, ends) - place(scene, LEFT, ends)
    assert np.linalg.norm(first) > 0.01
    assert np.abs(first - last).max() < 1e-6


def test_nothing_wished_all_holds_and_no_gain_are_told_apart():
    scene = sampled(walking())
    apart = Apart(LEFT, RIGHT, 0.1, 0.4, 0.4)
    after, done = met(scene, apart)
    assert done.unchanged is None
    assert met(after, apart)[1].unchanged == "all holds"
    assert met(scene, apart, start=0.6, end=0.9)[1].unchanged == "nothing wished"
    assert applied(chain_scene(), Target(), SpacetimeOptions()).unchanged == "nothing wished"
    bound, path = out_of_reach(scene)
    for _ in range(8):
        bound, done = met(bound, path)
        if done.edit.empty:
            break
    assert done.unchanged == "no gain"


def out_of_reach(scene):
    """A body that is held where it stands, and a hand that is wished far away."""
    feet = [Contact(toe, 0, 1) for toe in TOES]
    bound = replace(scene, contacts=(*feet, Contact(Point("Hips"), 0, 1)))
    return bound, Follow(LEFT, [0.5], [place(scene, LEFT, [0.5])[0] + [3.0, 0, 0]])


def test_a_range_without_frames_is_refused():
    scene = sampled(walking())
    for chosen in ({"start": 0.8, "end": 0.2}, {"start": 5.0}):
        with pytest.raises(BadValue, match="range"):
            met(scene, Apart(LEFT, RIGHT, 0.1, 0.4, 0.4), **chosen)


def test_a_path_in_reach_is_met_beside_one_of_the_same_point_that_is_not():
    scene = sampled(walking())
    times = np.array([0.2, 0.25])
    near = place(scene, LEFT, times) + [0.05, 0.05, 0]
    far = Follow(LEFT, [0.7, 0.75], [[0, 60.0, 0]] * 2)
    after, done = met(scene, Follow(LEFT, times, near), far)
    assert not done.edit.empty
    assert np.linalg.norm(place(after, LEFT, times) - near, axis=1).max() < 5e-3


def test_a_wish_that_comes_much_nearer_is_worth_a_step_however_far_it_is():
    scene = sampled(walking())
    far = np.array([0, 60.0, 0])
    after, done = met(scene, Follow(LEFT, [0.7, 0.75], [far] * 2))
    was, now = (np.linalg.norm(place(each, LEFT, [0.7])[0] - far) for each in (scene, after))
    assert not done.edit.empty
    assert was - now > 0.05


def test_where_nothing_is_kept_notes_are_of_the_motion_as_it_stays():
    bound, path = out_of_reach(sampled(walking()))
    for _ in range(8):
        after, done = met(bound, path)
        if done.edit.empty:
            break
        bound = after
    assert done.edit.empty
    (note,) = [each for each in done.notes if "LeftHand path" in each.text]
    left = np.linalg.norm(place(bound, LEFT, [0.5])[0] - path.places[0])
    assert note.amount == pytest.approx(left, abs=1e-9)


def test_a_long_take_is_looked_at_without_a_solver_for_all_of_it(monkeypatch):
    ranges, told = [], []

    def noted(take, drags, wishes, options, **more):
        ranges.append((options.start, options.end, len(told)))
        return grip(take, drags, wishes, options, **more)

    monkeypatch.setattr(apply_room, "grip", noted)
    scene = replace(long_walk(), constraints=(Apart(LEFT, RIGHT, 10.0, 10.5, 0.4),))
    done = applied(scene, Target(), SpacetimeOptions(), (), told.append)
    assert not done.edit.empty
    assert max(end - start for start, end, _ in ranges) < 7.0
    assert ranges[0][2] > 1  # it could be cancelled before


def test_a_look_sees_what_a_solver_sees():
    scene = sampled(walking())
    feet = (Contact(TOES[0], 0.1, 0.4), Contact(TOES[1], 0.6, 0.9))
    middle = place(scene, LEFT, [0.5])[0]
    asked = Balance(0, 1), Stay(LEFT, 0, 1, Ball(middle, 0.1)), Meet(RIGHT, 0.25, 0.75)
    scene = replace(scene, contacts=feet, constraints=asked)
    options = SpacetimeOptions(end=1.0)
    part = part_of(scene, Target(), options)
    seen, held = look(part, options), grip(part.take, (), part.wishes, options, fine=1)
    lanes, count = wanted(held, (), firm=True)
    model = held.model.wishing(lanes, count)
    state = model.state(*model.nowhere())
    assert np.array_equal(seen.range.times, held.range.times)
    assert np.abs(seen.paths - held.paths).max() < 1e-9
    known = [index for index, wish in enumerate(held.wishes) if not wish.found]
    broken = unmet(lanes, state.there, state.places, known)
    assert 0 < broken.sum() < len(broken)
    assert np.array_equal(seen.broken(), broken)


def test_what_does_not_hold_over_minutes_is_mended_by_and_by(monkeypatch):
    monkeypatch.setattr(apply_room, "FURTHEST", 8.0)
    wishes = [Apart(LEFT, RIGHT, start, start + 0.5, 0.4) for start in (4.0, 15.0)]
    after, done = met(long_walk(), *wishes, clean=False)
    (layer,) = after.characters[0].takes[0].layers
    assert (layer.start, layer.end) == pytest.approx((1.0, 9.0), abs=0.1)
    assert [note.text for note in done.notes] == ["after 9 s there is more to do: apply it again"]
    again, done = met(after, *wishes, clean=False)
    assert done.notes == ()
    for start in (4.25, 15.25):
        apart = np.linalg.norm(place(again, LEFT, start)[0] - place(again, RIGHT, start)[0])
        assert apart == pytest.approx(0.4, abs=2e-3)
