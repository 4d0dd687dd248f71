"""The display model of a scene: the meshes of all actors as one GLB file, which clients draw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write_looks import write_looks
from arcwright.files.gltf.write_meshes import MeshWriter
from arcwright.files.gltf.write_nodes import WrittenActor, write_actor
from arcwright.scene.scene import Actor, Scene
from arcwright.server.document.array_messages import PoseLayout, actors


@dataclass(frozen=True, eq=False)
class DisplayModel:
    """The file, its name, and how poses of each actor are laid out for it."""

    name: str
    data: bytes
    layouts: dict[str, PoseLayout]  # by the name of the actor

    def fits(self, scene: Scene) -> bool:
        """Whether the actors of a scene still look like this."""
        shown = actors(scene)
        return [each.name for each in shown] == list(self.layouts) and all(
            _alike(self.layouts[each.name].actor, each) for each in shown
        )


def display_model(scene: Scene) -> DisplayModel:
    """Build the display model of a scene."""
    output = Output()
    shown = [replace(actor, takes=()) for actor in actors(scene)]
    meshes = MeshWriter(output, write_looks(output, [actor.look for actor in shown]))
    roots: list[int] = []
    placed = [write_actor(output, meshes, actor, roots) for actor in shown]
    output.gltf["scene"] = 0
    output.add("scenes", {"nodes": roots} if roots else {})
    data = b"".join(output.glb())
    layouts = {each.actor.name: _layout(each) for each in placed}
    return DisplayModel(f"{sha256(data).hexdigest()[:16]}.glb", data, layouts)


def _layout(placed: WrittenActor) -> PoseLayout:
    morph_weights = [each for each in placed.node_properties if each.path == "weights"]
    layout = PoseLayout(placed.actor, placed.nodes, morph_weights, shapes=placed.shape_nodes)
    first = 0
    for each in morph_weights:
        count = len(each.channels)
        nodes = placed.mesh_nodes.get(each.joint, [])
        layout.carriers.extend((node, first, count) for node in nodes)
        first += count
    return layout


def _alike(a: Actor, b: Actor) -> bool:
    if a.shapes is not b.shapes or a.look is not b.look:
        return False
    if a.rig is b.rig:
        return True
    drawn = ("parents", "offset", "rest", "scale")
    return a.rig.names == b.rig.names and all(
        getattr(a.rig, name) is getattr(b.rig, name) for name in drawn
    )
