"""Keys set by tools beyond the keyed round of cyclic curves: they come into the round."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.scene.curve import Extrapolation
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from chains import TIP, chain_scene, place
from tangent_edits import begin

WAYS = [Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET, Extrapolation.MIRROR]
BEYOND = 2.6  # s; the keys end at 2 s


def cycling(factor=1.0, **ways):
    """The chain with a clip that goes on for two more rounds than it has keys, times scaled."""
    scene = chain_scene()
    actor = scene.characters[0]
    base = actor.takes[0].base
    curves = tuple(replace(curve, time=factor * curve.time, **ways) for curve in base.curves)
    take = replace(actor.takes[0], base=replace(base, curves=curves, duration=6.0))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


def spans(scene):
    curves = scene.characters[0].takes[0].base.curves
    return {(float(curve.time[0]), float(curve.time[-1])) for curve in curves}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("time", [BEYOND, 5.3])
def test_an_offer_beyond_the_round_is_a_key_in_it_and_comes_as_near_as_it_says(way, time):
    scene = cycling(after=way)
    session = begin(scene)
    target = place(scene, TIP, time)[0] + [0.2, -0.1, 0.1]
    assert session.update(Drag(TIP, time, position=target)).drag.remaining > 0.1
    offer = session.offer()
    after = offer.edit.apply(scene)
    left = np.linalg.norm(place(after, TIP, time)[0] - target)
    assert left == pytest.approx(offer.remaining, abs=1e-4)
    assert left < 0.05
    assert spans(after) == {(0.0, 2.0)}


def test_there_is_no_offer_where_only_the_other_side_is_cyclic():
    scene = cycling(before=Extrapolation.CYCLE)
    session = begin(scene)
    session.update(Drag(TIP, BEYOND, position=place(scene, TIP, BEYOND)[0] + [0.2, 0, 0]))
    assert session.offer() is None


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("time", [BEYOND, 4.0, 5.3])
def test_a_pose_beyond_the_round_is_kept_by_keys_in_it(way, time):
    scene = cycling(after=way)
    session = PoseTool().begin(scene, Target(), PoseOptions())
    target = place(scene, TIP, time)[0] + [0.1, -0.05, 0.05]
    preview = session.update(Drag(TIP, time, position=target))
    after = session.finish().apply(scene)
    assert preview.drag.remaining < 1e-3
    assert place(after, TIP, time)[0] == pytest.approx(target, abs=1e-3)
    assert spans(after) == {(0.0, 2.0)}


def test_a_pose_changes_nothing_where_only_the_other_side_is_cyclic():
    scene = cycling(before=Extrapolation.CYCLE)
    session = PoseTool().begin(scene, Target(), PoseOptions())
    start = place(scene, TIP, BEYOND)[0]
    assert session.update(Drag(TIP, BEYOND, position=start + [0.1, 0, 0])).drag.remaining > 0.09
    assert session.finish().empty


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("factor", [np.nextafter(1, 0), 1 - 1e-7], ids=["ulp", "single float"])
def test_a_pose_a_hair_beyond_the_last_keys_moves_what_is_seen_there(way, factor):
    scene = cycling(factor, after=way)
    session = PoseTool().begin(scene, Target(), PoseOptions())
    target = place(scene, TIP, 2.0)[0] + [0.1, -0.05, 0.05]
    session.update(Drag(TIP, 2.0, position=target))
    after = session.finish().apply(scene)
    assert place(after, TIP, 2.0)[0] == pytest.approx(target, abs=1e-3)
    others = slice(1, None) if way == Extrapolation.CYCLE else slice(-1)
    curves = [each.characters[0].takes[0].base.curves for each in (scene, after)]
    for was, now in zip(*curves, strict=True):
        assert now.value[others].tolist() == was.value[others].tolist()
