"""Constraints as gesture files write them."""

import numpy as np
import pytest

from arcwright import read, same
from arcwright.errors import BadValue
from arcwright.scene.constraint import KINDS
from arcwright.scene.constraint_values import constraint_values
from arcwright.tools.replay.constraint_parser import parse_constraint
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay

A, B = {"joint": "A"}, {"joint": "B"}
SPAN = {"frames": [0, 24]}
ON_A = {"point": A, **SPAN}
SPHERE = {"shape": "sphere", "center": [0, 0, 0], "radius": 1}
WRITTEN = {
    "pin": {**ON_A, "orientation": True},
    "contact": {**ON_A, "relative_to": B},
    "distance": {**ON_A, "other": B, "distance": 0.4},
    "coincident": ON_A,
    "path": {"point": A, "frames": [0, 9, 24], "positions": [[0, 0, 0]] * 3},
    "orientation": {**ON_A, "orientation": [0.6, 0, 0.8, 0]},
    "region": {**ON_A, "region": SPHERE, "inside": True},
    "floor": {**SPAN, "height": 0.05},
    "balance": {**SPAN, "margin": 0.1},
    "flight": {**SPAN, "gravity": 1.6},
    "hinge": {**ON_A, "axis": [1, 0, 0], "low": -0.1, "high": 2.5},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_constraint_can_be_parsed(kind):
    given = {"kind": kind, **WRITTEN[kind]}
    constraint = parse_constraint(given, 24.0, "constraints[0]", "walk")
    assert (constraint.kind, constraint.end, constraint.take) == (kind, 1.0, "walk")
    plain = constraint_values(constraint)
    for name in WRITTEN[kind].keys() - {"frames", "point", "other", "relative_to"}:
        assert plain[name] == WRITTEN[kind][name]


OLD = {
    "apart": ("distance", {**ON_A, "other": B, "size": 0.4}, {"distance": 0.4}),
    "meet": ("coincident", {"point": A, "frames": [24, 0]}, {"start": 0.0, "end": 1.0}),
    "path": (
        "path",
        {"point": A, "frames": [0, 9, 24], "places": [[0, 0, 0]] * 3},
        {"positions": [[0, 0, 0]] * 3},
    ),
    "turn": ("orientation", {**ON_A, "turn": [0, np.pi, 0]}, {}),
    "stay": ("region", {**ON_A, "ball": {"middle": [0] * 3, "radius": 1}}, {"region": SPHERE}),
    "balance": ("balance", {**SPAN, "around": 0.1}, {"margin": 0.1}),
}


@pytest.mark.parametrize("old", OLD)
def test_names_of_earlier_versions_are_accepted(old):
    kind, given, expected = OLD[old]
    constraint = parse_constraint({"kind": old, **given}, 24.0, "constraints[0]")
    assert constraint.kind == kind
    plain = constraint_values(constraint)
    assert {name: plain[name] for name in expected} == expected
    if kind == "orientation":
        assert plain["orientation"] == pytest.approx([0, 0, 1, 0])


@pytest.mark.parametrize(
    "region",
    [
        {"half_space": {"place": [0, 0, 0], "normal": [0, 1, 0]}},
        {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}},
        {"cylinder": {"start": [0, 0, 0], "end": [0, 1, 0], "radius": 0.2}},
    ],
    ids=lambda region: next(iter(region)),
)
def test_regions_of_earlier_versions_are_accepted(region):
    ((shape, fields),) = region.items()
    now = {{"place": "position"}.get(name, name): value for name, value in fields.items()}
    old = parse_constraint({"kind": "stay", **ON_A, "inside": True, **region}, 24.0, "here")
    new = {"kind": "region", **ON_A, "inside": True, "region": {"shape": shape, **now}}
    assert same(old, parse_constraint(new, 24.0, "here"))


def test_lists_of_pins_and_contacts_of_earlier_versions_are_accepted():
    pin, contact = {"point": A, "frames": [0, 9]}, {"point": B, "frames": [3, 5]}
    old = parse_gesture_file({"pins": [pin], "contacts": [contact]})
    named = [{"kind": "pin", **pin}, {"kind": "contact", **contact}]
    new = parse_gesture_file({"constraints": named})
    assert [each for _, each in old.constraints] == [each for _, each in new.constraints]
    assert [where for where, _ in old.constraints] == ["pins[0]", "contacts[0]"]


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"kind": "fly"}, "constraints\\[0\\].kind"),
        ({"kind": "meet", "frames": [0, 1], "point": {}}, "joint"),
        ({"kind": "meet", "point": {"joint": "A"}}, "frames"),
        ({"kind": "meet", "point": {"joint": "A"}, "frames": [0]}, "first and last"),
        ({"kind": "path", "point": {"joint": "A"}, "frames": []}, "positions"),
        ({"kind": "stay", "point": {"joint": "A"}, "frames": [0, 1]}, "one of half_space"),
        (
            {"kind": "stay", "point": {"joint": "A"}, "frames": [0, 1], "ball": {"radius": 1}},
            "center",
        ),
        ({"kind": "balance", "frames": [0, 1], "wide": 1}, "any of"),
        ({"kind": ["meet"]}, "constraints\\[0\\].kind"),
        ({"kind": "balance", "frames": [9, 1]}, "after start"),
        ({"kind": "balance", "frames": [0, 1], "around": -1}, "0 to 1e"),
        ({"kind": "flight", "frames": [0, 1], "gravity": np.inf}, "gravity"),
        (
            {
                "kind": "apart",
                "point": {"joint": "A"},
                "other": {"joint": "B"},
                "frames": [0, 1],
                "size": -1,
            },
            "0 to 1e",
        ),
        (
            {
                "kind": "stay",
                "point": {"joint": "A"},
                "frames": [0, 1],
                "inside": "no",
                "ball": {"middle": [0, 0, 0], "radius": 1},
            },
            "true or false",
        ),
    ],
)
def test_errors_name_the_place_of_a_bad_constraint(given, where):
    with pytest.raises(BadValue, match=where):
        parse_constraint(given, 24.0, "constraints[0]")


def test_other_tools_refuse_constraints():
    case = parse_gesture_file(
        {
            "scene": "biped:walk",
            "tool": "pose",
            "constraints": [{"kind": "balance", "frames": [0, 24]}],
            "drags": [{"point": {"joint": "Hips"}, "frame": 8, "by": [0, 0.01, 0]}],
        }
    )
    with pytest.raises(BadValue, match="spacetime"):
        replay(case, read("biped:walk"))
