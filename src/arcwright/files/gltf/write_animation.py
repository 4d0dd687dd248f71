"""Write takes as animations; takes of the same name become one animation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.breakpoints import breakpoints
from arcwright.files.gltf.fit_tolerance import FitTolerance
from arcwright.files.gltf.frame_rate import rate_extras
from arcwright.files.gltf.gltf_keys import GltfKeys, exact_keys
from arcwright.files.gltf.node_properties import NodeProperty
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.section_extras import Sections, section_extras
from arcwright.files.gltf.spline_fit import SHORTEST, SplineFit
from arcwright.files.gltf.write_nodes import WrittenActor
from arcwright.kinematics.sample import values_at
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take


@dataclass
class _Animation:
    """One animation while it is put together."""

    tracks: list[tuple[WrittenActor, NodeProperty, GltfKeys]] = field(default_factory=list)
    still: list[tuple[WrittenActor, NodeProperty, GltfKeys]] = field(default_factory=list)
    duration: float = 0.0
    rate: float = 24.0
    keys_before: int = 0  # keys of properties that had to be fitted
    keys_after: int = 0
    error: float = 0.0  # m
    sections: Sections = field(default_factory=dict)


def write_animations(output: Output, actors: list[WrittenActor], only: str | None) -> list[str]:
    """Write all takes, or those of one name; returns notes on approximations."""
    names = dict.fromkeys(take.name for actor in actors for take in actor.actor.takes)
    warnings = []
    for name in names:
        if only is not None and name != only:
            continue
        written = _Animation()
        for actor in actors:
            for take in actor.actor.takes:
                if take.name == name:
                    _add_take(written, actor, take)
                    written.sections[take.rig.names[0]] = take.sections
        _save(output, name, written)
        if written.keys_after > written.keys_before:
            warnings.append(
                f"take {name!r}: {written.keys_before} keys became {written.keys_after} "
                f"glTF spline keys, within {max(written.error, 1e-6) * 1e3:.1g} mm"
            )
    return warnings


def _add_take(written: _Animation, actor: WrittenActor, take: Take) -> None:
    written.duration, written.rate = max(written.duration, take.duration), take.rate
    animated = [
        target
        for target in actor.node_properties
        if any(channel >= 0 for channel in target.channels)
    ]
    layered = any(not layer.muted and layer.weight > 0 for layer in take.layers)
    if isinstance(take.base, Motion):
        _add_samples(written, actor, take, animated)
        return
    inexact: list[tuple[NodeProperty, list[Curve]]] = []
    for target in animated:
        curves = [take.base.curves[c] if c >= 0 else None for c in target.channels]
        exact = None
        if not layered and not (target.euler and any(curves)):
            rotation = target.path == "rotation"
            exact = exact_keys(curves, target.default, take.duration, rotation)
        if exact is not None and not (target.path == "rotation" and _needs_normalising(exact)):
            _add_track(written, actor, target, _mapped(target, exact))
        else:
            inexact.append((target, [curve for curve in curves if curve is not None]))
    if inexact:
        _fit(written, actor, take, inexact)


def _needs_normalising(keys: GltfKeys) -> bool:
    """Whether keys are too far from unit quaternions for glTF, which requires them.

    Edits may leave such keys; normalising them would change the motion between them.
    """
    size = np.linalg.norm(keys.value, axis=1)
    return bool((abs(size - 1) > (1e-5 if keys.slope is None else 5e-4)).any())


def _mapped(target: NodeProperty, keys: GltfKeys) -> GltfKeys:
    """Exact keys with the joint's rest pose included."""
    if target.euler:
        return GltfKeys(keys.interpolation, keys.time, target.rest_value[None])
    slope = None if keys.slope is None else target.slopes(keys.slope)
    return GltfKeys(keys.interpolation, keys.time, target.mapped(keys.value), slope)


