"""The laws of all tools: untouched, path-free, exact undo, still hand, honest."""

from dataclasses import replace

import numpy as np
import pytest
from test_tangent import TIP, chain_scene, still_scene

from arcwright.arrays import same
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.history import History
from arcwright.scene.point import Contact, Pin, Point
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.gesture import Drag
from arcwright.tools.tool import Target

PATH_FREE = 2e-3  # of the values' own units: how far two ways to one place may end apart


def scene_of(name):
    """A swinging chain, one with a pin, and a still one with a contact."""
    if name == "planted":
        return still_scene(contacts=(Contact(Point("joint2"), 0, 1),))
    return chain_scene(**({"pins": (Pin(Point("joint2"), 0, 2),)} if name == "pinned" else {}))


CASES = pytest.mark.parametrize(
    ("tool", "scene"),
    [(tool, scene) for tool in TOOLS for scene in ("free", "pinned", "planted")],
    ids=lambda value: getattr(value, "name", value),
)


def begun(tool, scene):
    return tool.begin(scene, Target(), tool.Options())


def start(scene, time=0.3):
    return trail(scene.characters[0].takes[0], TIP, np.array([time])).position[0]


def drag(session, place, time=0.3):
    return session.update(Drag(TIP, time, position=place))


@CASES
def test_updates_never_change_the_starting_scene(tool, scene):
    name, scene = scene, scene_of(scene)
    kept = scene_of(name)
    session = begun(tool, scene)
    for step in range(5):
        drag(session, start(scene) + [0.02 * step, 0.01, 0])
    session.finish()
    assert same(scene, kept)


@CASES
def test_the_edit_does_not_depend_on_the_way_to_it(tool, scene):
    scene = scene_of(scene)
    target = start(scene) + [0.06, 0.03, -0.02]
    ways = []
    for moves in ([], [[0.01, 0, 0], [0.03, 0.02, 0]], [[-0.05, 0.02, 0.03], [0.02, 0, 0.05]]):
        session = begun(tool, scene)
        for move in moves:
            drag(session, start(scene) + move)
        drag(session, target)
        ways.append(session.finish().apply(scene).characters[0].takes[0])
    times = np.linspace(0, 2, 41)
    for other in ways[1:]:
        assert values_at(other, times) == pytest.approx(values_at(ways[0], times), abs=PATH_FREE)


@CASES
def test_undo_is_exact(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    drag(session, start(scene) + [0.05, 0, 0.02])
    history = History(scene).do(session.finish())
    assert not same(history.scene, scene)
    assert same(history.undo().scene, scene)
    assert same(history.undo().redo().scene, history.scene)


@CASES
def test_a_still_hand_gives_an_empty_edit(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    drag(session, start(scene))
    assert session.finish().empty


@CASES
def test_an_infeasible_wish_gets_a_note_and_the_best_edit(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    for share in np.linspace(0.1, 1, 10):
        preview = drag(session, start(scene) + share * np.array([40.0, 5, 5]))
    note = preview.notes[0]
    assert note.amount > 1
    assert "TIP" not in note.text
    assert "joint3" in note.text
    edited = session.finish().apply(scene)
    assert np.isfinite(values_at(edited.characters[0].takes[0], np.linspace(0, 2, 50))).all()


@CASES
def test_the_preview_shows_what_finishing_does(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    preview = drag(session, start(scene) + [0.04, 0.02, 0])
    shown = preview.edit.apply(scene).characters[0].takes[0]
    done = session.finish().apply(scene).characters[0].takes[0]
    times = np.linspace(0, 2, 41)
    assert values_at(shown, times) == pytest.approx(values_at(done, times), abs=PATH_FREE)
    assert preview.reached == pytest.approx(trail(shown, TIP, [0.3]).position[0], abs=1e-9)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_option_says_what_it_is_for(tool):
    from dataclasses import fields

    for field in fields(tool.Options):
        assert field.metadata.get("help"), field.name
    assert replace(tool.Options()) == tool.Options()
