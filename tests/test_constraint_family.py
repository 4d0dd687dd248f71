"""A new kind of constraint needs its class and nothing else: one is defined here, and used."""

import json
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import pytest

from arcwright import files, read, same
from arcwright.arrays import Floats
from arcwright.edits.constraints import add_constraint
from arcwright.errors import BadValue
from arcwright.files.transform_constraints import rotate_constraint, scale_constraint
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.scene.constraint import KINDS, OnPoint, OverTime
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.quantity import Quantity
from arcwright.scene.region import Region, Sphere
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document.constraints import kind_infos
from arcwright.server.messages import encoding
from arcwright.server.messages.typescript import typescript
from arcwright.server.storage.journal import Journal, recover
from arcwright.tools.catalogue import tool
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay
from local_clients import LocalClient, worker_with

HAND = Point("LeftHand", [0, 0.1, 0], "biped")


@pytest.fixture
def leash():
    """A kind of constraint that exists only while a test runs."""

    @dataclass(frozen=True, eq=False)
    class Leash(OverTime, OnPoint, kind="leash", label="Keep on leash"):
        """The point stays near a place."""

        anchor: Annotated[Floats, Quantity("position", "Anchor", unit="m")]
        aim: Annotated[Floats, Quantity("direction", "Aim")]
        turn: Annotated[Floats, Quantity("orientation", "Turn")]
        zone: Annotated[Region, Quantity("region", "Zone")]
        slack: Annotated[
            float | None, Quantity("length", "Slack", unit="m", low=0, high=5, none="any")
        ] = None
        share: Annotated[float, Quantity("number", "Share", low=0, high=1)] = 0.5
        taut: Annotated[bool, Quantity("flag", "Taut")] = True
        mode: Annotated[str, Quantity("choice", "Mode", choices=("soft", "hard"))] = "soft"
        holder: Annotated[Point | None, Quantity("point", "Holder", none="nobody")] = None

    yield Leash
    del KINDS["leash"]


def made(leash, **more):
    turn = [0.6, 0, 0.8, 0]
    return leash(HAND, 0.0, 0.5, [1, 2, 3], [0, 0, 1], turn, Sphere([0, 1, 0], 0.5), 0.25, **more)


def test_it_is_checked_and_named(leash):
    constraint = made(leash, holder=Point("RightHand"))
    assert (constraint.name, constraint.title) == ("LeftHand leash", "LeftHand leash")
    for values, said in (
        ({"slack": 9}, "Leash.slack: expected metres, 0 to 5, got 9"),
        ({"share": "much"}, "Leash.share: expected a number, 0 to 1, got much"),
        ({"mode": "iron"}, "Leash.mode: expected soft or hard, got iron"),
        ({"holder": "me"}, "Leash.holder: expected a point, got me"),
        ({"zone": None}, "Leash.zone: expected a region, got None"),
        ({"end": -1}, r"Leash.end: expected at or after start \(0 s\)"),
    ):
        with pytest.raises(BadValue, match=said):
            replace(constraint, **values)


def test_project_files_hold_it_bit_for_bit(leash, tmp_path):
    scene = read("biped:walk")
    scene = replace(scene, source=None, constraints=(*scene.constraints, made(leash)))
    files.write(scene, tmp_path / "leash.arc.glb")
    assert same(files.read(tmp_path / "leash.arc.glb"), scene)


def test_journals_hold_it_with_its_steps(leash, tmp_path):
    scene = read("biped:walk")
    history = History(scene).do(add_constraint(scene, made(leash)))
    journal = Journal.begin(tmp_path, scene, None)
    journal.record_edit(history.done[0])
    journal.close()
    back, _, again = recover(tmp_path, journal.name)
    assert same(back.scene, history.scene)
    assert same(back.undo().scene, scene)
    again.close()


def test_units_scale_and_rotate_it(leash):
    constraint = made(leash)
    small = scale_constraint(constraint, 0.01)
    assert small.anchor == pytest.approx([0.01, 0.02, 0.03])
    assert small.point.offset == pytest.approx([0, 0.001, 0])
    assert (small.slack, small.zone.radius, small.share) == (0.0025, 0.005, 0.5)
    assert scale_constraint(replace(constraint, slack=None), 2).slack is None
    up = quaternion_from_vector(np.array([-np.pi / 2, 0, 0]))
    turned = rotate_constraint(constraint, up)
    assert turned.anchor == pytest.approx([1, 3, -2])
    assert turned.aim == pytest.approx([0, 1, 0])
    assert turned.zone.center == pytest.approx([0, 0, -1])
    assert same(turned.slack, constraint.slack)


