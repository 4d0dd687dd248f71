from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile, BadValue
from arcwright.files import bvh
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.kinematics.sample import sample
from arcwright.scene.motion import Motion
from arcwright.scene.rig import QUATERNION, Kind
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.take import Take
from builders import QUATERNION as QUATERNIONS
from builders import ROTATE, SCALE, TRANSLATE, arm_clip, arm_rig, rig_of
from bvh_text import chain, end, joint, motion, root
from data import DATA, needs_data


def scene_of(rig, values, rate=30.0):
    motion = Motion("move", np.arange(len(values)) / rate, values, rate)
    return Scene(characters=(Character("one", rig, (Take(rig, motion),)),))


def random_values(rig, frames=5, seed=1):
    rng = np.random.default_rng(seed)
    values = np.cumsum(rng.normal(scale=0.2, size=(frames, len(rig.channels))), axis=0)
    return values + rig.channels.default


def there_and_back(scene, path, **options):
    notes = bvh.write(scene, path, **options)
    return bvh.read(path, unit=options.get("unit", 1.0), up=options.get("up", "Y")), notes


def places(actor, times=None):
    take = actor.takes[0]
    motion = take.base if times is None else sample(take, times)
    return forward(actor.rig, motion.values)[:, :, :3, 3]


def words(path):
    return path.read_bytes().decode("utf-8-sig").split()


def equal_words(a, b):
    """Whether two words are the same, as numbers to 1e-9 where they are some."""
    try:
        return float(a) == pytest.approx(float(b), rel=1e-9, abs=0)
    except ValueError:
        return a.lower() == b.lower()


@pytest.mark.parametrize(
    "text",
    [
        chain(),
        chain([[1e-7, -0.0, 1e9, 359.123456789012] + [0.1] * 8]),
        "HIERARCHY\n" + root(joint("A", channels="Yrotation")) + motion([[0, 1, 2, 3, 4, 5, 6.5]]),
        "HIERARCHY\n" + root(joint("Hips_End", channels="")) + motion([[0] * 6]),
        "HIERARCHY\n" + root(end() + joint("A", channels="") + end()) + motion([[1] * 6] * 3),
        "HIERARCHY\n" + root(channels="Yposition Xrotation Zposition") + motion([[1, 2, 3]]),
        "HIERARCHY\n" + root(end()) + root(name="Other") + motion([list(range(12))]),
    ],
)
def test_a_file_comes_back_word_for_word(tmp_path, text):
    first, second = tmp_path / "a.bvh", tmp_path / "b.bvh"
    first.write_text(text)
    bvh.write(bvh.read(first), second)
    assert all(equal_words(*each) for each in zip(words(first), words(second), strict=True))


@needs_data
@pytest.mark.parametrize(
    "name",
    [
        "bvh/cmu/02_03_run.bvh",
        "bvh/other-skeletons/fair_jumping.bvh",
        "bvh/other-skeletons/rokoko_jesse_dance.bvh",
        "bvh/other-skeletons/pirouette.bvh",
        "malformed/bvh/rotation_first_root.bvh",
        "malformed/bvh/sinusoidal_no_end_sites.bvh",
        "malformed/bvh/alien_head_only.bvh",
        "malformed/bvh-derived/two_roots.bvh",
    ],
)
def test_real_files_come_back(tmp_path, name):
    path = tmp_path / "again.bvh"
    scene = bvh.read(DATA / name)
    bvh.write(scene, path)
    assert all(equal_words(*each) for each in zip(words(DATA / name), words(path), strict=True))
    again = bvh.read(path)
    for before, after in zip(scene.characters, again.characters, strict=True):
        a, b = before.takes[0].base, after.takes[0].base
        assert a.values == pytest.approx(b.values, rel=1e-9, abs=1e-12)
        assert same(a.time, b.time)
        assert a.rate == b.rate
        assert before.rig.names == after.rig.names
        assert before.rig.modes == after.rig.modes
        assert before.rig.channel_names == after.rig.channel_names


def test_quaternions_become_angles_without_jumps(tmp_path):
    rig = rig_of([-1, 0], [(0, TRANSLATE + QUATERNIONS), (1, QUATERNIONS)], [QUATERNION] * 2)
    angle = np.linspace(0, 12, 60)
    turn = np.stack(
        [np.cos(angle / 2), 0 * angle, 0.6 * np.sin(angle / 2), 0.8 * np.sin(angle / 2)]
    )
    values = np.hstack([np.zeros((60, 3)), turn.T, quaternion_normalise(turn.T[:, [1, 0, 3, 2]])])
    scene = scene_of(rig, values)
    back, notes = there_and_back(scene, tmp_path / "q.bvh")
    assert places(back.characters[0]) == pytest.approx(places(scene.characters[0]), abs=1e-9)
    angles = back.characters[0].takes[0].base.values[:, 3:]
    assert abs(np.diff(angles, axis=0)).max() < 1.6
    assert notes == ("quaternions written as ZXY angles: joint0, joint1",)


def test_rest_rotations_are_included_exactly(tmp_path):
    rig = rig_of([-1, 0, 1], [(0, TRANSLATE + ROTATE), (1, ROTATE), (2, TRANSLATE)])
    rest = quaternion_normalise(np.random.default_rng(2).normal(size=(3, 4)))
    rig = replace(rig, rest=rest, modes=("XYZ", "ZXY", "YZX"))
    scene = scene_of(rig, random_values(rig))
    back, notes = there_and_back(scene, tmp_path / "r.bvh")
    assert notes == ()
    assert places(back.characters[0]) == pytest.approx(places(scene.characters[0]), abs=1e-9)


