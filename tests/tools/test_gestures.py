"""Every recorded gesture replays: it hits, keys stay, pins hold, limits hold, undo is exact."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.characters.robot_course import BAR, HOOP, PILLAR
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import ToolHandle
from arcwright.tools.replay.outcome import limit_excess
from arcwright.tools.replay.replay import replay
from arcwright.tools.tangent.edit_window import LIMITS
from gesture_files import FILES, GESTURES, case_in, slips, starting_scene

HIT = 1e-3  # m
BEHIND = 1e-2  # m, of a preview
SLIP = 5e-4  # m, of pins and contacts where the motion changed
TURN = 5e-3  # rad
TANGENT = [name for name in FILES if name.startswith("tangent/")]
POSE = [name for name in FILES if name.startswith("pose/")]
INFEASIBLE = [name for name in FILES if "nfeasible" in (GESTURES / name).read_text()]
REACHABLE = [
    name
    for name in FILES
    if name not in INFEASIBLE
    and case_in(name).drags
    and not any(isinstance(drag.handle, ToolHandle) for drag in case_in(name).drags)
]
PERFORMED = [name for name in FILES if name.startswith("cycle/")]


class Played(NamedTuple):
    before: object  # scene
    after: object  # scene
    outcomes: list
    edits: list


@cache
def played(name):
    """A gesture file replayed once, its edits caught on the way."""
    edits = []
    used = tool(name.partition("/")[0])
    begin = type(used).begin

    def watched(self, *given):
        session = begin(self, *given)
        finish = session.finish

        def caught():
            edits.append(finish())
            return edits[-1]

        session.finish = caught
        return session

    before = starting_scene(name)
    with patch.object(type(used), "begin", watched):
        after, outcomes = replay(case_in(name), before)
    return Played(before, after, outcomes, edits)


def takes(name):
    """The clip before and after."""
    return [scene.characters[0].takes[0] for scene in (played(name).before, played(name).after)]


@pytest.mark.parametrize("name", FILES)
def test_a_gesture_file_says_what_it_is_about(name):
    assert '"about": "' in (GESTURES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TANGENT)
def test_motion_curves_add_no_key_and_change_no_key_pose(name):
    for outcome in played(name).outcomes:
        assert outcome.keys_before == outcome.keys_after
        assert outcome.key_change == 0
    old, new = takes(name)
    for before, after in zip(old.base.curves, new.base.curves, strict=True):
        if before is not None:
            assert np.array_equal(before.time, after.time)
            assert np.array_equal(before.value, after.value)


@pytest.mark.parametrize("name", REACHABLE)
def test_a_drag_within_reach_hits(name):
    for outcome in played(name).outcomes:
        assert outcome.hit_m < HIT
        assert outcome.turn_error_rad < TURN


@pytest.mark.parametrize("name", [name for name in REACHABLE if name in TANGENT])
def test_no_move_within_reach_is_left_behind(name):
    remaining = []
    used = type(tool("tangent"))
    begin = used.begin

    def watched(self, *given):
        session = begin(self, *given)
        update = session.update

        def noted(gesture):
            preview = update(gesture)
            remaining.append(preview.drag.remaining)
            return preview

        session.update = noted
        return session

    with patch.object(used, "begin", watched):
        replay(case_in(name), starting_scene(name))
    assert max(remaining) < BEHIND


@pytest.mark.parametrize("name", INFEASIBLE)
def test_an_infeasible_drag_names_what_is_in_the_way(name):
    outcome, scene = played(name).outcomes[-1], played(name).after
    assert outcome.hit_m > 0.1
    words = [f"{word} keeps" for word in named(scene)] + [f"{LIMITS} keep"]
    assert any(note.startswith(word) for note in outcome.notes for word in words)


@pytest.mark.parametrize("name", INFEASIBLE)
def test_without_what_is_named_the_point_comes_closer(name):
    case, outcome, scene = case_in(name), played(name).outcomes[-1], starting_scene(name)
    word = outcome.notes[0].partition(" keep")[0]
    fewer = tuple(each for each in case.constraints if _word(each[1]) != word)
    freed = replace(case, constraints=fewer)
    if word == LIMITS:
        scene = without_limits(scene)
    else:
        assert len(freed.constraints) < len(case.constraints)
    assert replay(freed, scene)[1][-1].hit_m < outcome.hit_m - 1e-3


def without_limits(scene):
    character = scene.characters[0]
    table = character.rig.channels
    free = np.full(len(table), np.inf)
    rig = replace(character.rig, channels=replace(table, low=-free, high=free))
    return replace(scene, characters=(replace(character, rig=rig), *scene.characters[1:]))


def named(scene):
    """The names of the scene's pins and contacts, as notes tell them."""
    pins = {f"{pin.point.joint} pin" for pin in scene.pins}
    return pins | {f"{contact.point.joint} contact" for contact in scene.contacts}


def _word(values):
    return f"{values['point']['joint']} {values['kind']}"


@pytest.mark.parametrize("name", FILES)
def test_joint_limits_hold(name):
    before, after = takes(name)
    softly = 1e-9 if name.startswith(("pose/", "tangent/")) else 0.0101  # rad, fitted afterwards
    assert limit_excess(after) <= limit_excess(before) + softly


