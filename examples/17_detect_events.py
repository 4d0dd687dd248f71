"""Events detected in a take: they become an activity, which is edited and given to another body."""

from dataclasses import replace

import arcwright
from arcwright.activity_detection import proposed_activity
from arcwright.activity_file import write_activity
from arcwright.edits.activities import add_activity
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.tools.activity.retargeted import retargeted_activity


def main() -> None:
    scene = replace(arcwright.read("biped:tea"), activities=())  # as if nobody had said anything
    person = scene.characters[0]
    take = person.takes[0]
    proposed = proposed_activity(scene, person.name, take)
    for row in proposed.as_json(take.rate):
        who = ", ".join(row["elements"])
        print(f"{row['frame']:5g}  {row['confidence']:.2f}  {row['name']}  ({who})")

    # Those that are sure enough are accepted; a file keeps them for `arcwright activity edit`.
    sure = proposed.from_confidence(0.5).activity
    scene = add_activity(scene, sure).apply(scene)
    write_activity(scene, sure, "found.json", "biped:tea")

    # Who has shorter limbs stands where the hands reach, and holds the same pot in the same place.
    short = replace(scaled_limbs(person, arms=0.85, legs=0.75), name="short")
    made = retargeted_activity(scene, sure.name, short)
    print(made.edit.summary(scene))
    for pair in made.residuals:
        print(f"{1000 * pair.away:6.3f} mm  {pair.event}: {pair.element}")
    arcwright.write(made.edit.apply(scene), "short_tea.arc.glb")
    print("wrote found.json and short_tea.arc.glb")


if __name__ == "__main__":
    main()
