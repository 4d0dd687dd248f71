"""Demo: the built-in characters, their poses and motion curves, as one picture.

python examples/demo.py [width of a panel in pixels, 800 by default]
"""

import sys
from pathlib import Path

import arcwright
from arcwright.picture.strip import strip

CAST = {
    "biped:walk": "biped, walk",
    "biped:jump": "biped, jump",
    "biped:dive": "biped, dive",
    "dinosaur:punch": "dinosaur, punch",
    "dragon:fly": "dragon, flight of two key poses",
    "spider:walk": "spider, walk from two key poses",
    "robot:flight": "robot, flight with four keys",
    "lamp:hop": "lamp, hop",
    "biped:sit": "biped, sit",
}


def main(width: int = 800) -> None:
    out = Path("out")
    out.mkdir(exist_ok=True)
    panels = []
    for name, caption in CAST.items():
        scene = arcwright.read(name)
        keys = scene.characters[0].takes[0].base.key_count
        size = width, width * 9 // 16
        drawn = arcwright.strobe(scene, size=size, title="", spread=name != "biped:dive")
        panels.append((drawn, f"{caption}, {keys} keys"))
        print("drew", name)
    strip(panels, out / "demo.png", columns=3, title="Arcwright")
    print("wrote", out / "demo.png")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
