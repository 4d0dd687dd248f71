"""SEcurves, contacts, grids and stroke fits on shapes whose answers are known."""

import numpy as np
import pytest

from arcwright.tools.flow.arap import ArapProblem as Problem
from arcwright.tools.flow.arap import PointTargets, complex_of, distortion, prepare
from arcwright.tools.flow.centre_point import bent_end, centre_of
from arcwright.tools.flow.components import components, grounds
from arcwright.tools.flow.contacts import find_contacts
from arcwright.tools.flow.contour import abstract_contour
from arcwright.tools.flow.distance_field import area, distances, inside_line, outlines
from arcwright.tools.flow.grid import MOST_VERTICES, grid_over
from arcwright.tools.flow.hermite import (
    basis,
    bending,
    first_derivative,
    lengths,
    resampled,
    second_derivative,
    tangents,
)
from arcwright.tools.flow.matching import score_of
from arcwright.tools.flow.object_masks import object_masks, visible_objects
from arcwright.tools.flow.principal_curve import principal_curve
from arcwright.tools.flow.scene_objects import scene_objects
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.stroke_fit import fitted_stroke, knot_count
from flow_scenes import bar, pole, standing


def pixels_where(condition, size=200):
    y, x = np.mgrid[0:size, 0:size] + 0.5
    inside = condition(x, y)
    return np.stack([x[inside], y[inside]], axis=1)


def test_derivatives_of_hermite_splines_are_those_of_finite_differences():
    random = np.random.default_rng(0)
    for closed in (False, True):
        spline = random.normal(size=(10, 2))
        at, step = np.linspace(0.03, 0.97, 31), 1e-5
        first = (basis(at + step, 5, closed=closed) - basis(at - step, 5, closed=closed)) / step / 2
        error = (first_derivative(at, 5, closed=closed) - first) @ spline
        assert np.median(np.abs(error)) < 1e-5
        slopes = [first_derivative(at + by, 5, closed=closed) for by in (step, -step)]
        second = (slopes[0] - slopes[1]) / step / 2
        assert np.median(np.abs((second_derivative(at, 5, closed=closed) - second) @ spline)) < 1e-3
    assert np.linalg.eigvalsh(bending(5)).min() > -1e-9


def test_the_principal_curve_of_an_arc_is_its_middle_line():
    radius = 120.0

    def arc(x, y):
        away = np.hypot(x - 20, y - 20)
        return (np.abs(away - radius) < 6) & (x > 20) & (y > 20)

    line = principal_curve(pixels_where(arc))
    assert np.abs(np.hypot(*(line - 20).T) - radius).max() < 6
    assert lengths(line)[-1] > 0.9 * radius * np.pi / 2


def test_contours_hold_everything_and_join_tips_with_more_abstraction():
    def star(x, y):
        angle, away = np.arctan2(y - 100, x - 100), np.hypot(x - 100, y - 100)
        return away < 45 + 35 * np.cos(5 * angle)

    pixels = pixels_where(star)
    areas = []
    for abstraction in (0.0, 0.5, 1.0):
        line = abstract_contour(pixels, abstraction)
        assert inside_line(pixels, line).mean() > 0.999
        areas.append(area(line))
    assert areas[0] < 0.9 * areas[2]
    assert areas[2] < 1.3 * np.pi * 80**2


def test_a_contour_joins_parts_that_are_apart():
    pixels = pixels_where(lambda x, y: (np.abs(x % 50 - 25) < 4) & (np.abs(y - 100) < 50))
    line = abstract_contour(pixels, 0.5)
    assert inside_line(pixels, line).mean() > 0.999


def test_distances_and_outlines_of_a_disc():
    y, x = np.mgrid[0:60, 0:60]
    inside = np.hypot(x - 30, y - 30) < 12
    found = distances(inside)
    known = np.array([[30, 30], [30, 50], [5, 30]])
    expected = [0, 50 - 41, 30 - 11 - 5]
    assert [found[row, column] for column, row in known] == pytest.approx(expected, abs=1.01)
    (line,) = outlines(12.0 - np.hypot(x - 30, y - 30))
    assert np.hypot(*(line - 30).T) == pytest.approx(12, abs=0.1)


def test_a_circle_is_fitted_with_few_control_points():
    turn = np.linspace(0, np.pi, 80)
    stroke = np.stack([300 + 200 * np.cos(turn), 300 + 200 * np.sin(turn)], 1)
    random = np.random.default_rng(3)
    flow = fitted_stroke(stroke + random.normal(0, 2, stroke.shape), 1280, 0.5)
    assert np.abs(np.hypot(*(flow.points - 300).T) - 200).max() < 8
    assert knot_count(1280 / 4, 1280) == 4
    assert fitted_stroke(stroke[:1], 1280, 0.5) is None


def test_far_pieces_must_be_long():
    assert score_of(40, 99) < 150 < score_of(60, 99)
    assert score_of(1, 60) > 150


