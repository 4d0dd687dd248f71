"""Read animations: samplers become curves, one clip per animated actor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.files.gltf.accessor import Accessors, Numbers
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.frame_rate import stored_rate
from arcwright.files.gltf.item import Item
from arcwright.files.gltf.section_extras import Sections, stored_sections
from arcwright.files.names import Names
from arcwright.files.units import guess_rate
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation

PATHS = ("translation", "rotation", "scale", "weights")
_WIDTH = {"translation": 3, "rotation": 4, "scale": 3}
_BYTES_A_KEY = 40  # value and tangent of one channel


@dataclass(frozen=True)
class Track:
    """One animation channel: a property of one node, W numbers per key."""

    node: int
    path: str
    time: Floats  # (K,) s
    value: Floats  # (W, K); rotations wxyz
    tangent: Floats  # (W, K, 2, 2) as in Curve
    interpolation: Interpolation

    def curves(self) -> tuple[Curve, ...]:
        """One curve for each of the W numbers."""
        handle = Handle.FREE if self.interpolation is Interpolation.BEZIER else Handle.VECTOR
        handles = _sealed(np.full((len(self.time), 2), handle, np.int64))
        kinds = _sealed(np.full(len(self.time), self.interpolation, np.int64))
        return Curve.side_by_side(self.time, self.value, self.tangent, handles, kinds)


@dataclass(frozen=True)
class Animation:
    """One glTF animation: its name, its tracks, and how long the longest of them is."""

    name: str
    tracks: list[Track]
    rate: float | None  # frames a second, if the file says so
    sections: Sections

    @cached_property
    def nodes(self) -> frozenset[int]:
        """The nodes that move."""
        return frozenset(track.node for track in self.tracks)

    @property
    def duration(self) -> float:
        """Time of the last key, s."""
        return max((float(track.time[-1]) for track in self.tracks), default=0.0)

    def clip(self, place: dict[tuple[int, str], list[int]], count: int) -> Clip | None:
        """The clip over `count` channels; `place` says which ones a node's path drives."""
        curves: list[Curve | None] = [None] * count
        moved = [track for track in self.tracks if (track.node, track.path) in place]
        for track in moved:
            for channel, curve in zip(place[track.node, track.path], track.curves(), strict=True):
                curves[channel] = curve
        if not moved:
            return None
        rate = self.rate or guess_rate(np.concatenate([track.time for track in self.tracks]))
        return Clip(self.name, tuple(curves), max(self.duration, 0.0), rate)


def read_animations(
    document: Document, accessors: Accessors, targets: dict[int, int]
) -> list[Animation]:
    """All animations; `targets` says how many morph targets each node has."""
    read, used = [], Names()
    for number, item in enumerate(document["animations"]):
        name = item.text("name", "") or f"animation_{number}"
        unique = used.free(name)
        if unique != name:
            document.warn("animations of the same name are numbered")
        tracks = _tracks(document, accessors, item, targets)
        read.append(Animation(unique, tracks, stored_rate(item), stored_sections(item)))
    return read


def _tracks(
    document: Document, accessors: Accessors, item: Item, targets: dict[int, int]
) -> list[Track]:
    samplers = item.children("samplers", "sampler")
    found: dict[tuple[int, str], Track] = {}
    for channel in item.children("channels", "channel"):
        target = channel.child("target")
        if target is None:
            raise channel.bad("has no 'target'")
        sampler = samplers[channel.needed("sampler", len(samplers), "sampler")]
        node = target.index("node", len(document["nodes"]), "node")
        path = target.text("path")
        if node is None or path not in PATHS:
            document.warn(f"animation channels of {path!r} without a node are left out")
        elif path == "weights" and not targets.get(node):
            document.warn("animation channels of weights on nodes without morph targets left out")
        elif (node, path) in found:
            document.warn(f"{channel.label} moves the same {path} as another: left out")
        else:
            width = _WIDTH.get(path) or targets[node]
            found[node, path] = _track(document, accessors, sampler, node, path, width)
    return list(found.values())


