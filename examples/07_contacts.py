"""Contacts: find where the feet are planted in a motion."""

import arcwright


def main() -> None:
    scene = arcwright.read("biped:walk")
    take = scene.characters[0].takes[0]
    for contact in arcwright.find_contacts(take):
        start, end = contact.start * take.rate, contact.end * take.rate
        print(f"{contact.point.joint:12} frames {start:5.1f} to {end:5.1f}")


if __name__ == "__main__":
    main()
