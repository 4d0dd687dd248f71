"""Flow curves on arrays: layers bend the grids of objects, one layer after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.arap import (
    ArapProblem,
    Complex,
    PointTargets,
    distortion,
    points_of,
)
from arcwright.tools.flow.matching import (
    Piece,
    PieceTargets,
    angles,
    find_pieces,
    limited,
    targets_of,
)
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.stroke_fit import FlowCurveLine, fitted_stroke

QUICK, EXACT = 6, 40  # steps of as-rigid-as-possible for a preview, and at the end
BUDGET = 2.0  # ratio of singular values that 95 % of an object's triangles keep within
COARSE_BUDGET = 1.5  # of objects of a few large faces, which shear instead of bending
_HALVINGS = 5
_SMALL = 0.07  # of the picture's width; free pieces shorter than that keep their shape
_LOOSE = 0.5  # of a sample's weight on grid vertices that no contact holds


@dataclass(frozen=True, eq=False)
class Matched:
    """A piece that a layer bends, and what became of it."""

    name: str  # of its curve
    objects: tuple[str, ...]
    piece: Piece
    free: bool  # no contact holds it: it goes to the stroke itself
    samples: Floats  # (K, 2) px as they were
    wanted: Floats  # (K, 2) px
    after: Floats  # (K, 2) px
    angle_before: float  # rad, mean
    angle_after: float
    distance_before: float  # px, mean, to where it should be
    distance_after: float
    share: float  # of the strength that the distortion budget left


@dataclass(frozen=True, eq=False)
class Bent:
    """Grids after some layers."""

    states: Mapping[int, Complex]  # of the objects that differ from rest
    matched: tuple[Matched, ...] = ()  # of the last layer
    flow: tuple[FlowCurveLine, ...] = ()  # flow curves of the last layer
    shares: Mapping[int, float] = field(default_factory=dict)


def state_of(prepared: PreparedShot, bent: Bent, index: int) -> Complex:
    """The grid vertices of an object as they are now."""
    found = bent.states.get(index)
    return prepared.grids[index].rest if found is None else found


def curve_places(prepared: PreparedShot, bent: Bent) -> list[Floats]:
    """The samples of every curve as they are now, (S, 2) px each."""
    return [
        _curve_now(prepared, bent, number)
        if set(curve.objects) & bent.states.keys()
        else curve.points
        for number, curve in enumerate(prepared.curves)
    ]


def _curve_now(prepared: PreparedShot, bent: Bent, number: int) -> Floats:
    curve, hung = prepared.curves[number], prepared.embeddings[number]
    shift = np.zeros((len(curve.points), 2))
    for index in curve.objects:
        mine = hung.object == index
        if index not in bent.states or not mine.any():
            continue
        by = points_of(bent.states[index] - prepared.grids[index].rest)
        shift[mine] = (by[hung.corners[mine]] * hung.shares[mine, :, None]).sum(1)
    loose = hung.object < 0
    if loose.any() and not loose.all():
        at = np.arange(len(loose))
        period = len(loose) if curve.closed else None
        for k in range(2):
            shift[loose, k] = np.interp(at[loose], at[~loose], shift[~loose, k], period=period)
    return curve.points + shift


def bend_along_stroke(
    prepared: PreparedShot, bent: Bent, layer: FlowLayer, *, steps: int = EXACT
) -> Bent:
    """What a stroke makes of the grids: pieces of curves follow it."""
    flow = fitted_stroke(layer.points, prepared.shot.camera.width, layer.smoothness)
    if flow is None or layer.muted or layer.strength == 0:
        return replace(bent, matched=(), flow=() if flow is None else (flow,), shares={})
    places = curve_places(prepared, bent)
    pieces = find_pieces(
        prepared.curves,
        places,
        flow,
        layer.range,
        lambda each: allowed(prepared, layer, each),
        lambda each: bool(_names(prepared, each) & set(layer.included)),
    )
    small = _SMALL * prepared.shot.camera.width
    wanted = [
        targets_of(each, places[each.curve], flow, contacts_of(prepared, each), small)
        for each in pieces
    ]
    return replace(follow(prepared, bent, places, wanted, layer, steps), flow=(flow,))


def allowed(prepared: PreparedShot, layer: FlowLayer, number: int) -> bool:
    """Whether a layer may bend along a curve: by the names of the curve and its objects."""
    curve = prepared.curves[number]
    held = any(prepared.contact_pixels[each] is not None for each in curve.objects)
    if curve.kind == "group" and not held:
        return False  # free objects go to the stroke each on its own
    names = _names(prepared, number)
    if curve.locked or not any(each in prepared.grids for each in curve.objects):
        return False
    return not names & set(layer.excluded) and (not layer.only or bool(names & set(layer.only)))


def _names(prepared: PreparedShot, number: int) -> set[str]:
    """By which a layer may mean a curve: its own, and those of its objects."""
    curve = prepared.curves[number]
    return {curve.name, *(prepared.names[each] for each in curve.objects)}


def contacts_of(prepared: PreparedShot, piece: Piece) -> Floats | None:
    """Where the objects of a piece touch others."""
    own = [prepared.contact_pixels[each] for each in prepared.curves[piece.curve].objects]
    held = [each for each in own if each is not None]
    return np.concatenate(held) if held else None


def follow(
    prepared: PreparedShot,
    bent: Bent,
    places: Sequence[Floats],
    wanted: Sequence[PieceTargets],
    layer: FlowLayer,
    steps: int,
) -> Bent:
    """Bend the grids so that pieces come to their targets, as far as the budget allows."""
    wanted = [part for each in wanted if len((part := loose_part(prepared, each)).samples) > 2]
    given = [
        limited(
            own, places[own.piece.curve], strength_at(layer, places[own.piece.curve][own.samples])
        )
        for own in wanted
    ]
    rows = _with_locked(prepared, places, _rows(prepared, given))
    if not rows:
        return replace(bent, matched=(), shares={})
    states, shares = solved(prepared, bent, rows, steps)
    after = Bent({**bent.states, **states}, shares=shares)
    moved = curve_places(prepared, after)
    matched = tuple(_matched(prepared, places, moved, full, shares) for full in wanted)
    return replace(after, matched=matched)


def strength_at(layer: FlowLayer, points: Floats) -> Floats:
    """(N, 1) the strength of a layer at points (N, 2) px: its own, times what a brush made it."""
    found = np.ones(len(points))
    for x, y, radius, value in () if layer.brush is None else layer.brush.tolist():
        away = np.sqrt(((points - [x, y]) ** 2).sum(1)) / max(radius, 1e-9)
        share = np.clip(2 - 2 * away, 0, 1)  # all of it in the inner half, soft at the edge
        share = share * share * (3 - 2 * share)
        found += share * (value - found)
    strength: Floats = layer.strength * found[:, None]
    return strength


def before_layer(bent: Bent, points: Floats) -> Floats:
    """Points (N, 2) px of a picture where they were before its last layer, by the nearest piece."""
    if not bent.matched:
        return points
    after = np.concatenate([each.after for each in bent.matched])
    back = np.concatenate([each.samples for each in bent.matched]) - after
    nearest = ((points[:, None] - after) ** 2).sum(-1).argmin(1)
    found: Floats = points + back[nearest]
    return found


def _with_locked(
    prepared: PreparedShot, places: Sequence[Floats], rows: dict[int, PointTargets]
) -> dict[int, PointTargets]:
    """With targets that keep locked curves of these objects where they are."""
    for number, curve in enumerate(prepared.curves):
        hung = prepared.embeddings[number]
        for index in set(curve.objects) & rows.keys() if curve.locked else ():
            own = hung.object == index
            held = PointTargets(hung.corners[own], hung.shares[own], places[number][own])
            rows[index] = PointTargets.joined([rows[index], held])
    return rows


def loose_part(prepared: PreparedShot, wanted: PieceTargets) -> PieceTargets:
    """Without the samples that contacts hold."""
    hung = prepared.embeddings[wanted.piece.curve]
    owner = hung.object[wanted.samples]
    loose = np.zeros(len(owner))
    for index in np.unique(owner[owner >= 0]).tolist():
        own = owner == index
        held = np.zeros(len(prepared.grids[index].grid.vertices), np.bool_)
        held[prepared.grids[index].fixed] = True
        at = wanted.samples[own]
        loose[own] = (np.abs(hung.shares[at]) * ~held[hung.corners[at]]).sum(1)
    kept = loose > _LOOSE
    return replace(
        wanted,
        samples=wanted.samples[kept],
        targets=wanted.targets[kept],
        tangents=wanted.tangents[kept],
    )


def _rows(prepared: PreparedShot, wanted: Sequence[PieceTargets]) -> dict[int, PointTargets]:
    """The targets of each object."""
    parts: dict[int, list[PointTargets]] = {}
    for each in wanted:
        hung = prepared.embeddings[each.piece.curve]
        owner = hung.object[each.samples]
        for index in np.unique(owner[owner >= 0]).tolist():
            mine = each.samples[owner == index]
            targets = each.targets[owner == index]
            rows = PointTargets(hung.corners[mine], hung.shares[mine], targets)
            parts.setdefault(index, []).append(rows)
    return {index: PointTargets.joined(rows) for index, rows in parts.items()}


def solved(
    prepared: PreparedShot, bent: Bent, rows: Mapping[int, PointTargets], steps: int
) -> tuple[dict[int, Complex], dict[int, float]]:
    """New grid vertices of each object, and which share of the way the budget let it go.

    Objects that would be distorted too much go as far as halving the interval finds they may.
    """
    states = _solve(prepared, bent, rows, dict.fromkeys(rows, 1.0), steps)
    shares = dict.fromkeys(rows, 1.0)
    too_far = [each for each, state in states.items() if not within_budget(prepared, each, state)]
    low, high = dict.fromkeys(too_far, 0.0), dict.fromkeys(too_far, 1.0)
    for index in too_far:
        states[index], shares[index] = state_of(prepared, bent, index), 0.0
    for _ in range(_HALVINGS if too_far else 0):
        middle = {each: (low[each] + high[each]) / 2 for each in too_far}
        found = _solve(prepared, bent, {each: rows[each] for each in too_far}, middle, steps)
        for index, state in found.items():
            if within_budget(prepared, index, state):
                states[index], shares[index] = state, middle[index]
                low[index] = middle[index]
            else:
                high[index] = middle[index]
    return states, shares


def _solve(
    prepared: PreparedShot,
    bent: Bent,
    rows: Mapping[int, PointTargets],
    shares: Mapping[int, float],
    steps: int,
) -> dict[int, Complex]:
    order = list(rows)
    before = [state_of(prepared, bent, each) for each in order]
    targets = []
    for index, start in zip(order, before, strict=True):
        now = points_of(rows[index].at(start))
        goal = now + shares[index] * (rows[index].targets - now)
        targets.append(replace(rows[index], targets=goal))
    problem = ArapProblem([prepared.grids[each] for each in order], targets, before)
    return dict(zip(order, problem.solve(steps), strict=True))


def within_budget(prepared: PreparedShot, index: int, state: Complex) -> bool:
    """No flipped triangle of the grid, and 95 % of them within the budget."""
    grid = prepared.grids[index]
    large, small = distortion(grid.rest, state, grid.grid.triangles)
    if (small <= 0).any():
        return False
    budget = COARSE_BUDGET if prepared.objects[index].coarse else BUDGET
    return bool(np.percentile(large / small, 95) <= budget)


def _matched(
    prepared: PreparedShot,
    places: Sequence[Floats],
    moved: Sequence[Floats],
    full: PieceTargets,
    shares: Mapping[int, float],
) -> Matched:
    number = full.piece.curve
    curve = prepared.curves[number]
    start, end = places[number][full.samples], moved[number][full.samples]
    own = [shares[each] for each in curve.objects if each in shares]
    return Matched(
        name=curve.name,
        objects=tuple(prepared.names[each] for each in curve.objects),
        piece=full.piece,
        free=contacts_of(prepared, full.piece) is None,
        samples=start,
        wanted=full.targets,
        after=end,
        angle_before=float(angles(start, full.tangents).mean()),
        angle_after=float(angles(end, full.tangents).mean()),
        distance_before=float(np.sqrt(((start - full.targets) ** 2).sum(1)).mean()),
        distance_after=float(np.sqrt(((end - full.targets) ** 2).sum(1)).mean()),
        share=min(own, default=1.0),
    )


def moved_vertices(prepared: PreparedShot, bent: Bent) -> dict[int, Floats]:
    """How far the vertices of each bent object move, (V, 3) m; their distances are kept (3.9)."""
    found = {}
    for index, state in bent.states.items():
        corners, shares = prepared.vertex_places[index]
        by = points_of(state - prepared.grids[index].rest)
        if not np.abs(by).max(initial=0.0) > 0:
            continue
        pixels = prepared.pixels[index]
        item = prepared.objects[index]
        away = prepared.view.distance(item.positions)
        shift = (by[corners] * shares[..., None]).sum(1)
        now = prepared.view.at_distance(pixels + shift, away)
        found[index] = now - prepared.view.at_distance(pixels, away)
    return found
