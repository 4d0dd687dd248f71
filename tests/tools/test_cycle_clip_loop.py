"""Clips that are loops already: their period is known, whatever a search would find in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright import Clip, Curve, Take
from arcwright.arrays import Floats
from arcwright.characters import built_in, clip_names, names
from arcwright.scene.scene import Character
from data import DATA, needs_data

STILL = {"biped:juggle", "dinosaur:stand", "dragon:stand", "dragon:hover", "robot:hover"}
LOOPS = [
    name
    for name in (f"{each}:{clip}" for each in names() for clip in clip_names(each))
    if getattr(built_in(name).characters[0].takes[0].base, "loops", False) and name not in STILL
]


def the_take(name: str) -> tuple[Character, Take]:
    character = arcwright.read(name).characters[0]
    return character, character.takes[0]


def places(take: Take, time: Floats) -> Floats:
    world = arcwright.forward(take.rig, arcwright.sample(take, time).values)
    return np.asarray(world[..., :3, 3])


def not_said_to_loop(take: Take) -> Take:
    assert isinstance(take.base, Clip)
    return replace(take, base=replace(take.base, loops=False))


def test_there_are_built_in_loops() -> None:
    assert {"biped:walk", "biped:run", "dragon:fly", "spider:stride"} <= set(LOOPS)


@pytest.mark.parametrize("name", LOOPS)
def test_the_period_of_a_built_in_loop_is_its_length(name: str) -> None:
    character, take = the_take(name)
    found = arcwright.cycle(take, actor=character)
    assert found.period == pytest.approx(take.duration, abs=1e-9)
    assert found.cycles == [pytest.approx((0.0, take.duration))]
    assert (found.confidence, found.caution) == (1.0, None)
    assert found.cycle is not None
    assert found.motion is not None
    assert found.cycle.start == 0
    time = found.motion.time[:-1]
    own, in_place = places(take, time), places(Take(take.rig, found.motion), time)
    root = np.argmax(np.ptp(own, axis=0).sum(axis=-1) > 0)
    away = own[:, root] - in_place[:, root]
    assert in_place + away[:, None] == pytest.approx(own, abs=1e-6)


def test_a_loop_whose_halves_are_alike_is_as_long_as_one_of_them() -> None:
    character, take = the_take("biped:walk")
    assert isinstance(take.base, Clip)

    def twice(curve: Curve | None) -> Curve | None:
        if curve is None or len(curve) == 1:
            return curve
        later = replace(curve, time=curve.time + take.duration)
        return Curve(
            np.append(curve.time[:-1], later.time),
            np.append(curve.value[:-1], curve.value),
            np.concatenate([curve.tangent[:-1], curve.tangent]),
            np.concatenate([curve.handles[:-1], curve.handles]),
            np.append(curve.interpolation[:-1], curve.interpolation),
        )

    base = replace(
        take.base, curves=tuple(map(twice, take.base.curves)), duration=2 * take.duration
    )
    found = arcwright.cycle(replace(take, base=base), actor=character)
    assert found.period == pytest.approx(take.duration)
    assert found.caution is None
    assert [each.period for each in found.alternatives][1:] == [pytest.approx(2 * take.duration)]


def test_another_period_of_a_loop_can_be_chosen() -> None:
    character, take = the_take("biped:crouch")  # breathes twice, and sways once
    assert arcwright.cycle(take, actor=character).period == pytest.approx(take.duration)
    half = arcwright.cycle(take, actor=character, period=0.5 * take.duration)
    assert half.period == pytest.approx(0.5 * take.duration)
    assert len(half.cycles) == 2


@pytest.mark.parametrize("suffix", [".arc.glb", ".glb"])
def test_an_exported_loop_has_its_own_period(suffix: str, tmp_path: Path) -> None:
    character, take = the_take("biped:run")
    scene = arcwright.read("biped:run")
    arcwright.write(scene, tmp_path / f"run{suffix}")
    character = arcwright.read(tmp_path / f"run{suffix}").characters[0]
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.period == pytest.approx(take.duration, abs=1e-3)


def test_of_a_clip_that_ends_as_it_starts_the_whole_can_be_chosen() -> None:
    character, take = the_take("biped:jump")
    once = arcwright.cycle(take, actor=character)
    assert once.period is None
    assert once.reason is not None
    assert "ends as it starts" in once.reason
    chosen = arcwright.cycle(take, actor=character, period=once.alternatives[0].period)
    assert chosen.period == pytest.approx(take.duration)
    assert chosen.loop().closure.velocity < 0.01


def test_a_clip_that_goes_elsewhere_is_no_loop() -> None:
    character, take = the_take("biped:sit")
    found = arcwright.cycle(take, actor=character)
    assert (found.period, found.reason) == (None, "no movement comes back")


def test_steps_that_mirror_each_other_are_a_loop_that_no_file_says_is_one() -> None:
    character, take = the_take("biped:walk")
    found = arcwright.cycle(not_said_to_loop(take), actor=character)
    assert found.period == pytest.approx(take.duration)
    assert found.caution is not None
    assert "mirror each other" in found.caution


def test_wheels_that_only_turn_move() -> None:
    character, take = the_take("car:drive")
    found = arcwright.cycle(take, actor=character)
    assert found.reason != "nothing moves"
    still = arcwright.read("robot:hover").characters[0]
    assert arcwright.cycle(still.takes[0], actor=still).reason == "nothing moves"


@needs_data
@pytest.mark.parametrize(
    ("file", "name", "period"),
    [
        ("Fox.glb", "Walk", 0.708),
        ("CesiumMan.glb", "animation_0", 2.0),
        ("RobotExpressive.glb", "Walking", 0.958),
        ("RobotExpressive.glb", "Idle", 1.667),
        ("quaternius/Trex.glb", "Armature|TRex_Walk", 1.375),
        ("quaternius/Wasp.glb", "WaspArmature|Wasp_Flying", 0.25),
        ("kenney/character.glb", "walk", 0.433),
        ("RobotExpressive.glb", "Jump", None),
        ("Fox.glb", "Run", None),  # its two sides do not mirror each other
    ],
)
def test_periods_of_clips_of_other_exporters(file: str, name: str, period: float | None) -> None:
    character = arcwright.read(DATA / "gltf" / file).characters[0]
    take = next(each for each in character.takes if each.name == name)
    found = arcwright.cycle(take, actor=character)
    assert found.period == (None if period is None else pytest.approx(period, abs=1e-3))
