"""Constraints on release: tolerances, multipliers, refined knots, props without constraints."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from arcwright import read
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import CoincidentConstraint, Contact, FlightConstraint, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.augmented_lagrangian import _refinements
from arcwright.tools.spacetime.constraints import edited_character
from arcwright.tools.spacetime.displacement import MIN_SPACING
from arcwright.tools.spacetime.prepared_edit import prepare
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

BOX = Point("Box", character="Box")


def take_of(scene):
    return scene.characters[0].takes[0]


def place(take, point, time):
    return trail(take, point, [time]).position[0]


def released(scene, point, time, by, more=(), **options):
    """The scene after a drag, and its notes."""
    actor = scene.actor(point.character)
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options), more)
    start = place(actor.takes[0], point, time)
    for share in (0.5, 1.0):
        session.update(Drag(point, time, position=start + share * np.array(by)))
    return session.finish().apply(scene), session.notes()


def test_hands_on_two_joints_of_a_partner_keep_their_distance():
    scene = read("biped:stand")
    one = scene.characters[0]
    other = replace(one, name="other")
    held = tuple(
        Contact(
            Point(f"{side}Hand"), 0.1, 0.9, relative_to=Point(f"{side}UpperArm", character="other")
        )
        for side in ("Left", "Right")
    )
    scene = replace(scene, characters=(one, other), constraints=held)
    after, notes = released(scene, Point("Hips"), 0.5, [0, -0.05, 0])
    assert not notes
    hands = [place(take_of(after), Point(f"{side}Hand"), 0.5) for side in ("Left", "Right")]
    before = [place(take_of(scene), Point(f"{side}Hand"), 0.5) for side in ("Left", "Right")]
    assert np.linalg.norm(hands[0] - hands[1]) == pytest.approx(
        np.linalg.norm(before[0] - before[1]), abs=2e-3
    )


def test_a_pin_beside_a_handhold_of_the_same_point_holds_or_is_noted():
    scene = read("biped:carry")
    palm = next(each.point for each in scene.contacts if each.relative_to is not None)
    pin = Pin(palm, 0.05, 0.2)
    scene = replace(scene, constraints=(*scene.constraints, pin))
    after, notes = released(scene, Point("Hips"), 0.1, [0, -0.1, 0.1])
    off = max(
        np.linalg.norm(place(take_of(after), palm, t) - place(take_of(scene), palm, t))
        for t in (2 / 24, 3 / 24, 4 / 24)
    )
    assert off < 2e-3 or any("pin" in note.text for note in notes)


@pytest.mark.parametrize("floating", [False, True])
def test_a_flight_between_two_frames_is_solved(floating):
    scene = read("biped:jump")
    more = (
        FlightConstraint(10 / 24, 11 / 24),
        CoincidentConstraint(Point("LeftHand"), 3 / 24, 20 / 24),
    )
    after, _ = released(scene, Point("Hips"), 0.5, [0.02, 0, 0], more, floating_footplants=floating)
    assert np.isfinite(place(take_of(after), Point("Hips"), 0.5)).all()


def test_a_prop_moves_where_its_holder_has_no_constraints_in_the_range():
    scene = read("biped:carry")
    held = tuple(each for each in scene.contacts if each.relative_to is not None)
    scene = replace(scene, constraints=held)
    after, _ = released(scene, BOX, 0.1, [0.2, 0, 0], end=0.3, detect_footplants=False)
    moved = place(after.actor("Box").takes[0], BOX, 0.1) - place(
        scene.actor("Box").takes[0], BOX, 0.1
    )
    assert moved == pytest.approx([0.2, 0, 0], abs=1e-6)


def test_hands_stay_on_a_prop_also_where_foot_skate_is_not_fixed():
    scene = read("biped:carry")
    after, _ = released(scene, BOX, 1.3, [0.2, 0, 0], fix_foot_skate=False)
    held = [each for each in scene.contacts if each.relative_to is not None]
    for contact in held:
        gaps = [
            place(take_of(each), contact.point, 1.3) - place(each.actor("Box").takes[0], BOX, 1.3)
            for each in (scene, after)
        ]
        assert gaps[1] == pytest.approx(gaps[0], abs=2e-3)


@pytest.mark.parametrize("rate", [24.0, 50.0, 60.0, 100.0, 120.0, 240.0])
def test_knots_are_never_much_closer_than_two_samples(rate):
    scene = replace(read("biped:walk"), constraints=())
    take = take_of(scene)
    take = replace(take, base=replace(take.base, rate=rate))
    actor = replace(scene.characters[0], takes=(take,))
    options = SpacetimeOptions(detect_footplants=False)
    character = edited_character(replace(scene, characters=(actor,)), Target(), options)
    drag = Drag(Point("LeftHand"), 0.5, position=np.zeros(3))
    prepared = [
        prepare(character, [drag], options, refinement=refinement) for refinement in (1, 2, 3)
    ]
    levels = _refinements(prepared[0])
    assert levels[0] == 1
    assert all(low < high for low, high in pairwise(levels))
    finest = prepared[levels[-1] - 1].range
    assert finest.spacing * len(finest.times) / take.duration > MIN_SPACING - 0.3


def test_a_contact_of_one_frame_on_a_swinging_hand_does_not_bend_the_body_on_release():
    scene = read("biped:walk")
    swings = Contact(Point("RightHand"), 0.24, 0.27)  # one frame, in which it goes several cm
    scene = replace(scene, constraints=(swings,))
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    start = place(take_of(scene), Point("Head"), 0.75)
    shown = session.update(Drag(Point("Head"), 0.75, position=start + [0.05, 0.0, 0.0]))
    frames = take_of(scene).frame_times()
    edits = shown.edit, session.finish()
    ways = [trail(take_of(edit.apply(scene)), "RightHand", frames).position for edit in edits]
    assert np.linalg.norm(ways[0] - ways[1], axis=1).max() < 0.01


def joints(take):
    return forward(take.rig, values_at(take, take.frame_times()))[..., :3, 3]


@pytest.mark.parametrize(
    ("joint", "frame", "by"),
    [("RightFoot", 26, (0.10, 0.15, -0.09)), ("Hips", 23, (-0.13, -0.13, 0.03))],
)
def test_a_release_stays_within_a_centimetre_of_its_preview(joint, frame, by):
    scene = read("biped:jump")
    point, time = Point(joint), frame / 24
    start = place(take_of(scene), point, time)
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(adapt_timing="off"))
    for share in np.linspace(0.1, 1, 10):
        preview = session.update(Drag(point, time, position=start + share * np.array(by)))
    shown, after = (take_of(each.apply(scene)) for each in (preview.edit, session.finish()))
    assert np.linalg.norm(joints(after) - joints(shown), axis=-1).max() < 0.01
    assert np.linalg.norm(place(after, point, time) - start - by) < 1e-3
