"""Stick paths of every kind, made by code as a hand makes them, with what each of them asks for.

What is asked for at a moment follows from how a path was ordered alone (walk at a speed, crouch to
a height, jump at a time, lift at a time), never from when the state machine would change: a crouch
is asked for from the middle of the lowering to the middle of the raising, a jump from the flick
until the stick is back, hanging from when the lift begins until it is put down.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from arcwright.puppet_file import read_path
from arcwright.tools.gesture import Performance

RATE = 60
CALM = 0.5  # s after which a steady part counts


@dataclass(frozen=True, eq=False)
class StickPath:
    """A made path of a device, and what a puppet should do at each moment."""

    position: np.ndarray  # (T, 3) m, from where the device begins
    asked: list[str]  # (T,) one of "walk", "crouch", "jump", "hang"
    steady: np.ndarray  # (T,) whether the speed has been the same for a while
    speed: np.ndarray  # (T,) m/s over the ground
    ball: float = 0.0  # m, radius of the ball that is rolled


Walk = Callable[[np.random.Generator], StickPath]


def ordered(t: np.ndarray, what: str, start: float, end: float) -> list[str]:
    """(T,) something asked for from one time to another, s, and to walk or stand otherwise."""
    return [what if start <= each < end else "walk" for each in t.tolist()]


def on_ground(velocity: np.ndarray, lower: np.ndarray | None = None) -> StickPath:
    """A path over the ground from velocities (T, 2) at every tick."""
    place = np.cumsum(velocity, axis=0) / RATE
    down = np.zeros(len(place)) if lower is None else lower
    position = np.stack([place[:, 0], -down, place[:, 1]], axis=1)
    speed = np.linalg.norm(velocity, axis=1)
    count = round(CALM * RATE)
    steady = np.zeros(len(speed), bool)
    for at in range(count, len(speed)):
        before = speed[at - count : at + 1]
        steady[at] = np.ptp(before) < 0.01 * max(before.mean(), 1e-9)
    asked = ["walk"] * len(position)
    return StickPath(position, asked, steady & (speed > 0.3), speed)


def ramp(time: np.ndarray, start: float, seconds: float) -> np.ndarray:
    share = np.clip((time - start) / seconds, 0.0, 1.0)
    return share * share * (3 - 2 * share)


def straight(random: np.random.Generator) -> StickPath:
    t = np.arange(6 * RATE) / RATE
    speed = random.uniform(0.5, 1.3) * (ramp(t, 0.5, 0.5) - ramp(t, 5.0, 0.4))
    angle = random.uniform(-0.5, 0.5)
    return on_ground(speed[:, None] * [np.sin(angle), np.cos(angle)])


def accelerating(random: np.random.Generator) -> StickPath:
    t = np.arange(6 * RATE) / RATE
    speed = random.uniform(0.8, 1.6) * ramp(t, 0.5, 4.5) * (1 - ramp(t, 5.3, 0.5))
    return on_ground(speed[:, None] * [0.0, 1.0])


def circle(random: np.random.Generator) -> StickPath:
    t = np.arange(8 * RATE) / RATE
    speed = random.uniform(0.6, 1.1) * ramp(t, 0.5, 0.6)
    radius = random.uniform(0.8, 1.6) * random.choice([-1, 1])
    angle = np.cumsum(speed / radius) / RATE
    return on_ground(speed[:, None] * np.stack([np.sin(angle), np.cos(angle)], axis=1))


def figure_8(random: np.random.Generator) -> StickPath:
    t = np.arange(10 * RATE) / RATE
    speed = random.uniform(0.6, 1.0) * ramp(t, 0.5, 0.6)
    radius = random.uniform(0.9, 1.4)
    way = np.cumsum(speed) / RATE
    angle = radius * 0 + 2.2 * np.sin(way / radius)
    return on_ground(speed[:, None] * np.stack([np.sin(angle), np.cos(angle)], axis=1))


def zigzag(random: np.random.Generator) -> StickPath:
    t = np.arange(8 * RATE) / RATE
    speed = random.uniform(0.5, 1.0) * ramp(t, 0.5, 0.5)
    turns = np.sign(np.sin(2 * np.pi * t / random.uniform(2.5, 3.5)))
    smooth = np.convolve(np.pad(turns, 6, mode="edge"), np.ones(13) / 13, mode="valid")
    angle = random.uniform(0.4, 0.8) * smooth
    return on_ground(speed[:, None] * np.stack([np.sin(angle), np.cos(angle)], axis=1))


def shake(random: np.random.Generator) -> StickPath:
    t = np.arange(5 * RATE) / RATE
    size, often = random.uniform(0.02, 0.06), random.uniform(1.5, 3.0)
    x = size * np.sin(2 * np.pi * often * t) * ramp(t, 0.5, 0.3)
    velocity = np.stack([np.gradient(x) * RATE, np.zeros(len(t))], axis=1)
    return on_ground(velocity)


def lower(random: np.random.Generator) -> StickPath:
    t = np.arange(6 * RATE) / RATE
    down = random.uniform(0.36, 0.42) * (ramp(t, 1.0, 0.5) - ramp(t, 4.5, 0.5))
    speed = random.uniform(0.3, 0.6) * (ramp(t, 2.0, 0.4) - ramp(t, 4.0, 0.4))
    path = on_ground(speed[:, None] * [0.0, 1.0], down)
    return replace(path, asked=ordered(t, "crouch", 1.25, 4.75))


def flick(random: np.random.Generator) -> StickPath:
    t = np.arange(4 * RATE) / RATE
    rise, ahead = random.uniform(2.6, 3.6), random.uniform(0.0, 1.2)
    since = np.clip(t - 1.5, 0.0, 2 * rise / 9.81)
    high = rise * since - 4.905 * since**2
    velocity = np.stack([np.zeros(len(t)), np.full(len(t), ahead) * ramp(t, 0.3, 0.5)], axis=1)
    path = on_ground(velocity)
    position = path.position + np.stack([0 * t, high, 0 * t], axis=1)
    asked = ordered(t, "jump", 1.5, 1.5 + 2 * rise / 9.81)
    return StickPath(position, asked, np.zeros(len(t), bool), path.speed)


def lift_and_hold(random: np.random.Generator) -> StickPath:
    t = np.arange(6 * RATE) / RATE
    high = random.uniform(0.3, 0.7) * (ramp(t, 1.0, 1.0) - ramp(t, 3.5, 1.2))
    path = on_ground(np.zeros((len(t), 2)))
    position = np.stack([0 * t, high, 0 * t], axis=1)
    asked = ordered(t, "hang", 1.0, 4.7)
    return StickPath(position, asked, np.zeros(len(t), bool), path.speed)


def roll_a_ball(random: np.random.Generator) -> StickPath:
    t = np.arange(7 * RATE) / RATE
    down = random.uniform(0.38, 0.42) * (ramp(t, 1.6, 0.7) - ramp(t, 5.7, 0.7))
    speed = random.uniform(0.3, 0.6) * (ramp(t, 2.8, 0.5) - ramp(t, 4.9, 0.5))
    turn = random.uniform(-0.5, 0.5) * ramp(t, 3.2, 1.5)
    velocity = speed[:, None] * np.stack([np.sin(turn), np.cos(turn)], axis=1)
    velocity[:, 1] += 0.45 * np.gradient(ramp(t, 0.3, 0.9)) * RATE
    asked = ordered(t, "crouch", 1.95, 6.05)
    return replace(on_ground(velocity, down), asked=asked, ball=random.uniform(0.22, 0.4))


KINDS: dict[str, Walk] = {
    "straight": straight,
    "accelerating": accelerating,
    "circle": circle,
    "figure 8": figure_8,
    "zigzag": zigzag,
    "shake": shake,
    "lower": lower,
    "flick": flick,
    "lift and hold": lift_and_hold,
    "roll a ball": roll_a_ball,
}


def performance(path: StickPath, random: np.random.Generator) -> Performance:
    """The path as a hand makes it: with a tremor of about 2 mm."""
    count = len(path.position)
    noise = np.cumsum(random.normal(size=(count, 3)), axis=0)
    noise -= np.stack([np.convolve(c, np.ones(31) / 31, mode="same") for c in noise.T], axis=1)
    poses = np.zeros((count, 1, 7))
    poses[:, 0, :3] = [0.0, 1.6, -1.5] + path.position + 0.002 * noise / max(noise.std(), 1e-9)
    poses[:, 0, 3] = 1.0
    return Performance(np.arange(count) / RATE, poses)


def variants(
    kind: str, count: int, half: int, seed: int
) -> Iterator[tuple[StickPath, Performance]]:
    for number in range(half, 2 * count, 2):
        random = np.random.default_rng([seed, list(KINDS).index(kind), number])
        path = KINDS[kind](random)
        yield path, performance(path, random)


def recorded() -> Iterator[tuple[str, StickPath, Performance, str]]:
    """Paths recorded in the studio's page: name, what was asked for, samples, and the grip."""
    for file in sorted((Path(__file__).parent / "stick_recordings").glob("*.json")):
        samples, grip = read_path(file)
        given = json.loads(file.read_text())
        begins = [at for at, _ in given["asked"]]
        ticks = np.arange(int(float(samples.times[-1]) * RATE) + 1) / RATE
        which = np.searchsorted(begins, ticks, side="right") - 1
        asked = [given["asked"][max(each, 0)][1] for each in which.tolist()]
        nothing = np.zeros(len(ticks))
        path = StickPath(np.zeros((len(ticks), 3)), asked, nothing.astype(bool), nothing)
        yield given["name"], path, samples, grip
