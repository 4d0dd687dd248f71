"""Terms of scene constraints: paths, orientations, gradients, and whose they may be."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.errors import BadValue
from arcwright.kinematics.path import path_through
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    OrientationConstraint,
    PathConstraint,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Sphere
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.targets import build_terms
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import TIP, chain_scene, place, take_of
from spacetime_edits import dragged


def test_a_point_follows_a_path_through_given_positions():
    scene = chain_scene()
    times = np.array([0.4, 0.8, 1.2])
    route = place(scene, TIP, times) + [[0.05, 0, 0], [0.1, 0.05, 0], [0.05, 0, 0.05]]
    follow = PathConstraint(TIP, times, route)
    after, _ = dragged(scene, Point("joint1"), 1.8, [0.02, 0, 0], more=(follow,))
    between = np.linspace(0.45, 1.15, 15)
    assert np.abs(place(after, TIP, between) - path_through(times, route, between)).max() < 3e-3
    assert path_through(times, route, times) == pytest.approx(route)


def test_a_path_of_one_position_stays_there():
    path = path_through(np.array([0.5]), np.array([[1.0, 2, 3]]), np.array([0.0, 0.5]))
    assert path.tolist() == [[1, 2, 3]] * 2


def test_a_joint_takes_a_given_orientation():
    scene = chain_scene()
    turn = quaternion_from_vector(np.array([0.2, -0.1, 0.3]))
    after, _ = dragged(
        scene,
        Point("joint1"),
        1.8,
        [0.01, 0, 0],
        more=(OrientationConstraint(TIP, 0.6, 1.0, turn),),
    )
    turned = trail(take_of(after), TIP, np.array([0.7, 0.8, 0.9])).orientation
    assert np.abs(turned @ turn) == pytest.approx(np.ones(3), abs=1e-3)


def test_gradients_of_regions_and_balance_match_finite_differences():
    scene = replace(chain_scene(), constraints=(Contact(Point("joint2"), 0.4, 1.2),))
    start = place(scene, TIP, 0.5)[0]
    more = (
        RegionConstraint(TIP, 0, 2, Sphere(start, 0.4)),
        RegionConstraint(Point("joint1"), 0, 2, Box([5, 5, 5], [6, 6, 6]), inside=True),
        BalanceConstraint(0, 2, margin=0.01),
        FlightConstraint(0.3, 1.1),
        FlightConstraint(1.2, 1.9, 9.81),
        DistanceConstraint(Point("joint1"), TIP, 0.2, 1.8, 1.0),
        PathConstraint(Point("joint2"), [0.2, 1.8], np.zeros((2, 3))),
    )
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(), more)
    session.update(Drag(TIP, 0.5, position=start + [0.03, 0, 0]))
    (held,), drags = session._prepared.values(), list(session._drags.values())
    model = held.model.with_terms(*build_terms(held, drags))
    random = np.random.default_rng(0)
    x, offsets = (0.1 * random.normal(size=part.shape) for part in model.zero())
    system = model.normal_equations(model.evaluate(x, offsets))
    way, on, step = random.normal(size=x.shape), random.normal(size=offsets.shape), 1e-6
    ahead, behind = (model.evaluate(x + s * way, offsets + s * on).cost for s in (step, -step))
    slope = -float((system.slope * way).sum() + system.further_slope @ on)
    assert slope == pytest.approx((ahead - behind) / (2 * step), rel=1e-4)


def test_a_constraint_on_another_character_is_refused():
    constraints = [CoincidentConstraint(Point("Hips", np.zeros(3), "nobody"), 0, 1)]
    with pytest.raises(BadValue, match="of biped"):
        SpacetimeTool().begin(read("biped:walk"), Target(), SpacetimeOptions(), constraints)
