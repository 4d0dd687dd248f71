"""Constraints as gesture files write them."""

import numpy as np
import pytest

from arcwright import read
from arcwright.errors import BadValue
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay
from arcwright.tools.spacetime.constraint_parser import parse_constraint

WRITTEN = {
    "apart": {"point": {"joint": "A"}, "other": {"joint": "B"}, "frames": [0, 24], "size": 0.4},
    "meet": {"point": {"joint": "A"}, "frames": [0, 24]},
    "path": {"point": {"joint": "A"}, "frames": [0, 9, 24], "places": [[0, 0, 0]] * 3},
    "turn": {"point": {"joint": "A"}, "frames": [0, 24], "turn": [0, 1, 0]},
    "stay": {"point": {"joint": "A"}, "frames": [0, 24], "ball": {"middle": [0] * 3, "radius": 1}},
    "floor": {"frames": [0, 24], "height": 0.05},
    "balance": {"frames": [0, 24], "around": 0.1},
    "flight": {"frames": [0, 24], "gravity": 1.6},
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_kind_of_constraint_can_be_parsed(kind):
    constraint = parse_constraint({"kind": kind, **WRITTEN[kind]}, 24.0, "wishes[0]")
    assert constraint.end == 1.0


@pytest.mark.parametrize(
    "region",
    [
        {"half_space": {"place": [0, 0, 0], "normal": [0, 1, 0]}},
        {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}},
        {"cylinder": {"start": [0, 0, 0], "end": [0, 1, 0], "radius": 0.2}},
    ],
    ids=lambda region: next(iter(region)),
)
def test_every_region_can_be_parsed(region):
    given = {"kind": "stay", "point": {"joint": "A"}, "frames": [0, 24], "inside": True, **region}
    assert parse_constraint(given, 24.0, "wishes[0]").inside


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"kind": "fly"}, "wishes\\[0\\].kind"),
        ({"kind": "meet", "frames": [0, 1], "point": {}}, "joint"),
        ({"kind": "meet", "point": {"joint": "A"}}, "frames"),
        ({"kind": "meet", "point": {"joint": "A"}, "frames": [0]}, "first and last"),
        ({"kind": "path", "point": {"joint": "A"}, "frames": []}, "first and last"),
        ({"kind": "stay", "point": {"joint": "A"}, "frames": [0, 1]}, "one of half_space"),
        (
            {"kind": "stay", "point": {"joint": "A"}, "frames": [0, 1], "ball": {"radius": 1}},
            "middle",
        ),
        ({"kind": "balance", "frames": [0, 1], "wide": 1}, "any of"),
        ({"kind": ["meet"]}, "wishes\\[0\\].kind"),
        ({"kind": "balance", "frames": [9, 1]}, "after start"),
        ({"kind": "balance", "frames": [0, 1], "around": -1}, "0 or more"),
        ({"kind": "flight", "frames": [0, 1], "gravity": np.inf}, "gravity"),
        (
            {
                "kind": "apart",
                "point": {"joint": "A"},
                "other": {"joint": "B"},
                "frames": [0, 1],
                "size": -1,
            },
            "0 or more",
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
        parse_constraint(given, 24.0, "wishes[0]")


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
