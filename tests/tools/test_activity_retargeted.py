"""Activities retargeted to characters of other proportions: what meets, and what is said."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.scene.target import Target
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.retargeted import retargeted_activity
from data import DATA, needs_data


@pytest.fixture(scope="module")
def tea():
    return arcwright.read("biped:tea")


def apart(scene, hand, prop, frames):
    """(T, 3) from a hand to the place of an object."""
    tracks = PreparedActivity(scene, Target(), 0.0).tracks
    return (tracks[hand].position - tracks[prop].position)[frames]


def worst(made):
    return max(each.away for each in made.residuals)


@pytest.mark.parametrize(("arms", "legs"), [(1.2, 1.2), (0.85, 0.8), (1.0, 1.3)])
def test_hands_meet_what_they_met_within_two_millimetres(tea, arms, legs):
    other = scaled_limbs(tea.characters[0], arms=arms, legs=legs)
    made = retargeted_activity(tea, "tea", other)
    assert worst(made) < 0.002
    assert made.notes == ()
    after = made.edit.apply(tea)
    for hand, prop, frames in (("right hand", "pot", (38, 179)), ("left hand", "cup", (64, 143))):
        here = slice(*frames)
        off = apart(after, hand, prop, here) - apart(tea, hand, prop, here)
        assert np.linalg.norm(off, axis=1).max() < 0.002
    assert same(after.props, tea.props)


def test_it_is_one_step_that_is_undone_exactly(tea):
    edit = retargeted_activity(tea, "tea", scaled_limbs(tea.characters[0], legs=0.9)).edit
    assert edit.label == "Retarget tea to biped"
    after = edit.apply(tea)
    assert same(edit.inverse().apply(after), tea)
    assert [each.name for each in after.activities] == ["tea"]
    names = [each.name for each in after.activities[0].events]
    assert names == [each.name for each in tea.activities[0].events]


def test_the_same_character_moves_as_before(tea):
    made = retargeted_activity(tea, "tea", tea.characters[0])
    after = made.edit.apply(tea)
    tracks = [PreparedActivity(each, Target(), 0.0).tracks for each in (tea, after)]
    for name in tracks[0]:
        assert np.abs(tracks[0][name].position - tracks[1][name].position).max() < 0.001


@pytest.mark.slow
def test_what_is_out_of_reach_is_noted(tea):
    tiny = scaled_limbs(tea.characters[0], arms=0.1, legs=0.3)
    made = retargeted_activity(tea, "tea", tiny, body_follows=0.0)
    assert worst(made) > 0.002
    assert any("mm off" in note and "out of reach" in note for note in made.notes)


def test_takes_that_are_left_out_are_noted(tea):
    person = tea.characters[0]
    second = replace(person.takes[0], base=replace(person.takes[0].base, name="again"))
    scene = replace(tea, characters=(replace(person, takes=(*person.takes, second)),))
    made = retargeted_activity(scene, "tea", scaled_limbs(person, legs=0.9))
    assert made.notes == ("takes left out: again",)


@pytest.mark.slow
@needs_data
def test_a_character_of_another_rig_pours_into_the_same_cup(tea):
    knight = arcwright.read(DATA / "gltf/kaykit/Knight.glb").characters[0]
    made = retargeted_activity(tea, "tea", knight)
    assert worst(made) < 0.002
    assert made.edit.apply(tea).activities[0].character == knight.name
