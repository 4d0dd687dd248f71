"""Shaping loops in the browser: curve, ticks, arrows, contact, channels, period and phase."""

import re
from dataclasses import replace

import numpy as np
import pytest

from acting import ball_scene, circles, performed, poses
from arcwright.kinematics.sample import values_at
from arcwright.open import read, write
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.target import Target
from places import curve, curve_place, done, point_ref, saved, select, settled, still, undo

HAND = "LeftHand"
PER_FRAME = 4  # samples of a curve


def in_place(scene):
    """The first take with what its root moves forwards taken away: it loops on the spot."""
    actor = scene.characters[0]
    take = actor.takes[0]
    table = take.rig.channels
    channel = int(np.flatnonzero((table.joint == 0) & (table.kind == Kind.TRANSLATE_Z))[0])
    old = take.base.curves[channel]
    slope = (old.value[-1] - old.value[0]) / (old.time[-1] - old.time[0])
    tangent = old.tangent.copy()
    tangent[..., 1] -= slope * tangent[..., 0]
    still_one = replace(old, value=old.value - slope * (old.time - old.time[0]), tangent=tangent)
    curves = tuple(still_one if c == channel else each for c, each in enumerate(take.base.curves))
    take = replace(take, base=replace(take.base, curves=curves))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


@pytest.fixture
def shaping(folder, studio_of, window_of):
    """A studio on a walk on the spot, and a paused window on a hand's loop from the side."""
    path = folder / "loop.arc.glb"
    write(in_place(read("biped:walk")), path)
    studio = studio_of(path)
    window = window_of(studio)
    window.page.locator('[data-tool="cycle"]').click()
    window.wait('state().tool === "cycle"')
    still(window, 0)
    select(window, HAND)
    seen_from_the_side(window)
    return studio, window


def seen_from_the_side(window):
    x, y = middle(window)
    window.mouse.move(x, y)
    window.keyboard.press("Numpad3")
    window.wait("camera().still")
    window.keyboard.press("NumpadDecimal")
    window.wait("camera().still")
    settled(window)


def middle(window):
    edge = window.page.locator(".stage canvas").bounding_box()
    return edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 4


def across(window, joint, frame, by):
    """A place of the page beside a curve, so many px across it."""
    here = np.array(curve_place(window, joint, frame))
    along = np.subtract(
        curve_place(window, joint, frame + 1), curve_place(window, joint, frame - 1)
    )
    normal = np.array([-along[1], along[0]]) / np.hypot(*along)
    return (here + by * normal).tolist()


def readout(window):
    return window.page.locator(".word.readout").inner_text()


def orientations(studio, window, name):
    from arcwright.kinematics.trail import trail
    from arcwright.scene.point import Point

    take = saved(window, studio, name).characters[0].takes[0]
    return trail(take, Point(HAND), np.arange(25) / 24)


def test_the_curve_is_dragged_while_the_loop_plays(shaping):
    _, window = shaping
    before = curve(window, HAND)
    assert np.allclose(before[0], before[-1], atol=1e-6)
    window.keyboard.press("Space")
    window.wait("state().playing")
    window.press(curve_place(window, HAND, 20), across(window, HAND, 20, 60))
    window.until(lambda: window.state["previews"], "a preview")
    assert window.state["playing"]
    assert window.state["interaction"]["time"] == pytest.approx(20 / 24)
    window.mouse.up()
    done(window, 1)
    assert window.state["playing"]
    window.keyboard.press("Space")
    still(window, 0)
    moved = np.linalg.norm(curve(window, HAND) - before, axis=1)
    assert moved[20 * PER_FRAME] > 0.03
    assert moved[20 * PER_FRAME] == moved[16 * PER_FRAME : 24 * PER_FRAME].max()
    assert moved[9 * PER_FRAME] < 1e-3  # beyond the affected range
    assert np.allclose(curve(window, HAND)[0], curve(window, HAND)[-1], atol=1e-5)
    undo(window, 0)
    assert np.array_equal(curve(window, HAND), before)


