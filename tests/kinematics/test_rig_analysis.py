from dataclasses import replace

import pytest

from arcwright import characters
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.rig_analysis import Reason, Role, analyse, moved_in
from arcwright.scene.rig import QUATERNION
from arcwright.scene.take import Take
from exported_rig import NAMES, exported


def translating(character):
    found = analyse(character, character.takes[0])
    return [name for name, free in zip(NAMES, found.translates, strict=True) if free]


def test_constant_tracks_leave_bones_rigid_and_the_root_free():
    assert translating(exported()) == ["Hips"]


def test_what_the_take_animates_may_be_moved():
    assert translating(exported(moving=("Hips", "Hand"))) == ["Hips", "Hand"]


def test_without_any_animated_translation_the_joint_where_limbs_part_is_the_root():
    character = exported(moving=())
    assert NAMES[analyse(character, character.takes[0]).root] == "Hips"


def test_a_unit_of_translation_is_as_long_as_the_armature_is_scaled():
    found = analyse(exported(), exported().takes[0])
    assert found.metres == pytest.approx([1, 100, 100, 100, 100])


@pytest.mark.parametrize("name", characters.names())
def test_the_weight_of_a_body_is_one_and_lies_on_its_joints(name):
    character = characters.built_in(name).characters[0]
    mass = body_mass(character.rig)
    assert mass.share.sum() == pytest.approx(1.0)
    assert (mass.share > 0).all()
    assert {point.joint for point in mass.points(character.rig)} <= set(character.rig.names)


def test_the_root_of_a_biped_is_its_hips():
    character = characters.built_in("biped").characters[0]
    found = analyse(character, character.takes[0])
    assert character.rig.names[found.root] == "Hips"
    assert QUATERNION not in character.rig.modes or found.deforms.all()


def test_what_the_animator_says_of_lengths_counts():
    character = exported(moving=("Hips", "Hand"))
    said = replace(character, rig=replace(character.rig, lengths=("", "", "free", "locked", "")))
    found = analyse(said, said.takes[0])
    assert translating(said) == ["Hips", "Spine"]
    assert found.reasons[2:] == (Reason.FREED, Reason.LOCKED, Reason.RIGID)
    assert found.reasons[1] == Reason.ROOT


def test_the_animator_says_which_joint_is_the_root():
    character = exported(moving=())
    said = replace(character, rig=replace(character.rig, root=2))
    found = analyse(said, said.takes[0])
    assert found.root == 2
    assert translating(said) == ["Spine"]
    assert found.roles[2] == Role.ROOT
    assert not found.body[1]


def test_roles_tell_root_deforming_joints_props_and_controls():
    scene = characters.built_in("biped:carry")
    character = scene.characters[0]
    found = analyse(character)
    assert found.roles[found.root] == Role.ROOT
    assert set(found.roles) == {Role.ROOT, Role.DEFORM}


def test_an_actor_without_takes_is_analysed():
    character = replace(exported(), takes=())
    assert NAMES[analyse(character).root] == "Hips"


def test_a_joint_that_only_another_take_moves_keeps_its_length():
    """The root is the same in all clips; what else may be translated is said by the clip."""
    moving, resting = exported(moving=("Hips", "Hand")), exported(moving=())
    other = Take(moving.rig, replace(resting.takes[0].base, name="rest"))
    character = replace(moving, takes=(moving.takes[0], other))
    found = [analyse(character, take) for take in (*character.takes, None)]
    assert [bool(each.translates[3]) for each in found] == [True, False, True]
    assert {NAMES[each.root] for each in found} == {"Hips"}
    assert moved_in(character)[3] == ["idle"]
