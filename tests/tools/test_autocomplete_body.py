"""Body models: any humanoid rig, keys to the bit, files that are refused where they are damaged."""

import numpy as np
import pytest

import arcwright
from arcwright.errors import ArcwrightError, BadFile, BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.humanoid import is_humanoid
from arcwright.kinematics.rotation import quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.learning import learn, takes_of
from arcwright.tools.autocomplete.body.body_file import read_body_file, write_body_file
from arcwright.tools.autocomplete.body.body_model import BodyModel
from arcwright.tools.autocomplete.body.body_network import BodyNetwork
from arcwright.tools.autocomplete.body.captures import read_captures, write_captures
from arcwright.tools.autocomplete.body.held_out import split
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.rig_captures import NamedTake, captures_of
from arcwright.tools.autocomplete.chosen_model import choose_model
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.completion_model import SHIPPED, latents
from arcwright.tools.autocomplete.network.model_file import MOST_SHIPPED

SHIPPED_FILE = SHIPPED / "humanoid.npz"


@pytest.fixture(scope="module")
def walk():
    actor = arcwright.read("biped:walk").characters[0]
    take = actor.takes[0]
    times = np.array([0.0, 0.5, 1.0])
    keys = KeyedValues(times, values_at(take, times))
    return actor, take, keys, BodyModel.load(SHIPPED_FILE).bound_to(actor, take)


def test_it_hits_keys_to_the_bit_and_beats_splines(walk):
    actor, take, keys, model = walk
    assert SHIPPED_FILE.stat().st_size <= MOST_SHIPPED
    times = np.linspace(0, 1, 31)
    found = model.complete(keys, times, 3)
    np.testing.assert_array_equal(found[:, [0, 15, 30]], np.tile(keys.values, (3, 1, 1)))
    place, spline, truth = (
        forward(actor.rig, each)[..., :3, 3]
        for each in (found[0], interpolated(keys, times), values_at(take, times))
    )
    assert (
        np.linalg.norm(place - truth, axis=2).mean()
        < 0.7 * np.linalg.norm(spline - truth, axis=2).mean()
    )
    assert abs(found[1] - found[2]).max() > 1e-4
    np.testing.assert_array_equal(model.complete(keys, times, 3, only=1)[0], found[1])


def test_partial_keys_are_kept_and_a_strength_of_zero_is_the_spline(walk):
    actor, _, keys, model = walk
    known = np.full(keys.values.shape, True)
    known[1, actor.rig.channels.joint % 2 == 1] = False
    partial = KeyedValues(keys.times, keys.values, known)
    times = np.linspace(0, 1, 21)
    found = model.complete(partial, times)[0]
    np.testing.assert_array_equal(found[10][known[1]], keys.values[1][known[1]])
    assert abs(found[10] - keys.values[1])[~known[1]].max() > 0
    plain = model.complete(partial, times, strength=0.0)[0]
    np.testing.assert_array_equal(plain, interpolated(partial, times))


def test_a_motion_is_completed_alike_wherever_and_whichever_way_it_goes(walk):
    _, _, keys, model = walk
    frames = np.arange(31.0)
    known = np.zeros((31, len(model.file.skeleton.names) + 1), bool)
    known[[0, 15, 30]] = True
    poses = model.body.poses(interpolated(keys, frames / 30))
    drawn = latents(model.file.architecture.latent, 1, 0)
    network, offsets = BodyNetwork(model.file), model.body.offsets
    plain = network.complete(poses, frames, known, drawn, offsets)
    about = np.array([np.cos(0.4), 0, np.sin(0.4), 0])
    rotations = poses.rotations.copy()
    rotations[:, 0] = quaternion_multiply(about, rotations[:, 0])
    cosine, sine = np.cos(0.8), np.sin(0.8)
    turn = np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]])
    moved = Poses(rotations, poses.position @ turn.T + [3.0, 0.0, -7.0])
    other = network.complete(moved, frames, known, drawn, offsets)
    np.testing.assert_allclose(other.rotations[..., 1:, :], plain.rotations[..., 1:, :], atol=2e-5)
    np.testing.assert_allclose(
        other.position, plain.position @ turn.T + [3.0, 0.0, -7.0], atol=2e-5
    )


def test_people_have_a_model_and_others_have_none():
    assert is_humanoid(arcwright.read("biped:walk").characters[0])
    for name in ("spider", "dinosaur"):
        actor = arcwright.read(name).characters[0]
        assert not is_humanoid(actor)
        assert choose_model(actor, actor.takes[0], "")[0] is None
    spider = arcwright.read("spider").characters[0]
    with pytest.raises(BadValue, match="rig"):
        choose_model(spider, spider.takes[0], "humanoid")


def test_keys_unlike_the_examples_are_farther(walk):
    _, _, keys, model = walk
    near = model.distance_to_examples(keys)
    turned = keys.values + 0.9 * np.random.default_rng(0).standard_normal(keys.values.shape)
    assert near < 1 < model.distance_to_examples(KeyedValues(keys.times, turned))


def test_a_file_comes_back_and_a_damaged_one_is_refused(tmp_path):
    model = read_body_file(SHIPPED_FILE)
    write_body_file(tmp_path / "same.npz", model)
    assert (tmp_path / "same.npz").read_bytes() == SHIPPED_FILE.read_bytes()
    data = bytearray(SHIPPED_FILE.read_bytes())
    for cut in (40, len(data) // 2, len(data) - 30):
        (tmp_path / "bad.npz").write_bytes(data[:cut])
        with pytest.raises(BadFile):
            read_body_file(tmp_path / "bad.npz")
    with pytest.raises(BadFile, match="body model"):
        read_body_file(SHIPPED / "lamp.npz")


def clips(*names):
    return takes_of(names)


def test_examples_that_cannot_be_learned_from_are_named(tmp_path):
    with pytest.raises(BadValue, match="none"):
        learn([], tmp_path / "out.model")
    with pytest.raises(BadValue, match="two clips"):
        learn(clips("biped:walk"), tmp_path / "out.model")
    with pytest.raises(BadValue, match="one rig"):
        learn([*clips("biped:walk"), *clips("lamp:hop")], tmp_path / "out.model")
    short = clips("biped:walk")[0].take
    short = type(short)(short.rig, short.base.__class__("short", short.base.curves, 0.2, 24.0))
    with pytest.raises(BadValue, match="short"):
        captures_of([NamedTake("short", short)])
    with pytest.raises(ArcwrightError):
        takes_of([tmp_path / "nothing.bvh"])


def test_captures_of_takes_are_their_poses(tmp_path):
    actor = arcwright.read("biped:jump").characters[0]
    take = actor.takes[0]
    found = captures_of(clips("biped:jump", "biped:tea"))
    train, held = split(found)
    assert len(train.position) + len(held.position) == len(found.position)
    assert len(found.feet) == 2
    assert found.planted.any()
    write_captures(tmp_path / "examples.npz", found)
    again = read_captures(tmp_path / "examples.npz")
    np.testing.assert_allclose(again.rotations, found.rotations, atol=1e-6)
    assert again.skeleton.names == found.skeleton.names
    root = actor.rig.joint(found.skeleton.names[0])
    place = forward(actor.rig, values_at(take, np.array([0.0])))[0, root, :3, 3]
    np.testing.assert_allclose(found.position[0] * found.size[0], place, atol=1e-9)
