import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.edits.limits import set_limits, set_stiffness
from arcwright.errors import BadValue, UnknownName
from arcwright.open import read
from builders import arm_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds

some = examples(16, 40)


@some
@given(seeds, st.none() | st.floats(-3, 0), st.none() | st.floats(0, 3), st.floats(0.1, 9))
def test_limits_and_stiffness_are_undone_exactly(seed, low, high, stiffness):
    scene = random_scene(seed)
    table = assert_exact(scene, set_limits(scene, "two", 1, low, high)).characters[1].rig.channels
    assert table.low[1] == (-np.inf if low is None else low)
    assert table.high[1] == (np.inf if high is None else high)
    after = assert_exact(scene, set_stiffness(scene, "two", [0, 2], stiffness))
    assert after.characters[1].rig.channels.stiffness[:3].tolist() == [stiffness, 1, stiffness]
    assert after.characters[0] is scene.characters[0]


def test_limits_may_move_past_the_old_ones():
    scene = arm_scene()
    scene = set_limits(scene, "", 6, 0, 1).apply(scene)
    after = assert_exact(scene, set_limits(scene, "", 6, 2, 3))
    assert after.characters[0].rig.channels.high[6] == 3


def test_the_edit_holds_no_mesh_and_the_takes_follow():
    scene = read("biped:walk")
    edit = set_limits(scene, "", 8, -0.5, 0.5)
    after = assert_exact(scene, edit)
    actor = after.characters[0]
    assert edit.changes[0].address == ("characters", 0, "rig", "channels")
    assert actor.takes[0].rig is actor.rig
    assert actor.takes[0].base is scene.characters[0].takes[0].base
    assert actor.shapes[0] is scene.characters[0].shapes[0]


def test_labels_name_the_channel():
    scene = arm_scene()
    assert set_limits(scene, "", 6, 0, None).label == "Limit joint1.rotate.z"
    assert set_limits(scene, "", 6, None, None).label == "No limits on joint1.rotate.z"
    assert set_stiffness(scene, "", [6], 2.5).label == "Stiffness 2.5 of joint1.rotate.z"
    assert set_stiffness(scene, "", [5, 6, 6], 2).label == "Stiffness 2 of 2 channels"


def test_unchanged_values_give_an_empty_edit():
    scene = arm_scene()
    assert set_limits(scene, "", 6, None, None).empty
    assert set_limits(scene, "", 6, -np.inf, np.inf).empty
    assert set_stiffness(scene, "", [1, 2], 1.0).empty
    assert set_stiffness(scene, "", [], 3.0).empty


def test_invalid_numbers_are_refused():
    scene = arm_scene()
    with pytest.raises(BadValue, match=r"limits of joint1.rotate.z: expected low <= high"):
        set_limits(scene, "", 6, 1, 0)
    with pytest.raises(BadValue, match="expected low <= high"):
        set_limits(scene, "", 6, float("nan"), 0)
    with pytest.raises(BadValue, match="expected 0 to 6, got 7"):
        set_limits(scene, "", 7, 0, 1)
    with pytest.raises(BadValue, match="stiffness: expected a number above 0, got 0"):
        set_stiffness(scene, "", [1], 0)
    with pytest.raises(BadValue, match="stiffness: expected a finite number, got inf"):
        set_stiffness(scene, "", [1], float("inf"))
    with pytest.raises(UnknownName, match="no character named 'leg'"):
        set_stiffness(scene, "leg", [1], 1)
