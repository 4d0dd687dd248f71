"""Many decimal numbers out of text at once, each the same double that `float` gives.

Eight characters are one 64-bit word, which three multiplications turn into a number, for all
numbers together. A mantissa below 2**53 divided by a power of ten up to 1e22 is correctly
rounded, so the result is exact; whatever is not plain decimal notation goes through `float`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats, Ints

_Words = NDArray[np.uint64]

_CHUNK = 1 << 18  # bytes; a chunk's arrays stay in the processor's cache
_PAD = b" " * 16
_TENS = np.concatenate([10.0 ** np.arange(16), -(10.0 ** np.arange(16))])  # by sign and decimals
_NONE = np.zeros(0, np.int64)
_WORD = np.uint64  # short, since every constant below must be one: no silent change to float


class NotANumber(ValueError):
    """A word of the text is no number; `place` is where it begins."""

    def __init__(self, word: bytes, place: int) -> None:
        self.word = word
        self.place = place
        super().__init__(f"expected a number, found {word[:40]!r}")


def parse(text: bytes, at: int = 0) -> tuple[Floats, Ints]:
    """The numbers of `text` from `at` on, and how many there are up to the end of each line.

    White space keeps numbers apart. A word that is none raises `NotANumber`.
    """
    values: list[Floats] = []
    ends: list[Ints] = []
    count = 0
    while at < len(text):
        stop = at + _CHUNK
        while stop < len(text) and text[stop] > 32:
            stop += 1
        value, end = _parse_chunk(text[at:stop], at)
        values.append(value)
        ends.append(end + count)
        count += len(value)
        at = stop
    return _joined(values, count), np.concatenate([*ends, [count]]).astype(np.int64)


def _joined(parts: list[Floats], count: int) -> Floats:
    """One array of all parts; each is let go once copied, so memory is not needed twice."""
    whole = np.empty(count)
    at = 0
    for part in parts[::-1]:
        whole[count - at - len(part) : count - at] = part
        at += len(part)
        parts.pop()
    return whole


def _parse_chunk(text: bytes, at: int) -> tuple[Floats, Ints]:
    padded = _PAD + text + _PAD
    chars = np.frombuffer(padded, np.uint8)
    blank = chars <= 32
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    edges += 1
    start, end = edges[0::2], edges[1::2]
    line_ends = np.searchsorted(start, np.flatnonzero(chars == 10))
    negative = chars[start] == 45
    length = end - start
    length -= negative
    value, odd = _plain_numbers(padded, end, length, negative)
    odd[_with_odd_character(chars, start, negative)] = True
    for number in np.flatnonzero(odd):
        word = padded[start[number] : end[number]]
        try:
            value[number] = float(word.replace(b"_", b"?"))  # 1_000 is Python's, not a file's
        except ValueError:
            raise NotANumber(word, at + int(start[number]) - len(_PAD)) from None
    return value, line_ends


def _with_odd_character(chars: NDArray[np.uint8], start: Ints, negative: Bools) -> Ints:
    """Numbers with more in them than digits, a dot and a minus in front, such as 1e-5."""
    odd = chars > 57
    odd |= (chars - np.uint8(33)) < 12
    odd |= chars == 47
    if np.count_nonzero(chars == 45) > np.count_nonzero(negative):
        inside = chars == 45
        inside[start] = False
        odd |= inside
    return np.searchsorted(start, np.flatnonzero(odd), "right") - 1 if odd.any() else _NONE


def _plain_numbers(padded: bytes, end: Ints, length: Ints, negative: Bools) -> tuple[Floats, Bools]:
    """Numbers without their sign from up to 16 characters, and which of them that cannot read."""
    words: NDArray[Any] = np.ndarray((len(padded) - 7,), "S8", padded, strides=(1,))
    whole, decimals, dots = _digits(words[end - 8], np.clip(length, 1, 8))
    odd = (dots > 1) | (length <= dots)
    long = np.flatnonzero(length > 8)
    if len(long):
        front, places, front_dots = _digits(words[end[long] - 16], np.clip(length[long] - 8, 1, 8))
        whole[long] += front * np.where(dots[long] > 0, _WORD(10**7), _WORD(10**8))
        decimals[long] += np.where(front_dots > 0, places + 8, 0)
        odd[long] = (dots[long] + front_dots > 1) | (length[long] > 16) | (whole[long] >= 2**53)
    decimals &= 15  # two dots give nonsense, which is read again as odd
    value = whole.astype(np.float64)
    value /= _TENS[decimals + np.where(negative, 16, 0)]
    return value, odd


def _digits(text: NDArray[Any], length: Ints) -> tuple[_Words, Ints, Ints]:
    """The whole number in the last `length` characters of each word, a dot left out.

    Also how many digits follow the dot, and whether there is no dot (0), one (1) or more (2).
    """
    word: _Words = text.view(_WORD)
    valid = _WORD(2**64 - 1) << (8 - length).astype(_WORD) * _WORD(8)
    word &= valid
    dot = ~word  # bit 4 is set in every digit and clear in a dot
    dot &= valid
    dot &= _WORD(0x1010101010101010)
    dot >>= _WORD(4)
    dotted = dot != 0
    before = dot - _WORD(1)
    dots = dotted.astype(np.int64)
    dots += (dot & before) != 0
    before *= dotted
    before &= word
    word ^= before
    word &= ~(dot * _WORD(255))
    before <<= _WORD(8)
    word |= before
    decimals = (dot * _WORD(0x0706050403020100)) >> _WORD(56)
    return _eight_digits(word), decimals.view(np.int64), dots


def _eight_digits(word: _Words) -> _Words:
    """Eight digits, the first in the lowest byte, as a number: pairs, then fours, then all."""
    word &= _WORD(0x0F0F0F0F0F0F0F0F)
    word *= _WORD(10 * 2**8 + 1)
    word >>= _WORD(8)
    word &= _WORD(0x00FF00FF00FF00FF)
    word *= _WORD(100 * 2**16 + 1)
    word >>= _WORD(16)
    word &= _WORD(0x0000FFFF0000FFFF)
    word *= _WORD(10000 * 2**32 + 1)
    word >>= _WORD(32)
    return word
