"""Curves changed by hand: drawn, moved by their control points, hidden, locked, or as found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import UnknownName
from arcwright.scene.flow import FlowCurve
from arcwright.tools.flow.hermite import basis, fitted
from arcwright.tools.flow.options import FlowOptions, names_in
from arcwright.tools.flow.prepared_shot import PreparedShot, covered
from arcwright.tools.flow.subjective_curves import SubjectiveCurve

_KNOTS = 6
_SMOOTH = 1e-6
_STILL = 1e-6  # px; a control point that moves less has not been moved


def edited_curves(
    known: Sequence[FlowCurve],
    prepared: PreparedShot,
    strokes: Sequence[Floats],
    handles: Mapping[str, Floats],
    options: FlowOptions,
) -> tuple[FlowCurve, ...]:
    """The curves by hand after gestures and settings."""
    found = {each.name: each for each in known}
    for name in names_in(options.release):
        found.pop(name, None)
    for name in names_in(options.hide):
        found[name] = replace(_as_it_is(found, prepared, name), hidden=True)
    for name in names_in(options.lock):
        found[name] = replace(_as_it_is(found, prepared, name), locked=True)
    stood = curve_handles(prepared, options.curve)
    moved = {
        name: at
        for name, at in handles.items()
        if name in stood and np.abs(at - stood[name]).max() > _STILL
    }
    if moved:
        found[options.curve] = _moved(prepared, found, options.curve, moved)
    if strokes and options.use == "curve":
        drawn = _drawn(prepared, np.concatenate(strokes), known)
        found |= {each.name: each for each in drawn}
    return tuple(found.values())


def curve_handles(prepared: PreparedShot, name: str) -> dict[str, Floats]:
    """The control points of a curve before any layer, (2,) px; none for an unknown one."""
    curve = next((each for each in prepared.curves if each.name == name), None)
    if curve is None:
        return {}
    knots = _spline(curve)[:_KNOTS]
    return {f"curve {row + 1}": each for row, each in enumerate(knots)}


def _curve(prepared: PreparedShot, name: str) -> SubjectiveCurve:
    curve = next((each for each in prepared.curves if each.name == name), None)
    if curve is None:
        raise UnknownName("curve", name, [each.name for each in prepared.curves])
    return curve


def _as_it_is(found: Mapping[str, FlowCurve], prepared: PreparedShot, name: str) -> FlowCurve:
    """A curve that was changed by hand, or a found one, whose shape stays as found."""
    if name in found:
        return found[name]
    curve = _curve(prepared, name)
    return FlowCurve(name, tuple(prepared.names[each] for each in curve.objects), np.zeros((0, 2)))


def _spline(curve: SubjectiveCurve) -> Floats:
    count = len(curve.points)
    parameter = np.arange(count) / count if curve.closed else np.linspace(0, 1, count)
    return fitted(curve.points, parameter, _KNOTS, _SMOOTH, closed=curve.closed)


def _moved(
    prepared: PreparedShot, found: Mapping[str, FlowCurve], name: str, to: Mapping[str, Floats]
) -> FlowCurve:
    """The curve with some control points at other places; the rest keeps its shape."""
    curve = _curve(prepared, name)
    spline = _spline(curve)
    change = np.zeros_like(spline)
    for each, at in to.items():
        row = int(each.rpartition(" ")[2]) - 1
        change[row] = at - spline[row]
    count = len(curve.points)
    parameter = np.arange(count) / count if curve.closed else np.linspace(0, 1, count)
    points = curve.points + basis(parameter, _KNOTS, closed=curve.closed) @ change
    was = _as_it_is(found, prepared, name)
    return replace(was, points=points, closed=curve.closed, hidden=False)


def _drawn(
    prepared: PreparedShot, points: Floats, known: Sequence[FlowCurve]
) -> tuple[FlowCurve, ...]:
    """A curve drawn over an object: it belongs to the one that most of it covers."""
    if len(points) < 2:
        return ()
    name = object_below(prepared, points)
    if name is None:
        return ()
    taken = sum(name in each.objects for each in known)
    return (FlowCurve(f"{name} drawn {taken + 1}", (name,), points),)


def object_below(prepared: PreparedShot, points: Floats) -> str | None:
    """The object that can be bent and is under most of some points (N, 2) px."""
    over = covered(prepared, points).sum(1) * np.array(prepared.movable)
    return prepared.names[int(over.argmax())] if over.max(initial=0) else None


def objects_below(prepared: PreparedShot, points: Floats, radius: float) -> tuple[str, ...]:
    """The objects that can be bent and are under a brush of a radius, px."""
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    around = np.concatenate([np.zeros((1, 2)), 0.5 * radius * ring, 0.95 * radius * ring])
    every = (points[:, None] + around).reshape(-1, 2)
    over = covered(prepared, every).any(1) & np.array(prepared.movable, np.bool_)
    return tuple(name for name, each in zip(prepared.names, over.tolist(), strict=True) if each)
