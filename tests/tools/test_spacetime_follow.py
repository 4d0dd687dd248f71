"""A body follows its feet: what is easier then, and what comes of it."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.kinematics.contact import find_contacts
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.take import Take
from arcwright.tools.spacetime.displacement import edit_range, unknowns_of
from arcwright.tools.spacetime.stiffness import (
    FOLLOW_FACTOR,
    displacement_stiffness,
    mass_points,
)
from arcwright.tools.spacetime.tool import SpacetimeOptions
from chains import take_of
from spacetime_edits import dragged, sampled, walking


@pytest.mark.parametrize("form", [lambda scene: scene, sampled], ids=["keys", "samples"])
def test_the_body_follows_a_moved_footplant_and_stays_upright(form):
    scene = form(walking())
    before = take_of(scene)
    footplant = next(each for each in find_contacts(before) if each.end - each.start > 0.3)
    middle = (footplant.start + footplant.end) / 2
    after = take_of(dragged(scene, footplant.point, middle, [0.3, 0.0, 0.0])[0])
    hips, head = (
        (trail(after, name, [middle]).position - trail(before, name, [middle]).position)[0]
        for name in ("Hips", "Head")
    )
    assert 0.06 < hips[0] < 0.25
    assert 0.5 * hips[0] < head[0] < 1.3 * hips[0]


def test_only_translations_along_the_floor_are_less_stiff_when_the_body_follows():
    scene = walking()
    take = take_of(scene)
    unknowns = unknowns_of(take.rig)
    span = edit_range(take, SpacetimeOptions(), [0.5])
    mass = mass_points(scene.characters[0], take)
    given = (take.rig, mass, span, span.times, values_at(take, span.times), unknowns)
    plain, follows = (
        displacement_stiffness(*given, smooth=7.0, feet_lead=each).diagonal
        for each in (False, True)
    )
    kinds = take.rig.channels.kind[unknowns.channels]
    easier = follows / plain
    assert easier[: unknowns.rotation_count] == pytest.approx(1.0)
    slides = dict(zip(kinds.tolist(), easier[unknowns.rotation_count :].tolist(), strict=False))
    assert slides[Kind.TRANSLATE_X] == slides[Kind.TRANSLATE_Z] == pytest.approx(FOLLOW_FACTOR)
    assert slides[Kind.TRANSLATE_Y] == pytest.approx(1.0)


def under_a_scaled_joint(scene, scale):
    """The same motion with its unit as the scale of a joint above the hips, as in some files."""
    actor, take = scene.characters[0], take_of(scene)
    rig, table = take.rig, take.rig.channels
    slides = table.kind < Kind.ROTATE_X
    above = replace(
        rig,
        names=("Armature", *rig.names),
        parents=np.append(-1, rig.parents + 1),
        offset=np.concatenate([np.zeros((1, 3)), rig.offset / scale]),
        rest=np.concatenate([[[1.0, 0.0, 0.0, 0.0]], rig.rest]),
        scale=np.concatenate([np.full((1, 3), scale), rig.scale]),
        modes=("XYZ", *rig.modes),
        channels=replace(
            table,
            joint=table.joint + 1,
            default=np.where(slides, table.default / scale, table.default),
        ),
    )
    values = np.where(slides, take.base.values / scale, take.base.values)
    take = Take(above, replace(take.base, values=values))
    return replace(scene, characters=(replace(actor, rig=above, takes=(take,)),))


def test_a_body_below_a_scaled_joint_follows_its_feet_as_well():
    plain = sampled(walking())
    footplant = next(each for each in find_contacts(take_of(plain)) if each.end - each.start > 0.3)
    middle = (footplant.start + footplant.end) / 2
    went = []
    for scene in (plain, under_a_scaled_joint(plain, 0.01)):
        after = take_of(dragged(scene, footplant.point, middle, [0.3, 0.0, 0.0])[0])
        places = [trail(take, "Hips", [middle]).position[0, 0] for take in (take_of(scene), after)]
        went.append(places[1] - places[0])
    assert went[1] == pytest.approx(went[0], rel=0.2)


@pytest.mark.parametrize("time", [0.2, 4.0, 7.9])
def test_a_long_loop_stays_closed_where_a_part_of_it_is_edited(time):
    scene = replace(read("biped:walk"), constraints=())
    actor, take = scene.characters[0], take_of(scene)
    long = replace(take, base=replace(take.base, duration=8.0))  # keys of one second, repeated
    scene = replace(scene, characters=(replace(actor, takes=(long,)),))
    after = take_of(dragged(scene, Point("LeftHand"), time, [0.0, 0.1, 0.0])[0])
    moved = values_at(after, np.array([0.0, 8.0])) - values_at(long, np.array([0.0, 8.0]))
    assert moved[0] == pytest.approx(moved[1], abs=1e-9)
    assert (
        np.abs(values_at(after, np.array([time])) - values_at(long, np.array([time]))).max() > 0.01
    )
