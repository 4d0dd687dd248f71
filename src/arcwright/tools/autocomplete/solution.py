"""Solution: everything that follows from keys and options: answers, feet, curves, the edit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.edit import Edit
from arcwright.tools.autocomplete.contacts import Grounded, grounded
from arcwright.tools.autocomplete.key_curves import FitTask
from arcwright.tools.autocomplete.key_fit import KeyFit, fit_keys
from arcwright.tools.autocomplete.key_poses import KeyPoses
from arcwright.tools.autocomplete.model import (
    SPLINES,
    Completed,
    CompletionModel,
    complete,
    sample_times,
    spline,
)
from arcwright.tools.autocomplete.options import AutocompleteOptions
from arcwright.tools.autocomplete.result import EditedTake, build_edit

PLANTED = 4.0  # weight of the deviation of feet that stand


@dataclass(frozen=True, eq=False)
class Solution:
    """A completion of the keys as they now stand."""

    edited: EditedClip
    keys: KeyPoses
    model: CompletionModel | None
    options: AutocompleteOptions
    passing: bool = False  # the ground passes under the feet: the character moves in place

    @cached_property
    def times(self) -> Floats:
        """(T,) s."""
        return sample_times(self.keys, self.edited.take.rate)

    @cached_property
    def completed(self) -> Completed:
        """All answers, before feet are put on the ground."""
        rig, strength = self.edited.take.rig, self.options.strength
        return complete(rig, self.keys, self.times, self.model, strength)

    @property
    def chosen(self) -> int:
        """The index of the answer that counts."""
        return min(self.options.alternative, len(self.completed.names) - 1)

    @cached_property
    def grounded(self) -> Grounded:
        """The chosen answer, with feet on the ground."""
        values = self.completed.answer(self.chosen)
        if not self.options.contacts:
            return Grounded(values, {}, {})
        rig, base = self.edited.take.rig, spline(self.keys, self.times, SPLINES[0])
        steps = self.model is not None and self.model.steps and self.options.strength > 0
        return grounded(rig, self.keys, self.times, values, base, self.passing, steps)

    @property
    def values(self) -> Floats:
        """(T, C) the completion."""
        return self.grounded.values

    @cached_property
    def fit(self) -> KeyFit:
        """Few keys that follow it."""
        return fit_keys(self.task)

    @cached_property
    def task(self) -> FitTask:
        """What few keys should follow."""
        rig, keys = self.edited.take.rig, self.keys
        strict = np.ones((len(self.times), len(rig.names)))
        for joint, planted in self.grounded.planted.items():
            own = rig.joint(joint)
            foot = [each == own or rig.is_below(each, own) for each in range(len(rig.names))]
            strict[np.ix_(planted, np.array(foot))] = PLANTED
        rows = abs(self.times[:, None] - keys.times).argmin(axis=0)
        frame = self.times * self.edited.take.rate
        return FitTask(
            *(rig, self.times, self.values, rows, keys.known, keys.values),
            *(self.options.tolerance, strict, abs(frame - np.round(frame)) < 1e-6, keys.loops),
        )

    def pose(self, time: float) -> Floats:
        """(C,) at a key or frame."""
        found: Floats = self.values[int(abs(self.times - time).argmin())]
        return found

    def edit(self, label: str) -> Edit:
        """One undo step."""
        address = self.edited.curves[:-2]
        return build_edit(
            EditedTake(self.edited.take, address), self.keys, self.task, self.fit, label
        )

    def with_alternative(self, number: int) -> Solution:
        """Another answer."""
        return replace(self, options=replace(self.options, alternative=number))