def test_grids_are_bounded_and_hold_their_points():
    pixels = pixels_where(lambda x, y: (x > 5) & (y > 5), 900)
    grid = grid_over(pixels[::7], np.zeros((0, 2)))
    assert len(grid.vertices) <= MOST_VERTICES
    points = pixels[::997]
    corners, shares = grid.locate(points)
    assert shares.min() > -1e-6
    found = (grid.vertices[corners] * shares[..., None]).sum(1)
    assert found == pytest.approx(points)


def test_parts_of_a_grid_are_bridged():
    pixels = pixels_where(lambda x, y: np.abs(x % 100 - 50) < 8)
    grid = grid_over(pixels, np.zeros((0, 2)))
    prepared = prepare(grid, np.zeros(0, np.int64))
    corners, shares = grid.locate(np.array([[50.0, 50], [50, 150]]))
    targets = PointTargets(corners, shares, np.array([[80.0, 40], [80, 140]]))
    (moved,) = Problem([prepared], [targets], [prepared.rest]).solve(20)
    shift = moved - prepared.rest
    assert np.abs(shift - (30 - 10j)).max() < 1


def test_a_rotation_is_no_distortion():
    pixels = pixels_where(lambda x, y: (np.abs(x - 100) < 20) & (np.abs(y - 100) < 80))
    prepared = prepare(grid_over(pixels, np.zeros((0, 2))), np.zeros(0, np.int64))
    ends = np.array([[100.0, 30], [100, 100], [100, 170]])
    corners, shares = prepared.grid.locate(ends)
    goal = np.array([[30.0, 100], [100, 100], [170, 100]])
    problem = Problem([prepared], [PointTargets(corners, shares, goal)], [prepared.rest])
    (moved,) = problem.solve(60)
    large, small = distortion(prepared.rest, moved, prepared.grid.triangles)
    assert (large / small).max() < 1.1
    flipped = np.conj(prepared.rest)
    assert (distortion(prepared.rest, flipped, prepared.grid.triangles)[1] < 0).all()
    assert complex_of(goal)[0] == 30 + 100j


def test_contacts_are_found_where_surfaces_touch():
    scene = standing(pole("one", -0.5), pole("two", 0.5), bar("rail", 0.0, 1.0, length=1.2))
    shot = scene.cameras[0]
    objects = scene_objects(scene, 0.0, "auto", shot.camera.position)
    names = [each.name for each in objects]
    found = {tuple(sorted((names[a], names[b]))): points for a, b, points in find_contacts(objects)}
    assert found.keys() == {("ground", "one"), ("ground", "two"), ("one", "rail"), ("rail", "two")}
    assert np.abs(found["ground", "one"][:, 1]).max() < 0.03
    assert np.abs(found["one", "rail"] - [-0.5, 1.0, 0]).max() < 0.1


def test_the_nearest_object_is_seen():
    scene = standing(pole("far", 0.0, -2.0), pole("near", 0.0, 1.0))
    shot = scene.cameras[0]
    objects = scene_objects(scene, 0.0, "auto", shot.camera.position)
    view = ShotView(shot.camera)
    masks = object_masks(view, objects)
    seen = visible_objects(view, masks)
    names = [each.name for each in objects]
    column, row = view.project(np.array([[0, 1.0, 1.06]]))[0].astype(int)
    assert names[seen[row, column]] == "near"
    assert masks[names.index("far")].covered.any()
    at = view.at_distance(np.array([[100.0, 50]]), np.array([3.0]))
    assert view.project(at)[0] == pytest.approx([100, 50])


def test_components_and_ground_are_told_apart():
    positions = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 0, 0], [6, 0, 0], [5, 1, 0]])
    assert components(positions, np.array([[0, 1, 2], [3, 4, 5]])).tolist() == [0, 0, 0, 1, 1, 1]
    low, high = np.array([[-5.0, 0, -5], [0, 0, 0]]), np.array([[5.0, 0.1, 5], [1, 3, 1]])
    assert grounds(low, high).tolist() == [True, False]


@pytest.mark.parametrize("centre", [[300.0, 0.0], [250, 250], [-80, 40]])
def test_an_end_is_led_to_the_centre(centre):
    line = np.stack([np.full(40, 100.0), np.linspace(300, 100, 40)], 1)
    bent, turn = bent_end(line, np.array(centre))
    goal = np.array(centre) - bent[-1]
    assert tangents(bent)[-1] @ goal / np.linalg.norm(goal) > np.cos(np.radians(2))
    assert abs(turn) < np.pi
    assert lengths(bent)[-1] == pytest.approx(lengths(line)[-1])
    assert bent[0] == pytest.approx(line[0])


def test_the_centre_of_a_circle_does_not_depend_on_its_samples():
    turn = 2 * np.pi * np.linspace(0, 1, 60) ** 2
    circle = np.stack([50 + 20 * np.cos(turn), 80 + 20 * np.sin(turn)], 1)
    assert centre_of(circle) == pytest.approx([50, 80], abs=0.5)
    assert resampled(circle, 10, closed=True).shape == (10, 2)
