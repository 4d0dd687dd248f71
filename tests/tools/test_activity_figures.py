"""The examples of the paper (Rios Rodriguez et al. 2019): figures 5, 8 and 9, and the lamp."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.activity_file import activity_json, parse_activity
from arcwright.characters.tableware import Cup, Teapot
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.scene.target import Target
from arcwright.tools.activity.new_props import SwappedProp, swapped_prop
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle

POURING = slice(86, 133)  # frames of tea


@pytest.fixture(scope="module")
def tea():
    return arcwright.read("biped:tea")


@pytest.fixture(scope="module")
def pointing():
    return arcwright.read("biped:point_right")


def tracks(scene, activity=""):
    return PreparedActivity(scene, Target(activity=activity), 0.0).tracks


def edited(scene, element, event, by=None, turn=None, scale=None, activity="", **options):
    """The session after one drag, the scene that comes of it, and the frame of the event."""
    session = ActivityTool().begin(scene, Target(activity=activity), ActivityOptions(**options))
    about = scene.activity(activity) if activity else scene.activities[0]
    at = [each.name for each in about.events].index(event)
    place, orientation = session.original_place(at, element)
    if turn is not None:
        orientation = quaternion_multiply(quaternion_from_vector(np.array(turn)), orientation)
    drag = Drag(
        ToolHandle(session.handle(at, element)),
        session.event_time(at),
        None if by is None else place + np.array(by),
        orientation=None if turn is None else orientation,
        scale=None if scale is None else np.full(3, scale),
    )
    session.update(drag)
    frame = round(session.event_time(at) * scene.characters[0].takes[0].rate)
    return session, session.finish().apply(scene), frame


def spout_from_rim(found):
    return (found["pot"].anchor_path("pot.spout") - found["cup"].anchor_path("cup.rim"))[POURING]


def test_figure_5_the_left_hand_is_moved_clear_of_a_scaled_cup(tea):
    _, after, frame = edited(tea, "cup", "pour", scale=1.6)
    before, found = tracks(tea), tracks(after)
    away = [(each["left hand"].position - each["cup"].position)[frame] for each in (before, found)]
    sizes = [np.linalg.norm(each[[0, 2]]) for each in away]
    assert sizes[1] - sizes[0] > 0.015  # m; the cup's radius grows by as much or more
    assert np.abs(spout_from_rim(found) - spout_from_rim(before)).max() < 0.002


def test_figure_5_the_rotated_pot_pours_into_the_cup(tea):
    _, after, frame = edited(tea, "pot", "pour", turn=(0.0, 0.6, 0.0))
    before, found = tracks(tea), tracks(after)
    spouts = [spout_from_rim(each)[0] for each in (before, found)]
    assert np.linalg.norm(spouts[1] - spouts[0]) < 0.002
    cosine = abs(found["pot"].orientation[frame] @ before["pot"].orientation[frame])
    assert 2 * np.arccos(min(cosine, 1.0)) == pytest.approx(0.6, abs=1e-3)


def test_figure_5_a_short_spout_pours_into_the_cup_and_naive_replacement_spills(tea):
    short = Teapot(spout_length=0.05, tilt=40.0)
    about = short.object()
    session = ActivityTool().begin(tea, Target(), ActivityOptions())
    session.swap("pot", SwappedProp(short.prop(), about.anchor_names, about.anchor_offsets))
    before, found = tracks(tea), tracks(session.finish().apply(tea))
    assert np.abs(spout_from_rim(found) - spout_from_rim(before)).max() < 0.002
    pot = next(each for each in tea.props if each.name == "Pot")
    props = [swapped_prop(pot, short.prop()) if each is pot else each for each in tea.props]
    objects = [
        replace(each, anchor_names=about.anchor_names, anchor_offsets=about.anchor_offsets)
        if each.name == "pot"
        else each
        for each in tea.activities[0].objects
    ]
    activity = replace(tea.activities[0], objects=tuple(objects))
    naive = tracks(replace(tea, props=tuple(props), activities=(activity,)))
    apart = np.linalg.norm(spout_from_rim(naive) - spout_from_rim(before), axis=1)
    assert apart.min() > 0.03  # m beside


def test_a_lamp_with_two_files_of_metadata_leads_the_hand_or_follows_it():
    scene = arcwright.read("biped:lamp")
    by = np.array([0.0, 0.1, -0.03])
    results = []
    for name, leader in (("lamp follows hand", "right hand"), ("hand follows lamp", "lamp")):
        file = activity_json(scene, scene.activity(name))
        read = parse_activity(file, replace(scene, activities=())).scene
        _, after, frame = edited(read, leader, "examine apple", by)
        before, found = tracks(read), tracks(after)
        for element in ("lamp", "right hand"):
            moved = (found[element].position - before[element].position)[frame]
            np.testing.assert_allclose(moved, by, atol=1e-3)
        results.append(found)
        other = {"right hand": "lamp", "lamp": "right hand"}[leader]
        pairs = read.activities[0].events[0].pairs
        assert [(each.constrained.partition(".")[0]) for each in pairs] == [other]
    shape = results[0]["lamp"].position - results[1]["lamp"].position
    assert np.abs(shape).max() > 1e-4  # between events, the one that leads keeps its own form


def test_figure_8_a_hand_stops_where_its_arm_ends_and_says_how_far_its_target_is(pointing):
    by = np.array([-0.9, 0.3, 0.4])
    session, after, frame = edited(pointing, "right hand", "point", by)
    note = next(each for each in session.notes() if "out of reach" in each.text)
    before, found = tracks(pointing), tracks(after)
    place = found["right hand"].position[frame]
    left = np.linalg.norm(before["right hand"].position[frame] + by - place)
    assert note.amount == pytest.approx(left, abs=1e-3)
    assert left > 0.3


def test_figure_8_a_cup_out_of_reach_stops_with_all_that_follows_it_or_is_walked_to(tea):
    by = np.array([0.0, 0.0, 1.2])
    session, after, frame = edited(tea, "cup", "pour", by)
    note = next(each for each in session.notes() if "out of reach" in each.text)
    before, found = tracks(tea), tracks(after)
    moved = {
        name: (found[name].position - before[name].position)[frame]
        for name in ("cup", "pot", "left hand", "right hand")
    }
    assert note.amount == pytest.approx(np.linalg.norm(by - moved["cup"]), abs=1e-3)
    for each in moved.values():
        np.testing.assert_allclose(each, moved["cup"], atol=1e-3)
    session, _, _ = edited(tea, "cup", "pour", by, out_of_reach="walk")
    assert not [each for each in session.notes() if each.kind == "residual"]


def test_figure_9_a_hand_goes_around_a_prop(pointing):
    vase = Cup(0.07, 0.14, handle=False).prop("Vase", (0.13, 1.05, 0.33))
    scene = replace(pointing, props=(*pointing.props, vase))
    inside = []
    for clear in (False, True):
        _, after, frame = edited(scene, "right hand", "point", (0.3, 0.0, 0.0), stay_clear=clear)
        path = tracks(after)["right hand"].position
        away = np.maximum(np.abs(path - [0.13, 1.12, 0.33]) - [0.07, 0.07, 0.07], 0.0)
        inside.append(0.035 - np.linalg.norm(away, axis=1).min())
        goal = tracks(pointing)["right hand"].position[frame] + [0.3, 0.0, 0.0]
        np.testing.assert_allclose(path[frame], goal, atol=1e-3)
    assert inside[0] > 0.02
    assert inside[1] < 0.008  # 2 mm are allowed, and its hands are smaller


def test_figure_9_an_arm_keeps_out_of_the_body(pointing):
    nearest = []
    for clear in (False, True):
        _, after, _ = edited(pointing, "right hand", "point", (0.5, 0.0, -0.45), stay_clear=clear)
        take = after.characters[0].takes[0]
        joints = [take.rig.joint(each) for each in ("Hips", "Neck", "RightLowerArm")]
        place = forward(take.rig, values_at(take, take.frame_times()), joints)[..., :3, 3]
        line, arm = place[:, 1] - place[:, 0], place[:, 2] - place[:, 0]
        share = np.clip((arm * line).sum(axis=1) / (line * line).sum(axis=1), 0.0, 1.0)
        nearest.append(np.linalg.norm(arm - share[:, None] * line, axis=1).min())
    assert nearest[0] < 0.09
    assert nearest[1] > nearest[0] + 0.02


def test_a_forearm_keeps_out_of_the_head(pointing):
    """A hand that is led to the other side of the head."""
    rig = pointing.characters[0].rig
    beside = np.array([0.16, 0.12, 0.0])  # m, from the head's joint
    start = tracks(pointing)["right hand"].position
    nearest = []
    for clear in (False, True):
        at = round(pointing.activities[0].events[0].time * 30)
        take = pointing.characters[0].takes[0]
        head = forward(rig, values_at(take, np.array([at / 30])), [rig.joint("Head")])[0, 0, :3, 3]
        _, after, frame = edited(
            pointing, "right hand", "point", head + beside - start[at], stay_clear=clear
        )
        values = values_at(after.characters[0].takes[0], np.array([frame / 30]))
        joints = [rig.joint(each) for each in ("Neck", "Head", "RightLowerArm", "RightHand")]
        neck, head, elbow, wrist = forward(rig, values, joints)[0, :, :3, 3]
        middle = head + 0.05 * (head - neck) / np.linalg.norm(head - neck)
        nearest.append(np.linalg.norm((elbow + wrist) / 2 - middle))
    assert nearest[0] < 0.12
    assert nearest[1] > nearest[0] + 0.015
