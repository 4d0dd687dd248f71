"""The laws of all tools: untouched, path-free, exact undo, still hand, honest, in span, wire."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.history import History
from arcwright.scene.point import Contact, Pin, Point
from arcwright.server import messages
from arcwright.server.document.client import Window
from arcwright.server.document.display_model import model
from arcwright.server.document.subscriptions import Audience
from arcwright.server.interactions.interaction import ToolHand
from arcwright.server.interactions.preview_stream import tell_live, tell_preview
from arcwright.server.messages.encoding import decode
from arcwright.server.storage.packing import pack, unpack
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.gesture import Drag
from arcwright.tools.tool import Target
from chains import TIP, chain_scene, still_scene

PATH_FREE = 2e-3  # of the values' own units: how far two ways to one place may end apart


def scene_of(name):
    """A swinging chain, one with a pin, and a still one with a contact."""
    if name == "planted":
        return still_scene(contacts=(Contact(Point("joint2"), 0, 1),))
    return chain_scene(**({"pins": (Pin(Point("joint2"), 0, 2),)} if name == "pinned" else {}))


def limited(scene, most=3.0):
    """With joint limits: without them a root can be posed anywhere."""
    character = scene.characters[0]
    table = character.rig.channels
    bounds = np.full(len(table), most)
    rig = replace(character.rig, channels=replace(table, low=-bounds, high=bounds))
    return replace(scene, characters=(replace(character, rig=rig),))


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
def test_a_note_tells_how_far_the_point_is_after_letting_go(tool, scene):
    scene = scene_of(scene)
    for place, time in random_drags(scene):
        session = begun(tool, scene)
        preview = drag(session, place, time)
        noted = preview.notes
        after = session.finish().apply(scene).characters[0].takes[0]
        away = np.linalg.norm(trail(after, TIP, [time]).position[0] - place)
        if noted:
            assert noted[0].amount == pytest.approx(away, rel=0.1, abs=5e-4)
        else:
            assert away <= 5e-4 + 1e-9


@CASES
def test_a_moving_hand_does_not_notice_that_it_was_asked_for_notes(tool, scene):
    scene = scene_of(scene)
    asked, silent = begun(tool, scene), begun(tool, scene)
    for share in np.linspace(0.2, 1, 5):
        place = start(scene) + share * np.array([0.7, -0.4, 0.5])
        preview = drag(asked, place)
        assert isinstance(preview.notes, tuple)
        assert same(preview.pose, drag(silent, place).pose)
    assert same(asked.finish(), silent.finish())


@CASES
def test_a_hand_sent_twice_to_one_place_gives_one_answer(tool, scene):
    scene = scene_of(scene)
    session = begun(tool, scene)
    for share in np.linspace(0.2, 1, 5):
        place = start(scene) + share * np.array([0.7, -0.4, 0.5])
        first = drag(session, place).pose
        drag(session, place + 1e-9)
        assert np.abs(drag(session, place).pose - first).max() < 1e-6


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
    assert preview.reached == pytest.approx(trail(shown, TIP, [0.3]).position[0], abs=1e-9)


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
def test_what_a_window_is_told_of_a_preview_is_what_it_does(tool, scene):
    scene = scene_of(scene)
    told, preview, after = told_of(tool, scene, start(scene) + [0.04, 0.02, 0])
    take = after.characters[0].takes[0]
    message, arrays = told["Preview"]
    assert_close(message.reached, preview.reached)
    assert (message.span, message.remaining) == (preview.span, preview.short)
    assert_close(places(arrays["pose"][None]), forward(take.rig, preview.pose[None])[..., :3, 3])

    message, arrays = told["Frames"]
    times = (message.first + np.arange(len(arrays["poses"]))) / take.rate
    world = forward(take.rig, values_at(take, times))
    assert_close(places(arrays["poses"]), world[..., :3, 3])

    message, arrays = told["Curve"]
    drawn = trail(take, TIP, arrays["times"].astype(float))
    assert_close(arrays["positions"], drawn.position)

    if all(change.address[-1] == "layers" for change in preview.edit.changes):
        assert "Keys" not in told
        return
    message, arrays = told["Keys"]
    rows = np.split(arrays["keys"], np.cumsum(message.counts)[:-1])
    for channel, row in zip(message.channels, rows, strict=True):
        curve = take.base.curves[channel]
        assert_close(row[:, 0], curve.time)
        assert_close(row[:, 1], curve.value)
        assert_close(row[:, 2:6], curve.tangent.reshape(-1, 4))
        assert_close(row[:, 6:8], curve.handles)
        assert_close(row[:, 8], curve.interpolation)


def told_of(tool, scene, place):
    """What a window gets that shows everything, by kind; the preview; the scene after it."""
    spot = messages.PointRef(TIP.joint, tuple(TIP.offset.tolist()))
    window, audience = Window(1, lambda: None), Audience()
    audience.windows.append(window)
    take = scene.characters[0].takes[0].name
    grab = messages.BeginInteraction(
        interaction=7, tool=tool.name, character="", take=take, options={}
    )
    hand = ToolHand(window, scene, grab)
    audience.show(window, messages.Subscribe(scene.characters[0].name, take, [spot]), scene)
    audience.keys(window, messages.RequestKeys("", take), scene)
    audience.frames(window, messages.RequestFrames("", take, 0, 999), scene, model(scene))
    while window.next():
        pass
    preview = hand.move(
        messages.UpdateInteraction(
            interaction=7, point=spot, time=0.3, position=tuple(place.tolist())
        )
    )
    spent = tell_preview(hand, preview, model(scene))
    after = preview.edit.apply(scene)
    tell_live(audience, hand, after, model(scene), spent)
    told = {}
    while data := window.next():
        message, arrays = decode(data)
        assert getattr(message, "preview_of", 7) == 7
        told[type(message).__name__] = message, arrays
    return told, preview, after


def places(poses):
    return poses.reshape(len(poses), -1, 7)[..., :3]


def assert_close(told, meant):
    """As near as 32 bits can say it."""
    assert np.asarray(told) == pytest.approx(np.asarray(meant), rel=2e-7, abs=2e-7)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_option_says_what_it_is_for(tool):
    from dataclasses import fields

    for field in fields(tool.Options):
        assert field.metadata.get("help"), field.name
    assert replace(tool.Options()) == tool.Options()
