"""Captures with activities, one function per example; as a program it draws their events.

    python benchmarks/activity_scenes.py FOLDER [NAME ...]

writes a strip for each: the scene at every event.
"""

from __future__ import annotations

import sys
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
from arcwright.picture import strip
from arcwright.picture.film import film
from arcwright.scene.scene import Scene

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from captured_activities import SCENES

SIZE = (320, 300)  # px


def events_strip(scene: Scene, path: Path) -> None:
    """One picture per event."""
    panels = []
    for event in scene.activity().events:
        image = film(
            scene, points=(), start=event.time, end=event.time, size=SIZE, view=(-0.6, -0.3, -1.0)
        )[0]
        panels.append((image, f"{event.time:.2f} s, {event.name}"))
    strip(panels, path, columns=4, title=scene.activity().name)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name in sys.argv[2:] or SCENES:
        events_strip(SCENES[name](), folder / f"{name.replace(' ', '_')}.png")
        print(name)
