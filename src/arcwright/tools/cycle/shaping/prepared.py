"""Prepared: what all moves of a drag share, whatever its target: frames, keys, body solver."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from arcwright.arrays import Floats
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.shaping.affected_frames import AffectedFrames
from arcwright.tools.cycle.shaping.dragged_points import Drags, PointPaths
from arcwright.tools.cycle.shaping.shaped_clip import ShapedClip

_Value = TypeVar("_Value")


class Prepared:
    """Keeps the latest of each part."""

    def __init__(self, options: CycleOptions) -> None:
        self.options = options
        self._known: dict[str, tuple[Hashable, Any]] = {}

    def once(self, part: str, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """The part as it was made last, where it was made for the same key."""
        known = self._known.get(part)
        if known is None or known[0] != key:
            known = self._known[part] = key, make()
        value: _Value = known[1]
        return value

    def frames(self, stage: str, clip: ShapedClip, drags: Drags) -> AffectedFrames:
        """Times that the drags of a stage affect."""
        reach, left = self.options.affected_range, self.options.falloff
        held = tuple(sorted({clip.folded(drag.time) for drag in drags}))
        key = clip.clip, held
        return self.once(
            f"frames of {stage}", key, lambda: AffectedFrames.of(clip, held, reach, left)
        )

    def body(self, frames: AffectedFrames, paths: PointPaths) -> PoseSequence:
        """What solves poses in which points are on their paths; prepares their keys, too."""
        points = tuple((point.joint, point.offset.tobytes()) for point in paths.points)
        return self.once("body", (frames, points), lambda: self._body(frames, paths))

    def _body(self, frames: AffectedFrames, paths: PointPaths) -> PoseSequence:
        options, clip = self.options, frames.clip
        sequence = PoseSequence(
            clip.scene,
            clip.edited,
            frames.times,
            paths.points,
            body_follows=options.body_follows,
            chain_length=options.chain_length,
            plant_feet=options.plant_feet,
        )
        frames.keys(paths.points).prepare(sequence.channels)
        return sequence

    def solve(self, frames: AffectedFrames, paths: PointPaths) -> tuple[Floats, Floats]:
        """Values (T, C) in which points follow their paths, and (T, P) m that are left."""
        each = zip(paths.points, paths.position, paths.orientation, strict=True)
        found = self.body(frames, paths).solve([PointPath(*path) for path in each])
        return found.values, found.remaining