def _track(
    document: Document, accessors: Accessors, sampler: Item, node: int, path: str, width: int
) -> Track:
    word = sampler.text("interpolation", "LINEAR")
    if word not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise sampler.bad(f"has interpolation {word!r}, which glTF does not define")
    time = _times(sampler, accessors)
    given = accessors.numbers(sampler.needed("output", len(accessors), "accessor"))
    parts = 3 if word == "CUBICSPLINE" else 1
    _check_output(sampler, given, len(time) * parts, path, width)
    document.spend(len(time) * width * _BYTES_A_KEY, sampler.label)
    keys = given.floats.astype(np.float64).reshape(len(time), parts, width)
    order = _increasing(document, sampler, time)
    time, keys = time[order], keys[order]
    if path == "rotation":
        keys = keys[:, :, [3, 0, 1, 2]]
        if word == "LINEAR":
            keys = _same_hemisphere(document, sampler, keys)
    tangent = _tangents(time, keys)
    kind = {"STEP": Interpolation.STEP, "CUBICSPLINE": Interpolation.BEZIER}.get(word)
    if kind is None:
        kind = Interpolation.SLERP if path == "rotation" else Interpolation.LINEAR
    value = np.ascontiguousarray(keys[:, parts // 2].T)
    return Track(node, path, _sealed(time), _sealed(value), _sealed(tangent), kind)


def _times(sampler: Item, accessors: Accessors) -> Floats:
    given = accessors.numbers(sampler.needed("input", len(accessors), "accessor"))
    if given.array.ndim != 1 or given.array.dtype.kind != "f":
        raise sampler.bad(f"has key times in {given.item.label}, which is not float SCALAR")
    return given.array.astype(np.float64)


def _check_output(sampler: Item, given: Numbers, rows: int, path: str, width: int) -> None:
    shape = given.array.shape[1:]
    if shape != (() if path == "weights" else (width,)):
        raise sampler.bad(f"has {path} values in {given.item.label} of another type")
    have, want = len(given.array), rows * (width if path == "weights" else 1)
    if have != want:
        raise sampler.bad(f"has {have} values in {given.item.label}, expected {want}")


def _increasing(document: Document, sampler: Item, time: Floats) -> Ints:
    """The order of increasing key times; of equal times the last key counts."""
    if (np.diff(time) > 0).all():
        return np.arange(len(time))
    document.warn(f"{sampler.label}: unordered key times were sorted, equal ones dropped")
    order = np.argsort(time, kind="stable")
    last = np.append(np.diff(time[order]) > 0, True)
    kept: Ints = order[last]
    return kept


def _same_hemisphere(document: Document, sampler: Item, keys: Floats) -> Floats:
    """Unit quaternions with signs such that slerp takes the shorter arc."""
    q = keys[:, 0].copy()
    size = np.linalg.norm(q, axis=1, keepdims=True)
    if (size < 1e-6).any():
        document.warn(f"{sampler.label}: rotations of length 0 are read as no rotation")
        q = np.where(size < 1e-6, (1.0, 0.0, 0.0, 0.0), q)
    # Float32 quaternions are left as they are, so that writing them gives the same bits.
    q = np.where((abs(size - 1) > 1e-5) & (size >= 1e-6), q / np.maximum(size, 1e-6), q)
    flips = np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    q[1:] *= np.cumprod(flips)[:, None]
    return q[:, None]


def _tangents(time: Floats, keys: Floats) -> Floats:
    """(W, K, 2, 2) handles one third along their segments: by the spline's slopes, or straight."""
    gap = np.diff(time)[:, None] / 3  # (K-1, 1)
    tangent = np.zeros((keys.shape[2], len(time), 2, 2))
    tangent[:, 1:, 0, 0] = tangent[:, :-1, 1, 0] = gap[:, 0]
    if keys.shape[1] == 3:
        tangent[:, 1:, 0, 1] = (keys[1:, 0] * gap).T
        tangent[:, :-1, 1, 1] = (keys[:-1, 2] * gap).T
    else:
        third = np.diff(keys[:, 0], axis=0).T / 3
        tangent[:, 1:, 0, 1] = tangent[:, :-1, 1, 1] = third
    return tangent


def _sealed(array: AnyArray) -> AnyArray:
    array.setflags(write=False)
    return array
