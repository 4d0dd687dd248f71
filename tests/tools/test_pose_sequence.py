"""Poses of all frames of a take for points that follow paths."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import files
from arcwright.characters import built_in
from arcwright.compiled import library as compiled
from arcwright.curves.keys import keyed
from arcwright.errors import BadValue
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.held_points import FADE, fading_weights
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from builders import TRANSLATE, rig_of
from data import DATA, needs_data

FRAMES = 24
HIT = 1e-4  # m
LIMB = 10.0  # rad/m: how much a joint of the biped rotates for each metre of its hand, at most


def loop_of(frames):
    """(T, 3) a closed curve of about the size 1 that is no circle."""
    phase = 2 * np.pi * np.arange(frames) / frames
    return np.stack([np.cos(phase), np.sin(phase), 0.5 * np.cos(2 * phase)], axis=1)


class Solve:
    """A point of a character led along a loop around where it was."""

    def __init__(self, scene, joint, radius, shift=(0, 0, 0), frames=FRAMES, **options):
        edited = find_clip(scene, Target(character=options.pop("character", "")))
        self.take, self.point = edited.take, Point(joint, character=edited.actor.name)
        self.times = np.arange(frames) / frames * self.take.duration
        self.sequence = PoseSequence(scene, edited, self.times, [self.point], **options)
        was = trail(self.take, self.point, self.times).position
        self.path = PointPath(self.point, was + radius * loop_of(frames) + np.asarray(shift, float))
        self.solved = self.sequence.solve([self.path])
        self.was, self.now = self.sequence.values, self.solved.values

    def moved(self, joint):
        """(T,) m, how far a joint is from where it was."""
        index = self.take.rig.joint(joint)
        there = [
            forward(self.take.rig, each, [index])[:, 0, :3, 3] for each in (self.was, self.now)
        ]
        return np.linalg.norm(there[1] - there[0], axis=-1)

    @property
    def steps(self):
        """(T,) the largest step of any channel's change from each frame to the next."""
        change = self.now - self.was
        return np.abs(np.roll(change, -1, axis=0) - change).max(axis=1)


def raised(joint="RightHand", **options):
    """The hand of the standing biped on a loop in front of it, within reach."""
    options = {"radius": 0.1, "shift": (0, 0.2, 0.2), **options}
    return Solve(built_in("biped:stand"), joint, **options)


@pytest.mark.parametrize(
    ("name", "joint", "radius"),
    [
        ("biped:stand", "RightHand", 0.1),
        ("biped:walk", "LeftHand", 0.1),
        ("biped:walk", "LeftFoot", 0.05),
        ("dinosaur:punch", "LeftHand", 0.05),
        ("spider:stride", "RightLeg4Tarsus", 0.03),
        ("robot:flight", "RightFingers", 0.02),
    ],
)
def test_the_point_is_on_its_path_at_every_frame(name, joint, radius):
    found = Solve(built_in(name), joint, radius)
    assert found.solved.remaining.max() < HIT
    index = found.take.rig.joint(joint)
    there = forward(found.take.rig, found.now, [index])[:, 0, :3, 3]
    assert there == pytest.approx(found.path.position, abs=HIT)
    assert found.solved.position[:, 0] == pytest.approx(there, abs=1e-9)


@needs_data
@pytest.mark.parametrize(
    ("file", "joint"),
    [
        ("CesiumMan.glb", "Skeleton_arm_joint_L__2_"),
        ("Fox.glb", "b_LeftHand_011"),
        ("RobotExpressive.glb", "Palm2.L"),
    ],
)
def test_exported_characters_follow_within_a_tenth_of_a_millimetre(file, joint):
    scene = files.read(DATA / "gltf" / file)
    found = Solve(scene, joint, 0.05 * rig_size(scene.characters[0].rig))
    assert found.solved.remaining.max() < HIT


def test_a_prop_follows_by_translating_alone():
    rig = rig_of([-1], [(0, TRANSLATE)])
    take = Take(rig, Clip("still", (keyed([0, 1], [0, 0]), None, None), 1.0))
    scene = replace(built_in("biped:stand"), props=(Prop("ball", rig, (take,)),), constraints=())
    found = Solve(scene, "joint0", 2.0, character="ball")
    assert found.solved.remaining.max() < HIT
    assert found.now == pytest.approx(found.path.position, abs=HIT)


def test_bones_keep_their_length():
    found = raised()
    rig = found.take.rig
    places = [forward(rig, each)[..., :3, 3] for each in (found.was, found.now)]
    child = np.flatnonzero(rig.parents >= 0)
    lengths = [np.linalg.norm(p[:, child] - p[:, rig.parents[child]], axis=-1) for p in places]
    assert lengths[1] == pytest.approx(lengths[0], abs=1e-9)


