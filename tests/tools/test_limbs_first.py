"""Limbs first: a dragged hand leaves head and hips alone, unless the body is asked to follow."""

from dataclasses import replace

import numpy as np
import pytest
from boxes import box

from arcwright import characters
from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.freedom import Freedom
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.shape import Part, Shape
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.segment_weights import leverage
from exported_rig import exported
from random_rigs import ROTATES, TRANSLATES, chain_rig


def moved(scene, name, point, by, time, **options):
    """How far each joint moves, m, and how far the point is from its target."""
    chosen = tool(name)
    session = chosen.begin(scene, Target(), chosen.Options(**options))
    take = scene.characters[0].takes[0]
    start = trail(take, point, np.array([time])).position[0]
    for share in np.linspace(0, 1, 6)[1:]:
        session.update(Drag(point, time, position=start + share * np.asarray(by)))
    after = session.finish().apply(scene).characters[0].takes[0]
    was, now = (
        forward(take.rig, values_at(each, np.array([time])))[0, :, :3, 3] for each in (take, after)
    )
    missed = trail(after, point, np.array([time])).position[0] - start - by
    return dict(zip(take.rig.names, np.linalg.norm(now - was, axis=1), strict=True)), missed


def walk():
    scene = characters.built_in("biped:walk")
    character = scene.characters[0]
    alone = replace(character, takes=character.takes[:1])
    return replace(scene, characters=(alone,), constraints=(), props=())


@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_a_hand_within_reach_leaves_head_and_hips_alone(name):
    away, missed = moved(walk(), name, Point("LeftHand"), [0.0, 0.08, 0.0], 0.31)
    assert np.abs(missed).max() < 1e-3
    assert away["Head"] < 0.02
    assert away["Hips"] < 0.01


@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_the_body_follows_with_body_follows_at_1(name):
    little, _ = moved(walk(), name, Point("LeftHand"), [0.0, 0.08, 0.0], 0.31)
    much, _ = moved(walk(), name, Point("LeftHand"), [0.0, 0.08, 0.0], 0.31, body_follows=1.0)
    assert much["Head"] > 3 * little["Head"]


@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_a_chain_ends_the_effect_of_a_drag(name):
    away, _ = moved(walk(), name, Point("LeftHand"), [0.0, 0.05, 0.0], 0.31, chain_length=2)
    assert away["LeftUpperArm"] == 0.0
    assert away["Hips"] == 0.0


@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_a_chain_of_two_above_a_hand_is_the_arm(name):
    """The hand itself does not count: no rotation of it moves its own place."""
    hand = Point("LeftHand")
    away, missed = moved(walk(), name, hand, [0.0, 0.05, 0.03], 0.31, chain_length=2)
    assert np.abs(missed).max() < 1e-3
    assert away["LeftLowerArm"] > 0.0
    assert away["LeftUpperArm"] == 0.0
    tip = Point("LeftHand", (0.0, 0.1, 0.0))
    away, _ = moved(walk(), name, tip, [0.0, 0.02, 0.0], 0.31, chain_length=2)
    assert away["LeftLowerArm"] == 0.0  # of a point away from the joint, the hand is the first


@pytest.mark.parametrize("name", ["pose", "tangent"])
@pytest.mark.parametrize("stretch", [False, True])
def test_bones_keep_their_length_unless_they_are_freed(name, stretch):
    character = exported()
    scene = replace(characters.built_in("lamp"), characters=(character,), constraints=())
    chosen = tool(name)
    session = chosen.begin(scene, Target(), chosen.Options(stretch_bones=stretch))
    take = character.takes[0]
    start = trail(take, Point("Hand"), np.array([0.5])).position[0]
    session.update(Drag(Point("Hand"), 0.5, position=start + [0.1, 0.2, 0.05]))
    after = session.finish().apply(scene).characters[0].takes[0]
    was, now = (values_at(each, np.array([0.5]))[0] for each in (take, after))
    table = take.rig.channels
    slides = (table.kind <= Kind.TRANSLATE_Z) & (table.joint > take.rig.joint("Hips"))
    assert (np.abs(now - was)[slides].max() > 1e-6) == stretch


