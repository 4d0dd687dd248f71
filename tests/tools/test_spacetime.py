import json
from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.cli import main
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.constraint import CoincidentConstraint, Contact, DistanceConstraint, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.model import MAX_ROTATION
from arcwright.tools.spacetime.targets import build_terms
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from builders import rig_of
from chains import MOVE, SPIN, TIP, chain_scene, place, take_of
from spacetime_edits import TOE, dragged, sampled, walking


@pytest.mark.parametrize("form", [lambda scene: scene, sampled], ids=["keys", "samples"])
def test_a_drag_adds_one_layer_and_reaches_its_target(form):
    scene = form(chain_scene())
    after, _ = dragged(scene, TIP, 0.5, [0.2, 0.1, -0.1])
    assert take_of(after).base is take_of(scene).base
    assert len(take_of(after).layers) == 1
    moved = place(after, TIP, 0.5) - place(scene, TIP, 0.5)
    assert moved[0] == pytest.approx([0.2, 0.1, -0.1], abs=1e-3)


def test_a_second_drag_goes_on_top_of_the_first():
    once, _ = dragged(chain_scene(), TIP, 0.5, [0.1, 0, 0])
    twice, _ = dragged(once, TIP, 1.5, [0, 0.1, 0])
    assert len(take_of(twice).layers) == 2
    assert take_of(twice).layers[0] is take_of(once).layers[0]


def test_outside_its_range_the_motion_stays_as_it_is_and_meets_it_with_its_speed():
    scene = chain_scene()
    after, _ = dragged(scene, TIP, 1.0, [0.1, 0.1, 0], start=0.5, end=1.5)
    step = 1e-4
    times = np.array([0.0, 0.5 - step, 0.5, 0.5 + step, 1.5 - step, 1.5, 2.0])
    change = values_at(take_of(after), times) - values_at(take_of(scene), times)
    assert np.abs(change).max() < 1e-6
    assert np.abs(change / step).max() < 1e-2


def test_a_dragged_footplant_moves_for_all_of_its_time():
    scene = walking()
    scene = replace(
        scene, constraints=(Contact(TOE, 0.64, 0.96), Contact(Point("LeftToes"), 0.16, 0.44))
    )
    after, preview = dragged(scene, TOE, 0.8, [0, 0, 0.1], knot_spacing=0.08)
    hand = place(scene, TOE, 0.8)[0] + [0, 0, 0.1]
    planted = place(after, TOE, np.linspace(0.66, 0.94, 8))
    assert np.linalg.norm(planted - hand, axis=1).max() < 4e-3
    other = np.linspace(0.18, 0.42, 7)
    kept = place(after, Point("LeftToes"), other)
    assert np.linalg.norm(kept - kept.mean(axis=0), axis=1).max() < 4e-3
    assert preview.drag.remaining < 1e-3


def test_a_pin_keeps_the_path_of_its_point():
    scene = walking()
    scene = replace(scene, constraints=(*scene.constraints, Pin(Point("Head"), 0, 1)))
    times = np.linspace(0.1, 0.9, 9)
    before = place(scene, Point("Head"), times)
    after, _ = dragged(scene, Point("LeftHand"), 0.5, [0, 0.1, 0.1], detect_footplants=False)
    slip = np.linalg.norm(place(after, Point("Head"), times) - before, axis=1).max()
    free, _ = dragged(
        walking(),
        Point("LeftHand"),
        0.5,
        [0, 0.1, 0.1],
        detect_footplants=False,
    )
    assert slip < 1e-3
    assert slip < np.linalg.norm(place(free, Point("Head"), times) - before, axis=1).max()


def test_floating_footplants_follow_a_drag_without_sliding():
    scene = replace(walking(), constraints=(Contact(TOE, 0.64, 0.96),))
    ways = []
    for floating in (True, False):
        after, _ = dragged(scene, Point("Hips"), 0.8, [0.3, 0, 0], floating_footplants=floating)
        path = place(after, TOE, np.linspace(0.66, 0.94, 8))
        assert np.linalg.norm(path - path.mean(axis=0), axis=1).max() < 6e-3
        ways.append(np.linalg.norm(path.mean(axis=0) - place(scene, TOE, 0.8)[0]))
    assert ways[0] > ways[1] + 0.02


