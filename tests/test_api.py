"""The public interface for scripts: one call per edit, or an interaction step by step."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright import Contact, FlightConstraint, Pin, Point, Setting, same
from arcwright.errors import BadValue, UnknownName
from arcwright.tools.catalogue import TOOLS
from builders import arm_constraints, arm_scene
from take_tools import TAKE_TOOLS

FRAME, TIME = 10, 10 / 24  # between two keys
BY = (0.0, 0.03, 0.02)
FEET = ["LeftFoot", "RightFoot"]
DRAGGED = [tool.name for tool in TAKE_TOOLS]
EACH_TOOL = pytest.mark.parametrize("name", DRAGGED)


@pytest.fixture(scope="module")
def walk():
    return arcwright.read("biped:walk")


def hand(scene, time=TIME):
    return arcwright.trail(scene.characters[0].takes[0], "LeftHand", [time]).position[0]


@EACH_TOOL
def test_drag_is_begin_update_and_finish(walk, name):
    given = {"frame": FRAME, "by": BY}
    edit = arcwright.drag(walk, "LeftHand", tool=name, pins=["RightHand"], **given)
    interaction = arcwright.begin(name, walk, take="walk", pins=["RightHand"])
    preview = interaction.update(arcwright.make_drag(walk, "LeftHand", **given))
    assert same(edit, interaction.finish())
    assert preview.drag.remaining < 0.01
    assert all(isinstance(note, arcwright.Note) for note in interaction.notes())


@EACH_TOOL
def test_a_drag_moves_the_point_and_is_undone_exactly(walk, name):
    edit = arcwright.drag(walk, "LeftHand", time=TIME, by=BY, tool=name)
    after = edit.apply(walk)
    assert np.allclose(hand(after) - hand(walk), BY, atol=2e-3)
    assert same(edit.inverse().apply(after), walk)


def test_a_drag_goes_to_a_position_or_by_a_rotation(walk):
    at = hand(walk) + np.array(BY)
    ways = {"time": TIME, "tool": "pose"}
    assert same(
        arcwright.drag(walk, "LeftHand", by=BY, **ways),
        arcwright.drag(walk, Point("LeftHand"), to=at, **ways),
    )
    turned = arcwright.make_drag(walk, "Head", frame=12, turn=(0, 0.3, 0))
    assert turned.position is None
    assert arcwright.drag(walk, "Head", frame=12, turn=(0, 0.3, 0), tool="pose").changes


def test_time_scale_and_axes_are_those_of_the_gesture(walk):
    made = arcwright.make_drag(walk, "LeftHand", frame=6, by=BY, axes=(0, 1, 0), time_scale=0.2)
    assert made.axes.shape == (1, 3)
    assert (made.time, made.time_scale) == (0.25, 0.2)


def test_several_points_are_dragged_in_one_interaction(walk):
    interaction = arcwright.begin("pose", walk)
    for side in ("Left", "Right"):
        interaction.update(arcwright.make_drag(walk, f"{side}Hand", frame=FRAME, by=(0, 0.05, 0)))
    after = interaction.finish().apply(walk)
    assert hand(after)[1] - hand(walk)[1] == pytest.approx(0.05, abs=1e-3)


def test_options_change_during_an_interaction(walk):
    made = arcwright.make_drag(walk, "LeftHand", frame=12, by=BY)
    interaction = arcwright.begin("tangent", walk)
    interaction.update(made)
    interaction.update(Setting(replace(interaction.options, time_reach=2)))
    assert same(
        interaction.finish(), arcwright.drag(walk, "LeftHand", frame=12, by=BY, time_reach=2)
    )


def test_pins_hold_during_a_drag_and_do_not_become_part_of_the_scene(walk):
    given = {"frame": 12, "by": (0, -0.08, 0), "tool": "pose", "plant_feet": False}

    def slipped(**more):
        after = arcwright.drag(walk, "Hips", **given, **more).apply(walk)
        assert (after.pins, after.contacts) == (walk.pins, walk.contacts)
        was, now = (
            arcwright.trail(scene.characters[0].takes[0], "LeftFoot", [0.5]).position[0]
            for scene in (walk, after)
        )
        return np.linalg.norm(now - was)

    assert slipped(pins=FEET) < 1e-3
    assert slipped(pins=[Pin(Point("LeftFoot"), 0.4, 0.6)]) < 1e-3
    assert slipped(constraints=[Contact(Point("LeftFoot"), 0.4, 0.6)]) < 1e-3


def test_constraints_are_solved_without_a_drag():
    scene = replace(arcwright.read("biped:jump"), constraints=())
    solved = arcwright.solve_constraints(scene, constraints=[FlightConstraint(15 / 24, 25 / 24)])
    assert solved.edit.apply(scene)
    with pytest.raises(BadValue, match="solves constraints"):
        arcwright.solve_constraints(scene, tool="pose")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"point": "LeftHnd"}, "no joint named 'LeftHnd'; there is LeftHand"),
        ({"tool": "tangents"}, "no tool named 'tangents'; there is tangent"),
        ({"take": "wlk"}, "no take named 'wlk'; there is walk"),
        ({"character": "bipod"}, "no character named 'bipod'; there is biped"),
        ({"pins": ["LeftFot"]}, "no joint named 'LeftFot'; there is LeftFoot"),
        ({"reach": 2}, "no option named 'reach'; there is time_reach"),
    ],
)
def test_bad_names_are_answered_with_similar_ones(walk, given, said):
    given = {"point": "LeftHand", "frame": 12, "by": BY, **given}
    with pytest.raises(UnknownName, match=said):
        arcwright.drag(walk, **given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "a frame or a time, got neither"),
        ({"frame": 1, "time": 1}, "a frame or a time, got both"),
        ({"frame": 1}, "by, to, turn, time_scale, to_frame or scale"),
        ({"frame": 1, "by": BY, "to": BY}, "by or to, got both"),
        ({"frame": 1, "by": (0, 1)}, "by"),
        ({"frame": 1, "by": BY, "time_reach": 99}, "time_reach: expected a whole number, 0 to 8"),
        ({"frame": 1, "by": BY, "constraints": ["LeftFoot"]}, "constraints"),
    ],
)
def test_bad_drags_are_refused(walk, given, said):
    with pytest.raises(BadValue, match=said):
        arcwright.drag(walk, "LeftHand", **given)


def test_a_prop_is_dragged_by_its_name():
    scene = arcwright.read("biped:carry")
    box = Point("Box", character="Box")
    edit = arcwright.drag(scene, box, frame=32, by=(0.2, 0, 0), tool="spacetime")
    assert "Box" in edit.summary(scene)


def test_the_names_of_tools_are_those_of_the_catalogue():
    assert arcwright.tool_names() == tuple(tool.name for tool in TOOLS)
    assert arcwright.find_tool("pose") is TOOLS[0]


def test_tools_are_loaded_when_they_are_used():
    loaded = "any(name.startswith('arcwright.tools') for name in sys.modules)"
    script = f"import sys, arcwright; print({loaded}); arcwright.drag; print({loaded})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"]
    assert set(arcwright.__all__) <= set(dir(arcwright))
    assert not hasattr(arcwright, "drags")


def test_a_scene_shows_actors_takes_and_constraints_in_one_line(walk):
    shown = repr(walk)
    assert "biped with 1 take (walk 1 s)" in shown
    assert "\n" not in shown
    scene = replace(arm_scene(), constraints=arm_constraints())
    assert "1 distance, 1 coincident, " in repr(scene)
    assert repr(arcwright.Scene("none")) == "<Scene 'none': empty>"
    assert repr(walk.characters[0]).endswith("channels, 1 take (walk 1 s)>")


def test_an_edit_says_what_it_changes(walk):
    edit = arcwright.drag(walk, "LeftHand", frame=13, by=BY, tool="pose")
    label, take = edit.summary(walk).splitlines()
    assert label == edit.label
    assert take.startswith("  biped, take walk: ")
    count = len(edit.changes)
    assert f"{count} channels (" in take
    assert "keys " in take
    assert f"character 1, take 1: {count} channels, keys" in repr(edit)
    assert repr(arcwright.Edit("nothing")) == "<Edit nothing; changes nothing>"
    spacetime = arcwright.drag(walk, "LeftHand", frame=13, by=BY, tool="spacetime")
    assert "layers 0 → 1" in spacetime.summary(walk)


def test_every_edit_can_be_summarised(walk):
    from arcwright.edits import constraints, limits, takes

    knee = walk.characters[0].rig.channel("LeftLowerLeg.rotate.x")
    pin = Pin(Point("LeftHand"), 0, 1)
    edits = {
        "constraints 0 → 1": constraints.add_constraint(replace(walk, constraints=()), pin),
        "biped: takes 1 → 2": takes.copy_take(walk, "", "walk", "limp"),
        "biped: rig channels changed": limits.set_limits(walk, "", knee, 0.0, 2.4),
        "153 keys → ": takes.fit_take(walk, "", "walk", 0.02),
    }
    for said, edit in edits.items():
        assert said in edit.summary(walk)
