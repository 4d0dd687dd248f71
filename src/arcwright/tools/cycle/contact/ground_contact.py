"""Contact of a loop with the ground: what touches it does not slide, and the root travels.

All items that are in contact move with one velocity against the root (Ciccone, *Authoring Motion
Cycles*, eq. 5.12); the root travels against it. Between two contacts an item's path is scaled along
the travel and bent at its ends, so that it leaves and meets the ground without a corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Bools, Floats, Ints, frozen
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import cross

Surface = Callable[[Floats], Floats]  # points (N, 3) of a plane to those of the ground, m

HARMONICS = 4  # of the velocity of the ground; higher ones fade
UNLIKE = 0.2  # of the mean velocity: what differs more from it counts little
MEAN_ROUNDS = 6  # to find which velocities are alike
BLEND = 0.2  # of the loop: over which a path is bent before and after a contact
LARGEST_SCALE = 3.0  # of a path between contacts; what is missing is sheared
UNCLEAR = 0.1  # of an item's extent: paths whose ends are nearer along the travel are sheared
REPEATED = 1e-5  # m, how well a surface must repeat with the stride
IN_PLANE = 1e-6  # of a stride: how much of it may leave the plane
STANDING = 1e-9  # of the largest extent of an item: a stride below it is none
DRIFT = 0.05  # of the same: a stride below it is taken away from what stands all the time
LEAST_FRAMES = 4  # of a loop


@dataclass(frozen=True, eq=False)
class GroundContact:
    """A loop in contact with the ground, and the travel of its root."""

    positions: Floats  # (M, P, 3) m, seen from the travelling root
    travel: Floats  # (M, 3) m, of the root from each frame to the next
    stride: Floats  # (3,) m, the travel of one loop


def ground_contact(
    positions: ArrayLike,
    contact: ArrayLike,
    point: ArrayLike,
    normal: ArrayLike,
    *,
    stride: ArrayLike | None = None,
    surface: Surface | None = None,
) -> GroundContact:
    """Positions (M, P, 3) of a loop in place, with contact (M, P) with a plane.

    `stride` (3,), in metres, gives the way of one loop along the plane. `surface` gives ground that
    is no plane, such as steps, for places of the plane in the world, through which the root travels
    from the first frame on. It must repeat with the stride.
    """
    path, touches = _checked(positions, contact)
    up = _unit(normal)
    height = (path - np.asarray(frozen(point, "point", (3,)))) @ up
    flat = path - height[..., None] * up
    extent = float(np.ptp(path, axis=0).max(initial=0.0))
    velocity = _ground_velocity(flat, touches)
    if stride is not None:
        velocity = _of_stride(velocity, stride, up, STANDING * extent)
    if touches.all(axis=0).any():
        velocity = _standing(velocity, touches, DRIFT * extent)
    root = np.concatenate([np.zeros((1, 3)), np.cumsum(-velocity, axis=0)])
    ahead = _direction(velocity.sum(axis=0), STANDING * extent)
    ground = _Ground(velocity, root, ahead, up, surface)
    found = path.copy()
    for item in np.flatnonzero(touches.any(axis=0)).tolist():
        own = _Item(flat[:, item], height[:, item], touches[:, item])
        found[:, item] = own.grounded(ground)
    return GroundContact(found, -velocity, root[-1].copy())


@dataclass(frozen=True, eq=False)
class _Ground:
    """How the ground moves, seen from the root."""

    velocity: Floats  # (M, 3) m from each frame to the next
    root: Floats  # (M + 1, 3) m
    ahead: Floats  # (3,) unit direction of the velocity, 0 if it goes nowhere
    up: Floats  # (3,) unit normal
    surface: Surface | None

    def lifted(self, frame: int, place: Floats) -> Floats:
        """(3,) from a place of the plane, seen from the root at a frame, to the ground there."""
        if self.surface is None:
            return np.zeros(3)
        here = self.root[frame] + place
        stride = self.root[-1]
        twice = np.stack([here, here + stride])
        above = np.asarray(frozen(self.surface(twice), "surface", (2, 3))) - twice
        if np.abs(above[1] - above[0]).max() > REPEATED:
            wide = float(np.linalg.norm(stride))
            raise BadValue(
                "surface", f"one that repeats with the stride of {wide:.4g} m", "another"
            )
        first: Floats = above[0]
        return first


@dataclass(frozen=True, eq=False)
class _Item:
    """The path of one item: in the plane, and its height above it."""

    flat: Floats  # (M, 3) m
    height: Floats  # (M,) m
    touches: Bools  # (M,)

    def grounded(self, ground: _Ground) -> Floats:
        """(M, 3) the path that stays with the ground in contact and is smooth in between."""
        frames = len(self.flat)
        plants = list(runs(self.touches))
        place, lift = np.zeros((frames, 3)), np.zeros((frames, 3))
        for run in plants:
            way = np.concatenate([np.zeros((1, 3)), np.cumsum(ground.velocity[run[:-1]], axis=0)])
            weights = np.ones(frames) if len(run) == frames else _window(len(run))
            place[run] = way + np.average(self.flat[run] - way, axis=0, weights=weights)
            lift[run] = ground.lifted(int(run[0]), place[run[0]])
        found = place + lift
        if self.touches.all():
            return found
        for run, following in zip(plants, [*plants[1:], plants[0]], strict=True):
            first, last = int(run[-1]), int(following[0])
            steps = (last - first - 1) % frames + 1  # a whole loop, if it is the same frame
            between = (first + np.arange(1, steps)) % frames
            found[between] = self._between(ground, place, first, steps)
            share = np.arange(1, steps)[:, None] / steps
            found[between] += lift[first] + _smooth_step(share) * (lift[last] - lift[first])
        return found

    def _between(self, ground: _Ground, place: Floats, first: int, steps: int) -> Floats:
        """(S - 1, 3) the path from a contact's last frame to the next contact, above the plane."""
        frames = len(self.flat)
        last = (first + steps) % frames
        section = (first + np.arange(steps + 1)) % frames
        step = np.arange(steps + 1.0)
        old, gap = self.flat[section] - self.flat[first], place[last] - place[first]
        scale = self._scale(ground.ahead, old[-1], gap)
        old = old + (scale - 1.0) * np.outer(old @ ground.ahead, ground.ahead)
        shear = gap - old[-1]
        path = place[first] + old + np.outer(step / steps, shear)
        reach = min(float(steps), max(BLEND * frames, 2.0))
        for end, away, sign in ((first, step, 1.0), (last, steps - step, -1.0)):
            slope = 0.5 * (self.flat[(end + 1) % frames] - self.flat[end - 1])
            slope = slope + (scale - 1.0) * (slope @ ground.ahead) * ground.ahead + shear / steps
            wanted = 0.5 * (ground.velocity[end - 1] + ground.velocity[end])
            t = np.minimum(away / reach, 1.0)
            path += sign * reach * np.outer(t * (1.0 - t) ** 2, wanted - slope)
        path += np.outer(self._height_between(section), ground.up)
        return np.asarray(path[1:-1])

    def _height_between(self, section: Ints) -> Floats:
        """(S + 1,) heights that start and end on the ground, with slope 0."""
        steps = len(section) - 1
        height = self.height[section].copy()
        short = min(0.5 * steps, BLEND * len(self.flat))
        for end, away in ((0, np.arange(steps + 1.0)), (-1, np.arange(steps, -1.0, -1.0))):
            height -= height[end] * (1.0 - _smooth_step(away / short))
            height *= 1.0 - np.square(1.0 - np.minimum(away / short, 1.0))
        return height

    def _scale(self, ahead: Floats, old: Floats, new: Floats) -> float:
        """By what a path from 0 to `old` is scaled along the travel so that it ends at `new`."""
        along = self.flat @ ahead
        unclear = UNCLEAR * float(np.ptp(along)) + 1e-12
        have, want = float(old @ ahead), float(new @ ahead)
        scale = 1.0 + (want - have) * have / (have**2 + unclear**2)
        return min(max(scale, 1.0 / LARGEST_SCALE), LARGEST_SCALE)


