"""Hold curve values and automatic handles against Blender's own, where bpy is installed.

Run `python benchmarks/curves_vs_blender.py` with an environment that has NumPy and bpy
(`pip install bpy==5.0.1 'numpy<2'`), with `src` on PYTHONPATH.
"""

from __future__ import annotations

import time

import bpy
import numpy as np

from arcwright.curves.evaluate import evaluate, evaluate_curve
from arcwright.curves.keys import keyed
from arcwright.curves.pack import pack_curves
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation

NAMES = {
    Handle.FREE: "FREE",
    Handle.AUTO: "AUTO",
    Handle.AUTO_CLAMPED: "AUTO_CLAMPED",
    Handle.VECTOR: "VECTOR",
}
MODES = {
    Interpolation.BEZIER: "BEZIER",
    Interpolation.LINEAR: "LINEAR",
    Interpolation.STEP: "CONSTANT",
}
CYCLES = {
    Extrapolation.CYCLE: "REPEAT",
    Extrapolation.CYCLE_OFFSET: "REPEAT_OFFSET",
    Extrapolation.MIRROR: "MIRROR",
}


class Bench:
    """A new action whose F-curves are ours, frame for second."""

    def __init__(self) -> None:
        action = bpy.data.actions.new("curves")
        slot = action.slots.new("OBJECT", "slot")
        strip = action.layers.new("layer").strips.new(type="KEYFRAME")
        self.bag = strip.channelbag(slot, ensure=True)

    def add(self, curve: Curve, smooth: bool = True) -> bpy.types.FCurve:
        """Blender's curve with the same keys, its handles worked out by Blender."""
        made = self.bag.fcurves.new("x", index=len(self.bag.fcurves))
        made.auto_smoothing = "CONT_ACCEL" if smooth else "NONE"
        points = made.keyframe_points
        made.extrapolation = "LINEAR" if curve.before == Extrapolation.LINEAR else "CONSTANT"
        at = np.stack([curve.time, curve.value], axis=-1)
        # Times at once: Blender merges keys at equal times whenever anything else is set.
        points.add(len(curve))
        points.foreach_set("co", at.ravel())
        kinds = [NAMES[Handle(kind)] for kind in curve.handles.ravel()]
        for k, point in enumerate(points):
            point.handle_left_type, point.handle_right_type = kinds[2 * k : 2 * k + 2]
            point.interpolation = MODES[Interpolation(curve.interpolation[k])]
        points.foreach_set("handle_left", (at - curve.tangent[:, 0]).ravel())
        points.foreach_set("handle_right", (at + curve.tangent[:, 1]).ravel())
        if curve.before in CYCLES:
            cycle = made.modifiers.new("CYCLES")
            cycle.mode_before, cycle.mode_after = CYCLES[curve.before], CYCLES[curve.after]
        made.update()
        return made


def tangents(made: bpy.types.FCurve) -> np.ndarray:
    flat = np.zeros((3, len(made.keyframe_points), 2))
    for row, name in zip(flat, ("handle_left", "co", "handle_right"), strict=True):
        out = np.zeros(row.size, np.float32)
        made.keyframe_points.foreach_get(name, out)
        row[:] = out.reshape(row.shape)
    return np.stack([flat[1] - flat[0], flat[2] - flat[1]], axis=1)


def free_curve(rng: np.random.Generator) -> Curve:
    count = int(rng.integers(2, 9))
    times = np.cumsum(rng.integers(2, 20, count)).astype(float)
    gap = np.diff(times, prepend=times[0] - 5, append=times[-1] + 5)
    runs = np.stack([gap[:-1], gap[1:]], axis=-1) * rng.uniform(0.05, 1.5, (count, 2))
    tangent = np.stack([runs, rng.normal(0, 1, (count, 2))], axis=-1)
    way = Extrapolation(int(rng.integers(5)))
    kinds = np.full((count, 2), Handle.FREE)
    return Curve(
        times, rng.normal(0, 2, count), tangent, kinds, rng.integers(3, size=count), way, way
    )


def compare_values(rng: np.random.Generator, curves: int = 400) -> float:
    worst = 0.0
    bench = Bench()
    for _ in range(curves):
        curve = free_curve(rng)
        made = bench.add(curve)
        times = np.concatenate([np.arange(-60.0, 200.0, 1.0), rng.uniform(-20, 150, 60)])
        inner = abs(times[:, None] - curve.time).min(axis=1) > 1e-3
        times = np.concatenate([times[inner], curve.time])
        if curve.before in CYCLES:
            span = curve.time[-1] - curve.time[0]
            seam = (times - curve.time[0]) / span
            times = times[abs(seam - np.round(seam)) > 1e-4]
        theirs = np.array([made.evaluate(t) for t in times])
        worst = max(worst, float(abs(evaluate_curve(curve, times) - theirs).max(initial=0)))
    return worst


def compare_handles(
    rng: np.random.Generator, handle: Handle, smooth: bool, way: Extrapolation, curves: int = 300
) -> float:
    worst = 0.0
    bench = Bench()
    for _ in range(curves):
        count = int(rng.integers(2, 12))
        times = np.cumsum(rng.integers(1, 25, count)).astype(float)
        values = np.cumsum(rng.normal(0.6, 1, count))
        if rng.random() < 0.3:
            values = np.round(values)
        curve = keyed(times, values, handle, smooth=smooth, before=way, after=way)
        made = bench.add(curve, smooth)
        apart = abs(tangents(made) - curve.tangent)
        if way in CYCLES:
            # Never seen in a cycle: before the first and after the last key Blender mirrors.
            apart[0, 0] = apart[-1, 1] = 0
        worst = max(worst, float(apart.max()))
    return worst


def compare_speed(rng: np.random.Generator) -> tuple[float, float]:
    """Seconds for 240 curves of 20 keys at 240 frames, ours and theirs."""
    bench, curves = Bench(), []
    for _ in range(240):
        times = np.sort(rng.choice(240, 20, replace=False)).astype(float)
        curve = keyed(times, rng.normal(size=20), smooth=False)
        curves.append(curve)
        bench.add(curve, smooth=False)
    packed = pack_curves(curves, np.zeros(240))
    ours = min(_seconds(lambda: evaluate(packed, np.arange(240.0))) for _ in range(9))
    made = list(bench.bag.fcurves)
    theirs = min(
        _seconds(lambda: [[f.evaluate(t) for t in range(240)] for f in made]) for _ in range(3)
    )
    return ours, theirs


def _seconds(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


def main() -> None:
    rng = np.random.default_rng(5)
    print(f"Blender {bpy.app.version_string} (float32), largest differences:")
    print(f"  values, 400 curves with free handles, all extrapolations: {compare_values(rng):.1e}")
    ways = (
        Extrapolation.HOLD,
        Extrapolation.LINEAR,
        Extrapolation.CYCLE,
        Extrapolation.CYCLE_OFFSET,
    )
    for handle in (Handle.AUTO, Handle.AUTO_CLAMPED, Handle.VECTOR):
        for smooth in (False, True):
            for way in ways:
                worst = compare_handles(rng, handle, smooth, way)
                kind = "smooth" if smooth else "local"
                print(f"  handles {handle.name:13} {kind:6} {way.name:13}: {worst:.1e}")
    ours, theirs = compare_speed(rng)
    took = f"{ours * 1e3:.1f} ms, Blender {theirs * 1e3:.1f} ms ({theirs / ours:.1f}x)"
    print(f"240 curves x 240 frames: {took}")


if __name__ == "__main__":
    main()
