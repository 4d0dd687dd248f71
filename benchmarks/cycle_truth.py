"""Captured clips that repeat, with periods measured without any method under test.

Two kinds of truth. *Gaits*: walks, runs and marches by their labels; the events are peaks of each
foot's speed (prominence at least 0.45 of its 95th percentile), the period is the mean gap of one
foot's events, without gaps beyond 0.67 to 1.5 of the median (turns, missed steps). A clip counts if
that leaves at least three quarters of the gaps, which then vary by at most 12 %. A gait repeats if
one foot makes three swings, so that its gap is seen twice. Where each foot makes only two, often
one from a stand and one to a stop, nothing has repeated yet: those are *brief*, and are counted in
a row of their own. *Marked*: other movements, of which a person chose the part of the clip and the
coordinate of a joint whose peaks are the events. Forty-odd clips in which nothing repeats are
listed by name.

Subjects with odd numbers were looked at while the method was made, those with even ones were not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.mirror import other_side
from arcwright.kinematics.rotation import matrix_from_euler
from arcwright.tools.cycle.extraction.body_features import seen_from_root

FILE = Path(__file__).resolve().parents[2] / "shared" / "data" / "learn" / "cmu_30fps.npz"
RATE = 30.0
FEET = ("LeftFoot", "RightFoot")
TOES = ("LeftToeBase", "RightToeBase")
HANDS = ("LeftHand", "RightHand")
GAIT = re.compile(r"walk|run|jog|march|sneak|stairs", re.IGNORECASE)
OTHER = re.compile(
    r"pick|scramble|attack|jump|dive|roll|sidewalk|catch|low-five|high-five|stretches|coffee|search"
    r"|hop",
    re.IGNORECASE,
)
# clip, from and to (s), joints, axis, peaks (1) or lows (-1), prominence (m), least gap (s)
MARKED = (
    ("22_16", 0, 3.6, HANDS[:1], 1, -1, 0.3, 0),  # jumping jacks
    ("14_20", 0, 3.7, HANDS[:1], 1, -1, 0.3, 0),
    ("14_20", 7.5, 14.2, TOES, 1, 1, 0.2, 0),  # kicks
    ("14_20", 14.4, 21.8, HANDS[:1], 1, 1, 0.4, 0),  # bends
    ("14_14", 0, 3.8, HANDS[:1], 1, -1, 0.3, 0),
    ("14_14", 4, 8.2, TOES, 1, 1, 0.08, 0),  # jog on the spot
    ("14_14", 13.6, 19, TOES, 1, 1, 0.2, 0),
    ("02_05", 0, 15.5, HANDS[1:], 2, 1, 0.2, 0),  # punches
    ("143_23", 0, 6.8, HANDS, 2, 1, 0.2, 0),
    ("135_07", 0, 12.3, TOES, 1, 1, 0.5, 0),  # kicks of both feet
    ("20_01", 0, 10.7, ("Hips",), 1, -1, 0.1, 0),  # chicken dances
    ("21_01", 0, 10.7, ("Hips",), 1, -1, 0.1, 0),
    ("18_15", 0, 12.8, ("Hips",), 1, -1, 0.2, 0),
    ("19_15", 0, 12.8, ("Hips",), 1, -1, 0.2, 0),
    ("143_35", 0.5, 10, HANDS[:1], 2, 1, 0.3, 0),  # macarena
    ("120_05", 1.5, 10.2, TOES, 1, 1, 0.12, 0.9),  # dances
    ("120_06", 1, 9.4, TOES, 1, 1, 0.2, 0.9),
    ("120_07", 1.5, 8.3, TOES, 1, 1, 0.5, 0.9),
    ("143_28", 0, 4.2, HANDS[:1], 1, 1, 0.12, 0),  # sweeping
    ("79_30", 1, 6, HANDS[:1], 2, 1, 0.2, 0),  # pushing a swing
    ("79_93", 2, 9, HANDS[:1], 1, 1, 0.3, 0),  # weight lifting
    ("143_26", 1, 4.4, HANDS[:1], 1, 1, 0.05, 0),  # washing a window
    ("42_01", 1.2, 4.6, HANDS[:1], 2, 1, 0.15, 0),  # circling arms
    ("143_07", 0.6, 4.1, ("Hips",), 1, 1, 0.03, 0),  # sideways jumps
    ("01_01", 1, 7.5, ("Hips",), 1, 1, 0.15, 0),  # jumps
    ("01_01", 10, 16, ("Hips",), 1, 1, 0.15, 0),
    ("01_01", 17.5, 22.5, ("Hips",), 1, 1, 0.15, 0),
    ("124_11", 0, 8.3, TOES[:1], 1, 1, 0.15, 0),
    ("79_01", 0, 4.9, HANDS[:1], 1, 1, 0.3, 0),  # chopping wood
)
# golf swings, picking up, sitting, single jumps and kicks, a stretch, a drink
# fmt: off
WITHOUT = (
    "64_01", "64_02", "64_03", "64_04", "64_05", "64_06", "64_07", "64_08", "63_01", "64_26",
    "64_28", "64_30", "75_17", "75_18", "75_20", "143_18", "143_30", "83_42", "83_47", "83_50",
    "83_52", "83_54", "83_58", "83_60", "83_62", "83_64", "118_01", "118_05", "118_10", "118_15",
    "118_20", "118_25", "134_01", "134_05", "74_03", "74_05", "74_07", "88_06", "88_08", "105_39",
    "105_42", "105_46", "14_37", "79_38", "02_04", "82_04",
)
# fmt: on


@dataclass(frozen=True, eq=False)
class TrueClip:
    """Joint positions of a clip, seen from the hips and their heading, and its period."""

    name: str
    label: str
    subject: int
    features: Floats  # (N, 3 J) m, at 30 frames per second
    uneven: Floats  # (N, 3 J) m, with heights above the hips
    mirrored: Floats  # (N, 3 J) m, the features in the mirror
    period: float | None  # s; None if nothing repeats
    gaps: int  # between events
    kind: str  # gait, brief, marked or none

    @property
    def held_out(self) -> bool:
        """Whether the clip was kept for the last trial."""
        return self.subject % 2 == 0


def true_clips() -> list[TrueClip]:
    """All clips: gaits, marked ones, and those that do not repeat."""
    return [*_gaits(), *(_marked(*row) for row in MARKED), *map(_without, WITHOUT)]


@cache
def _data() -> dict[str, np.ndarray]:
    with np.load(FILE) as stored:
        return {name: stored[name] for name in stored.files}


@cache
def _clip(index: int) -> tuple[Floats, Floats, Floats]:
    """(N, J, 3) joint positions in the world, and seen from the hips and their heading;
    (N, 3 J) with heights above the hips."""
    data = _data()
    rows = data["values"][data["start"][index] : data["start"][index + 1]].astype(float)
    angles = np.radians(rows[:, 3:] / 50).reshape(len(rows), -1, 3)
    turns = matrix_from_euler(angles, "ZYX")
    world = np.zeros_like(turns)
    place = np.zeros((*turns.shape[:2], 3))
    for joint, parent in enumerate(data["parents"].tolist()):
        if parent < 0:
            world[:, joint], place[:, joint] = turns[:, joint], rows[:, :3] / 1000
        else:
            world[:, joint] = world[:, parent] @ turns[:, joint]
            offset = world[:, parent] @ data["offset"][index, joint]
            place[:, joint] = place[:, parent] + offset
    heading = np.unwrap(np.arctan2(world[:, 0, 0, 2], world[:, 0, 2, 2]))
    own, uneven = (
        seen_from_root(place, place[:, 0], heading, level=level) for level in (True, False)
    )
    return place, own.reshape(place.shape), uneven


def _gaits() -> list[TrueClip]:
    data, found = _data(), []
    for index, label in enumerate(data["label"].tolist()):
        if not GAIT.search(label) or OTHER.search(label):
            continue
        place, own, uneven = _clip(index)
        each = [_gaps(_speed(place[:, _joint(foot)]), 0.45) for foot in FEET]
        gaps = np.concatenate(each)
        if len(gaps) < 2:
            continue
        middle = np.median(gaps)
        even = gaps[(gaps > 0.67 * middle) & (gaps < 1.5 * middle)]
        if len(even) >= 0.75 * len(gaps) and even.std() <= 0.12 * even.mean():
            kind = "gait" if max(map(len, each)) >= 2 else "brief"
            found.append(_true(index, own, uneven, float(even.mean()), len(even), kind))
    return found


def _marked(
    name: str,
    start: float,
    end: float,
    joints: tuple[str, ...],
    axis: int,
    sign: int,
    prominence: float,
    least: float,
) -> TrueClip:
    index = _data()["name"].tolist().index(name)
    part = slice(int(start * RATE), int(end * RATE) + 1)
    _, own, uneven = _clip(index)
    gaps = []
    for joint in joints:
        line = _smooth(sign * own[:, _joint(joint), axis], 5)[part]
        events = _events(line, prominence)
        kept = [at for k, at in enumerate(events) if k == 0 or at - events[k - 1] > least]
        gaps.extend(np.diff(kept))
    return _true(index, own[part], uneven[part], float(np.mean(gaps)), len(gaps), "marked")


def _without(name: str) -> TrueClip:
    index = _data()["name"].tolist().index(name)
    _, own, uneven = _clip(index)
    return _true(index, own, uneven, None, 0, "none")


def _true(
    index: int, own: Floats, uneven: Floats, period: float | None, gaps: int, kind: str
) -> TrueClip:
    data = _data()
    name, label = str(data["name"][index]), str(data["label"][index])
    subject = int(data["subject"][index])
    features = own.reshape(len(own), -1)
    sides = [_joint(other_side(str(each))) for each in data["joints"]]
    mirrored = (own[:, sides] * [-1.0, 1.0, 1.0]).reshape(len(own), -1)
    return TrueClip(name, label, subject, features, uneven, mirrored, period, gaps, kind)


def _joint(name: str) -> int:
    return int(_data()["joints"].tolist().index(name))


def _speed(path: Floats) -> Floats:
    return _smooth(np.linalg.norm(np.gradient(path, axis=0), axis=1) * RATE, 7)


def _gaps(line: Floats, share: float) -> Floats:
    return np.diff(_events(line, share * float(np.percentile(line, 95))))


def _smooth(line: Floats, width: int) -> Floats:
    kernel = np.hanning(width + 2)[1:-1]
    padded = np.pad(line, width // 2, mode="edge")
    return np.convolve(padded, kernel / kernel.sum(), mode="valid")


def _events(line: Floats, prominence: float) -> list[float]:
    """Times, s, of peaks that rise at least this much above the lows beside them."""
    found = []
    for peak in np.flatnonzero((line[1:-1] >= line[:-2]) & (line[1:-1] > line[2:])) + 1:
        lows = []
        for side in (line[peak::-1], line[peak:]):
            higher = np.flatnonzero(side > line[peak])
            lows.append(side[: higher[0] if len(higher) else len(side)].min())
        if line[peak] - max(lows) >= prominence:
            before, here, after = line[peak - 1 : peak + 2]
            bend = before - 2 * here + after
            found.append((peak + (0.5 * (before - after) / bend if bend < 0 else 0.0)) / RATE)
    return found
