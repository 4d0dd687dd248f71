"""Figures of puppets, from the tool itself: blend space, lookup of speeds, state machine, avatar.

Run `make puppet-figures`; writes docs/pictures/puppet. The first three are as figs. 6.3, 6.4 and
6.6 of the thesis, the last as fig. 6.12, with a rendered picture in place of a photo.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import arcwright
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.picture.film import film
from arcwright.picture.strip import strip
from arcwright.scene.scene import Actor, Scene
from arcwright.tools.puppet.locomotion.speed_map import measured_at, shepard
from arcwright.tools.puppet.puppet_character import PuppetCharacter, puppet_character
from arcwright.tools.puppet.state_machine import Signals, State, StateMachine, Thresholds
from arcwright.tools.shared.avatar.avatar import avatar_from_photo
from drawing.small_png import write_small

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures" / "puppet"
SHOWN = 0.2, 0.73  # the point that fig. 6.3 marks
INK, LINE, MARK = "#29323d", "#8a97a6", "#17914b"
LIMBS = "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"
MARKED = ["Hips", "UpperChest", "Head", *(side + x for side in ("Left", "Right") for x in LIMBS)]


Placed = Callable[[np.ndarray], np.ndarray]


class Drawing:
    """An SVG drawing."""

    def __init__(self, width: int, height: int) -> None:
        self._size, self._parts = (width, height), list[str]()

    def line(self, a: np.ndarray, b: np.ndarray, *, arrow: bool = False, tint: str = LINE) -> None:
        """A straight line."""
        head = ' marker-end="url(#head)"' if arrow else ""
        (x, y), (u, v) = a, b
        self._parts.append(
            f'<path d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}" stroke="{tint}" fill="none"{head}/>'
        )

    def bow(self, a: np.ndarray, b: np.ndarray, bend: float) -> None:
        """An arrow that bends to its left."""
        way = b - a
        side = np.array([way[1], -way[0]]) / np.linalg.norm(way)
        (x, y), (c, d), (u, v) = a, (a + b) / 2 + bend * side, b
        path = f"M{x:.1f} {y:.1f}Q{c:.1f} {d:.1f} {u:.1f} {v:.1f}"
        self._parts.append(
            f'<path d="{path}" stroke="{LINE}" fill="none" marker-end="url(#head)"/>'
        )

    def dot(self, at: np.ndarray, size: float, tint: str) -> None:
        """A disc."""
        self._parts.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{size}" fill="{tint}"/>')

    def text(
        self,
        at: np.ndarray,
        content: str,
        right: float = 0,
        down: float = 0,
        anchor: str = "middle",
    ) -> None:
        """A line of text beside a place."""
        self._parts.append(
            f'<text x="{at[0] + right:.1f}" y="{at[1] + down:.1f}" text-anchor="{anchor}"'
            f' font-size="13"'
            f' fill="{INK}">{content}</text>'
        )

    def box(self, at: np.ndarray, content: str) -> None:
        """A name in a rounded box."""
        x, y = at
        self._parts.append(
            f'<rect x="{x - 58:.1f}" y="{y - 17:.1f}" width="116" height="34" rx="8"'
            f' fill="#eef2f6" stroke="{INK}"/>'
        )
        self.text(at, content, down=5)

    def write(self, name: str) -> None:
        """Write it to the folder of figures."""
        width, height = self._size
        head = (
            '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
            f' markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker>'
        )
        start = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            ' font-family="sans-serif">'
        )
        back = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        body = "\n".join(self._parts)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(f"{start}<defs>{head}</defs>{back}\n{body}\n</svg>\n")


def blend_space(character: PuppetCharacter) -> None:
    """Clips in the blend space, and a point with the weights of its blend (fig. 6.3)."""
    drawing, space = Drawing(560, 360), character.gaits.space

    def at(point: np.ndarray) -> np.ndarray:
        return np.array([70 + 420 * point[0], 300 - 240 * point[1]])

    names = [clip.name for clip in space.clips]
    point = np.array(SHOWN)
    weights = space.weights(point)
    for corner, weight in zip(space.points, weights, strict=True):
        if weight > 1e-6:
            drawing.line(at(point), at(corner), tint=MARK)
    for name, corner, weight in zip(names, space.points, weights, strict=True):
        drawing.dot(at(corner), 6, INK)
        share = f", {weight:.0%}" if weight > 1e-6 else ""
        below = 26 if corner[1] < 0.5 else -14
        drawing.text(at(corner), f"{name}{share}", down=below)
    drawing.dot(at(point), 7, MARK)
    drawing.text(at(np.array([0.5, 0.0])), "speed", down=52)
    drawing.text(at(np.array([0.0, 0.5])), "height", right=-36)
    drawing.write("blend_space.svg")


def lookup(character: PuppetCharacter) -> None:
    """Measured speeds and heights of the probes, red by their speed in the blend (fig. 6.4)."""
    drawing, speeds = Drawing(640, 400), character.gaits.speeds
    measured, points = speeds.probes.measured, speeds.probes.points
    low, extent = measured.min(axis=0), speeds.probes.extent

    def at(pair: np.ndarray) -> np.ndarray:
        share = (pair - low) / extent
        return np.array([70 + 500 * share[0], 330 - 270 * share[1]])

    for pair, point in zip(measured, points, strict=True):
        drawing.dot(at(pair), 4, f"rgb({round(255 * point[0])},60,90)")
    _asked(drawing, at, character, low + extent * [0.8, 0.45])
    text = f"speed, 0 to {measured[:, 0].max():.1f} m/s"
    drawing.text(np.array([320.0, 372.0]), text)
    text = f"height, {low[1]:.2f} to {measured[:, 1].max():.2f} m"
    drawing.text(np.array([14.0, 36.0]), text, anchor="start")
    drawing.write("lookup.svg")


def _asked(drawing: Drawing, at: Placed, character: PuppetCharacter, wanted: np.ndarray) -> None:
    """A speed and height outside of what the clips can do, and the nearest place inside."""
    gaits, speeds = character.gaits, character.gaits.speeds
    found = speeds.invert(*wanted)
    points = gaits.legs.toes.joined(places(character.rig, [character.grip]))
    speed, grip = measured_at(gaits.space, gaits.writer, points, found.point)
    inside = np.array([speed, grip[1]])
    drawing.line(at(wanted), at(inside), arrow=True, tint=MARK)
    drawing.dot(at(wanted), 6, MARK)
    said = f"asked for; played {found.playback:.2f} times as fast"
    drawing.text(at(wanted), said, down=-12)
    published = shepard(speeds.probes, *wanted)
    print(f"blend point {found.point.round(3)}, published {published.round(3)}")


def transitions() -> list[tuple[State, State]]:
    """Which state can follow which, by trying what a machine may see."""
    at, found = Thresholds(), set[tuple[State, State]]()
    values = {
        "held": (True, False),
        "lift": (-0.3, 0.0, 0.5),
        "rise": (-1.5, 0.0, 1.5),
        "speed": (0.0, 2.0),
        "straight": (-1.0, 1.0),
        "crouch": (0.0, 0.5, 1.0),
        "depth": (0.0, 2.0),
        "on_ground": (True, False),
        "action_over": (True, False),
    }
    sights = [
        Signals(**dict(zip(values, each, strict=True)))
        for each in itertools.product(*values.values())
    ]
    for state, seconds, descended in itertools.product(State, (0.0, 9.0), (True, False)):
        long = 9.0 if seconds else 0.0
        machine = StateMachine(state, seconds, long, long, descended)
        for seen in sights:
            after = machine.advance(seen, 1 / 60, at).state
            if after is not state:
                found.add((state, after))
    return sorted(found, key=lambda pair: (pair[0].value, pair[1].value))


def state_machine() -> None:
    """All states, and which can follow which (fig. 6.6)."""
    drawing, states = Drawing(760, 560), list(State)
    angles = 2 * np.pi * np.arange(len(states)) / len(states) - np.pi / 2
    middle = np.stack([380 + 290 * np.cos(angles), 280 + 225 * np.sin(angles)], axis=1)
    for before, after in transitions():
        a, b = middle[states.index(before)], middle[states.index(after)]
        way = (b - a) / np.linalg.norm(b - a)
        out = np.array([62.0, 26.0])
        drawing.bow(a + _rim(way, out), b - _rim(way, out), 16.0)
    for state, place in zip(states, middle, strict=True):
        drawing.box(place, state.value)
    drawing.write("states.svg")


def _rim(way: np.ndarray, half: np.ndarray) -> np.ndarray:
    """From the middle of a box to its rim."""
    return way * min(half / np.maximum(np.abs(way), 1e-9))


def avatar() -> None:
    """A picture of somebody, joints marked on it, and the avatar that it makes (fig. 6.12)."""
    scene = arcwright.read("biped")
    model = scene.characters[0]
    take = model.take("carry")
    world = forward(model.rig, values_at(take, np.array([0.5 * take.duration])))[0, :, :3, 3]
    marks = {name: tuple(100 * world[model.rig.joint(name), :2] * [1, -1]) for name in MARKED}
    shirt, trousers = np.array([0.75, 0.2, 0.3]), np.array([0.85, 0.8, 0.65])
    random = np.random.default_rng(1)
    pixels = {
        name: np.clip(tint + random.normal(0, 0.03, (200, 3)), 0, 1)
        for name, tint in (("top", shirt), ("bottom", trousers))
    }
    dressed = avatar_from_photo(scene, model.name, {}, pixels).apply(scene).characters[0]
    made = avatar_from_photo(scene, model.name, marks, pixels).apply(scene).characters[0]
    frame = 0.5 * take.duration
    images = [
        (still(replace(dressed, takes=(take,)), frame), "the picture"),
        (still(replace(made, takes=(made.takes[-1],)), 0.0), "the avatar"),
    ]
    write_small(strip(images), FOLDER / "avatar.png")


def still(actor: Actor, time: float) -> np.ndarray:
    """The actor seen from the front."""
    scene, size = Scene("still", (actor,)), (360, 480)
    shown = film(scene, points=(), start=time, end=time + 0.01, size=size, view=(0, 0, -1))
    return shown[0]


def main() -> None:
    """Write all figures."""
    character = puppet_character(arcwright.read("biped").characters[0])
    blend_space(character)
    lookup(character)
    state_machine()
    for before, after in transitions():
        print(f"{before.value} -> {after.value}")
    avatar()


if __name__ == "__main__":
    main()
