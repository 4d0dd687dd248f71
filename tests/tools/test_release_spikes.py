"""A released drag holds no jump between frames that neither the take had nor the drag needs."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import characters
from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Contact, Point
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from arcwright.tools.tool import Target

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
        scene, characters=(replace(actor, takes=(take,)),), contacts=contacts, pins=(), props=()
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
