"""The result of a drag depends on where it ends, not on its path."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright.curves.keys import keyed
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.point_tasks import TaskList
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.solve.descent import descend
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent import drag_problem, solve_stages
from arcwright.tools.tangent.edit_window import MOST_SEGMENTS, edit_window
from arcwright.tools.tangent.preparation import prepare_edit
from arcwright.tools.tangent.session import TangentSession
from arcwright.tools.tangent.tool import TangentOptions, TangentTool

WOLF = Path(__file__).resolve().parents[3] / "shared" / "data" / "gltf" / "quaternius" / "Wolf.glb"
TIME = 10 / 24
HAND = Point("LeftHand")


def walk(*pinned):
    scene = arcwright.read("biped:walk")
    take = scene.characters[0].takes[0]
    pins = (Pin(Point(name), 0, take.duration) for name in pinned)
    return replace(scene, constraints=(*scene.constraints, *pins))


def released(scene, by, moves, point=HAND, time=TIME):
    session = TangentTool().begin(scene, Target(), TangentOptions())
    start = trail(scene.characters[0].takes[0], point, [time]).position[0]
    for share in np.linspace(1 / moves, 1, moves):
        session.update(Drag(point, time, position=start + share * np.asarray(by)))
    return session.finish().apply(scene).characters[0].takes[0]


@pytest.mark.parametrize("by", [(0, 0.1, 0), (0.2, 1.5, -0.3)], ids=["in reach", "out of reach"])
def test_many_moves_and_one_leap_end_alike(by):
    scene = walk("RightFoot", "Head")
    times = np.linspace(0, 1, 40)
    one, many = (values_at(released(scene, by, moves), times) for moves in (1, 12))
    np.testing.assert_array_equal(one, many)


def test_noise_of_a_drag_out_of_reach_changes_the_result_as_little():
    scene = walk("RightFoot")
    places = []
    for noise in (0.0, 1e-6):
        after = released(scene, (0.3 + noise, 1.2, 0), 6)
        places.append(trail(after, HAND, np.linspace(0, 1, 40)).position)
    assert np.abs(places[1] - places[0]).max() < 1e-3


def test_noise_of_hips_blocked_by_pinned_arms_changes_little():
    scene = walk("LeftLowerArm", "RightHand")
    scene = replace(scene, constraints=scene.pins)
    times = np.linspace(0, 1, 40)
    one, two = (
        released(scene, (-0.01777778 + noise, 0.23683402, -0.58577827), 1, Point("Hips"), 0.1134)
        for noise in (0.0, 1e-6)
    )
    for name in ("Hips", "Head", "LeftFoot", "LeftHand"):
        places = [trail(take, Point(name), times).position for take in (one, two)]
        assert np.abs(places[1] - places[0]).max() < 1e-3


@pytest.mark.skipif(not WOLF.is_file(), reason="no real files")
def test_noise_of_an_exported_animal_out_of_reach_changes_little():
    scene = arcwright.read(WOLF)
    actor = scene.characters[0]
    take = next(take for take in actor.takes if take.name.endswith("Idle_HitReact_Left"))
    pinned = Pin(Point("PoleTargetBack.L_end"), 0, take.duration, orientation=True)
    planted = Contact(Point("FF.L_end"), 0.03154994968264546, 0.2934252064755387)
    take = replace(take, base=fit(take, 0.005).clip)
    actor = replace(actor, takes=(take,))
    scene = replace(scene, characters=(actor,), constraints=(pinned, planted))
    point, time = Point("Ear1.L"), 0.23363282318300893
    far = np.array([-4.45797598, 0.15097507, 2.94723115])
    places = []
    for noise in (0.0, 1e-6):
        session = TangentTool().begin(scene, Target(), TangentOptions())
        session.update(Drag(point, time, position=far + [noise, 0, 0]))
        after = session.finish().apply(scene).characters[0].takes[0]
        places.append(trail(after, point, np.linspace(0, take.duration, 25)).position)
    assert np.abs(places[1] - places[0]).max() < 1e-3


def test_a_target_out_of_reach_is_not_tried_with_the_full_weights_of_constraints(monkeypatch):
    """Weak constraints show it; only the solve with limited forces that follows has all stages."""
    ended = []

    def noted(model, *given):
        ended.append((model.limited, model.tasks.rest is model.constraint_tasks))
        return descend(model, *given)

    monkeypatch.setattr(solve_stages, "descend", noted)
    scene = walk("RightFoot", "Head")
    session = TangentTool().begin(scene, Target(), TangentOptions())
    session.update(Drag(HAND, TIME, position=np.array([0.0, 9.0, 0.0])))
    ended.clear()
    session.finish()
    assert (False, True) not in ended
    assert (True, True) in ended


@pytest.mark.parametrize("by", [(0, 0.02, 0), (0, 9, 0)])
def test_nothing_is_prepared_twice_for_one_held_point(by, monkeypatch):
    windows, asked = [], []

    def noted_window(*given, **options):
        windows.append((options["smooth"], options["without"]))
        return edit_window(*given, **options)

    def noted(window, *, more=(), at=None):
        if not len(more):  # no samples added where constraints slip
            asked.append((window, None if at is None else at.tobytes()))
        return prepare_edit(window, more=more, at=at)

    monkeypatch.setattr(drag_problem, "edit_window", noted_window)
    monkeypatch.setattr(drag_problem, "prepare_edit", noted)
    scene = walk("RightFoot", "Head")
    session = TangentTool().begin(scene, Target(), TangentOptions())
    start = trail(scene.characters[0].takes[0], HAND, [TIME]).position[0]
    for share in (0.5, 1.0):
        session.update(Drag(HAND, TIME, position=start + share * np.array(by)))
        session.finish()
        session.notes()
    assert len(windows) == len(set(windows)) >= 1
    assert len(asked) == len(set(asked)) > 1


def test_constraint_forces_are_at_most_a_hundred_times_those_of_unmet_drags():
    scene = walk("RightFoot")
    session = TangentSession(scene, Target(), TangentOptions())
    session.update(Drag(HAND, TIME, position=np.array([0.0, 9.0, 0.0])))
    problem = session._current_problem().restarted()
    problem.limit_forces()
    kept = problem.model().constraint_tasks
    far = replace(kept.own[0], position=kept.own[0].position + 1.0)
    rows = TaskList((far,)).rows(problem.model().at_start)
    force = problem.drag_tasks[0].weight * problem.drag_tasks[0].saturation
    each = np.linalg.norm((rows.weight * rows.residual).reshape(-1, 3), axis=1)
    assert each == pytest.approx(100 * force, rel=1e-9)


def window_of(scene, clip, *held):
    actor = scene.characters[0]
    take = replace(actor.takes[0], base=clip)
    scene = replace(scene, characters=(replace(actor, takes=(take,)),))
    return edit_window(scene, scene.characters[0], take, list(held))


def test_one_channel_with_few_keys_does_not_open_the_whole_clip():
    scene = walk("LeftFoot", "RightFoot")
    clip = scene.characters[0].takes[0].base
    times = np.arange(0, 40) * 3 / 24  # a key on every third frame, but for one channel
    curves = [
        None if curve is None else keyed(times, np.interp(times, curve.time, curve.value))
        for curve in clip.curves
    ]
    sparse = next(i for i, curve in enumerate(curves) if curve is not None)
    curves[sparse] = keyed([0.0, times[-1]], [0.0, 0.1])
    held = window_of(scene, Clip("walk", tuple(curves), times[-1]), (Point("Hips"), 1.05))
    assert 0 < len(held.handles.channel) <= MOST_SEGMENTS
    assert held.span[1] - held.span[0] < 1.0


def test_tangents_between_neighbouring_frames_are_left_alone():
    scene = walk("LeftFoot")
    clip = scene.characters[0].takes[0].base
    times = np.arange(0, 25) / 24
    curves = tuple(
        None if curve is None else keyed(times, np.interp(times, curve.time, curve.value))
        for curve in clip.curves
    )
    held = window_of(scene, Clip("walk", curves, 1.0), (Point("Hips"), 0.5))
    assert len(held.handles.channel) == 0


@pytest.mark.parametrize("tangents", ["smooth", "broken"])
def test_a_default_drag_leaves_smooth_keys_smooth(tangents):
    scene = replace(walk(), constraints=())
    session = TangentTool().begin(scene, Target(), TangentOptions(tangents=tangents))
    start = trail(scene.characters[0].takes[0], HAND, [TIME]).position[0]
    session.update(Drag(HAND, TIME, position=start + [0, 0.05, 0.03]))
    after = session.finish().apply(scene).characters[0].takes[0]
    keys = np.array([6, 12]) / 24
    beside = (keys[:, None] + np.array([-2e-4, -1e-4, 1e-4, 2e-4])).ravel()
    place = trail(after, HAND, beside).position.reshape(2, 4, 3)
    jump = np.linalg.norm((place[:, 3] - place[:, 2]) - (place[:, 1] - place[:, 0]), axis=1) / 1e-4
    assert (jump.max() < 0.05) == (tangents == "smooth")


def test_what_pins_need_may_break_where_they_hold():
    scene = walk("LeftFoot", "RightFoot")
    scene = replace(scene, constraints=scene.pins)
    take = scene.characters[0].takes[0]
    after = released(scene, (0, -0.03, 0), 4, Point("Hips"))
    times = np.linspace(0, take.duration, 97)
    for pin in scene.pins:
        was, now = (trail(each, pin.point, times).position for each in (take, after))
        assert np.abs(now - was).max() < 5e-4
