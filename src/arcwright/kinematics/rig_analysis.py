"""Rig analysis: which joints deform a mesh, which carries the body, which bones keep their length.

Exporters write constant translation and scale tracks for every joint, so a track says nothing about
what an edit may change. What the take really moves, and the structure of the rig, decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.attachment import find_attached
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Shape
from arcwright.scene.take import Take

ANIMATED = 0.01  # of the rig's size, or of a scale: a joint that a take moves less is rigid
PERSON = 1.7  # m
MIN_SKIN_WEIGHT = 0.01  # skin weight from which a joint deforms a vertex
MAIN = (
    0.8  # of all bone length: a branch that has more is the body, its siblings are detached parts
)
_TRANSFORMS = (
    (Kind.TRANSLATE_X, Kind.TRANSLATE_Z),
    (Kind.ROTATE_X, Kind.QUATERNION_Z),
    (Kind.SCALE_X, Kind.SCALE_Z),
)
_MAX_SAMPLES = 240  # samples of a take that are examined


class Role(StrEnum):
    """The role of a joint."""

    ROOT = "root"  # carries the body
    DEFORM = "deform"  # bends or carries a mesh, or has a joint below it that does
    PROP = "prop"  # carries an unskinned mesh beside a skinned body
    CONTROL = "control"  # moves no mesh


class Reason(StrEnum):
    """Why an edit may change a joint's length or scale, or may not."""

    ROOT = "carries the body"
    MOVES = "moves in the clip"
    CONTROL = "moves no mesh"
    FREED = "freed"
    LOCKED = "locked"
    RIGID = "keeps its length"


@dataclass(frozen=True, eq=False)
class RigAnalysis:
    """Roles of the joints of an actor, from its meshes and all its takes.

    The edited take decides what may be translated or scaled; without one, all takes do.
    """

    deforms: Bools  # (J,) bends or carries a mesh, or has a joint below it that does
    root: int  # the joint whose translation carries the body
    body: Bools  # (J,) deforms, and is not above the root
    translates: Bools  # (J,) an edit may move it on its parent
    scales: Bools  # (J,) an edit may scale it
    size: float  # m, longest side of the box around the body's joints; a person's where it is 0
    metres: Floats  # (J,) world metres for a unit of its translation
    roles: tuple[Role, ...]  # (J,)
    reasons: tuple[Reason, ...]  # (J,) of `translates` and `scales`
    attached_to: Ints  # (J,) the joint of a limb that it follows by its own keys, or -1

    def rigid(self, rig: Rig) -> Ints:
        """Channels that edits leave alone, so that bones keep their length."""
        table = rig.channels
        slides = (table.kind <= Kind.TRANSLATE_Z) & ~self.translates[table.joint]
        stretches = (table.kind >= Kind.SCALE_X) & (table.kind <= Kind.SCALE_Z)
        return np.flatnonzero(slides | (stretches & ~self.scales[table.joint]))


def animatable(rig: Rig) -> tuple[Bools, Bools, Bools]:
    """(J,) each: joints that have channels of translation, of rotation, of scale."""
    table = rig.channels
    found = []
    for first, last in _TRANSFORMS:
        own = np.zeros(len(rig.names), bool)
        own[table.joint[(table.kind >= first) & (table.kind <= last)]] = True
        found.append(own)
    return found[0], found[1], found[2]


_cache: WeakKeyDictionary[Rig, list[tuple[object, Sequence[Shape], RigAnalysis]]] = (
    WeakKeyDictionary()
)
_CACHED_PER_RIG = 4


def analyse(actor: Actor, take: Take | None = None) -> RigAnalysis:
    """The analysis of an actor and a take of it; the last few are cached."""
    known = _cache.setdefault(actor.rig, [])
    about = None if take is None else take.base
    for base, shapes, found in known:
        if base is about and shapes is actor.shapes:
            return found
    found = _analysed(actor, take)
    known.append((about, actor.shapes, found))
    del known[:-_CACHED_PER_RIG]
    return found


