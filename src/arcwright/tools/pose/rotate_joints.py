"""Rotate joints in a pose: keys of the rotated joints alone, or of limbs as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Ints
from arcwright.kinematics.end_effectors import EndEffector
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.objectives.active_constraints import ActiveConstraint, hold_task
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.pose_model import PoseModel, PreparedPose
from arcwright.objectives.solve_pose import RELEASE_CRITERIA, solve_from
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Pin
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.build_edit import UNCHANGED
from arcwright.tools.shared.joint_rotation import KeyWriter, rotated, rotation_channels
from arcwright.tools.shared.rotate import KEEP_ENDS, kept_ends
from arcwright.tools.tool import Offer

if TYPE_CHECKING:
    from arcwright.tools.pose.tool import PoseOptions


@dataclass(frozen=True, eq=False)
class PoseJointRotator:
    """Joints rotated at one time."""

    edited: EditedClip
    options: PoseOptions
    one_frame: bool = True

    @property
    def keeps_ends(self) -> bool:
        """Whether hands and feet stay in place."""
        return self.options.rotate == KEEP_ENDS

    def _writer(self, limited: bool = True) -> KeyWriter:
        return KeyWriter(self.edited.take.rig, limited, not self.options.auto_key)

    def rotated(self, drags: Sequence[Drag], *, limited: bool = True, closely: bool = True) -> Take:
        """The take with keys at the dragged time."""
        del closely  # a pose is solved at once
        take = rotated(self.edited.take, drags, self._writer(limited))
        ends = kept_ends(self.edited, drags) if self.keeps_ends else []
        return self._with_ends_kept(take, ends, drags[-1].time) if ends else take

    def blocker(self, drag: Drag) -> str:
        """Missing keys where auto key is off, or missing rotation channels."""
        del drag
        return "missing rotation channels" if self.options.auto_key else "missing keys"

    def offer(self, drags: Sequence[Drag], edit: Edit) -> Offer | None:
        """Nothing: a pose can have every key it needs."""
        del drags, edit
        return None

    def _with_ends_kept(self, take: Take, ends: Sequence[EndEffector], time: float) -> Take:
        """The limbs solved so that hands and feet are where they were before the rotation."""
        rig, clip = take.rig, take.base
        assert isinstance(clip, Clip)
        joints = [joint for end in ends for joint in end.limb]
        own = {joint: rotation_channels(rig, joint) for joint in joints}
        pose = values_at(take, np.array([time]))[0]
        channels = np.array(sorted(c for each in own.values() for c in each.tolist()), np.int64)
        writer = self._writer()
        reach = writer.reach(clip, channels, pose, time)
        channels = channels[reach.low < reach.high]
        if not len(channels):
            return take
        model = PoseModel(rig, self._prepare_ends(pose, channels, ends, time), ())
        values = model.values(solve_from(model, np.zeros(len(channels)), RELEASE_CRITERIA).x)
        for each in own.values():
            if np.abs(values[each] - pose[each]).max(initial=0.0) > UNCHANGED:
                clip = writer.written(clip, each, np.array([time]), values[each][None])
        return replace(take, base=clip)

    def _prepare_ends(
        self, pose: np.ndarray, channels: Ints, ends: Sequence[EndEffector], time: float
    ) -> PreparedPose:
        before, free = self.edited.take, Freedom(self.edited.actor, self.edited.take)
        points = [Point(before.rig.names[end.joint]) for end in ends]
        pins = [Pin(point, time, time, orientation=True) for point in points]
        none = np.zeros(0, np.int64)
        kept = [
            hold_task(before, ActiveConstraint(pin, pin.point.joint, none), place, time)
            for place, pin in enumerate(pins)
        ]
        steps, weights = free.steps(channels), free.weights(channels, pose[None])
        found = places(before.rig, points)
        return PreparedPose(time, found, pose, channels, steps, weights, tuple(kept))
