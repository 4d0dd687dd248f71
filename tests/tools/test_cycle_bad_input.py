"""Performances of which no loop can be made: one clear sentence each, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arcwright
from arcwright import Character, Motion, Scene, Take
from arcwright.arrays import Floats
from arcwright.cli import main
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.tools.cycle.extraction.model import PerformedSamples, extract, periods, signal_of
from arcwright.tools.cycle.extraction.phase import align
from points import points_rig
from random_cases import examples

RATE = 60.0


def moving(values: Floats, rate: float = RATE) -> Character:
    """A character of one point that moves as the values (N, 3) do."""
    rig = points_rig(1)
    take = Take(rig, Motion("acted", np.arange(len(values)) / rate, values, rate))
    return Character("point", rig, (take,))


def circle(seconds: float, period: float, rate: float = RATE) -> Floats:
    angle = 2 * np.pi * np.arange(round(seconds * rate)) / rate / period
    return np.stack([np.cos(angle), np.sin(angle), 0.3 * np.sin(2 * angle)], axis=1)


def command(
    values: Floats, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, object], str]:
    """Exit code, JSON and the sentence for people that the command gives."""
    path = folder / "acted.arc.glb"
    arcwright.write(Scene("acted", (moving(values),)), path)
    code = main(["cycle", str(path), "--json", "--out", str(folder / "loop.arc.glb")])
    result = json.loads(capsys.readouterr().out)
    assert main(["cycle", str(path)]) == code
    return code, result, capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.zeros((300, 3)), "nothing moves"),
        (circle(2.0, 2.0), "no movement comes back"),
        (circle(0.05, 1.0), "there are only 3 samples"),
        (circle(0.02, 1.0), "there are only 1 samples"),
        (np.random.default_rng(0).normal(size=(300, 3)).cumsum(axis=0), "no movement comes back"),
    ],
    ids=["a standstill", "one single cycle", "three samples", "one sample", "a random walk"],
)
def test_an_honest_no_has_a_reason_and_exit_code_0(
    values: Floats, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result, sentence = command(values, tmp_path, capsys)
    assert code == 0
    assert result["period"] is None
    assert result["reason"] == reason
    assert sentence == f"acted does not repeat: {reason}"
    assert not (tmp_path / "loop.arc.glb").exists()
    assert result["alternatives"] is not None


def test_of_two_movements_one_is_looped() -> None:
    circles = circle(6.0, 1.0)
    angle = 2 * np.pi * np.arange(round(6.0 * RATE)) / RATE / 1.7
    swings = np.stack([0 * angle, 0.8 * np.sin(angle), 0.8 * np.cos(3 * angle)], axis=1)
    character = moving(np.concatenate([circles, swings]))
    found = arcwright.cycle(character.takes[0], actor=character)
    assert found.period is not None
    near = [min(abs(found.period / true - 1) for true in (1.0, 1.7))]
    assert min(near) < 0.05
    assert found.cycle is not None
    assert not all(found.cycle.used)  # cycles of the other movement do not take part
    loop = found.loop(tolerance=0.01)
    assert loop.closure.position < 0.01
    truth = {1.0: circles, 1.7: swings}[min((1.0, 1.7), key=lambda t: abs(found.period / t - 1))]  # type: ignore[operator]
    assert found.motion is not None
    nearest = [np.linalg.norm(truth - each, axis=1).min() for each in found.motion.values]
    assert max(nearest) < 0.15


def test_damaged_samples_are_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = circle(4.0, 1.0)
    values[17, 1] = np.nan
    time = np.arange(len(values)) / RATE
    with pytest.raises(BadValue, match="sample 17"):
        PerformedSamples(time, values, values)
    path = tmp_path / "acted.bvh"
    arcwright.write(Scene("acted", (moving(circle(4.0, 1.0)),)), path)
    whole = path.read_text()
    path.write_text(whole[: whole.index("MOTION") - 20])
    assert main(["cycle", str(path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert main(["cycle", str(tmp_path / "missing.bvh")]) == 2


def test_a_damaged_number_in_a_file_is_repaired_and_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "acted.bvh"
    arcwright.write(Scene("acted", (moving(circle(4.0, 1.0)),)), path)
    lines = path.read_text().splitlines()
    lines[-5] = " ".join(["nan", *lines[-5].split()[1:]])
    path.write_text("\n".join(lines) + "\n")
    assert main(["cycle", str(path), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["period"] == pytest.approx(1.0, rel=0.02)
    assert result["warnings"]
    assert main(["cycle", str(path)]) == 0
    assert result["warnings"][0] in capsys.readouterr().err


@pytest.mark.parametrize("minutes", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_minutes_at_120_hz_are_looped(minutes: int) -> None:
    time = np.arange(minutes * 7_200) / 120
    phase = 2 * np.pi * (time / 1.1 + 0.1 * np.sin(time))
    values = np.stack([np.sin(phase), np.cos(phase), np.sin(2 * phase + 1)], axis=1)
    samples = PerformedSamples(time, values, values)
    signal = signal_of(samples)
    best = periods(samples, signal)[0]
    cycle = extract(samples, signal, align(signal, best), 60)
    assert cycle.period == pytest.approx(1.1, rel=0.01)
    assert cycle.closure.velocity < 0.01
    assert len(cycle.used) > 50 * minutes


@settings(examples(12, 60), deadline=None)
@given(
    unit=st.sampled_from([1e-6, 1e-3, 1.0, 1e3, 1e6]),
    rate=st.sampled_from([5.0, 24.0, 60.0, 240.0]),
    doubled=st.booleans(),
    backwards=st.booleans(),
    still=st.booleans(),
)
def test_units_rates_doubled_frames_and_direction_leave_the_period(
    unit: float, rate: float, doubled: bool, backwards: bool, still: bool
) -> None:
    values = unit * circle(12.0, 2.0, rate)
    if doubled:
        values = np.repeat(values[::2], 2, axis=0)
    if backwards:
        values = values[::-1]
    if still:  # one coordinate does not move
        values[:, 2] = unit
    character = moving(values, rate)
    with np.errstate(all="raise", under="ignore"):
        found = arcwright.cycle(character.takes[0], actor=character)
    assert found.period == pytest.approx(2.0, rel=0.005)
    assert found.cycle is not None
    assert found.cycle.closure.position < 0.01
    assert len(found.cycle.loop) == round(2 * rate)


def swinging(signs: Floats) -> Character:
    """An arm that swings in circles, by quaternions with these signs (N,)."""
    kinds = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
    channels = ChannelTable(
        joint=np.ones(4, int),
        kind=np.array(kinds),
        default=np.array([1.0, 0.0, 0.0, 0.0]),
        low=np.full(4, -np.inf),
        high=np.full(4, np.inf),
        stiffness=np.ones(4),
        label=("",) * 4,
    )
    rig = Rig(
        names=("Root", "Arm", "Hand"),
        parents=np.array([-1, 0, 1]),
        offset=np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0]]),
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)),
        scale=np.ones((3, 3)),
        modes=("XYZ", "quaternion", "XYZ"),
        channels=channels,
    )
    vectors = circle(len(signs) / RATE, 1.0)
    values = signs[:, None] * quaternion_from_vector(vectors)
    take = Take(rig, Motion("swings", np.arange(len(signs)) / RATE, values, RATE))
    return Character("arm", rig, (take,))


def test_signs_of_quaternions_do_not_matter() -> None:
    random = np.random.default_rng(0)
    loops = []
    for signs in (np.ones(300), random.choice([-1.0, 1.0], size=300)):
        character = swinging(signs)
        found = arcwright.cycle(character.takes[0], actor=character)
        assert found.period == pytest.approx(1.0, rel=0.005)
        assert found.motion is not None
        loops.append(arcwright.forward(character.rig, found.motion.values)[:, 2, :3, 3])
    assert abs(loops[0] - loops[1]).max() < 1e-9
