"""A body follows its feet: what is easier then, and what comes of it."""

import pytest
from test_spacetime import dragged, sampled, take_of, walking

from arcwright.kinematics.contact import find_contacts
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.rig import Kind
from arcwright.tools.spacetime.body import freedom
from arcwright.tools.spacetime.grip import range_of
from arcwright.tools.spacetime.model import FOLLOWS, stiffness_of
from arcwright.tools.spacetime.tool import SpacetimeOptions


@pytest.mark.parametrize("form", [lambda scene: scene, sampled], ids=["keys", "samples"])
def test_a_body_goes_after_a_foot_that_is_put_elsewhere_and_stays_upright(form):
    scene = form(walking())
    before = take_of(scene)
    plant = next(each for each in find_contacts(before) if each.end - each.start > 0.3)
    middle = (plant.start + plant.end) / 2
    after = take_of(dragged(scene, plant.point, middle, [0.3, 0.0, 0.0])[0])
    hips, head = (
        (trail(after, name, [middle]).position - trail(before, name, [middle]).position)[0]
        for name in ("Hips", "Head")
    )
    assert 0.06 < hips[0] < 0.25
    assert 0.5 * hips[0] < head[0] < 1.3 * hips[0]


def test_only_what_moves_a_body_along_the_floor_is_easier_when_it_follows():
    scene = walking()
    take = take_of(scene)
    free = freedom(take.rig)
    span = range_of(take, SpacetimeOptions(), [0.5])
    given = (take.rig, span, span.times, values_at(take, span.times), free)
    plain, follows = (
        stiffness_of(*given, whole=False, smooth=7.0, follows=each).plain for each in (False, True)
    )
    kinds = take.rig.channels.kind[free.channels]
    easier = follows / plain
    assert easier[: free.turns] == pytest.approx(1.0)
    slides = dict(zip(kinds.tolist(), easier[free.turns :].tolist(), strict=False))
    assert slides[Kind.TRANSLATE_X] == slides[Kind.TRANSLATE_Z] == pytest.approx(FOLLOWS)
    assert slides[Kind.TRANSLATE_Y] == pytest.approx(1.0)
