"""Lengths of joints in the outliner: a mark that says why, and a menu that frees and locks them."""

import pytest

from arcwright.open import write
from arcwright.scene.scene import Scene
from attached_rig import walker_scene
from exported_rig import exported


@pytest.fixture
def outliner(studio_of, window_of, folder):
    """A window on an exported rig whose hand is translated by its clip."""
    path = folder / "exported.arc.glb"
    write(Scene(characters=(exported(moving=("Hips", "Hand")),)), path)
    window = window_of(studio_of(path))
    window.page.locator('[data-joint="Hand"]').wait_for()
    return window


def mark(window, joint):
    """What the mark of a joint says; nothing where there is none."""
    mark = f'[data-joint="{joint}"] .length-mark'
    return window.page.evaluate("(mark) => document.querySelector(mark)?.title ?? null", mark)


def choose(window, joint, label):
    window.page.locator(f'[data-joint="{joint}"]').click(button="right")
    window.page.get_by_role("menuitemcheckbox", name=label).click()


def test_marks_say_which_lengths_are_free_and_why(outliner):
    assert mark(outliner, "Hips") == "Root: carries the body"
    assert mark(outliner, "Hand") == "Length free: animated in this take"
    assert mark(outliner, "Spine") is None
    assert mark(outliner, "Foot") is None


def test_lengths_are_freed_locked_and_undone(outliner):
    choose(outliner, "Spine", "Free length")
    outliner.until(lambda: mark(outliner, "Spine") == "Length free: freed")
    choose(outliner, "Hand", "Lock length")
    outliner.until(lambda: mark(outliner, "Hand") == "Length locked")
    choose(outliner, "Spine", "Use as root")
    outliner.until(lambda: mark(outliner, "Hips") == "Length free: animated in this take")
    for _ in range(3):
        outliner.keyboard.press("Control+z")
    outliner.until(lambda: mark(outliner, "Spine") is None)
    assert mark(outliner, "Hips") == "Root: carries the body"
    assert mark(outliner, "Hand") == "Length free: animated in this take"


def test_attached_joints_are_marked_detached_and_attached(studio_of, window_of, folder):
    path = folder / "walker.arc.glb"
    write(walker_scene(), path)
    window = window_of(studio_of(path))
    window.page.locator('[data-joint="FootL"]').wait_for()
    assert mark(window, "FootL") == "Attached to ShinL: moves with it"
    assert mark(window, "ShinL") is None
    choose(window, "FootL", "Detach")
    window.until(lambda: mark(window, "FootL") == "Length free: animated in this take")
    window.page.locator('[data-joint="ShinR"]').click()
    window.page.locator('[data-joint="FootL"]').click(modifiers=["Shift"])
    choose(window, "FootL", "Attach to ShinR")
    window.until(lambda: mark(window, "FootL") == "Attached to ShinR: moves with it")
    choose(window, "FootL", "Attached as analysed")
    window.until(lambda: mark(window, "FootL") == "Attached to ShinL: moves with it")


def test_a_joint_without_translation_cannot_be_freed(outliner):
    outliner.page.locator('[data-joint="Armature"]').click(button="right")
    item = outliner.page.get_by_role("menuitemcheckbox", name="Free length")
    assert item.is_disabled()
