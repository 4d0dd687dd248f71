"""Props that are moved, and the hands that hold them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from arcwright import read
from arcwright.arrays import same
from arcwright.characters.biped_carry import HELD, palm
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable
from arcwright.scene.target import Target
from arcwright.server.storage.packing import pack, unpack
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.hold_reach import model_of_reach
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

BOX, BENCH = Point("Box", character="Box"), Point("Bench", character="Bench")
BIPED = Target()
CARRIED = np.arange(4 * HELD[0], 4 * HELD[1] + 1) / 96  # s
ALL = np.arange(0, 4 * 54 + 1) / 96
MIDDLE = 32 / 24


@cache
def carrying():
    return read("biped:carry")


def box_path(scene, times=ALL, point=BOX):
    return trail(scene.actor("Box").takes[0], point, times).position


def palms(scene, times=CARRIED):
    take = scene.characters[0].takes[0]
    return [trail(take, palm(side), times).position for side in ("Left", "Right")]


def begun(scene, target=BIPED, **options):
    return SpacetimeTool().begin(scene, target, SpacetimeOptions(**options))


def moved(scene, by, time=MIDDLE, target=BIPED, **options):
    session = begun(scene, target, **options)
    start = box_path(scene, [time])[0]
    for share in (0.4, 1.0):
        session.update(Drag(BOX, time, position=start + share * np.asarray(by)))
    return session.finish().apply(scene)


def on_box(scene):
    """How far palms leave their first place on the box, and their first distance, m."""
    left, right = palms(scene)
    box = box_path(scene, CARRIED)
    off = [np.linalg.norm(hand - box - (hand - box)[0], axis=1).max() for hand in (left, right)]
    apart = np.linalg.norm(left - right, axis=1)
    return max(off), np.abs(apart - apart[0]).max()


@pytest.mark.parametrize(("around", "up"), [(0.0, 0.0), (1.0, 1.0), (4.0, -0.3)])
def test_both_hands_stay_on_a_box_that_is_moved_40_cm(around, up):
    way = np.array([np.cos(around), up, np.sin(around)])
    after = moved(carrying(), 0.4 * way / np.linalg.norm(way), floating_footplants=True)
    off, apart = on_box(after)
    assert off < 2e-3
    assert apart < 1e-3


def test_a_dragged_box_moves_from_where_it_lies_to_where_it_is_put():
    scene, by = carrying(), np.array([0.2, 0.1, 0.0])
    after = moved(scene, by)
    assert box_path(after) - box_path(scene) == pytest.approx(np.tile(by, (len(ALL), 1)), abs=1e-9)


def test_the_first_resting_place_of_a_box_can_be_moved_alone():
    scene, by = carrying(), np.array([-0.15, 0.0, 0.0])
    after = moved(scene, by, time=4 / 24)
    change = box_path(after) - box_path(scene)
    lies = HELD[0] / 24 - 1e-9 >= ALL
    assert change[lies] == pytest.approx(np.tile(by, (lies.sum(), 1)), abs=1e-9)
    assert on_box(after)[0] < 2e-3
    assert (np.diff(change[:, 0]) >= -1e-9).all()  # it eases back once, without turning round


def test_either_the_character_or_the_prop_can_be_the_target():
    ways = [moved(carrying(), [0.1, 0.1, 0], target=target) for target in (BIPED, Target("Box"))]
    assert same(*(way.props for way in ways))
    assert values_at(ways[0].characters[0].takes[0], ALL) == pytest.approx(
        values_at(ways[1].characters[0].takes[0], ALL), abs=1e-6
    )


def test_preview_shows_the_pose_of_the_target():
    for target, count in ((BIPED, 95), (Target("Box", "carry"), 6)):
        preview = begun(carrying(), target).update(
            Drag(BOX, MIDDLE, position=box_path(carrying(), [MIDDLE])[0] + [0.1, 0, 0])
        )
        assert len(preview.poses[0].values) == count
        assert preview.drag.remaining < 1e-9
        assert preview.drag.position[0] == pytest.approx(box_path(carrying(), [MIDDLE])[0, 0] + 0.1)


def test_a_box_drag_that_does_not_move_gives_an_empty_edit_and_undo_is_exact():
    scene = carrying()
    session = begun(scene)
    start = box_path(scene, [MIDDLE])[0]
    session.update(Drag(BOX, MIDDLE, position=start))
    assert session.finish().empty
    session.update(Drag(BOX, MIDDLE, position=start + [0.1, 0, 0]))
    edit = session.finish()
    assert {change.address[0] for change in edit.changes} == {"props", "characters"}
    history = History(scene).do(edit)
    assert same(history.undo().scene, scene)
    assert same(unpack(pack(edit)), edit)


def test_the_path_of_the_drag_does_not_matter():
    scene = carrying()
    start = box_path(scene, [MIDDLE])[0]
    ends = []
    for way in ([], [[-0.2, 0, 0.1], [0.1, 0.3, 0]]):
        session = begun(scene)
        for by in (*way, [0.15, 0.1, 0.0]):
            session.update(Drag(BOX, MIDDLE, position=start + by))
        ends.append(values_at(session.finish().apply(scene).characters[0].takes[0], ALL))
    assert ends[0] == pytest.approx(ends[1], abs=2e-3)


def test_a_prop_without_a_take_gets_one_key_for_each_channel_that_moves():
    scene = carrying()
    bench = scene.actor("Bench")
    start = np.array(bench.rig.offset[0])
    session = begun(scene)
    session.update(Drag(BENCH, 0.5, position=start + [0.0, 0.0, 0.2]))
    after = session.finish().apply(scene)
    (take,) = after.actor("Bench").takes
    assert take.base.key_count == 1
    assert trail(take, "Bench", [0.0, 1.0, 2.0]).position == pytest.approx(
        np.tile(start + [0, 0, 0.2], (3, 1))
    )
    assert same(after.characters, scene.characters)


def test_a_hand_on_a_prop_without_a_take_moves_with_it():
    scene = carrying()
    leaning = Contact(palm("Left"), 0.0, 0.3, relative_to=BENCH)
    scene = replace(scene, constraints=(*scene.contacts[:4], leaning))
    session = begun(scene)
    start = np.array(scene.actor("Bench").rig.offset[0])
    session.update(Drag(BENCH, 0.1, position=start + [0.05, 0.02, 0.0]))
    after = session.finish().apply(scene)
    times = np.array([0.05, 0.15, 0.25])
    first = palms(scene, np.array([0.0]))[0] + [0.05, 0.02, 0.0]
    assert palms(after, times)[0] == pytest.approx(np.tile(first, (3, 1)), abs=3e-3)


def test_a_box_can_be_rotated_about_the_held_point():
    scene = carrying()
    corner = Point("Box", np.array([0.1, 0.0, 0.1]), "Box")
    at = trail(scene.actor("Box").takes[0], corner, [MIDDLE])
    turned = quaternion_multiply(quaternion_from_vector(np.array([0, 0.3, 0])), at.orientation[0])
    session = begun(scene)
    preview = session.update(Drag(corner, MIDDLE, position=at.position[0], orientation=turned))
    after = session.finish().apply(scene)
    now = trail(after.actor("Box").takes[0], corner, [MIDDLE])
    assert now.position[0] == pytest.approx(at.position[0], abs=1e-6)
    assert abs(now.orientation[0] @ turned) == pytest.approx(1, abs=1e-6)
    assert preview.notes == ()
    left, right = palms(after, np.array([MIDDLE]))
    assert left[0, 2] < right[0, 2] - 0.08


def test_an_edit_within_a_range_leaves_box_and_body_alone_outside():
    scene = carrying()
    after = moved(scene, [0.1, 0, 0], start=0.6, end=2.0)
    outside = ALL[(ALL <= 0.6) | (ALL >= 2.0)]
    assert box_path(after, outside) == pytest.approx(box_path(scene, outside), abs=1e-9)
    assert values_at(after.characters[0].takes[0], outside) == pytest.approx(
        values_at(scene.characters[0].takes[0], outside), abs=1e-9
    )


def test_a_prop_without_translations_is_refused():
    scene = carrying()
    bench = scene.actor("Bench")
    nailed = replace(bench, rig=replace(bench.rig, channels=ChannelTable.of([], [])))
    scene = replace(scene, props=(scene.props[0], nailed))
    with pytest.raises(BadValue, match="translations"):
        begun(scene).update(Drag(BENCH, 0.5, position=np.zeros(3)))


def test_one_of_several_drags_may_hold_the_box():
    scene = carrying()
    head = Point("Head")
    start = box_path(scene, [MIDDLE])[0]
    nod = trail(scene.characters[0].takes[0], head, [1.0]).position[0] + [0.0, -0.03, 0.0]
    session = begun(scene)
    session.update(Drag(BOX, MIDDLE, position=start + [0.1, 0, 0]))
    session.update(Drag(head, 1.0, position=nod))
    after = session.finish().apply(scene)
    assert box_path(after, [MIDDLE])[0] == pytest.approx(start + [0.1, 0, 0])
    assert trail(after.characters[0].takes[0], head, [1.0]).position[0] == pytest.approx(
        nod, abs=1e-3
    )
    assert on_box(after)[0] < 3e-3


def point_at(scene, point):
    return trail(scene.characters[0].takes[0], point, [MIDDLE]).position[0]


@pytest.mark.parametrize("by", [[0.15, 0.0, 0.0], [0.0, 0.15, 0.0]])
def test_arms_alone_move_a_box_within_their_reach(by):
    scene = carrying()
    after = moved(scene, by)
    head, hips = (
        np.linalg.norm(np.subtract(*(point_at(each, point) for each in (after, scene))))
        for point in (Point("Head"), Point("Hips"))
    )
    assert head < 0.03
    assert hips < 0.03


def test_the_stiffness_goes_over_from_arms_first_to_the_whole_body_with_the_reach():
    session = begun(carrying())
    session.update(Drag(BOX, MIDDLE, position=box_path(carrying(), [MIDDLE])[0] + [0, 0.01, 0]))
    (solved,) = session._result.solved.values()
    prepared = solved.prepared
    held = [at for at, each in enumerate(prepared.constraints) if each.carrier is not None]
    models = []
    for far in (-0.15, 0.03, 0.8):
        ahead = np.tile([0.0, 0.0, far], (len(prepared.range.times), 1))
        models.append(model_of_reach(prepared, dict.fromkeys(held, ahead)).stiffness)
    near, between, beyond = (each.blocks for each in models)
    assert near == pytest.approx(prepared.within_reach.blocks)
    assert beyond == pytest.approx(prepared.model.stiffness.blocks)
    assert np.abs(between - near).max() > 0.01 * np.abs(beyond - near).max()
    assert np.abs(between - beyond).max() > 0.01 * np.abs(beyond - near).max()