def test_even_scale_goes_into_the_lengths_below(tmp_path):
    rig = replace(arm_rig(), scale=[[2.0] * 3, [0.5] * 3, [1.0] * 3])
    scene = scene_of(rig, random_values(rig))
    back, notes = there_and_back(scene, tmp_path / "s.bvh")
    assert notes == ()
    assert places(back.characters[0]) == pytest.approx(places(scene.characters[0]), abs=1e-9)


def test_non_uniform_or_animated_scale_is_left_out_and_reported(tmp_path):
    rig = rig_of([-1, 0], [(0, ROTATE), (1, SCALE)])
    values = random_values(rig)
    _, notes = there_and_back(scene_of(rig, values), tmp_path / "s.bvh")
    assert notes == ("non-uniform or animated scale is left out: joint1",)


def test_angles_are_listed_in_the_order_of_rotation(tmp_path):
    rig = rig_of([-1, 0], [(0, ROTATE), (1, TRANSLATE)], ["YZX", "XYZ"])
    scene = scene_of(rig, random_values(rig))
    path = tmp_path / "o.bvh"
    back, _ = there_and_back(scene, path)
    assert "CHANNELS 3 Yrotation Zrotation Xrotation" in path.read_text()
    assert places(back.characters[0]) == pytest.approx(places(scene.characters[0]), abs=1e-9)


def test_joints_that_are_not_depth_first_are_sorted(tmp_path):
    rig = rig_of([-1, 0, 0, 1], [(joint, ROTATE) for joint in (3, 1, 0, 2)])
    scene = scene_of(rig, random_values(rig))
    back, _ = there_and_back(scene, tmp_path / "d.bvh")
    order = [back.characters[0].rig.joint(name) for name in rig.names]
    assert back.characters[0].rig.names == ("joint0", "joint1", "joint3", "joint2")
    after = places(back.characters[0])[:, order]
    assert after == pytest.approx(places(scene.characters[0]), abs=1e-9)


def test_a_clip_is_sampled_at_its_rate_or_at_the_given_one(tmp_path):
    rig = arm_rig()
    scene = Scene(characters=(Character("arm", rig, (Take(rig, arm_clip()),)),))
    for fps, frames in ((None, 25), (10, 11), (29.97, 30)):
        back, _ = there_and_back(scene, tmp_path / "c.bvh", fps=fps)
        take = back.characters[0].takes[0]
        assert len(take.base.time) == frames
        assert take.rate == pytest.approx(fps or 24, rel=1e-14)
        wanted = places(scene.characters[0], take.base.time)
        assert places(back.characters[0]) == pytest.approx(wanted, abs=1e-9)


def test_the_chosen_take_is_written_and_the_others_named(tmp_path):
    rig = arm_rig()
    takes = tuple(Take(rig, arm_clip(name)) for name in ("walk", "run"))
    scene = Scene(characters=(Character("arm", rig, takes),))
    assert bvh.write(scene, tmp_path / "c.bvh", take="run") == (
        "other takes of arm left out: walk",
    )


def test_unit_and_up_axis_can_be_chosen(tmp_path):
    rig = arm_rig()
    scene = scene_of(rig, random_values(rig))
    for options in ({"unit": 0.01}, {"up": "Z"}, {"unit": 0.0254, "up": "X"}):
        back, _ = there_and_back(scene, tmp_path / "u.bvh", **options)
        assert places(back.characters[0]) == pytest.approx(places(scene.characters[0]), abs=1e-9)


def test_samples_that_are_not_even_are_sampled_again(tmp_path):
    rig = arm_rig()
    motion = Motion("move", [0, 0.1, 0.5], random_values(rig, 3), 10)
    scene = Scene(characters=(Character("arm", rig, (Take(rig, motion),)),))
    back, _ = there_and_back(scene, tmp_path / "e.bvh")
    assert len(back.characters[0].takes[0].base.time) == 6


def test_names_that_do_not_fit_are_changed_and_reported(tmp_path):
    rig = replace(arm_rig(), names=("a{b", "  ", "a_b"))
    back, notes = there_and_back(scene_of(rig, random_values(rig)), tmp_path / "n.bvh")
    assert back.characters[0].rig.names == ("a_b", "joint", "a_b_2")
    assert notes == ("joint names of one changed to fit the format",)


def test_what_bvh_cannot_hold_is_reported(tmp_path):
    rig = rig_of([-1], [(0, [*ROTATE, Kind.WEIGHT])])
    scene = replace(scene_of(rig, random_values(rig)), props=(Prop("box", arm_rig()),))
    assert bvh.write(scene, tmp_path / "w.bvh") == (
        "left out: box",
        "channels left out: joint0.weight.t",
    )


def test_a_character_without_takes_is_written_in_its_rest_pose(tmp_path):
    scene = Scene(characters=(Character("arm", arm_rig()),))
    back, _ = there_and_back(scene, tmp_path / "rest.bvh")
    assert back.characters[0].takes[0].base.values.shape == (1, 7)


def test_a_scene_without_characters_is_refused(tmp_path):
    with pytest.raises(BadValue, match="a character to write"):
        bvh.write(Scene(), tmp_path / "none.bvh")


def test_a_folder_that_is_not_there_is_an_error_of_ours(tmp_path):
    scene = scene_of(arm_rig(), random_values(arm_rig()))
    with pytest.raises(BadFile, match="cannot be written"):
        bvh.write(scene, tmp_path / "none" / "a.bvh")


def test_a_deep_skeleton_is_written_without_recursion(tmp_path):
    rig = rig_of([joint - 1 for joint in range(3000)], [(0, ROTATE)])
    back, _ = there_and_back(scene_of(rig, np.zeros((1, 3))), tmp_path / "deep.bvh")
    assert back.characters[0].rig.names == rig.names
