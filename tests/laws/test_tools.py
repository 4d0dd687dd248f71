"""The laws of all tools: untouched, path-free, exact undo, no drift, honest, in span, encoding."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.server import messages
from arcwright.server.document.document import Document
from arcwright.server.document.open_document import OpenDocument
from arcwright.server.document.presence import Presence
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.interactions import Interactions
from arcwright.server.messages.encoding import decode
from arcwright.server.storage.packing import pack, unpack
from arcwright.tools.gesture import Drag
from chains import TIP, chain_scene, still_scene
from take_tools import TAKE_TOOLS

PATH_FREE = 2e-3  # of the values' own units: how far two ways to one place may end apart


def scene_of(name):
    """A swinging chain, one with a pin, and a still one with a contact."""
    if name == "planted":
        return still_scene(constraints=(Contact(Point("joint2"), 0, 1),))
    return chain_scene(
        **({"constraints": (Pin(Point("joint2"), 0, 2),)} if name == "pinned" else {})
    )


def limited(scene, most=3.0):
    """With joint limits: without them a root can be posed anywhere."""
    character = scene.characters[0]
    table = character.rig.channels
    bounds = np.full(len(table), most)
    rig = replace(character.rig, channels=replace(table, low=-bounds, high=bounds))
    return replace(scene, characters=(replace(character, rig=rig),))


CASES = pytest.mark.parametrize(
    ("tool", "scene"),
    [(tool, scene) for tool in TAKE_TOOLS for scene in ("free", "pinned", "planted")],
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
def test_an_infeasible_drag_gets_a_note_and_the_best_edit(tool, scene):
    scene = limited(scene_of(scene))
    session = begun(tool, scene)
    for share in np.linspace(0.1, 1, 10):
        preview = drag(session, start(scene) + share * np.array([40.0, 5, 5]))
    note = preview.notes[0]
    assert note.amount > 1
    assert "TIP" not in note.text
    assert "joint3" in note.text
    edited = session.finish().apply(scene)
    assert np.isfinite(values_at(edited.characters[0].takes[0], np.linspace(0, 2, 50))).all()


def random_drags(scene, count=5):
    """Near ones and far ones: places, and times on keys and between them."""
    random = np.random.default_rng(5)
    for size in np.geomspace(0.02, 6, count):
        way = random.normal(size=3)
        time = float(random.choice([0.3, 0.45, 0.8, 1.0, 1.55]))
        yield start(scene, time) + size * way / np.linalg.norm(way), time


@CASES
def test_a_note_has_the_remaining_distance_after_release(tool, scene):
    scene = scene_of(scene)
    for place, time in random_drags(scene):
        session = begun(tool, scene)
        preview = drag(session, place, time)
        noted = [note for note in preview.notes if note.kind == "residual"]
        after = session.finish().apply(scene).characters[0].takes[0]
        away = np.linalg.norm(trail(after, TIP, [time]).position[0] - place)
        if noted:
            assert noted[0].amount == pytest.approx(away, rel=0.1, abs=5e-4)
        else:
            assert away <= 5e-4 + 1e-9


@CASES
def test_requesting_notes_does_not_change_the_drag(tool, scene):
    scene = scene_of(scene)
    asked, silent = begun(tool, scene), begun(tool, scene)
    for share in np.linspace(0.2, 1, 5):
        place = start(scene) + share * np.array([0.7, -0.4, 0.5])
        preview = drag(asked, place)
        assert isinstance(preview.notes, tuple)
        assert same(preview.poses[0].values, drag(silent, place).poses[0].values)
    assert same(asked.finish(), silent.finish())


@CASES
def test_a_drag_sent_twice_to_one_position_gives_the_same_preview(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    for share in np.linspace(0.2, 1, 5):
        place = start(scene) + share * np.array([0.7, -0.4, 0.5])
        first = drag(session, place).poses[0].values
        drag(session, place + 1e-9)
        assert np.abs(drag(session, place).poses[0].values - first).max() < 1e-6


@CASES
def test_outside_its_span_an_edit_changes_nothing_bit_for_bit(tool, scene):
    scene = scene_of(scene)
    take = scene.characters[0].takes[0]
    quarters = np.arange(0, 2.01, 1 / (4 * take.rate))
    for place, time in random_drags(scene):
        session = begun(tool, scene)
        preview = drag(session, place, time)
        low, high = preview.span
        assert low <= time <= high
        outside = quarters[(quarters < low) | (quarters > high)]
        for edit in (preview.edit, session.finish()):
            after = edit.apply(scene).characters[0].takes[0]
            assert same(values_at(after, outside), values_at(take, outside))


@CASES
def test_the_preview_shows_what_finishing_does(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    preview = drag(session, start(scene) + [0.04, 0.02, 0])
    shown = preview.edit.apply(scene).characters[0].takes[0]
    done = session.finish().apply(scene).characters[0].takes[0]
    times = np.linspace(0, 2, 41)
    assert values_at(shown, times) == pytest.approx(values_at(done, times), abs=PATH_FREE)
    assert preview.drag.position == pytest.approx(trail(shown, TIP, [0.3]).position[0], abs=1e-9)


@CASES
def test_edits_survive_packing_bit_for_bit(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    drag(session, start(scene) + [0.05, 0, 0.02])
    edit = session.finish()
    assert not edit.empty
    back = unpack(pack(edit))
    assert same(back, edit)
    assert same(back.apply(scene), edit.apply(scene))
    assert same(back.inverse().apply(edit.apply(scene)), scene)


@CASES
def test_what_a_client_receives_of_a_preview_is_what_it_does(tool, scene):
    scene = scene_of(scene)
    received, preview, after = received_of(tool, scene, start(scene) + [0.04, 0.02, 0])
    take = after.characters[0].takes[0]
    message, arrays = received["Preview"]
    assert_close(message.drag.position, preview.drag.position)
    assert (message.span, message.drag.remaining) == (preview.span, preview.drag.remaining)
    assert_close(
        places(arrays["pose0"][None]), forward(take.rig, preview.poses[0].values[None])[..., :3, 3]
    )

    message, arrays = received["Frames"]
    times = (message.first + np.arange(len(arrays["poses"]))) / take.rate
    world = forward(take.rig, values_at(take, times))
    assert_close(places(arrays["poses"]), world[..., :3, 3])

    message, arrays = received["Curve"]
    drawn = trail(take, TIP, arrays["times"].astype(float))
    assert_close(arrays["positions"], drawn.position)

    if all(change.address[-1] == "layers" for change in preview.edit.changes):
        assert "Keys" not in received
        return
    message, arrays = received["Keys"]
    rows = np.split(arrays["keys"], np.cumsum(message.counts)[:-1])
    for channel, row in zip(message.channels, rows, strict=True):
        curve = take.base.curves[channel]
        assert_close(row[:, 0], curve.time)
        assert_close(row[:, 1], curve.value)
        assert_close(row[:, 2:6], curve.tangent.reshape(-1, 4))
        assert_close(row[:, 6:8], curve.handles)
        assert_close(row[:, 8], curve.interpolation)


def received_of(tool, scene, place):
    """What a client that shows everything receives, by kind; the preview; the scene after it."""
    point = messages.PointRef(TIP.joint, tuple(TIP.offset.tolist()))
    opened = OpenDocument(Document(History(scene)))
    presence, client = Presence(opened.subscriptions), Client(1, lambda: None)
    interactions = Interactions(opened, lambda action: action(), presence)
    opened.add_client(client)
    take = scene.characters[0].takes[0].name
    begin = messages.BeginInteraction(
        interaction=7, tool=tool.name, character="", take=take, options={}
    )
    interactions.begin(client, begin)
    subscriptions, layouts = opened.subscriptions, opened.document.model.layouts
    shown = messages.Subscribe(scene.characters[0].name, take, [point])
    subscriptions.subscribe(client, shown, scene)
    subscriptions.send_keys(client, messages.RequestKeys("", take), scene)
    subscriptions.send_frames(client, messages.RequestFrames("", take, 0, 999), scene, layouts)
    while client.next_message():
        pass
    position = tuple(place.tolist())
    update = messages.UpdateInteraction(interaction=7, point=point, time=0.3, position=position)
    interactions.update(client, update)
    preview = interactions._active[7].preview
    received = {}
    while data := client.next_message():
        message, arrays = decode(data)
        assert getattr(message, "preview_of", 7) == 7
        received[type(message).__name__] = message, arrays
    return received, preview, preview.edit.apply(scene)


def places(poses):
    return poses.reshape(len(poses), -1, 7)[..., :3]


def assert_close(found, expected):
    """As near as 32 bits can say it."""
    assert np.asarray(found) == pytest.approx(np.asarray(expected), rel=2e-7, abs=2e-7)
