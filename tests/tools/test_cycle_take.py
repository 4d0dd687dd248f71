"""The cycle of a take: its root, its loop as a clip, and the way it goes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright import Motion, Take
from arcwright.arrays import Floats
from arcwright.cli import main
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_rotate
from data import DATA, needs_data
from walks import CYCLES, RATE, walk

BESIDE_THE_STEP = 32  # frames after the start of the loop of `walk(0.5)`


def places(take: Take, time: Floats) -> Floats:
    world = arcwright.forward(take.rig, arcwright.sample(take, time).values)
    return np.asarray(world[..., :3, 3])


@pytest.mark.parametrize("turn", [0.0, 0.5, -0.9])
def test_stride_and_turn_of_a_walk_are_found(turn: float) -> None:
    character, duration = walk(turn)
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.period == pytest.approx(duration, rel=0.01)
    assert found.travel is not None
    chord = 1.1 * (2 * np.sin(turn / 2) / turn if turn else 1.0)
    assert np.hypot(*found.travel.stride[[0, 2]]) == pytest.approx(chord, rel=0.03)
    assert found.travel.turn == pytest.approx(turn, abs=0.01)


@pytest.mark.parametrize("turn", [0.0, 0.5])
def test_a_travelling_loop_goes_on_where_it_ends(turn: float) -> None:
    character, _ = walk(turn)
    found = arcwright.cycle(character.takes[0], actor=character)
    clip = found.loop(travels=True, tolerance=0.002).clip
    ends = places(Take(found.take.rig, clip), np.array([0.0, clip.duration]))
    spin = quaternion_from_vector(np.array([0.0, turn, 0.0]))
    start, end = ends[0] - ends[0, :1], ends[1] - ends[1, :1]
    assert abs(quaternion_rotate(spin, start) - end).max() < 0.004
    assert np.hypot(*(ends[1, 0] - ends[0, 0])[[0, 2]]) > 1.0
    closure = found.loop(travels=True, tolerance=0.002).closure
    assert closure.position < 0.01
    assert closure.velocity < 0.01


def test_a_loop_that_turns_starts_where_it_goes_on_without_a_jerk() -> None:
    character, _ = walk(0.5)
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.motion is not None
    late = np.roll(found.motion.values[:-1], -BESIDE_THE_STEP, axis=0)
    motion = replace(found.motion, values=np.concatenate([late, late[:1]]))
    chosen = replace(found, motion=motion, exact_start=True).loop(travels=True, tolerance=0.05)
    free = replace(found, motion=motion).loop(travels=True, tolerance=0.05)
    assert chosen.shift == 0
    assert chosen.closure.acceleration > 1  # what the free one avoids
    assert free.closure.acceleration <= 0.6
    assert abs(free.shift) < len(late) // 2
    assert free.error <= 0.05


def changed(take: Take, values: Floats) -> Take:
    assert isinstance(take.base, Motion)
    return replace(take, base=replace(take.base, values=values))


def test_a_calibration_pose_before_the_motion_takes_no_part() -> None:
    character, duration = walk()
    take = character.takes[0]
    assert isinstance(take.base, Motion)
    values = np.array(take.base.values)
    values[:2] = take.rig.channels.default
    values[:2, 0] += 4.0
    plain = arcwright.cycle(take, actor=character)
    found = arcwright.cycle(changed(take, values), actor=character)
    assert found.period == pytest.approx(duration, rel=0.01)
    assert found.travel is not None
    assert plain.travel is not None
    assert found.travel.stride == pytest.approx(plain.travel.stride, abs=0.01)
    assert found.cycle is not None
    assert plain.cycle is not None
    assert found.cycle.error == pytest.approx(plain.cycle.error, rel=0.1)


def test_a_walk_over_uneven_ground_is_found_by_its_poses() -> None:
    character, duration = walk()
    take = character.takes[0]
    assert isinstance(take.base, Motion)
    values = np.array(take.base.values)
    place = np.arange(len(values)) / RATE / duration
    heights = np.interp(place, 0.7 * np.arange(7), [0, 1, 0, -1, 0.3, 1.2, -0.7])
    values[:, 1] += 0.6 * heights
    found = arcwright.cycle(changed(take, values), actor=character)
    assert found.period == pytest.approx(duration, rel=0.03)


def test_a_loop_in_place_is_the_walk_and_closes() -> None:
    character, duration = walk()
    found = arcwright.cycle(character.takes[0], actor=character)
    loop = found.loop(tolerance=0.002)
    clip = loop.clip
    assert clip.loops
    assert loop.error <= 0.002
    assert clip.duration == pytest.approx(duration, abs=0.6 / RATE)
    for curve in clip.curves:
        if curve is not None and len(curve) > 1:
            assert curve.value[0] == pytest.approx(curve.value[-1], abs=1e-6)
            first, last = curve.tangent[0, 1], curve.tangent[-1, 0]
            assert first[1] / first[0] == pytest.approx(last[1] / last[0], abs=1e-9)
    assert 3 <= loop.key_poses <= 30
    assert loop.closure.position < 0.01
    assert loop.closure.velocity < 0.01
    assert loop.closure.acceleration <= 1


def test_bad_arguments_are_refused() -> None:
    character, _ = walk()
    take = character.takes[0]
    with pytest.raises(UnknownName, match="LeftHand"):
        arcwright.cycle(take, joints=["LeftHnd"])
    with pytest.raises(BadValue, match="average or best or latest"):
        arcwright.cycle(take, shape="mean")  # type: ignore[arg-type]
    still = Take(take.rig, Motion("still", take.base.time, 0 * take.base.values, RATE))  # type: ignore[union-attr]
    found = arcwright.cycle(still)
    assert (found.period, found.reason) == (None, "nothing moves")
    with pytest.raises(BadValue, match="nothing moves"):
        found.loop()


def test_the_command_prints_and_writes_the_loop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    character, duration = walk()
    acted, looped = tmp_path / "acted.arc.glb", tmp_path / "loop.arc.glb"
    arcwright.write(arcwright.Scene("acted", (character,)), acted)
    assert main(["cycle", str(acted), "--json", "--out", str(looped)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["period"] == pytest.approx(duration, rel=0.01)
    assert len(result["cycles"]) >= CYCLES - 1
    assert result["closure"]["velocity"] < 0.01
    assert result["alternatives"][0]["confidence"] > 0.8
    (take,) = arcwright.read(looped).characters[0].takes
    assert isinstance(take.base, arcwright.Clip)
    assert take.base.loops
    assert main(["cycle", "biped:stand", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["period"] is None


@needs_data
@pytest.mark.parametrize(
    ("name", "period"),
    [("105_29_normal_walk_long", 1.33), ("02_05_punches", 1.46), ("138_01_march", 1.24)],
)
def test_cycles_of_captures(name: str, period: float) -> None:
    character = arcwright.read(DATA / "bvh" / "cmu" / f"{name}.bvh").characters[0]
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.period == pytest.approx(period, rel=0.05)
    assert found.cycle is not None
    assert found.cycle.closure.position < 0.01
    assert found.cycle.closure.velocity < 0.01


@needs_data
def test_a_pickup_that_is_seen_once_with_parts_beside_it_has_a_caution() -> None:
    path = DATA / "bvh" / "cmu" / "143_10_pickup_toolbox.bvh"
    character = arcwright.read(path).characters[0]
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.cycle is None or found.caution is not None


@needs_data
def test_the_published_method_prints_json_without_nan(capsys: pytest.CaptureFixture[str]) -> None:
    def refused(constant: str) -> None:
        raise AssertionError(constant)

    path = DATA / "bvh" / "cmu" / "02_01_walk.bvh"
    assert main(["cycle", str(path), "--method", "paper", "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=refused)
    assert found["period"] is not None
    assert found["error"] is None


def test_a_movement_seen_only_twice_is_looped_with_caution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    character, duration = walk()
    take = character.takes[0]
    assert isinstance(take.base, Motion)
    often = arcwright.cycle(take, actor=character)
    assert often.caution is None
    frames = int(2.05 * duration * RATE)
    short = replace(take.base, time=take.base.time[:frames], values=take.base.values[:frames])
    twice = arcwright.cycle(replace(take, base=short), actor=character)
    assert twice.period == pytest.approx(duration, rel=0.02)
    assert twice.caution == (
        "the movement is seen only 2.0 times: it may have been repeated by chance"
    )
    assert twice.confidence < 0.6 < often.confidence
    brief = replace(character, takes=(replace(take, base=short),))
    path = tmp_path / "brief.arc.glb"
    arcwright.write(arcwright.Scene("brief", (brief,)), path)
    assert main(["cycle", str(path)]) == 0
    assert f"caution: {twice.caution}" in capsys.readouterr().out