def _fit(
    written: _Animation,
    actor: WrittenActor,
    take: Take,
    inexact: list[tuple[NodeProperty, list[Curve]]],
) -> None:
    """Run all fits of a take together, so that each iteration samples the take once."""
    tolerances = FitTolerance(take)
    fits: list[tuple[NodeProperty, SplineFit]] = []
    for target, curves in inexact:
        written.keys_before += len({time for curve in curves for time in curve.time.tolist()})
        moments = breakpoints(curves, take.layers, take.duration)
        fit = SplineFit(moments, SHORTEST / take.rate, tolerances.tolerance(target))
        fits.append((target, fit))
    while unfinished := [(target, fit) for target, fit in fits if not fit.done]:
        requested = [fit.sample_times for _, fit in unfinished]
        times, back = np.unique(np.concatenate(requested), return_inverse=True)
        # In 32 bits the end may come after the take's, where its layers are over.
        rows = values_at(take, np.minimum(times, take.duration))
        at = 0
        for (target, fit), own in zip(unfinished, requested, strict=True):
            fit.take(target.values(rows[back[at : at + len(own)]]))
            at += len(own)
    for target, fit in fits:
        written.keys_after += len(fit.time)
        written.error = max(written.error, fit.error * tolerances.metres(target))
        _add_track(written, actor, target, fit.keys)


def _add_samples(
    written: _Animation, actor: WrittenActor, take: Take, animated: list[NodeProperty]
) -> None:
    """Write a motion sample by sample; glTF interpolates linearly between them as well."""
    assert isinstance(take.base, Motion)
    own = take.base.time[take.base.time >= 0]
    times: Floats = np.unique(own.astype(np.float32)).astype(np.float64)
    if len(times) == 0:
        times = np.zeros(1)
    rows = values_at(take, times)
    for target in animated:
        value = target.values(rows)
        if target.path == "rotation":
            value = _same_hemisphere(value)
        _add_track(written, actor, target, GltfKeys("LINEAR", times, value))


def _same_hemisphere(q: Floats) -> Floats:
    flips = np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    out = q.copy()
    out[1:] *= np.cumprod(flips)[:, None]
    return out


def _add_track(
    written: _Animation, actor: WrittenActor, target: NodeProperty, keys: GltfKeys
) -> None:
    """Add a track; one that is constant at the node's own value goes to `still`."""
    if not keys.constant:
        written.tracks.append((actor, target, keys))
        return
    single = GltfKeys("LINEAR", np.zeros(1), keys.value[:1])
    same = np.array_equal(single.value[0].astype(np.float32), target.rest_value.astype(np.float32))
    (written.still if same else written.tracks).append((actor, target, single))


def _save(output: Output, name: str, written: _Animation) -> None:
    tracks = written.tracks or written.still[:1]
    if not tracks:
        return
    longest = max(keys.time[-1] for _, _, keys in tracks)
    if np.float32(longest) < np.float32(written.duration):
        actor, target, keys = tracks[0]
        tracks = [(actor, target, keys.held_until(written.duration)), *tracks[1:]]
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for actor, target, keys in tracks:
        for node in _targets(actor, target):
            channels.append(
                {"sampler": len(samplers), "target": {"node": node, "path": target.path}}
            )
        samplers.append(_sampler(output, keys, target.path))
    extras = rate_extras(written.rate, [keys.time for _, _, keys in tracks])
    extras |= section_extras(written.sections)
    animation = {"name": name, "channels": channels, "samplers": samplers}
    output.add("animations", animation | ({"extras": extras} if extras else {}))


def _targets(actor: WrittenActor, target: NodeProperty) -> list[int]:
    if target.path == "weights":
        return actor.mesh_nodes.get(target.joint, [])
    return [actor.nodes[target.joint]]


def _sampler(output: Output, keys: GltfKeys, path: str) -> dict[str, Any]:
    value = keys.rows().astype(np.float32)
    return {
        "input": output.accessor(keys.time.astype(np.float32), bounds=True),
        "interpolation": keys.interpolation,
        "output": output.accessor(value.reshape(-1) if path == "weights" else value),
    }
