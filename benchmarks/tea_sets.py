"""Ten teapots and cups to put in the place of those of `biped:tea`.

    python benchmarks/tea_sets.py OUT.png

draws them side by side.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from arcwright.characters.tableware import Cup, Teapot
from arcwright.picture import strobe
from arcwright.scene.scene import Prop, Scene

APART = 0.5  # m


def tea_sets() -> dict[str, tuple[Teapot, Cup]]:
    """By name: spouts short and long, steep and flat, handles at three sides, large and small."""
    usual, mug = Teapot(), Cup(height=0.085, handle_turn=-60.0)
    return {
        "short spout": (replace(usual, spout_length=0.05, tilt=40.0, colour="#b5523b"), mug),
        "long spout": (replace(usual, spout_length=0.19, tilt=42.0, colour="#4a6fa5"), mug),
        "flat spout": (replace(usual, tilt=22.0, colour="#6b8f4e"), replace(mug, radius=0.05)),
        "steep spout": (replace(usual, tilt=68.0, colour="#8a5a9e"), mug),
        "handle at the right": (replace(usual, handle_side="right", colour="#3c3f46"), mug),
        "handle at the left": (replace(usual, handle_side="left", colour="#a8793a"), mug),
        "low and wide": (
            Teapot(0.1, 0.1, 45.0, size=1.1, colour="#c06a75"),
            Cup(0.06, 0.045, handle=False),
        ),
        "tall": (Teapot(0.15, 0.17, 55.0, size=0.95, colour="#3f7d5a"), Cup(0.034, 0.12)),
        "small": (replace(usual, size=0.7, colour="#d0a23c"), Cup(0.03, 0.04, handle=False)),
        "large": (replace(usual, size=1.3, colour="#5b5f97"), Cup(0.055, 0.1, handle_turn=180.0)),
    }


def scene() -> Scene:
    """All of them in two rows."""
    props: list[Prop] = []
    for at, (name, (pot, cup)) in enumerate(tea_sets().items()):
        x, z = APART * (at % 5), -APART * (at // 5)
        props.append(pot.prop(f"pot, {name}", (x, 0.0, z)))
        props.append(cup.prop(f"cup, {name}", (x + 0.02, 0.0, z + 0.18)))
    return Scene("tea sets", props=tuple(props))


if __name__ == "__main__":
    strobe(scene(), sys.argv[1], size=(1400, 640), view=(-0.2, -0.5, -1.0))