def test_footplants_may_start_without_easing_where_ends_are_locked():
    scene = replace(walking(), constraints=(Contact(TOE, 0.64, 0.96),))
    by = [0.05, 0, 0]
    after, _ = dragged(scene, TOE, 0.8, by, contact_ease=0.0, lock_ends=True)
    moved = place(after, TOE, np.linspace(0.66, 0.94, 8)) - place(scene, TOE, 0.8)
    assert np.abs(moved - by).max() < 1e-2  # ends that stay leave the foot no time to get there


def test_a_footplant_between_two_frames_cannot_float():
    scene = replace(walking(), constraints=(Contact(TOE, 0.6401, 0.6402),))
    after, preview = dragged(
        scene, Point("Hips"), 0.8, [0.05, 0, 0], contact_ease=0.0, floating_footplants=True
    )
    assert len(take_of(after).layers) == 1
    assert preview.drag.remaining < 1e-3


def test_a_drag_that_is_off_only_across_its_axes_changes_nothing():
    scene = walking()
    hips = place(scene, Point("Hips"), 0.5)[0]
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    session.update(
        Drag(Point("Hips"), 0.5, position=hips + [0.3, 0, 0], axes=np.array([[0.0, 1, 0]]))
    )
    assert session.finish().empty


def test_a_forked_session_keeps_its_result_while_the_drag_goes_on():
    root = chain_scene().characters[0].rig.names[0]
    scene = replace(chain_scene(), constraints=(Pin(Point(root), 0, 1),))
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    start = place(scene, TIP, 0.5)[0]
    session.update(Drag(TIP, 0.5, position=start + [9, 0, 0]))
    aside = session.fork()
    session.update(Drag(TIP, 0.5, position=start + [0.01, 0, 0]))
    fresh = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    fresh.update(Drag(TIP, 0.5, position=start + [9, 0, 0]))
    assert [note.text for note in aside.notes()] == [note.text for note in fresh.notes()]
    assert aside.notes()
    assert session.notes() == ()


def test_notes_name_the_footplant_that_blocks_a_drag():
    scene = replace(walking(), constraints=(Contact(TOE, 0.64, 0.96),))
    _, preview = dragged(scene, Point("Hips"), 0.8, [0, 0.6, 0])
    blocker = preview.notes[0].blocker
    assert blocker in ("RightToes contact", "RightToes ground")  # both hold the foot down
    assert preview.notes[0].text.startswith(f"{blocker} keeps Hips")


def test_two_points_keep_their_distance():
    scene = walking()
    hands = Point("LeftHand"), Point("RightHand")
    times = np.linspace(0.1, 0.9, 9)

    def apart(scene):
        return np.linalg.norm(place(scene, hands[0], times) - place(scene, hands[1], times), axis=1)

    after, _ = dragged(
        scene, hands[0], 0.5, [0.1, 0.2, 0.1], more=(DistanceConstraint(*hands, 0, 1),)
    )
    assert apart(after) == pytest.approx(apart(scene), abs=2e-3)


def test_a_point_meets_one_position_at_two_times():
    scene = chain_scene()
    gap = np.diff(place(scene, TIP, [0.5, 1.5]), axis=0)
    after, _ = dragged(
        scene, Point("joint1"), 1.0, [0.05, 0, 0], more=(CoincidentConstraint(TIP, 0.5, 1.5),)
    )
    left = np.diff(place(after, TIP, [0.5, 1.5]), axis=0)
    assert np.linalg.norm(left) < 0.01 * np.linalg.norm(gap)


def test_feet_stay_above_their_lowest_height():
    scene = walking()
    times = np.linspace(0, 1, 49)
    lowest = place(scene, TOE, times)[:, 1].min()
    sunk, _ = dragged(scene, Point("Hips"), 0.5, [0, -0.15, 0], detect_footplants=False)
    kept, _ = dragged(
        scene, Point("Hips"), 0.5, [0, -0.15, 0], detect_footplants=False, floor_limit=True
    )
    assert place(sunk, TOE, times)[:, 1].min() < lowest - 0.02
    assert place(kept, TOE, times)[:, 1].min() > lowest - 2e-3


