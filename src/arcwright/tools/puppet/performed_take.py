"""Performed take: ticks as samples and states, over what is kept of the take they go on from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.section import Section
from arcwright.scene.take import Take
from arcwright.tools.puppet.locomotion.root_frame import in_world
from arcwright.tools.puppet.pose_fades import FADE
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.roles import PERFORMED
from arcwright.tools.puppet.start import heading_of
from arcwright.tools.puppet.tick import Tick
from arcwright.tools.puppet.transition import Transition

STILL = 1e-6  # rad or m: channels that move less do not move
NEAR = 1e-6  # s: times that are nearer are the same


def is_performed(take: Take) -> bool:
    """Whether a take can be punched into: samples of a performance, unchanged since."""
    return isinstance(take.base, Motion) and bool(take.sections) and not take.layers


def punch_time(take: Take, time: float) -> float:
    """Seconds of the last sample at or before a time: what comes before it stays."""
    assert isinstance(take.base, Motion)
    at = int(np.searchsorted(take.base.time, time + NEAR)) - 1
    return float(take.base.time[max(at, 0)])


@dataclass(frozen=True, eq=False)
class PerformedTake:
    """How ticks become a take."""

    character: PuppetCharacter
    name: str
    begin: float  # s, of the first tick in the take
    rate: float
    start: Floats | None = None  # (C,) the pose that they begin in
    under: Take | None = None  # that is punched into
    continues: bool = False  # with what `under` has after the last tick

    def made(self, ticks: Sequence[Tick]) -> Take:
        """The take of all ticks."""
        times = self.begin + np.arange(len(ticks)) / self.rate
        values = np.array([tick.values for tick in ticks])
        still = np.ptp(values, axis=0) < STILL
        values[:, still] = values[0, still]
        if self.start is not None:
            values = _nearest_turns(values, self.start, self.character.angles)
            values[0] = self.start
        sections = self._sections(ticks)
        if self.under is not None:
            times, values, sections = self._with_before(times, values, sections)
            if self.continues:
                times, values, sections = self._with_rest(times, values, sections)
        if len(times) == 1:
            times, values = np.array([times[0], times[0] + 1 / self.rate]), values.repeat(2, axis=0)
        motion = Motion(self.name, times, values, self.rate)
        return Take(self.character.own.own, motion, sections=tuple(_merged(sections)))

    def _sections(self, ticks: Sequence[Tick]) -> list[Section]:
        found, at = [], 0
        for state, group in groupby(ticks, key=lambda tick: tick.state):
            found.append(Section(state.value, self.begin + at / self.rate))
            at += len(list(group))
        return found

    def _with_before(
        self, times: Floats, values: Floats, sections: list[Section]
    ) -> tuple[Floats, Floats, list[Section]]:
        """What was before the first tick, sample for sample."""
        assert self.under is not None
        had, poses = _samples(self.under)
        kept = had < self.begin - NEAR
        earlier = [each for each in self.under.sections if each.start < self.begin - NEAR]
        return (
            np.concatenate([had[kept], times]),
            np.concatenate([poses[kept], values]),
            [*earlier, *sections],
        )

    def _with_rest(
        self, times: Floats, values: Floats, sections: list[Section]
    ) -> tuple[Floats, Floats, list[Section]]:
        """What was after the last tick, moved over the ground to where the puppet is then."""
        assert self.under is not None
        had, poses = _samples(self.under)
        left, end = had > times[-1] + NEAR, float(times[-1])
        if not left.any():
            return times, values, sections
        first = float(had[left][0])
        own = self.character.own
        then, last = values_at(self.under, np.array([end])), values[-1:]
        then, last, rest = (own.played_values(each) for each in (then, last, poses[left]))
        rest = _moved(self.character, then[0], rest, last[0])
        tick = 1 / self.rate
        was = own.played_values(values[-2:-1])[0] if len(values) > 1 else last[0]
        rest = _faded(self.character, was, last[0], tick, had[left] - end, rest)
        rest = np.array([own.own_values(*pair) for pair in zip(rest, poses[left], strict=True)])
        goes_on = [Section(each.name, first) for each in self.under.sections if each.start <= first]
        later = [each for each in self.under.sections if each.start > first]
        return (
            np.concatenate([times, had[left]]),
            np.concatenate([values, rest]),
            [*sections, *goes_on[-1:], *later],
        )


def _samples(take: Take) -> tuple[Floats, Floats]:
    """(T,) times and (T, C) values; a motion without layers has its own."""
    if isinstance(take.base, Motion) and not take.layers:
        return take.base.time, take.base.values
    times = take.frame_times()
    return times, values_at(take, times)


def _merged(sections: Sequence[Section]) -> list[Section]:
    """Sections without those that go on with the state before."""
    found: list[Section] = []
    for each in sections:
        if not found or found[-1].name != each.name:
            found.append(each)
    return found


def _moved(character: PuppetCharacter, before: Floats, values: Floats, last: Floats) -> Floats:
    """(T, C) poses, turned and moved over the ground as the pose `before` (C,) is to the last."""
    writer = character.gaits.writer
    then, now = writer.read(before), writer.read(last)
    turn, near, moved = heading_of(now) - heading_of(then), last, []
    for pose in values:
        root = writer.read(pose)
        from_there = np.concatenate([root[:3] - then[:3] * [1, 0, 1], root[3:]])
        near = writer.written(pose, in_world(from_there, now[:3] * [1, 0, 1], turn), near)
        moved.append(near)
    return np.array(moved)


def _faded(
    character: PuppetCharacter,
    was: Floats,
    last: Floats,
    tick: float,
    passed: Floats,
    rest: Floats,
) -> Floats:
    """(T, C) poses in which what the last one was off from the first of them fades.

    `was` (C,) is the pose of a tick before the last one.
    """
    read, written = character.gaits.writer.read, character.gaits.writer.written
    rest = _nearest_turns(rest, last, character.angles)
    earlier, now, after = ((pose, read(pose)) for pose in (was, last, rest[0]))
    lead = float(passed[0])
    angles, four = character.angles, character.quaternions
    offset = Transition(now, after, angles, four, FADE, before=earlier, tick=tick, lead=lead)
    faded = []
    for seconds, pose in zip(passed, rest, strict=True):
        offset.passed = seconds
        faded.append(written(*offset.applied(pose, read(pose)), pose) if seconds < FADE else pose)
    return np.array(faded)


def _nearest_turns(values: Floats, near: Floats, angles: Bools) -> Floats:
    """(T, C) poses whose angles differ by whole turns, so that the first one is near to a pose."""
    moved = values.copy()
    moved[:, angles] += 2 * np.pi * np.round((near - values[0])[angles] / (2 * np.pi))
    return moved


def free_name(takes: Sequence[Take]) -> str:
    """A name for a performance that no take has."""
    names, count = {take.name for take in takes}, 1
    while (name := PERFORMED if count == 1 else f"{PERFORMED} {count}") in names:
        count += 1
    return name
