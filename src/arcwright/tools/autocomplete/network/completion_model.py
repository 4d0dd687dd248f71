"""A trained model that completes the motion between keys of one character."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import AnyArray, Floats, Ints, frozen
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.rig import Rig
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated, window
from arcwright.tools.autocomplete.network.example_distance import distance_to_examples
from arcwright.tools.autocomplete.network.features import features
from arcwright.tools.autocomplete.network.forward import forward
from arcwright.tools.autocomplete.network.ground_path import GroundPath
from arcwright.tools.autocomplete.network.model_file import ModelFile, read_model
from arcwright.tools.autocomplete.network.tokens import Tokens, smoothly

SHIPPED = Path(__file__).parents[1] / "models"
MOST_ANSWERS = 64
TEMPERATURE = 0.5  # standard deviation of latents; they were trained with 1


@dataclass(frozen=True, eq=False)
class CompletionModel:
    """A network and the columns of keys that it completes."""

    name: str
    file: ModelFile
    columns: Ints | None = None  # (C,) of the keys; None: its own channels are all there are
    ground: GroundPath | None = None  # None: it goes along one channel, whichever way it faces
    steps: bool = False  # answers do not show where feet step

    @classmethod
    def load(cls, path_or_name: str | Path) -> CompletionModel:
        """A shipped model by name, or one from a file."""
        text = str(path_or_name)
        if (SHIPPED / f"{text}.npz").is_file():
            return cls(text, read_model(SHIPPED / f"{text}.npz"))
        path = Path(path_or_name)
        if path.suffix != ".npz" and not path.exists():
            raise UnknownName("completion model", text, shipped())
        return cls(path.stem, read_model(path))

    def problem_with(self, rig: Rig) -> str:
        """Why it cannot complete motions of a rig; empty where it can."""
        missing = [name for name in self.file.channels if name not in rig.channel_names]
        if not missing:
            return ""
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        listed = ", ".join(missing[:3])
        return f"Model {self.name} needs channels that the rig lacks: {listed}{more}"

    def bound_to(self, rig: Rig) -> CompletionModel:
        """The model for keys of all channels of a rig; others than its own follow the spline."""
        problem = self.problem_with(rig)
        if problem:
            raise BadValue("rig", "one that the model knows", problem)
        columns = np.array([rig.channel(name) for name in self.file.channels])
        forward = [
            n for n, alone in zip(self.file.channels, self.file.relative, strict=True) if alone
        ]
        ground = GroundPath.of(rig, forward[0]) if len(forward) == 1 else None
        return replace(self, columns=columns, ground=ground)

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

        A strength of 0 is the interpolation, 1 the model; the others are drawn from `seed`.
        Outside the first and the last key an answer is constant. With `only` one of them is found,
        (1, T, C).
        """
        if not 1 <= answers <= MOST_ANSWERS:
            raise BadValue("answers", f"a whole number from 1 to {MOST_ANSWERS}", answers)
        if not len(keys.times):
            raise BadValue("keys", "at least one key", "none")
        moments = np.clip(frozen(times, "times", ("T",)), keys.times[0], keys.times[-1])
        own = self._own(keys)
        base = interpolated(keys, moments)
        drawn = latents(self.file.architecture.latent, answers, seed)
        drawn = drawn if only is None else drawn[[only]]
        completed = np.repeat(base[None], len(drawn), axis=0)
        if strength:
            residual = self._residuals(own, moments, drawn) * self.file.deviation
            completed += strength * self._added(keys, own, moments, base, residual)
        return completed

    def distance_to_examples(self, keys: KeyedValues) -> float:
        """How far keys are from those of the examples, in units of what is usual at most."""
        own = self._own(keys)
        frames = np.rint(own.times / self.file.frame_time).astype(np.int64)
        scored, relative = self._scored(own.values), self.file.relative
        far = distance_to_examples(self._examples, relative, frames, scored, own.known)
        return far / self.file.threshold

    def _added(
        self, keys: KeyedValues, own: KeyedValues, times: Floats, base: Floats, residual: Floats
    ) -> Floats:
        """(A, T, columns of keys) what residuals (A, T, C) add to the interpolation `base`."""
        added = np.zeros((len(residual), *base.shape))
        free = np.where(own.known.any(axis=0), 0.0, own.rest - keys.rest[self._columns])
        added[..., self._columns] = free + window(own, times, open_ends=True) * residual
        if self.ground is not None:
            forward = residual[..., int(self.file.relative.argmax())]
            pair = [self.ground.along, self.ground.across]
            added[..., pair] = self.ground.added(keys, times, base, forward)
        return added

    @property
    def _columns(self) -> Ints:
        return np.arange(len(self.file.channels)) if self.columns is None else self.columns

    @cached_property
    def _weights(self) -> dict[str, AnyArray]:
        return self.file.unpacked()

    @cached_property
    def _examples(self) -> AnyArray:
        by_channel = self.file.examples.transpose(2, 0, 1)  # (C, N, T)
        return np.ascontiguousarray(by_channel, dtype=np.float32)

    def _own(self, keys: KeyedValues) -> KeyedValues:
        """Keys of the model's channels, which begin at their mean where they have no key."""
        if self.columns is None and keys.channels != len(self.file.channels):
            expected = f"{len(self.file.channels)} channels ({', '.join(self.file.channels)})"
            raise BadValue("keys", expected, keys.channels)
        columns = self._columns
        if keys.channels <= columns.max():
            raise BadValue("keys", "the channels of the rig", keys.channels)
        values, known = keys.values[:, columns], keys.known[:, columns]
        slopes, relative = keys.slopes[:, columns], self.file.relative
        if self.ground is not None:
            forward = int(relative.argmax())
            way = self.ground.travelled(keys)
            values[:, forward], known[:, forward], slopes[:, forward] = way
        rest = np.where(relative, keys.rest[columns], self.file.mean)
        return KeyedValues(keys.times, values, known, slopes, rest)

    def _scored(self, values: Floats) -> Floats:
        scored: Floats = (values - self.file.mean) / self.file.deviation
        return scored

    def _residuals(self, keys: KeyedValues, times: Floats, drawn: AnyArray) -> Floats:
        """(A, T, C) z-scored, not yet windowed."""
        tokens = Tokens.between(keys.times, self.file.frame_time)
        base = np.where(keys.known.any(axis=0), self._scored(interpolated(keys, tokens.times)), 0.0)
        frames = (tokens.times - tokens.times[0]) / self.file.frame_time
        inputs, _ = features(
            frames[None],
            base[None],
            tokens.known(keys.known)[None],
            self.file.relative,
            np.full((1, len(frames)), True),
        )
        residual = forward(
            self.file.architecture,
            self._weights,
            inputs[0],
            frames.astype(np.float32),
            drawn,
        ).astype(np.float64)
        if np.array_equal(tokens.times, times):
            return residual
        return smoothly(tokens.times, residual, times)


def latents(count: int, answers: int, seed: int) -> AnyArray:
    """(A, latent + 1) zeros for the likeliest answer, then draws, which the last number marks."""
    drawn = TEMPERATURE * np.random.default_rng(seed).standard_normal((answers - 1, count))
    numbers = np.concatenate([drawn, np.ones((answers - 1, 1))], axis=1)
    return np.concatenate([np.zeros((1, count + 1)), numbers]).astype(np.float32)


def shipped() -> tuple[str, ...]:
    """The names of models that come with Arcwright."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.npz")))
