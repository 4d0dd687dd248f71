"""The model of a scene: everyone's bodies as one GLB, and how poses go onto its nodes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.lanes import Lane
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write_looks import write_looks
from arcwright.files.gltf.write_meshes import MeshWriter
from arcwright.files.gltf.write_nodes import Placed, write_actor
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import layout
from arcwright.kinematics.rotation import quaternion_from_matrix
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.server.messages.encoding import Single

_XYZW = [1, 2, 3, 0]


@dataclass(frozen=True, eq=False)
class Body:
    """An actor in the model file."""

    actor: Actor  # as it was when the model was made
    nodes: list[int]  # (J,) of each joint
    lanes: list[Lane]  # morph weights, in the order of poses
    carriers: list[tuple[int, int, int]] = field(default_factory=list)  # node, first weight, count

    @property
    def stride(self) -> int:
        """Floats per joint: 12 where joints can stretch, else 7."""
        return 12 if len(layout(self.actor.rig).stretching) else 7

    @property
    def weights(self) -> list[int]:
        """Channels of morph weights; -1 where a target has none."""
        return [channel for lane in self.lanes for channel in lane.channels]

    @property
    def width(self) -> int:
        """Floats of one pose."""
        return len(self.nodes) * self.stride + len(self.weights)

    def poses(self, rig: Rig, values: Floats) -> Single:
        """(T, width) of channel values (T, C)."""
        world = forward(rig, values)
        count = len(values)
        if self.stride == 12:
            joints = world[:, :, :3].reshape(count, -1)
        else:
            turned = quaternion_from_matrix(world[..., :3, :3])[..., _XYZW]
            joints = np.concatenate([world[..., :3, 3], turned], axis=-1).reshape(count, -1)
        lanes = [lane.values(values) for lane in self.lanes]
        return np.concatenate([joints, *lanes], axis=1, dtype=np.float32, casting="same_kind")


@dataclass(frozen=True, eq=False)
class Model:
    """The file, its name, and everyone in it by name."""

    name: str
    data: bytes
    bodies: dict[str, Body]

    def fits(self, scene: Scene) -> bool:
        """Whether everyone in the scene still looks like this."""
        everyone = actors(scene)
        return [each.name for each in everyone] == list(self.bodies) and all(
            _alike(self.bodies[each.name].actor, each) for each in everyone
        )


def model(scene: Scene) -> Model:
    """The model of a scene; takes are left out."""
    output = Output()
    everyone = [replace(actor, takes=()) for actor in actors(scene)]
    meshes = MeshWriter(output, write_looks(output, [actor.look for actor in everyone]))
    roots: list[int] = []
    placed = [write_actor(output, meshes, actor, roots) for actor in everyone]
    output.gltf["scene"] = 0
    output.add("scenes", {"nodes": roots} if roots else {})
    data = b"".join(output.glb())
    bodies = {each.actor.name: _body(each) for each in placed}
    return Model(f"{sha256(data).hexdigest()[:16]}.glb", data, bodies)


def actors(scene: Scene) -> tuple[Actor, ...]:
    """Characters, then props."""
    return (*scene.characters, *scene.props)


def _body(placed: Placed) -> Body:
    lanes = [lane for lane in placed.lanes if lane.path == "weights"]
    body = Body(placed.actor, placed.nodes, lanes)
    first = 0
    for lane in lanes:
        count = len(lane.channels)
        nodes = placed.carriers.get(lane.joint, [])
        body.carriers.extend((node, first, count) for node in nodes)
        first += count
    return body


def _alike(a: Actor, b: Actor) -> bool:
    if a.shapes is not b.shapes or a.look is not b.look:
        return False
    if a.rig is b.rig:
        return True
    drawn = ("parents", "offset", "rest", "scale")
    return a.rig.names == b.rig.names and all(
        getattr(a.rig, name) is getattr(b.rig, name) for name in drawn
    )