def test_a_quaternion_is_not_shrunk_to_turn_a_heavy_joint_cheaply():
    """Its length moves nothing, but the shorter it is, the more a step of its parts turns."""
    rig = chain_rig(3, "quaternion")
    character = Character("chain", rig, (Take(rig, Clip("still", (None,) * len(rig.channels), 1)),))
    turns = rig.channels.kind >= Kind.QUATERNION_W
    channels = np.flatnonzero(turns & (rig.channels.joint == 0))
    values = np.array(rig.channels.default)[None]
    weights = Freedom(character, character.takes[0]).weights(channels, values)
    assert weights[0] == pytest.approx(weights[1:].max(), rel=1e-2)


def test_a_limb_with_many_keys_moves_before_a_root_with_few():
    """A segment of the root that lasts the whole take moves the body all that time."""
    scene = walk()
    character = scene.characters[0]
    take = character.takes[0]
    times = np.arange(13) / 12
    values = values_at(take, times)
    table = take.rig.channels
    sparse = [0, len(times) - 1]
    curves = tuple(
        keyed(times[keys], values[keys, channel])
        for channel in range(len(table))
        for keys in [sparse if table.joint[channel] == 0 else slice(None)]
    )
    dense = replace(take, base=replace(take.base, curves=curves))
    scene = replace(scene, characters=(replace(character, takes=(dense,)),))
    away, missed = moved(scene, "tangent", Point("LeftHand"), [0.0, 0.02, 0.03], 0.54)
    assert np.abs(missed).max() < 1e-3
    assert away["Hips"] < 0.002


def test_a_foot_between_keys_a_frame_apart_moves_before_the_body():
    scene = replace(characters.built_in("biped:throw"), constraints=())
    time = 9.48 / scene.characters[0].takes[0].rate  # the legs have keys at frames 9 and 10
    away, missed = moved(scene, "tangent", Point("RightFoot"), [0.0, 0.05, 0.05], time)
    assert np.abs(missed).max() < 1e-3
    assert away["Hips"] < 0.01
    assert away["Head"] < 0.01


def test_a_pose_does_not_animate_what_lies_above_the_root():
    rig = chain_rig(4)
    rig = replace(rig, root=1)
    table = rig.channels
    curves = tuple(
        keyed([0.0, 1.0], [0.0, 0.1]) if joint > 0 else None for joint in table.joint.tolist()
    )
    character = Character("chain", rig, (Take(rig, Clip("sway", curves, 1.0)),))
    scene = replace(walk(), characters=(character,))
    away, missed = moved(scene, "pose", Point("joint3"), [-0.1, 0.2, 0.1], 0.5)
    assert np.abs(missed).max() < 1e-3
    assert away["joint3"] > 0.1
    chosen = tool("pose")
    for point in (Point("joint3"), Point("joint0", (0.5, 0.0, 0.0))):
        session = chosen.begin(scene, Target(), chosen.Options())
        start = trail(character.takes[0], point, np.array([0.5])).position[0]
        session.update(Drag(point, 0.5, position=start + [-0.1, 0.2, 0.1]))
        after = session.finish().apply(scene).characters[0].takes[0].base.curves
        added = [c for c, curve in enumerate(after) if curve is not None and curves[c] is None]
        assert bool(added) == (point.joint == "joint0")  # unless it is what is dragged


def test_a_chain_that_is_too_short_is_named():
    scene = walk()
    session = tool("tangent").begin(scene, Target(), tool("tangent").Options(chain_length=1))
    start = trail(scene.characters[0].takes[0], Point("LeftHand"), np.array([0.31])).position[0]
    session.update(Drag(Point("LeftHand"), 0.31, position=start + [0.0, 0.3, 0.0]))
    assert "chain of 1 joint" in session.notes()[0].text
    session.update(Drag(Point("LeftHand"), 0.31, position=start + [0.0, 3.0, 0.0]))
    offer = session.offer()
    assert offer is None or "0.0 cm" not in offer.text  # a key that gains nothing is not offered


