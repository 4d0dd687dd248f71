"""Body model: completes the motion of any rig that it can be bound to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import AnyArray, Floats, frozen
from arcwright.errors import BadValue
from arcwright.kinematics.nearest_rotations import nearest_rotations
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
    vector_from_quaternion,
)
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.body.binding import BoundBody, bound
from arcwright.tools.autocomplete.body.body_distance import Examples
from arcwright.tools.autocomplete.body.body_file import BodyFile, read_body_file
from arcwright.tools.autocomplete.body.body_network import BodyNetwork
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.skeleton import Skeleton
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.completion_model import MOST_ANSWERS, latents
from arcwright.tools.autocomplete.network.tokens import Tokens, smoothly


@dataclass(frozen=True, eq=False)
class BodyModel:
    """A network, its examples, and a rig that it is bound to."""

    name: str
    file: BodyFile
    body: BoundBody | None = None
    steps: bool = True  # answers show where feet stand between keys

    @classmethod
    def load(cls, path: str | Path) -> BodyModel:
        """From a file."""
        return cls(Path(path).stem, read_body_file(path))

    def bound_to(self, actor: Actor, take: Take) -> BodyModel:
        """The model for keys of a rig; raises `BadValue` where it knows no such body."""
        return replace(self, body=bound(actor, take, self.file))

    def complete(
        self,
        keys: KeyedValues,
        times: ArrayLike,
        answers: int = 1,
        seed: int = 0,
        strength: float = 1.0,
        only: int | None = None,
    ) -> Floats:
        """(A, T, C) answers at times (T,) s, all through the keys; the first is the likeliest.

        A strength of 0 is the interpolation, 1 the model; the others are drawn from `seed`. With
        `only` one of them is found, (1, T, C).
        """
        if not 1 <= answers <= MOST_ANSWERS:
            raise BadValue("answers", f"a whole number from 1 to {MOST_ANSWERS}", answers)
        if not len(keys.times):
            raise BadValue("keys", "at least one key", "none")
        wanted = np.clip(frozen(times, "times", ("T",)), keys.times[0], keys.times[-1])
        base = interpolated(keys, wanted)
        count = answers if only is None else 1
        if not strength or len(keys.times) < 2:
            return np.repeat(base[None], count, axis=0)
        drawn = latents(self.file.architecture.latent, answers, seed)
        drawn = drawn if only is None else drawn[[only]]
        tokens = Tokens.between(keys.times, self.file.frame_time)
        found = base + smoothly(tokens.times, self._added(keys, tokens, drawn, strength), wanted)
        at, key = np.nonzero(wanted[:, None] == keys.times)
        found[:, at] = np.where(keys.known[key], keys.values[key], found[:, at])
        return np.asarray(found)

    def distance_to_examples(self, keys: KeyedValues) -> float:
        """How far keys are from those of the examples, in units of what is usual at most."""
        body = self._body_of(keys)
        poses, known = body.poses(interpolated(keys, keys.times)), body.known(keys.known)
        whole = np.flatnonzero(known.all(axis=1))
        return self._examples.distance(poses, keys.times, whole) / self.file.threshold

    @cached_property
    def _network(self) -> BodyNetwork:
        return BodyNetwork(self.file)

    @cached_property
    def _examples(self) -> Examples:
        return Examples.of(self.file)

    def _body_of(self, keys: KeyedValues) -> BoundBody:
        """The rig, standing as it does at its whole keys."""
        if self.body is None:
            raise BadValue("rig", "a rig that the model is bound to", "none")
        whole = keys.known.all(axis=1)
        return self.body.standing(keys.values[whole] if whole.any() else keys.values)

    def _added(self, keys: KeyedValues, tokens: Tokens, drawn: AnyArray, strength: float) -> Floats:
        """(A, N, C) what answers add to the interpolation at tokens; nothing at known keys."""
        body, base = self._body_of(keys), interpolated(keys, tokens.times)
        turns, shift = self._turns(body, keys, tokens, body.poses(base), drawn)
        found = []
        for turned, away in zip(strength * turns, strength * shift, strict=True):
            values = nearest_rotations(body.rig, body.turned(base, turned, away), base)
            values = np.clip(values, *_limits(body.rig, base)) - base
            off = np.where(keys.known, values[tokens.keys], 0.0)
            found.append(
                values - interpolated(KeyedValues(keys.times, off, keys.known), tokens.times)
            )
        return np.stack(found)

    def _turns(
        self, body: BoundBody, keys: KeyedValues, tokens: Tokens, spline: Poses, drawn: AnyArray
    ) -> tuple[Floats, Floats]:
        """What answers turn joints by (A, N, J, 3) in the world, and the anchor's shift."""
        frames = (tokens.times - tokens.times[0]) / self.file.frame_time
        known = tokens.known(body.known(keys.known))
        found = self._network.complete(spline, frames, known, drawn, body.offsets)
        return _differences(self.file.skeleton, body.anchor, spline, found)


def _limits(rig: Rig, values: Floats) -> tuple[Floats, Floats]:
    """Lowest and highest values; those that are beyond limits may stay there."""
    return np.minimum(rig.channels.low, values), np.maximum(rig.channels.high, values)


def world_rotations(skeleton: Skeleton, poses: Poses) -> Floats:
    """(..., J, 4) in the world."""
    world = poses.rotations.copy()
    for joints in skeleton.levels:
        above = world[..., skeleton.parents[joints], :]
        world[..., joints, :] = quaternion_multiply(above, world[..., joints, :])
    return world


def _differences(
    skeleton: Skeleton, anchor: Floats, spline: Poses, answers: Poses
) -> tuple[Floats, Floats]:
    """Rotation vectors (A, T, J, 3) in the world and the anchor's shift (A, T, 3) from a spline."""
    start, end = (world_rotations(skeleton, each) for each in (spline, answers))
    turned = quaternion_multiply(end, quaternion_conjugate(start)[None])
    before, after = (
        poses.position + quaternion_rotate(world[..., 0, :], anchor)
        for poses, world in ((spline, start), (answers, end))
    )
    return vector_from_quaternion(turned), after - before
