"""Hops: searches, what counts as good, sequences, and the file that keeps them."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from arcwright import hop_search
from arcwright.characters import built_in
from arcwright.cli import main
from arcwright.compiled import library as compiled
from arcwright.errors import BadFile, BadValue, UnknownName
from arcwright.tools.autocomplete.hops.annealing import paper_search, shaped_search
from arcwright.tools.autocomplete.hops.database import read_database, write_database
from arcwright.tools.autocomplete.hops.energy import Style, paper_energy, shaped_energy
from arcwright.tools.autocomplete.hops.gate import Gate, faults, lasts, passes_loosely
from arcwright.tools.autocomplete.hops.hop_measures import measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.lamp_take import take_of
from arcwright.tools.autocomplete.hops.pose_graph import PoseGraph, Schedule, graph_of
from arcwright.tools.autocomplete.hops.selection import LEAST, distinct, nearest
from arcwright.tools.autocomplete.hops.sequence import AIR, FRAMES, KEYS, sequence_of
from arcwright.tools.autocomplete.hops.simulation import simulate
from builders import arm_scene
from hopping import GRAPH, database

LAMP = Lamp()
BUILT = pytest.mark.skipif(compiled.library is None, reason="takes minutes where not compiled")


@pytest.fixture(scope="module")
def run():
    return simulate(LAMP, GRAPH)


@pytest.fixture(scope="module")
def measures(run):
    return measure(LAMP, run)


def test_a_good_graph_hops_three_times_and_passes(measures):
    assert measures.hops == 3
    assert faults(measures, Gate()) == ()
    assert lasts(LAMP, GRAPH, measures, Gate())
    assert passes_loosely(measures)


def test_each_fault_is_named(measures):
    for name, worse in {
        "fall": {"fell": True},
        "hops": {"lift": measures.lift[:2]},
        "distance": {"distance": np.full(3, 0.01)},
        "height": {"height": np.full(3, 0.01)},
        "uneven": {"distance": np.array([0.1, 0.2, 0.3])},
        "bounce": {"bounce": 0.01},
        "tilt": {"steepest": 1.0},
        "slide": {"slide": 1.0},
        "unrest": {"unrest": 0.1},
    }.items():
        assert faults(replace(measures, **worse), Gate()) == (name,)


def test_a_graph_that_falls_later_does_not_last(measures):
    tumbling = PoseGraph(GRAPH.durations * [1, 1, 0.3, 0.5], GRAPH.targets)
    assert not lasts(LAMP, tumbling, measures, Gate())


def test_measures_are_those_of_the_states(run, measures):
    for hop in range(3):
        a, b = measures.lift[hop], measures.land[hop]
        assert not run.contact[a + 1 : b].any()
        assert run.contact[a]
        assert run.contact[b]
        assert measures.distance[hop] == run.states[b, 0] - run.states[a, 0]
        assert measures.flight[hop] == pytest.approx((b - a) * run.step)
        fall = LAMP.gravity * measures.flight[hop] ** 2 / 8  # of a point that flies as long
        assert 0.5 * fall < measures.height[hop] < 1.6 * fall


def test_energies_prefer_what_they_name(measures):
    farther = replace(measures, travel=measures.travel + 1, highest=measures.highest + 0.5)
    assert paper_energy(farther, 0.5) == pytest.approx(paper_energy(measures, 0.5) - 0.75)
    style = Style(measures.distance.mean(), measures.height.mean(), 0.73, measures.lean.mean())
    best = shaped_energy(measures, style, 0.73)
    assert best < 0.5
    for worse in (
        {"fell": True, "share": 0.5},
        {"distance": -measures.distance},
        {"bounce": 0.02},
        {"unrest": 0.3},
        {"slide": 0.2},
    ):
        assert shaped_energy(replace(measures, **worse), style, 0.73) > best + 0.3


@BUILT
def test_a_search_is_the_same_again_and_another_with_another_seed():
    one, two, other = (shaped_search(LAMP, (0, run), 12)[0] for run in (1, 1, 2))
    assert np.array_equal(one.graph.numbers, two.graph.numbers)
    assert not np.array_equal(one.graph.numbers, other.graph.numbers)


@BUILT
def test_annealing_ends_with_the_least_energy_it_met():
    traces = []
    best, _ = shaped_search(LAMP, (0, 3), 40, traces.append)
    assert best.energy <= min(trace.current for trace in traces)
    assert all(0 <= trace.acceptance <= 1 for trace in traces)


@BUILT
def test_the_paper_cools_by_half_in_a_thousand_steps():
    traces = []
    paper_search(LAMP, (0, 0), traces.append, iterations=30)
    assert traces[0].temperature == 2.0
    ratio = traces[-1].temperature / traces[0].temperature
    assert ratio == pytest.approx(0.999307 ** (1000 * 29 / 30))


def test_a_sequence_has_the_layout_of_the_paper(run, measures):
    sequence = sequence_of(run, measures)
    assert FRAMES == len(sequence.states) == 93
    assert KEYS == (0, 13, 26, 33, 46, 59, 66, 79, 92)
    assert (~sequence.contact).sum() == 3 * AIR
    assert np.flatnonzero(sequence.contact[1:] != sequence.contact[:-1]).tolist() == [
        *(0, 25, 33, 58, 66, 91),
    ]
    assert (np.diff(sequence.time) > 0).all()
    for hop in range(3):
        lift, apex, land = KEYS[3 * hop : 3 * hop + 3]
        assert np.array_equal(sequence.states[lift], run.states[measures.lift[hop]])
        assert np.array_equal(sequence.states[land], run.states[measures.land[hop]])
        assert sequence.states[apex, 1] > 0.9 * sequence.states[lift:land, 1].max()
        assert sequence.time[land] - sequence.time[lift] == pytest.approx(measures.flight[hop])


def test_a_sequence_needs_three_hops(run, measures):
    with pytest.raises(BadValue, match="3 hops"):
        sequence_of(run, replace(measures, lift=measures.lift[:2]))


def test_a_database_is_read_as_it_was_written(tmp_path):
    hops, path = database(), tmp_path / "hops.npz"
    write_database(hops, path)
    again = read_database(path)
    for name in ("states", "time", "contact", "keys", "run", "policy"):
        assert np.array_equal(getattr(again, name), getattr(hops, name)), name
        assert getattr(again, name).dtype == getattr(hops, name).dtype
    first = path.read_bytes()
    write_database(again, path)
    assert path.read_bytes() == first
    with np.load(path) as file:
        assert file["names"].tolist() == ["base x", "base y", "base angle", "leg", "neck", "head"]
        assert np.allclose(file["frame_time"] * 92, again.time[:, -1])


def test_a_policy_of_a_database_can_be_simulated_again():
    hops = database(1)
    graph = graph_of(hops.policy[0])
    run = simulate(LAMP, graph)
    again = sequence_of(run, measure(LAMP, run))
    assert np.abs(again.states - hops.states[0]).max() < 0.02


@pytest.mark.parametrize("damage", ["empty", "cut", "text", "missing", "version", "shape", "nan"])
def test_a_damaged_database_is_refused(tmp_path, damage):
    path = tmp_path / "hops.npz"
    write_database(database(), path)
    with np.load(path) as file:
        arrays = dict(file)
    if damage == "missing":
        del arrays["keys"]
    elif damage == "version":
        arrays["version"] = np.array(99)
    elif damage == "shape":
        arrays["states"] = arrays["states"][:, :-1]
    elif damage == "nan":
        arrays["states"][0, 0, 0] = np.nan
    np.savez(path, **arrays)
    if damage in ("empty", "cut", "text"):
        data = path.read_bytes()
        path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "text": b"hops"}[damage])
    with pytest.raises(BadFile):
        read_database(path)


@pytest.mark.filterwarnings("ignore")
def test_a_database_with_changed_bytes_is_read_or_refused(tmp_path):
    path, random = tmp_path / "hops.npz", np.random.default_rng(5)
    write_database(database(1), path)
    whole = np.frombuffer(path.read_bytes(), np.uint8)
    refused = 0
    for _ in range(60):
        changed = whole.copy()
        changed[random.integers(len(whole), size=3)] = random.integers(256, size=3)
        path.write_bytes(changed.tobytes())
        try:
            read_database(path)
        except BadFile:
            refused += 1
    assert refused > 30


def test_a_schedule_that_ends_too_early_is_refused():
    with pytest.raises(BadValue, match="above 10"):
        Schedule(np.array([10]), np.zeros((1, 3)), 10)


def test_sequences_too_much_alike_are_left_out():
    states = database(3).states.astype(float)
    states[1] = states[0] + 1e-4
    assert distinct(states).tolist() == [0, 2]
    assert nearest(states[[0, 2]]).min() >= LEAST
    assert nearest(states).min() < LEAST


def test_a_take_plays_on_the_lamp():
    hops = database(1)
    rig = built_in("lamp").characters[0].rig
    take = take_of(rig, hops.states[0], 30.0)
    assert take.frame_count == 93
    timed = take_of(rig, hops.states[0], time=hops.time[0])
    assert timed.duration == pytest.approx(float(hops.time[0, -1]))
    with pytest.raises(UnknownName):
        take_of(arm_scene().characters[0].rig, hops.states[0])
    with pytest.raises(BadValue):
        take_of(rig, hops.states[0, :, :5])


@BUILT
def test_a_block_of_runs_writes_what_is_good(tmp_path):
    task = {"search": "shaped", "seed": 0, "first": 1, "runs": 1}
    (tmp_path / "task.json").write_text(json.dumps(task))
    counts = hop_search.search_block(str(tmp_path / "task.json"), str(tmp_path / "found.npz"))
    found = read_database(tmp_path / "found.npz")
    assert counts["runs"] == 1
    assert counts["good"] == len(found) == 1 - bool(counts["faults"])
    assert (found.run == 1).all()


@pytest.mark.parametrize(
    ("flag", "value"), [("--count", "0"), ("--workers", "0"), ("--search", "none")]
)
def test_the_command_refuses_what_makes_no_sense(tmp_path, capsys, flag, value):
    with pytest.raises(SystemExit):
        main(["hops", "--out", str(tmp_path / "hops.npz"), flag, value])
    assert flag in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "flags", "said"), [("hops.npz", ["--seed", "-1"], "seed"), ("hops.txt", [], "out")]
)
def test_the_command_says_in_one_line_what_is_wrong(tmp_path, capsys, name, flags, said):
    assert main(["hops", "--out", str(tmp_path / name), *flags]) == 2
    assert capsys.readouterr().err.startswith(f"arcwright: {said}: expected ")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@BUILT
def test_a_larger_database_goes_on_from_a_smaller_one(tmp_path, monkeypatch):
    monkeypatch.setattr(hop_search, "BLOCK", 1)
    path, seen = tmp_path / "hops.npz", []
    first = hop_search.collect(1, path, workers=1, progress=seen.append)
    one = read_database(path)
    assert seen[0].runs == 0
    assert seen[-1] == first
    assert len(one) == 1 <= first.sequences
    begun = time.time_ns()
    hop_search.collect(first.sequences, path, workers=1)
    more = read_database(path)
    assert len(more) == first.sequences
    assert np.array_equal(more.states[0], one.states[0])
    found = (tmp_path / "hops.npz.runs").glob("*.npz")
    assert all(each.stat().st_mtime_ns < begun for each in found)  # nothing was searched again


@BUILT
@pytest.mark.slow
def test_a_collected_database_depends_on_its_seed_alone_and_is_good(tmp_path):
    one, two = tmp_path / "one" / "hops.npz", tmp_path / "two" / "hops.npz"
    for path in (one, two):
        path.parent.mkdir()
    state = hop_search.collect(6, one, workers=1)
    hop_search.collect(2, two, workers=2)
    hop_search.collect(6, two, workers=2)
    assert one.read_bytes() == two.read_bytes()
    hops = read_database(one)
    assert len(hops) == 6 <= state.good
    assert nearest(hops.states).min() >= LEAST
    for row in range(len(hops)):
        graph = graph_of(hops.policy[row])
        own = measure(LAMP, simulate(LAMP, graph))
        assert faults(own, Gate()) == ()
        assert lasts(LAMP, graph, own, Gate())