def _analysed(actor: Actor, take: Take | None) -> RigAnalysis:
    rig = actor.rig
    world = forward(rig, rig.channels.default[None])[0]
    place = world[:, :3, 3]
    size = _size(place)
    deforms = _deforming(actor)
    metres = _metres(rig, world)
    most = [np.zeros(len(rig.channels)), *map(_moved, actor.takes)]
    most += [] if take is None else [_moved(take)]
    ever, ever_scaled = _moving(rig, np.max(most, axis=0), metres, size)
    slides, stretches = ever, ever_scaled
    if take is not None:
        slides, stretches = _moving(rig, _moved(take), metres, size)
    root = rig.root if rig.root >= 0 else _root(rig, place, deforms, ever)
    translates = slides | ~deforms
    translates[root] = True
    body = deforms & ~ancestors(rig, root)
    size = _size(place[body]) or PERSON
    settings = np.array(rig.lengths or ("",) * len(rig.names), str)
    return RigAnalysis(
        deforms=deforms,
        root=root,
        body=body,
        translates=(translates | (settings == "free")) & (settings != "locked"),
        scales=(stretches | (settings == "free")) & (settings != "locked"),
        size=size,
        metres=metres,
        roles=_roles(actor, deforms, root),
        reasons=_reasons(rig, deforms, root, slides | stretches),
        attached_to=find_attached(rig, actor.takes, deforms, ever, root, size),
    )


def _size(place: Floats) -> float:
    """Longest side of the box around joints, m; 0 where that is no number."""
    size = float(np.ptp(place, axis=0).max()) if len(place) else 0.0
    return size if np.isfinite(size) else 0.0


def moved_in(actor: Actor) -> list[list[str]]:
    """(J,) names of the takes that translate or scale each joint."""
    rig = actor.rig
    world = forward(rig, rig.channels.default[None])[0]
    size = _size(world[:, :3, 3])
    names: list[list[str]] = [[] for _ in rig.names]
    for take in actor.takes:
        slides, stretches = _moving(rig, _moved(take), _metres(rig, world), size)
        for joint in np.flatnonzero(slides | stretches).tolist():
            names[joint].append(take.name)
    return names


def _moving(rig: Rig, moved: Floats, metres: Floats, size: float) -> tuple[Bools, Bools]:
    """(J,) joints that are translated, and joints that are scaled, by a range of each channel."""
    most = _largest(rig, moved, (Kind.TRANSLATE_X, Kind.TRANSLATE_Z)) * metres
    scaled = _largest(rig, moved, (Kind.SCALE_X, Kind.SCALE_Z))
    return np.asarray(most > ANIMATED * size), np.asarray(scaled > ANIMATED)


def _reasons(rig: Rig, deforms: Bools, root: int, moves: Bools) -> tuple[Reason, ...]:
    """(J,) what decides whether a joint keeps its length."""
    settings = {"free": Reason.FREED, "locked": Reason.LOCKED}
    reasons = []
    for joint, length in enumerate(rig.lengths or ("",) * len(rig.names)):
        own = Reason.RIGID if deforms[joint] else Reason.CONTROL
        own = Reason.MOVES if moves[joint] else own
        own = Reason.ROOT if joint == root else own
        reasons.append(settings.get(length, own))
    return tuple(reasons)


def _roles(actor: Actor, deforms: Bools, root: int) -> tuple[Role, ...]:
    """(J,) the role of each joint."""
    roles = [Role.DEFORM if each else Role.CONTROL for each in deforms]
    skinned = {int(j) for s in actor.shapes if s.skin is not None for j in s.skin.joints}
    if skinned:
        for shape in actor.shapes:
            below = _below(actor.rig, shape.joint)
            if shape.skin is None and not skinned & set(np.flatnonzero(below).tolist()):
                roles[shape.joint] = Role.PROP
    roles[root] = Role.ROOT
    return tuple(roles)


def _deforming(actor: Actor) -> Bools:
    """(J,) joints that bend or carry a mesh, and those above them; all where there is no mesh."""
    deforms = np.zeros(len(actor.rig.names), bool)
    for shape in actor.shapes:
        if shape.skin is None:
            deforms[shape.joint] = True
        else:
            deforms[shape.skin.joints[_weighted(shape)]] = True
    if not deforms.any():
        return np.ones(len(deforms), bool)
    for joint in range(len(deforms) - 1, -1, -1):
        parent = actor.rig.parents[joint]
        if deforms[joint] and parent >= 0:
            deforms[parent] = True
    return deforms


def _weighted(shape: Shape) -> Ints:
    """Places in the skin's list of joints that some vertex follows."""
    assert shape.skin is not None
    used = np.zeros(len(shape.skin.joints), bool)
    for part in shape.parts:
        for name, joints in part.attributes.items():
            weights = part.attributes.get(name.replace("JOINTS", "WEIGHTS"))
            if name.startswith("JOINTS_") and weights is not None:
                heavy = joints[_plain(weights) > MIN_SKIN_WEIGHT].astype(np.int64)
                used[heavy[heavy < len(used)]] = True
    return np.flatnonzero(used)


