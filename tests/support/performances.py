"""Synthetic performances: a known loop acted several times, unevenly, with a person's noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

import arcwright
from arcwright.arrays import Floats

KINDS = ("drawn", "half", "body", "walk")
RATE = 60.0  # samples per second
PHASES = 240


@dataclass(frozen=True, eq=False)
class ActedLoop:
    """A performance and the truth behind it."""

    time: Floats  # (N,) s
    values: Floats  # (N, D)
    period: float  # s, the mean length of its cycles
    loop: Floats  # (PHASES, D) the loop that was acted
    cuts: Floats  # (K + 1,) s
    phases: Floats  # (N,) the true phase of each sample, rising by 1 in each cycle


def act(kind: str, jitter: float, seed: int) -> ActedLoop:
    """Act a loop 3 to 8 times; the tempo of each cycle varies by `jitter`, a standard deviation.

    Within a cycle the timing varies too, and so does the shape, both more with more jitter.
    """
    random = np.random.default_rng(seed)
    loop = base_loop(kind, random)
    count = int(random.integers(3, 9))
    lengths = random.uniform(0.5, 2.0) * np.exp(jitter * random.normal(size=count))
    samples = np.maximum(6, np.round(lengths * RATE)).astype(int)
    phases = [
        cycle + _warped(np.arange(number) / number, jitter, random)
        for cycle, number in enumerate(samples.tolist())
    ]
    more = int(random.uniform(0, 0.3) * samples[-1])  # it does not end at a cut
    phases.append(count + np.arange(more) / samples[-1])
    acted = np.concatenate(phases) + random.uniform()
    values = _at(loop, acted % 1)
    noise = 0.06 + 0.9 * jitter
    cycle = len(values) / count
    values *= 1 + _smooth_noise(random, len(values), 1, cycle, 0.5 * noise)
    values += _smooth_noise(random, len(values), values.shape[1], cycle / 2, 0.5 * noise)
    values += 0.01 / np.sqrt(values.shape[1]) * random.normal(size=values.shape)
    cuts = np.concatenate([[0], np.cumsum(samples)]) / RATE
    time = np.arange(len(values)) / RATE
    return ActedLoop(time, values, float(samples.mean()) / RATE, loop, cuts, acted)


def base_loop(kind: str, random: np.random.Generator) -> Floats:
    """(PHASES, D) a closed loop of unit rms: a line in 2-D, one that nearly repeats after half,
    a body of 30 channels, or the joints of the built-in walk."""
    if kind == "drawn":
        return _harmonics(random, 2, 4, 1.2)
    if kind == "half":
        return _harmonics(random, 2, 4, 1.0, odd=0.35)
    if kind == "body":
        return _harmonics(random, 30, 5, 1.3)
    return _walk()


@cache
def _walk() -> Floats:
    take = arcwright.read("biped:walk").characters[0].takes[0]
    time = np.arange(PHASES) / PHASES * take.duration
    world = arcwright.forward(take.rig, arcwright.sample(take, time).values)
    place = world[..., :3, 3]
    place = place - place[:, :1] * [1.0, 0.0, 1.0]
    return _normalised(place.reshape(PHASES, -1))


def _harmonics(
    random: np.random.Generator, size: int, highest: int, decay: float, odd: float = 1.0
) -> Floats:
    angle = 2 * np.pi * np.arange(PHASES) / PHASES
    loop = np.zeros((PHASES, size))
    for harmonic in range(1, highest + 1):
        scale = harmonic**-decay * (odd if harmonic % 2 else 1.0)
        cosine, sine = scale * random.normal(size=(2, size))
        loop += np.outer(np.cos(harmonic * angle), cosine) + np.outer(
            np.sin(harmonic * angle), sine
        )
    return _normalised(loop)


def _normalised(loop: Floats) -> Floats:
    loop = loop - loop.mean(axis=0)
    scaled: Floats = loop / np.sqrt(np.square(loop).sum(axis=1).mean())
    return scaled


def _warped(even: Floats, jitter: float, random: np.random.Generator) -> Floats:
    slow = float(np.clip(0.35 * jitter * random.normal(), -0.12, 0.12))
    fast = float(np.clip(0.12 * jitter * random.normal(), -0.04, 0.04))
    warped: Floats = even + slow * np.sin(2 * np.pi * even) + fast * np.sin(4 * np.pi * even)
    return warped


def _at(loop: Floats, phase: Floats) -> Floats:
    place = phase * len(loop)
    index = place.astype(int)
    share = (place - index)[:, None]
    between: Floats = loop[index % len(loop)] * (1 - share) + loop[(index + 1) % len(loop)] * share
    return between


def _smooth_noise(
    random: np.random.Generator, count: int, size: int, wave: float, rms: float
) -> Floats:
    """(N, D) noise that changes over about `wave` samples."""
    knots = random.normal(size=(max(4, int(np.ceil(count / wave)) + 4), size))
    place = np.linspace(1, len(knots) - 2.001, count)
    index = place.astype(int)
    t = (place - index)[:, None]
    before, here, after, beyond = (knots[index + step] for step in (-1, 0, 1, 2))
    bend = 2 * before - 5 * here + 4 * after - beyond + t * (3 * (here - after) + beyond - before)
    noise = here + 0.5 * t * (after - before + t * bend)
    scaled: Floats = rms * noise / np.sqrt(np.square(noise).sum(axis=1).mean())
    return scaled


def shape_error(found: Floats, truth: Floats) -> tuple[float, float]:
    """Rms difference of two loops after the best shift, in units of the true rms, and the energy
    above the third harmonic, in units of the true one."""
    count = len(truth)
    place = np.arange(count) / count * len(found)
    closed = np.concatenate([found, found[:1]])
    loop = np.stack([np.interp(place, np.arange(len(closed)), each) for each in closed.T], axis=1)
    loop, truth = loop - loop.mean(axis=0), truth - truth.mean(axis=0)
    spectra = [np.fft.rfft(each, axis=0) for each in (loop, truth)]
    match = np.fft.irfft((spectra[0].conj() * spectra[1]).sum(axis=1), count)
    loop = np.roll(loop, int(np.argmax(match)), axis=0)
    error = float(np.sqrt(np.square(loop - truth).sum() / np.square(truth).sum()))
    detail = [np.square(np.abs(each[4:40])).sum() for each in spectra]
    return error, float(detail[0] / detail[1])
