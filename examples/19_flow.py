"""Flow curves: a drawn line bends a lamp, a second one is muted again."""

import numpy as np

import arcwright
from arcwright.tools.flow.looking import look_at


def main() -> None:
    scene = arcwright.read("lamp")
    camera = look_at([0, 0.45, 2.2], [0, 0.3, 0], size=(960, 540))

    # A stroke in pixels of the picture, from below to above, leaning to the right.
    along = np.linspace(0, 1, 40)
    points = np.stack([480 + 90 * along**2, 430 - 330 * along], axis=1)
    interaction = arcwright.begin("flow", scene)
    interaction.update(arcwright.Stroke(camera, points, along))
    for note in interaction.notes():
        print("note:", note.text)
    bent = interaction.finish().apply(scene)
    print("layers:", [layer.name for layer in bent.flow.layers])

    # Settings change a layer; here the newest one follows the stroke half-way.
    again = arcwright.begin("flow", bent)
    again.set_options(arcwright.find_tool("flow").Options(strength=0.5))
    half = again.finish().apply(bent)

    arcwright.write(half, "lamp_bent.glb")
    arcwright.still(half, "lamp_bent.png", camera=camera)
    print("wrote lamp_bent.glb and lamp_bent.png")


if __name__ == "__main__":
    main()
