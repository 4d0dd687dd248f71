"""Takes back into animations; takes of the same name become one animation over all their actors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.breaks import breaks
from arcwright.files.gltf.lanes import Lane
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.precision import Precision
from arcwright.files.gltf.spline_fit import SHORTEST, SplineFit
from arcwright.files.gltf.track import Keys, exact_keys
from arcwright.files.gltf.write_nodes import Placed
from arcwright.kinematics.sample import values_at
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take


@dataclass
class _Written:
    """One animation while it is put together."""

    tracks: list[tuple[Placed, Lane, Keys]] = field(default_factory=list)
    still: list[tuple[Placed, Lane, Keys]] = field(default_factory=list)
    duration: float = 0.0
    before: int = 0  # keys of lanes that had to be fitted
    after: int = 0
    error: float = 0.0  # m


def write_animations(output: Output, everyone: list[Placed], clip: str | None) -> list[str]:
    """Write all takes, or those of one name; what had to be approximated is said."""
    names = dict.fromkeys(take.name for placed in everyone for take in placed.actor.takes)
    warnings = []
    for name in names:
        if clip is not None and name != clip:
            continue
        written = _Written()
        for placed in everyone:
            for take in placed.actor.takes:
                if take.name == name:
                    _add_take(written, placed, take)
        _save(output, name, written)
        if written.after > written.before:
            warnings.append(
                f"clip {name!r}: {written.before} keys became {written.after} in glTF's splines, "
                f"within {max(written.error, 1e-6) * 1e3:.1g} mm"
            )
    return warnings


def _add_take(written: _Written, placed: Placed, take: Take) -> None:
    written.duration = max(written.duration, take.duration)
    wanted = [lane for lane in placed.lanes if any(channel >= 0 for channel in lane.channels)]
    layered = any(not layer.muted and layer.weight > 0 for layer in take.layers)
    if isinstance(take.base, Motion):
        _add_samples(written, placed, take, wanted)
        return
    poor: list[tuple[Lane, list[Curve]]] = []
    for lane in wanted:
        curves = [take.base.curves[c] if c >= 0 else None for c in lane.channels]
        exact = None
        if not layered and not (lane.euler and any(curves)):
            rotation = lane.path == "rotation"
            exact = exact_keys(curves, lane.default, take.duration, rotation)
        if exact is not None and not (lane.path == "rotation" and _loose(exact)):
            _keep(written, placed, lane, _mapped(lane, exact))
        else:
            poor.append((lane, [curve for curve in curves if curve is not None]))
    if poor:
        _fit(written, placed, take, poor)


def _loose(keys: Keys) -> bool:
    """Whether keys are too far from unit quaternions for glTF, which takes no others.

    Edits leave such keys, which play otherwise once they are made unit ones.
    """
    size = np.linalg.norm(keys.value, axis=1)
    return bool((abs(size - 1) > (1e-5 if keys.slope is None else 5e-4)).any())


def _mapped(lane: Lane, keys: Keys) -> Keys:
    """Exact keys with the joint's rest pose folded in."""
    if lane.euler:
        return Keys(keys.interpolation, keys.time, lane.still[None])
    slope = None if keys.slope is None else lane.slopes(keys.slope)
    return Keys(keys.interpolation, keys.time, lane.mapped(keys.value), slope)


def _fit(
    written: _Written, placed: Placed, take: Take, poor: list[tuple[Lane, list[Curve]]]
) -> None:
    """Run all fits of a take side by side, so that each round samples the take once."""
    precision = Precision(take)
    fits: list[tuple[Lane, SplineFit]] = []
    for lane, curves in poor:
        written.before += len({time for curve in curves for time in curve.time.tolist()})
        moments = breaks(curves, take.layers, take.duration)
        fit = SplineFit(moments, SHORTEST / take.rate, precision.tolerance(lane))
        fits.append((lane, fit))
    while waiting := [(lane, fit) for lane, fit in fits if not fit.done]:
        asked = [fit.wanted for _, fit in waiting]
        times, back = np.unique(np.concatenate(asked), return_inverse=True)
        # In 32 bits the end may come after the take's, where its layers are over.
        rows = values_at(take, np.minimum(times, take.duration))
        at = 0
        for (lane, fit), own in zip(waiting, asked, strict=True):
            fit.take(lane.values(rows[back[at : at + len(own)]]))
            at += len(own)
    for lane, fit in fits:
        written.after += len(fit.time)
        written.error = max(written.error, fit.error * precision.metres(lane))
        _keep(written, placed, lane, fit.keys)


def _add_samples(written: _Written, placed: Placed, take: Take, wanted: list[Lane]) -> None:
    """A motion is written sample by sample; glTF runs straight between them as we do."""
    assert isinstance(take.base, Motion)
    own = take.base.time[take.base.time >= 0]
    times: Floats = np.unique(own.astype(np.float32)).astype(np.float64)
    if len(times) == 0:
        times = np.zeros(1)
    rows = values_at(take, times)
    for lane in wanted:
        value = lane.values(rows)
        if lane.path == "rotation":
            value = _one_way(value)
        _keep(written, placed, lane, Keys("LINEAR", times, value))


def _one_way(q: Floats) -> Floats:
    flips = np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    out = q.copy()
    out[1:] *= np.cumprod(flips)[:, None]
    return out


def _keep(written: _Written, placed: Placed, lane: Lane, keys: Keys) -> None:
    """Sort a track in: moving, or constant at the node's own value and so not needed."""
    if not keys.constant:
        written.tracks.append((placed, lane, keys))
        return
    single = Keys("LINEAR", np.zeros(1), keys.value[:1])
    same = np.array_equal(single.value[0].astype(np.float32), lane.still.astype(np.float32))
    (written.still if same else written.tracks).append((placed, lane, single))


def _save(output: Output, name: str, written: _Written) -> None:
    tracks = written.tracks or written.still[:1]
    if not tracks:
        return
    longest = max(keys.time[-1] for _, _, keys in tracks)
    if np.float32(longest) < np.float32(written.duration):
        placed, lane, keys = tracks[0]
        tracks = [(placed, lane, keys.held_until(written.duration)), *tracks[1:]]
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for placed, lane, keys in tracks:
        for node in _targets(placed, lane):
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": lane.path}})
        samplers.append(_sampler(output, keys, lane.path))
    output.add("animations", {"name": name, "channels": channels, "samplers": samplers})


def _targets(placed: Placed, lane: Lane) -> list[int]:
    if lane.path == "weights":
        return placed.carriers.get(lane.joint, [])
    return [placed.nodes[lane.joint]]


def _sampler(output: Output, keys: Keys, path: str) -> dict[str, Any]:
    value = keys.rows().astype(np.float32)
    return {
        "input": output.accessor(keys.time.astype(np.float32), bounds=True),
        "interpolation": keys.interpolation,
        "output": output.accessor(value.reshape(-1) if path == "weights" else value),
    }
