import numpy as np
import pytest

from arcwright.characters import asset_path, built_in, recipe
from arcwright.characters.biped_clips import sit, stand, walk
from arcwright.characters.biped_gaits import run
from arcwright.characters.biped_steps import at_ease, feet, step
from arcwright.characters.biped_strikes import punch
from arcwright.characters.mesh import read_store, unpacked
from arcwright.characters.posing import pose, values_of
from arcwright.curves.keys import with_auto_handles
from arcwright.errors import UnknownName
from arcwright.kinematics.forward import forward
from arcwright.kinematics.skinning import deform
from arcwright.scene.curve import Handle
from arcwright.scene.point import Point
from cast import (
    character,
    check_asset,
    check_limits,
    check_mesh,
    check_stiffness,
    clip_of,
    dense,
    path,
)

CLIPS = ("stand", "walk", "jump", "dive", "sit", "point", "guitar", "carry", "juggle")
FINGERS = [f"{finger}{bone}" for finger in ("Thumb", "Index", "Middle", "Ring", "Little")
           for bone in ("Proximal", "Intermediate", "Distal")]  # fmt: skip


def rig():
    return character("biped").rig


def lowest(values):
    """Height of the lowest point of the skin, m."""
    actor = character("biped")
    skin = deform(actor, values, forward(actor.rig, values[None])[0])
    return min(part.positions[:, 1].min() for part in skin)


def test_joints_carry_the_usual_humanoid_names():
    middle = ["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head"]
    sides = ["Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"]
    sides += FINGERS
    wanted = {*middle, *(f"{side}{part}" for side in ("Left", "Right") for part in sides)}
    assert set(rig().names) == wanted


def test_it_is_as_tall_as_a_person_stands_on_the_floor_and_looks_ahead():
    parts = character("biped").shapes[0].parts
    places = np.concatenate([part.attributes["POSITION"] for part in parts])
    assert places[:, 1].min() == pytest.approx(0, abs=0.002)
    assert 1.7 < places[:, 1].max() < 1.8
    look = character("biped").look.gltf["materials"]
    eyes = next(p for p in parts if look[p.material]["name"] == "eye").attributes["POSITION"]
    assert eyes[:, 2].min() > 0.05
    rest = forward(rig(), rig().channels.default[None])[0, :, :3, 3]
    assert rest[rig().joint("LeftHand"), 0] > 0.4


def test_limits_of_both_sides_mirror_each_other():
    table = rig().channels
    for at, name in enumerate(rig().channel_names):
        if name.startswith("Left"):
            other = rig().channel("Right" + name[4:])
            flips = name.endswith(("rotate.y", "rotate.z"))
            low, high = table.low[other], table.high[other]
            assert (table.low[at], table.high[at]) == ((-high, -low) if flips else (low, high))
            assert table.stiffness[at] == table.stiffness[other]


def test_hinges_have_one_channel_and_the_spine_is_stiffer_than_the_arm():
    for name in ("LeftLowerArm", "LeftLowerLeg", "LeftToes", "LeftIndexDistal"):
        assert sum(each.startswith(f"{name}.") for each in rig().channel_names) == 1
    stiffness = rig().channels.stiffness
    arm = stiffness[rig().channel("LeftUpperArm.rotate.x")]
    assert stiffness[rig().channel("Spine.rotate.x")] > arm
    assert stiffness[rig().channel("LeftShoulder.rotate.y")] > arm


def test_mesh_stiffness_and_asset_are_sound():
    check_mesh(character("biped"))
    check_stiffness(character("biped"))
    check_asset("biped")


def test_every_piece_of_the_skin_is_closed():
    mesh = unpacked(read_store(asset_path("biped")), asset_path("biped"))
    edges = np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    assert (mesh.weights > 0).sum(axis=1).max() <= 4


@pytest.mark.parametrize("name", CLIPS)
def test_limits_hold_at_keys_and_in_between(name):
    check_limits(character("biped").take(name))


def test_stand_has_two_equal_keys_at_frames_0_and_24_and_bent_knees():
    clip = clip_of(character("biped").take("stand"))
    assert (clip.duration, clip.rate) == (1.0, 24.0)
    for curve in clip.curves:
        if curve is not None:
            assert curve.time.tolist() == [0.0, 1.0]
            assert curve.value[0] == curve.value[1]
            assert (curve.tangent[:, :, 1] == 0).all()
    knee = clip.curves[rig().channel("LeftLowerLeg.rotate.x")].value[0]
    assert 15 < np.degrees(knee) < 45


@pytest.mark.parametrize("across", [-0.2, 0.2])
def test_hips_can_go_down_and_aside_over_planted_feet(across):
    shifted = at_ease(rig()) | pose(rig(), {"Hips.translate": (across, -0.135, 0.0)})
    planted = feet(rig(), shifted)
    values = values_of(rig(), planted)
    table = rig().channels
    assert (values >= table.low - 1e-9).all()
    assert (values <= table.high + 1e-9).all()


@pytest.mark.parametrize("name", CLIPS)
def test_clips_have_few_keys(name):
    clip = clip_of(character("biped").take(name))
    counts = [len(curve) for curve in clip.curves if curve is not None]
    print(f"{name}: {len(counts)} channels, {sum(counts)} keys, most {max(counts)} on one channel")
    assert max(counts) <= 7
    assert np.mean(counts) <= 7
    assert (len(counts) == len(clip.curves)) == (
        name in ("stand", "juggle")
    )  # whole poses, to work from


