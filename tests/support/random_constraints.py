"""Constraints of every kind, for Hypothesis."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    HingeConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.quantity import MAX_DISTANCE
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere

lengths = st.floats(1e-6, 1e6)
places = arrays(float, 3, elements=st.floats(-1e6, 1e6))
spans = st.tuples(st.floats(-1e3, 1e3), st.floats(0, 1e3)).map(lambda two: (two[0], sum(two)))
way = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).normal(size=4))


def boxes(corner, size):
    return Box(corner / 2, corner / 2 + size)


def cylinders(middle, line, radius):
    return Cylinder(middle / 2, middle / 2 + line[:3], radius)


regions = st.one_of(
    st.builds(lambda place, normal: HalfSpace(place, normal[:3]), places, way),
    st.builds(Sphere, places, lengths),
    st.builds(boxes, places, st.floats(0.001, 1e5)),
    st.builds(cylinders, places, way, lengths),
)


def constraints(
    joints=("joint0", "joint1"), whose=("",), clips=("",), spans=spans, reach=MAX_DISTANCE
):
    """Constraints of characters with these names, all of which have these joints.

    `reach` is how far points are from their joints, m.
    """
    clip, who = st.sampled_from(clips), st.sampled_from(whose)
    offsets = arrays(float, 3, elements=st.floats(-reach, reach))
    point = st.builds(Point, st.sampled_from(joints), offsets, who)
    moments = st.lists(st.integers(-5000, 5000), min_size=1, max_size=5, unique=True).map(sorted)

    @st.composite
    def apart(draw):
        first, second = draw(point), draw(st.sampled_from(joints))
        other = Point(second, draw(offsets), first.character)
        return DistanceConstraint(
            first, other, *draw(spans), draw(st.none() | lengths), take=draw(clip)
        )

    @st.composite
    def follow(draw):
        times = np.array(draw(moments)) / 24
        return PathConstraint(draw(point), times, [draw(places) for _ in times], take=draw(clip))

    return st.one_of(
        st.builds(lambda p, s, c: Pin(p, *s, True, True, take=c), point, spans, clip),
        st.builds(lambda p, s, c: Contact(p, *s, relative_to=p, take=c), point, spans, clip),
        apart(),
        follow(),
        st.builds(lambda p, s, c: CoincidentConstraint(p, *s, take=c), point, spans, clip),
        st.builds(
            lambda p, s, turn, c: OrientationConstraint(p, *s, turn / np.linalg.norm(turn), take=c),
            *(point, spans, way, clip),
        ),
        st.builds(
            lambda p, s, region, inside, c: RegionConstraint(p, *s, region, inside, take=c),
            *(point, spans, regions, st.booleans(), clip),
        ),
        st.builds(
            lambda p, s, h, c: FloorConstraint(*s, h, p, take=c), point, spans, heights, clip
        ),
        st.builds(
            lambda w, s, h, c: FloorConstraint(*s, h, None, w, take=c), who, spans, heights, clip
        ),
        st.builds(
            lambda w, s, size, c: BalanceConstraint(*s, size, w, take=c), who, spans, lengths, clip
        ),
        st.builds(
            lambda w, s, pull, c: FlightConstraint(*s, pull, w, take=c), who, spans, pulls, clip
        ),
        st.builds(
            lambda p, s, axis, low, c: HingeConstraint(p, *s, axis[:3], low, take=c),
            *(point, spans, way, st.none() | st.floats(-3.0, 3.0), clip),
        ),
    )


heights = st.none() | st.floats(-1e6, 1e6)
pulls = st.none() | st.floats(-1e4, 1e4)
