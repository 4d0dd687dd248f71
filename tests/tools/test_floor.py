"""The floor: points that are planted somewhere in a clip stay above it while they swing."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.tools.replay.replay import replay
from chains import TIP, chain_scene, place, still_scene
from gesture_files import case_in, starting_scene
from tangent_edits import begin, dragged

NAME = "tangent/floor.json"
FLOOR = 0.03  # m, of the toes' joint above the sole


def lowest(scene, joint="LeftToes"):
    """Height of a joint at its lowest while the hips are edited, m."""
    times = np.arange(12, 24.01, 0.25) / 24
    return trail(scene.characters[0].takes[0], joint, times).position[:, 1].min()


def test_toes_that_swing_keep_their_path_or_stay_above_a_floor():
    case, scene = case_in(NAME), starting_scene(NAME)
    assert case.options == {"floor_height": FLOOR}
    assert lowest(scene) > FLOOR
    without, drags = replay(replace(case, options={"floor_height": -1.0}), scene)
    assert drags[0].hit_m < 1e-4
    assert lowest(without) < FLOOR - 0.005
    kept, drags = replay(replace(case, options={}), scene)
    assert drags[0].hit_m < 1e-4
    assert lowest(kept) > lowest(scene) - 1e-3
    after, outcomes = replay(case, scene)
    assert outcomes[0].hit_m < 1e-4
    assert outcomes[0].notes == ()
    assert lowest(after) > FLOOR - 5e-4
    assert lowest(after, "RightToes") > FLOOR - 5e-4


def pulled_down(scene, **options):
    """How high a point of a chain is that was pulled down by 30 cm, and the last preview."""
    session, preview, _ = dragged(scene, [0, -0.3, 0], point=TIP, **options)
    return place(session.finish().apply(scene), TIP, 0.3)[0, 1], preview


def test_a_drag_below_the_floor_stops_above_it_and_a_note_names_the_distance():
    scene = still_scene(constraints=(Contact(TIP, 1.9, 2.0),))
    start = place(scene, TIP, 0.3)[0, 1]
    free, _ = pulled_down(scene)
    assert free == pytest.approx(start - 0.3, abs=1e-3)
    held, preview = pulled_down(scene, floor_height=start - 0.1)
    assert held == pytest.approx(start - 0.1, abs=2e-3)
    assert 0.19 < preview.notes[0].amount < 0.25


def test_points_that_are_never_planted_know_no_floor():
    scene = still_scene(constraints=(Contact(TIP, 1.9, 2.0, relative_to=Point("joint0")),))
    start = place(scene, TIP, 0.3)[0, 1]
    assert pulled_down(scene, floor_height=start)[0] == pytest.approx(start - 0.3, abs=1e-3)


def test_a_floor_below_everything_changes_nothing():
    scene = chain_scene(constraints=(Contact(Point("joint2"), 1.0, 1.0),))
    session = begin(scene, floor_height=-50.0)
    assert session.finish().empty
    deep, _, target = dragged(scene, [0.05, 0.05, 0.0], floor_height=-50.0)
    after = deep.finish().apply(scene)
    assert place(after, TIP, 0.3)[0] == pytest.approx(target, abs=1e-4)
