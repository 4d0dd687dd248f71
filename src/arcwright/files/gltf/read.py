"""Reading a glTF file into a scene."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np

from arcwright.errors import ArcwrightError, BadFile
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.document import Document, open_document
from arcwright.files.gltf.dropped import check_required, report_dropped
from arcwright.files.gltf.read_animation import read_animations
from arcwright.files.gltf.read_looks import read_look
from arcwright.files.gltf.read_meshes import Meshes
from arcwright.files.gltf.read_nodes import Nodes, groups, read_nodes, scene_roots
from arcwright.files.gltf.read_rig import RigPlan, build_rig
from arcwright.files.guess import guess_unit
from arcwright.files.units import check, rescale, turn_up
from arcwright.kinematics.forward import forward
from arcwright.scene.scene import Actor, Character, Prop, Scene, Source
from arcwright.scene.shape import Look
from arcwright.scene.take import Take

PROJECT = "ARCWRIGHT_scene"
"""The extension that makes a .glb a project file."""
_GIANT = 50.0  # m; taller skinned characters were made in another unit


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The scene in a .glb or .gltf file.

    Roots tied by skins become one character, as does all that is animated or morphs; the
    other roots become props. What was guessed, mended or dropped is in `source.warnings`.
    """
    check(unit, up)
    document = open_document(Path(path))
    if document.root.extension(PROJECT) is not None:
        # A project file under a plain name: its own reader knows more.
        scene: Scene = import_module("arcwright.files.arc").read(path, unit=unit, up=up)
        return scene
    return scene_from(document, unit, up)


def scene_from(document: Document, unit: float | None, up: str | None) -> Scene:
    """The scene in a document that is already open."""
    try:
        with np.errstate(all="ignore"):  # numbers near the edge of 32 bits are no fault of ours
            return _scene(document, unit, up)
    except BadFile:
        raise
    except ArcwrightError as error:
        raise BadFile(document.path, str(error)) from error


def _scene(document: Document, unit: float | None, up: str | None) -> Scene:
    check_required(document)
    reading = _Reading(document)
    actors = reading.actors()
    report_dropped(document)
    unit, up = _unit(document, actors) if unit is None else unit, up or "Y"
    actors = [turn_up(rescale(actor, unit), up) for actor in actors]
    kind = "glb" if document.chunk is not None else "gltf"
    source = Source(kind, unit, up, document.warnings)
    return Scene(
        name=document.path.stem,
        characters=tuple(each for each in actors if isinstance(each, Character)),
        props=tuple(each for each in actors if isinstance(each, Prop)),
        source=source,
    )


def _unit(document: Document, actors: list[Actor]) -> float:
    """1, as the standard says, unless a skinned character would be a giant."""
    rigs = [actor.rig for actor in actors if any(shape.skin for shape in actor.shapes)]
    poses = [forward(rig, rig.channels.default[None])[0, :, :3, 3] for rig in rigs]
    sizes = [float(np.ptp(pose, axis=0).max()) for pose in poses]
    if not _GIANT <= max(sizes, default=0.0) < np.inf:
        return 1.0
    unit, note = guess_unit(max(sizes))
    document.warn(f"{note}; glTF says metres: read with unit=1 to keep them")
    return unit


class _Reading:
    """What the parts of a file need to know of each other while they are put together."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.accessors = Accessors(document)
        self.meshes = Meshes(document, self.accessors)
        self.nodes: Nodes = read_nodes(document)
        self.roots = scene_roots(document, self.nodes)
        self.shown = {node for root in self.roots for node in self.nodes.tree(root)}
        self.skins = {
            node: joints
            for node in sorted(self.shown)
            if (joints := self.meshes.skin_joints(self.nodes.items[node]))
        }
        self.morphs = self._morphs()
        self.animations = read_animations(document, self.accessors, self.morphs)
        self.look: Look = read_look(document, self.accessors)

    def _morphs(self) -> dict[int, int]:
        """How many morph targets each node that is shown has."""
        found = {node: self.meshes.mesh_of(self.nodes.items[node]) for node in sorted(self.shown)}
        return {node: len(mesh.morph_names) for node, mesh in found.items() if mesh is not None}

    def actors(self) -> list[Actor]:
        """Characters and props in the order of the file's roots."""
        ties = [{node, *joints} for node, joints in self.skins.items()]
        if any(not tie <= self.shown for tie in ties):
            self.document.warn("joints of a skin are not in the scene: read all the same")
        used: set[str] = set()
        made: list[Actor] = []
        for group in groups(self.nodes, self.roots, ties):
            made.append(self._actor(self.nodes.members(group), used))
        return made

    def _actor(self, members: list[int], used: set[str]) -> Actor:
        inside = set(members)
        paths = {
            (track.node, track.path)
            for animation in self.animations
            for track in animation.tracks
            if track.node in inside
        }
        skinned = {node: joints for node, joints in self.skins.items() if node in inside}
        lively = bool(paths or skinned or any(self.morphs.get(node) for node in members))
        plan: RigPlan = build_rig(
            self.document, self.nodes, members, paths, skinned, self.meshes, lively
        )
        shapes = tuple(
            shape
            for joint, node in enumerate(members)
            if (
                shape := self.meshes.shape(
                    self.nodes.items[node], joint, plan.place, plan.rig.names[joint]
                )
            )
        )
        name = _unique(plan.rig.names[0], used)
        kind = Character if lively else Prop
        return kind(name, plan.rig, self._takes(plan), shapes, self.look)

    def _takes(self, plan: RigPlan) -> tuple[Take, ...]:
        clips = (each.clip(plan.paths, len(plan.rig.channels)) for each in self.animations)
        return tuple(Take(plan.rig, clip) for clip in clips if clip is not None)


def _unique(name: str, used: set[str]) -> str:
    unique, again = name, 2
    while unique in used:
        unique, again = f"{name}_{again}", again + 1
    used.add(unique)
    return unique
