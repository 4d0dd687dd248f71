"""Loops of simulated cloth and hair (fig. 5.10): period, closure, time, and stretched edges.

Run `make bench-cycle-simulations`; writes pictures into docs/pictures/cycle. A cloth of 51 x 51
points in gusts and 87 strands of hair on a swaying head are simulated by position-based dynamics,
with a drive that repeats with a tempo that varies and with noise. With the drive itself as one
more number, that makes the 7,804 and 2,611 dimensions of the paper's examples.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.picture.camera import framed
from arcwright.picture.strip import strip
from arcwright.tools.cycle.extraction.edge_lengths import edge_groups, edge_stretch, restore_lengths
from arcwright.tools.cycle.extraction.model import (
    Cycle,
    PerformedSamples,
    extract,
    periods,
    signal_of,
)
from arcwright.tools.cycle.extraction.phase import align
from drawing.small_png import write_small
from drawing.wires import BLUE, GREEN, YELLOW, Wire, draw_wires

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "cycle"
RATE, SUBSTEPS, SWEEPS = 30.0, 16, 3
WARM_UP, FRAMES = 90, 300
PERIOD, TEMPO = 1.4, 0.05  # s, and how much its logarithm varies from cycle to cycle
KEPT = 0.996  # of the speed, in a substep
GRAVITY = np.array([0.0, -9.81, 0.0])  # m/s^2
SIDE = 51  # points of the cloth each way
STRANDS, LINKS = 87, 10


@dataclass(frozen=True, eq=False)
class Simulation:
    """Points of a simulation in time, and what holds them together."""

    name: str
    points: Floats  # (N, V, 3) m
    drive: Floats  # (N,)
    edges: Ints  # (E, 2)
    lengths: Floats  # (E,) m
    pinned: Bools  # (V,)
    wires: list[Ints]  # points of each line that is drawn
    period: float  # s, the mean of the drive's cycles

    @property
    def values(self) -> Floats:
        """(N, 3 V + 1)"""
        return np.column_stack([self.points.reshape(len(self.points), -1), self.drive])


def main() -> None:
    """Simulate, extract, print and draw."""
    print(
        f"{'simulation':12}{'dims':>6}{'true':>7}{'period':>8}{'cycles':>8}{'CPU s':>7}"
        f"{'position':>10}{'velocity':>10}{'accel.':>8}   edges off their length, mean and p99:"
        " simulated, loop, restored"
    )
    for simulate in (cloth, hair):
        _report(simulate())


def _report(simulation: Simulation) -> None:
    values = simulation.values
    samples = PerformedSamples(np.arange(len(values)) / RATE, values, values)
    start = time.thread_time()
    signal = signal_of(samples)
    best = periods(samples, signal)[0]
    cycle = extract(samples, signal, align(signal, best), round(best.period * RATE))
    spent = time.thread_time() - start
    loop = cycle.loop[:, :-1].reshape(len(cycle.loop), -1, 3)
    start = time.thread_time()
    restored = restored_loop(simulation, loop)
    again = time.thread_time() - start
    gaps = cycle.closure
    used = f"{sum(cycle.used)}/{len(cycle.used)}"
    print(
        f"{simulation.name:12}{values.shape[1]:6}{simulation.period:7.3f}{cycle.period:8.3f}"
        f"{used:>8}{spent:7.2f}"
        f"{gaps.position:10.0e}{gaps.velocity:10.0e}{gaps.acceleration:8.2f}   "
        + ", ".join(_off(simulation, each) for each in (simulation.points, loop, restored))
        + f" (restored in {again:.2f} s)",
        flush=True,
    )
    _draw(simulation, cycle, restored)


def restored_loop(simulation: Simulation, loop: Floats) -> Floats:
    """The loop with edges as long as they are in the simulation, on average."""
    lengths = simulation.lengths * (
        1 + edge_stretch(simulation.points, simulation.edges, simulation.lengths).mean(axis=0)
    )
    return restore_lengths(loop, simulation.edges, lengths, pinned=simulation.pinned)


def _off(simulation: Simulation, points: Floats) -> str:
    off = np.abs(edge_stretch(points, simulation.edges, simulation.lengths))
    return f"{off.mean():.2%} {np.percentile(off, 99):.2%}"


def cloth() -> Simulation:
    """A square cloth that hangs from its upper edge in gusts from the front."""
    index = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    edges = np.concatenate(
        [
            np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1),
            np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1),
            np.stack([index[:-1, :-1].ravel(), index[1:, 1:].ravel()], axis=1),
        ]
    )
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, SIDE), np.linspace(1.0, 0.0, SIDE))
    start = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    pinned = np.zeros(len(start), bool)
    pinned[index[0]] = True
    fall = (1.0 - y).ravel()

    def push(phase: float, points: Floats, random: np.random.Generator) -> Floats:
        force = np.zeros_like(points)
        gust = 6.0 * np.sin(phase) + 2.5 * np.sin(2 * phase + 0.7) + random.normal()
        force[:, 2] = gust * fall * (1 + 0.3 * np.sin(6 * points[:, 0] + phase))
        force[:, 0] = 1.5 * np.cos(phase) * fall
        return force

    wires = [*index[::5], *index.T[::5]]
    return _simulated("cloth", start, edges, pinned, push, wires)


def hair() -> Simulation:
    """Strands on a round head that nods and sways."""
    random = np.random.default_rng(7)
    around = np.linspace(0, 2 * np.pi, STRANDS, endpoint=False)
    high = random.uniform(0.3, 0.95, STRANDS)
    wide = np.sqrt(1 - high**2)
    out = np.stack([wide * np.cos(around), high, wide * np.sin(around)], axis=1)
    reach = 0.1 + 0.03 * np.arange(LINKS)[None, :, None]
    start = (out[:, None] * reach).reshape(-1, 3)
    index = np.arange(STRANDS * LINKS).reshape(STRANDS, LINKS)
    edges = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    pinned = np.zeros(len(start), bool)
    pinned[index[:, 0]] = True

    def push(phase: float, points: Floats, random: np.random.Generator) -> Floats:
        force = np.zeros_like(points)
        force[:, 0] = 9.0 * np.sin(phase) + random.normal()
        force[:, 2] = 4.0 * np.cos(2 * phase) + random.normal()
        away = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-9)
        inside = np.linalg.norm(points, axis=1, keepdims=True) < 0.105
        return force + 60.0 * inside * away

    return _simulated("hair", start, edges, pinned, push, list(index))


def _simulated(
    name: str,
    start: Floats,
    edges: Ints,
    pinned: Bools,
    push: Callable[[float, Floats, np.random.Generator], Floats],
    wires: list[Ints],
) -> Simulation:
    """Verlet steps, then a few projections of the edges' lengths, for every substep."""
    random = np.random.default_rng(3)
    groups = edge_groups(edges)
    lengths = np.linalg.norm(start[edges[:, 1]] - start[edges[:, 0]], axis=1)
    now, before = start.copy(), start.copy()
    step = 1 / RATE / SUBSTEPS
    phases, tempi = _phases(random)
    kept = []
    for frame, phase in enumerate(phases):
        for _ in range(SUBSTEPS):
            force = push(float(phase), now, random) + GRAVITY
            moved = now + KEPT * (now - before) + force * step**2
            moved[pinned] = start[pinned]
            before, now = now, _projected(moved, edges, lengths, pinned, groups)
        if frame >= WARM_UP:
            kept.append(now.copy())
    drive = np.sin(phases[WARM_UP:])
    return Simulation(
        name, np.array(kept), drive, edges, lengths, pinned, wires, float(np.mean(tempi))
    )


