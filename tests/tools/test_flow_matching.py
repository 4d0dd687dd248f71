"""Which lines of objects follow a stroke, and how: trunks, small things, short neighbours."""

from itertools import pairwise

import numpy as np
import pytest

from arcwright.scene.target import Target
from arcwright.tools.flow.hermite import lengths
from arcwright.tools.flow.medial_path import medial_path
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.scene_objects import SceneObject
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.subjective_curves import middle_line
from flow_scenes import arc_over, bar, pole, prop, standing, stroke_of, tube


def discs(line, radius):
    """Pixels within a radius of a line."""
    y, x = np.mgrid[0:300, 0:300]
    every = np.stack([x.ravel(), y.ravel()], 1) + 0.5
    away = np.sqrt(((every[:, None] - line) ** 2).sum(-1)).min(1)
    return every[away < radius]


def segment(start, end):
    return np.linspace(start, end, 60)


def drawn(scene, points, **options):
    session = FlowSession(scene, Target(), FlowOptions(**options))
    session.update(stroke_of(scene.cameras[0].camera, points))
    return session


def test_the_line_of_a_trunk_ignores_its_branch():
    trunk = segment((150, 20), (150, 280))
    shape = np.concatenate([discs(trunk, 9), discs(segment((150, 150), (60, 70)), 6)])
    line = middle_line(np.unique(shape, axis=0))
    assert np.abs(line[:, 0] - 150).max() < 5
    assert np.ptp(line[:, 1]) > 250


def test_the_line_of_a_body_ignores_its_legs():
    body = discs(segment((30, 120), (270, 110)), 18)
    legs = [discs(segment((140, 120), (x, 280)), 8) for x in (125, 165)]
    line = middle_line(np.unique(np.concatenate([body, *legs]), axis=0))
    assert np.abs(line[:, 1] - 115).max() < 12
    assert np.ptp(line[:, 0]) > 230


def test_a_shape_in_pieces_has_no_medial_path():
    pieces = [discs(segment((x, 40), (x, 80)), 6) for x in (40, 150, 260)]
    assert medial_path(np.concatenate(pieces), 30) is None


def test_a_piece_keeps_its_length_along_a_bent_stroke():
    scene = standing(pole())
    (matched,) = drawn(scene, arc_over(scene, lean=0.9)).bent().matched
    assert lengths(matched.after)[-1] == pytest.approx(lengths(matched.samples)[-1], rel=0.01)


def test_small_free_things_turn_as_a_whole_and_large_ones_bend():
    share = np.linspace(-1, 1, 9)
    wing = np.stack([0.2 * share, 2.2 + 0.08 * np.abs(share), 0 * share], 1)
    parts = [tube(a, b, 0.02) for a, b in pairwise(wing)]
    start = np.cumsum([0, *(len(each) for each, _ in parts)])
    faces = np.concatenate([each + n for (_, each), n in zip(parts, start, strict=False)])
    scene = standing(prop("bird", np.concatenate([each for each, _ in parts]), faces), bar(y=1.2))
    way = np.linspace(-1, 1, 40)
    places = np.stack([way, 2.0 + 0.5 * way, 0 * way], 1)
    session = drawn(scene, ShotView(scene.cameras[0].camera).project(places), only="bird")
    (matched,) = session.bent().matched
    before, after = matched.samples, matched.after
    apart = np.sqrt(((before[:, None] - before) ** 2).sum(-1))
    assert np.sqrt(((after[:, None] - after) ** 2).sum(-1)) == pytest.approx(apart, abs=0.7)
    turned = np.degrees(np.arctan2(*np.abs(after[-1] - after[0])[::-1]))
    assert turned > 15


def test_a_short_post_beside_a_pole_that_is_meant_stays():
    scene = standing(pole(), pole("post", 0.35, height=0.6))
    assert {each.name for each in drawn(scene, arc_over(scene)).bent().matched} == {"pole"}


def test_posts_along_a_stroke_follow_it_all():
    row = [bar(f"rail {n}", x=1.1 * n - 1.65, length=0.9) for n in range(4)]
    scene = standing(*row)
    share = np.linspace(-2.2, 2.2, 60)
    places = np.stack([share, 2.1 + 0.1 * share, 0 * share], 1)
    found = drawn(scene, ShotView(scene.cameras[0].camera).project(places)).bent().matched
    assert {each.name for each in found} == {each.name for each in row}


def test_houses_are_coarse_and_trees_are_not():
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]])
    assert SceneObject("box", corners, faces, ()).coarse
    positions, triangles = tube((0, 0, 0), (0, 2, 0))
    assert not SceneObject("pole", positions, triangles, ()).coarse
    assert not SceneObject("cloud", positions, np.zeros((0, 3), np.int64), ()).coarse
