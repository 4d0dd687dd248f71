"""Feet that hang on the top of a rig move with their legs, in every tool, and lead them."""

import numpy as np
import pytest

from arcwright import files
from arcwright.arrays import same
from arcwright.edits.lengths import set_attached
from arcwright.kinematics.assembled_rig import assemble
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import sample, values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import TOOLS, tool
from arcwright.tools.gesture import Drag
from arcwright.tools.interaction import Interaction
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from attached_rig import LIMBS, NAMES, apart, walker, walker_scene
from data import DATA, needs_data
from stepping import beside, drawn

TIMES = np.linspace(0, 1, 25)
WAYS = [("pose", True), ("pose", False), ("tangent", False), ("spacetime", True)]
TARGET = Target("walker", "walk")


def drag(scene, tool, joint, by, frame=11):
    """The interaction of one drag, and where its point should be."""
    used = next(each for each in TOOLS if each.name == tool)
    at = trail(scene.actor("").takes[0], Point(joint), [frame / 24]).position[0] + by
    interaction = Interaction(used, scene, TARGET, used.Options())
    interaction.update(Drag(Point(joint), frame / 24, at))
    return interaction, at


def after(scene, edit):
    return edit.apply(scene).actor("").takes[0]


def left(scene, edit, times=TIMES):
    """How far feet have left their legs at most, m."""
    take = scene.actor("").takes[0]
    return apart(take.rig, values_at(take, times), values_at(after(scene, edit), times)).max()


def test_the_analysis_finds_feet_that_follow_their_legs():
    found = analyse(walker()).attached_to
    limbs = {NAMES[joint]: NAMES[limb] for joint, limb in enumerate(found) if limb >= 0}
    assert limbs == LIMBS


def test_the_analysis_finds_nothing_where_feet_are_children_of_the_legs():
    made = walker()
    assembled = assemble(made, made.takes[0])
    assert (analyse(assembled.assembled_actor).attached_to == -1).all()
    assert assemble(assembled.assembled_actor, assembled.assembled_take) is None


@pytest.mark.parametrize("euler", [False, True])
@pytest.mark.parametrize("baked", [False, True])
def test_the_assembled_take_moves_as_the_original_at_its_keys(baked, euler):
    made = walker(baked=baked, euler=euler)
    assembled = assemble(made, made.takes[0])
    times = np.linspace(0, 1, 25 if baked else 13)
    there = forward(assembled.rig, values_at(assembled.assembled_take, times))
    here = forward(made.rig, values_at(made.takes[0], times))
    assert np.abs(there - here[:, assembled.order]).max() < 1e-9


def test_an_unchanged_pose_is_converted_back_exactly():
    made = walker(baked=False)
    assembled = assemble(made, made.takes[0])
    there = values_at(assembled.assembled_take, TIMES)
    back = assembled.detached_values(TIMES, there)
    assert np.abs(back - values_at(made.takes[0], TIMES)).max() < 1e-9


@pytest.mark.parametrize("euler", [False, True])
@pytest.mark.parametrize(("tool", "baked"), WAYS)
def test_the_feet_go_where_the_hips_and_knees_take_them(tool, baked, euler):
    scene = walker_scene(baked=baked, euler=euler)
    for joint, by in (("Body", (0.05, -0.06, 0.03)), ("ShinL", (0.0, 0.05, 0.05))):
        interaction, at = drag(scene, tool, joint, by)
        edit = interaction.finish()
        take = after(scene, edit)
        assert np.linalg.norm(trail(take, Point(joint), [11 / 24]).position[0] - at) < 2e-3
        assert left(scene, edit) < 2e-3


