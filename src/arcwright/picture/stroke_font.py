"""Stroke font for numbers and captions."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.picture.canvas import Fragments
from arcwright.picture.lines import flat_line

# Strokes separated by spaces; each is points "column row" on a grid: row 0 is the top of capitals,
# 2 the top of small letters, 6 the line, 8 below it. Corners are rounded; a point twice is sharp.
STROKES = {
    "0": "204046060020", "1": "02202026", "2": "0100404304060646", "3": "0100404323 2343460605",
    "4": "30040444 3036", "5": "400000020242460605", "6": "4140000646421204", "7": "00404016",
    "8": "230300404323 230306464323", "9": "0506464000043442", "A": "06202046 1434",
    "B": "0006 00404303 03434606", "C": "414000064645", "D": "0006 00404606",
    "E": "4000 0006 0646 0333", "F": "4000 0006 0333", "G": "4140000646434323",
    "H": "0006 4046 0343", "I": "0006", "J": "40460604", "K": "0006 4004 1346", "L": "00060646",
    "M": "0600002424404046", "N": "060000464640", "O": "204046060020", "P": "0006 00404303",
    "Q": "204046060020 2547", "R": "0006 00404303 2346", "S": "4140000343460605",
    "T": "0040 2026", "U": "00064640", "V": "00262640", "W": "0016162222363640", "X": "0046 4006",
    "Y": "0023 4023 2326", "Z": "004040060646", "a": "434202064645 4246",
    "b": "0006 030242460605", "c": "434202064645", "d": "4046 434202064645",
    "e": "0444444202064645", "f": "301016 0232", "g": "424808 434202064645", "h": "0006 03024246",
    "i": "0206 0000", "j": "121808 1010", "k": "0006 3204 1436", "l": "000616",
    "m": "0206 03022226 23224246", "n": "0206 03024246", "o": "224246060222",
    "p": "0208 030242460605", "q": "4248 434202064645", "r": "0206 040232",
    "s": "4342020444460605", "t": "101636 0232", "u": "02064644 4246", "v": "02262642",
    "w": "0216162323363642", "x": "0246 4206", "y": "0226 4218", "z": "024242060646", ".": "0606",
    ",": "1608", ":": "0303 0606", "-": "0434", "_": "0747", "/": "4006", "+": "0444 2226",
    "=": "0343 0545", "(": "20110718", ")": "00111708", "'": "0002", "!": "0004 0606",
    "?": "0100404324 2626", "%": "1000021210 4006 3424263634",
    "|": "0008", "[": "100000080818", "]": "001010181808", "#": "1017 3037 0242 0545",
    ";": "0303 1608", "*": "2125 0224 4224", "<": "320435", ">": "023405",
    "·": "0404", " ": "",
}  # fmt: skip
GAP = 1.9  # grid units between letters
SPACE = 2.2  # grid units


def width(content: str, size: float) -> float:
    """How wide a text of cap height `size` is, in the same unit."""
    return max(sum(_advance(letter) for letter in content) - GAP, 0) * size / 6


def text(
    content: str,
    place: tuple[float, float],
    size: float,
    colour: Floats,
    canvas: tuple[int, int],
    *,
    align: float = 0.5,
    alpha: float = 1.0,
    weight: float = 0.075,
) -> Fragments:
    """Draw a line of text; all lengths in samples.

    `place` is x and the base line y, `align` is 0 for left, 0.5 for middle, 1 for right;
    `size` is the height of capitals and `weight` the half thickness of strokes as a share of it.
    """
    grid = size / 6
    x = place[0] - width(content, size) * align
    rows = [np.zeros((0, 8))]
    for letter in content:
        for stroke in _strokes(letter):
            row = np.full((len(stroke) + 1, 8), np.nan)
            row[:-1, 0] = x + stroke[:, 0] * grid
            row[:-1, 1] = place[1] + (stroke[:, 1] - 6) * grid
            row[:-1, 2:] = (1e6, size * weight, *colour, alpha)
            rows.append(row)
        x += _advance(letter) * grid
    return flat_line(np.concatenate(rows), *canvas)


def _advance(letter: str) -> float:
    if letter == " ":
        return SPACE
    shape = STROKES.get(letter, STROKES["?"]).replace(" ", "")
    return max(int(column) for column in shape[::2]) + GAP


def _strokes(letter: str) -> list[Floats]:
    strokes = STROKES.get(letter, STROKES["?"]).split()
    return [_rounded(np.array([*stroke], float).reshape(-1, 2)) for stroke in strokes]


def _rounded(points: Floats) -> Floats:
    """Corners cut three times over; the ends stay where they are."""
    for _ in range(3):
        if len(points) < 3:
            break
        a, b = points[:-1], points[1:]
        cut = np.stack([a * 0.75 + b * 0.25, a * 0.25 + b * 0.75], axis=1).reshape(-1, 2)
        points = np.concatenate([points[:1], cut, points[-1:]])
    return points
