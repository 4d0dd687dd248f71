"""A network of flow curves that lead to one point of the picture (3.7, 3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.hermite import basis, fitted, lengths, resampled, tangents
from arcwright.tools.flow.matching import Piece, PieceTargets, targets_of
from arcwright.tools.flow.model import EXACT, Bent, allowed, contacts_of, curve_places, follow
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.stroke_fit import FlowCurveLine

_COSINE = 0.5  # 60 degrees, between a curve and one that influences it
_STEP = 6.0  # px, of the extrapolation
_SCALE = 720.0  # px of the picture's height for which distances count as they are
_SAMPLES = 64
_KNOTS = 6
_BROAD = 0.6  # width over length
_MOST_TURN = 1.9  # rad, that the end of a curve may turn; more deforms the scene too much


@dataclass(frozen=True, eq=False)
class Network:
    """Flow curves to a centre, and which curves follow each."""

    curves: tuple[FlowCurveLine, ...]
    members: tuple[tuple[int, ...], ...]


def centre_of(circle: Floats) -> Floats:
    """(2,) the centre of mass of a sketched circle, by arc length."""
    around = len(circle) > 2 and lengths(circle)[-1] > 1e-9
    centre: Floats = (resampled(circle, 64, closed=True) if around else circle).mean(0)
    return centre


def network(places: Sequence[Floats], centre: Floats, reach: float, height: float) -> Network:
    """Flow curves from open curves (S, 2) px: extrapolated, clustered, averaged, bent."""
    if not places:
        return Network((), ())
    grown, influence = [], []
    for index in range(len(places)):
        line, from_whom = _extrapolated(places, index, reach, height)
        grown.append(line)
        influence.append(from_whom)
    curves, members = [], []
    for own in _clusters(places, grown, influence, reach):
        mean = _covered(_average([grown[each] for each in own]), [places[each] for each in own])
        bent = _bent_to(mean, centre)
        if bent is not None:
            curves.append(FlowCurveLine.of(bent))
            members.append(tuple(own))
    return Network(tuple(curves), tuple(members))


def _clusters(
    places: Sequence[Floats], grown: Sequence[Floats], influence: Sequence[set[int]], reach: float
) -> list[list[int]]:
    """Curves that influenced each other and run beside each other, around the longest ones."""
    left = sorted(range(len(places)), key=lambda each: -float(lengths(grown[each])[-1]))
    found = []
    while left:
        seed = left[0]
        own = [seed] + [
            each
            for each in left[1:]
            if (each in influence[seed] or seed in influence[each])
            and _apart(places[each], grown[seed]) < reach
        ]
        found.append(own)
        left = [each for each in left if each not in own]
    return found


def _apart(points: Floats, line: Floats) -> float:
    """The mean distance of points from a line, px."""
    return float(np.sqrt(((points[:, None] - line) ** 2).sum(-1).min(1)).mean())


def _extrapolated(
    places: Sequence[Floats], index: int, reach: float, height: float
) -> tuple[Floats, set[int]]:
    """A curve continued at both ends as its neighbours run (3.7), and which these were."""
    others = [each for each in range(len(places)) if each != index]
    points = np.concatenate([places[each] for each in others]) if others else np.zeros((0, 2))
    along = [tangents(places[each]) for each in others]
    ways = np.concatenate(along) if others else points
    owner = np.concatenate([np.full(len(places[each]), each) for each in others] or [np.zeros(0)])
    own = places[index]
    seen: set[int] = set()
    ends = []
    for line in (own, own[::-1]):
        ends.append(_continued(line, points, ways, owner.astype(int), reach, height, seen))
    return np.concatenate([ends[1][::-1], own, ends[0]]), seen


def _continued(
    line: Floats,
    points: Floats,
    ways: Floats,
    owner: Floats,
    reach: float,
    height: float,
    seen: set[int],
) -> Floats:
    at, way = line[-1], tangents(line)[-1]
    found = []
    for _ in range(int(reach / _STEP) if len(points) else 0):
        away = np.sqrt(((points - at) ** 2).sum(1))
        nearest = _nearest_of_each(away, owner)
        signed = ways[nearest] * np.sign(ways[nearest] @ way)[:, None]
        near = (away[nearest] < reach) & (signed @ way > _COSINE)
        if not near.any():
            break
        seen |= set(owner[nearest[near]].tolist())
        weight = 1 / (1 + (away[nearest[near]] * _SCALE / height) ** 2)
        way = (weight[:, None] * signed[near]).sum(0)
        way /= max(float(np.linalg.norm(way)), 1e-9)
        at = at + _STEP * way
        found.append(at)
    return np.array(found).reshape(-1, 2)


def _nearest_of_each(away: Floats, owner: Floats) -> Floats:
    """The nearest point of each curve."""
    order = np.lexsort((away, owner))
    first = np.concatenate([[True], owner[order][1:] != owner[order][:-1]])
    found: Floats = order[first]
    return found


def _average(lines: Sequence[Floats]) -> Floats:
    """The mean of lines by a common parameter, all run the same way; smooth."""
    even = [resampled(each, _SAMPLES) for each in lines]
    longest = max(even, key=lambda each: float(lengths(each)[-1]))
    way = longest[-1] - longest[0]
    turned = [each[::-1] if (each[-1] - each[0]) @ way < 0 else each for each in even]
    mean = np.mean(turned, axis=0)
    parameter = np.linspace(0, 1, _SAMPLES)
    return basis(parameter, _KNOTS) @ fitted(mean, parameter, _KNOTS, 1e-5)


def _covered(line: Floats, members: Sequence[Floats]) -> Floats:
    """The part of a line that runs beside its members."""
    points = np.concatenate(members)
    nearest = ((points[:, None] - line) ** 2).sum(-1).argmin(1)
    first, last = int(nearest.min()), int(nearest.max())
    return resampled(line[first : last + 1], _SAMPLES) if last > first + 2 else line


def _bent_to(line: Floats, centre: Floats) -> Floats | None:
    """The line with one end fixed, bent so that the other points to the centre; None for too much.

    Of both ends the one is bent that needs less.
    """
    ways = [bent_end(each, centre) for each in (line, line[::-1])]
    bent, turn = min(ways, key=lambda each: abs(each[1]))
    return None if abs(turn) > _MOST_TURN else bent


def bent_end(line: Floats, centre: Floats) -> tuple[Floats, float]:
    """A line bent so that its end points to the centre, and by how much its end turns, rad.

    Instead of (3.8) with weights: the length is kept, directions turn by phi u^2 along the line,
    which keeps position and tangent of the start and adds even curvature, and phi is found so
    that the angle between gamma'(1) and centre - gamma(1) is 0.
    """
    steps = np.diff(line, axis=0)
    share = (np.arange(len(steps)) + 0.5) / len(steps)
    steps = steps[:, 0] + 1j * steps[:, 1]
    goal = complex(*centre)

    def turned(angle: float) -> Floats:
        moved = steps * np.exp(1j * angle * share**2)
        ends = complex(*line[0]) + np.concatenate([[0], np.cumsum(moved)])
        return np.stack([ends.real, ends.imag], axis=1)

    def error(angle: float) -> float:
        ends = turned(angle)
        tip = complex(*ends[-1])
        last = steps[-1] * np.exp(1j * angle * share[-1] ** 2)
        return float(np.angle((goal - tip) / last)) if abs(goal - tip) > 1e-9 else 0.0

    tried = np.linspace(-np.pi, np.pi, 73)
    errors = np.array([error(each) for each in tried.tolist()])
    crossing = (errors[:-1] * errors[1:] <= 0) & (np.abs(errors[:-1] - errors[1:]) < 1.5)
    if not crossing.any():
        return line, np.inf
    middle = np.abs(tried[:-1] + tried[1:])
    start = int(np.flatnonzero(crossing)[middle[crossing].argmin()])
    low, high = float(tried[start]), float(tried[start + 1])
    for _ in range(40):
        mean = (low + high) / 2
        low, high = (mean, high) if error(low) * error(mean) > 0 else (low, mean)
    return turned((low + high) / 2), (low + high) / 2


def bend_to_centre(
    prepared: PreparedShot, bent: Bent, layer: FlowLayer, *, steps: int = EXACT
) -> Bent:
    """What a centre point makes of the grids: each cluster of curves follows its flow curve."""
    if layer.muted or layer.strength == 0:
        return Bent(bent.states)
    places = curve_places(prepared, bent)
    open_ = _open_curves(prepared, layer)
    height = prepared.shot.camera.height
    centre = centre_of(layer.points)
    found = network([places[each] for each in open_], centre, layer.range, height)
    wanted: list[PieceTargets] = []
    for curve, members in zip(found.curves, found.members, strict=True):
        for member in members:
            led = _along(prepared, open_[member], places[open_[member]], curve)
            led = None if led is None else _led_to(led, centre, prepared)
            wanted += [] if led is None else [led]
    after = follow(prepared, bent, places, wanted, layer, steps)
    return replace(after, flow=found.curves)


def _open_curves(prepared: PreparedShot, layer: FlowLayer) -> list[int]:
    """Curves with two ends, of objects that the layer may bend."""
    return [
        index
        for index, curve in enumerate(prepared.curves)
        if curve.kind in ("principal", "drawn")
        and not curve.closed
        and not (curve.second and _broad(prepared, curve.objects[0]))
        and allowed(prepared, layer, index)
    ]


def _broad(prepared: PreparedShot, index: int) -> bool:
    """Whether an object is too broad for its axis to lead anywhere."""
    found = prepared.found[index]
    return found is None or found.width > _BROAD


def _led_to(led: PieceTargets, centre: Floats, prepared: PreparedShot) -> PieceTargets | None:
    """Targets bent a little more, so that their own end points to the centre; None for too much.

    A curve whose object touches others starts where it does, beside the flow curve.
    """
    contacts = contacts_of(prepared, led.piece)
    ends = led.targets[[0, -1]]
    if contacts is None:
        tip_last = not led.piece.reversed
    else:
        away = np.sqrt(((ends[:, None] - contacts) ** 2).sum(-1)).min(1)
        tip_last = bool(away[1] >= away[0])
    line = led.targets if tip_last else led.targets[::-1]
    bent, turn = bent_end(line, centre)
    if abs(turn) > _MOST_TURN:
        return None
    bent = bent if tip_last else bent[::-1]
    return replace(led, targets=bent, tangents=tangents(bent))


def _along(
    prepared: PreparedShot, curve: int, points: Floats, flow: FlowCurveLine
) -> PieceTargets | None:
    """A whole curve along a flow curve; None where little of it would be on that."""
    away = ((points[:, None] - flow.points) ** 2).sum(-1)
    nearest = flow.along[away.argmin(1)]
    mean = float(np.sqrt(away.min(1)).mean())
    length = float(lengths(points)[-1])
    backwards = bool(nearest[-1] < nearest[0])
    piece = Piece(curve, np.arange(len(points)), nearest, backwards, length, mean, 0.0)
    led = targets_of(piece, points, flow, contacts_of(prepared, piece))
    return led if len(led.samples) > len(points) / 2 else None
