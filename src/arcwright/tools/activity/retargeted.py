"""Retargeted activity: a take and what it is about, for a character of other proportions.

The take is retargeted, and the body stands where its hands are nearest to what they meet. Objects
stay as they are: at every frame at which a pair holds, the effector is brought to the place on the
object that it has in the source, and back to its own path in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.edits.actors import field_changes, remove_actor, unique_name
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.joint_roles import Correspondence, body_of, corresponding_joints
from arcwright.kinematics.oriented_pose import moved_joint
from arcwright.kinematics.retarget import retarget
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.activity import Activity, Effector, Pair, element_of
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.activity.element_paths import ElementPath, Hold
from arcwright.tools.activity.model import BodyModel
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.residuals import Residual
from arcwright.tools.activity.tracks import effector_track

MET = 0.002  # m, within which a pair is met
BODY_FOLLOWS = 0.3  # how much the trunk helps, 0 to 1
RAMP = 1.0  # s, at most, in which an effector goes to its first object and leaves the last
_SETS = "constraints", "recordings", "activities", "characters"  # that change, in this order


@dataclass(frozen=True, eq=False)
class RetargetedActivity:
    """The undo step that puts another character in the place of one, and what it leaves undone."""

    edit: Edit
    character: str
    residuals: tuple[Residual, ...]  # of each pair with an object, where it is worst
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        found = [each.as_json() for each in self.residuals]
        worst = max((each.away for each in self.residuals), default=0.0)
        about = {"label": self.edit.label, "character": self.character, "worst_m": worst}
        return {**about, "residuals": found, "notes": list(self.notes)}


def retargeted_activity(
    scene: Scene, activity: str, new: Actor, *, body_follows: float = BODY_FOLLOWS
) -> RetargetedActivity:
    """Carry an activity and its take to another character, which takes the place of its own.

    The character has this take only. Constraints and other activities of the old one are left out.
    """
    about = scene.activity(activity)
    before = PreparedActivity(scene, Target(about.character, about.take, activity=about.name), 0.0)
    joints = corresponding_joints(before.actor, new)
    if body_of(new).skeleton is not None:
        expected = "a character whose feet are children of its legs"
        raise BadValue(f"rig of {new.name!r}", expected, "feet beside the legs")
    made = retarget(before.take, before.actor, new, joints)
    values = values_at(made, before.times)
    effectors = {
        each.name: _effector(before, each, new, values, joints) for each in about.effectors
    }
    holds = [each for each in _holds(before) if _held_effector(each.pair, effectors) is not None]
    values = _nearer(before, new, values, effectors, holds)
    name = _name(scene, before.actor, new)
    after = _scene(before, replace(new, name=name), made, values, effectors)
    values = _met(before, after, name, effectors, holds, body_follows)
    after = _scene(before, replace(new, name=name), made, values, effectors)
    edit = Edit(f"Retarget {about.name} to {name}", field_changes(scene, after, _SETS))
    residuals = tuple(_residuals(before, after.actor(name), effectors, holds))
    return RetargetedActivity(edit, name, residuals, tuple(_notes(before, residuals)))


def _name(scene: Scene, old: Actor, new: Actor) -> str:
    return unique_name(new.name, [each.name for each in scene.actors if each is not old])


def _effector(
    before: PreparedActivity, own: Effector, new: Actor, values: Floats, joints: Correspondence
) -> Effector:
    """The effector of the other body: its joint, and the same place beside it in the world."""
    joint = _joint(own, new, joints)
    turned = effector_track(before.take, own, before.times[:1]).orientation[0]
    theirs = orientation(new.rig, values[:1])[0, new.rig.joint(joint)]
    beside = quaternion_rotate(turned, own.point.offset)
    return Effector(own.name, Point(joint, quaternion_rotate(quaternion_conjugate(theirs), beside)))


def _joint(own: Effector, new: Actor, joints: Correspondence) -> str:
    """The joint of the new character that does what that of an effector does."""
    joint = own.point.joint
    for source, target in joints.chains.values():
        if joint in source:
            return target[-1] if joint == source[-1] else target[0]
    if joint in joints.others and joint in new.rig.names:
        return joint
    expected = "a joint that corresponds to one of the new character"
    raise BadValue(f"effector {own.name!r}", expected, joint)


def _holds(before: PreparedActivity) -> list[Hold]:
    """All frames at which pairs hold: over several events, and at single ones."""
    found = list(before.holds)
    for event, frame in zip(before.activity.events, before.frames, strict=True):
        for pair in event.pairs:
            own = [each for each in found if each.pair == pair]
            if not any(each.first <= frame <= each.last for each in own):
                found.append(Hold(pair, frame, frame))
    return sorted(found, key=lambda each: each.first)


def _held_effector(pair: Pair, effectors: dict[str, Effector]) -> str | None:
    """The effector of a pair with an object; None of two objects, or of two effectors."""
    names = [element_of(pair.constrained), element_of(pair.constraining)]
    own = [each for each in names if each in effectors]
    return own[0] if len(own) == 1 else None


def _position(rig: Rig, values: Floats, point: Point) -> Floats:
    """(T, 3) m."""
    world = forward(rig, values, [rig.joint(point.joint)])[:, 0]
    found: Floats = world[:, :3, :3] @ point.offset + world[:, :3, 3]
    return found


def _nearer(
    before: PreparedActivity,
    new: Actor,
    values: Floats,
    effectors: dict[str, Effector],
    holds: Sequence[Hold],
) -> Floats:
    """The poses with the body moved over the ground, so that effectors are nearest to objects."""
    gaps = []
    for hold in holds:
        name = _held_effector(hold.pair, effectors)
        assert name is not None
        own = _position(new.rig, values[hold.frames], effectors[name].point)
        gaps.append(before.tracks[name].position[hold.frames] - own)
    if not gaps:
        return values
    shift = np.concatenate(gaps).mean(axis=0) * [1.0, 0.0, 1.0]
    moved = np.tile(shift, (len(values), 1))
    return moved_joint(new.rig, body_of(new).root, values, moved)


def _scene(
    before: PreparedActivity,
    new: Actor,
    made: Take,
    values: Floats,
    effectors: dict[str, Effector],
) -> Scene:
    """The scene with the other character, its take, and the activity about it."""
    scene, old = before.scene, before.actor
    about = before.activity
    motion = Motion(made.name, before.times, values, made.rate)
    take = Take(new.rig, motion, sections=made.sections)
    character = Character(new.name, new.rig, (take,), new.shapes, look=new.look)
    without = remove_actor(scene, old.name).apply(scene)
    place = [each.name for each in scene.characters].index(old.name)
    characters = [*without.characters]
    characters.insert(place, character)
    own = tuple(
        replace(each, point=replace(each.point, character=new.name))
        for each in (effectors[own.name] for own in about.effectors)
    )
    carried = replace(about, character=new.name, take=take.name, effectors=own)
    activities = [
        carried if each.name == about.name else each
        for each in scene.activities
        if each.name == about.name or each in without.activities
    ]
    return replace(without, characters=tuple(characters), activities=tuple(activities))


def _met(
    before: PreparedActivity,
    after: Scene,
    name: str,
    effectors: dict[str, Effector],
    holds: Sequence[Hold],
    body_follows: float,
) -> Floats:
    """(T, C) poses in which effectors are where they meet objects."""
    actor = after.actor(name)
    take = actor.takes[0]
    used = {_held_effector(each.pair, effectors) for each in holds}
    own = [each for each in effectors.values() if each.name in used]
    values = values_at(take, before.times)
    if not own:
        return values
    index = [each.name for each in after.characters].index(name)
    address = "characters", index, "takes", 0
    blank = Clip(take.name, (None,) * len(take.rig.channels), take.duration, take.rate)
    edited = EditedClip(actor, take, blank, (*address, "base", "curves"))
    own = [replace(each, point=replace(each.point, character=name)) for each in own]
    model = BodyModel(after, edited, before.times, own, body_follows)
    paths = {each.name: _path(before, take, each, holds) for each in own}
    return model.solve(paths, {}).values


def _path(
    before: PreparedActivity, take: Take, effector: Effector, holds: Sequence[Hold]
) -> ElementPath:
    """The effector on its own path, and on that of the source while it meets an object."""
    track = effector_track(take, effector, before.times)
    held = np.zeros(len(before.times), bool)
    for each in holds:
        names = {element_of(each.pair.constrained), element_of(each.pair.constraining)}
        if effector.name in names:
            held[each.frames] = True
    gap = before.tracks[effector.name].position - track.position
    move = _ramped(np.where(held[:, None], gap, 0.0), held, RAMP * take.rate)
    return ElementPath(track, move, np.zeros_like(move), held)


def _ramped(move: Floats, held: Bools, most: float) -> Floats:
    """(T, 3) displacements of held frames, blended over the others."""
    frames, own = np.arange(len(held)), np.flatnonzero(held)
    at = np.searchsorted(own, frames)
    before, after = own[np.maximum(at - 1, 0)], own[np.minimum(at, len(own) - 1)]
    between = (frames - before) / np.maximum(after - before, 1)
    share = _smooth(np.clip(between, 0.0, 1.0))[:, None]
    found = (1 - share) * move[before] + share * move[after]
    first, last = int(own[0]), int(own[-1])
    lead, tail = min(first, most), min(len(held) - 1 - last, most)
    weight = np.ones(len(held))
    weight[:first] = _smooth(np.clip(1 - (first - frames[:first]) / max(lead, 1), 0.0, 1.0))
    weight[last + 1 :] = _smooth(np.clip(1 - (frames[last + 1 :] - last) / max(tail, 1), 0.0, 1.0))
    return np.where(held[:, None], move, weight[:, None] * found)


def _smooth(share: Floats) -> Floats:
    """From 0 to 1 without a jump of velocity."""
    return share * share * (3 - 2 * share)


def _residuals(
    before: PreparedActivity,
    actor: Actor,
    effectors: dict[str, Effector],
    holds: Sequence[Hold],
) -> Iterator[Residual]:
    values = values_at(actor.takes[0], before.times)
    for hold in holds:
        name = _held_effector(hold.pair, effectors)
        assert name is not None
        own = _position(actor.rig, values[hold.frames], effectors[name].point)
        away = np.linalg.norm(own - before.tracks[name].position[hold.frames], axis=1)
        index = before.frames.index(hold.first)
        event = before.activity.events[index].name or f"event {index + 1}"
        pair = f"{hold.pair.constrained} to {hold.pair.constraining}"
        yield Residual("pair", event, pair, float(away.max()))


def _notes(before: PreparedActivity, residuals: Sequence[Residual]) -> Iterator[str]:
    for each in residuals:
        if each.away > MET:
            off = f"{each.element} is {1000 * each.away:.1f} mm off"
            yield f"{off} from {each.event} on: out of reach"
    left = [each.name for each in before.actor.takes if each is not before.take]
    if left:
        yield f"takes left out: {', '.join(left)}"
    own: Activity = before.activity
    others = [
        each.name
        for each in before.scene.activities
        if each.name != own.name and before.scene.subject(each)[0] == before.actor.name
    ]
    if others:
        yield f"activities left out: {', '.join(others)}"
