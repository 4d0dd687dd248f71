"""Markers of takes, and poses stored in the library."""

from dataclasses import replace

import pytest

import arcwright
from arcwright.edits.actors import add_scene
from arcwright.edits.markers import add_marker, change_marker, remove_marker
from arcwright.edits.pose_library import remove_pose, rename_pose, store_pose
from arcwright.edits.takes import set_timing
from arcwright.errors import BadValue
from random_scenes import assert_exact

WALK = arcwright.read("biped:walk")


def markers(scene):
    return [(each.name, each.time) for each in scene.characters[0].takes[0].markers]


def test_markers_are_added_moved_renamed_and_removed():
    scene = WALK
    for name, time in (("late", 0.75), ("early", 0.25)):
        edit = add_marker(scene, "", "", name, time)
        scene = assert_exact(scene, edit)
    assert edit.label == "Add marker early at frame 6"
    assert markers(scene) == [("early", 0.25), ("late", 0.75)]
    scene = assert_exact(scene, change_marker(scene, "", "", 0, time=0.875))
    assert markers(scene) == [("late", 0.75), ("early", 0.875)]
    renamed = change_marker(scene, "", "", 1, name="clap")
    assert renamed.label == "Rename marker to clap"
    assert markers(assert_exact(scene, renamed))[1] == ("clap", 0.875)
    gone = assert_exact(scene, remove_marker(scene, "", "", 0))
    assert markers(gone) == [("early", 0.875)]
    with pytest.raises(BadValue, match="marker"):
        remove_marker(scene, "", "", 2)


def test_markers_follow_a_rate_that_keeps_frames():
    scene = add_marker(WALK, "", "", "beat", 0.5).apply(WALK)
    edit = set_timing(scene, "", "", rate=48, keep="frames")
    assert markers(assert_exact(scene, edit)) == [("beat", 0.25)]


def test_poses_are_stored_under_free_names_renamed_and_removed():
    scene = WALK
    for _ in range(2):
        scene = assert_exact(scene, store_pose(scene, "", "", 0.25, "step"))
    assert [each.name for each in scene.poses] == ["step", "step 2"]
    hand = scene.characters[0].rig.names.index("LeftHand")
    one = assert_exact(scene, store_pose(scene, "", "", 0.25, "fist", joints=[hand])).poses[-1]
    assert one.values
    assert all(name.startswith("LeftHand.") for name in one.values)
    scene = assert_exact(scene, rename_pose(scene, 1, "other"))
    scene = assert_exact(scene, remove_pose(scene, 0))
    assert [each.name for each in scene.poses] == ["other"]
    with pytest.raises(BadValue, match="pose"):
        remove_pose(scene, 1)


def test_poses_of_a_scene_that_is_added_come_along():
    scene = store_pose(WALK, "", "", 0.25, "step").apply(WALK)
    both = add_scene(scene, replace(scene, name="other")).apply(scene)
    assert [(each.name, each.character) for each in both.poses] == [
        ("step", "biped"),
        ("step 2", "biped 2"),
    ]


def test_a_picture_that_is_none_or_too_large_is_refused():
    for picture in ("http://elsewhere", "data:image/png;base64," + "A" * 70_000):
        with pytest.raises(BadValue, match="picture"):
            store_pose(WALK, "", "", 0.25, "step", picture=picture)