def _checked(positions: ArrayLike, contact: ArrayLike) -> tuple[Floats, Bools]:
    path = np.asarray(frozen(positions, "positions", ("frames", "items", 3)))
    touches = np.asarray(frozen(contact, "contact", path.shape[:2], np.bool_))
    if len(path) < LEAST_FRAMES:
        raise BadValue("positions", f"at least {LEAST_FRAMES} frames", len(path))
    if not (touches & np.roll(touches, -1, axis=0)).any():
        raise BadValue("contact", "two frames of an item in a row", "none")
    return path, touches


def _ground_velocity(flat: Floats, touches: Bools) -> Floats:
    """(M, 3) m from each frame to the next: the smooth mean of all that is in contact.

    The middle of a contact counts most, and what moves otherwise than the rest counts little: a
    stroke often takes in frames in which a foot swings already. Where nothing is in contact, the
    velocity goes on smoothly from the contact before to the one after.
    """
    frames = len(flat)
    moves = np.roll(flat, -1, axis=0) - flat
    bent = np.eye(frames) - 2 * np.roll(np.eye(frames), 1, axis=1) + np.roll(np.eye(frames), 2, 1)
    stiff = (frames / (2 * np.pi * HARMONICS)) ** 4 * (bent.T @ bent)
    sure = _contact_weights(touches)
    weights = sure
    for _ in range(MEAN_ROUNDS):
        weights = weights / weights.sum(axis=1).max()
        pull = np.einsum("fp,fpc->fc", weights, moves)
        velocity: Floats = np.linalg.solve(np.diag(weights.sum(axis=1)) + stiff, pull)
        near = UNLIKE * float(np.linalg.norm(velocity, axis=1).mean()) + 1e-12
        away = np.linalg.norm(moves - velocity[:, None], axis=-1)
        weights = sure / (1.0 + np.square(away / near))
    return velocity


