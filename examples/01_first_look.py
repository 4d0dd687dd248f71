"""First look: open a built-in character, see what it holds, read where a hand goes."""

import arcwright


def main() -> None:
    scene = arcwright.read("biped:walk")
    character = scene.characters[0]
    take = character.takes[0]
    print(f"{character.name}: {len(character.rig.names)} joints, {take.base.key_count} keys")

    times = take.frame_times()
    hand = arcwright.trail(take, "LeftHand", times)
    for frame in range(0, len(times), 6):
        x, y, z = hand.position[frame]
        print(f"frame {frame:2}: left hand at {x:+.2f} {y:+.2f} {z:+.2f} m")


if __name__ == "__main__":
    main()
