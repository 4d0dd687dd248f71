"""A captured skeleton in the browser: it gets a body, and what is under the pointer is named."""

import pytest

from arcwright.open import read, write
from places import still


@pytest.fixture
def skeleton(studio_of, window_of, folder):
    """A window on a walk whose file has bones and no mesh; no curve lies over it."""
    write(read("biped:walk"), folder / "walk.bvh")
    window = window_of(studio_of(folder / "walk.bvh"))
    still(window, 3)
    window.ask("select()")
    window.ask("draw()")
    return window


def seen(window, joint, *offset):
    """Where a place of a joint is on the page."""
    return window.ask("screenOf(given[0])", {"joint": joint, "offset": offset or [0, 0, 0]})


def middle(window, joint, other):
    """Half way between two joints, on the page."""
    return [(a + b) / 2 for a, b in zip(seen(window, joint), seen(window, other), strict=True)]


def picked(window, place):
    found = window.ask("pick(...given)", *place)
    return found["point"]["joint"] if found["kind"] == "body" else None


def test_a_hover_over_the_body_of_a_captured_skeleton_names_the_joint_under_it(skeleton):
    for joint, other in [
        ("RightUpperArm", "RightLowerArm"),
        ("RightLowerArm", "RightHand"),
        ("RightUpperLeg", "RightLowerLeg"),
    ]:
        place = middle(skeleton, joint, other)
        assert picked(skeleton, place) == joint
        skeleton.mouse.move(*place)
        skeleton.page.locator(".word.label", has_text=f"on {joint}").wait_for()


def test_a_captured_skeleton_has_a_body_until_its_mesh_is_switched_off(skeleton):
    chest = seen(skeleton, "UpperChest", -0.08, 0, 0)  # beside all bones
    assert picked(skeleton, chest) in {"Spine", "Chest", "UpperChest"}
    skeleton.ask("view.showMesh.value = false")
    skeleton.ask("draw()")
    assert picked(skeleton, chest) is None
    assert picked(skeleton, middle(skeleton, "RightUpperArm", "RightLowerArm")) == "RightUpperArm"