def _projected(
    points: Floats, edges: Ints, lengths: Floats, pinned: Bools, groups: list[Ints]
) -> Floats:
    share = np.where(pinned, 0.0, 1.0)
    for _ in range(SWEEPS):
        for group in groups:
            one, other = edges[group].T
            apart = points[other] - points[one]
            length = np.sqrt(np.einsum("ec,ec->e", apart, apart))
            much = (1 - lengths[group] / length) / np.maximum(share[one] + share[other], 1e-9)
            apart *= much[:, None]
            points[one] += share[one][:, None] * apart
            points[other] -= share[other][:, None] * apart
    return points


def _phases(random: np.random.Generator) -> tuple[Floats, list[float]]:
    """The phase of the drive at each frame, and the lengths of its cycles that are kept."""
    starts, lengths = [0.0], []
    while starts[-1] < (WARM_UP + FRAMES) / RATE:
        lengths.append(PERIOD * float(np.exp(TEMPO * random.normal())))
        starts.append(starts[-1] + lengths[-1])
    at = np.arange(WARM_UP + FRAMES) / RATE
    phase = 2 * np.pi * np.interp(at, starts, np.arange(len(starts)))
    kept = [each for each, start in zip(lengths, starts, strict=False) if start > WARM_UP / RATE]
    return phase, kept


def _draw(simulation: Simulation, cycle: Cycle, loop: Floats) -> None:
    """Two simulated cycles in blue and yellow, the loop in green, at four phases."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    used = np.flatnonzero(cycle.used)[:2]
    every = np.concatenate([loop[:: max(len(loop) // 8, 1)].reshape(-1, 3)])
    camera = framed(every, np.array([-0.6, -0.25, -1.0]), (300, 300))
    panels = []
    for share in np.arange(4) / 4:
        wires = []
        for tint, which in zip((BLUE, YELLOW), used, strict=False):
            phase = which + cycle.start + share
            at = cycle.alignment.at(np.array([phase]))[0]
            frame = int(np.clip(round(at), 0, len(simulation.points) - 1))
            points = simulation.points[frame]
            wires += [Wire(points[each], tint, 0.7, 0.55) for each in simulation.wires]
        points = loop[int(share * len(loop))]
        wires += [Wire(points[each], GREEN, 0.9) for each in simulation.wires]
        panels.append((draw_wires(wires, camera), f"phase {share:.2f}"))
    sheet = strip(panels, title=f"{simulation.name}: two simulated cycles and the loop")
    write_small(sheet, PICTURES / f"{simulation.name}.png")


if __name__ == "__main__":
    main()
