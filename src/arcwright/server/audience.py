"""The audience: all windows on the document, and what each has to be told when it changes."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools
from arcwright.errors import ArcwrightError
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server import numbers
from arcwright.server.differences import Difference
from arcwright.server.model import Model
from arcwright.server.spots import point_of
from arcwright.server.window import Window
from arcwright.server.wire import encode
from arcwright.tools.curve import MotionCurve, motion_curve
from arcwright.tools.redrawn import redrawn

log = logging.getLogger("arcwright.studio")

MOST_POINTS = 64  # curves of one window
FRAMES_AT_ONCE = 960  # of one message
FRAMES_ASKED = 9600  # at most, of one question

SpotKey = tuple[str, tuple[float, float, float], str]  # joint, offset, character as it was said
TakeKey = tuple[str, str]  # character, take


class Audience:
    """Who watches, which poses they have been told, which curves they draw."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self.curves: dict[TakeKey, dict[SpotKey, MotionCurve]] = {}
        self._told: dict[TakeKey, Bools] = {}  # frames that any window knows

    def tell(self, message: m.Down, topic: Hashable | None = None) -> None:
        """Something for everyone."""
        self.send(encode(message), topic=topic)

    def send(
        self, data: bytes, windows: Iterable[Window] | None = None, topic: Hashable | None = None
    ) -> None:
        """A message that is encoded already, for all or some."""
        for window in self.windows if windows is None else windows:
            window.tell(data, topic)

    def forget(self) -> None:
        """Another document: nobody knows anything of it."""
        self.curves, self._told = {}, {}
        for window in self.windows:
            window.keyed.clear()
            window.shown = m.Show("", "", [])

    def show(self, window: Window, show: m.Show, scene: Scene) -> None:
        """A window wants these curves and no others."""
        show.points = show.points[:MOST_POINTS]
        window.shown = show
        self._draw(scene)
        for key, spot, drawn in self.drawn_by(window):
            data = numbers.curve(drawn, None, spot, key[0])
            if data is not None:
                window.tell(data)

    def drawn_by(self, window: Window) -> Iterator[tuple[TakeKey, m.Spot, MotionCurve]]:
        """The curves that a window shows."""
        wanted = {spot_key(spot): spot for spot in window.shown.points}
        for key, group in self.curves.items():
            for own, spot in wanted.items():
                if own in group and self._plays(window, key):
                    yield key, spot, group[own]

    def frames(self, window: Window, ask: m.AskFrames, scene: Scene, model: Model) -> None:
        """A window wants poses."""
        actor, take = actor_and_take(scene, ask.character, ask.take)
        if ask.bare:
            take = replace(take, layers=())
        first = max(ask.first, 0)
        last = min(ask.last, numbers.last_frame(take), first + FRAMES_ASKED - 1)
        for start in range(first, last + 1, FRAMES_AT_ONCE):
            stop = min(last, start + FRAMES_AT_ONCE - 1)
            body = model.bodies[actor.name]
            window.tell(numbers.frames(body, take, actor.name, start, stop, bare=ask.bare))
            if not ask.bare:
                self._know(actor.name, take, start, stop)

    def keys(self, window: Window, ask: m.AskKeys, scene: Scene) -> None:
        """A window wants all keys of a take."""
        actor, take = actor_and_take(scene, ask.character, ask.take)
        window.keyed.add((actor.name, take.name))
        for data in numbers.keys(take, actor.name):
            window.tell(data)

    def changed(self, found: list[Difference], scene: Scene, model: Model) -> None:
        """The document has changed: what windows know of these takes is told again."""
        for each in found:
            key = each.character, each.take.name
            watching = [window for window in self.windows if key in window.keyed]
            if watching and each.channels:
                for data in numbers.keys(each.take, each.character, each.channels):
                    self.send(data, watching)
            for first, last in self._known(key, each.frames):
                body = model.bodies[each.character]
                self.send(numbers.frames(body, each.take, each.character, first, last))
        before = self.curves
        self._draw(scene)
        for window in self.windows:
            for key, spot, drawn in self.drawn_by(window):
                still = before.get(key, {}).get(spot_key(spot))
                part = None if still is drawn else numbers.curve(drawn, still, spot, key[0])
                if part is not None:
                    window.tell(part)

    def _draw(self, scene: Scene) -> None:
        """Work out the curves that windows show; those that are there are only brought up to date.

        Points of one take are drawn together, so that they share the work.
        """
        wanted: dict[TakeKey, dict[SpotKey, Point]] = {}
        for window in self.windows:
            for spot in window.shown.points:
                found = _on_take(window, spot, scene)
                if found is not None:
                    key, point = found
                    wanted.setdefault(key, {})[spot_key(spot)] = point
        drawn: dict[TakeKey, dict[SpotKey, MotionCurve]] = {}
        for key, points in wanted.items():
            known = self.curves.get(key, {})
            if known.keys() >= points.keys():
                curves = redrawn([known[own] for own in points], scene)
            else:
                sampling = numbers.sampling(scene.actor(key[0]).take(key[1]))
                curves = motion_curve(scene, list(points.values()), key[1], sampling)
            drawn[key] = dict(zip(points, curves, strict=True))
        self.curves = drawn

    def _plays(self, window: Window, key: TakeKey) -> bool:
        return key[1] == window.shown.take or key[0] != window.shown.character

    def _know(self, character: str, take: Take, first: int, last: int) -> None:
        known = self._told.get((character, take.name), np.zeros(0, bool))
        if len(known) <= last:
            known = np.append(known, np.zeros(last + 1 - len(known), bool))
        known[first : last + 1] = True
        self._told[character, take.name] = known

    def _known(self, key: TakeKey, frames: range) -> list[tuple[int, int]]:
        """First and last of each run of these frames that windows know."""
        known = self._told.get(key)
        if known is None or not frames:
            return []
        held = np.zeros(frames.stop - frames.start + 2, bool)
        own = known[frames.start : frames.stop]
        held[1 : 1 + len(own)] = own
        edges = np.flatnonzero(held[1:] != held[:-1]) + frames.start
        return [
            (start, min(int(stop) - 1, start + FRAMES_AT_ONCE - 1))
            for first, stop in zip(edges[::2], edges[1::2], strict=True)
            for start in range(int(first), int(stop), FRAMES_AT_ONCE)
        ]


def actor_and_take(scene: Scene, character: str, name: str) -> tuple[Actor, Take]:
    """An actor and the take of this name, or errors that name what there is."""
    actor = scene.actor(character)
    return actor, actor.take(name)


def spot_key(spot: m.Spot) -> SpotKey:
    """A spot as a name."""
    return spot.joint, spot.offset, spot.character


def _on_take(window: Window, spot: m.Spot, scene: Scene) -> tuple[TakeKey, Point] | None:
    """The take on which a window draws a spot; None where it is not there (any more)."""
    show = window.shown
    try:
        actor = scene.actor(spot.character or show.character)
        actor.rig.joint(spot.joint)
        point = point_of(spot, actor.name)
    except ArcwrightError as error:
        log.info("window %d shows what is not there: %s", window.number, error)
        return None
    if not actor.takes:
        return None
    named = [take for take in actor.takes if take.name == show.take]
    return (actor.name, (named or actor.takes)[0].name), point
