"""Further wishes: paths, turns, regions and balance; as values and as gesture files write them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from test_spacetime import dragged, place, take_of, walking
from test_tangent import TIP, chain_scene

from arcwright import read
from arcwright.errors import BadValue
from arcwright.kinematics.mass import masses
from arcwright.kinematics.path import by_places
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Apart, Balance, Flight, Follow, Meet, Stay, Turned
from arcwright.scene.point import Contact, Point
from arcwright.scene.region import Ball, Box, Cylinder, HalfSpace
from arcwright.tools.case import case_of
from arcwright.tools.gesture import Drag
from arcwright.tools.replay import replay
from arcwright.tools.spacetime.region import Region
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.spacetime.wanted import wanted
from arcwright.tools.spacetime.written import asked_of
from arcwright.tools.tool import Target

REGIONS = (
    Region(HalfSpace([0.1, -0.2, 0], [1, 2, -1])),
    Region(Ball([0.1, 0.2, 0.3], 0.8)),
    Region(Box([-1, -0.5, -0.4], [0.6, 0.9, 1.2])),
    Region(Cylinder([-0.5, -0.2, 0.1], [0.4, 0.9, -0.2], 0.6)),
)
vectors = arrays(float, 3, elements=st.floats(-2, 2))


@settings(max_examples=60, deadline=None)
@given(vectors, st.sampled_from(REGIONS))
def test_the_way_out_of_a_region_is_its_steepest_one(at, region):
    far, way = (each[0] for each in region.outside(at[None]))
    step = 1e-6
    slope = [
        (region.outside((at + step * axis)[None])[0] - region.outside((at - step * axis)[None])[0])
        for axis in np.eye(3)
    ]
    assert np.linalg.norm(way) == pytest.approx(1, abs=1e-9)
    rough = np.concatenate(slope) / (2 * step)
    if np.linalg.norm(rough) == pytest.approx(1, abs=1e-4):  # not on an edge or a middle
        assert way == pytest.approx(rough, abs=1e-3)
    assert region.outside((at + (0.01 - far) * way)[None])[0][0] > 0


INNER = ([-0.4, -1.2, 0.5], [0.1, 0.2, 0.3], [-0.2, 0.2, 0.4], [-0.05, 0.35, -0.05])
ways = st.sampled_from(list(np.random.default_rng(0).normal(size=(40, 3))))


@settings(max_examples=60, deadline=None)
@given(vectors, ways, st.integers(0, 3))
def test_a_way_leads_to_the_surface_and_its_length_changes_as_told(off, way, which):
    region, at = REGIONS[which], np.array(INNER[which]) + 0.15 * off
    unit, step = (way / np.linalg.norm(way))[None], 1e-6
    far, slope = region.leave(at[None], unit)
    if not np.isfinite(far[0]):
        return
    assert region.outside(at + far[:, None] * unit)[0][0] == pytest.approx(0, abs=1e-7)
    for axis, told in zip(np.eye(3), slope[0], strict=True):
        ahead, behind = (region.leave((at + s * axis)[None], unit)[0][0] for s in (step, -step))
        sides = (far[0] - ahead) / step, (behind - far[0]) / step
        if sides[0] == pytest.approx(sides[1], abs=1e-2):  # not at an edge
            assert told == pytest.approx(sum(sides) / 2, abs=1e-2)


@settings(max_examples=30, deadline=None)
@given(vectors, st.sampled_from(REGIONS[1:]))
def test_inside_and_outside_are_told_apart(at, region):
    away = region.outside(at[None])[0][0]
    inside = {
        Ball: lambda r: np.linalg.norm(at - r.middle) < r.radius,
        Box: lambda r: ((at > r.low) & (at < r.high)).all(),
        Cylinder: lambda r: _in_cylinder(at, r),
    }[type(region.walls)](region.walls)
    assert inside == (away < 0) or abs(away) < 1e-9


def _in_cylinder(at, region):
    line = region.end - region.start
    share = (at - region.start) @ line / (line @ line)
    across = np.linalg.norm(at - region.start - share * line)
    return 0 < share < 1 and across < region.radius


def test_a_point_follows_a_path_by_its_places():
    scene = chain_scene()
    times = np.array([0.4, 0.8, 1.2])
    route = place(scene, TIP, times) + [[0.05, 0, 0], [0.1, 0.05, 0], [0.05, 0, 0.05]]
    follow = Follow(TIP, times, route)
    after, _ = dragged(scene, Point("joint1"), 1.8, [0.02, 0, 0], more=(follow,))
    between = np.linspace(0.45, 1.15, 15)
    assert np.abs(place(after, TIP, between) - by_places(times, route, between)).max() < 3e-3
    assert by_places(times, route, times) == pytest.approx(route)


def test_a_path_of_one_place_is_that_place():
    path = by_places(np.array([0.5]), np.array([[1.0, 2, 3]]), np.array([0.0, 0.5]))
    assert path.tolist() == [[1, 2, 3]] * 2


def test_a_joint_turns_as_it_is_asked_to():
    scene = chain_scene()
    turn = quaternion_from_vector(np.array([0.2, -0.1, 0.3]))
    after, _ = dragged(
        scene, Point("joint1"), 1.8, [0.01, 0, 0], more=(Turned(TIP, 0.6, 1.0, turn),)
    )
    turned = trail(take_of(after), TIP, np.array([0.7, 0.8, 0.9])).orientation
    assert np.abs(turned @ turn) == pytest.approx(np.ones(3), abs=1e-3)


def test_a_foot_steps_over_a_box_in_its_way():
    scene = walking()
    toe, times = Point("LeftToes"), np.linspace(0.5, 1.0, 97)
    middle = place(scene, toe, 0.7)[0]
    obstacle = Box(middle - [0.2, 0.3, 0.05], middle + [0.2, 0.05, 0.05])
    after, _ = dragged(
        scene, Point("Head"), 0.4, [0, 0.002, 0], more=(Stay(toe, 0, 1, obstacle),), spacing=0.05
    )
    was, now = (
        Region(obstacle).outside(place(each, toe, times))[0].min() for each in (scene, after)
    )
    assert was < -0.03
    assert now > -6e-3


def test_a_hand_stays_in_a_ball():
    scene = walking()
    hand, times = Point("LeftHand"), np.linspace(0, 1, 25)
    hips = place(scene, hand, times).mean(axis=0)
    ball = Ball(hips, 0.6)
    free, _ = dragged(scene, hand, 0.5, [0, 0.1, 0.1], find_plants=False)
    held, _ = dragged(
        scene, hand, 0.5, [0, 0.1, 0.1], find_plants=False, more=(Stay(hand, 0, 1, ball, True),)
    )
    before, after = (
        Region(ball).outside(place(each, hand, times))[0].max() for each in (free, held)
    )
    assert before > 0.05
    assert after < 6e-3


def test_a_region_that_is_not_entered_changes_nothing():
    scene = chain_scene()
    far = Stay(TIP, 0, 2, Ball([50, 0, 0], 1))
    plain, _ = dragged(scene, TIP, 0.5, [0.1, 0, 0])
    same, _ = dragged(scene, TIP, 0.5, [0.1, 0, 0], more=(far,))
    times = np.linspace(0, 2, 21)
    assert place(plain, TIP, times) == pytest.approx(place(same, TIP, times), abs=1e-6)


def standing():
    scene = read("biped:stand")
    feet = tuple(
        Contact(Point(f"{side}{part}"), 0, 1)
        for side in ("Left", "Right")
        for part in ("Foot", "Toes")
    )
    return replace(scene, contacts=feet)


def centre(scene, times):
    points, shares = masses(scene.characters[0].rig)
    paths = np.stack([place(scene, point, times) for point in points])
    return np.tensordot(shares, paths, 1)


def test_the_centre_of_a_standing_body_is_over_its_feet_a_little_above_half_its_height():
    x, y, z = centre(standing(), [0.5])[0]
    assert abs(x) < 0.005
    assert 0.85 < y < 1.05
    assert -0.05 < z < 0.12


@pytest.mark.parametrize("name", ["biped", "dinosaur", "spider", "robot", "lamp"])
def test_the_shares_of_a_body_are_one_in_all(name):
    points, shares = masses(read(name).characters[0].rig)
    assert shares.sum() == pytest.approx(1)
    assert (shares > 0).all()
    assert len(points) == len(shares)


def test_balance_keeps_the_centre_over_the_feet_while_a_hand_reaches_far():
    scene, hand, times = standing(), Point("LeftHand"), np.linspace(0.2, 0.8, 7)
    by = [0.0, 0.2, 0.75]
    free, _ = dragged(scene, hand, 0.5, by)
    held, _ = dragged(scene, hand, 0.5, by, more=(Balance(0, 1),))
    front = max(place(scene, Point(f"{side}Toes"), 0.5)[0, 2] for side in ("Left", "Right")) + 0.11
    assert centre(free, times)[:, 2].max() > front + 0.01
    assert centre(held, times)[:, 2].max() < front + 5e-3
    assert np.linalg.norm(place(held, hand, 0.5) - place(scene, hand, 0.5) - by) < 5e-3


def off_parabola(scene, times, like=None):
    """(T,) m, from the nearest way that falls with 9.81 m/s^2, or as another scene does."""
    free = centre(scene, times)
    if like is None:
        free[:, 1] += 0.5 * 9.81 * times**2
    else:
        free -= centre(like, times)
    straight = np.stack([np.ones(len(times)), times], axis=1)
    return np.linalg.norm(straight @ np.linalg.lstsq(straight, free, rcond=None)[0] - free, axis=1)


def jumped(by, more, ways=((),)):
    """A jump whose hips are moved in the air, by one way of the hand or more."""
    scene, hips = read("biped:jump"), Point("Hips")
    start = place(scene, hips, 20 / 24)[0]
    ends = []
    for way in ways:
        session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(), more)
        for there in (*way, by):
            session.update(Drag(hips, 20 / 24, position=start + there))
        ends.append(session.finish().apply(scene))
        assert place(ends[-1], hips, 20 / 24)[0] == pytest.approx(start + by, abs=1e-3)
    return scene, *ends


AIR = np.linspace(15, 25, 21) / 24


@pytest.mark.parametrize("by", [[0, 0.05, 0], [0.1, 0.1, 0.05]])
def test_in_flight_the_centre_falls_as_it_did_wherever_the_hips_go(by):
    before, free = jumped(by, ())
    ways = ((), ([-0.1, 0, 0.1], [0.05, 0.1, 0]))
    _, *flown = jumped(by, (Flight(15 / 24, 25 / 24),), ways)
    assert off_parabola(free, AIR, before).max() > 0.005
    for after in flown:
        assert off_parabola(after, AIR, before).max() < 3e-3
    whole = np.linspace(0, 41 / 24, 42)
    paths = [place(after, Point("LeftHand"), whole) for after in flown]
    assert paths[0] == pytest.approx(paths[1], abs=3e-3)


def test_a_flight_with_a_gravity_comes_near_to_a_parabola():
    before, after = jumped([0, 0.05, 0], (Flight(15 / 24, 25 / 24, 9.81),))
    assert off_parabola(before, AIR).max() > 0.04
    assert off_parabola(after, AIR).max() < 0.015


def test_slopes_of_regions_and_balance_are_those_of_finite_differences():
    scene = replace(chain_scene(), contacts=(Contact(Point("joint2"), 0.4, 1.2),))
    start = place(scene, TIP, 0.5)[0]
    more = (
        Stay(TIP, 0, 2, Ball(start, 0.4)),
        Stay(Point("joint1"), 0, 2, Box([5, 5, 5], [6, 6, 6]), inside=True),
        Balance(0, 2, around=0.01),
        Flight(0.3, 1.1),
        Flight(1.2, 1.9, 9.81),
        Apart(Point("joint1"), TIP, 0.2, 1.8, 1.0),
        Follow(Point("joint2"), [0.2, 1.8], np.zeros((2, 3))),
    )
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(), more)
    session.update(Drag(TIP, 0.5, position=start + [0.03, 0, 0]))
    (held,), drags = session._grips.values(), list(session._drags.values())
    model = held.model.wishing(*wanted(held, drags))
    random = np.random.default_rng(0)
    x, places = (0.1 * random.normal(size=part.shape) for part in model.nowhere())
    system = model.system(model.state(x, places))
    way, on, step = random.normal(size=x.shape), random.normal(size=places.shape), 1e-6
    ahead, behind = (model.state(x + s * way, places + s * on).cost for s in (step, -step))
    said = -float((system.slope * way).sum() + system.pull @ on)
    assert said == pytest.approx((ahead - behind) / (2 * step), rel=1e-4)


WRITTEN = {
    "apart": {"point": {"joint": "A"}, "other": {"joint": "B"}, "frames": [0, 24], "size": 0.4},
    "meet": {"point": {"joint": "A"}, "frames": [0, 24]},
    "path": {"point": {"joint": "A"}, "frames": [0, 9, 24], "places": [[0, 0, 0]] * 3},
    "turn": {"point": {"joint": "A"}, "frames": [0, 24], "turn": [0, 1, 0]},
    "stay": {"point": {"joint": "A"}, "frames": [0, 24], "ball": {"middle": [0] * 3, "radius": 1}},
    "floor": {"frames": [0, 24], "height": 0.05},
    "balance": {"frames": [0, 24], "around": 0.1},
    "flight": {"frames": [0, 24], "gravity": 1.6},
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_kind_of_wish_can_be_written(kind):
    wish = asked_of({"kind": kind, **WRITTEN[kind]}, 24.0, "wishes[0]")
    assert wish.end == 1.0


@pytest.mark.parametrize(
    "region",
    [
        {"half_space": {"place": [0, 0, 0], "normal": [0, 1, 0]}},
        {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}},
        {"cylinder": {"start": [0, 0, 0], "end": [0, 1, 0], "radius": 0.2}},
    ],
    ids=lambda region: next(iter(region)),
)
def test_every_region_can_be_written(region):
    told = {"kind": "stay", "point": {"joint": "A"}, "frames": [0, 24], "inside": True, **region}
    assert asked_of(told, 24.0, "wishes[0]").inside


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"kind": "fly"}, "wishes\\[0\\].kind"),
        ({"kind": "meet", "frames": [0, 1], "point": {}}, "joint"),
        ({"kind": "meet", "point": {"joint": "A"}}, "frames"),
        ({"kind": "meet", "point": {"joint": "A"}, "frames": [0]}, "first and last"),
        ({"kind": "path", "point": {"joint": "A"}, "frames": []}, "first and last"),
        ({"kind": "stay", "point": {"joint": "A"}, "frames": [0, 1]}, "one of half_space"),
        (
            {"kind": "stay", "point": {"joint": "A"}, "frames": [0, 1], "ball": {"radius": 1}},
            "middle",
        ),
        ({"kind": "balance", "frames": [0, 1], "wide": 1}, "any of"),
        ({"kind": ["meet"]}, "wishes\\[0\\].kind"),
        ({"kind": "balance", "frames": [9, 1]}, "after start"),
        ({"kind": "balance", "frames": [0, 1], "around": -1}, "0 or more"),
        ({"kind": "flight", "frames": [0, 1], "gravity": np.inf}, "gravity"),
        (
            {
                "kind": "apart",
                "point": {"joint": "A"},
                "other": {"joint": "B"},
                "frames": [0, 1],
                "size": -1,
            },
            "0 or more",
        ),
        (
            {
                "kind": "stay",
                "point": {"joint": "A"},
                "frames": [0, 1],
                "inside": "no",
                "ball": {"middle": [0, 0, 0], "radius": 1},
            },
            "true or false",
        ),
    ],
)
def test_what_is_wrong_with_a_written_wish_is_named(told, said):
    with pytest.raises(BadValue, match=said):
        asked_of(told, 24.0, "wishes[0]")


def test_other_tools_refuse_further_wishes():
    case = case_of(
        {
            "scene": "biped:walk",
            "tool": "pose",
            "wishes": [{"kind": "balance", "frames": [0, 24]}],
            "drags": [{"point": {"joint": "Hips"}, "frame": 8, "by": [0, 0.01, 0]}],
        }
    )
    with pytest.raises(BadValue, match="spacetime"):
        replay(case, read("biped:walk"))


@pytest.mark.parametrize("bad", [(Ball, [0, 0, 0], 0), (Box, [0, 0, 0], [1, 0, 1]),
                                 (HalfSpace, [0, 0, 0], [0, 0, 0]),
                                 (Cylinder, [0, 0, 0], [0, 0, 0], 1)])  # fmt: skip
def test_regions_without_size_are_refused(bad):
    with pytest.raises(BadValue):
        bad[0](*bad[1:])


def test_a_flight_of_a_single_frame_asks_for_nothing():
    by = [0, 0.05, 0]
    _, free = jumped(by, ())
    _, after = jumped(by, (Flight(0.5, 0.5),))
    assert place(after, Point("LeftHand"), AIR) == pytest.approx(
        place(free, Point("LeftHand"), AIR), abs=1e-6
    )


def test_what_is_asked_of_somebody_else_is_refused():
    asked = [Meet(Point("Hips", np.zeros(3), "nobody"), 0, 1)]
    with pytest.raises(BadValue, match="of biped"):
        SpacetimeTool().begin(read("biped:walk"), Target(), SpacetimeOptions(), asked)