@pytest.mark.parametrize("name", ["biped:stand", "biped:walk"])
def test_standing_feet_stay_planted(name):
    found = Solve(built_in(name), "LeftHand", 0.15)
    planted = {each.point.joint: each.weight == CONSTRAINT_WEIGHT for each in found.sequence.held}
    assert set(planted) == {"LeftFoot", "RightFoot"}
    for joint, stands in planted.items():
        assert stands.sum() > FRAMES / 4
        assert found.moved(joint)[stands].max() < HIT
    assert found.moved("Hips").max() > 1e-3  # the body had to follow


def test_feet_are_free_where_they_are_not_to_be_planted():
    scene = replace(built_in("biped:stand"), constraints=())
    found = Solve(scene, "LeftHand", 0.15, plant_feet=False)
    assert found.sequence.held == ()
    assert found.moved("LeftFoot").max() > 1e-3


def test_the_foot_that_is_performed_is_not_planted():
    found = Solve(built_in("biped:walk"), "LeftFoot", 0.05)
    assert [each.point.joint for each in found.sequence.held] == ["RightFoot"]


def test_joint_limits_are_kept():
    found = Solve(built_in("biped:stand"), "RightHand", 0.4, (-0.3, 0.3, 0))
    table = found.take.rig.channels
    low, high = np.minimum(table.low, found.was), np.maximum(table.high, found.was)
    assert (found.now >= low - 1e-9).all()
    assert (found.now <= high + 1e-9).all()
    at_limit = (np.abs(found.now - low) < 1e-9) | (np.abs(found.now - high) < 1e-9)
    assert (at_limit & (np.abs(found.now - found.was) > 0.01)).any()  # the test meets a limit


def test_frames_do_not_depend_on_each_other():
    found = raised()
    some = np.array([17, 2, 3, 9])
    part = found.sequence.solve([found.path], some)
    assert np.array_equal(part.values[some], found.now[some])
    others = np.setdiff1d(np.arange(FRAMES), some)
    assert np.array_equal(part.values[others], found.was[others])
    back = found.sequence.solve(
        [PointPath(found.point, found.path.position)], np.arange(FRAMES)[::-1]
    )
    assert np.array_equal(back.values, found.now)


def test_a_smooth_path_gives_smooth_channels():
    found = raised(frames=40)
    path = found.path.position - trail(found.take, found.point, found.times).position
    step = np.linalg.norm(np.roll(path, -1, axis=0) - path, axis=1).max()
    assert found.steps.max() < LIMB * step


@pytest.mark.parametrize("shift", [(0, 0.2, 0.2), (-0.3, 0.5, 0.1), (0, 0, 0.8)])
def test_steps_of_channels_shrink_with_those_of_the_path(shift):
    coarse, fine = raised(frames=20, shift=shift), raised(frames=80, shift=shift)
    assert fine.steps.max() < 0.4 * coarse.steps.max()


def test_what_is_out_of_reach_is_approached_and_reported():
    found = raised(shift=(0, 0.3, 2.5))
    remaining = found.solved.remaining[:, 0]
    assert (remaining > 0.2).all()
    away = np.linalg.norm(found.solved.position[:, 0] - found.path.position, axis=1)
    assert remaining == pytest.approx(away)
    assert np.linalg.norm(np.diff(found.solved.position[:, 0], axis=0), axis=1).max() < 0.2
    for foot in ("LeftFoot", "RightFoot"):
        assert found.moved(foot).max() < 2e-3
    assert np.isfinite(found.now).all()


def test_the_head_moves_little_when_a_hand_moves_by_six_percent_of_the_height():
    found = raised(
        radius=0.06 * rig_size(built_in("biped").characters[0].rig), shift=(0, 0.15, 0.1)
    )
    height = rig_size(found.take.rig)
    assert found.moved("Head").max() < 0.012 * height
    assert found.moved("Hips").max() < 0.006 * height
    assert found.moved("RightHand").max() > 0.05 * height


def test_a_point_that_stays_changes_nothing():
    found = raised(radius=0.0, shift=(0, 0, 0))
    assert found.now == pytest.approx(found.was, abs=1e-9)


