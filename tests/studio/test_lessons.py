"""The three lessons can be completed with mouse and keyboard."""

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