def test_joint_limits_hold_while_other_joints_move():
    scene = chain_scene()
    by, times = [-0.8, -0.4, 0.0], np.linspace(0, 2, 49)
    free, _ = dragged(scene, TIP, 0.5, by)
    actor, table = scene.characters[0], scene.characters[0].rig.channels
    most = values_at(take_of(scene), times).max(axis=0)
    rise = values_at(take_of(free), times).max(axis=0) - most
    bent = 3 + int(np.argmax(rise[3:]))  # the first three slide
    high = table.high.copy()
    high[bent] = most[bent] + 0.3 * rise[bent]
    rig = replace(actor.rig, channels=replace(table, high=high))
    limited = replace(scene, characters=(replace(actor, rig=rig),))
    kept, preview = dragged(limited, TIP, 0.5, by)
    assert rise[bent] > 0.05
    assert values_at(take_of(kept), times)[:, bent].max() < high[bent] + 0.005
    assert preview.drag.remaining < 1e-3


def test_the_whole_body_takes_part_only_with_its_option():
    scene = replace(walking(), constraints=(Contact(TOE, 0.64, 0.96),))
    arm = scene.characters[0].rig.joint("LeftUpperArm")
    for whole in (False, True):
        after, _ = dragged(scene, TOE, 0.8, [0.1, 0, 0], whole_body=whole)
        assert (arm in take_of(after).layers[0].joints) == whole


def test_the_gradient_of_the_cost_matches_finite_differences():
    scene = replace(chain_scene(), constraints=(Contact(Point("joint2"), 0.4, 1.2),))
    options = SpacetimeOptions(floating_footplants=True)
    more = (DistanceConstraint(Point("joint1"), TIP, 0.2, 1.8, 1.0),)
    session = SpacetimeTool().begin(scene, Target(), options, more)
    drag = Drag(TIP, 0.5, position=place(scene, TIP, 0.5)[0] + [0.03, 0, 0])
    session.update(drag)
    (prepared,), drags = session._prepared.values(), list(session._drags.values())
    model = prepared.model.with_terms(*build_terms(prepared, drags))
    random = np.random.default_rng(0)
    x, offsets = (0.1 * random.normal(size=part.shape) for part in model.zero())
    system = model.normal_equations(model.evaluate(x, offsets))
    way, on = random.normal(size=x.shape), random.normal(size=offsets.shape)
    step = 1e-6
    ahead, behind = (model.evaluate(x + s * way, offsets + s * on).cost for s in (step, -step))
    slope = -float((system.slope * way).sum() + system.further_slope @ on)
    assert slope == pytest.approx((ahead - behind) / (2 * step), rel=1e-5)


def test_no_step_winds_a_limb_around():
    scene, hand = read("biped:walk"), Point("LeftHand")
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    session.update(Drag(hand, 0.5, position=place(scene, hand, 0.5)[0] + [0, 3.0, 0]))
    (solved,) = session._result.solved.values()
    start = solved.model.evaluate(*solved.model.zero())
    after, predicted = solved.model.damped_step(start, 0.0)
    turned = np.abs(after.x - start.x)[:, : solved.model.unknowns.rotation_count]
    assert turned.max() == pytest.approx(MAX_ROTATION)
    assert 0 < predicted < start.cost


def test_a_drag_outside_the_range_is_refused():
    session = SpacetimeTool().begin(chain_scene(), Target(), SpacetimeOptions(start=0.5, end=1.0))
    with pytest.raises(BadValue, match="within the range"):
        session.update(Drag(TIP, 1.7, position=np.zeros(3)))


def test_a_drag_with_only_a_time_scale_is_refused():
    session = SpacetimeTool().begin(chain_scene(), Target(), SpacetimeOptions())
    with pytest.raises(BadValue, match="a place or an orientation"):
        session.update(Drag(TIP, 0.5, time_scale=0.5))


def test_a_rig_without_feet_has_no_footplants():
    rig = rig_of([-1, 0], [(0, MOVE + SPIN), (1, SPIN)])
    assert rig.names == ("joint0", "joint1")
    session = SpacetimeTool().begin(chain_scene(), Target(), SpacetimeOptions())
    assert [each.constraints for each in session.characters.values()] == [()]


def test_the_command_line_lists_footplants(capsys):
    assert main(["detect", "biped:walk", "--json"]) == 0
    footplants = json.loads(capsys.readouterr().out)["footplants"]
    toes = {footplant["joint"] for footplant in footplants if footplant["part"] == "toe"}
    assert toes == {"LeftToes", "RightToes"}
    assert all(footplant["first"] < footplant["last"] for footplant in footplants)
    assert all(footplant["slide"] < 0.02 for footplant in footplants)