def test_gesture_files_hold_it_and_a_tool_that_does_not_solve_it_says_so(leash):
    values = constraint_values(made(leash))
    del values["start"], values["end"]
    drag = {"point": {"joint": "Hips"}, "frame": 8, "by": [0, -0.02, 0], "steps": 1}
    written = {"tool": "spacetime", "constraints": [values | {"frames": [0, 12]}], "drags": [drag]}
    case = parse_gesture_file(json.loads(json.dumps(written)))
    after, (outcome,) = replay(case, read("biped:walk"))
    assert same(after.constraints[-1], made(leash, take="walk"))
    assert outcome.hit_m < 2e-3
    note = "LeftHand leash has no effect: spacetime edits do not solve leash yet"
    assert note in outcome.notes
    written["constraints"][0]["slack"] = -1
    case = parse_gesture_file(written)
    with pytest.raises(BadValue, match=r"constraints\[0\].slack: expected metres, 0 to 5, got -1"):
        replay(case, read("biped:walk"))


def test_solving_without_a_drag_says_that_it_is_not_solved(leash):
    scene = read("biped:walk")
    scene = replace(scene, constraints=(*scene.constraints, made(leash)))
    spacetime = tool("spacetime")
    done = spacetime.solve(scene, Target(), spacetime.Options())
    assert any("do not solve leash yet" in note.text for note in done.notes)


def test_clients_add_change_remove_and_undo_it(leash):
    with worker_with() as worker:
        client = LocalClient(worker)
        before = client.document.scene
        index, at = len(before.constraints), ("biped", "walk")
        loose = constraint_values(made(leash))
        changes = (
            m.AddConstraint(*at, loose),
            m.ChangeConstraint(*at, index, loose | {"slack": 0.5, "mode": "hard"}),
            m.RemoveConstraint(*at, index),
        )
        for change in changes:
            sent = encoding.encode_client(m.ApplyChange(change))
            client.send(encoding.decode_client(sent))
        client.sync()
        assert [edit.label for edit in client.document.history.done] == [
            "Add LeftHand leash, frames 0-12",
            "Change LeftHand leash, frames 0-12",
            "Remove LeftHand leash",
        ]
        client.send(m.Undo())
        (info,) = client.wait(m.Document)[-1][0].constraints[index:]
        assert (info.title, info.start, info.end) == ("LeftHand leash", 0.0, 0.5)
        assert (info.constraint["slack"], info.constraint["mode"]) == (0.5, "hard")
        message, _ = encoding.decode(encoding.encode(client.document.message(1)))
        assert message.constraints[index] == info
        client.send(m.Undo(), m.Undo())
        client.sync()
        assert same(client.document.scene, before)
        failure, _ = client.request(
            m.ApplyChange(m.AddConstraint(*at, loose | {"mode": "iron"})), m.Failure
        )
        assert "constraint.mode: expected soft or hard, got iron" in failure.text


def test_its_description_is_sent_and_its_type_is_generated(leash):
    assert leash is KINDS["leash"]
    info = next(each for each in kind_infos() if each.kind == "leash")
    assert (info.label, info.help) == ("Keep on leash", "The point stays near a place.")
    shown = {each.name: each for each in info.fields}
    assert list(shown)[-4:] == ["share", "taut", "mode", "holder"]
    slack = shown["slack"]
    assert (slack.quantity, slack.unit, slack.low, slack.high) == ("length", "m", 0, 5)
    assert (slack.optional, slack.none, slack.required) == (True, "any", False)
    assert shown["mode"].choices == ["soft", "hard"]
    assert shown["anchor"].required
    for line in (
        "export interface Leash {",
        '  kind: "leash";',
        "  anchor: Vec3;",
        "  turn: Quat;",
        "  zone: Region;",
        "  slack: number | null;",
        '  mode: "soft" | "hard";',
        "  holder: PointRef | null;",
    ):
        assert line in typescript().splitlines()
    assert "| Leash;" in typescript()
