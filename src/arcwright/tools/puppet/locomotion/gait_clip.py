"""Gait clip: one cycle of a take in place, by phase: poses, speed, and when each foot carries."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.places import Places
from arcwright.kinematics.root_path import (
    RootPath,
    about_vertical,
    root_path,
    turned_about_vertical,
)
from arcwright.kinematics.rotation import (
    quaternion_multiply,
    quaternion_normalise,
    unwrap_euler,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.puppet.locomotion.cycle_span import Span
from arcwright.tools.puppet.locomotion.periodic_spline import resampled

PHASES = 64  # poses of a cycle
TRAVELS = 0.03  # of the body's size: a clip whose root goes less far is in place
LOW = 0.035  # of the body's size: a foot this close to its lowest place may carry
OPEN = 0.5  # of its way: a foot that ends farther from where it began does not go in a cycle
STEPS = 0.1  # of the body's size a second: a clip that goes slower only shifts weight


@dataclass(frozen=True, eq=False)
class GaitClip:
    """One cycle; the root is where the puppet's frame is, which heads along +z."""

    name: str
    values: Floats  # (PHASES, C) channel values; the root's own are in `root` instead
    root: Floats  # (PHASES, 7) position, m, and rotation, wxyz, of the root in the puppet's frame
    period: float  # s
    speed: float  # m/s at which the ground passes under the feet
    planted: Bools  # (PHASES, F) whether each foot carries by its toes
    heels: Bools  # (PHASES, F) whether it carries by its heel, before

    @property
    def once(self) -> bool:
        """Whether each foot stands just once in it."""
        changes = np.diff(self.planted, axis=0, append=self.planted[:1]).sum(axis=0)
        return bool((changes == 2).all())

    @property
    def moves(self) -> bool:
        """Whether it is a gait; a clip that stands has its own time."""
        return self.speed > 0

    def shifted(self, phases: int) -> GaitClip:
        """The same cycle, starting so many phases later."""
        values, root = (np.roll(each, -phases, axis=0) for each in (self.values, self.root))
        planted, heels = (np.roll(each, -phases, axis=0) for each in (self.planted, self.heels))
        return replace(self, values=values, root=root, planted=planted, heels=heels)


def gait_clip(
    take: Take, root: int, toes: Places, size: float, span: Span | None = None
) -> GaitClip | None:
    """A take, or a span of it, as one cycle; None where its root cannot be moved and rotated.

    Phase 0 is the middle of the first foot's stance, so that gaits can be blended.
    """
    start, end = span or (0.0, take.duration)
    seconds = end - start
    times = start + np.arange(PHASES) * seconds / PHASES
    values = values_at(take, np.append(times, end))
    path = root_path(take.rig, root, values)
    if path is None:
        return None
    heading = _straight_heading(path)
    travel = turned_about_vertical(np.array([-heading]), path.position[-1:] - path.position[:1])[0]
    travel[1] = 0.0
    travels = float(np.linalg.norm(travel)) > TRAVELS * size
    planted = _planted_by_contacts(take, toes, times) if travels else None
    feet = _feet_in_place(take.rig, values, path, toes, heading, travel if travels else None)
    if planted is None:
        planted, speed = _planted_in_place(feet, seconds / PHASES, size)
    else:
        speed = float(np.linalg.norm(travel)) / seconds
    if speed < STEPS * size or not _closes(feet):
        speed = 0.0
    poses, own = _smooth_cycle(take, root, heading, travel * travels, (start, end))
    clip = GaitClip(
        take.name,
        poses,
        own,
        max(seconds, 1e-3),
        speed,
        planted,
        np.zeros(planted.shape, bool),
    )
    return clip.shifted(_middle_of_stance(planted)) if clip.moves else clip


def _smooth_cycle(
    take: Take, root: int, heading: float, travel: Floats, span: Span
) -> tuple[Floats, Floats]:
    """(PHASES, C) values and (PHASES, 7) root in place, smooth through the frames of a take.

    Exported clips are linear between their frames: played at another rate, they have a kink at
    each of them.
    """
    start, end = span
    frames = int(np.clip(round((end - start) * take.rate), 1, PHASES))
    values = values_at(take, np.linspace(start, end, frames + 1))
    path = root_path(take.rig, root, values)
    assert path is not None
    poses, own = _closed(take.rig, values)[:-1], _in_place(path, heading, travel)[:-1]
    poses, own = resampled(poses, PHASES), resampled(own, PHASES)
    four = quaternion_channels(take.rig)
    poses[:, four] = quaternion_normalise(poses[:, four])
    own[:, 3:] = quaternion_normalise(own[:, 3:])
    return poses, own