@pytest.mark.parametrize("name", TANGENT)
def test_pins_and_contacts_hold_wherever_the_motion_changed(name):
    before, after = takes(name)
    scene = played(name).after
    for constraint in (*scene.pins, *scene.contacts):
        times = np.arange(constraint.start, constraint.end + 1e-9, 1 / (4 * before.rate))
        moved = np.abs(values_at(before, times) - values_at(after, times)).max(axis=1) > 1e-9
        was, now = slips(before, after, constraint, times, scene)
        assert (now <= np.maximum(was + 1e-9, SLIP))[moved].all(), constraint.point.joint


@pytest.mark.parametrize("name", POSE)
def test_pins_hold_in_the_pose(name):
    before, after = takes(name)
    case, scene = case_in(name), played(name).after
    time = np.array([case.drags[0].frame / before.rate])
    for constraint in (*scene.pins, *scene.contacts):
        if constraint.start <= time[0] <= constraint.end:
            was, now = (trail(take, constraint.point, time) for take in (before, after))
            assert np.abs(was.position - now.position).max() < SLIP
            if constraint.orientation:
                assert np.abs(was.orientation - now.orientation).max() < TURN


@pytest.mark.parametrize("name", FILES)
def test_undo_gives_back_the_start_bit_for_bit(name):
    before, after, _, edits = played(name)
    assert edits
    for edit in reversed(edits):
        assert not edit.empty
        after = edit.inverse().apply(after)
    assert same(before.characters, after.characters)


@pytest.mark.parametrize("name", PERFORMED)
def test_performances_become_loops_with_few_keys(name):
    _, after, outcomes, edits = played(name)
    assert len(outcomes) == len(edits) == len(case_in(name).gestures)
    for edit in edits:
        for change in edit.changes:
            assert not same(change.before, change.after)
    taken = [take for actor in after.actors for take in actor.takes]
    looped = [curve for take in taken for curve in take.base.curves if curve and curve.cyclic]
    assert looped
    assert max(map(len, looped)) <= 26


def test_two_performed_layers_loop_one_to_two():
    _, after = takes("cycle/two_layers.json")
    right, left = (
        trail(after, Point(side), np.linspace(0, after.duration, 97)).position
        for side in ("RightHand", "LeftHand")
    )
    assert after.duration == pytest.approx(1.0, abs=0.05)
    assert np.abs(left[:49] - left[48:]).max() < 0.02  # twice in the loop
    assert np.abs(right[:49] - right[48:]).max() > 0.1


def test_the_spider_lifts_its_swinging_feet_from_two_key_poses():
    _, after = takes("tangent/spider_walk.json")
    assert {len(curve) for curve in after.base.curves if curve is not None} == {2}
    for drag in case_in("tangent/spider_walk.json").drags[:4]:
        path = trail(after, drag.point, np.linspace(0, after.duration, 49)).position
        assert path[24, 1] > 0.07
        assert path[:, 1].min() > -0.01


def test_planted_toes_of_the_walk_stay_within_a_millimetre():
    _, after = takes("tangent/walk_contacts.json")
    start, _ = takes("tangent/walk_land.json")
    for contact in played("tangent/walk_contacts.json").after.contacts:
        times = np.arange(contact.start, contact.end + 1e-9, 1 / (4 * after.rate))
        was, now = (trail(take, contact.point, times).position for take in (start, after))
        assert np.linalg.norm(was - was[-1], axis=1).max() > 0.03
        assert np.linalg.norm(now - now[-1], axis=1).max() < 1e-3


def test_the_robot_clears_all_three_obstacles():
    before, after = (_clearance(take) for take in takes("tangent/robot_obstacles.json"))
    assert (before < 0).all()
    assert (after > 0.05).all()


def _clearance(take):
    """(3,) m to the bar, the pillar and the hoop at its nearest; below 0 inside."""
    actor = played("tangent/robot_obstacles.json").before.characters[0]
    values = values_at(take, np.arange(0, take.duration, 1 / take.rate))
    world = forward(take.rig, values)
    nearest = np.full(3, np.inf)
    for each, placed in zip(values, world, strict=True):
        body = np.concatenate([part.positions for part in deform(actor, each, placed)])
        nearest = np.minimum(nearest, [_to_bar(body), _to_pillar(body), _to_hoop(body)])
    return nearest


def _to_bar(body):
    (_, high, ahead), radius = BAR
    return np.hypot(body[:, 1] - high, body[:, 2] - ahead).min() - radius


def _to_pillar(body):
    (aside, _, ahead), radius = PILLAR
    return np.hypot(body[:, 0] - aside, body[:, 2] - ahead).min() - radius


def _to_hoop(body):
    middle, radius, thick = HOOP
    away = body - np.array(middle)
    return np.hypot(np.hypot(away[:, 0], away[:, 1]) - radius, away[:, 2]).min() - thick


def test_fingertips_stay_on_the_neck_of_the_swaying_guitar():
    before, after = takes("tangent/guitar.json")
    scene = played("tangent/guitar.json").after
    tips = [contact for contact in scene.contacts if contact.relative_to is not None]
    assert len(tips) == 4
    for contact in tips:
        times = np.arange(contact.start, contact.end + 1e-9, 1 / (4 * after.rate))
        was, now = slips(before, after, contact, times, scene)
        assert was.max() > 5e-3
        assert now.max() < 2e-4
