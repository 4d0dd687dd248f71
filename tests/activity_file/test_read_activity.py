"""Activity files: the published form as it is, keys beyond it, and errors that name their place."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given

from arcwright.activity_file import activity_json, parse_activity, read_activity
from arcwright.arrays import same
from arcwright.edits.activities import checked
from arcwright.errors import ArcwrightError, BadFile, BadValue, UnknownName
from arcwright.files import arc
from arcwright.open import read
from arcwright.scene.activity import Pair
from arcwright.scene.scene import Prop
from builders import rig_of
from random_cases import examples
from random_scenes import random_scene, seeds
from tea import tea, tea_scene


@pytest.fixture(scope="module")
def kitchen():
    """A biped that walks, a pot whose joints mark spout and handle, and a cup."""
    scene = read("biped:walk")
    rig = replace(rig_of([-1, 0, 0], []), names=("pot", "Spout", "handle"))
    rig = replace(rig, offset=[[1, 2, 3], [0.2, 0.1, 0], [-0.2, 0, 0]])
    cup = replace(rig_of([-1], []), names=("cup",))
    return replace(scene, props=(Prop("pot", rig), Prop("cup", cup)))


def listing():
    """Tea in the published form, without any other key."""
    return {
        "objects": [
            {
                "objectName": "pot",
                "offsetName": "Spout",
                "isModifiable": True,
                "isReplaceable": True,
            },
            {"objectName": "cup", "offsetName": "", "isModifiable": True, "isReplaceable": False},
        ],
        "effectors": [{"effectorName": "Right_Hand"}, {"effectorName": "pelvis"}],
        "events": [
            {
                "keyframe": 0,
                "modifiableEffectors": ["right hand"],
                "constraints": [],
                "lookAt": "pot",
            },
            {
                "keyframe": 12,
                "modifiableEffectors": [],
                "constraints": [
                    {"constrainedElement": "RightHand", "constrainingElement": "pot"},
                    {"constrainedElement": "pot", "constrainingElement": "cup"},
                ],
                "lookAt": "cup",
            },
        ],
    }


def test_the_published_form_is_read_as_it_is(kitchen):
    found = parse_activity(listing(), kitchen, name="tea")
    activity = found.activity
    assert (activity.name, activity.character, activity.take) == ("tea", "biped", "walk")
    assert activity.element_names == ("Right_Hand", "pelvis", "pot", "cup")
    hand, pelvis = activity.effectors
    assert (hand.point.joint, pelvis.point.joint) == ("RightHand", "Hips")
    assert activity.object("pot").anchor("Spout").tolist() == pytest.approx([0.2, 0.1, 0])
    first, second = activity.events
    assert (first.time, second.time) == (0, 12 / kitchen.characters[0].takes[0].rate)
    for event in (first, second):
        assert event.elements == activity.element_names
        assert event.scalable == ("pot", "cup")
        assert event.replaceable == ("pot",)
    assert first.movable == ("Right_Hand", "pot", "cup")
    assert second.movable == ("pot", "cup")
    assert (first.look_at, second.look_at) == ("pot", "cup")
    assert second.pairs == (Pair("Right_Hand", "pot"), Pair("pot.Spout", "cup"))
    assert (found.edits, found.warnings) == ((), ())
    assert same(found.scene.activity("tea"), activity)


def test_other_keys_of_constraints_are_named_and_not_used(kitchen):
    given = listing()
    given["events"][1]["constraints"][0] |= {"weight": 2, "kind": "position"}
    found = parse_activity(given, kitchen)
    assert found.warnings == ("events[1].constraints[0]: kind, weight not used",)
    assert len(found.activity.events[1].pairs) == 2


def test_missing_and_null_lists_are_empty(kitchen):
    bare = {
        "objects": None,
        "effectors": [{"effectorName": "LeftFoot"}],
        "events": [{"keyframe": 1}],
    }
    (event,) = parse_activity(bare, kitchen).activity.events
    assert (event.elements, event.movable, event.pairs) == (("LeftFoot",), (), ())
    assert parse_activity({}, kitchen).activity.events == ()


def test_lists_of_an_event_replace_what_concerns_all(kitchen):
    given = listing()
    given["events"][0] |= {
        "name": "start",
        "elements": ["Right_Hand", "cup"],
        "modifiableObjects": ["pot.Spout"],
        "scalableObjects": [],
    }
    first, second = parse_activity(given, kitchen).activity.events
    assert (first.name, first.elements) == ("start", ("Right_Hand", "cup"))
    assert (first.movable, first.scalable) == (("Right_Hand", "pot.Spout"), ())
    assert first.replaceable == ()  # the pot does not take part
    assert second.scalable == ("pot", "cup")


def test_objects_of_other_names_and_anchors_of_their_own(kitchen):
    given = listing()
    given["objects"] = [
        {
            "objectName": "Teapot.001",
            "actor": "pot",
            "anchors": {"lid": [0, 0.2, 0], "Spout": [1, 0, 0]},
            "offsetName": "Spout",
        },
        {"objectName": "cup"},
    ]
    given["events"] = [
        {
            "keyframe": 3,
            "lookAt": "Teapot.001.lid",
            "constraints": [{"constrainedElement": "cup", "constrainingElement": "Teapot.001"}],
        }
    ]
    activity = parse_activity(given, kitchen).activity
    pot = activity.objects[0]
    assert (pot.name, pot.prop, pot.anchor_names) == ("Teapot_001", "pot", ("lid", "Spout"))
    assert pot.anchor("Spout").tolist() == [1, 0, 0]
    assert activity.events[0].look_at == "Teapot_001.lid"
    assert activity.events[0].pairs == (Pair("cup", "Teapot_001.Spout"),)


def test_effectors_may_name_a_joint_and_an_offset(kitchen):
    given = {
        "effectors": [
            {"effectorName": "fingertip", "joint": "LeftHand", "offset": [0, 0.1, 0]},
            {"effectorName": "Head"},
            {"effectorName": "LeftShoulder"},
        ]
    }
    tip, head, shoulder = parse_activity(given, kitchen).activity.effectors
    assert (tip.point.joint, tip.point.offset.tolist()) == ("LeftHand", [0, 0.1, 0])
    assert (head.point.joint, shoulder.point.joint) == ("Head", "LeftUpperArm")


def test_keyframes_are_at_the_rate_that_is_given(kitchen):
    events = [{"keyframe": 15}, {"keyframe": 7.5}]
    found = parse_activity({"rate": 60, "events": events}, kitchen).activity.events
    assert [each.time for each in found] == [0.125, 0.25]


def test_character_and_take_are_those_of_the_file_unless_given():
    scene = tea_scene()
    of_file = {"character": "arm", "take": "still", "name": "sit"}
    assert parse_activity(of_file, scene).activity.take == "still"
    assert parse_activity(of_file, scene, take="wave").activity.take == "wave"
    with pytest.raises(UnknownName, match="no take named 'kick'"):
        parse_activity({"take": "kick"}, scene)


def test_an_activity_of_the_same_name_is_replaced():
    found = parse_activity({"name": "tea", "events": [{"keyframe": 3}]}, tea_scene())
    (only,) = found.scene.activities
    assert [each.time for each in only.events] == [0.125]


@examples(16, 60)
@given(seeds)
def test_what_is_written_is_read_again(seed):
    scene = random_scene(seed)
    for activity in scene.activities:
        written = json.loads(json.dumps(activity_json(scene, activity)))
        back = parse_activity(written, replace(scene, activities=()))
        assert same(back.activity, checked(scene, activity))
        assert back.warnings == ()


def test_effectors_that_their_names_tell_are_written_without_joints(kitchen):
    activity = parse_activity(listing(), kitchen).activity
    written = activity_json(kitchen, activity)
    assert written["effectors"] == [{"effectorName": "Right_Hand"}, {"effectorName": "pelvis"}]
    assert [each["keyframe"] for each in written["events"]] == [0, 12]
    written = activity_json(tea_scene(), tea())
    assert written["effectors"][1] == {"effectorName": "Hand", "joint": "joint2"}
    assert written["objects"][0]["anchors"] == {"spout": [0.2, 0.1, 0], "handle": [-0.2, 0, 0]}


def spoilt(place, value):
    """The published form with one value put at a place, or removed."""
    given = listing()
    at = given
    for step in place[:-1]:
        at = at[step]
    if value is ...:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return given


FIRST, PAIR = ("events", 0), ("events", 1, "constraints", 1)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("object",), [], "activity file: expected any of about, character, .*, got object"),
        (("objects",), {}, "objects: expected a JSON list, got dict"),
        (("objects", 0), "pot", r"objects\[0\]: expected a JSON object, got str"),
        (
            ("objects", 0, "name"),
            "pot",
            r"objects\[0\]: expected any of actor, anchors, .*, got name",
        ),
        (("objects", 0, "objectName"), ..., r"objects\[0\].objectName: expected a name, got none"),
        (("objects", 0, "objectName"), " ", r"objects\[0\].objectName: expected a name, got none"),
        (("objects", 0, "objectName"), 7, r"objects\[0\].objectName: expected text, got int"),
        (
            ("objects", 0, "objectName"),
            "jug",
            r"objectName: expected a prop of the scene: pot, cup, got 'jug'",
        ),
        (
            ("objects", 0, "objectName"),
            "biped",
            "expected a prop of the scene: pot, cup, got 'biped'",
        ),
        (
            ("objects", 1, "objectName"),
            "pot",
            r"objects\[1\].objectName: expected a name of its own, got 'pot' twice",
        ),
        (("objects", 1, "actor"), "pot", "object 'cup': expected another prop than 'pot' has"),
        (
            ("objects", 0, "offsetName"),
            "lid",
            r"objects\[0\].offsetName: expected a joint of pot, or one of its anchors, got 'lid'",
        ),
        (
            ("objects", 0, "anchors"),
            {"lid": [0, 1]},
            r"anchors.lid: expected three numbers \[x, y, z\], got list",
        ),
        (
            ("objects", 0, "anchors"),
            {"lid": [0, 1, "z"]},
            r"anchors.lid\[2\]: expected a number, got str",
        ),
        (
            ("objects", 0, "anchors"),
            {"a.b": [0, 0, 0], "a_b": [0, 0, 0]},
            "anchors: expected names of their own",
        ),
        (
            ("objects", 0, "isModifiable"),
            "yes",
            r"objects\[0\].isModifiable: expected true or false, got yes",
        ),
        (("objects", 0, "isReplaceable"), 1, r"objects\[0\].isReplaceable: expected true or false"),
        (
            ("effectors", 0, "effectorName"),
            "Tail",
            r"effectors\[0\].effectorName: .*LeftShoulder, .*, or a joint of biped, got 'Tail'",
        ),
        (
            ("effectors", 0, "joint"),
            "RigthHand",
            r"effectors\[0\].joint: expected a joint of biped, got .* RightHand",
        ),
        (
            ("effectors", 0, "offset"),
            [0, float("nan"), 0],
            r"effectors\[0\].offset\[1\]: expected a finite number",
        ),
        (
            ("effectors", 1, "effectorName"),
            "Right.Hand",
            "a name of its own, got 'Right.Hand' twice",
        ),
        (("events",), {"keyframe": 1}, "events: expected a JSON list, got dict"),
        ((*FIRST, "keyframe"), ..., r"events\[0\].keyframe: expected a number, got none"),
        ((*FIRST, "keyframe"), "12", r"events\[0\].keyframe: expected a number, got str"),
        ((*FIRST, "keyframe"), True, r"events\[0\].keyframe: expected a number, got bool"),
        ((*FIRST, "keyframe"), None, r"events\[0\].keyframe: expected a number, got NoneType"),
        ((*FIRST, "keyframe"), float("nan"), r"events\[0\].keyframe: expected a finite number"),
        ((*FIRST, "keyframe"), 10**400, r"events\[0\].keyframe: expected a finite number"),
        (
            (*FIRST, "keyframe"),
            -1,
            r"events\[0\].keyframe: expected 0 to 24 frames, within take 'walk', got -1",
        ),
        (
            (*FIRST, "keyframe"),
            25,
            r"events\[0\].keyframe: expected 0 to 24 frames, within take 'walk', got 25",
        ),
        (
            (*FIRST, "keyframe"),
            12,
            r"events\[1\].keyframe: expected a keyframe other than that of events\[0\], got 12",
        ),
        ((*FIRST, "time"), 0.5, r"events\[0\]: expected a keyframe or a time, got both"),
        (
            (*FIRST, "frame"),
            3,
            r"events\[0\]: expected any of constraints, elements, .*, got frame",
        ),
        (
            (*FIRST, "lookAt"),
            "moon",
            r"events\[0\].lookAt: expected one of Right_Hand, pelvis, pot, cup, got 'moon'",
        ),
        ((*FIRST, "elements"), ["moon"], r"events\[0\].elements\[0\]: expected one of Right_Hand"),
        ((*FIRST, "elements"), "pot", r"events\[0\].elements: expected a JSON list, got str"),
        (
            (*FIRST, "modifiableEffectors"),
            ["pot"],
            r"modifiableEffectors\[0\]: expected an effector: Right_Hand, pelvis, got 'pot'",
        ),
        (
            (*FIRST, "modifiableEffectors"),
            [3],
            r"events\[0\].modifiableEffectors\[0\]: expected text, got int",
        ),
        (
            (*FIRST, "modifiableObjects"),
            ["pelvis"],
            r"events\[0\].modifiableObjects\[0\]: expected an object: pot, cup, got 'pelvis'",
        ),
        (
            (*FIRST, "scalableObjects"),
            ["pot.lid"],
            r"scalableObjects\[0\]: expected an anchor of pot: Spout, got 'lid'",
        ),
        ((*FIRST, "name"), ["a"], r"events\[0\].name: expected text, got list"),
        (
            (*PAIR, "constrainedElement"),
            ...,
            r"events\[1\].constraints\[1\].constrainedElement: expected a name, got none",
        ),
        (
            (*PAIR, "constrainedElement"),
            "spoon",
            r"constrainedElement: expected one of Right_Hand, pelvis, pot, cup, got 'spoon'",
        ),
        (
            (*PAIR, "constrainingElement"),
            "pot",
            r"constrainingElement: expected an element other than the constrained one",
        ),
        (
            (*PAIR, "constrainedElement"),
            "RightHand",
            r"events\[1\].constraints: expected each once, got 'Right_Hand' twice",
        ),
        (
            (*PAIR, "constrainingElement"),
            "RightHand",
            r"events\[1\].constraints: expected elements that do not constrain each other",
        ),
        (("rate",), 0, "rate: expected frames per second above 0, got 0"),
        (("rate",), "fast", "rate: expected a number, got str"),
        (("rate",), float("inf"), "rate: expected a finite number"),
        (("take",), 3, "take: expected text, got int"),
    ],
)
def test_a_fault_is_named_with_its_place(kitchen, place, value, said):
    with pytest.raises(BadValue, match=said):
        parse_activity(spoilt(place, value), kitchen)


def test_two_events_of_one_name_are_refused(kitchen):
    given = {"events": [{"keyframe": 1, "name": "sip"}, {"keyframe": 2, "name": "sip"}]}
    with pytest.raises(
        BadValue, match=r"events\[1\].name: expected a name other than .*events\[0\]"
    ):
        parse_activity(given, kitchen)


def test_files_are_read_with_the_scene_that_they_name(tmp_path):
    arc.write(tea_scene(), tmp_path / "tea.arc.glb")
    path = tmp_path / "ACTIVITY.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"scene": "tea.arc.glb"}).encode())
    found = read_activity(path)
    assert [each.name for each in found.scene.activities] == ["tea", "ACTIVITY"]
    path.write_text(json.dumps({"scene": "biped:walk"}))
    assert read_activity(path).activity.character == "biped"
    assert read_activity(path, tea_scene(), take="still").activity.take == "still"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value"),
        ("{", "Expecting property name"),
        ("[]", "activity file: expected a JSON object, got list"),
        ("{}", r"names no scene \(choose the scene yourself with --scene FILE\)"),
        ('{"scene": 3}', "scene: expected text, got int"),
        ('{"scene": "../secret.arc.glb"}', "its scene '../secret.arc.glb' is not a readable file"),
        ('{"scene": "none.arc.glb"}', "is not a readable file|no such file"),
        ('{"scene": "biped:walk", "events": [{"keyframe": NaN}]}', "a finite number"),
        ('{"scene": "biped:walk", "events": [{"keyframe": 1e999}]}', "a finite number"),
        ('{"scene": "biped:walk", "take": "swim"}', "no take named 'swim'"),
        ("[" * 100_000, "nested too deeply"),
        ('{"events": ' + "9" * 5000 + "}", "too many digits|expected a JSON list|names no scene"),
        (
            '{"scene": "biped:walk", "events": [' + "{}," * 500 + "{}]}",
            "events: expected at most 500, got 501",
        ),
        (" " * 2_000_001, "is larger than the 2 MB that are read"),
    ],
)
def test_a_bad_file_is_one_line_with_its_path(tmp_path, text, said):
    path = tmp_path / "ACTIVITY.json"
    path.write_text(text)
    with pytest.raises(BadFile, match=said) as error:
        read_activity(path)
    assert str(tmp_path) in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


def test_bytes_that_are_no_text_and_paths_that_are_no_file_are_refused(tmp_path):
    path = tmp_path / "ACTIVITY.json"
    for data in (bytes(range(128, 256)), b"\x00\x01\x02", b'{"scene": "\xff\xfe"}'):
        path.write_bytes(data)
        with pytest.raises(BadFile, match="ACTIVITY.json"):
            read_activity(path)
    for missing in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(BadFile, match="cannot be read|not a regular file"):
            read_activity(missing)


@examples(60, 400)
@given(seeds)
def test_spoilt_files_are_read_or_refused_in_one_line(seed):
    rng = np.random.default_rng(seed)
    scene = tea_scene()
    given = activity_json(scene, tea())
    given["edits"] = [
        {"event": "pour", "element": "pot", "by": [0, 0.1, 0]},
        {"object": "cup", "scale": 2},
        {"swap": "pot", "file": "pot.glb"},
        {"event": 1, "frame": 14},
    ]
    odd = [None, True, -1, 1e308, 10**400, float("nan"), "", "pot", "x.y", [], [1], {}, {"a": 1}]
    for _ in range(int(rng.integers(1, 4))):
        at = given
        while True:
            keys = list(at) if isinstance(at, dict) else range(len(at))
            if not keys:
                break
            key = keys[int(rng.integers(len(keys)))]
            if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.8:
                at = at[key]
                continue
            at[key] = odd[int(rng.integers(len(odd)))]
            break
    fault = None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ACTIVITY.json"
        path.write_text(json.dumps(given))
        try:
            read_activity(path, scene)
        except ArcwrightError as error:
            fault = error
    assert fault is None or (isinstance(fault, BadFile) and "\n" not in str(fault))
