"""A file of strokes that bends a scene: what `arcwright flow` does."""

from arcwright.flow_file.compose import compose, list_curves, with_new_meshes
from arcwright.flow_file.read import FlowFile, flow_of, read_flow_file

__all__ = [
    "FlowFile",
    "compose",
    "flow_of",
    "list_curves",
    "read_flow_file",
    "with_new_meshes",
]