@pytest.mark.parametrize(("tool", "baked"), WAYS)
def test_a_foot_that_is_dragged_takes_its_leg_along(tool, baked):
    scene = walker_scene(baked=baked)
    interaction, at = drag(scene, tool, "FootL", (0.0, 0.08, 0.06))
    edit = interaction.finish()
    take = after(scene, edit)
    assert np.linalg.norm(trail(take, Point("FootL"), [11 / 24]).position[0] - at) < 2e-3
    knee = [trail(each, Point("ShinL"), [11 / 24]).position[0] for each in (*walker().takes, take)]
    assert np.linalg.norm(knee[1] - knee[0]) > 0.01
    assert left(scene, edit) < 2e-3


@pytest.mark.parametrize(("tool", "baked"), WAYS)
def test_the_previewed_pose_is_the_one_of_the_edit(tool, baked):
    scene = walker_scene(baked=baked)
    interaction, _ = drag(scene, tool, "Body", (0.0, -0.06, 0.0))
    pose = interaction.preview.poses[0].values
    edited = values_at(after(scene, interaction.preview.edit), np.array([11 / 24]))[0]
    world = [forward(scene.actor("").rig, values[None])[0] for values in (pose, edited)]
    assert np.abs(world[0] - world[1]).max() < 2e-3


@pytest.mark.parametrize(("tool", "baked"), WAYS)
def test_undo_is_exact_and_nothing_changes_without_a_move(tool, baked):
    scene = walker_scene(baked=baked)
    edit = drag(scene, tool, "Body", (0.0, -0.06, 0.0))[0].finish()
    assert same(edit.inverse().apply(edit.apply(scene)), scene)
    assert drag(scene, tool, "Body", (0.0, 0.0, 0.0))[0].finish().empty


@pytest.mark.parametrize("baked", [True, False])
def test_feet_go_on_with_a_loop_that_a_contact_stroke_makes(baked):
    scene = walker_scene(baked=baked)
    take = scene.actor("").takes[0]
    foot = trail(take, Point("FootL"), TIMES).position[:, 1]
    high = foot.min() + 0.15 * np.ptp(foot)
    interaction = Interaction(tool("cycle"), scene, TARGET, tool("cycle").Options())
    interaction.update(drawn(beside(scene), [[0, high, -1.0], [0, high, 1.0]]))
    walking = after(scene, interaction.finish())
    assert walking.base.loops
    twice = np.linspace(0, 2, 49)
    way = np.linalg.norm(np.diff(trail(walking, Point("Body"), [0.0, 2.0]).position, axis=0))
    assert way > 3
    assert apart(take.rig, values_at(take, twice % 1), values_at(walking, twice)).max() < 2e-3
    slowest = np.sort(
        np.linalg.norm(np.diff(trail(walking, Point("FootL"), twice).position, axis=0), axis=1)
    )
    assert slowest[10] < 1e-3


def test_a_sampled_take_is_edited_with_its_feet():
    keyed_scene = walker_scene()
    take = keyed_scene.actor("").takes[0]
    captured = Take(take.rig, sample(take, TIMES))
    scene = Scene(characters=(Character("walker", take.rig, (captured,)),))
    edit = drag(scene, "spacetime", "Body", (0.0, -0.06, 0.0))[0].finish()
    assert left(scene, edit) < 2e-3


def test_attached_feet_keep_the_ends_that_an_edit_locks():
    scene = walker_scene()
    at = trail(scene.actor("").takes[0], Point("Body"), [0.5]).position[0] - [0, 0.06, 0]
    session = SpacetimeTool().begin(scene, TARGET, SpacetimeOptions(lock_ends=True))
    session.update(Drag(Point("Body"), 0.5, at))
    layer = after(scene, session.finish()).layers[-1]
    assert len(layer.joints) + len(layer.channels) > 0
    x = np.concatenate([layer.turn.reshape(len(layer.turn), -1), layer.add], axis=1)
    assert not x[[0, 1, -2, -1]].any()
    assert left(scene, session.finish()) < 2e-3


def test_the_offer_of_a_baked_clip_keeps_the_feet_on():
    scene = walker_scene()
    interaction, _ = drag(scene, "tangent", "ShinL", (0.0, 0.05, 0.05))
    offer = interaction.session.offer()
    assert offer is not None
    assert left(scene, offer.edit) < 2e-3


