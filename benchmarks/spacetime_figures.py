"""Figures of one spacetime edit: what it reaches, what slides, sinks, bends and shakes.

handle    mm, largest distance of a dragged point from its target
residual  mm, largest distance of a planted point from where it was, or from its dragged place
skate     cm per planted frame at 30 frames a second, after / before
sole      mm, how far heel, ball or toes are below the lower of the ground and the original
accel     %, rms change of joint acceleration over that of the original, 0.5 s from the drags
beyond    the same, 0.5 s from all of the footplants that they move, too
arm, ...  share of a group of joints in all rotation of the edit
head      mm, how far the head is moved at the dragged time
back      degrees, by which a knee or elbow bends further backwards than ever in the original
release   mm, largest jump of any joint at any frame when the drag ends
finish    s, CPU time of the release
move      ms, CPU time of a move, p95
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import vector_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.soles import soles
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Constraint, Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MOVES = 20
AWAY = 0.5  # s from every drag
STRAIGHT = 0.05  # mean sine of a bend, below which a joint has no direction to bend in
GROUPS = {
    "arm": ("shoulder", "arm", "hand", "wrist", "elbow", "finger", "thumb", "collar"),
    "leg": ("leg", "foot", "toe", "knee", "ankle", "hipjoint", "thigh", "shin"),
    "spine": ("spine", "back", "neck", "head", "chest", "torso"),
    "hips": ("hips", "pelvis", "root", "body"),
}
Pulled = Sequence[tuple[Point, float, Floats]]


@dataclass(frozen=True, eq=False)
class Played:
    """An edit as it was played: scenes, dragged points and times."""

    before: Scene
    after: Scene
    pulled: Pulled
    notes: tuple[str, ...]
    span: tuple[float, float]  # s
    release: float  # m
    finish: float  # s
    moves: tuple[float, ...]  # ms

    @property
    def takes(self) -> tuple[Take, Take]:
        """Of the first character, before and after."""
        return self.before.characters[0].takes[0], self.after.characters[0].takes[0]


def play(
    scene: Scene, pulled: Pulled, options: SpacetimeOptions, more: Sequence[Constraint] = ()
) -> Played:
    """Drag points from where they are, all together, and release."""
    session = SpacetimeTool().begin(scene, Target(), options, more)
    spent = []
    starts = [_position(scene, point, when) for point, when, _ in pulled]
    preview = None
    for share in np.linspace(1 / MOVES, 1, MOVES):
        for (point, when, by), start in zip(pulled, starts, strict=True):
            began = time.process_time()
            preview = session.update(Drag(point, when, position=start + share * by))
            spent.append((time.process_time() - began) * 1e3)
    assert preview is not None
    shown = preview.edit.apply(scene)
    began = time.process_time()
    after = session.finish().apply(scene)
    finish = time.process_time() - began
    notes = tuple(note.text for note in session.notes())
    take = scene.characters[0].takes[0]
    frames = take.frame_times()
    ends = [places(each.characters[0].takes[0], frames) for each in (shown, after)]
    jump = float(np.linalg.norm(ends[1] - ends[0], axis=-1).max())
    return Played(scene, after, pulled, notes, preview.span, jump, finish, tuple(spent[1:]))


def _position(scene: Scene, point: Point, when: float) -> Floats:
    position: Floats = trail(scene.actor(point.character).takes[0], point, [when]).position[0]
    return position


def figures(played: Played) -> dict[str, float]:
    """All figures by name."""
    old, new = played.takes
    first, last = played.span
    frames = old.frame_times()
    frames = frames[(frames >= first - 1e-9) & (frames <= last + 1e-9)]
    was, now = places(old, frames), places(new, frames)
    off = [
        _position(played.after, point, when) - _position(played.before, point, when) - by
        for point, when, by in played.pulled
    ]
    slides = skate(old, old, frames), skate(new, old, frames)
    moment = int(np.argmin(np.abs(frames - played.pulled[0][1])))
    head = [i for i, name in enumerate(old.rig.names) if "head" in name.lower()]
    moved = np.linalg.norm(now[moment] - was[moment], axis=-1)
    return {
        "handle": 1e3 * max(float(np.linalg.norm(each)) for each in off),
        "residual": 1e3 * residual(played, frames),
        "skate": 100 * slides[1],
        "was": 100 * slides[0],
        "sole": 1e3 * sunk(played, frames),
        "accel": 100 * acceleration_change(was, now, frames, moments(played)),
        "beyond": 100 * acceleration_change(was, now, frames, edited(played)),
        **shares(old, new, frames),
        "head": 1e3 * float(moved[head[:1]].max(initial=0.0)),
        "back": bent_back(old, new, frames),
        "release": 1e3 * played.release,
        "finish": played.finish,
        "move": float(np.percentile(played.moves, 95)),
    }


def places(take: Take, times: Floats) -> Floats:
    """(T, J, 3) m."""
    return forward(take.rig, values_at(take, times))[..., :3, 3]


def stances(take: Take) -> tuple[Contact, ...]:
    """Where toes stand in the original."""
    return footplants(take)


def residual(played: Played, frames: Floats) -> float:
    """How far planted points are from where they should be, m; a dragged one may be elsewhere."""
    old, new = played.takes
    worst = 0.0
    for each in stances(old):
        inside = frames[(frames >= each.start) & (frames <= each.end)]
        if not len(inside):
            continue
        away = trail(new, each.point, inside).position - trail(old, each.point, inside).position
        shift = [
            by
            for point, when, by in played.pulled
            if each.start <= when <= each.end and _same_foot(old.rig, point, each.point)
        ]
        away = away - away.mean(axis=0) if shift else away
        worst = max(worst, float(np.linalg.norm(away, axis=1).max()))
    return worst


def _same_foot(rig: Rig, one: Point, other: Point) -> bool:
    if one.joint not in rig.names:
        return False
    a, b = rig.joint(one.joint), rig.joint(other.joint)
    return a == b or int(rig.parents[a]) == b or int(rig.parents[b]) == a


def skate(take: Take, original: Take, frames: Floats) -> float:
    """Mean way along the floor of planted points per frame of 1/30 s, m."""
    step = max(1, round(take.rate / 30))
    found = [np.zeros(0)]
    for each in stances(original):
        inside = frames[(frames >= each.start) & (frames <= each.end)][::step]
        if len(inside) > 1:
            path = trail(take, each.point, inside).position[:, [0, 2]]
            found.append(np.linalg.norm(np.diff(path, axis=0), axis=1))
    every = np.concatenate(found)
    return float(every.mean()) if len(every) else 0.0


def sunk(played: Played, frames: Floats) -> float:
    """How far soles are below the lower of the ground they stood on and the original, m.

    A dragged footplant takes its ground along.
    """
    old, new = played.takes
    worst = 0.0
    for sole in soles(played.before.characters[0], old):
        own = [each for each in stances(old) if each.point.joint in sole.joints]
        if not own:
            continue
        level, raised = ground(old, new, sole.ball, own, frames)
        for point, rise in sole.points:
            was, now = (trail(take, point, frames).position[:, 1] for take in (old, new))
            worst = max(worst, float((np.minimum(was, level + rise) + raised - now).max()))
    return worst


def ground(
    old: Take, new: Take, ball: Point, own: Sequence[Contact], frames: Floats
) -> tuple[Floats, Floats]:
    """(T,) m, the level that a foot stands on, and by how much an edit lowered it."""
    times: list[float] = []
    level: list[float] = []
    raised: list[float] = []
    for each in sorted(own, key=lambda each: each.start):
        during = np.linspace(each.start, each.end, 20)
        was, now = (trail(take, ball, during).position[:, 1] for take in (old, new))
        times += [each.start, each.end]
        level += [float(was.mean())] * 2
        raised += [float((now - was).mean())] * 2
    return np.interp(frames, times, level), np.minimum(np.interp(frames, times, raised), 0.0)


Spans = Sequence[tuple[float, float]]


def moments(played: Played) -> Spans:
    """The times of drags, as spans without length, s."""
    return [(when, when) for _, when, _ in played.pulled]


def edited(played: Played) -> Spans:
    """The times of drags, or all of a footplant that a drag moves, s."""
    old = played.takes[0]
    own = [
        (each.start, each.end)
        for point, when, _ in played.pulled
        for each in stances(old)
        if each.start <= when <= each.end and _same_foot(old.rig, point, each.point)
    ]
    return [*moments(played), *own]


def acceleration_change(was: Floats, now: Floats, frames: Floats, spans: Spans) -> float:
    """Rms change of acceleration over that of the original, away from spans of time."""
    middle = frames[1:-1]
    away = middle > 0.1
    for start, end in spans:
        away &= (middle < start - AWAY) | (middle > end + AWAY)
    old, new = (np.diff(each, 2, axis=0)[away] for each in (was, now))
    if not away.any():
        return float("nan")
    return float(np.sqrt(((new - old) ** 2).sum() / max(float((old**2).sum()), 1e-30)))


def shares(old: Take, new: Take, frames: Floats) -> dict[str, float]:
    """The share of each group of joints in all rotation between two takes."""
    turned = rotations(old, new, frames)
    total = max(float(turned.sum()), 1e-12)
    left = np.ones(len(turned), bool)
    found = {}
    for name, words in GROUPS.items():
        own = np.array([any(word in each.lower() for word in words) for each in old.rig.names])
        found[name] = float(turned[own & left].sum()) / total
        left &= ~own
    return found


def rotations(old: Take, new: Take, frames: Floats) -> Floats:
    """(J,) rad, mean rotation of each joint in its parent."""
    local = []
    for take in (old, new):
        world = forward(take.rig, values_at(take, frames))[..., :3, :3]
        above = world[:, take.rig.parents]
        above[:, take.rig.parents < 0] = np.eye(3)
        local.append(above.swapaxes(-1, -2) @ world)
    turned = local[0].swapaxes(-1, -2) @ local[1]
    return np.linalg.norm(vector_from_matrix(turned), axis=-1).mean(axis=0)


def bent_back(old: Take, new: Take, frames: Floats) -> float:
    """Degrees that knees and elbows bend backwards beyond what they do in the original.

    The axis of a joint is the mean of the bends of its limb over the original, as the upper bone
    sees them.
    """
    worst = 0.0
    for joint, end in hinges(old.rig):
        axis = bends(old, old.frame_times(), joint, end)[0].mean(axis=0)
        if np.linalg.norm(axis) < STRAIGHT:
            continue
        axis = axis / np.linalg.norm(axis)
        was, now = (signed_bend(take, frames, joint, end, axis) for take in (old, new))
        worst = max(worst, float(min(0.0, was.min()) - now.min()))
    return worst


def hinges(rig: Rig) -> list[tuple[int, int]]:
    """Knees and elbows by their names, each with the joint at the end of the bone below."""
    found = []
    for joint, name in enumerate(rig.names):
        plain = name.lower().replace("_", "").replace(".", "").replace("-", "")
        below = np.flatnonzero(rig.parents == joint).tolist()
        lower = ("leg", "forearm", "shin", "knee", "elbow", "lowerarm", "lowerleg")
        named = plain.removesuffix("l").removesuffix("r").endswith(lower) or plain.endswith(lower)
        upper = any(word in plain for word in ("up", "thigh", "ik"))
        if named and not upper and below and rig.parents[joint] >= 0:
            found.append((joint, below[0]))
    return found


def bends(take: Take, frames: Floats, joint: int, end: int) -> tuple[Floats, Floats]:
    """(T, 3) cross product and (T,) dot product of a limb's bones, in the axes of the upper."""
    upper = int(take.rig.parents[joint])
    world = forward(take.rig, values_at(take, frames), [upper, joint, end])
    back = world[:, 0, :3, :3].swapaxes(-1, -2)
    bones = [world[:, i + 1, :3, 3] - world[:, i, :3, 3] for i in range(2)]
    one, two = (
        (back @ (each / np.maximum(np.linalg.norm(each, axis=1, keepdims=True), 1e-9))[..., None])[
            ..., 0
        ]
        for each in bones
    )
    return np.cross(one, two), (one * two).sum(axis=1)


def signed_bend(take: Take, frames: Floats, joint: int, end: int, axis: Floats) -> Floats:
    """(T,) degrees about an axis; negative for backwards."""
    cross, dot = bends(take, frames, joint, end)
    return np.degrees(np.arctan2(cross @ axis, dot))
