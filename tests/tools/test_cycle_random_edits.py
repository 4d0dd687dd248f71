"""Random edits of loops of all built-in characters: closed, finite, local, met, undone."""

import numpy as np
import pytest

from arcwright import characters
from arcwright.tools.cycle.shaping.shape import Shaping
from loop_edits import KINDS, broken, random_edit
from loops import ball_scene, looping

LOOPS = [
    (name, take.name)
    for name in characters.names()
    for take in characters.built_in(name).characters[0].takes
]


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 20))]
)
@pytest.mark.parametrize(("name", "take"), LOOPS)
def test_random_edits_of_built_in_loops_keep_what_they_should(name, take, seed):
    random = np.random.default_rng([seed, LOOPS.index((name, take))])
    edit = random_edit(*looping(name, take), random)
    assert broken(edit) == []


@pytest.mark.parametrize("kind", dict.fromkeys(KINDS))
@pytest.mark.parametrize("seed", range(4))
def test_random_edits_of_each_kind_of_a_prop_keep_what_they_should(kind, seed):
    edit = random_edit(*ball_scene(), np.random.default_rng([seed, len(kind)]), kinds=[kind])
    assert broken(edit) == []


@pytest.mark.parametrize(
    ("name", "take", "seed"), [("spider", "walk", [1, 15, 26]), ("spider", "blocking", [1, 17, 11])]
)
def test_a_tick_beside_the_seam_and_then_a_drag_keep_the_loop_smooth(name, take, seed):
    assert broken(random_edit(*looping(name, take), np.random.default_rng(seed))) == []


def test_a_tick_that_another_blocks_stops_with_a_note_and_stays_within_its_range():
    edit = random_edit(*looping("dinosaur", "blocking"), np.random.default_rng([1, 10, 13]))
    assert broken(edit) == []
    session = Shaping(edit.scene, edit.target, edit.options)
    for drag in edit.drags:
        session.update(drag)
    session.finish()
    assert any("frames short: others are in the way" in note.text for note in session.notes())