def test_a_tick_is_dragged_along_the_curve_for_time_and_across_it_for_space(shaping):
    _, window = shaping
    before = curve(window, HAND)
    at = curve_place(window, HAND, 6)
    window.mouse.move(*at)
    label = window.page.locator(".word.label")
    label.wait_for()
    assert label.inner_text() == "Frame 6: drag along for time · drag away to move"
    assert window.ask("pick(...given)", *at)["tick"]
    window.press(at, curve_place(window, HAND, 8), steps=12)
    window.until(lambda: window.state["previews"], "a preview")
    assert re.fullmatch(r"Frame 6: \+(1\.9|2\.0|2\.1) frames", readout(window))
    window.mouse.up()
    done(window, 1)
    assert window.state["done"] == ["Retime frame 6"]
    after = curve(window, HAND)
    assert np.linalg.norm(after[6 * PER_FRAME] - before[8 * PER_FRAME]) < 0.01
    nearest = np.linalg.norm(after[:, None] - before[None], axis=2).min(1)
    assert nearest.max() < 0.01  # the path is the same
    undo(window, 0)
    assert np.array_equal(curve(window, HAND), before)
    window.drag(curve_place(window, HAND, 6), across(window, HAND, 6, 50))
    done(window, 1)
    assert window.state["done"] == [f"Shape {HAND} at frame 6"]
    undo(window, 0)


def test_a_tick_that_is_held_stays_while_another_is_dragged(shaping):
    _, window = shaping
    before = curve(window, HAND)
    window.press(curve_place(window, HAND, 6), curve_place(window, HAND, 7), steps=12)
    window.wait("state().interaction !== null")
    window.keyboard.press("h")
    window.mouse.up()
    window.wait("state().interaction?.open")
    assert window.state["done"] == []
    goal = before[17 * PER_FRAME]
    window.press(curve_place(window, HAND, 18), place_of(window, goal), steps=12)
    window.mouse.up()
    window.wait("state().interaction?.open")
    window.keyboard.press("Enter")
    done(window, 1)
    after = curve(window, HAND)
    assert np.linalg.norm(after[6 * PER_FRAME] - before[7 * PER_FRAME]) < 0.01
    assert np.linalg.norm(after[18 * PER_FRAME] - goal) < 0.01
    undo(window, 0)
    assert np.array_equal(curve(window, HAND), before)


def place_of(window, world):
    """Where a place of the world is on the page."""
    return window.ask("placeOf(given[0])", list(map(float, world)))


def test_an_arrow_rotates_its_frame_and_the_place_stays(shaping):
    studio, window = shaping
    before, frame = curve(window, HAND), 8
    start = orientations(studio, window, "before.arc.glb")
    arrow = min(
        (each for each in window.ask("arrows()") if each["frame"] % 24),
        key=lambda each: abs(each["frame"] - frame),
    )
    frame, (x, y) = arrow["frame"], arrow["at"]
    assert window.ask("pick(...given)", x, y)["kind"] == "arrow"
    window.press([x, y], [x + 24, y - 18])
    window.until(lambda: window.state["previews"], "a preview")
    assert readout(window).endswith("°")
    window.mouse.up()
    done(window, 1)
    end = orientations(studio, window, "after.arc.glb")
    dots = np.abs(np.sum(start.orientation * end.orientation, axis=1)).clip(0, 1)
    turned = np.degrees(2 * np.arccos(dots))
    assert turned[frame] > 8
    assert turned[frame] == pytest.approx(turned.max(), abs=1)
    assert turned[(frame + 12) % 24] < 0.5
    assert np.linalg.norm(end.position - start.position, axis=1).max() < 2e-3
    undo(window, 0)
    assert np.array_equal(curve(window, HAND), before)


