"""Speed map: where in the blend space a puppet goes at a given speed, with its grip at a height.

The blend is played at a grid of points and its speed and height are measured (probes); between
probes both are linear. The inverse is exact for that: the simplex of probes that holds the wanted
speed and height gives the point. Speeds beyond what the clips can do are played faster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import Places
from arcwright.tools.puppet.locomotion.blend_space import BlendSpace
from arcwright.tools.puppet.locomotion.gait_clip import PHASES
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.locomotion.simplices import Simplices, full_simplices, grid_simplices

PROBES = (21, 5)  # along speed and height
LEAST_CROUCH = 0.05  # of the grip's height: clips that differ less are all at one height
SHEPARD_POWER = 7.0  # of the published method


@dataclass(frozen=True, eq=False)
class Probes:
    """What the blend does at points of its space."""

    points: Floats  # (M, N)
    measured: Floats  # (M, 2) m/s at which it goes, m of the grip above the ground
    grips: Floats  # (M, 3) m, mean place of the grip in the puppet's frame
    shape: tuple[int, ...]  # of the grid

    @property
    def extent(self) -> Floats:
        """(2,) the range of what was measured."""
        found: Floats = np.ptp(self.measured, axis=0)
        return found


@dataclass(frozen=True, eq=False)
class BlendPoint:
    """A point of the blend space and how fast the blend is played there."""

    point: Floats  # (N,)
    playback: float  # 1 as it is, more beyond the fastest gait
    grip: Floats  # (3,) m, mean place of the grip in the puppet's frame


class SpeedMap:
    """From speed and height to a point of the blend space."""

    def __init__(self, probes: Probes) -> None:
        self.probes = probes
        extent = probes.extent
        least = np.array([1e-6, LEAST_CROUCH * probes.measured[:, 1].max()])
        crouches = np.array([True, probes.shape[1] > 1])  # else gaits differ in height as they go
        self._used = np.flatnonzero((extent > least) & crouches)
        self._scale = 1.0 / extent[self._used]
        self._simplices = self._made_simplices()
        self._rising = _rising(probes.measured[:, 0]) if probes.shape[1] == 1 else None

    def _made_simplices(self) -> Simplices | None:
        scaled = self.probes.measured[:, self._used] * self._scale
        if not len(self._used):
            return None
        if len(self._used) == 1:
            order = np.argsort(scaled[:, 0], kind="stable")
            pairs = np.stack([order[:-1], order[1:]], axis=1)
            return Simplices(scaled, full_simplices(scaled, pairs))
        return Simplices(scaled, full_simplices(scaled, grid_simplices(self.probes.shape)))

    def invert(self, speed: float, height: float) -> BlendPoint:
        """The point at which the blend goes at this speed with its grip at this height."""
        if self._simplices is None:
            return BlendPoint(self.probes.points[0], 1.0, self.probes.grips[0])
        if self._rising is not None:
            return self._along(self._rising, speed)
        wanted = np.array([speed, height])[self._used] * self._scale
        members, share, inside = self._simplices.locate(wanted)
        point = share @ self.probes.points[members]
        reached = float(share @ self.probes.measured[members, 0])
        playback = 1.0 if inside or reached <= 0 else max(speed / reached, 1.0)
        return BlendPoint(point, playback, share @ self.probes.grips[members])

    def _along(self, rising: Ints, speed: float) -> BlendPoint:
        """The point of a row of probes: a growing speed never goes back to an earlier one.

        A blend that is slower than both its clips plays faster.
        """
        measured = self.probes.measured[:, 0]
        at = float(np.interp(speed, measured[rising], rising))
        before = min(int(at), len(measured) - 2)
        share = np.array([before + 1 - at, at - before])
        reached = float(share @ measured[before : before + 2])
        playback = speed / reached if reached > 1e-9 and speed > 0 else 1.0
        found = share @ self.probes.points[before : before + 2]
        return BlendPoint(found, playback, share @ self.probes.grips[before : before + 2])


def _rising(speeds: Floats) -> Ints:
    """Indices of speeds (M,) that are higher than all before them."""
    before = np.concatenate([[-np.inf], np.maximum.accumulate(speeds)[:-1]])
    return np.flatnonzero(speeds > before)


def probe(space: BlendSpace, writer: RootWriter, toes: Places, grip: Places) -> Probes:
    """Play the blend at a grid of points; a dimension without an extent has one value."""
    low, high = space.points.min(axis=0), space.points.max(axis=0)
    axes = [
        np.linspace(a, b, count) if b > a else np.array([a])
        for a, b, count in zip(low, high, PROBES, strict=True)
    ]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(low))
    found = [measured_at(space, writer, toes.joined(grip), point) for point in grid]
    measured = np.array([[speed, place[1]] for speed, place in found])
    return Probes(grid, measured, np.array([place for _, place in found]), tuple(map(len, axes)))


def measured_at(
    space: BlendSpace, writer: RootWriter, points: Places, point: Floats
) -> tuple[float, Floats]:
    """Speed at which the ground passes under feet that carry, and mean place (3,) of the grip.

    `points` are the toes and, last, the grip.
    """
    weights = space.weights(point)
    phases = np.arange(PHASES) / PHASES
    places = places_in_frame(writer, *space.poses(weights, phases), points)
    rate, grip = space.cycles_per_second(weights), places[:, -1].mean(axis=0)
    if rate <= 0 or len(points) < 2:  # without feet, as fast as the clips say
        return float(weights @ [clip.speed for clip in space.clips]), grip
    feet = places[:, :-1]
    speed = (np.roll(feet, -1, axis=0) - np.roll(feet, 1, axis=0))[..., 2] * PHASES * rate / 2
    carries = space.planted(weights, phases)
    passing = -float((carries * speed).sum()) / max(float(carries.sum()), 1e-9)
    return max(passing, 0.0), grip


def places_in_frame(writer: RootWriter, values: Floats, roots: Floats, points: Places) -> Floats:
    """(T, P, 3) m, points in the puppet's frame."""
    written = writer.path.written(values, roots[:, :3], roots[:, 3:])
    world = forward(writer.rig, written, points.joints.tolist())
    offsets = np.concatenate([points.offsets, np.ones((len(points), 1))], axis=1)
    return np.asarray(np.einsum("tfij,fj->tfi", world, offsets)[..., :3])


def shepard(probes: Probes, speed: float, height: float) -> Floats:
    """The published inverse (eqs. 6.1 and 6.2): a mean of all probes, by distance to the power 7.

    Between probes it hardly changes, then jumps to the next one: a staircase.
    """
    scale = np.where(probes.extent > 1e-6, 1.0 / np.maximum(probes.extent, 1e-6), 0.0)
    away = np.linalg.norm((probes.measured - [speed, height]) * scale, axis=1)
    if away.min() < 1e-12:
        return np.asarray(probes.points[int(np.argmin(away))])
    weights = (away / away.min()) ** -SHEPARD_POWER
    return np.asarray(weights @ probes.points / weights.sum())
