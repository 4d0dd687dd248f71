"""Retargeting: equal rigs, other proportions, other rigs, mirrored takes, planted feet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.arrays import Floats
from arcwright.errors import BadValue, MissingJoints
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.joint_roles import corresponding_joints
from arcwright.kinematics.mirror import mirror_of
from arcwright.kinematics.quaternions import with_quaternions
from arcwright.kinematics.retarget import leg_ratio, retarget
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import EULER_MODES, Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from data import DATA, needs_data
from random_cases import examples

BONES = ("upper_arm", "lower_arm", "hand"), ("upper_leg", "lower_leg", "foot")


@cache
def actor(name: str) -> Actor:
    found: Actor = arcwright.read(DATA / name if "/" in name else name).characters[0]
    return found


def world(take: Take, times: Floats | None = None) -> Floats:
    moments = take.frame_times() if times is None else times
    return forward(take.rig, values_at(take, moments))


def directions(rig: Rig, chains: dict[str, tuple[str, ...]], places: Floats) -> Floats:
    """(T, B, 3) of the bones of limbs."""
    found = []
    for side in ("left", "right"):
        for parts in BONES:
            for one, other in pairwise(f"{side}_{part}" for part in parts):
                way = places[:, rig.joint(chains[other][0])] - places[:, rig.joint(chains[one][0])]
                found.append(way / np.linalg.norm(way, axis=1, keepdims=True))
    return np.stack(found, axis=1)


def apart(take: Take, made: Take, source: Actor, target: Actor) -> Floats:
    """Degrees (T, B) between bones of limbs."""
    chains = corresponding_joints(source, target).chains
    one, other = (
        directions(
            each.rig, {role: pair[i] for role, pair in chains.items()}, world(each)[..., :3, 3]
        )
        for i, each in enumerate((take, made))
    )
    return np.degrees(np.arccos(np.clip((one * other).sum(axis=-1), -1.0, 1.0)))


@pytest.mark.parametrize(
    "name", ["biped@walk", "biped@dive", "dinosaur@punch", "dragon@fly", "robot@flight"]
)
def test_the_same_rig_gets_the_same_poses(name: str) -> None:
    who, _, shown = name.partition("@")
    source = actor(who)
    take = source.take(shown)
    assert abs(world(retarget(take, source, source)) - world(take)).max() < 1e-6


@pytest.mark.parametrize("order", EULER_MODES)
def test_any_order_of_angles_gets_the_same_poses(order: str) -> None:
    source = actor("biped")
    table = source.rig.channels
    turning = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.ROTATE_Z)
    three = np.bincount(table.joint[turning], minlength=len(source.rig.names)) == 3
    modes = tuple(
        order if free else mode for free, mode in zip(three, source.rig.modes, strict=True)
    )
    target = replace(source, rig=replace(source.rig, modes=modes), takes=())
    take = source.take("walk")
    made = retarget(take, source, target)
    assert abs(world(made) - world(take)).max() < 1e-6
    assert abs(np.diff(made.base.values, axis=0)).max() < 1.5  # no whole turns between frames


def test_quaternions_get_the_poses_of_angles_and_give_them_back() -> None:
    source = actor("biped")
    take = source.take("walk")
    target = with_quaternions(source)
    made = retarget(take, source, target)
    assert abs(world(made) - world(take)).max() < 1e-6
    assert abs(world(retarget(made, target, source)) - world(take)).max() < 1e-6


def test_a_take_keeps_its_name_times_and_sections() -> None:
    source = actor("biped")
    take = source.take("walk")
    assert isinstance(take.base, Clip)
    made = retarget(take, source, scaled_limbs(source, arms=0.8))
    assert isinstance(made.base, Motion)
    assert (made.name, made.rate, made.sections) == (take.name, take.rate, take.sections)
    assert np.allclose(made.base.time, take.frame_times())
    uneven = np.array([0.0, 0.1, 0.15, 0.4])
    motion = Take(take.rig, Motion("few", uneven, values_at(take, uneven)))
    assert np.array_equal(retarget(motion, source, source).base.time, uneven)


@examples(8, 60)
@given(
    st.floats(0.5, 2.0),
    st.floats(0.5, 2.0),
    st.sampled_from(["walk", "run", "carry", "sit", "kick", "get_up_back"]),
)
def test_other_proportions_keep_directions_of_limbs(arms: float, legs: float, name: str) -> None:
    source = actor("biped")
    take, target = source.take(name), scaled_limbs(source, arms=arms, legs=legs)
    plain = retarget(take, source, target, plant=False)
    assert apart(take, plain, source, target).max() < 1e-3
    made = retarget(take, source, target)
    assert np.isfinite(made.base.values).all()
    assert np.quantile(apart(take, made, source, target), 0.9) < 8.0


@examples(6, 40)
@given(st.floats(0.5, 2.0), st.sampled_from(["walk", "carry", "point", "crouch_walk"]))
def test_planted_feet_stay_still_and_on_the_ground(legs: float, name: str) -> None:
    source = actor("biped")
    take, target = source.take(name), scaled_limbs(source, arms=1.1, legs=legs)
    made = retarget(take, source, target)
    plants = footplants(take)
    assert plants or name != "walk"
    for plant in plants:
        times = take.frame_times()
        ball = under_the_ball(made, plant.point.joint)[
            (times >= plant.start) & (times <= plant.end)
        ]
        assert np.ptp(ball[:, [0, 2]], axis=0).max(initial=0.0) < 2e-3
        assert np.abs(ball[:, 1]).max(initial=0.0) < 2e-3


def under_the_ball(take: Take, toes: str) -> Floats:
    """(T, 3) m, the point of the foot that is on the ground below the toes in the rest pose."""
    foot = int(take.rig.parents[take.rig.joint(toes)])
    rest = forward(take.rig, take.rig.channels.default[None])[0]
    point = rest[take.rig.joint(toes), :, 3] * [1.0, 0.0, 1.0, 1.0]
    return (world(take)[:, foot] @ np.linalg.solve(rest[foot], point))[:, :3]


@pytest.mark.parametrize("name", ["walk", "carry", "punch"])
def test_a_mirrored_take_gives_mirrored_poses(name: str) -> None:
    source = actor("biped")
    target = scaled_limbs(source, arms=1.3, legs=0.8)
    take = source.take(name)
    times, mirror = take.frame_times(), mirror_of(source.rig)
    plain = Take(source.rig, Motion(name, times, values_at(take, times), take.rate))
    swapped = replace(plain, base=replace(plain.base, values=mirror.mirrored(plain.base.values)))
    made = [retarget(each, source, target) for each in (plain, swapped)]
    image = mirror_of(target.rig).mirrored(made[0].base.values)
    there = forward(target.rig, image)[..., :3, 3]
    assert abs(world(made[1])[..., :3, 3] - there).max() < 2e-3


def test_places_are_scaled_by_the_legs() -> None:
    source = actor("biped")
    target = scaled_limbs(source, legs=0.5)
    assert leg_ratio(source, target) == pytest.approx(0.5)
    take = source.take("walk")
    way = np.ptp(world(take)[:, 0, [0, 2], 3], axis=0)
    made = np.ptp(world(retarget(take, source, target))[:, 0, [0, 2], 3], axis=0)
    assert np.allclose(made, 0.5 * way, atol=2e-3)


def test_a_spine_of_other_length_ends_as_the_source_does() -> None:
    source, target = actor("biped"), actor("dinosaur")
    take = source.take("punch")
    made = retarget(take, source, target)
    rests = [forward(each.rig, each.rig.channels.default[None])[0] for each in (source, target)]
    chests = [
        world(each)[:, each.rig.joint(name), :3, :3] @ rest[each.rig.joint(name), :3, :3].T
        for each, name, rest in ((take, "UpperChest", rests[0]), (made, "Chest", rests[1]))
    ]
    assert abs(chests[0] - chests[1]).max() < 1e-6


def test_a_mapping_of_ones_own_is_followed() -> None:
    source = actor("biped")
    found = corresponding_joints(source, source)
    legs = {role: pair for role, pair in found.chains.items() if "arm" not in role}
    made = retarget(source.take("walk"), source, source, replace(found, chains=legs))
    arm = made.rig.channel("LeftUpperArm.rotate.z")
    assert not made.base.values[:, arm].any()
    assert made.base.values[:, made.rig.channel("LeftLowerLeg.rotate.x")].any()


def test_what_cannot_be_retargeted_is_refused() -> None:
    source = actor("biped")
    with pytest.raises(MissingJoints):
        retarget(source.take("walk"), source, actor("lamp"))
    table = source.rig.channels
    moves = table.kind > Kind.TRANSLATE_Z
    fixed = replace(
        source.rig,
        channels=replace(
            table,
            **{
                name: getattr(table, name)[moves]
                for name in ("joint", "kind", "default", "low", "high", "stiffness")
            },
            label=tuple(np.array(table.label)[moves]),
        ),
    )
    with pytest.raises(BadValue, match="root that can be translated"):
        retarget(source.take("walk"), source, Actor("fixed", fixed))


CAPTURES = (
    "bvh/cmu/02_01_walk.bvh",
    "bvh/cmu/16_05_forward_jump.bvh",
    "bvh/cmu/75_17_medium_sit.bvh",
    "bvh/other-skeletons/pirouette.bvh",
    "bvh/other-skeletons/fair_jumping.bvh",
    "bvh/other-skeletons/rokoko_jesse_dance.bvh",
    "bvh/other-skeletons/cmu_jumping_jacks_30fps.bvh",
)


def few_frames(name: str, most: int = 40) -> tuple[Take, Actor]:
    """A capture at about ten frames a second."""
    source = actor(name)
    take = source.takes[0]
    times = np.arange(min(most, int(take.duration * 10))) / 10
    return Take(take.rig, Motion(take.name, times, values_at(take, times), 10.0)), source


@needs_data
@pytest.mark.parametrize("name", CAPTURES)
@pytest.mark.parametrize("other", ["biped", "gltf/kaykit/Knight.glb"])
def test_captures_fit_other_characters(name: str, other: str) -> None:
    take, source = few_frames(name)
    target = actor(other)
    plain, made = (retarget(take, source, target, plant=plant) for plant in (False, True))
    assert np.isfinite(made.base.values).all()
    assert np.quantile(apart(take, plain, source, target), 0.95) < 1.0


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("other", ["biped", "gltf/kaykit/Knight.glb", "gltf/RobotExpressive.glb"])
def test_all_captures_stay_finite(other: str) -> None:
    for path in sorted((DATA / "bvh").rglob("*.bvh")):
        take, source = few_frames(str(path.relative_to(DATA)))
        assert np.isfinite(retarget(take, source, actor(other)).base.values).all(), path.name


@needs_data
def test_exported_takes_stay_as_they_are_on_their_own_character() -> None:
    for name, shown in (
        ("gltf/kaykit/Knight.glb", "Walking_A"),
        ("gltf/CesiumMan.glb", "animation_0"),
    ):
        source = actor(name)
        take = source.take(shown)
        assert abs(world(retarget(take, source, source)) - world(take)).max() < 1e-6


@needs_data
def test_detached_feet_end_their_legs() -> None:
    take, source = few_frames("bvh/cmu/02_01_walk.bvh")
    target = actor("gltf/RobotExpressive.glb")
    made = world(retarget(take, source, target))[..., :3, 3]
    foot, end = (target.rig.joint(name) for name in ("Foot.L", "LowerLeg.L_end"))
    assert np.linalg.norm(made[:, foot] - made[:, end], axis=1).max() < 0.01 * 4.0
