"""Acting a known loop with a device: samples with the synthetic noise of a hand, all of it stated.

Tempo: cycle lengths vary by 7 % (standard deviation) where nothing plays yet; over a loop that
plays, each cycle starts 4 % of a beat early or late; a beat is a cycle where nothing else is said.
Within a cycle the timing varies by 2 %.
Confidence: the first cycle has 78 % of the size, the next ones grow towards all of it; each
varies by 5 %. Shape: 4 % of the movement's rms, slower than two cycles a period; drift: 3 % of it
from start to end. Tremor, jitter and rate are those of the device.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats

TEMPO = 0.07  # of a cycle's length
TIMING = 0.04  # of a beat: start of a cycle over a loop that plays
WARP = 0.02  # of a period, within a cycle
FIRST_SIZE, GROWTH = 0.78, 1.2  # size of the first cycle; cycles in which 63 % of the rest is won
SIZE = 0.05  # of a cycle's size
SHAPE, DRIFT = 0.04, 0.03  # of the rms
PICKUP = 1.0  # of a period: at rest for the first half of it, then into the loop
TREMOR = 8.0, 12.0  # Hz


@dataclass(frozen=True)
class Device:
    """How often a device says where it is, and how exactly a hand holds it."""

    rate: float  # Hz
    uneven: float  # of the time between two samples
    dropped: float  # share of samples that never come
    tremor: float  # m, or of an axis; angles in units of 0.3 m
    jitter: float  # m or of an axis, of each sample


DEVICES = {
    "mouse": Device(80.0, 0.15, 0.01, 0.0006, 0.0003),
    "pen": Device(100.0, 0.05, 0.002, 0.0004, 0.0002),
    "gamepad": Device(60.0, 0.02, 0.005, 0.004, 0.002),
    "controller": Device(72.0, 0.03, 0.005, 0.0010, 0.0003),
}


@dataclass(frozen=True, eq=False)
class ActedSamples:
    """What was acted: values at times, and where the true cycles began."""

    times: Floats  # (N,) s, of the playhead
    values: Floats  # (N, V)
    cuts: Floats  # (K + 1,) s


def act(
    loop: Floats,  # (P, V) at even phases, offsets from rest
    period: float,  # s, of the loop
    plays: float,  # s, period of what plays already; 0 where nothing does
    cycles: int,
    device: Device,
    random: np.random.Generator,
    beats: int = 1,  # of a cycle
) -> ActedSamples:
    """Act `loop` a few times after one cycle to join in; over what plays, in time with it."""
    cuts = _cuts(period, plays, cycles, beats, random)
    first, last = cuts[0] - PICKUP * period, cuts[-1] + random.uniform(0.05, 0.3) * period
    times = _times(first, last, device, random)
    phase = _phases(times, cuts, period)
    warp = WARP * period * _smooth(random, times, 1, period / 2)[:, 0]
    values = looped(loop, phase + warp / period)
    middle = loop.mean(axis=0)
    size = np.sqrt(np.square(loop - middle).sum(axis=1).mean() / loop.shape[1])
    values = middle + (values - middle) * _sizes(phase, cycles, random)[:, None]
    values += SHAPE * size * _smooth(random, times, loop.shape[1], period / 2)
    drift = DRIFT * size * random.normal(size=loop.shape[1])
    values += np.outer((times - first) / (last - first), drift)
    begun = np.clip(2 * (times - first) / (cuts[0] - first) - 1, 0, 1)[:, None]
    values *= begun**2 * (3 - 2 * begun)
    values += device.tremor * _tremor(random, times, loop.shape[1])
    values += device.jitter * random.normal(size=values.shape)
    return ActedSamples(times, values, cuts)


def looped(loop: Floats, phase: Floats) -> Floats:
    """(N, V) values of a closed loop at phases, by cubics through its places."""
    count = len(loop)
    place = (phase % 1.0) * count
    index = np.floor(place).astype(int)
    u = (place - index)[:, None]
    a, b, c, d = (loop[(index + step) % count] for step in (-1, 0, 1, 2))
    cubic = b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)))
    return np.asarray(cubic)


def _cuts(
    period: float, plays: float, cycles: int, beats: int, random: np.random.Generator
) -> Floats:
    """When cycles begin: by the own tempo, whose mean is the period, or with what plays."""
    if not plays:
        lengths = np.exp(TEMPO * random.normal(size=cycles))
        lengths *= period * cycles / lengths.sum()
        return PICKUP * period + np.concatenate([[0.0], np.cumsum(lengths)])
    late = TIMING * period / beats * np.clip(random.normal(size=cycles + 1), -2, 2)
    begun = plays * (1 + np.ceil(PICKUP * period / plays))
    return np.asarray(begun + period * np.arange(cycles + 1) + late)


def _times(first: float, last: float, device: Device, random: np.random.Generator) -> Floats:
    count = int((last - first) * device.rate)
    steps = np.clip(1 + device.uneven * random.normal(size=count), 0.2, 3) / device.rate
    times = first + np.cumsum(steps)
    kept = random.uniform(size=count) >= device.dropped
    kept[0] = True
    return np.rint(times[kept & (times <= last)] * 8192) / 8192


def _phases(times: Floats, cuts: Floats, period: float) -> Floats:
    """Rising phases, whole at the cuts: cubics whose tempo changes without a corner."""
    before, after = cuts[0] - period, cuts[-1] + period
    knots = np.concatenate([[before], cuts, [after]])
    lengths = np.diff(knots)
    tempo = 2 / (lengths[:-1] + lengths[1:])
    slopes = np.concatenate([[1 / period], tempo, [1 / period]])
    at = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(lengths) - 1)
    u, wide = (times - knots[at]) / lengths[at], lengths[at]
    rise = u * u * (3 - 2 * u)
    bend = wide * ((u**3 - 2 * u**2 + u) * slopes[at] + (u**3 - u**2) * slopes[at + 1])
    return np.asarray(at - 1 + rise + bend)


def _sizes(phase: Floats, cycles: int, random: np.random.Generator) -> Floats:
    """(N,) how large the movement is: it grows with confidence and varies from cycle to cycle."""
    own = 1 + SIZE * random.normal(size=cycles + 2)
    varied = np.interp(phase, np.arange(-1, cycles + 1), own)
    return np.asarray(varied * (1 - (1 - FIRST_SIZE) * np.exp(-np.maximum(phase, 0) / GROWTH)))


def _smooth(random: np.random.Generator, times: Floats, size: int, shortest: float) -> Floats:
    """(N, size) noise of unit rms that holds nothing faster than a period of `shortest` s."""
    return _band(random, times, size, np.linspace(0.2, 1.0, 12) / shortest)


def _tremor(random: np.random.Generator, times: Floats, size: int) -> Floats:
    return _band(random, times, size, np.linspace(*TREMOR, 12))


def _band(random: np.random.Generator, times: Floats, size: int, frequencies: Floats) -> Floats:
    shift = 2 * np.pi * random.uniform(size=(len(frequencies), size))
    angle = 2 * np.pi * np.multiply.outer(times, frequencies)[..., None] + shift
    waves: Floats = np.sqrt(2 / len(frequencies)) * np.sin(angle).sum(axis=1)
    return waves
