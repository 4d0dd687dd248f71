"""The lessons can be completed with mouse and keyboard."""

import time

import numpy as np
import pytest

from places import curve_place, point_ref, settled, still


def begin(window, title):
    window.keyboard.press("Control+k")
    window.keyboard.type(title)
    window.keyboard.press("Enter")
    window.page.locator(".card.lesson").wait_for()
    settled(window)


def step(window):
    return window.page.locator(".card.lesson .lesson-dots i.past").count()


def until_step(window, number):
    finished = window.page.locator(".card.lesson[data-finished]")
    window.until(lambda: finished.count() or step(window) >= number, f"step {number} of a lesson")
    settled(window)


def finished(window, name):
    window.page.locator(f'.card.lesson[data-finished="{name}"]').wait_for()


def pull(window, joint, frame, by):
    start = curve_place(window, joint, frame)
    window.drag(start, [start[0] + by[0], start[1] + by[1]], settle=200)


def test_lesson_one_drags_an_arc(studio_of, window_of):
    window = window_of(studio_of("lamp:hop"))
    begin(window, "Drag an arc")
    pull(window, "RightHand", 20, (-30, -60))
    until_step(window, 1)
    window.keyboard.press("Control+z")
    until_step(window, 2)
    pull(window, "RightHand", 20, (30, -50))
    finished(window, "arc")


def test_lesson_two_pins_and_poses(studio_of, window_of):
    window = window_of(studio_of())
    begin(window, "Pin and pose")
    for number, joint in enumerate(("LeftFoot", "RightFoot"), start=1):
        window.page.locator(f'[data-joint="{joint}"]').first.click()
        window.mouse.move(900, 480)  # over the viewport
        window.keyboard.press("p")
        until_step(window, number)
    window.page.locator('[data-tool="pose"]').click()
    until_step(window, 3)
    still(window, 6)
    start = window.ask("screenOf(...given)", point_ref("Hips"), 6)
    window.drag(start, [start[0] + 8, start[1] + 25], settle=200)
    finished(window, "pose")


def test_lesson_three_moves_hips_over_planted_feet(studio_of, window_of):
    window = window_of(studio_of())
    begin(window, "Hips over planted feet")
    window.page.locator(".card.lesson button.main").click()
    until_step(window, 1)
    pull(window, "Hips", 10, (45, 0))
    finished(window, "planted")


def hold(window, by, seconds=1.5):
    """Press the chest and move by so many px, in about that time; then release."""
    start = np.array(window.ask("screenOf(given[0])", point_ref("Chest")))
    window.mouse.move(*start)
    window.mouse.down()
    for share in np.linspace(0, 1, round(seconds / 0.04)):
        window.mouse.move(*(start + share * np.array(by)))
        time.sleep(0.02)
    window.mouse.up()


def test_lesson_five_holds_a_puppet(studio_of, window_of):
    window = window_of(studio_of("biped"))
    begin(window, "Hold a puppet")
    window.page.locator('[data-tool="puppet"]').click()
    until_step(window, 1)
    hold(window, (120, 0))
    until_step(window, 2)
    settled(window)
    hold(window, (0, -150))
    until_step(window, 3)
    window.page.locator(".card.lesson button.main").click()
    finished(window, "puppet")


def record(window, start, offset):
    """Record a movement of the pointer: six seconds, a cycle a second, without a count-in."""
    window.mouse.move(*start)
    window.keyboard.press("Shift+Space")
    window.wait('state().recording?.phase === "recording"')
    began = time.monotonic()
    while (at := time.monotonic() - began) < 6:
        window.mouse.move(*np.add(start, offset(2 * np.pi * at)))
    window.keyboard.press("Shift+Space")
    window.wait('state().recording?.phase === "review"')
    window.page.locator(".record-strip .choices").wait_for()
    window.keyboard.press("Enter")
    window.wait("state().recording === null")


@pytest.mark.slow
def test_lesson_four_acts_shapes_and_plants_a_loop(studio_of, window_of):
    window = window_of(studio_of())
    window.page.evaluate("() => localStorage.setItem('arcwright.count_in', '0')")
    window.page.reload()
    window.wait("ready")
    begin(window, "Act a loop")
    window.page.locator('[data-tool="cycle"]').click()
    until_step(window, 1)
    hand = window.ask("screenOf(...given)", point_ref("RightHand"), 0)
    record(window, hand, lambda turn: (6 * np.sin(turn), -40 * (1 - np.cos(turn)) / 2))
    until_step(window, 2)
    before, start, after = (np.array(curve_place(window, "RightHand", at)) for at in (5, 6, 7))
    along = (after - before) / np.linalg.norm(after - before)
    window.drag(start, start + 60 * np.array([along[1], -along[0]]), settle=200)  # across it
    until_step(window, 3)
    first, low, last = (np.array(curve_place(window, "LeftToes", at)) for at in (0, 6, 24))
    travel = last - first
    window.mouse.move(900, 150)  # over the viewport
    window.keyboard.press("d")
    window.drag(low - 0.3 * travel - [0, 1], low + 0.9 * travel - [0, 1], steps=12)
    finished(window, "loop")


def test_lesson_six_pours_elsewhere(studio_of, window_of):
    window = window_of(studio_of("biped:tea"))
    begin(window, "Pour elsewhere")
    window.page.locator('[data-tool="activity"]').click()
    until_step(window, 1)
    x, y = window.ask("handles()")["cup at frame 86"]
    window.drag([x, y], [x + 25, y + 12], settle=200)
    until_step(window, 2)
    x, y = window.page.evaluate("() => window.arcwright.timeline.event(4)")
    later, _ = window.page.evaluate("() => window.arcwright.timeline.frame(94)")
    window.drag([x, y], [later, y], settle=200)
    until_step(window, 3)
    for _ in range(2):
        window.keyboard.press("Control+z")
        settled(window)
    finished(window, "pour")
