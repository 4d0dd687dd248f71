"""Laws that hold for every format we write: what is written comes back."""

from dataclasses import dataclass

import numpy as np
import pytest

from arcwright import files
from arcwright.arrays import same
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from builders import arm_rig, arm_scene
from random_rigs import random_rig


@dataclass(frozen=True)
class Law:
    """What a format promises."""

    suffix: str
    tolerance: float  # m; how far a joint may be from where it was
    exact: bool = False  # the scene comes back bit for bit
    scaled: bool = True  # scale that is uneven or moves is kept


LAWS = (
    Law(".bvh", 1e-9, scaled=False),
    Law(".glb", 1e-5),
    Law(".gltf", 1e-5),
    Law(".arc.glb", 0.0, exact=True),
)
each_format = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.suffix)


def moving(rig, seed=0, frames=6):
    """A scene in which every channel moves a little, in every frame."""
    rng = np.random.default_rng(seed)
    values = rig.channels.default + np.cumsum(
        rng.normal(scale=0.15, size=(frames, len(rig.channels))), axis=0
    )
    motion = Motion("move", np.arange(frames) / 30, values, 30.0)
    return Scene(characters=(Character("one", rig, (Take(rig, motion),)),))


def random_scene(law, seed):
    return moving(random_rig(seed, scaled=law.scaled), seed)


def again(scene, path):
    """What comes back, read in metres with Y up so that nothing is guessed."""
    files.write(scene, path)
    return files.read(path, unit=1.0, up="Y")


def places(scene, names, times):
    """Where the joints of these names are, (T, J, 3), whichever character has them."""
    found = {}
    for character in scene.characters:
        motion = sample(character.takes[0], times)
        world = forward(character.rig, motion.values)
        found |= {name: world[:, at, :3, 3] for at, name in enumerate(character.rig.names)}
    return np.stack([found[name] for name in names], axis=1)


def test_every_format_that_is_written_is_under_the_law():
    suffixes = {law.suffix for law in LAWS}
    for each in files.FORMATS:
        assert not each.writes or suffixes & {*each.suffixes}


@each_format
@pytest.mark.parametrize("seed", range(4))
def test_joints_are_where_they_were(tmp_path, law, seed):
    scene = random_scene(law, seed)
    back = again(scene, tmp_path / f"a{law.suffix}")
    character = scene.characters[0]
    times = character.takes[0].base.time
    before = places(scene, character.rig.names, times)
    after = places(back, character.rig.names, times)
    assert abs(after - before).max() <= law.tolerance


@each_format
def test_what_came_back_comes_back_the_same(tmp_path, law):
    first = again(moving(arm_rig()), tmp_path / f"a{law.suffix}")
    second = again(first, tmp_path / f"a{law.suffix}")
    for before, after in zip(first.characters, second.characters, strict=True):
        assert before.rig.names == after.rig.names
        assert before.rig.modes == after.rig.modes
        assert before.rig.channel_names == after.rig.channel_names
        assert before.rig.offset == pytest.approx(after.rig.offset, abs=1e-12)
        times = before.takes[0].frame_times()
        a, b = (sample(each.takes[0], times).values for each in (before, after))
        assert a == pytest.approx(b, abs=max(law.tolerance, 1e-15))


@each_format
def test_an_exact_format_gives_the_scene_back_bit_for_bit(tmp_path, law):
    scene = arm_scene()
    assert same(again(scene, tmp_path / f"a{law.suffix}"), scene) == law.exact


@each_format
def test_rate_and_length_are_kept(tmp_path, law):
    scene = moving(arm_rig())
    back = again(scene, tmp_path / f"a{law.suffix}")
    before, after = scene.characters[0].takes[0], back.characters[0].takes[0]
    assert after.rate == pytest.approx(before.rate, rel=1e-12)
    assert after.duration == pytest.approx(before.duration, abs=1e-6)


@each_format
def test_writing_leaves_nothing_but_the_file(tmp_path, law):
    for _ in range(2):
        files.write(moving(arm_rig()), tmp_path / f"a{law.suffix}")
    assert {path.suffix for path in tmp_path.iterdir()} <= {".bin", f".{law.suffix.split('.')[-1]}"}
