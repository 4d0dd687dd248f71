"""Where things are on the page, and what a file the studio wrote says."""

import base64

import numpy as np

from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.point import Point

LONG = 180  # s; nothing takes that long unless it is broken
# Numbers one by one would take seconds for a picture.
PIXELS = """(place) => {
  const bytes = window.arcwright.pixels(...place);
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));
}"""
RATE = 48.0  # frames a second of the captured walks


def point_ref(joint):
    return {"joint": joint}


def curve_place(window, joint, frame):
    """Where a curve is on the page at a frame."""
    at = window.ask("curveAt(...given)", point_ref(joint), frame)
    assert at, f"no curve of {joint} at frame {frame}"
    return at


def curve(window, joint):
    """(T, 3) the motion curve as it is kept."""
    return np.array(window.ask("positions(given[0])", point_ref(joint))).reshape(-1, 3)


def settled(window):
    """Until the page shows the document as it is, and has drawn it."""
    window.wait("settled")
    window.ask("draw()")


def still(window, frame):
    """Stop playing at a frame."""
    window.ask("setFrame(given[0])", frame)
    settled(window)


def select(window, *joints):
    """Show the curves of joints."""
    window.ask("select(...given)", *[point_ref(joint) for joint in joints])
    settled(window)


def timeline(window, script, *given):
    """What the timeline says about its own places."""
    return window.page.evaluate(f"(given) => window.arcwright.timeline.{script}", list(given))


def steps(window):
    return len(window.state["done"])


def done(window, count):
    """Until the history has this many steps, and the page shows them."""
    window.wait(f"state().done.length === {count} && window.arcwright.settled")
    window.ask("draw()")


def saved(window, studio, name):
    """The document as the studio writes it."""
    window.page.keyboard.press("Control+Shift+S")
    window.page.locator("dialog.saveas input[name=name]").first.fill(name)
    window.page.keyboard.press("Enter")
    window.wait(f"state().savedAs === {name!r} && window.arcwright.state().saved")
    return read(studio.folder / name)


def paths(scene, joint, clip=None):
    """(T, 3) of a joint at quarter frames, worked out by the library."""
    character = scene.characters[0]
    take = character.take(clip) if clip else character.takes[0]
    times = np.arange(round(take.duration * take.rate) * 4 + 1) / (4 * take.rate)
    return trail(take, Point(joint), times).position


def picture(window, x, y, width, height):
    """(height, width, 4) of the viewport, right after drawing."""
    data = base64.b64decode(window.page.evaluate(PIXELS, [x, y, width, height]))
    return np.frombuffer(data, np.uint8).reshape(height, width, 4).astype(int)


def pixels(window, x, y, size=9):
    """(size, size, 3) right after drawing."""
    half = size // 2
    return picture(window, x - half, y - half, size, size)[..., :3]


def layers(window):
    state = window.state
    return state["takes"][state["character"]][0]["layers"]


def path_of(scene, joint, first, last, take=0):
    """(T, 3) of a joint at frames of the captured rate."""
    played = scene.characters[0].takes[take]
    return trail(played, Point(joint), np.arange(first, last + 1) / RATE).position


def somewhere_on(window, prop):
    """A place of the page where a prop is in front, all around it."""

    def hit(x, y):
        found = window.ask("pick(...given)", x, y)
        return found["kind"] == "body" and found["point"]["character"] == prop

    for y in range(120, 480, 10):
        for x in range(420, 860, 10):
            if hit(x, y) and hit(x + 5, y + 5):
                return [x + 2, y + 2]
    raise AssertionError(f"{prop} is not in sight")


def undo(window, count):
    window.keyboard.press("Control+z")
    done(window, count)


def marker(window, joint):
    """The marker of a joint's footplant, and where it can be dragged."""
    constraints = window.state["pointConstraints"]
    for each in window.ask("markers()"):
        if constraints[each["index"]]["point"]["joint"] == joint:
            x, y = each["at"]
            return each, [x, y + 8]  # the marker lies under its point
    raise AssertionError(f"no marker of {joint}")


def drag_footplant(window, joint="LeftToes", by=(40, 10), count=1):
    """Drag a footplant over the ground, as one more step."""
    _, start = marker(window, joint)
    window.drag(start, [start[0] + by[0], start[1] + by[1]], settle=300)
    done(window, count)


def world(window, joint, *frames):
    """(T, 3) where a joint is at frames; at the shown one if none are named."""
    places = [window.ask("worldOf(...given)", point_ref(joint), *each) for each in zip(frames)]
    return np.array(places or [window.ask("worldOf(...given)", point_ref(joint))])