TOY = {  # joint: parent, place, box that it carries
    "Pelvis": (None, (0, 1.0, 0), ((-0.2, -0.1, -0.15), (0.2, 0.1, 0.15))),
    "Spine": ("Pelvis", (0, 1.1, 0), ((-0.2, 0, -0.15), (0.2, 0.2, 0.15))),
    "Chest": ("Spine", (0, 1.3, 0), ((-0.3, 0, -0.15), (0.3, 0.3, 0.15))),
    "Head": ("Chest", (0, 1.6, 0), ((-0.4, 0, -0.4), (0.4, 0.8, 0.4))),
    "Arm.L": ("Chest", (0.3, 1.5, 0), ((0, -0.05, -0.05), (0.4, 0.05, 0.05))),
    "Elbow.L": ("Arm.L", (0.7, 1.5, 0), ((0, -0.05, -0.05), (0.4, 0.05, 0.05))),
    "Hand.L": ("Elbow.L", (1.1, 1.5, 0), ((0, -0.05, -0.05), (0.1, 0.05, 0.05))),
    "Arm.R": ("Chest", (-0.3, 1.5, 0), ((-0.4, -0.05, -0.05), (0, 0.05, 0.05))),
    "Elbow.R": ("Arm.R", (-0.7, 1.5, 0), ((-0.4, -0.05, -0.05), (0, 0.05, 0.05))),
    "Hand.R": ("Elbow.R", (-1.1, 1.5, 0), ((-0.1, -0.05, -0.05), (0, 0.05, 0.05))),
}


def toy(size=1.0, meshes=True):
    """A figure with a big head and thin arms, rigid boxes on its joints, elbows a little bent."""
    names = list(TOY)
    place = size * np.array([each[1] for each in TOY.values()])
    parents = [-1 if each[0] is None else names.index(each[0]) for each in TOY.values()]
    rows = [(0, kind) for kind in TRANSLATES]
    rows += [(joint, kind) for joint in range(len(names)) for kind in ROTATES]
    default = [*place[0], *np.zeros(3 * len(names))]
    for joint, angle in (("Elbow.L", -0.6), ("Elbow.R", 0.6)):
        default[rows.index((names.index(joint), Kind.ROTATE_Y))] = angle
    rig = Rig(
        names=tuple(names),
        parents=parents,
        offset=[place[j] - place[p] if p >= 0 else np.zeros(3) for j, p in enumerate(parents)],
        rest=np.tile([1.0, 0, 0, 0], (len(names), 1)),
        scale=np.ones((len(names), 3)),
        modes=("XYZ",) * len(names),
        channels=ChannelTable.of([j for j, _ in rows], [k for _, k in rows], default=default),
    )
    shapes = [
        Shape(names[j], j, (Part({"POSITION": size * v}, f.ravel()),))
        for j, each in enumerate(TOY.values())
        for v, f in [box(*each[2])]
    ]
    curves = tuple(keyed([0.0, 1.0], [value, value]) for value in default)
    take = Take(rig, Clip("still", curves, 1.0))
    character = Character("toy", rig, (take,), tuple(shapes) if meshes else ())
    return Scene("toy", (character,))


@pytest.mark.parametrize("size", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_a_hand_within_reach_does_not_twist_the_trunk(name, size):
    """A big head is heavy: the mesh tells, bone lengths do not."""
    away, missed = moved(toy(size), name, Point("Hand.L"), size * np.array([-0.3, 0.25, 0.2]), 0.5)
    assert np.abs(missed).max() < 1e-3 * size
    height = 2.4 * size
    assert away["Hand.L"] > 0.15 * height
    assert away["Hand.R"] < 0.01 * height
    assert away["Arm.L"] < 0.01 * height
    assert away["Pelvis"] < 0.003 * height


def test_beyond_reach_the_body_helps_little_by_little():
    """No sudden jump of the trunk as the target leaves the arm's reach."""
    scene, place = toy(), []
    session = tool("pose").begin(scene, Target(), tool("pose").Options())
    take = scene.characters[0].takes[0]
    start = trail(take, Point("Hand.L"), [0.5]).position[0]
    for share in np.linspace(0, 1, 41):
        preview = session.update(Drag(Point("Hand.L"), 0.5, position=start + [0.2, 0, 0.6 * share]))
        after = preview.edit.apply(scene).characters[0].takes[0]
        place.append(trail(after, Point("Hand.R"), [0.5]).position[0])
    steps = np.linalg.norm(np.diff(place[1:], axis=0), axis=1)
    assert steps.max() < 0.04  # of 1.5 cm that the target goes in each move
    session.finish()


def test_segments_with_a_key_close_by_become_cheaper():
    begin, length = np.zeros(3), np.array([1.0, 4.0, 0.2])
    start = np.repeat(length / 3, 2)[:, None] * [1.0, 0.0]
    cheap = leverage(begin, length, start, [0.5])
    assert cheap[0] == pytest.approx(1.0)
    assert cheap[1] < 0.7
    assert cheap[2] == 1.0  # does not hold the time