def test_escape_cancels_drags_of_curves_ticks_and_arrows(shaping):
    _, window = shaping
    before = curve(window, HAND)
    x, y = window.ask("arrows()")[2]["at"]
    tick = curve_place(window, HAND, 6)
    gestures = [
        (tick, curve_place(window, HAND, 8)),
        (tick, across(window, HAND, 6, 50)),
        ([x, y], [x + 30, y - 20]),
    ]
    for start, end in gestures:
        window.press(start, end)
        window.wait("state().interaction !== null")
        window.keyboard.press("Escape")
        window.wait("state().interaction === null")
        window.mouse.up()
        settled(window)
    assert window.state["done"] == []
    assert np.array_equal(curve(window, HAND), before)


def test_the_wheel_sets_the_affected_range_while_dragging(shaping):
    _, window = shaping
    window.press(curve_place(window, HAND, 20), across(window, HAND, 20, 40))
    window.wait("state().interaction !== null")
    for _ in range(2):
        window.mouse.wheel(0, -100)
    window.until(
        lambda: readout(window) == "Affected range: 8 frames on either side", "the range is shown"
    )
    window.mouse.up()
    done(window, 1)
    assert window.page.locator('input[aria-label="Affected range"]').input_value() == "8.0"


def test_a_contact_is_drawn_after_its_button_and_undone(shaping):
    _, window = shaping
    window.mouse.move(*middle(window))
    window.keyboard.press("Home")
    window.wait("camera().still")
    select(window, "LeftToes")
    before = curve(window, "LeftToes")
    places = np.array([curve_place(window, "LeftToes", frame) for frame in range(25)])
    (left, high), (right, low) = places.min(0), places.max(0)
    ground = low - 0.2 * (low - high)  # px; a foot that dips below it touches
    button = window.page.locator("button.stroke-mode")
    button.click()
    assert window.ask("view.armed.value") == "draw"
    window.keyboard.press("Escape")
    assert window.ask("view.armed.value") is None
    window.mouse.move(*middle(window))
    window.keyboard.press("d")
    assert button.get_attribute("aria-pressed") == "true"
    window.press([left - 20, ground], [right + 20, ground], steps=12)
    window.until(
        lambda: any(
            each["shape"] == "curve"
            for shown in window.state["previews"]
            for each in shown["overlays"]
        ),
        "the plane and what touches it",
    )
    window.mouse.up()
    done(window, 1)
    assert window.ask("view.armed.value") is None
    note = window.page.locator(".card.note")
    note.wait_for()
    assert "LeftToes touches the ground" in note.inner_text()
    assert curve(window, "LeftToes")[-1, 2] - curve(window, "LeftToes")[0, 2] > 0.5  # it travels
    undo(window, 0)
    assert np.array_equal(curve(window, "LeftToes"), before)


def test_period_and_phase_are_steps_of_their_own(shaping):
    _, window = shaping
    before = curve(window, HAND)
    field = window.page.locator('input[aria-label="Loop period"]')
    assert field.input_value() == "24.0"
    field.fill("30")
    field.press("Enter")
    done(window, 1)
    assert window.state["takes"]["biped"][0]["duration"] == pytest.approx(30 / 24)
    assert window.ask("view.options.value.cycle.loop_period") is None
    undo(window, 0)
    assert field.input_value() == "24.0"
    window.keyboard.down("Control")
    window.press(curve_place(window, HAND, 18), curve_place(window, HAND, 20), steps=12)
    window.until(lambda: window.state["previews"], "a preview")
    assert re.fullmatch(r"Phase \u2212(1\.9|2\.0|2\.1) frames", readout(window))
    window.mouse.up()
    window.keyboard.up("Control")
    done(window, 1)
    after = curve(window, HAND)[:-1]
    shifted = np.roll(before[:-1], -2 * PER_FRAME, axis=0)
    assert np.linalg.norm(after - shifted, axis=1).max() < 0.03  # the trunk keeps its time
    assert np.linalg.norm(before[:-1] - shifted, axis=1).max() > 0.05
    undo(window, 0)
    assert np.array_equal(curve(window, HAND), before)


