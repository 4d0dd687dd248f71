"""Cases for random drags of motion curves: takes, points and targets in reach; and the drag."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import characters, files
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Pin
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.edit_window import edit_window
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import prepare_edit
from arcwright.tools.tangent.session import TangentSession
from arcwright.tools.tangent.tool import TangentOptions

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MOVE = 0.02  # m, length of one move
SOUND = 1e-6  # m; pins slip less by tangents that leave them alone
BROKEN = TangentOptions(tangents="broken")
Takes = Sequence[tuple[Scene, Take]]


@dataclass(frozen=True)
class Case:
    """A scene with one take and perhaps a pin, and a point held at a time."""

    scene: Scene
    point: Point
    time: float

    @property
    def take(self) -> Take:
        """The take that is edited."""
        return self.scene.characters[0].takes[0]

    @property
    def start(self) -> np.ndarray:
        """Where the point is before it is dragged."""
        return trail(self.take, self.point, np.array([self.time])).position[0]

    def description(self) -> str:
        """The case in a line."""
        pins = ", ".join(f"{p.point.joint}{' whole' * p.orientation}" for p in self.scene.pins)
        name = self.scene.characters[0].name
        frame = self.time * self.take.rate
        return f"{name}:{self.take.name} {self.point.joint} at {frame:.1f}, pinned: {pins or '-'}"


def random_case(random: np.random.Generator, takes: Takes) -> Case:
    """A random take, point, time between keys and, more often than not, a pinned joint."""
    scene, take = takes[random.integers(len(takes))]
    actor = next(each for each in scene.characters if each.rig is take.rig)
    scene = Scene(scene.name, (replace(actor, takes=(take,)),))
    assert isinstance(take.base, Clip)
    while True:
        joint = take.rig.names[int(random.integers(len(take.rig.names)))]
        point = Point(joint, random.normal(0, 0.05, 3))
        time = float(random.uniform(0.02, 0.98)) * take.duration
        curves = [take.base.curves[channel] for channel in channels_moving(take.rig, [point])]
        if any(curve is not None and len(curve) > 1 for curve in curves):
            break
    if random.random() < 0.6:
        other = Point(take.rig.names[int(random.integers(len(take.rig.names)))])
        whole = bool(random.random() < 0.5)
        scene = replace(
            scene, constraints=(*scene.constraints, Pin(other, 0, take.duration, orientation=whole))
        )
    return Case(scene, point, time)


def target_in_reach(random: np.random.Generator, case: Case) -> np.ndarray | None:
    """Where the point goes when tangents that move no pin are changed at random."""
    actor = case.scene.characters[0]
    held = prepare_edit(edit_window(case.scene, actor, case.take, [(case.point, case.time)]))
    handles = held.handles
    if not len(handles.channel):
        return None
    pinned = set(channels_moving(case.take.rig, [pin.point for pin in case.scene.pins]).tolist())
    low, high = np.maximum(handles.box.low, -1), np.minimum(handles.box.high, 1)
    x = random.uniform(low, high) * random.uniform(0.1, 0.9)
    for handle, pair in enumerate(handles.unknown):
        if int(handles.channel[handle // 2]) in pinned:
            x[pair[pair >= 0]] = 0.0
    model = TangentModel(case.take.rig, held)
    slipped = np.abs(model.constraint_tasks.rows(model.points_at(x)).residual).max(initial=0.0)
    if slipped > SOUND:  # as handles, a slerp that carries the pin runs nearby only
        return None
    reached: np.ndarray = model.position(x)[0, 0]
    return reached


def drag(
    case: Case, target: np.ndarray, session: TangentSession, back: bool = False
) -> tuple[np.ndarray, list[float]]:
    """Take the point to its target in small moves, or back.

    Where it is then, and the CPU time of each move, ms.
    """
    start, spent = case.start, []
    count = int(np.clip(np.linalg.norm(target - start) / MOVE, 4, 60))
    shares = np.linspace(0, 1, count + 1)
    for share in shares[::-1] if back else shares[1:]:
        move = Drag(case.point, case.time, position=start + share * (target - start))
        began = time.process_time()
        reached = session.update(move).drag.position
        spent.append((time.process_time() - began) * 1e3)
    return reached, spent


def released_drag(case: Case, session: TangentSession) -> tuple[Take, np.ndarray]:
    """The clip after the release, and where the point is in it."""
    after = session.finish().apply(case.scene).characters[0].takes[0]
    return after, trail(after, case.point, np.array([case.time])).position[0]


def built_in_takes() -> list[tuple[Scene, Take]]:
    scenes = [characters.built_in(name) for name in characters.names()]
    return [(scene, take) for scene in scenes for take in scene.characters[0].takes]


def real_takes() -> list[tuple[Scene, Take]]:
    found: list[tuple[Scene, Take]] = []
    for path in sorted(DATA.glob("gltf/**/*.gl*")):
        scene = files.read(path)
        for actor in scene.characters:
            takes = [take for take in actor.takes if take.duration > 0 and can_be_dragged(take)]
            found += [(scene, take) for take in takes[:4]]
    for path in sorted(DATA.glob("bvh/**/*.bvh"))[::6]:
        scene = files.read(path)
        take = scene.characters[0].takes[0]
        assert isinstance(take.base, Motion)
        base = replace(take.base, time=take.base.time[:240], values=take.base.values[2:242])
        fitted = replace(take, base=fit(replace(take, base=base), 0.005).clip)
        found.append((scene, fitted))
    return found


def can_be_dragged(take: Take) -> bool:
    """Whether some joint is moved by a curve of several keys: weights alone move none."""
    assert isinstance(take.base, Clip)
    moving = channels_moving(take.rig, [Point(name) for name in take.rig.names])
    curves = [take.base.curves[channel] for channel in moving]
    return any(curve is not None and len(curve) > 1 for curve in curves)
