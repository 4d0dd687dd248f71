"""Completion: few poses of a take become a motion again, and a dragged pose changes it."""

import arcwright
from arcwright.scripting import make_drag
from arcwright.tools.gesture import Setting

POSES = "0, 40, 86, 130, 180, 221"  # frames


def main() -> None:
    scene = arcwright.read("biped:tea")
    interaction = arcwright.begin("autocomplete", scene, keys=POSES)
    interaction.update(Setting(interaction.options))  # all that lies between is replaced
    used = interaction.session.used
    print(f"{used['key_poses']} key poses, joints at most {1000 * used['deviation_m']:.1f} mm off")

    # A pose is dragged: what lies around it is completed anew.
    interaction.update(make_drag(scene, "RightHand", frame=86, by=(0.0, 0.1, 0.05)))
    edit = interaction.finish()
    print(edit.summary(scene))
    for note in interaction.notes():
        print("note:", note.text)

    completed = edit.apply(scene)
    arcwright.write(completed, "tea_completed.arc.glb")
    arcwright.strobe(completed, "tea_completed.png", points=["RightHand", "Hips"], every=24)
    print("wrote tea_completed.arc.glb and tea_completed.png")


if __name__ == "__main__":
    main()