def _plain(weights: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Floats:
    """Weights 0 to 1, which glTF may store as whole numbers."""
    whole = weights.dtype.kind in "ui"
    most = float(np.iinfo(weights.dtype).max) if whole else 1.0  # type: ignore[type-var]
    return np.asarray(weights, np.float64) / most


def _metres(rig: Rig, world: Floats) -> Floats:
    """(J,) how long a unit of each joint's translation is in the world: armatures may be scaled."""
    size = np.cbrt(np.abs(np.linalg.det(world[:, :3, :3])))
    above = np.where(rig.parents >= 0, size[np.maximum(rig.parents, 0)], 1.0)
    metres: Floats = np.where((above > 0) & np.isfinite(above), above, 1.0)
    return metres


_ranges: WeakKeyDictionary[Clip | Motion, Floats] = WeakKeyDictionary()


def _moved(take: Take) -> Floats:
    """(C,) how much each channel varies over the take; edits leave most takes as they were."""
    if take.layers:
        looks = values_at(take, np.linspace(0.0, take.duration, _MAX_SAMPLES))
        return np.asarray(np.ptp(looks, axis=0))
    known = _ranges.get(take.base)
    if known is None:
        known = _ranges[take.base] = _range(take.base)
    return known


def _range(base: Clip | Motion) -> Floats:
    if isinstance(base, Motion):
        return np.asarray(np.ptp(base.values, axis=0))
    values = [None if curve is None else curve.value for curve in base.curves]
    return np.array([0.0 if v is None or len(v) < 2 else v.max() - v.min() for v in values])


def _largest(rig: Rig, moved: Floats, kinds: tuple[Kind, Kind]) -> Floats:
    """(J,) the largest of some channels of each joint."""
    table, found = rig.channels, np.zeros(len(rig.names))
    own = (table.kind >= kinds[0]) & (table.kind <= kinds[1])
    np.maximum.at(found, table.joint[own], moved[own])
    return found


def ancestors(rig: Rig, joint: int) -> Bools:
    """(J,) the ancestors of a joint."""
    above = np.zeros(len(rig.names), bool)
    while (joint := int(rig.parents[joint])) >= 0:
        above[joint] = True
    return above


def _below(rig: Rig, joint: int) -> Bools:
    """(J,) a joint and its descendants."""
    below = np.zeros(len(rig.names), bool)
    below[joint] = True
    for each in range(joint + 1, len(below)):
        parent = rig.parents[each]
        below[each] = parent >= 0 and below[parent]
    return below


def _root(rig: Rig, place: Floats, deforms: Bools, slides: Bools) -> int:
    """The joint that carries the body: on the way down from the top, just before the limbs branch.

    It must be one that can be translated. A chain without branches is carried by its top.
    """
    table = rig.channels
    can = np.zeros(len(rig.names), bool)
    can[table.joint[table.kind <= Kind.TRANSLATE_Z]] = True
    way = _path_to_branching(rig, _bone_length_below(rig, place, deforms), deforms, slides)
    movable = [joint for joint in way if can[joint]] or way
    animated = [joint for joint in movable if slides[joint]]
    if animated:
        return animated[-1]
    chain = not ((rig.parents == way[-1]) & deforms).any()
    return movable[0] if chain else movable[-1]


def _bone_length_below(rig: Rig, place: Floats, deforms: Bools) -> Floats:
    """(J,) m, total bone length below each joint, and a little for the joint itself."""
    parents = rig.parents
    length = np.linalg.norm(place - place[np.maximum(parents, 0)], axis=1)
    length_below = np.where(deforms, 1e-9, 0.0)
    for joint in range(len(parents) - 1, -1, -1):
        if parents[joint] >= 0 and deforms[joint]:
            length_below[parents[joint]] += length_below[joint] + length[joint]
    return length_below


def _path_to_branching(rig: Rig, length_below: Floats, deforms: Bools, slides: Bools) -> list[int]:
    """Joints from the top to where the limbs branch.

    Exported feet and controllers often stand beside the body: a child that has nearly all bones
    and is translated by the take is the body, and the way goes on.
    """
    tops = np.flatnonzero(rig.parents < 0)
    way = [int(tops[np.argmax(length_below[tops])])]
    while True:
        children = np.flatnonzero((rig.parents == way[-1]) & deforms)
        main = int(children[np.argmax(length_below[children])]) if len(children) else -1
        most = main >= 0 and length_below[main] >= MAIN * length_below[children].sum()
        if len(children) != 1 and not (most and slides[main]):
            return way
        way.append(main)
