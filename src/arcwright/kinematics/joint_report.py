"""Joint report: the rig analysis as one record per joint."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.kinematics.rig_analysis import Reason, Role, analyse, animatable
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take


@dataclass(frozen=True)
class JointReport:
    """The role of a joint, and which of its channels edits may change."""

    name: str
    role: Role
    rotates: bool
    translates: bool
    scales: bool
    can_free: bool  # has translation or scale that could be freed
    why: Reason  # of `translates` and `scales`
    attached_to: str  # the joint that carries it in edits, "" for none but its parent

    @property
    def free(self) -> bool:
        """Whether its length or scale may change."""
        return self.translates or self.scales


def joint_reports(actor: Actor, take: Take | None = None) -> list[JointReport]:
    """(J,) the analysis of an actor; only what has channels can change."""
    found = analyse(actor, take)
    translated, rotated, scaled = animatable(actor.rig)
    return [
        JointReport(
            name=name,
            role=found.roles[joint],
            rotates=bool(rotated[joint]),
            translates=bool(translated[joint] and found.translates[joint]),
            scales=bool(scaled[joint] and found.scales[joint]),
            can_free=bool(translated[joint] or scaled[joint]),
            why=found.reasons[joint],
            attached_to=actor.rig.names[limb] if limb >= 0 else "",
        )
        for joint, (name, limb) in enumerate(
            zip(actor.rig.names, found.attached_to.tolist(), strict=True)
        )
    ]