def aligned_values(rig: Rig, values: Floats, like: Floats) -> Floats:
    """Values (T, C) without jumps, whose angles and quaternions go on from those of a pose (C,)."""
    changed = np.concatenate([like[None], values])
    plan = layout(rig)
    for joint in plan.euler.tolist():
        own = plan.rotate[joint][plan.rotate[joint] != ZERO]
        angles = changed[:, own]
        changed[:, own] = unwrap_euler(angles) if len(own) == 3 else np.unwrap(angles, axis=0)
    for four in quaternion_channels(rig):
        changed[:, four] = unwrap_quaternion(changed[:, four])
    return changed[1:]


def _straight_heading(path: RootPath) -> float:
    """Where the root heads on average over the cycle, rad."""
    return float(path.heading[:-1].mean())


def _in_place(path: RootPath, heading: float, travel: Floats) -> Floats:
    """(T, 7) the root without its travel, heading along +z, over the origin."""
    count = len(path.position)
    phase = np.arange(count)[:, None] / (count - 1)
    turn = np.full(count, -heading)
    position = turned_about_vertical(turn, path.position - path.position[:1] * [1, 0, 1])
    position = position - phase * travel
    position[:, [0, 2]] -= position[:-1, [0, 2]].mean(axis=0)
    rotation = unwrap_quaternion(quaternion_multiply(about_vertical(turn), path.rotation))
    return np.concatenate([position, rotation], axis=1)


def _closed(rig: Rig, values: Floats) -> Floats:
    """Values (T, C) without jumps, whose end is drawn to the start over the last quarter."""
    continuous = aligned_values(rig, values, values[0])
    ramp = np.clip(np.linspace(-3.0, 1.0, len(values)), 0.0, 1.0)
    ramp = ramp * ramp * (3 - 2 * ramp)
    gap = continuous[0] - continuous[-1]
    return np.asarray(continuous + ramp[:, None] * gap)


def _planted_by_contacts(take: Take, toes: Places, times: Floats) -> Bools | None:
    """(PHASES, F) by the footplants of a take that travels; None where there are none."""
    found = np.zeros((len(times), len(toes)), bool)
    for contact in footplants(take):
        own = np.flatnonzero(toes.joints == take.rig.joint(contact.point.joint))
        found[:, own] |= ((times >= contact.start) & (times <= contact.end))[:, None]
    return found if found.any(axis=0).all() else None


def _feet_in_place(
    rig: Rig, values: Floats, path: RootPath, toes: Places, heading: float, travel: Floats | None
) -> Floats:
    """(T, F, 3) m, places of feet seen from the puppet's frame."""
    world = forward(rig, values, toes.joints.tolist())
    offsets = np.concatenate([toes.offsets, np.ones((len(toes), 1))], axis=1)
    place = np.einsum("tfij,fj->tfi", world, offsets)[..., :3]
    place = place - path.position[:1, None] * [1, 0, 1]
    count = len(place)
    turned = turned_about_vertical(
        np.full(count * len(toes), -heading), place.reshape(-1, 3)
    ).reshape(place.shape)
    if travel is not None:
        turned -= (np.arange(count)[:, None, None] / (count - 1)) * travel
    return np.asarray(turned)


def _planted_in_place(feet: Floats, step: float, size: float) -> tuple[Bools, float]:
    """(PHASES, F) which feet carry, and how fast the ground passes, of a cycle in place.

    A foot carries while it is low and goes backwards.
    """
    places, count = feet[:-1], len(feet) - 1
    low = places[..., 1] < places[..., 1].min(axis=0) + LOW * size
    speed = (np.roll(places, -1, axis=0) - np.roll(places, 1, axis=0))[..., 2] / (2 * step)
    if count < 3 or not low.size or np.abs(speed[low]).max(initial=0.0) < STEPS * size:
        return np.ones(low.shape, bool), 0.0
    passing = -float(np.median(speed[low & (speed < 0)])) if (low & (speed < 0)).any() else 0.0
    planted = low & (speed < -0.35 * passing)
    if passing < STEPS * size or not planted.any(axis=0).all():
        return np.ones(low.shape, bool), 0.0
    return planted, passing


def _closes(feet: Floats) -> bool:
    """Whether feet (T, F, 3) end about where they began: a single step is no cycle."""
    gap = np.linalg.norm(feet[-1] - feet[0], axis=-1)
    way = np.linalg.norm(np.ptp(feet, axis=0), axis=-1)
    return bool((gap <= OPEN * np.maximum(way, 1e-9)).all())


def _middle_of_stance(planted: Bools) -> int:
    """The phase in the middle of the first foot's stance; 0 without feet."""
    if not planted.shape[1]:
        return 0
    angle = 2 * np.pi * np.flatnonzero(planted[:, 0]) / len(planted)
    middle = np.arctan2(np.sin(angle).sum(), np.cos(angle).sum())
    return round(float(middle / (2 * np.pi) * len(planted))) % len(planted)
