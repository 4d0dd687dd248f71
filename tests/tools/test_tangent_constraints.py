"""Pins, contacts and drags of every kind on a motion curve."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.replay.outcome import pin_drift
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from builders import arm_rig
from chains import TIP, chain_scene, place, still_scene
from tangent_edits import begin, dragged

QUARTERS = np.arange(0, 24.1, 0.25) / 24  # s, the first second


def turned(scene, point, times):
    return trail(scene.characters[0].takes[0], point, times).orientation


def turn_error(before, after, point, times):
    """Largest angle between two ways of a joint, rad."""
    was, now = turned(before, point, times), turned(after, point, times)
    return 2 * np.arccos(np.clip(np.abs((was * now).sum(axis=1)), 0, 1)).max()


@pytest.mark.parametrize("scale", [-40.0, -1.0, 1.0, 40.0])
def test_timing_scaled_beyond_measure_leaves_curves_functions_of_time(scale):
    scene = chain_scene()
    session = begin(scene)
    session.update(Drag(TIP, 0.45, time_scale=scale))
    changes = session.finish().changes
    assert changes
    for change in changes:
        curve, length = change.after, np.diff(change.after.time)
        assert (curve.tangent[:-1, 1, 0] <= length).all()
        assert (curve.tangent[1:, 0, 0] <= length).all()
        assert np.isfinite(evaluate_curve(curve, np.linspace(0, 2, 400))).all()
        assert evaluate_curve(curve, curve.time) == pytest.approx(curve.value)


def test_spread_frames_are_further_apart_at_the_time_of_the_drag():
    scene = chain_scene()
    speeds = []
    for scale in (-0.4, 0.4):
        session = begin(scene)
        session.update(Drag(TIP, 0.5, time_scale=scale))
        after = session.finish().apply(scene)
        near = place(after, TIP, [0.48, 0.52])
        speeds.append(np.linalg.norm(near[1] - near[0]))
    assert speeds[1] > 1.3 * speeds[0]


def test_a_drag_in_the_plane_of_a_view_leaves_its_depth_free():
    scene = chain_scene(constraints=(Pin(Point("joint1"), 0, 2),))
    start = place(scene, TIP, 0.3)[0]
    right, up = np.array([0.8, 0, 0.6]), np.array([0.0, 1, 0])
    depth = np.cross(right, up)
    session = begin(scene)
    wanted = start + 0.1 * right - 0.05 * up + 7 * depth
    session.update(Drag(TIP, 0.3, position=wanted, axes=[right, up]))
    moved = place(session.finish().apply(scene), TIP, 0.3)[0] - start
    assert moved @ right == pytest.approx(0.1, abs=1e-4)
    assert moved @ up == pytest.approx(-0.05, abs=1e-4)
    assert abs(moved @ depth) < 0.2


def test_a_pinned_turn_stays_while_its_point_moves():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 1, position=False, orientation=True),))
    session, _, target = dragged(scene, [0.1, 0.05, 0.0])
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.3)[0] == pytest.approx(target, abs=1e-4)
    assert turn_error(scene, after, "joint2", QUARTERS) < 1e-3
    gone = place(after, "joint2", QUARTERS) - place(scene, "joint2", QUARTERS)
    assert np.abs(gone).max() > 0.01


def test_a_pin_in_place_and_turn_holds_both_over_a_part_of_a_segment():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0.6, 0.8, orientation=True),))
    session, _, target = dragged(scene, [0.05, 0.03, 0.0], time=0.2)
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.2)[0] == pytest.approx(target, abs=1e-3)
    inside = QUARTERS[(QUARTERS >= 0.6) & (QUARTERS <= 0.8)]
    kept = place(after, "joint2", inside) - place(scene, "joint2", inside)
    assert np.abs(kept).max() < 1e-4
    assert turn_error(scene, after, "joint2", inside) < 1e-3


def test_pins_at_single_moments_hold_there():
    moments = (0.1, 0.7)
    scene = chain_scene(constraints=(*tuple(Pin(Point("joint2"), at, at) for at in moments),))
    session, _, target = dragged(scene, [0.1, 0.0, 0.05], time=0.4, body_follows=1.0)
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.4)[0] == pytest.approx(target, abs=1e-3)
    kept = place(after, "joint2", moments) - place(scene, "joint2", moments)
    assert np.abs(kept).max() < 1e-4
    assert np.abs(place(after, "joint2", 0.4) - place(scene, "joint2", 0.4)).max() > 1e-3


def test_the_dragged_path_itself_can_be_pinned_elsewhere():
    scene = chain_scene(constraints=(Pin(TIP, 0.15, 0.15), Pin(TIP, 0.75, 0.75)))
    session, _, target = dragged(scene, [0.1, 0.05, 0.0], time=0.45)
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.45)[0] == pytest.approx(target, abs=1e-3)
    assert place(after, TIP, [0.15, 0.75]) == pytest.approx(
        place(scene, TIP, [0.15, 0.75]), abs=1e-4
    )


def test_a_contact_rides_on_another_point_of_the_same_body_that_moves():
    moving, held = Point("joint1", [0.2, 0, 0]), Point("joint3")
    scene = still_scene(constraints=(Contact(held, 0, 1, relative_to=moving),))
    session, _, target = dragged(scene, [0.15, 0.1, 0.0], point=moving, time=0.5)
    after = session.finish().apply(scene)
    assert place(after, moving, 0.5)[0] == pytest.approx(target, abs=1e-3)
    take = after.characters[0].takes[0]
    world = forward(take.rig, values_at(take, QUARTERS), [take.rig.joint("joint1")])[:, 0]
    there = (
        np.linalg.inv(world)
        @ np.append(place(after, held, QUARTERS), np.ones((97, 1)), 1)[..., None]
    )
    assert np.ptp(there[:, :3, 0], axis=0).max() < 1e-3
    assert np.ptp(place(after, held, QUARTERS), axis=0).max() > 0.02


def moving_prop():
    """A thing that slides 30 cm along x and turns a little, in one second."""
    rig = arm_rig()
    curves = [None] * 7
    curves[0], curves[5] = keyed([0, 1], [0.0, 0.3]), keyed([0, 1], [0.0, 0.2])
    return Prop("cart", rig, (Take(rig, Clip("roll", tuple(curves), 1.0)),))


def test_a_contact_rides_on_a_prop_that_moves():
    held, cart = Point("joint3"), moving_prop()
    contact = Contact(held, 0, 0.6, relative_to=Point("joint0", character="cart"))
    scene = replace(still_scene(constraints=(contact,)), props=(cart,))
    session, _, _ = dragged(scene, [0.02, 0.05, 0.0], point=Point("joint1"), time=0.5)
    after = session.finish().apply(scene)
    times = np.arange(0, 0.6, 0.01)
    world = forward(cart.rig, values_at(cart.takes[0], np.append(0, times)), [0])[:, 0]
    local = np.linalg.inv(world[0]) @ np.append(place(scene, held, 0.0)[0], 1)
    wanted = (world[1:] @ local)[:, :3]
    assert np.ptp(wanted[:, 0]) > 0.1
    assert place(after, held, times) == pytest.approx(wanted, abs=2e-3)


def test_unified_tangents_take_the_neighbouring_segment_along():
    scene = chain_scene()
    later = np.linspace(1.05, 1.95, 10)
    changed = {}
    for tangents in ("broken", "unified"):
        session, _, target = dragged(scene, [0.1, 0.0, 0.05], time=0.8, tangents=tangents)
        after = session.finish().apply(scene)
        assert place(after, TIP, 0.8)[0] == pytest.approx(target, abs=1e-4)
        changed[tangents] = np.abs(place(after, TIP, later) - place(scene, TIP, later)).max()
    assert changed["broken"] < 1e-12
    assert changed["unified"] > 1e-3


def test_an_offered_key_keeps_pins_between_keys_or_says_what_it_costs():
    scene = arcwright.read("biped:walk")
    take = scene.characters[0].takes[0]
    feet = tuple(Pin(Point(name), 0, take.duration) for name in ("LeftFoot", "RightFoot"))
    scene = replace(scene, constraints=(*scene.constraints, *feet))
    point, time = Point("Hips"), 9 / 24
    start = trail(take, point, [time]).position[0]
    session = TangentTool().begin(scene, Target(), TangentOptions())
    session.update(Drag(point, time, position=start + [0.0, -0.12, 0.05]))
    offer = session.offer()
    assert offer is not None
    after = offer.edit.apply(scene).characters[0].takes[0]
    drift = pin_drift(scene, take, after)
    assert drift < 1.5e-3 or "but moves" in offer.text
    assert drift < 0.02
