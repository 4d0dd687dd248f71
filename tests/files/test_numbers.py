import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.files.numbers import NotANumber, parse
from random_cases import examples


def as_float(words):
    return np.array([float(word) for word in words])


def written(rng):
    """A number in one of the ways programs write them."""
    value = rng.choice([rng.uniform(-180, 180), rng.gauss(0, 1) * 10 ** rng.randint(-25, 25)])
    return rng.choice(
        [
            f"{value:.{rng.randint(0, 18)}f}",
            repr(value),
            f"{value:.{rng.randint(1, 17)}g}",
            str(rng.randint(-(10 ** rng.randint(1, 18)), 10 ** rng.randint(1, 18))),
            rng.choice(["-0", "0", ".5", "-.5", "5.", "+3", "+3.5", "1E-5", "00012.5", "1e999"]),
            rng.choice(["9007199254740993", "9999999999999999", "99999999.9999999", "1e-400"]),
        ]
    )


def test_every_number_is_the_double_that_float_gives():
    rng = random.Random(1)
    words = [written(rng) for _ in range(60_000)]
    values, _, _ = parse(" ".join(words).encode())
    assert (values.view(np.uint64) == as_float(words).view(np.uint64)).all()


@examples(120, 300)
@given(st.lists(st.floats(allow_nan=False), max_size=30), st.integers(0, 17))
def test_any_doubles_survive(values, digits):
    words = [f"{value:.{digits}g}" for value in values]
    parsed, _, _ = parse("\n".join(words).encode())
    assert (parsed == as_float(words)).all()


def test_nan_and_infinity_are_numbers():
    values, _, _ = parse(b"nan -inf Infinity 1")
    assert np.isnan(values[0])
    assert values[1:].tolist() == [-np.inf, np.inf, 1]


@pytest.mark.parametrize(
    "word", ["1..2", "-", "1-2", "--1", ".", "-.", "1,5", "x", "1.2.3", "0x10", "1_0", "1/3", "+"]
)
def test_a_word_that_is_no_number_is_found(word):
    text = f"1 2\n3 {word} 4".encode()
    with pytest.raises(NotANumber) as caught:
        parse(text)
    assert caught.value.place == 6
    assert caught.value.word == word.encode()


def test_a_bad_word_is_found_far_into_the_text():
    text = b"1.25 " * 100_000 + b"oops 1"
    with pytest.raises(NotANumber) as caught:
        parse(text)
    assert text[caught.value.place :].startswith(b"oops")


def test_lines_end_where_the_text_breaks():
    values, ends, _ = parse(b"1 2\r\n3\n\n4 5 6")
    assert values.tolist() == [1, 2, 3, 4, 5, 6]
    assert ends.tolist() == [2, 3, 3, 6]


def test_lines_are_counted_over_many_chunks():
    text = b"1.5 2.5 3.5\n" * 50_000
    values, ends, _ = parse(text)
    assert len(values) == 150_000
    assert (ends[:-1] == np.arange(1, 50_001) * 3).all()


@pytest.mark.parametrize("text", [b"", b"  \n\t "])
def test_no_numbers_are_no_numbers(text):
    values, ends, _ = parse(text)
    assert len(values) == 0
    assert ends[-1] == 0


def test_text_in_pieces_is_the_text():
    rng = random.Random(2)
    text = " ".join(written(rng) for _ in range(3000)).encode()
    whole = parse(text)
    cuts = sorted(rng.randrange(len(text)) for _ in range(200))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    values, ends, plain = parse(iter(pieces))
    assert (values.view(np.uint64) == whole.values.view(np.uint64)).all()
    assert ends[-1] == whole.line_ends[-1]
    assert plain == whole.plain


def test_only_plain_numbers_are_plain():
    assert parse(b"1 -2.5 .5 123456789.25").plain
    assert not parse(b"1 1e5").plain
    assert not parse(b"1 nan").plain


def test_a_bad_word_in_pieces_is_found_where_it_is():
    with pytest.raises(NotANumber) as caught:
        parse(iter([b"1 2 o", b"op", b"s 3"]))
    assert (caught.value.word, caught.value.place) == (b"oops", 4)


def test_a_word_without_end_is_no_number():
    with pytest.raises(NotANumber):
        parse(b"1" * 100_000 for _ in range(1_000_000))


def test_numbers_without_any_blank_between_chunks_stay_whole():
    word = b"0." + b"1" * 300_000
    values, _, _ = parse(b"1 " + word + b" 2")
    assert values.tolist() == [1, float(word), 2]
