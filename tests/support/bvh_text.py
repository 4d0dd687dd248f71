"""BVH files for tests, made in a few lines."""

from __future__ import annotations

HIPS = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"


def joint(name, offset="0 1 0", channels="Zrotation Xrotation Yrotation", inside="", word="JOINT"):
    count = len(channels.split())
    return f"{word} {name}\n{{\nOFFSET {offset}\nCHANNELS {count} {channels}\n{inside}}}\n"


def end(offset="0 0.5 0"):
    return f"End Site\n{{\nOFFSET {offset}\n}}\n"


def root(inside="", offset="0 0 0", channels=HIPS, name="Hips"):
    return joint(name, offset, channels, inside, "ROOT")


def motion(rows, frames=None, time="0.04"):
    """The MOTION section; `rows` are lists of numbers or ready lines."""
    lines = [row if isinstance(row, str) else " ".join(map(str, row)) for row in rows]
    count = len(rows) if frames is None else frames
    return "\n".join(["MOTION", f"Frames: {count}", f"Frame Time: {time}", *lines]) + "\n"


def chain(rows=None):
    """Hips with a chest and a head, 12 columns."""
    inside = joint("Chest", inside=joint("Head", inside=end()))
    rows = [[0.1 * n + column for column in range(12)] for n in range(4)] if rows is None else rows
    return "HIERARCHY\n" + root(inside) + motion(rows)
