"""Random drags on real rigs: takes of ../shared/data, targets in and out of reach, constraints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from arcwright import files
from arcwright.kinematics.baked_clip import is_baked
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import matrix_from_vector, quaternion_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.attached import assembled_scene
from arcwright.tools.tangent.edit_window import edit_window
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import prepare_edit
from arcwright.tools.tangent.tool import TangentOptions
from tangent_drag_cases import DATA, can_be_dragged

KINDS = ("position", "rotation", "orientation", "both", "time")
SHARES = (0.5, 0.1, 0.1, 0.15, 0.15)
CAPTURES = 20
SECONDS = 3.0  # of a capture
TOLERANCE = 0.005  # m of the reduction
FAR_SHARE = 0.3  # of the drags: out of reach, most of them
IN_REACH = 1e-4  # m that pins may drift under the random tangents which make a target


@dataclass(frozen=True)
class Case:
    """A drag, and the scene with its constraints."""

    name: str
    kind: str
    near: bool  # whether the target is in reach
    scene: Scene
    drag: Drag  # the last one

    @property
    def take(self) -> Take:
        """The take that is edited."""
        return self.scene.characters[0].takes[0]

    @property
    def options(self) -> TangentOptions:
        """A rotation is one of the joint alone, an orientation is solved by the whole body."""
        return TangentOptions(rotate="joint" if self.kind == "rotation" else "body")

    @property
    def group(self) -> str:
        """Its row of the table."""
        pinned = self.scene.pins or self.scene.contacts
        return f"{self.kind} {'near' if self.near else 'far'} {'pins' if pinned else 'free'}"


@cache
def takes(half: int) -> tuple[tuple[str, Actor, Take], ...]:
    """Takes with keys from one half of the files."""
    found = []
    for path in sorted(DATA.glob("gltf/**/*.gl*"))[half::2]:
        for actor in files.read(path).characters:
            for take in actor.takes:
                if take.duration > 0 and can_be_dragged(take):
                    found.append((path.stem, actor, take))
    for path in sorted(DATA.glob("bvh/**/*.bvh"))[half::2][: CAPTURES // 2]:
        actor = files.read(path).characters[0]
        found.append((path.stem, actor, actor.takes[0]))
    return tuple(found)


@cache
def keyed(half: int, index: int) -> Take:
    """The take with few keys."""
    _, _, take = takes(half)[index]
    if isinstance(take.base, Motion):
        count = min(int(SECONDS * take.rate), len(take.base.values) - 2)
        base = replace(
            take.base, time=take.base.time[:count], values=take.base.values[2 : 2 + count]
        )
        return replace(take, base=fit(replace(take, base=base), TOLERANCE).clip)
    if is_baked(take.base):
        return replace(take, base=fit(take, TOLERANCE).clip)
    return take


def random_case(random: np.random.Generator, half: int) -> Case | None:
    """A random drag; None where this point has no key to move it."""
    index = int(random.integers(len(takes(half))))
    name, actor, _ = takes(half)[index]
    take = keyed(half, index)
    names = take.rig.names
    moved = np.flatnonzero(analyse(actor, take).body)
    joint = names[int(random.choice(moved))] if len(moved) else names[random.integers(len(names))]
    point = Point(joint, random.normal(0, 0.05, 3) * (random.random() < 0.5))
    when = float(random.uniform(0.02, 0.98)) * take.duration
    curves = [take.base.curves[channel] for channel in channels_moving(take.rig, [point])]
    if not any(curve is not None and len(curve) > 1 for curve in curves):
        return None
    scene = Scene(name, (replace(actor, takes=(take,)),))
    scene = with_constraints(random, scene, take, joint)
    kind = KINDS[random.choice(len(KINDS), p=SHARES)]
    near = bool(random.random() >= FAR_SHARE)
    if kind == "time":
        drag = Drag(point, when, time_scale=float(random.uniform(-0.8, 0.8)))
        return Case(name, kind, True, scene, drag)
    goal = (
        within_reach(random, scene, take, point, when) if near else away(random, take, point, when)
    )
    if goal is None:
        return None
    position, orientation = goal
    drag = Drag(
        point,
        when,
        position=position if kind in ("position", "both") else None,
        orientation=None if kind == "position" else quaternion_from_matrix(orientation),
    )
    return Case(name, kind, near, scene, drag)


def with_constraints(random: np.random.Generator, scene: Scene, take: Take, dragged: str) -> Scene:
    """The scene with 0 to 3 pins and contacts, the ends of limbs more often than other joints."""
    rig = take.rig
    others = [name for name in rig.names if name != dragged]
    parents = set(rig.parents.tolist())
    ends = [name for i, name in enumerate(rig.names) if i not in parents and name != dragged]
    pins, contacts = [], []
    for _ in range(int(random.integers(4)) if others else 0):
        among = ends if ends and random.random() < 0.7 else others
        point = Point(among[random.integers(len(among))])
        start, end = np.sort(random.uniform(0, take.duration, 2))
        if random.random() < 0.5:
            pins.append(Pin(point, 0, take.duration, orientation=bool(random.random() < 0.3)))
        else:
            contacts.append(Contact(point, float(start), float(end)))
    return replace(scene, constraints=(*pins, *contacts))


def point_frame(take: Take, point: Point, when: float) -> tuple[np.ndarray, np.ndarray]:
    """Position (3,) and orientation (3, 3) of a point."""
    joint = take.rig.joint(point.joint)
    world = forward(take.rig, values_at(take, np.array([when])), [joint])[0, 0]
    length = np.linalg.norm(world[:3, :3], axis=0)
    orientation = world[:3, :3] / length if length.all() else np.eye(3)  # hidden: scaled to 0
    return world[:3, :3] @ point.offset + world[:3, 3], orientation


def within_reach(
    random: np.random.Generator, scene: Scene, take: Take, point: Point, when: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Where the point goes when tangents that move no constrained point are changed at random."""
    assembled = assembled_scene(scene, Target())
    if assembled is not None:  # a foot moves with its leg
        scene, take = assembled.scene, assembled.rig.assembled_take
    free = prepare_edit(edit_window(scene, scene.characters[0], take, [(point, when)]))
    handles = free.handles
    if not len(handles.channel):
        return None
    fixed = [each.point for each in (*scene.pins, *scene.contacts)]
    still = set(channels_moving(take.rig, fixed).tolist()) if fixed else set()
    low, high = np.maximum(handles.box.low, -1), np.minimum(handles.box.high, 1)
    x = random.uniform(low, high) * random.uniform(0.1, 0.9)
    for handle, pair in enumerate(handles.unknown):
        if int(handles.channel[handle // 2]) in still:
            x[pair[pair >= 0]] = 0.0
    model = TangentModel(take.rig, free)
    there = model.points_at(x)
    if (
        not x.any()
        or np.abs(model.constraint_tasks.rows(there).residual).max(initial=0.0) > IN_REACH
    ):
        return None
    return there.position[0, 0], there.orientation[0, 0]


def away(
    random: np.random.Generator, take: Take, point: Point, when: float
) -> tuple[np.ndarray, np.ndarray]:
    """Up to a body's height away, rotated by up to a right angle."""
    position, orientation = point_frame(take, point, when)
    way = random.normal(size=3)
    far = random.uniform(0.2, 1.0) * height(take)
    rotation = random.normal(size=3)
    rotation *= random.uniform(0.3, 1.5) / np.linalg.norm(rotation)
    rotated = matrix_from_vector(rotation[None])[0] @ orientation
    return position + way / np.linalg.norm(way) * far, rotated


@cache
def height(take: Take) -> float:
    """The largest extent of the joints, m."""
    positions = forward(take.rig, values_at(take, np.zeros(1)))[0, :, :3, 3]
    return max(float(np.ptp(positions, axis=0).max()), 1e-3)
