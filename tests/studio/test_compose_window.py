"""A shot composed in the browser: strokes, layers, a centre point, before beside after."""

import numpy as np
import pytest

from arcwright import write
from flow_scenes import arc_over, pole, standing
from places import done, saved, settled, undo

TIP = 150  # a vertex at the upper end of the pole


@pytest.fixture
def composing(studio_of, window_of, folder):
    """A window on a pole that stands in front of a saved camera, composed."""
    scene = standing(pole(), pole("far", x=1.6, z=-2.0))
    path = folder / "pole.arc.glb"
    write(scene, path)
    studio = studio_of(path)
    window = window_of(studio)
    window.page.locator('[data-tool="flow"]').click()
    window.wait("state().tool === 'flow'")
    settled(window)
    return studio, window, scene


def on_page(window, scene, pixels):
    """Pixels of the shot, (N, 2), where the page shows them."""
    camera = scene.cameras[0].camera
    box = window.page.locator(".stage canvas").bounding_box()
    scale = min(box["width"] / camera.width, box["height"] / camera.height)
    corner = np.array([box["width"] - scale * camera.width, box["height"] - scale * camera.height])
    return np.array([box["x"], box["y"]]) + corner / 2 + scale * np.asarray(pixels)


def draw(window, places, release=True):
    window.page.mouse.move(*places[0])
    window.page.mouse.down()
    for x, y in places[1:]:
        window.page.mouse.move(x, y)
    if release:
        window.page.mouse.up()


def tip(window, name="pole"):
    return np.array(window.ask("vertexOf(...given)", name, TIP))


def lean(scene):
    return arc_over(scene, lean=0.5, samples=14)


def row(window, index=0):
    return window.page.locator(f'[data-layer="{index}"]')


def test_a_stroke_bends_a_pole_while_it_is_drawn_and_undo_is_exact(composing):
    studio, window, scene = composing
    rest = tip(window)
    draw(window, on_page(window, scene, lean(scene)), release=False)
    window.until(lambda: np.linalg.norm(tip(window) - rest) > 0.1, "the pole bends")
    window.page.mouse.up()
    done(window, 1)
    settled(window)
    bent = tip(window)
    assert bent[0] - rest[0] > 0.2
    assert window.state["composition"]["layers"][0]["kind"] == "stroke"
    after = saved(window, studio, "bent.arc.glb")
    assert [each.name for each in after.flow.layers] == ["Stroke 1"]
    undo(window, 0)
    settled(window)
    np.testing.assert_array_equal(tip(window), rest)


def test_layers_are_muted_weighted_and_removed_in_the_panel(composing):
    _, window, scene = composing
    rest = tip(window)
    draw(window, on_page(window, scene, lean(scene)))
    done(window, 1)
    settled(window)
    bent = tip(window)
    row(window).get_by_role("button", name="Mute Stroke 1").click()
    done(window, 2)
    settled(window)
    np.testing.assert_allclose(tip(window), rest, atol=1e-6)
    row(window).get_by_role("button", name="Unmute Stroke 1").click()
    done(window, 3)
    settled(window)
    np.testing.assert_allclose(tip(window), bent, atol=1e-5)
    slider = row(window).get_by_role("slider")
    slider.fill("50")
    done(window, 4)
    settled(window)
    assert 0.2 < (tip(window)[0] - rest[0]) / (bent[0] - rest[0]) < 0.8
    window.page.get_by_role("checkbox", name="Compare with before").check()
    window.ask("draw()")
    assert np.linalg.norm(tip(window) - rest) > 0.05, "the right side is drawn last, as it is"
    row(window).get_by_role("button", name="Remove Stroke 1").click()
    done(window, 5)
    settled(window)
    np.testing.assert_allclose(tip(window), rest, atol=1e-6)
    assert window.state["composition"]["layers"] == []


def test_a_circle_places_a_centre_point_that_can_be_dragged(composing):
    _, window, scene = composing
    window.page.get_by_label("Use stroke as").select_option("centre")
    angle = np.linspace(0, 2 * np.pi, 18)
    camera = scene.cameras[0].camera
    middle = np.array([0.7 * camera.width, 0.25 * camera.height])
    circle = middle + 18 * np.stack([np.cos(angle), np.sin(angle)], 1)
    draw(window, on_page(window, scene, circle))
    done(window, 1)
    settled(window)
    first = tip(window)
    (at,) = (place for name, place in window.ask("handles()").items() if name == "centre")
    np.testing.assert_allclose(at, on_page(window, scene, middle), atol=3)
    window.drag(at, (at[0] - 120, at[1] + 10))
    done(window, 2)
    settled(window)
    assert np.linalg.norm(tip(window) - first) > 1e-3, "the pole points elsewhere"
    undo(window, 1)
    settled(window)
    np.testing.assert_allclose(tip(window), first, atol=1e-6)


def test_a_piece_is_switched_off_and_the_view_stays_the_shot(composing):
    _, window, scene = composing
    rest = tip(window)
    before = window.ask("camera().position")
    np.testing.assert_allclose(before, scene.cameras[0].camera.position, atol=1e-6)
    draw(window, on_page(window, scene, lean(scene)))
    done(window, 1)
    settled(window)
    window.page.mouse.move(*on_page(window, scene, [[700, 100]])[0])
    window.page.mouse.wheel(0, 300)
    np.testing.assert_allclose(window.ask("camera().position"), before)
    window.page.get_by_role("checkbox", name="pole", exact=True).uncheck()
    done(window, 2)
    settled(window)
    np.testing.assert_allclose(tip(window), rest, atol=1e-6)


def test_the_lesson_composes_a_lamp(studio_of, window_of):
    window = window_of(studio_of("lamp"))
    window.keyboard.press("Control+k")
    window.keyboard.type("Compose a shot")
    window.keyboard.press("Enter")
    window.page.locator(".card.lesson").wait_for()
    settled(window)
    window.page.locator('[data-tool="flow"]').click()
    past = window.page.locator(".card.lesson .lesson-dots i.past")
    window.until(lambda: past.count() >= 1, "Compose is chosen")
    settled(window)
    foot, shade = (
        np.array(window.ask("screenOf(given[0])", {"joint": joint})) for joint in ("Base", "Shade")
    )
    share = np.linspace(0, 1, 14)[:, None]
    draw(window, foot + share * (shade - foot) + share**2 * [90, 0])
    done(window, 1)
    window.until(lambda: past.count() >= 2, "a stroke is drawn")
    row(window).get_by_role("slider").fill("50")
    done(window, 2)
    window.until(lambda: past.count() >= 3, "its strength is set")
    undo(window, 1)
    undo(window, 0)
    window.page.locator('.card.lesson[data-finished="compose"]').wait_for()
