"""A released drag holds no jump between frames that neither the take had nor the drag needs."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import characters
from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from arcwright.tools.shared.jumps import Jump
from arcwright.tools.tangent import release
from arcwright.tools.tangent.tool import TangentOptions, TangentTool

EVERY = 0.5  # s between key poses
SHIFT = 0.05  # m, of the drags


def swaying(off=0.01):
    """A standing biped whose feet are a little off their place in every second key pose."""
    scene = characters.built_in("biped:stand")
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.arange(7) * EVERY
    values = np.repeat(values_at(take, np.zeros(1)), len(times), axis=0)
    values[1::2, 0] += off
    values[2::4, 2] -= off
    curves = tuple(keyed(times, each) for each in values.T)
    take = replace(take, base=replace(take.base, curves=curves, duration=float(times[-1])))
    contacts = tuple(Contact(Point(f"{side}Foot"), 0, times[-1]) for side in ("Left", "Right"))
    return replace(
        scene, characters=(replace(actor, takes=(take,)),), constraints=contacts, props=()
    )


def dragged(scene, joint, time, by, moves=8):
    """The session after its last move, and the last preview."""
    take = scene.characters[0].takes[0]
    start = trail(take, Point(joint), [time]).position[0]
    session = TangentTool().begin(scene, Target(), TangentOptions())
    for share in np.linspace(0, 1, moves + 1)[1:]:
        drag = Drag(Point(joint), time, position=start + share * np.asarray(by))
        preview = session.update(drag)
    return session, preview


def played(scene):
    """(T, J, 3) where joints are at every frame."""
    take = scene.characters[0].takes[0]
    times = np.arange(round(take.duration * take.rate) + 1) / take.rate
    return forward(take.rig, values_at(take, times))[..., :3, 3]


@pytest.mark.parametrize("by", [(SHIFT, 0, 0), (0, -SHIFT, 0), (0, 0, -SHIFT)])
def test_feet_that_key_poses_hold_a_little_off_their_contact_do_not_make_joints_jump(by):
    scene = swaying()
    session, preview = dragged(scene, "Hips", 1.7, by)
    before = played(scene)
    shown, after = (played(edit.apply(scene)) for edit in (preview.edit, session.finish()))
    change = np.linalg.norm(np.diff(after - before, axis=0), axis=-1)
    frames = EVERY * scene.characters[0].takes[0].rate
    assert not session.notes()
    assert change.max() < 5 * SHIFT / (frames / 2)
    assert np.linalg.norm(shown - after, axis=-1).max() < SHIFT / 2


def jumping(scene, time, by):
    """The session, and the largest step of a joint between frames before and after."""
    session, _ = dragged(scene, "Hips", time, by)
    steps = [
        np.linalg.norm(np.diff(played(each), axis=0), axis=-1).max()
        for each in (scene, session.finish().apply(scene))
    ]
    return session, *steps


def test_a_drag_too_close_to_a_key_for_its_way_says_which_joint_jumps():
    session, before, after = jumping(swaying(), 1.5 + 1 / 24, (0.15, 0, 0))
    assert after > 2 * before + 0.07
    noted = [note for note in session.notes() if note.kind == "jumps"]
    assert len(noted) == 1
    assert noted[0].amount == pytest.approx(after, rel=0.5)
    assert "close to a key" in noted[0].text


def test_a_drag_with_room_says_nothing():
    session, _, _ = jumping(swaying(), 1.75, (0.05, 0, 0))
    assert session.notes() == ()


def test_a_jump_that_the_drag_does_not_need_holds_the_drag_back(monkeypatch):
    """Whatever makes the solver jump: here every answer beyond a third of the way counts as one."""
    scene = swaying()
    take = scene.characters[0].takes[0]
    start = trail(take, "Hips", [1.7]).position[0]

    def worst_jump(take, after, *_):
        moved = trail(after, "Hips", [1.7]).position[0] - start
        far = bool(np.linalg.norm(moved) > SHIFT / 3)
        return Jump("LeftLowerLeg", 40, 0.2, needed=False) if far else None

    monkeypatch.setattr(release, "worst_jump", worst_jump)
    session, _ = dragged(scene, "Hips", 1.7, (SHIFT, 0, 0))
    after = session.finish().apply(scene).characters[0].takes[0]
    moved = trail(after, "Hips", [1.7]).position[0] - start
    np.testing.assert_allclose(moved, (SHIFT * 5 / 16, 0, 0), atol=1e-5)
    (note,) = session.notes()
    assert note.kind == "residual"
    assert note.amount == pytest.approx(SHIFT * 11 / 16, abs=1e-5)
    assert "closer, LeftLowerLeg would jump 20.0 cm between frames 40 and 41" in note.text


def test_timing_may_make_joints_faster():
    scene = swaying()
    session = TangentTool().begin(scene, Target(), TangentOptions())
    session.update(Drag(Point("Hips"), 1.7, time_scale=-0.9))
    session.finish()
    assert not [note for note in session.notes() if note.kind == "jumps"]


def test_a_pose_between_keys_that_are_close_says_which_joint_jumps():
    scene = swaying()
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.arange(36) * 2 / take.rate
    values = np.repeat(values_at(take, np.zeros(1)), len(times), axis=0)
    curves = tuple(keyed(times, each) for each in values.T)
    take = replace(take, base=replace(take.base, curves=curves))
    scene = replace(scene, characters=(replace(actor, takes=(take,)),), constraints=())
    session = PoseTool().begin(scene, Target(), PoseOptions())
    place = trail(take, "LeftHand", [1.0]).position[0]
    session.update(Drag(Point("LeftHand"), 1.0, position=place + [0, 0.2, 0.1]))
    (note,) = session.notes()
    assert note.kind == "jumps"
    assert "the keys beside frame 24 are close" in note.text
    session.update(Drag(Point("LeftHand"), 1.0, position=place + [0, 0.02, 0]))
    assert session.notes() == ()
