"""Rotating joints in the browser: R and a drag, the rings, the number fields."""

import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.open import read
from places import curve, done, point_ref, saved, select, still

STAY = ("Hips", "LeftHand", "RightHand", "LeftFoot", "RightFoot", "Neck", "Head")
SCENE = "biped:walk"
FRAME = 8


def open_with(studio, window_of, tool, joint):
    window = window_of(studio)
    window.page.locator(f'[data-tool="{tool}"]').click()
    window.wait(f'state().tool === "{tool}"')
    still(window, FRAME)
    select(window, joint)
    return window


def worlds(scene, frames):
    take = scene.characters[0].takes[0]
    return take.rig, forward(take.rig, values_at(take, np.asarray(frames) / take.rate))


def assert_only_turned(before, after, joint, stay=STAY):
    """Nothing but the joint's orientation changed, at any frame; it did at the frame."""
    frames = np.arange(25)
    (rig, was), (_, now) = worlds(before, frames), worlds(after, frames)
    for name in stay:
        place = rig.joint(name)
        assert np.abs(was[:, place, :3, 3] - now[:, place, :3, 3]).max() < 1e-6, name
    turned = was[FRAME, rig.joint(joint), :3, :3].T @ now[FRAME, rig.joint(joint), :3, :3]
    return np.degrees(np.arccos(np.clip((np.trace(turned) - 1) / 2, -1, 1)))


@pytest.mark.parametrize("tool", ["pose", pytest.param("tangent", marks=pytest.mark.slow)])
def test_r_and_a_drag_rotate_the_head_and_nothing_else(studio_of, window_of, tool):
    studio = studio_of(SCENE)
    window = open_with(studio, window_of, tool, "Head")
    feet = curve(window, "Head")
    x, y = window.ask("screenOf(...given)", point_ref("Head"), FRAME)
    window.mouse.move(x - 90, y)
    window.keyboard.press("r")
    window.drag([x - 90, y], [x - 60, y + 60], settle=300)
    done(window, 1)
    assert window.state["done"][-1].startswith("Rotate Head at frame 8")
    assert np.abs(curve(window, "Head") - feet).max() < 1e-5
    angle = assert_only_turned(read(SCENE), saved(window, studio, "turned.arc.glb"), "Head")
    assert angle > 5


@pytest.mark.parametrize("tool", [pytest.param("pose", marks=pytest.mark.slow), "tangent"])
def test_a_ring_rotates_about_its_axis(studio_of, window_of, tool):
    studio = studio_of(SCENE)
    window = open_with(studio, window_of, tool, "Head")
    x, y = window.ask("screenOf(...given)", point_ref("Head"), FRAME)
    window.mouse.move(x, y)
    window.keyboard.press("r")
    found = window.until(lambda: ring_at(window, x, y), "a ring around the head")
    window.drag(found, [found[0] + 30, found[1] - 30], settle=150)
    done(window, 1)
    angle = assert_only_turned(read(SCENE), saved(window, studio, "ring.arc.glb"), "Head")
    assert angle > 3


def ring_at(window, x, y):
    """Where a ring lies on the page."""
    for angle in np.linspace(0, 2 * np.pi, 24):
        at = [x + 58 * np.cos(angle), y + 58 * np.sin(angle)]
        if window.ask("pick(...given)", *at)["kind"] == "gizmo":
            return at
    return None


@pytest.mark.parametrize("tool", ["pose", pytest.param("tangent", marks=pytest.mark.slow)])
def test_a_number_rotates_the_joint(studio_of, window_of, tool):
    studio = studio_of(SCENE)
    window = open_with(studio, window_of, tool, "Head")
    field = window.page.get_by_label("Rotation, y")
    before = float(field.input_value())
    field.fill(str(before + 20))
    field.press("Enter")
    done(window, 1)
    window.until(lambda: abs(float(field.input_value()) - before - 20) < 3, "the angle is shown")
    angle = assert_only_turned(read(SCENE), saved(window, studio, "typed.arc.glb"), "Head")
    assert angle == pytest.approx(
        20, abs=3
    )  # motion curves cannot tilt it: Head.rotate.z has no keys


def test_the_option_keeps_feet_in_place_or_solves_the_body(studio_of, window_of):
    studio = studio_of(SCENE)
    window = open_with(studio, window_of, "pose", "Hips")
    choice = window.page.get_by_label("Rotate", exact=True)
    assert [each.strip() for each in choice.locator("option").all_inner_texts()] == [
        "This joint",
        "Keep hands and feet in place",
        "Solve the body for this orientation",
    ]
    choice.select_option("keep ends")
    field = window.page.get_by_label("Rotation, y")
    field.fill(str(float(field.input_value()) + 10))
    field.press("Enter")
    done(window, 1)
    (rig, was), (_, now) = (
        worlds(read(SCENE), [FRAME]),
        worlds(saved(window, studio, "kept.arc.glb"), [FRAME]),
    )
    for name in ("LeftFoot", "RightFoot", "LeftHand", "RightHand"):
        moved = was[0, rig.joint(name), :3, 3] - now[0, rig.joint(name), :3, 3]
        assert np.abs(moved).max() < 1e-4, name


def test_a_rotation_that_cannot_be_met_says_so_and_suggests_a_key(studio_of, window_of):
    window = open_with(studio_of(SCENE), window_of, "tangent", "LeftHand")
    x, y = window.ask("screenOf(...given)", point_ref("LeftHand"), FRAME)
    window.mouse.move(x + 90, y)
    window.keyboard.press("r")
    window.press([x + 90, y], [x + 60, y + 60], settle=300)
    window.page.locator(".card.note", has_text="keep LeftHand").wait_for()
    window.page.locator(".card.note .offer").wait_for()
    window.keyboard.press("k")
    window.mouse.up()
    done(window, 1)
    assert window.state["done"][-1].endswith("with a key")
