"""Plants: footplants that are found, where a take has no contacts, or heels beside its toes."""

from __future__ import annotations

from collections.abc import Sequence

from arcwright.kinematics.contact import footplants
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.feet import heels as heels_of
from arcwright.scene.point import Contact
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take


def plants_of(take: Take, contacts: Sequence[Contact], *, heels: bool) -> list[Contact]:
    """The contacts of a take, or where it has none, its footplants; with `heels`, these as well.

    Beside contacts, only heels of feet that stand at that time and have no contact of their own:
    what the scene says of its feet stays.
    """
    if not contacts:
        return list(footplants(take, heels=heels))
    found = footplants(take, heels=True) if heels else ()
    behind = {heel.joint for heel in heels_of(take.rig)} if found else set()
    more = [each for each in found if each.point.joint in behind]
    return [*contacts, *(each for each in more if _stands(take.rig, each, contacts))]


def _stands(rig: Rig, heel: Contact, contacts: Sequence[Contact]) -> bool:
    """Whether toes of the same foot stand at some time of a heel, and it has no contact itself."""
    beside = [each for each in contacts if each.start <= heel.end and each.end >= heel.start]
    joints = {each.point.joint for each in beside if each.relative_to is None and each.position}
    if heel.point.joint in joints:
        return False
    foot = foot_joints(rig)
    return any(foot[rig.joint(name)] and _heel_of(rig, name, heel.point.joint) for name in joints)


def _heel_of(rig: Rig, toe: str, heel: str) -> bool:
    """Whether a heel carries toes, or hangs beside them from one joint."""
    above = int(rig.parents[rig.joint(toe)])
    behind = rig.joint(heel)
    return above >= 0 and above in (behind, int(rig.parents[behind]))
