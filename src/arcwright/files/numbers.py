"""Many decimal numbers out of text at once, each the same double that `float` gives.

Eight characters are one 64-bit word, which three multiplications turn into a number, for all
numbers together. A mantissa below 2**53 divided by a power of ten up to 1e22 is correctly
rounded, so the result is exact; whatever is not plain decimal notation goes through `float`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats, Ints

_Words = NDArray[np.uint64]
_Chars = NDArray[np.uint8]

_CHUNK = 1 << 18  # bytes; a chunk's arrays stay in the processor's cache
_PAD = b" " * 16
_TENS = np.stack([10.0 ** np.arange(16), -(10.0 ** np.arange(16))], axis=1).ravel()
_DECIMALS = np.uint64(0x0E0C0A0806040200)  # times a dot's bit: twice the digits after it, on top
_WORD = np.uint64  # short, since every constant below must be one: no silent change to float


class NotANumber(ValueError):
    """A word of the text is no number; `place` is where it begins."""

    def __init__(self, word: bytes, place: int) -> None:
        self.word = word
        self.place = place
        super().__init__(f"expected a number, found {word[:40]!r}")


def parse(text: bytes, at: int = 0, most: int = 1 << 40) -> tuple[Floats, Ints]:
    """The numbers of `text` from `at` on, and how many there are up to the end of each line.

    White space keeps numbers apart. A word that is none raises `NotANumber`; soon after `most`
    numbers the reading stops.
    """
    values = np.empty((len(text) - at) // 8 + 8)
    room = np.empty((4, _CHUNK // 2 + 8), _WORD)  # kept, since fresh memory costs more than sums
    ends: list[Ints] = []
    count = 0
    while at < len(text) and count <= most:
        stop = min(at + _CHUNK, len(text))
        while stop < len(text) and text[stop] > 32:
            stop += 1
        chunk = _Chunk(text[at:stop], at)
        if count + len(chunk) > len(values):
            values.resize((count + len(chunk)) * 3 // 2, refcheck=False)
        chunk.parse(values[count : count + len(chunk)], room[:, : len(chunk)])
        ends.append(chunk.line_ends + count)
        count += len(chunk)
        at = stop
    values.resize(count, refcheck=False)
    return values, np.concatenate([*ends, [count]]).astype(np.int64)


class _Chunk:
    """A piece of the text, cut into words."""

    def __init__(self, text: bytes, at: int) -> None:
        self.at = at
        self.text = _PAD + text + _PAD
        self.chars: _Chars = np.frombuffer(self.text, np.uint8)
        self.aligned: _Words = self.chars[: len(self.chars) // 8 * 8].view(_WORD)
        blank = self.chars <= 32
        edges = np.flatnonzero(blank[1:] != blank[:-1])
        edges += 1
        self.start, self.end = edges[0::2], edges[1::2]
        self.line_ends: Ints = np.searchsorted(self.start, np.flatnonzero(self.chars == 10))
        self.negative: Ints = (self.chars[self.start] == 45).astype(np.int64)
        self.length: Ints = self.end - self.start
        self.length -= self.negative

    def __len__(self) -> int:
        return len(self.start)

    def parse(self, out: Floats, room: _Words) -> None:
        """Put the numbers into `out`; `room` is four words of scratch for each."""
        if len(self) == 0:
            return
        odd = self._parse_plain(out, room)
        odd |= self._with_letters()
        if np.count_nonzero(odd) > len(self) // 8 and self._parse_as_python(out):
            return
        for number in np.flatnonzero(odd):
            word = self.text[self.start[number] : self.end[number]]
            try:
                out[number] = float(word.replace(b"_", b"?"))  # 1_000 is Python's, not a file's
            except ValueError:
                place = self.at + int(self.start[number]) - len(_PAD)
                raise NotANumber(word, place) from None

    def _parse_as_python(self, out: Floats) -> bool:
        """All numbers by `float`, faster for many than one at a time; whether that was possible."""
        try:
            out[:] = np.array(self.text.split(), np.float64)
        except ValueError:
            return False
        return b"_" not in self.text

    def _parse_plain(self, out: Floats, room: _Words) -> Bools:
        """Numbers of up to 16 characters as if all were plain; which of them cannot be."""
        length = self.length
        last = np.minimum(length, 8, out=room[3].view(np.int64))
        whole, dot, odd = self._digits(self.end - last, last, room)
        if length.min() < 2:
            odd |= length <= (dot != 0)
        decimals = np.multiply(dot, _DECIMALS, out=room[0])
        decimals >>= _WORD(56)
        if length.max() > 8:
            odd |= self._add_front(whole, dot, decimals)
        decimals += self.negative.view(_WORD)  # picks -10**n instead of 10**n
        tens = np.take(_TENS, decimals.view(np.int64), out=room[1].view(np.float64), mode="clip")
        np.divide(whole, tens, out=out)
        return odd

    def _add_front(self, whole: _Words, dot: _Words, decimals: _Words) -> Bools:
        """Add the digits before the last eight characters, where there are any."""
        odd = self.length > 8
        long = np.flatnonzero(odd)
        length = self.length[long]
        first = np.minimum(length - 8, 8)
        room = np.empty((4, len(long)), _WORD)
        front, front_dot, front_odd = self._digits(self.end[long] - 8 - first, first, room)
        dotted, front_dotted = dot[long] != 0, front_dot != 0
        whole[long] += front * np.where(dotted, _WORD(10**7), _WORD(10**8))
        decimals[long] += (((front_dot * _DECIMALS) >> _WORD(56)) + _WORD(16)) * front_dotted
        odd[long] = front_odd | (dotted & front_dotted) | (length > 16) | (whole[long] >= 2**53)
        return odd

    def _digits(self, at: Ints, length: Ints, room: _Words) -> tuple[_Words, _Words, Bools]:
        """The whole number in the `length` characters from `at` on, a dot left out.

        Also the lowest bit of the dot's byte, 0 where there is none, and which have two dots or
        another sign instead.
        """
        blank, dot, before = room[0], room[1], room[2]
        word = self._eight(at, room)
        np.subtract(8, length, out=blank.view(np.int64))
        blank <<= _WORD(3)
        word <<= blank
        np.right_shift(word, _WORD(1), out=dot)
        dot &= ~word  # dot, comma, plus have bit 5 without 4, digits both, emptied bytes none
        dot >>= _WORD(4)
        dot &= _WORD(0x0101010101010101)
        np.subtract(dot, _WORD(1), out=before)
        np.bitwise_and(dot, before, out=blank)  # not 0 where there are two
        if not dot.all():
            before *= dot != 0
        before &= word
        word ^= before
        word ^= dot * _WORD(ord("."))
        blank |= word & (dot * _WORD(255))  # not 0 where it is no dot, but a comma or such
        before <<= _WORD(8)
        word |= before
        return _number_of_eight(word), dot, blank != 0

    def _eight(self, at: Ints, room: _Words) -> _Words:
        """The eight characters from `at` on as one word, put together from two that are aligned."""
        shift, later = room[0], room[1]
        np.left_shift(at, 3, out=shift.view(np.int64))
        shift &= _WORD(63)
        at >>= 3
        word = np.take(self.aligned, at, mode="clip")
        word >>= shift
        at += 1
        np.take(self.aligned, at, out=later, mode="clip")
        np.subtract(_WORD(64), shift, out=shift)
        later <<= shift  # by 64 where the characters are aligned, which gives 0
        word |= later
        return word

    def _with_letters(self) -> Bools:
        """Numbers that have letters in them, such as 1e-5 and nan."""
        found = np.zeros(len(self), bool)
        if self.chars.max() > 57:
            letters = np.flatnonzero(self.chars > 57)
            found[np.searchsorted(self.start, letters, "right") - 1] = True
        return found


def _number_of_eight(word: _Words) -> _Words:
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
