"""The events that were marked by hand: files that a benchmark relies on."""

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

MARKS = Path(__file__).resolve().parents[2] / "benchmarks" / "events"
CLIPS = [json.loads(path.read_text()) for path in sorted(MARKS.glob("*.json"))]
KINDS = {
    "grab",
    "release",
    "contact start",
    "contact end",
    "reach",
    "rest start",
    "rest end",
    "turn",
    "closest",
}
ENDS = {"release": "grab", "contact end": "contact start"}
IN_BOTH_HALVES = {"point", "drink", "pick up", "sit"}

each_clip = pytest.mark.parametrize("clip", CLIPS, ids=[clip["clip"] for clip in CLIPS])


def test_there_are_enough_events_in_enough_clips():
    assert len(CLIPS) >= 12
    assert sum(len(clip["events"]) for clip in CLIPS) >= 80


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_both_halves_hold_the_common_motions(half):
    ours = [clip for clip in CLIPS if clip["half"] == half]
    assert 6 <= len(ours) <= 9
    assert {clip["motion"] for clip in ours} >= IN_BOTH_HALVES


@each_clip
def test_events_lie_in_order_within_the_frames_that_were_looked_at(clip):
    first, last = clip["frames"]
    frames = [frame for frame, *_ in clip["events"]]
    assert frames == sorted(frames)
    assert all(first <= frame <= last for frame in frames)
    assert all(event[1] in clip["elements"] for event in clip["events"])
    assert {event[2] for event in clip["events"]} <= KINDS


@each_clip
def test_one_moment_of_an_element_is_one_event(clip):
    count = Counter((event[0], event[1]) for event in clip["events"])
    assert not count or max(count.values()) == 1


@each_clip
def test_what_is_held_or_touched_is_a_prop_of_the_clip(clip):
    for event in clip["events"]:
        needs_prop = event[2] in {"grab", "release", "contact start", "contact end"}
        assert not needs_prop or len(event) == 4
        assert len(event) == 3 or event[1] in clip["props"][event[3]]["on"]


@each_clip
def test_props_are_let_go_by_what_held_them(clip):
    held = {(e, name) for name, prop in clip["props"].items() for e in prop.get("held_before", [])}
    for _, element, kind, *prop in clip["events"]:
        if kind in ENDS.values():
            assert (element, prop[0]) not in held
            held.add((element, prop[0]))
        if kind in ENDS:
            held.remove((element, prop[0]))


@each_clip
def test_no_rest_begins_within_a_rest(clip):
    for element in clip["elements"]:
        rests = [event[2] for event in clip["events"] if event[1] == element]
        assert ("rest start", "rest start") not in itertools.pairwise(rests)
