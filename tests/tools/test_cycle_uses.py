"""What is made of a cycle: a chosen start, a mirrored half, longer takes, files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright import Clip, Motion, Scene, Take
from arcwright.arrays import Floats
from arcwright.cli import main
from arcwright.errors import BadValue
from arcwright.kinematics.mirror import mirror_of
from arcwright.kinematics.sample import values_at
from walks import RATE, walk


def places(take: Take, time: Floats) -> Floats:
    return np.asarray(arcwright.forward(take.rig, values_at(take, time))[..., :3, 3])


def largest_step(motion: Motion, rig: arcwright.Rig) -> float:
    moved = arcwright.forward(rig, motion.values)[..., :3, 3]
    return float(np.linalg.norm(np.diff(moved, axis=0), axis=-1).max())


@pytest.mark.slow
def test_the_loop_starts_with_the_moment_that_was_chosen() -> None:
    character, duration = walk(stride=0.0)
    take = character.takes[0]
    for start in (0.2, 0.55, 2.0):
        found = arcwright.cycle(take, actor=character, start=start)
        clip = found.loop(tolerance=0.002).clip
        first = places(Take(take.rig, clip), np.zeros(1))[0]
        assert abs(first - places(take, np.array([start]))[0]).max() < 0.02
        assert min(abs(start - each) % duration for each in found.starts) < 0.02
    with pytest.raises(BadValue, match="a moment of the take"):
        arcwright.cycle(take, actor=character, start=99.0)


def limping(character: arcwright.Character) -> Take:
    """The walk with a right arm that hangs still."""
    take = character.takes[0]
    assert isinstance(take.base, Motion)
    values = take.base.values.copy()
    rig = take.rig
    joint = rig.joint("RightUpperArm")
    own = np.isin(rig.channels.joint, [joint, *np.flatnonzero(rig.parents == joint)])
    values[:, own] = values[:1, own]
    return Take(rig, Motion("limp", take.base.time, values, RATE))


@pytest.mark.parametrize("turn", [0.0, 0.5])
def test_the_second_half_is_the_first_in_the_mirror(turn: float) -> None:
    character, _ = walk(turn)
    take = limping(character)
    found = arcwright.cycle(take, actor=character, mirror=True)
    assert found.motion is not None
    assert found.travel is not None
    values = found.motion.values[:-1]
    half = len(values) // 2
    assert len(values) == 2 * half
    mirror = mirror_of(take.rig)
    assert found.root is not None
    image = mirror.mirrored(
        values, found.root.joint, found.travel.start_heading, found.travel.start
    )
    here, there = (arcwright.forward(take.rig, each)[..., :3, 3] for each in (values, image))
    assert abs(np.roll(here, -half, axis=0) - there).max() < 1e-6
    assert found.travel.turn == 0
    assert found.loop(tolerance=0.002, travels=True).closure.velocity < 0.01


def test_a_loop_is_repeated_within_its_take() -> None:
    character, duration = walk()
    take = character.takes[0]
    found = arcwright.cycle(take, actor=character)
    longer = found.repeated(5, blend=0.3, travels=True)
    assert isinstance(longer.base, Motion)
    used = [each for each, kept in zip(found.starts, found.cycle.used, strict=True) if kept]  # type: ignore[union-attr]
    expected = take.duration - (used[-1] - used[0]) + 5 * duration
    assert longer.duration == pytest.approx(expected, abs=0.1)
    assert largest_step(longer.base, take.rig) < 1.15 * largest_step(take.base, take.rig)  # type: ignore[arg-type]
    hips = places(longer, longer.frame_times())[:, 0, 2]
    assert hips[-1] - hips[0] == pytest.approx(1.1 * longer.duration / duration, rel=0.05)
    start = np.array([0.0])
    assert abs(places(longer, start) - places(take, start)).max() < 1e-6


def test_a_loop_is_repeated_from_rest_to_rest() -> None:
    character, duration = walk(stride=0.0)
    found = arcwright.cycle(character.takes[0], actor=character)
    longer = found.repeated(2, blend=0.5, around="rest")
    assert longer.duration == pytest.approx(2 * duration + 1.0, abs=0.1)
    rig = longer.rig
    values = values_at(longer, np.array([0.0, longer.duration]))
    own = rig.channels.joint != found.root.joint  # type: ignore[union-attr]
    assert abs(values - rig.channels.default)[:, own].max() < 1e-6
    with pytest.raises(BadValue, match="repeat"):
        found.repeated(0)
    with pytest.raises(BadValue, match="blend"):
        found.repeated(2, blend=-1.0)
    with pytest.raises(BadValue, match="source or rest"):
        found.repeated(2, around="pose")  # type: ignore[arg-type]


def test_files_of_a_loop_show_no_frame_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    character, _ = walk(stride=0.0)
    acted = tmp_path / "acted.arc.glb"
    arcwright.write(Scene("acted", (character,)), acted)
    for name in ("loop.bvh", "loop.glb"):
        assert main(["cycle", str(acted), "--json", "--out", str(tmp_path / name)]) == 0
        result = json.loads(capsys.readouterr().out)
        frames = result["frames"]
        take = arcwright.read(tmp_path / name).characters[0].takes[0]
        if name.endswith("bvh"):
            assert isinstance(take.base, Motion)
            assert len(take.base.time) == frames
            moved = places(take, take.frame_times()).reshape(frames, -1)
            seam = np.linalg.norm(moved[0] - moved[-1])
            steps = np.linalg.norm(np.diff(moved, axis=0), axis=1)
            assert 0.5 * steps.min() < seam < 1.2 * steps.max()
        else:  # players by time go from the end to the start: both show the same pose
            assert take.duration == pytest.approx(frames / RATE, abs=1e-4)
            ends = places(take, np.array([0.0, take.duration]))
            assert abs(ends[0] - ends[1]).max() < 1e-4


def test_the_command_repeats_mirrors_and_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    character, duration = walk()
    acted, made = tmp_path / "acted.arc.glb", tmp_path / "made.arc.glb"
    other = Take(
        character.rig,
        Motion(
            "still", np.arange(30) / RATE, np.tile(character.rig.channels.default, (30, 1)), RATE
        ),
    )
    both = arcwright.Character("biped", character.rig, (other, character.takes[0]))
    arcwright.write(Scene("acted", (both,)), acted)
    base = ["cycle", str(acted), "--take", "walk", "--json", "--out", str(made)]
    assert main([*base, "--repeat", "3", "--blend", "0.2"]) == 0
    assert json.loads(capsys.readouterr().out)["frames"] > 3 * duration * RATE
    assert isinstance(arcwright.read(made).characters[0].takes[0].base, Motion)
    assert main([*base, "--start", "1.0", "--mirror"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert min(abs(each - 1.0) for each in result["starts"]) < 0.02
    assert result["clip_closure"]["velocity"] < 0.01
    base_clip = arcwright.read(made).characters[0].takes[0].base
    assert isinstance(base_clip, Clip)
    assert base_clip.loops
    assert main([*base, "--start", "99"]) == 2
    assert "a moment of the take" in capsys.readouterr().err
