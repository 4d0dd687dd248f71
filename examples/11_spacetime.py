"""Spacetime: edit a whole motion as a layer; feet stay planted, hands on what they hold."""

import numpy as np

import arcwright
from arcwright import Point, Scene, same
from arcwright.scene.constraint import FlightConstraint
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.replay.outcome import pin_drift
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool


def higher_jump() -> None:
    """Lift the hips at the top of a jump; while it is in the air, the body falls as it did."""
    scene = arcwright.read("biped:jump")
    take = scene.characters[0].takes[0]
    hips, top = Point("Hips"), 20 / take.rate
    start = arcwright.trail(take, hips, [top]).position[0]
    air = FlightConstraint(15 / take.rate, 25 / take.rate)
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(), [air])
    for share in (0.5, 1.0):  # each move from the start of the drag
        session.update(Drag(hips, top, position=start + share * np.array([0, 0.06, 0])))
    edit = session.finish()
    after = edit.apply(scene)
    show(edit.label, scene, after, hips, top)
    print("  undone bit for bit:", same(edit.inverse().apply(after), scene))


def moved_box() -> None:
    """Move a box that is carried; palms stay where they hold it."""
    scene = arcwright.read("biped:carry")
    box, moment = Point("Box", character="Box"), 32 / 24
    start = arcwright.trail(scene.actor("Box").takes[0], box, [moment]).position[0]
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    session.update(Drag(box, moment, position=start + np.array([0.4, 0, 0])))
    edit = session.finish()
    palm = next(each.point for each in scene.contacts if each.relative_to is not None)
    show(edit.label, scene, edit.apply(scene), palm, moment)


def show(label: str, before: Scene, after: Scene, point: Point, time: float) -> None:
    """How far a point went, and how well everything else stayed."""
    old, new = (scene.characters[0].takes[0] for scene in (before, after))
    was, now = (arcwright.trail(take, point, [time]).position[0] for take in (old, new))
    layer = new.layers[-1]
    print(f"{label}: layer {layer.name!r}")
    print(f"  {point.joint} went {np.linalg.norm(now - was) * 100:.1f} cm,", end=" ")
    print(f"contacts slip by at most {pin_drift(after, old, new) * 1000:.1f} mm")


def main() -> None:
    higher_jump()
    moved_box()


if __name__ == "__main__":
    main()
