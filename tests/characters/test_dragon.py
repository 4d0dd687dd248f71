import numpy as np
import pytest

from arcwright.characters import asset_path, built_in
from arcwright.characters.dragon import HEIGHT, TOES
from arcwright.characters.dragon_joints import FINGERS
from arcwright.characters.mesh import read_store, unpacked
from arcwright.characters.posing import mirrored, pose, values_of
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.kinematics.skinning import deform
from arcwright.scene.point import Point
from cast import (
    character,
    check_asset,
    check_limits,
    check_mesh,
    check_stiffness,
    clip_of,
    dense,
    key_times,
    path,
)

CLIPS = ("stand", "hover", "fly")
WING = ["Arm", "Forearm", "Hand", *(f"Finger{n}{end}" for n in FINGERS for end in ("", "Tip"))]


def rig():
    return character("dragon").rig


def take(name):
    return character("dragon").take(name)


def skins(values):
    """All vertices (V, 3) in each pose."""
    actor = character("dragon")
    for row, world in zip(values, forward(actor.rig, values), strict=True):
        yield np.concatenate([part.positions for part in deform(actor, row, world)])


def mesh():
    return unpacked(read_store(asset_path("dragon")), asset_path("dragon"))


def test_it_has_a_neck_a_jaw_a_tail_four_legs_and_wings_with_fingers():
    middle = ["Hips", "Spine", "Chest", "Head", "Jaw"]
    middle += [f"Neck{n}" for n in range(1, 6)] + [f"Tail{n}" for n in range(1, 9)]
    sides = [f"{pair}{part}" for pair in ("", "Fore") for part in ("UpperLeg", "LowerLeg")]
    sides += ["Foot", "Toes", "ForeFoot", "ForeToes", *(f"Wing{part}" for part in WING)]
    assert {*middle, *(f"{s}{part}" for s in ("Left", "Right") for part in sides)} == set(
        rig().names
    )


def test_at_least_35_joints_can_be_animated():
    assert len(set(rig().channels.joint.tolist())) == len(rig().names) >= 35


def test_it_stands_on_the_floor_with_its_wings_spread_at_rest():
    (rest,) = skins(rig().channels.default[None])
    assert rest[:, 1].min() == pytest.approx(0, abs=0.005)
    assert 3.2 < np.ptp(rest[:, 2]) < 3.6
    assert 4.2 < np.ptp(rest[:, 0]) < 4.6


def test_mesh_stiffness_and_asset_are_sound():
    check_mesh(character("dragon"))
    check_stiffness(character("dragon"))
    check_asset("dragon")


def test_every_piece_of_the_skin_is_closed_and_every_joint_carries_some():
    faces = mesh().faces
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    used = mesh().joints[mesh().weights > 0.3]
    assert {mesh().owners[joint] for joint in np.unique(used)} == set(rig().names)


def test_left_and_right_are_mirror_images():
    table = rig().channels
    for at, name in enumerate(rig().channel_names):
        if name.startswith("Left"):
            other = rig().channel("Right" + name[4:])
            flips = name.endswith(("rotate.y", "rotate.z"))
            low, high = table.low[other], table.high[other]
            assert (table.low[at], table.high[at]) == ((-high, -low) if flips else (low, high))


@pytest.mark.parametrize("name", CLIPS)
def test_no_clip_leaves_the_limits(name):
    check_limits(take(name))


@pytest.mark.parametrize("name", ["stand", "hover"])
def test_still_takes_loop_for_a_second_with_a_key_in_every_channel(name):
    clip = clip_of(take(name))
    assert (clip.duration, clip.loops) == (1.0, True)
    assert all(curve is not None and np.ptp(curve.value) == 0 for curve in clip.curves)
    assert np.ptp(dense(take(name)), axis=0).max() < 1e-12


def test_standing_all_four_feet_are_on_the_floor_and_planted():
    contacts = built_in("dragon:stand").contacts
    assert {contact.point.joint for contact in contacts} == set(TOES)
    (standing,) = skins(sample(take("stand"), np.zeros(1)).values)
    assert standing[:, 1].min() == pytest.approx(0, abs=0.005)
    for contact in contacts:
        assert path(take("stand"), contact.point, np.zeros(1))[0, 1] == pytest.approx(0, abs=0.01)


def test_hovering_it_is_off_the_floor():
    (hovering,) = skins(sample(take("hover"), np.zeros(1)).values)
    assert 0.5 * HEIGHT < hovering[:, 1].min() < 1.5 * HEIGHT


def test_it_flies_in_a_loop_of_two_poses_and_the_fingers_follow_the_arm():
    flight = take("fly")
    assert clip_of(flight).loops
    arm = clip_of(flight).curves[rig().channel("LeftWingArm.rotate.z")]
    tip = clip_of(flight).curves[rig().channel("LeftWingFinger1Tip.rotate.z")]
    assert len(arm) == len(tip) == 3
    assert tip.time[1] > arm.time[1]
    assert len(key_times(flight)) <= 7
    times = np.linspace(0, 1, 49)
    hand = path(flight, Point("LeftWingHand"), times)
    assert np.ptp(hand[:, 1]) > 0.8
    ends = sample(flight, np.array([0.0, 1.0])).values
    assert ends[0] == pytest.approx(ends[1])
    assert min(skin[:, 1].min() for skin in skins(dense(flight)[::8])) > 0


def test_the_wings_of_a_flight_are_mirror_images():
    values = sample(take("fly"), np.array([0.3])).values[0]
    posed = dict(zip(rig().channel_names, values.tolist(), strict=True))
    assert values_of(rig(), mirrored(posed)) == pytest.approx(values)


FOLDED = {
    "LeftWingArm": (0, 50, 30),
    "LeftWingForearm": (0, -100, -15),
    "LeftWingHand": (0, 105, 0),
}
BEATS = {
    "up": {"LeftWingArm": (0, 0, 60), "LeftWingForearm": (0, 0, 18), "LeftWingHand": (0, 0, 14)},
    "down": {"LeftWingArm": (0, -8, -60), "LeftWingHand": (0, 10, -20)},
    "folded": FOLDED,
}


@pytest.mark.parametrize("beat", BEATS)
def test_a_membrane_stays_with_the_bones_that_span_it(beat):
    """Its edges along finger bones move as these do; nothing is stretched to tatters."""
    rest, moved = (
        next(iter(skins(values_of(rig(), posed)[None]))) for posed in ({}, pose(rig(), BEATS[beat]))
    )
    actor = character("dragon")
    parts = actor.shapes[0].parts
    names = [each["name"] for each in actor.look.gltf["materials"]]
    first = np.cumsum([0, *(len(part.attributes["POSITION"]) for part in parts)])
    at = next(n for n, part in enumerate(parts) if names[part.material] == "membrane")
    edges = parts[at].triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2) + first[at]
    before, after = (np.linalg.norm(np.diff(v[edges], axis=1)[:, 0], axis=1) for v in (rest, moved))
    long = before > 0.02  # rims are shorter
    stretch = after[long] / before[long]
    print(f"{beat}: p99 {np.quantile(stretch, 0.99):.2f}, longest {stretch.max():.2f} times rest")
    assert np.quantile(stretch, 0.99) < 1.6
    assert stretch.max() < 3.5
