"""Read a glTF file into a scene."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np

from arcwright.errors import faults_of
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.document import Document, open_document
from arcwright.files.gltf.dropped import check_required, report_dropped
from arcwright.files.gltf.read_animation import read_animations
from arcwright.files.gltf.read_looks import read_look
from arcwright.files.gltf.read_meshes import Meshes
from arcwright.files.gltf.read_nodes import Nodes, groups, read_nodes, scene_roots
from arcwright.files.gltf.read_rig import RigPlan, build_rig
from arcwright.files.names import Names
from arcwright.files.units import check, guess_unit, rescale, rotate_to_y_up
from arcwright.kinematics.forward import forward
from arcwright.scene.scene import Actor, Character, Prop, Scene, Source
from arcwright.scene.shape import Look
from arcwright.scene.take import Take

PROJECT = "ARCWRIGHT_scene"
"""The extension that makes a .glb a project file."""
_MANY = 2000  # the most separate actors; the most joints of a rig that is measured
_GIANT = 50.0  # m; taller skinned characters were made in another unit


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The scene in a .glb or .gltf file.

    Roots tied by skins become one character, as does all that is animated or morphs; the
    other roots become props. Guesses, repairs and losses are listed in `source.warnings`.
    """
    check(unit, up)
    document = open_document(Path(path))
    if document.root.extension(PROJECT) is not None:
        # A project file with suffix .glb: its own reader restores more.
        project = import_module("arcwright.files.arc.read")
        scene: Scene = project.scene_in(document, unit, up)
        return scene
    return scene_from(document, unit, up)


def scene_from(document: Document, unit: float | None, up: str | None) -> Scene:
    """The scene in a document that is already open."""
    # numbers near the edge of 32 bits are no fault of ours
    with faults_of(document.path), np.errstate(all="ignore"):
        return _scene(document, unit, up)


def _scene(document: Document, unit: float | None, up: str | None) -> Scene:
    check_required(document)
    reading = _Reading(document)
    actors = reading.actors()
    report_dropped(document)
    unit, up = _unit(document, actors) if unit is None else unit, up or "Y"
    actors = [rotate_to_y_up(rescale(actor, unit), up) for actor in actors]
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
    rigs = [rig for rig in rigs if len(rig.names) <= _MANY]
    poses = [forward(rig, rig.channels.default[None])[0, :, :3, 3] for rig in rigs]
    sizes = [float(np.ptp(pose, axis=0).max()) for pose in poses]
    if not _GIANT <= max(sizes, default=0.0) < np.inf:
        return 1.0
    unit, note = guess_unit(max(sizes))
    document.warn(f"{note}; glTF says metres: read with unit=1 to keep them")
    return unit


class _Reading:
    """State shared by the readers of one file."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.accessors = Accessors(document)
        self.meshes = Meshes(document, self.accessors)
        self.nodes: Nodes = read_nodes(document)
        self.roots = scene_roots(document, self.nodes)
        shown = sorted(node for root in self.roots for node in self.nodes.tree(root))
        items = self.nodes.items
        self.skins = {n: skin for n in shown if (skin := self.meshes.skin_of(items[n])) is not None}
        found = {node: self.meshes.mesh_of(items[node]) for node in shown}
        self.morphs = {n: len(mesh.morph_names) for n, mesh in found.items() if mesh is not None}
        self.animations = read_animations(document, self.accessors, self.morphs)
        self.paths: dict[int, set[str]] = {}
        for track in (track for each in self.animations for track in each.tracks):
            self.paths.setdefault(track.node, set()).add(track.path)
        self.look: Look = read_look(document, self.accessors)

    def actors(self) -> list[Actor]:
        """Characters and props in the order of the file's roots."""
        actors = [self._actor(self.nodes.members(group)) for group in self._groups()]
        used, names = Names(), dict[int, str]()
        for actor in sorted(actors, key=lambda each: isinstance(each, Prop)):  # as they are written
            names[id(actor)] = used.free(actor.name)
        return [replace(actor, name=names[id(actor)]) for actor in actors]

    def _groups(self) -> list[list[int]]:
        """The roots of each actor; beyond `_MANY` roots all become one actor."""
        top = self.nodes.roots
        joints = {skin: self.meshes.joints(skin) for skin in set(self.skins.values())}
        ties = [(top[each[0]], top[joint]) for each in joints.values() for joint in each]
        ties += [(top[node], top[joints[skin][0]]) for node, skin in self.skins.items()]
        if not {root for tie in ties for root in tie} <= set(self.roots):
            self.document.warn("joints of a skin are not in the scene: read all the same")
        self._check_skeletons(joints)
        found = groups(self.roots, ties)
        if len(found) <= _MANY:
            return found
        self.document.warn(f"{len(found)} separate objects are read as one")
        return [[root for group in found for root in group]]

    def _check_skeletons(self, joints: dict[int, list[int]]) -> None:
        """`skin.skeleton` is only a hint; a wrong one is reported and not used."""
        for skin, bones in joints.items():
            item = self.document["skins"][skin]
            root = item.index("skeleton", len(self.nodes.items), "node")
            if root is not None and not set(bones) <= set(self.nodes.tree(root)):
                self.document.warn(f"{item.label}: its skeleton is not above its joints")

    def _actor(self, members: list[int]) -> Actor:
        paths = {(node, path) for node in members for path in self.paths.get(node, ())}
        skins = {self.skins[node] for node in members if node in self.skins}
        bones = {joint for skin in skins for joint in self.meshes.joints(skin)}
        animatable = bool(paths or bones or any(self.morphs.get(node) for node in members))
        plan: RigPlan = build_rig(
            self.document, self.nodes, members, paths, bones, self.meshes, animatable
        )
        names = plan.rig.names
        made = (
            self.meshes.shape(self.nodes.items[node], joint, plan.place, names[joint])
            for joint, node in enumerate(members)
        )
        shapes = tuple(shape for shape in made if shape is not None)
        kind = Character if animatable else Prop
        return kind(names[0], plan.rig, self._takes(plan), shapes, self.look)

    def _takes(self, plan: RigPlan) -> tuple[Take, ...]:
        moving = [each for each in self.animations if not each.nodes.isdisjoint(plan.place.keys())]
        clips = [(each.clip(plan.paths, len(plan.rig.channels)), each) for each in moving]
        root = plan.rig.names[0]
        takes = tuple(
            Take(plan.rig, clip, sections=each.sections.get(root, ()))
            for clip, each in clips
            if clip is not None
        )
        for take in takes:
            self.document.spend_on(take)
        return takes