def test_rotating_a_thigh_takes_the_foot_along():
    scene = walker_scene(baked=False)
    used = next(each for each in TOOLS if each.name == "pose")
    interaction = Interaction(used, scene, TARGET, used.Options())
    interaction.update(Drag(Point("ThighL"), 0.25, orientation=np.array([0.96, 0.28, 0, 0])))
    edit = interaction.finish()
    assert not edit.empty
    assert left(scene, edit) < 2e-3


def test_the_animator_detaches_attaches_and_returns_to_the_analysis():
    scene = walker_scene()
    joint, other = NAMES.index("FootL"), NAMES.index("ShinR")
    edit = set_attached(scene, "", joint, joint)
    detached = edit.apply(scene)
    assert analyse(detached.actor("")).attached_to[joint] == -1
    moved = drag(detached, "pose", "Body", (0.0, -0.06, 0.0))[0].finish()
    assert left(detached, moved) > 0.05
    assert same(edit.inverse().apply(detached), scene)
    attached = set_attached(scene, "", joint, other).apply(scene)
    assert analyse(attached.actor("")).attached_to[joint] == other
    assert same(set_attached(attached, "", joint, -1).apply(attached), scene)


def test_joints_that_hold_each_other_are_not_both_attached():
    scene = walker_scene()
    for joint, limb in (("FootL", "FootR"), ("FootR", "FootL")):
        scene = set_attached(scene, "", NAMES.index(joint), NAMES.index(limb)).apply(scene)
    made = scene.actor("")
    assert len(assemble(made, made.takes[0]).attached) == 1


def test_a_foot_that_stays_where_it_is_is_not_attached():
    made = walker()
    still = list(made.takes[0].base.curves)
    for channel in np.flatnonzero(made.rig.channels.joint == NAMES.index("FootL")):
        still[channel] = None
    base = made.takes[0].base
    take = Take(made.rig, type(base)("still", tuple(still), base.duration, base.rate))
    found = analyse(Character("walker", made.rig, (take,))).attached_to
    assert found[NAMES.index("FootL")] == -1


REAL = {
    "RobotExpressive.glb": ("Walking", "Body", "Foot.L", 2),
    "quaternius/Spider.glb": ("Spider_Walk", "Body", "FrontFoot.L", 8),
    "quaternius/Trex.glb": ("Walk", "Body", "BackFoot.L", 2),
    "quaternius/Wolf.glb": ("Walk", "Back", "IKBackLeg.L", 4),
}


@needs_data
@pytest.mark.parametrize("file", REAL)
def test_exported_characters_stay_in_one_piece(file):
    name, hips, foot, count = REAL[file]
    scene = files.read(DATA / "gltf" / file)
    actor = scene.characters[0]
    take = next(each for each in actor.takes if each.name.endswith(name))
    pairs = [(j, int(k)) for j, k in enumerate(analyse(actor, take).attached_to) if k >= 0]
    assert len(pairs) == count
    size, used = analyse(actor, take).size, next(each for each in TOOLS if each.name == "pose")
    time, frames = round(take.frame_count / 2) / take.rate, take.frame_times()
    for joint in (hips, foot):
        target = Target(actor.name, take.name)
        interaction = Interaction(used, scene, target, used.Options())
        at = trail(take, Point(joint), [time]).position[0]
        interaction.update(Drag(Point(joint), time, at + np.array([0.0, 0.04, 0.03]) * size))
        edited = interaction.finish().apply(scene).actor(actor.name).take(take.name)
        for attached, limb in pairs:
            local = []
            for each in (take, edited):
                world = forward(actor.rig, values_at(each, frames), [limb, attached])
                local.append((np.linalg.inv(world[:, 0]) @ world[:, 1])[:, :3, 3])
            metres = np.cbrt(np.abs(np.linalg.det(world[0, 0, :3, :3])))
            assert np.abs(local[1] - local[0]).max() * metres < 1e-4 * size