def test_keys_do_not_all_line_up():
    times = {
        tuple(c.time) for c in clip_of(character("biped").take("walk")).curves if c is not None
    }
    assert len(times) >= 4


@pytest.mark.parametrize(
    ("name", "frames"),
    [("stand", [0, 24]), ("juggle", [0, 24]),
     ("walk", [3, 15]), ("jump", [0, 9, 30, 41]), ("sit", [0, 9, 20, 32]),
     ("point", [0, 8, 14, 20, 36]), ("guitar", [0, 12, 24]), ("carry", [0, 10, 20, 44, 54])],
)  # fmt: skip
def test_soles_touch_the_floor_at_stance_keys(name, frames):
    from arcwright.kinematics.sample import sample

    values = sample(character("biped").take(name), np.array(frames) / 24).values
    for row in values:
        assert lowest(row) == pytest.approx(0, abs=0.005)


def drift(take, contact):
    times = np.arange(contact.start, contact.end + 1e-9, 1 / (4 * take.rate))
    places = path(take, contact.point, times)
    return float(np.linalg.norm(places - places[0], axis=1).max())


@pytest.mark.parametrize("name", CLIPS)
def test_planted_feet_hardly_drift(name):
    scene = built_in(f"biped:{name}")
    take = scene.characters[0].takes[0]
    feet_only = [c for c in scene.contacts if c.relative_to is None]
    own = max(drift(take, contact) for contact in feet_only)
    plain = with_plain_handles(take)
    before = max(drift(plain, contact) for contact in feet_only)
    print(f"{name}: feet drift {own * 1000:.1f} mm, with auto handles {before * 1000:.1f} mm")
    assert own < 0.01
    assert own <= before + 1e-9


def with_plain_handles(take):
    from dataclasses import replace

    clip = clip_of(take)
    curves = [
        curve and with_auto_handles(
            replace(curve, handles=np.full((len(curve), 2), Handle.AUTO_CLAMPED)))
        for curve in clip.curves
    ]  # fmt: skip
    return replace(take, base=replace(clip, curves=tuple(curves)))


def test_the_walk_goes_on_where_it_ended():
    take = character("biped").take("walk")
    times = np.array([0.25, 1.25])
    for side in ("Left", "Right"):
        first, second = path(take, Point(f"{side}Foot"), times)
        assert np.allclose(second - first, [0, 0, 1.32], atol=1e-6)


def leg_points(world, side):
    """Places along a leg (T, N, 3) and how thick it is there (N,), m."""
    places, thick = [], []
    bones = (("UpperLeg", "LowerLeg", 0.08, 0.052), ("LowerLeg", "Foot", 0.054, 0.046))
    for start, end, big, small in bones:
        a, b = (world[:, rig().joint(f"{side}{name}"), :3, 3] for name in (start, end))
        for share in np.linspace(0.25, 1, 10):
            places.append(a * (1 - share) + b * share)
            thick.append(big + (small - big) * share)
    return np.stack(places, axis=1), np.array(thick)


@pytest.mark.parametrize("name", CLIPS)
def test_legs_never_touch(name):
    world = forward(rig(), dense(character("biped").take(name)))
    (left, big), (right, small) = leg_points(world, "Left"), leg_points(world, "Right")
    apart = np.linalg.norm(left[:, :, None] - right[:, None], axis=3) - big[:, None] - small
    assert apart.min() > 0.01


def test_sitting_ends_on_the_chair():
    scene = built_in("biped:sit")
    take = scene.characters[0].takes[0]
    hips = path(take, Point("Hips"), np.array([20, 26, 32]) / 24)
    assert np.ptp(hips, axis=0).max() < 1e-6
    chair = scene.actor("Chair").shapes[0].parts
    seat = max(part.attributes["POSITION"][:, 1].max() for part in chair)
    assert hips[0, 1] < seat
    assert any(contact.relative_to is not None for contact in scene.contacts)


def check_stored(made):
    stored = clip_of(character("biped").take(made.name))
    for fresh, kept in zip(made.curves, stored.curves, strict=True):
        assert (fresh is None) == (kept is None)
        if fresh is not None and kept is not None:
            assert np.array_equal(fresh.time, kept.time)
            assert np.allclose(fresh.value, kept.value, rtol=0, atol=1e-6)
            assert np.allclose(fresh.tangent, kept.tangent, rtol=0, atol=1e-5)


@pytest.mark.parametrize("make", [stand, walk, sit, run, punch], ids=lambda make: make.__name__)
def test_stored_clips_are_what_the_script_makes(make):
    check_stored(make(rig()))


@pytest.mark.slow
def test_all_stored_clips_are_what_the_script_makes():
    for made in recipe("biped").clips(rig()):
        check_stored(made)


def test_a_step_on_the_ball_leaves_the_toes_flat():
    raised = step(rig(), at_ease(rig()), "Left", 0.0, pitch=20)
    world = forward(rig(), values_of(rig(), raised)[None])[0]
    assert np.allclose(world[rig().joint("LeftToes"), :3, 1], [0, 1, 0], atol=1e-6)
    assert world[rig().joint("LeftToes"), 1, 3] == pytest.approx(0.03, abs=1e-6)


def test_an_unknown_clip_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="walk"):
        built_in("biped:wlak")
