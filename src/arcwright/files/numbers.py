"""Parse many decimal numbers at once, each to the same double as `float`.

Eight characters are one 64-bit word, which three multiplications turn into a number, for all
numbers together. A mantissa below 2**53 divided by a power of ten up to 1e22 is correctly
rounded, so the result is exact; whatever is not plain decimal notation goes through `float`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats, Ints

_Words = NDArray[np.uint64]
_Chars = NDArray[np.uint8]

_CHUNK = 1 << 17  # bytes; a chunk's arrays stay in the processor's cache
_WORD_LIMIT = 1 << 20  # characters; a longer word is not a number
_PAD = 16  # blanks around a chunk, so that words may reach beyond it
_TENS = np.stack([10.0 ** np.arange(16), -(10.0 ** np.arange(16))], axis=1).ravel()
_DECIMALS = np.uint64(0x0E0C0A0806040200)  # times a dot's bit: twice the digits after it, on top
_WORD = np.uint64  # short, since every constant below must be one: no silent change to float


class NotANumber(ValueError):
    """A word of the text is not a number; `place` is its offset."""

    def __init__(self, word: bytes, place: int) -> None:
        self.word = word
        self.place = place
        super().__init__(f"expected a number, found {word[:40]!r}")


class Numbers(NamedTuple):
    """The numbers of a text."""

    values: Floats  # (N,)
    line_ends: Ints  # how many numbers there are up to the end of each line
    plain: bool  # all were in decimal notation, so all are finite


def parse(text: bytes | Iterable[bytes], most: int = 1 << 40, size: int = 0) -> Numbers:
    """The numbers of a text, which may come in pieces; separated by white space.

    Other words raise `NotANumber`. Parsing stops soon after `most` numbers.
    `size` says how many characters to expect when the text comes in pieces.
    """
    size = len(text) if isinstance(text, bytes) else size
    values = np.empty(max(size // 6, _CHUNK) + 8)
    room = _Room(_CHUNK)
    ends: list[Ints] = []
    count, plain = 0, True
    for at, piece in _whole_words([text] if isinstance(text, bytes) else text):
        if len(piece) > room.size:
            room = _Room(len(piece))
        chunk = _Chunk(piece, at, room)
        if count + len(chunk) > len(values):
            values.resize((count + len(chunk)) * 3 // 2, refcheck=False)
        plain &= chunk.parse(values[count : count + len(chunk)])
        ends.append(chunk.line_ends + count)
        count += len(chunk)
        if count > most:
            break
    values.resize(count, refcheck=False)
    return Numbers(values, np.concatenate([*ends, [count]]).astype(np.int64), plain)


def _whole_words(pieces: Iterable[bytes]) -> Iterator[tuple[int, memoryview]]:
    """The pieces split again at white space, each with its offset."""
    at, held = 0, b""
    for piece in pieces:
        joined = held + piece if held else piece
        begin = 0
        while len(joined) - begin > _CHUNK:
            stop = begin + _CHUNK
            while stop < len(joined) and joined[stop] > 32:
                stop += 1
            if stop == len(joined):
                break
            yield at + begin, memoryview(joined)[begin:stop]
            begin = stop
        stop = len(joined)
        while stop > begin and joined[stop - 1] > 32:
            stop -= 1
        if len(joined) - stop > _WORD_LIMIT:
            raise NotANumber(joined[stop:], at + stop)
        if stop > begin:
            yield at + begin, memoryview(joined)[begin:stop]
        held = joined[stop:]
        at += stop
    if held:
        yield at, memoryview(held)


class _Room:
    """Reused memory for chunks: allocating it again costs more than the arithmetic."""

    def __init__(self, size: int) -> None:
        self.size = size  # characters
        whole = -(-(size + 2 * _PAD) // 8) * 8
        self.chars: _Chars = np.full(whole, 32, np.uint8)
        self.flags: list[Bools] = [np.empty(whole, bool) for _ in range(2)]
        self.words: list[_Words] = [np.empty(size // 2 + 1, _WORD) for _ in range(8)]


class _Chunk:
    """A piece of the text, cut into numbers."""

    def __init__(self, piece: memoryview, at: int, room: _Room) -> None:
        self.at = at
        self.chars: _Chars = room.chars
        self.aligned: _Words = room.chars.view(_WORD)
        self.chars[_PAD : _PAD + len(piece)] = np.frombuffer(piece, np.uint8)
        self.chars[_PAD + len(piece) :] = 32
        blank, edge = room.flags
        np.less_equal(self.chars, 32, out=blank)
        np.not_equal(blank[1:], blank[:-1], out=edge[1:])
        edge[0] = False
        edges = np.flatnonzero(edge)
        self.start, self.end = edges[0::2], edges[1::2]
        newline = np.equal(self.chars, 10, out=edge)
        self.line_ends: Ints = np.searchsorted(self.start, np.flatnonzero(newline))
        self.words = [word[: len(self.start)] for word in room.words]
        self.negative: Ints = self.words[6].view(np.int64)
        np.equal(self.chars[self.start], 45, out=self.negative)
        self.length: Ints = np.subtract(self.end, self.start, out=self.words[7].view(np.int64))
        self.length -= self.negative

    def __len__(self) -> int:
        return len(self.start)

    def parse(self, out: Floats) -> bool:
        """Put the numbers into `out`; whether all of them were plain."""
        if len(self) == 0:
            return True
        odd = self._parse_plain(out)
        odd |= self._with_letters()
        if np.count_nonzero(odd) > len(self) // 8 and self._parse_as_python(out):
            return False
        for number in np.flatnonzero(odd):
            word = self.chars[self.start[number] : self.end[number]].tobytes()
            try:
                out[number] = float(word.replace(b"_", b"?"))  # 1_000 is Python's, not a file's
            except ValueError:
                raise NotANumber(word, self.at + int(self.start[number]) - _PAD) from None
        return not odd.any()

    def _parse_as_python(self, out: Floats) -> bool:
        """All numbers by `float`, faster for many than one at a time; whether that was possible."""
        text = self.chars.tobytes()
        try:
            out[:] = np.array(text.split(), np.float64)
        except ValueError:
            return False
        return b"_" not in text

    def _parse_plain(self, out: Floats) -> Bools:
        """Numbers of up to 16 characters as if all were plain; which of them cannot be."""
        length, room = self.length, self.words
        last = np.minimum(length, 8, out=room[0].view(np.int64))
        at = np.subtract(self.end, last, out=room[1].view(np.int64))
        whole, dot, odd = self._digits(at, last, room[2:6])
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
        room = [np.empty(len(long), _WORD) for _ in range(4)]
        front, front_dot, front_odd = self._digits(self.end[long] - 8 - first, first, room)
        dotted, front_dotted = dot[long] != 0, front_dot != 0
        whole[long] += front * np.where(dotted, _WORD(10**7), _WORD(10**8))
        decimals[long] += (((front_dot * _DECIMALS) >> _WORD(56)) + _WORD(16)) * front_dotted
        odd[long] = front_odd | (dotted & front_dotted) | (length > 16) | (whole[long] >= 2**53)
        return odd

    def _digits(self, at: Ints, length: Ints, room: list[_Words]) -> tuple[_Words, _Words, Bools]:
        """The whole number in the `length` characters from `at` on, a dot left out.

        Also the lowest bit of the dot's byte, 0 where there is none, and which have two dots or
        another sign instead. `at` is used up.
        """
        word, dot, before, odd = room
        self._eight(at, word, dot, before)
        blank = np.subtract(8, length, out=at).view(_WORD)
        blank <<= _WORD(3)
        word <<= blank
        np.right_shift(word, _WORD(1), out=dot)
        np.invert(word, out=before)
        dot &= before  # dot, comma, plus have bit 5 without 4, digits both, emptied bytes none
        dot >>= _WORD(4)
        dot &= _WORD(0x0101010101010101)
        np.subtract(dot, _WORD(1), out=before)
        np.bitwise_and(dot, before, out=odd)  # not 0 where there are two
        if not dot.all():
            before *= dot != 0
        before &= word
        word ^= before
        word ^= np.multiply(dot, _WORD(ord(".")), out=blank)
        np.multiply(dot, _WORD(255), out=blank)
        blank &= word
        odd |= blank  # not 0 where it is no dot, but a comma or such
        before <<= _WORD(8)
        word |= before
        return _number_of_eight(word), dot, odd != 0

    def _eight(self, at: Ints, word: _Words, spare: _Words, shift: _Words) -> None:
        """Into `word` the eight characters from `at` on, put together from two aligned words."""
        shift = np.bitwise_and(at.view(_WORD), _WORD(7), out=shift)
        shift <<= _WORD(3)
        at >>= 3
        np.take(self.aligned, at, out=word, mode="clip")
        word >>= shift
        at += 1
        np.take(self.aligned, at, out=spare, mode="clip")
        np.subtract(_WORD(64), shift, out=shift)
        spare <<= shift  # by 64 where the characters are aligned, which gives 0
        word |= spare

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