def test_a_channel_is_dragged_on_the_strip(shaping):
    _, window = shaping
    before = window.ask("worldOf(given[0], 12)", point_ref("RightHand"))
    strip = window.page.locator(".channel-strip")
    assert not strip.is_visible()
    row = channel_of(window, "RightLowerArm")
    window.ask(f"view.chosenChannels.value = new Set([{row}])")
    strip.wait_for()
    assert "RightLowerArm rotate" in strip.inner_text()
    box = strip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 30
    window.press([x, y], [x, y - 25])
    window.until(lambda: window.state["previews"], "a preview")
    window.mouse.up()
    done(window, 1)
    still(window, 12)
    after = window.ask("worldOf(given[0], 12)", point_ref("RightHand"))
    assert np.linalg.norm(np.subtract(after, before)) > 0.01
    undo(window, 0)
    assert np.allclose(window.ask("worldOf(given[0], 12)", point_ref("RightHand")), before)


def channel_of(window, joint):
    """The first channel of a joint that moves."""
    take = read("biped:walk").characters[0].takes[0]
    own = np.flatnonzero(take.rig.channels.joint == take.rig.joint(joint))
    moves = [
        c for c in own if take.base.curves[c] is not None and np.ptp(take.base.curves[c].value)
    ]
    return int(moves[0])


def test_a_key_is_inserted_on_the_curve_and_deleted_there(shaping):
    _, window = shaping
    before = curve(window, HAND)
    at = curve_place(window, HAND, 8)
    window.mouse.click(*at, button="right")
    window.page.locator(".menu button", has_text="Insert key at frame 8").click()
    done(window, 1)
    assert np.allclose(curve(window, HAND), before, atol=1e-6)
    window.mouse.move(at[0], at[1] + 1)
    window.page.locator(".word.label").wait_for()
    window.until(lambda: window.ask("pick(...given)", *at)["kind"] == "key", "the key")
    window.keyboard.press("x")
    done(window, 2)
    window.mouse.move(*at)
    window.page.locator(".word.label").wait_for()
    window.keyboard.press("i")
    done(window, 3)


def test_an_arrow_dragged_along_itself_scales_its_frame(folder, studio_of, window_of):
    path = folder / "ball.arc.glb"
    ball = Target("Ball", "", Point("joint0", character="Ball"))
    turns = circles(1.0, 5.0, radius=0.4)
    turned = replace(turns, poses=poses(turns.poses[:, 0, :3], 0.6 * turns.poses[:, 0, [1, 0, 2]]))
    write(performed(ball_scene(), ball, turned)[0], path)
    studio = studio_of(path)
    window = window_of(studio)
    window.page.locator('[data-tool="cycle"]').click()
    window.wait('state().tool === "cycle"')
    still(window, 0)
    select(window, "joint0")
    window.ask("view.orientationArrows.value = true")
    settled(window)
    arrow = window.ask("arrows()")[0]
    (x, y), frame = arrow["at"], arrow["frame"]
    middle_of = np.array(curve_place(window, "joint0", frame))
    out = np.array([x, y]) + 1.0 * (np.array([x, y]) - middle_of)  # twice as long
    window.press((x, y), out.tolist())
    window.until(lambda: window.state["previews"], "a preview")
    assert readout(window).startswith("Scale")
    window.mouse.up()
    done(window, 1)
    assert window.state["done"] == [f"Shape joint0 at frame {frame}"]
    take = saved(window, studio, "scaled.arc.glb").props[0].takes[0]
    at = take.rig.channel("joint0.scale.x")
    values = values_at(take, np.array([frame / take.rate, (frame + 12) / take.rate]))[:, at]
    assert values[0] == pytest.approx(2.0, abs=0.3)
    assert values[1] == pytest.approx(1.0, abs=1e-3)  # the frame opposite stays
    undo(window, 0)
