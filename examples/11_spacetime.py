"""Spacetime: edit a whole motion as a layer; feet stay planted, hands on what they hold."""

import numpy as np

import arcwright
from arcwright import Edit, FlightConstraint, Point, Scene, same


def higher_jump() -> None:
    """Lift the hips at the top of a jump; while it is in the air, the body falls as it did."""
    scene = arcwright.read("biped:jump")
    air = FlightConstraint(15 / 24, 25 / 24)
    interaction = arcwright.begin("spacetime", scene, constraints=[air])
    for share in (0.5, 1.0):  # each update counts from the start of the drag
        drag = arcwright.make_drag(scene, "Hips", frame=20, by=(0, 0.06 * share, 0))
        preview = interaction.update(drag)
    print(f"preview: {preview.drag.remaining * 1000:.2f} mm off", interaction.notes())
    edit = interaction.finish()
    show(edit, scene, Point("Hips"), 20 / 24)
    print("  undone bit for bit:", same(edit.inverse().apply(edit.apply(scene)), scene))


def moved_box() -> None:
    """Move a box that is carried; palms stay where they hold it."""
    scene = arcwright.read("biped:carry")
    box = Point("Box", character="Box")
    edit = arcwright.drag(scene, box, frame=32, by=(0.4, 0, 0), tool="spacetime")
    palm = next(each.point for each in scene.contacts if each.relative_to is not None)
    show(edit, scene, palm, 32 / 24)


def wider_hands() -> None:
    """Keep the hands apart, without a drag."""
    scene = arcwright.read("biped:walk")
    apart = arcwright.DistanceConstraint(
        Point("LeftHand"), Point("RightHand"), 0.2, 0.8, distance=0.6
    )
    solved = arcwright.solve_constraints(scene, constraints=[apart])
    show(solved.edit, scene, Point("LeftHand"), 0.5)


def show(edit: Edit, scene: Scene, point: Point, time: float) -> None:
    """What an edit changes, and how far a point goes."""
    old, new = (each.characters[0].takes[0] for each in (scene, edit.apply(scene)))
    was, now = (arcwright.trail(take, point, [time]).position[0] for take in (old, new))
    print(edit.summary(scene))
    print(f"  {point.joint} went {np.linalg.norm(now - was) * 100:.1f} cm")


def main() -> None:
    higher_jump()
    moved_box()
    wider_hands()


if __name__ == "__main__":
    main()
