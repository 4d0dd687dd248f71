"""Characters that follow a stroke by their skeleton."""

from dataclasses import replace

import numpy as np

import arcwright
from arcwright.arrays import same
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.shot import Shot
from arcwright.scene.target import Target
from arcwright.tools.flow.looking import look_at
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shot_view import ShotView
from flow_scenes import prop, square, stroke_of


def standing_body():
    """A person on ground in front of a camera, and a stroke from the feet over the head."""
    body = arcwright.read("biped")
    camera = look_at([0.0, 1.2, 5.0], [0, 0.9, 0], size=(960, 540))
    scene = replace(body, props=(prop("ground", *square()),), cameras=(Shot("main", camera),))
    at = ShotView(camera).project(places(scene))
    names = scene.characters[0].rig.names
    head = at[names.index("Head")]
    foot = np.array([head[0], at[:, 1].max()])
    share = np.linspace(0, 1, 40)[:, None]
    return scene, foot + share * (head - [0, 20] - foot) + share**2 * [80, 0]


def places(scene, time=0.0):
    actor = scene.characters[0]
    values = values_at(actor.takes[0], np.array([time]))
    return forward(actor.rig, values)[0][:, :3, 3]


def test_a_body_is_posed_along_a_stroke_and_its_mesh_does_not_bend():
    scene, stroke = standing_body()
    session = FlowSession(scene, Target(), FlowOptions(characters="pose", range=300.0))
    session.update(stroke_of(scene.cameras[0].camera, stroke))
    edit = session.finish()
    after = edit.apply(scene)
    body = after.characters[0]
    assert all("Flow" not in each.morph_names for each in body.shapes)
    assert [each.name for each in body.takes[0].layers] == ["Line of action 1"]
    view = ShotView(scene.cameras[0].camera)
    moved = view.project(places(after)) - view.project(places(scene))
    head, foot = (body.rig.names.index(each) for each in ("Head", "LeftFoot"))
    assert moved[head, 0] > 15
    assert np.abs(moved[foot]).max() < 1.5
    assert same(edit.inverse().apply(after), scene)


def test_bones_keep_their_lengths():
    scene, stroke = standing_body()
    session = FlowSession(scene, Target(), FlowOptions(characters="pose", range=300.0))
    session.update(stroke_of(scene.cameras[0].camera, stroke))
    after = session.finish().apply(scene)
    parents = scene.characters[0].rig.parents
    own = np.flatnonzero(parents >= 0)
    before, now = places(scene), places(after)
    lengths = [np.linalg.norm(each[own] - each[parents[own]], axis=1) for each in (before, now)]
    assert np.abs(lengths[0] - lengths[1]).max() < 1e-6
