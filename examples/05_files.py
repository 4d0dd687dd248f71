"""Files: write a clip as project file, glTF and BVH, read each again, and see what was kept."""

import arcwright


def main() -> None:
    scene = arcwright.read("biped:jump")
    for name in ("jump.arc.glb", "jump.glb", "jump.bvh"):
        dropped = arcwright.write(scene, name)
        again = arcwright.read(name)
        exact = "bit for bit" if arcwright.same(scene, again) else f"{len(dropped)} notes"
        take = again.characters[0].takes[0]
        print(
            f"{name:13} {len(again.characters[0].rig.names)} joints, {take.duration:.2f} s, {exact}"
        )
        for line in dropped[:2]:
            print(f"              {line}")


if __name__ == "__main__":
    main()