def _contact_weights(touches: Bools) -> Floats:
    """(M, P) how surely an item is in contact from a frame to the next: most in the middle."""
    weights = np.zeros(touches.shape)
    for item, own in enumerate(touches.T):
        if own.all():
            weights[:, item] = 1.0
        elif own.any():
            for run in runs(own):
                weights[run[:-1], item] = _window(len(run) - 1)
    return weights


def _window(count: int) -> Floats:
    """(count,) weights, most in the middle and near 0 at the ends."""
    window: Floats = np.square(np.sin(np.pi * (np.arange(count) + 0.5) / max(count, 1)))
    return window


def _of_stride(velocity: Floats, stride: ArrayLike, up: Floats, standing: float) -> Floats:
    """The velocity, scaled and turned in the plane so that the root goes `stride` in one loop."""
    wanted = np.asarray(frozen(stride, "stride", (3,)))
    length, own = float(np.linalg.norm(wanted)), velocity.sum(axis=0)
    if length == 0 or abs(float(wanted @ up)) > IN_PLANE * length:
        raise BadValue("stride", "a way along the plane", wanted.tolist())
    if np.linalg.norm(own) <= standing:
        raise BadValue("stride", "none, as contacts go nowhere", wanted.tolist())
    along, across = -float(own @ wanted), -float(cross(own, wanted) @ up)
    turned = along * velocity + across * cross(up, velocity)
    return np.asarray(turned / float(own @ own))


def _standing(velocity: Floats, touches: Bools, drift: float) -> Floats:
    """The velocity without travel, as an item in contact all the time needs it."""
    if np.linalg.norm(velocity.sum(axis=0)) > drift:
        item = int(np.argmax(touches.all(axis=0)))
        raise BadValue("contact", "frames without it for each item", f"item {item} always in it")
    return np.asarray(velocity - velocity.mean(axis=0))


def _unit(normal: ArrayLike) -> Floats:
    vector = np.asarray(frozen(normal, "normal", (3,)))
    length = float(np.linalg.norm(vector))
    if length < 1e-12:
        raise BadValue("normal", "a vector that is not 0", vector.tolist())
    return np.asarray(vector / length)


def _direction(vector: Floats, standing: float) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length > standing else np.zeros(3)


def runs(touches: Bools) -> Iterator[Ints]:
    """Frames of each contact, in order; one may go over the seam of the loop."""
    frames = len(touches)
    starts = np.flatnonzero(touches & ~np.roll(touches, 1))
    if not len(starts):
        yield np.arange(frames)
    for start in starts.tolist():
        length = int(np.argmin(np.roll(touches, -start)))
        yield (start + np.arange(length)) % frames


def _smooth_step(share: Floats) -> Floats:
    """From 0 to 1 for shares from 0 to 1, with slope 0 at both ends."""
    t = np.clip(share, 0.0, 1.0)
    step: Floats = t * t * (3.0 - 2.0 * t)
    return step
