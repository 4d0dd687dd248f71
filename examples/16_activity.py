"""An activity: the cup is moved, and everything that has to do with it follows."""

import arcwright

POUR = 4  # the event at which tea is poured


def main() -> None:
    scene = arcwright.read("biped:tea")
    activity = scene.activity("tea")
    for event in activity.events:
        pairs = [f"{pair.constrained} keeps to {pair.constraining}" for pair in event.pairs]
        print(f"{event.time:5.2f} s  {event.name:9} {', '.join(pairs)}")

    # A prop is dragged by a point of it; the nearest event at which it may be moved counts.
    cup = arcwright.Point("Cup", character="Cup")
    interaction = arcwright.begin("activity", scene)
    interaction.update(arcwright.Drag(cup, activity.events[POUR].time, position=[0.26, 0.82, 0.5]))
    edit = interaction.finish()
    print(edit.summary(scene))
    for note in interaction.notes():
        print("note:", note.text)

    edited = edit.apply(scene)
    arcwright.write(edited, "tea_aside.arc.glb")
    arcwright.strobe(edited, "tea_aside.png", points=["RightHand", "LeftHand"], every=24)
    print("wrote tea_aside.arc.glb and tea_aside.png")


if __name__ == "__main__":
    main()
