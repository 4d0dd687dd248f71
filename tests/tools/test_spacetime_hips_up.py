"""Hips pulled up: knees straighten, heels rise over planted toes, trunk and arms ride along."""

from functools import cache

import numpy as np
import pytest

from arcwright import read
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.soles import soles
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from data import DATA, needs_data
from spacetime_cases import cut, only, places

CLIPS = [
    "biped:walk",
    pytest.param("02_01_walk", marks=needs_data),
    pytest.param("143_32_walk", marks=needs_data),
]
UP = 0.06  # m
LEG = ("Leg", "Foot", "Toe")


@cache
def clip(name):
    """A built-in, or two seconds of a capture."""
    if ":" in name:
        return read(name)
    scene = read(DATA / "bvh" / "cmu" / f"{name}.bvh")
    take = scene.characters[0].takes[0]
    return only(scene, cut(take, 0.5, seconds=2.0), take.rig)


@cache
def pulled(name, up=UP):
    """The take before and after the hips are pulled up in the middle, and notes."""
    scene = clip(name)
    take = scene.characters[0].takes[0]
    when = float(take.frame_times()[len(take.frame_times()) // 2])
    start = trail(take, Point("Hips"), [when]).position[0]
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(adapt_timing="off"))
    for share in (0.5, 1.0):
        position = start + [0.0, share * up, 0.0]
        session.update(Drag(Point("Hips"), when, position=position))
    after = session.finish().apply(scene).characters[0].takes[0]
    return take, after, [note.text for note in session.notes()]


def moved(name, up=UP):
    """(T, J, 3) m, by how much joints move."""
    take, after, _ = pulled(name, up)
    return places(after, take.frame_times()) - places(take, take.frame_times())


@pytest.mark.parametrize("name", CLIPS)
def test_trunk_head_and_fingers_ride_along_with_the_hips(name):
    names, by = clip(name).characters[0].rig.names, moved(name)
    hips = by[:, [names.index("Hips")]]
    body = [at for at, each in enumerate(names) if not any(part in each for part in LEG)]
    assert np.linalg.norm(by - hips, axis=2)[:, body].max() < 0.25 * UP


@pytest.mark.parametrize("name", CLIPS)
def test_hips_reach_the_drag_because_a_heel_rises_while_its_toes_stand(name):
    take, after, _ = pulled(name)
    middle = len(take.frame_times()) // 2
    assert moved(name)[middle, 0, 1] == pytest.approx(UP, abs=0.003)
    lifted = []
    for sole in soles(clip(name).characters[0], take):
        for each in footplants(take):
            times = np.linspace(each.start, each.end, 12)
            if each.point.joint in sole.joints:
                was, now = (trail(x, each.point, times).position for x in (take, after))
                assert np.linalg.norm(now - was, axis=1).max() < 0.003
                was, now = (trail(x, sole.heel, times).position for x in (take, after))
                lifted.append((now - was)[:, 1].max())
    assert max(lifted) > 0.015


def test_what_is_out_of_reach_stays_short_with_a_note():
    _, _, notes = pulled("biped:walk", 0.3)
    reached = moved("biped:walk", 0.3)[:, 0, 1].max()
    assert 0.06 < reached < 0.25
    assert any("Hips" in note and "short" in note for note in notes)
