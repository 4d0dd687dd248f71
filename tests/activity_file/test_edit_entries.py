"""Edits of an activity file: parsed, in the activity's order of time, and only what is allowed."""

import numpy as np
import pytest

from arcwright.activity_file import (
    ElementEdit,
    EventRetime,
    ObjectEdit,
    Swap,
    activity_json,
    parse_activity,
)
from arcwright.arrays import same
from arcwright.errors import BadValue
from tea import tea, tea_scene


def parsed(*edits):
    given = activity_json(tea_scene(), tea())
    given["events"].reverse()  # numbers are those of the file
    return parse_activity(given | {"edits": list(edits)}, tea_scene()).edits


def test_edits_of_every_form_are_parsed():
    found = parsed(
        {"event": "pour", "element": "pot.spout", "by": [0, 0.1, 0], "rotate": [0, 0, 90]},
        {"event": 2, "element": "Hand", "to": [1, 2, 3]},
        {"object": "cup", "by": [0.1, 0, 0], "scale": 2},
        {"object": "cup", "event": "pour", "scale": [1, 2, 1]},
        {"swap": "pot", "file": "jug.glb", "anchors": {"spout": [0.1, 0, 0]}},
        {"swap": "cup", "file": "mug.glb"},
        {"event": "pour", "frame": 14},
        {"event": 0, "frame": 20.5},
    )
    quarter = np.array([0, 0, np.pi / 2])
    expected = (
        ElementEdit(1, "pot.spout", by=[0, 0.1, 0], rotation=quarter),
        ElementEdit(0, "Hand", to=[1, 2, 3]),
        ObjectEdit("cup", by=[0.1, 0, 0], scale=[2, 2, 2]),
        ObjectEdit("cup", 1, scale=[1, 2, 1]),
        Swap("pot", "jug.glb", ("spout",), [[0.1, 0, 0]]),
        Swap("cup", "mug.glb"),
        EventRetime(1, 14 / 24),
        EventRetime(2, 20.5 / 24),
    )
    assert same(found, expected)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ([], r"edits\[0\]: expected a JSON object, got list"),
        ({}, r"edits\[0\]: expected an edit of an element, .*, got only nothing"),
        ({"event": "pour"}, r"edits\[0\]: expected an edit of an element, .*, got only event"),
        (
            {"event": "pour", "elment": "cup", "by": [0, 0, 0]},
            r"edits\[0\]: expected any of .*by, element, .*, got elment",
        ),
        ({"event": "pour", "element": "pot", "frame": 3}, "any of by, element, .*, got frame"),
        ({"event": "pour", "element": "pot"}, r"edits\[0\]: expected to, by or rotate, got none"),
        ({"event": "pour", "element": "pot", "scale": 2}, "any of by, element, .*, got scale"),
        ({"element": "pot", "by": [0, 0, 0]}, r"event: expected the name or number of an event"),
        ({"event": None, "element": "pot", "by": [0, 0, 0]}, "event: .*, got NoneType"),
        ({"event": True, "element": "pot", "by": [0, 0, 0]}, "event: .*, got bool"),
        (
            {"event": "drink", "frame": 3},
            r"edits\[0\].event: expected one of pour, lift, got 'drink'",
        ),
        ({"event": "", "frame": 3}, r"edits\[0\].event: expected one of pour, lift, got ''"),
        ({"event": 3, "frame": 3}, r"edits\[0\].event: expected 0 to 2, got 3"),
        ({"event": -1, "frame": 3}, r"edits\[0\].event: expected 0 to 2, got -1"),
        ({"event": "pour", "frame": -3}, r"edits\[0\].frame: expected 0 or more, got -3"),
        ({"event": "pour", "frame": float("nan")}, r"edits\[0\].frame: expected a finite number"),
        (
            {"event": "pour", "element": "Hand", "by": [0, 0, 0]},
            r"edits\[0\].element: expected an element movable at this event: cup, pot, got Hand",
        ),
        (
            {"event": "pour", "element": "spoon", "by": [0, 0, 0]},
            r"edits\[0\].element: expected one",
        ),
        (
            {"event": "pour", "element": "pot", "by": [0, 0]},
            r"edits\[0\].by: expected three numbers",
        ),
        (
            {"event": "pour", "element": "pot", "by": [0, 0, 0], "to": [0, 0, 0]},
            r"edits\[0\]: expected to or by, got both",
        ),
        (
            {"event": "pour", "element": "pot", "rotate": 90},
            r"edits\[0\].rotate: expected three numbers \[x, y, z\], got int",
        ),
        ({"object": "cup"}, r"edits\[0\]: expected to, by, rotate or scale, got none"),
        (
            {"object": "Hand", "scale": 2},
            r"edits\[0\].object: expected an object: pot, cup, got 'Hand'",
        ),
        (
            {"object": "pot.spout", "by": [0, 0, 0]},
            "an object, without its anchors, got 'pot.spout'",
        ),
        (
            {"object": "pot", "scale": 2},
            r"edits\[0\].object: expected an element scalable at any event: cup, got pot",
        ),
        (
            {"object": "cup", "event": "lift", "by": [0, 0, 0]},
            r"object: expected an element movable at this event: Hand, pot, got cup",
        ),
        ({"object": "cup", "scale": 0}, r"edits\[0\].scale: expected above 0"),
        ({"object": "cup", "scale": [1, -1, 1]}, r"edits\[0\].scale: expected above 0"),
        ({"object": "cup", "scale": "big"}, r"edits\[0\].scale: expected a number, got str"),
        ({"swap": "pot"}, r"edits\[0\].file: expected a name, got none"),
        ({"swap": "pot", "file": 3}, r"edits\[0\].file: expected text, got int"),
        ({"swap": "pot", "file": "a.glb", "anchors": [1]}, r"anchors: expected a JSON object"),
    ],
)
def test_a_fault_is_named_with_its_place(edit, said):
    with pytest.raises(BadValue, match=said):
        parsed(edit)


def test_what_no_event_lets_be_replaced_is_not_swapped():
    given = {"objects": [{"objectName": "cup", "isModifiable": True}], "events": [{"keyframe": 1}]}
    edits = [{"swap": "cup", "file": "mug.glb"}]
    with pytest.raises(
        BadValue, match=r"swap: expected an element replaceable at this event: none"
    ):
        parse_activity(given | {"edits": edits}, tea_scene())
