"""The stances that were marked by hand: a file that other tests and a benchmark rely on."""

import itertools
import json
from collections import Counter
from pathlib import Path

MARKS = Path(__file__).resolve().parents[2] / "benchmarks" / "stances" / "marks.json"
KINDS = {"run": 3, "jump": 3, "dance": 3, "kick": 2, "walk": 3, "sneak": 1, "sit": 1, "pick-up": 1}


def marks():
    return json.loads(MARKS.read_text())


def test_every_kind_of_motion_is_marked():
    count = Counter(clip["kind"] for clip in marks()["clips"])
    assert all(count[kind] >= least for kind, least in KINDS.items())


def test_both_halves_hold_every_kind():
    count = Counter(clip["kind"] for clip in marks()["clips"])
    assert min(count.values()) >= 2


def test_stances_lie_in_order_within_the_frames_that_were_looked_at():
    table = marks()
    for clip in table["clips"]:
        first, last = clip["frames"]
        assert set(clip["stances"]) == set(table["skeletons"][clip["skeleton"]])
        for stances in clip["stances"].values():
            edges = [edge for stance in stances for edge in stance]
            assert first <= min(edges)
            assert max(edges) <= last
            assert all(a <= b for a, b in stances)
            assert all(a[1] + 1 < b[0] for a, b in itertools.pairwise(stances))
