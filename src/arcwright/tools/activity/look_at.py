"""Look-at: the head follows what the character looks at, where that is displaced.

Gaze is not aimed anew: it turns as far as the direction to the element does, so that glances of
the original stay. Chest, neck and head share the rotation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layering import displaced
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.scene.activity import Activity, anchor_of, element_of
from arcwright.scene.rig import Rig
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.trajectory import ease, rotation_between

HEAD_NAMES = re.compile(r"(?i)(?<![a-z])head(?!.*(?:end|top|nub|tip))")
EYE_NAMES = re.compile(r"(?i)(?:^|[^a-z])eye(?!.*(?:lid|brow|lash|end))|(?:left|right)eye$")
SHARES = {"chest": 0.1, "neck": 0.3, "head": 0.6}
EYES = 0.3  # of the rotation, taken from the head where there are eyes
FADE = 0.5  # s before the first event and after the last one
MOST_TURN = np.radians(80.0)
MOST_EYES = np.radians(25.0)


@dataclass(frozen=True, eq=False)
class Gaze:
    """The joints that turn, and what each takes of the rotation."""

    head: int
    joints: tuple[int, ...]  # parents before children
    shares: tuple[float, ...]  # of all of the rotation, without what joints above have taken

    @property
    def spine(self) -> tuple[int, ...]:
        """Those above the head: they carry arms, too."""
        return tuple(joint for joint in self.joints if joint < self.head)


def find_gaze(rig: Rig) -> Gaze | None:
    """The joints of the neck and head; None for a rig without a head."""
    named = [joint for joint, name in enumerate(rig.names) if HEAD_NAMES.search(name)]
    heads = [joint for joint in named if not ancestors(rig, joint)[named].any()] or named
    if not heads:
        return None
    head = heads[0]
    above: list[int] = []
    at = int(rig.parents[head])
    while at >= 0 and len(above) < 3:
        above.append(at)
        at = int(rig.parents[at])
    necks = [joint for joint in above if "neck" in rig.names[joint].lower()] or above[:1]
    chest = [joint for joint in above if joint not in necks][:1]
    eyes = [j for j, name in enumerate(rig.names) if EYE_NAMES.search(name) and j > head]
    shares = dict.fromkeys(chest, SHARES["chest"])
    shares |= {joint: SHARES["neck"] / len(necks) for joint in necks}
    shares[head] = SHARES["head"] - (EYES if eyes else 0.0)
    shares |= dict.fromkeys(eyes, EYES)
    joints = tuple(sorted(shares))
    return Gaze(head, joints, tuple(shares[joint] for joint in joints))


def look_weights(
    activity: Activity, frames: list[int], count: int, rate: float
) -> dict[str, Floats]:
    """(T,) how much the character looks at each element, blending between neighbouring events."""
    targets = [event.look_at for event in activity.events]
    if not any(targets):
        return {}
    found: dict[str, Floats] = {}
    everyone = np.arange(count)
    for target in dict.fromkeys(filter(None, targets)):
        own = np.array([float(each == target) for each in targets])
        at = np.searchsorted(frames, everyone, side="right") - 1
        before, after = np.clip(at, 0, None), np.clip(at + 1, None, len(frames) - 1)
        gap = np.array(frames)[after] - np.array(frames)[before]
        share = np.where(gap > 0, (everyone - np.array(frames)[before]) / np.maximum(gap, 1), 0.0)
        weights = own[before] + ease(np.clip(share, 0, 1)) * (own[after] - own[before])
        outside = [(-everyone + frames[0], own[0]), (everyone - frames[-1], own[-1])]
        for away, value in outside:
            fade = ease(np.clip(1 - away / (FADE * rate), 0, 1)) * value
            weights = np.where(away > 0, fade, weights)
        found[target] = weights
    return found


def turned_gaze(
    weights: Mapping[str, Floats],
    paths: Mapping[str, ElementPath],
    before: Floats,
    after: Floats,
) -> Floats:
    """(T, 3) world rotation of the gaze, with the head at (T, 3) before and after."""
    total = np.zeros_like(before)
    for reference, weight in weights.items():
        path = paths[element_of(reference)]
        if path.unchanged and before is after:
            continue
        old = _looked_at(path, reference, moved=False) - before
        new = _looked_at(path, reference, moved=True) - after
        total += weight[:, None] * rotation_between(old, new)
    size = np.linalg.norm(total, axis=1, keepdims=True)
    limited: Floats = total * np.minimum(1.0, MOST_TURN / np.maximum(size, 1e-12))
    return limited


def _looked_at(path: ElementPath, reference: str, *, moved: bool) -> Floats:
    track = path.moved if moved else path.track
    known = reference if anchor_of(reference) in track.anchors else element_of(reference)
    return track.anchor_path(known)


def with_gaze(rig: Rig, gaze: Gaze, values: Floats, turn: Floats) -> Floats:
    """Poses (T, C) in which the joints of a gaze share a rotation (T, 3) in the world.

    Each turns as far as its limits allow.
    """
    world = forward(rig, values, gaze.joints)[..., :3, :3]
    local = []
    for slot, (joint, share) in enumerate(zip(gaze.joints, gaze.shares, strict=True)):
        axes = world[:, slot] / np.linalg.norm(world[:, slot], axis=1, keepdims=True)
        own = share * turn
        if EYE_NAMES.search(rig.names[joint]):
            size = np.linalg.norm(own, axis=1, keepdims=True)
            own = own * np.minimum(1.0, MOST_EYES / np.maximum(size, 1e-12))
        root = rig.parents[joint] < 0
        local.append(own if root else (axes.swapaxes(1, 2) @ own[..., None])[..., 0])
    none = np.zeros(0, np.int64), np.zeros((len(values), 0))
    rotations = np.array(gaze.joints, np.int64), np.stack(local, axis=1)
    return _within_limits(rig, gaze, values, displaced(rig, rotations, none, values))


def _within_limits(rig: Rig, gaze: Gaze, before: Floats, after: Floats) -> Floats:
    """Poses whose gaze goes no further beyond joint limits than it did."""
    table = rig.channels
    own = np.flatnonzero(np.isin(table.joint, gaze.joints))
    low = np.minimum(table.low[own], before[:, own])
    high = np.maximum(table.high[own], before[:, own])
    after[:, own] = np.clip(after[:, own], low, high)
    return after
