"""Notes describe the result of the release and name the blocking constraint."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.server import messages
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.tool_interaction import ToolInteraction
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.idle_solver import notes_and_offer
from chains import TIP, place, still_scene
from tangent_edits import dragged

HIPS = Point("Hips")


def walked(name, by, frame, moves, scene=None, **options):
    """The last preview of dragged hips in the walk, how far off they end, and the session."""
    scene = scene or arcwright.read("biped:walk")
    chosen, time = tool(name), frame / 24
    session = chosen.begin(scene, Target(), chosen.Options(**options))
    start = trail(scene.characters[0].takes[0], HIPS, [time]).position[0]
    for share in np.linspace(1 / moves, 1, moves):
        preview = session.update(Drag(HIPS, time, position=start + share * np.asarray(by)))
    after = session.finish().apply(scene).characters[0].takes[0]
    away = np.linalg.norm(trail(after, HIPS, [time]).position[0] - start - by)
    return preview, away, session


@pytest.mark.parametrize("moves", [1, 10])
@pytest.mark.parametrize(
    ("by", "options"),
    [([0, 0.12, 0], {}), ([0, -0.1, 0], {"floor_height": 0.028})],
    ids=["up", "down"],
)
def test_a_drag_that_the_release_meets_gets_no_note(by, options, moves):
    preview, away, _ = walked("tangent", by, 21, moves, **options)
    assert away < 1e-4
    assert preview.notes == ()


def with_pinned_feet():
    scene = arcwright.read("biped:walk")
    feet = (Pin(Point(f"{side}Foot"), 0, 1) for side in ("Left", "Right"))
    return replace(scene, constraints=(*scene.constraints, *feet))


@pytest.mark.parametrize("by", [[0, -0.08, 0], [0.05, -0.05, 0.04], [-0.03, -0.2, 0.1]], ids=str)
def test_hips_over_pinned_feet_are_posed_as_well_in_one_move_as_in_ten(by):
    for moves in (1, 10):
        preview, away, _ = walked("pose", by, 6, moves, with_pinned_feet())
        assert away < 1e-4
        assert preview.drag.remaining < 1e-3
        assert preview.notes == ()


@pytest.mark.parametrize("name", ["tangent", "pose"])
@pytest.mark.parametrize("by", [[0, -0.08, 0], [0.1, 0.2, 0]], ids=["met", "short"])
def test_idle_notes_are_those_of_the_session_itself(name, by):
    scene = with_pinned_feet()
    begin = messages.BeginInteraction(
        interaction=1, tool=name, character="", take="walk", options={}
    )
    interaction = ToolInteraction(Client(1, lambda: None), scene, begin)
    start = trail(scene.characters[0].takes[0], HIPS, [0.25]).position[0]
    for share in np.linspace(0.1, 1, 10):
        to = tuple((start + share * np.array(by)).tolist())
        interaction.update(Drag(Point("Hips"), 0.25, position=to))
    notes, _ = notes_and_offer(interaction.session.fork())
    after = interaction.finish().apply(scene).characters[0].takes[0]
    away = np.linalg.norm(trail(after, HIPS, [0.25]).position[0] - start - by)
    assert [note.amount for note in notes] == ([pytest.approx(away)] if away > 5e-4 else [])


def floored():
    scene = still_scene(constraints=(Contact(TIP, 1.9, 2.0),))
    return scene, place(scene, TIP, 0.3)[0, 1] - 0.1


def test_a_note_names_the_floor_where_it_blocks_the_drag():
    scene, floor = floored()
    _, preview, _ = dragged(scene, [0, -0.3, 0], floor_height=floor)
    assert preview.notes[0].blocker == "the floor"
    assert preview.notes[0].text.startswith("the floor keeps joint3 20.")


def test_a_contact_that_blocks_is_not_taken_for_the_floor():
    scene = still_scene(constraints=(Contact(Point("joint3"), 0, 1),))
    session, preview, _ = dragged(
        scene, [0.0, 0.4, 0.0], point=Point("joint3"), time=0.5, floor_height=-50.0
    )
    assert preview.notes[0].blocker == "joint3 contact"
    assert session.finish().apply(scene) is not None


def test_of_two_dragged_points_the_note_names_the_unmet_one():
    scene = still_scene(constraints=(Pin(Point("joint1"), 0, 2),))
    chosen = tool("tangent")
    session = chosen.begin(scene, Target(), chosen.Options())
    session.update(Drag(TIP, 0.5, position=place(scene, TIP, 0.5)[0]))
    far = place(scene, "joint1", 0.5)[0] + [0.5, 0, 0]
    preview = session.update(Drag(Point("joint1"), 0.5, position=far))
    assert preview.notes[0].text.startswith("joint1 pin keeps joint1 ")


def test_a_drag_close_to_a_key_says_how_far_the_point_swings_elsewhere():
    scene = arcwright.read("biped:walk")
    scene = replace(scene, constraints=())
    take, interaction, time = scene.characters[0].takes[0], Point("LeftHand"), 12.5 / 24
    session = tool("tangent").begin(scene, Target(), tool("tangent").Options())
    start = trail(take, interaction, [time]).position[0]
    session.update(Drag(interaction, time, position=start + [0.0, 0.05, 0.05]))
    swings = [note for note in session.notes() if note.kind == "swings"]
    assert swings
    assert "close to a key" in swings[0].text
    offer = session.offer()
    assert offer is not None
    after = offer.edit.apply(scene).characters[0].takes[0]
    times = np.linspace(0, take.duration, 97)
    was, now = (trail(each, interaction, times).position for each in (take, after))
    assert np.linalg.norm(now - was, axis=1).max() < 0.5 * swings[0].amount
