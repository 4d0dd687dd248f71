"""What the layers of every key of a composition do to the meshes."""

from __future__ import annotations

from arcwright.scene.flow import Flow
from arcwright.scene.scene import Scene
from arcwright.solve.threads import on_one_thread
from arcwright.tools.flow.layers import apply_layers
from arcwright.tools.flow.result import Offsets, offsets_of
from arcwright.tools.flow.shot_keys import prepared_keys


@on_one_thread
def key_offsets(scene: Scene, flow: Flow) -> list[Offsets]:
    """Offsets of the vertices of each part at each key of a composition."""
    return [
        offsets_of(scene, prepared, apply_layers(prepared, key.layers), flow.takes, lift=flow.lift)
        for prepared, key in zip(prepared_keys(scene, flow), flow.all_keys, strict=True)
    ]
