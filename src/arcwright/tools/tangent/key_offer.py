"""Key offer: an additional key where tangents alone cannot reach the target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.first_key import key_poses_around, with_guard_keys
from arcwright.curves.local_key import set_key_locally
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import TaskList, drag_task
from arcwright.objectives.pose_model import PoseModel, prepare_pose
from arcwright.objectives.solve_pose import solve_from_start
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.jumps import Jump, worst_jump
from arcwright.tools.tangent.edit_window import edit_window
from arcwright.tools.tangent.handles import moved_curves
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import PreparedEdit, check_times, prepare_edit
from arcwright.tools.tangent.solve_stages import RELEASE_CRITERIA, solve_in_stages
from arcwright.tools.tool import Offer

LEAST_KEY_CHANGE = 1e-6  # m, rad or plain
GAINS = 1e-3  # m that a key must bring the point closer, and
WORTH = 0.02  # of the distance that is left
MOVES = 1e-3  # m; constraints that move by more are named
MOST_NAMED = 2  # of these
BRIEF = 3.0  # frames from key to key: a key between them would cause a jump


def offer_key(
    scene: Scene, edited: EditedClip, edit: Edit, drag: Drag, free: Freedom
) -> Offer | None:
    """The edit so far with a key on the channels that have to move at the time of the drag.

    Pins and contacts are kept by the tangents on both sides of it; what still moves is named.
    """
    assert drag.position is not None
    take = edit.apply(scene).actor(edited.actor.name).take(edited.take.name)
    held = prepare_pose(scene, edited, [drag.point], drag.time, free, take)
    held = held.only(_can_have_keys(take, drag.time, held.channels))
    model = PoseModel(edited.take.rig, held, [drag_task(drag, 0, 0)])
    still, found = np.zeros(len(model.channels)), solve_from_start(model)
    before = float(np.linalg.norm(model.jacobian(still).position[0, 0] - drag.position))
    after = float(np.linalg.norm(model.jacobian(found.x).position[0, 0] - drag.position))
    if after > before - max(GAINS, WORTH * before):
        return None
    keyed = _with_keys(take, drag.time, model.start, model.values(found.x))
    corrected, moved = _with_constraints(scene, edited, keyed, drag, free)
    frame = drag.time * edited.clip.rate
    text = (
        f"A key at frame {frame:g} brings {drag.point.joint} {(before - after) * 100:.1f} cm closer"
    )
    costs = _costs(moved, _jump(edited.take, corrected, drag))
    if costs:
        text += ", but " + "; ".join(costs)
    return Offer(text, _edit(edited, corrected, f"{edit.label}, with a key"), after)


def _jump(take: Take, after: Take, drag: Drag) -> Jump | None:
    """The worst jump of a joint in the whole take, whether or not a key pose is close by."""
    return worst_jump(take, after, (0.0, take.duration), [drag], [np.inf])


def _costs(moved: dict[str, float], jump: Jump | None) -> list[str]:
    """What a key costs, in words."""
    costs = []
    if moved:
        worst = sorted(moved.items(), key=lambda each: -each[1])[:MOST_NAMED]
        costs.append("moves " + " and ".join(f"{name} {by * 100:.1f} cm" for name, by in worst))
    if jump:
        costs.append(f"{jump.joint} jumps {jump.where}")
    return costs


def _can_have_keys(take: Take, time: float, channels: Ints) -> Bools:
    """(N,) channels that have keys, but none close by; without any, they move at all times."""
    assert isinstance(take.base, Clip)
    can = np.zeros(len(channels), bool)
    for index, channel in enumerate(channels.tolist()):
        curve = take.base.curves[channel]
        if curve is not None:
            after = int(np.searchsorted(curve.time, time, "right"))
            around = curve.time[max(after - 1, 0) : after + 1]
            can[index] = len(around) < 2 or float(np.diff(around)[0]) * take.rate > BRIEF
    return can


def _with_keys(take: Take, time: float, was: Floats, now: Floats) -> Take:
    assert isinstance(take.base, Clip)
    curves, around = list(take.base.curves), key_poses_around(take.base, time)
    for channel, curve in enumerate(curves):
        if curve is not None and abs(now[channel] - was[channel]) > LEAST_KEY_CHANGE:
            guarded = with_guard_keys(curve, time, float(was[channel]), around)
            curves[channel] = set_key_locally(guarded, time, float(now[channel])) or curve
    return replace(take, base=replace(take.base, curves=tuple(curves)))


def _with_constraints(
    scene: Scene, edited: EditedClip, keyed: Take, drag: Drag, free: Freedom
) -> tuple[Take, dict[str, float]]:
    """The take with pins and contacts kept where they were, and how far some still move, m."""
    actor = replace(
        edited.actor, takes=tuple(keyed if t is edited.take else t for t in edited.actor.takes)
    )
    now = replace(free, actor=actor, take=keyed)
    window = edit_window(scene, actor, keyed, [(drag.point, drag.time)], now)

    def prepared(at: Floats | None = None) -> PreparedEdit:
        return prepare_edit(window, at=at, kept_as_in=edited.take)

    own = prepared()
    if not own.constraint_tasks or not len(own.handles.stiffness):
        return keyed, {}
    model = TangentModel(keyed.rig, own)
    drag_tasks = (drag_task(drag, 0, 0),)
    model.tasks = TaskList(drag_tasks, model.constraint_tasks)
    reference = np.zeros(len(own.handles.stiffness))
    found = solve_in_stages(model, reference, reference, drag_tasks, RELEASE_CRITERIA)
    assert isinstance(keyed.base, Clip)
    bent = moved_curves(keyed.base, own.handles, found.x)
    curves = tuple(bent.get(c, curve) for c, curve in enumerate(keyed.base.curves))
    take = replace(keyed, base=replace(keyed.base, curves=curves))
    check = TangentModel(keyed.rig, prepared(check_times(own.span, keyed.rate)))
    rows = check.constraint_tasks.rows(check.places_with(found.x))
    moved: dict[str, float] = {}
    for index, task in enumerate(check.constraint_tasks.own):
        by = float(np.abs(rows.residual[rows.task == index]).max(initial=0.0))
        if by > MOVES:
            moved[task.name] = max(by, moved.get(task.name, 0.0))
    return take, moved


def _edit(edited: EditedClip, take: Take, label: str) -> Edit:
    assert isinstance(take.base, Clip)
    pairs = enumerate(zip(edited.clip.curves, take.base.curves, strict=True))
    changes = [Change((*edited.curves, c), old, new) for c, (old, new) in pairs if old is not new]
    return Edit(label, tuple(changes))
