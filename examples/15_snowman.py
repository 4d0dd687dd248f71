"""Build a snowman: a stick leads the biped, which rolls three balls of snow and stacks them.

They are a snowman then, whose proportions are those of the balls. It comes to life and builds the
next one, led by the same path of the stick, scaled to its size. `--film` writes films of both.
"""

import sys

import numpy as np

import arcwright
from arcwright.characters.snowman import snowball, snowman
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession

RATE, LOW = 30, -0.42  # samples a second; m by which the stick is lowered
BALLS = {"Low": (0.14, 0.0, 0.8), "Middle": (0.12, 1.1, 0.8), "Head": (0.1, -1.1, 0.8)}
SITE = 1.95  # m ahead, from where the snowman is built


def main() -> None:
    first, built = build(arcwright.read("biped").characters[0], 1.0)
    second, _ = build(built, 0.61)
    for name, scene in (("first", first), ("second", second)):
        arcwright.write(scene, f"{name}.arc.glb")
        if "--film" in sys.argv:
            shot = {"rate": 4.0, "size": (320, 200), "points": (), "view": (-0.9, -0.3, -0.5)}
            arcwright.film(scene, f"{name}.png", take="performance", **shot)


def build(builder, size):
    """The scene of a performance that builds a snowman, and the snowman."""
    balls = [snowball(name, *(size * np.array(at)).tolist()) for name, at in BALLS.items()]
    snow = Terrain(snow=0.035 * size**2)  # m³ that a ball gathers in a metre
    scene = Scene("snow", (builder,), tuple(balls), ground=snow)
    session = PuppetSession(scene, Target(), PuppetOptions(gain=size, rate=30))
    session.update(stick())
    for time, event in session.events:
        print(f"{builder.name}: {time:4.1f} s {event}")
    scales = [each.scale for each in session.ticks[-1].objects]
    made = [size * BALLS[ball.name][0] * scale for ball, scale in zip(balls, scales, strict=True)]
    print(f"{builder.name} has built a snowman of balls of", *(f"{each:.2f} m" for each in made))
    return session.finish().apply(scene), snowman(made)


def stick() -> arcwright.Performance:
    """A device that leads to each ball, lowers to roll it and to pick it up, and to the site."""
    legs = [(0, 0, 0, 0), (0.3, 0, 0, 0), *rolled(0, 0.35, SITE, 2.4), (1.2, 0.6, 0, 1.5)]
    legs += [*stacked(1.1, 0.38, 0.9), (1.2, -0.6, 0, 1.5), *stacked(-1.1, 0.4, 0.62)]
    at = np.array(legs, float)  # s since the leg before; x, y, z
    at[:, 0] = np.cumsum(at[:, 0])
    times = np.arange(round(at[-1, 0] * RATE)) / RATE
    after = np.searchsorted(at[:, 0], times, side="right")
    share = (times - at[after - 1, 0]) / (at[after, 0] - at[after - 1, 0])
    share = (share * share * (3 - 2 * share))[:, None]
    poses = np.tile([0.0, 1.6, -1.5, 1.0, 0.0, 0.0, 0.0], (len(times), 1, 1))
    poses[:, 0, :3] += (1 - share) * at[after - 1, 1:] + share * at[after, 1:]
    return arcwright.Performance(times, poses, device="code")


def rolled(x, start, end, seconds):
    """To a ball, down, along with it, and up."""
    down = [(0.8, x, 0, start), (0.3, x, 0, start), (0.8, x, LOW, start), (0.3, x, LOW, start)]
    return [*down, (seconds, x, LOW, end), (0.4, x, LOW, end), (0.8, x, 0, end), (0.3, x, 0, end)]


def stacked(x, start, end):
    """Roll a ball, pick it up, carry it to the site and put it onto what is there."""
    picks = [(0.8, x, LOW, end), (0.4, x, LOW, end), (0.8, x, 0, end), (0.3, x, 0, end)]
    brings = [(2.0, 0, 0, end + 0.05), (1.4, 0, 0, SITE), (0.5, 0, 0, SITE), (0.7, 0, -0.3, SITE)]
    ways = [(2.2, x, 0, start - 0.55), *rolled(x, start, end, 1.2), *picks, *brings]
    return [*ways, (0.3, 0, -0.3, SITE), (0.7, 0, 0, SITE), (0.3, 0, 0, SITE)]


if __name__ == "__main__":
    main()