def test_orientations_are_followed_too():
    scene = built_in("biped:stand")
    edited = find_clip(scene, Target())
    times, hand = np.arange(8) / 8, Point("RightHand")
    was = trail(edited.take, hand, times)
    turn = quaternion_from_vector(0.4 * np.array([[np.sin(2 * np.pi * t), 0.5, 0] for t in times]))
    wanted = quaternion_multiply(turn, was.orientation)
    sequence = PoseSequence(scene, edited, times, [hand])
    found = sequence.solve([PointPath(hand, was.position + [0, 0.2, 0.1], wanted)])
    assert found.remaining.max() < HIT
    only = sequence.solve([PointPath(hand, orientation=wanted)])
    assert only.remaining.max() < HIT


def test_several_points_follow_at_once():
    scene = built_in("biped:stand")
    edited = find_clip(scene, Target())
    times, hands = np.arange(8) / 8, [Point("RightHand"), Point("LeftHand")]
    ways = [trail(edited.take, hand, times).position + 0.1 * loop_of(8) for hand in hands]
    sequence = PoseSequence(scene, edited, times, hands)
    found = sequence.solve([PointPath(*each) for each in zip(hands, ways, strict=True)])
    assert found.remaining.shape == (8, 2)
    assert found.remaining.max() < HIT
    assert found.position == pytest.approx(np.stack(ways, axis=1), abs=HIT)


def test_other_poses_to_begin_with_are_kept_where_nothing_is_asked_for():
    found = raised()
    again = found.sequence.solve([found.path], np.array([4]), start=found.now)
    assert again.values == pytest.approx(found.now, abs=1e-6)


@pytest.mark.parametrize("loops", [False, True])
def test_weights_fade_around_a_contact_and_over_the_seam(loops):
    edited = find_clip(built_in("biped:walk"), Target())
    edited = replace(edited, clip=replace(edited.clip, loops=loops))
    times = np.array([0.0, 0.5 * FADE, 0.4, 0.5, 0.9, 1.0 - 0.5 * FADE])
    weights = fading_weights(edited, times, [(0.4, 0.5), (0.9, 1.0)])
    assert (weights[2:] == CONSTRAINT_WEIGHT).tolist() == [True, True, True, True]
    if loops:
        assert weights[0] == CONSTRAINT_WEIGHT
        assert 0 < weights[1] < 1e3
    else:
        assert weights[:2].tolist() == [0, 0]


def test_points_that_cannot_be_led_are_refused():
    scene, times = built_in("biped:carry"), np.arange(4) / 4
    edited = find_clip(scene, Target())
    other = Point("RightHand", character=scene.props[0].name)
    with pytest.raises(BadValue, match="points"):
        PoseSequence(scene, edited, times, [other])
    sequence = PoseSequence(scene, edited, times, [Point("RightHand")])
    with pytest.raises(BadValue, match="RightHand"):
        sequence.solve([PointPath(Point("LeftHand"), np.zeros((4, 3)))])


@pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")
@pytest.mark.parametrize("shift", [(0, 0, 0), (0, 0.2, 0.2), (0, 0.3, 0.6)])
def test_numpy_alone_gives_the_same_poses(monkeypatch, shift):
    ours = Solve(built_in("biped:walk"), "LeftHand", 0.1, shift, frames=6)
    monkeypatch.setattr(compiled, "library", None)
    plain = Solve(built_in("biped:walk"), "LeftHand", 0.1, shift, frames=6)
    assert plain.now == pytest.approx(ours.now, abs=1e-5)
    assert plain.solved.remaining == pytest.approx(ours.solved.remaining, abs=1e-6)


@pytest.mark.parametrize("plain", [False, True])
def test_a_light_path_yields_to_a_heavy_one_and_a_loose_rotation_to_a_place(plain, monkeypatch):
    if plain:
        monkeypatch.setattr(compiled, "library", None)
    scene = built_in("biped:stand")
    edited = find_clip(scene, Target())
    hand, elbow = (
        Point(each, character=edited.actor.name) for each in ("LeftHand", "LeftLowerArm")
    )
    sequence = PoseSequence(scene, edited, np.zeros(1), [hand, elbow])
    was = [trail(edited.take, each, np.zeros(1)).position for each in (hand, elbow)]
    away, light = was[0] + [0.0, 0.25, 0.15], np.full(1, 1e-2)
    turned = quaternion_from_vector(np.array([[0.0, 0.0, 3.0]]))
    parts = [PointPath(hand, away), PointPath(elbow, was[1] - [0, 0.3, 0], weight=light)]
    loose = [PointPath(hand, away, turned, firmness=np.full(1, 1e-7))]
    for paths in (parts, loose):
        solved = sequence.solve(paths)
        assert np.linalg.norm(solved.position[0, 0] - away) < 1e-4
