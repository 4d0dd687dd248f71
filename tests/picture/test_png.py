import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.errors import BadFile, BadValue
from arcwright.picture import png
from random_cases import examples


@examples(16, 40)
@given(st.integers(1, 30), st.integers(1, 30), st.sampled_from([3, 4]), st.integers(0, 2**32 - 1))
def test_what_is_written_is_read_again(height, width, channels, seed):
    random = np.random.default_rng(seed)
    image = random.integers(0, 256, (height, width, channels)).astype(np.uint8)
    assert np.array_equal(png.decode(png.encode(image)), image)


def test_a_file_goes_into_folders_that_are_made(tmp_path):
    image = np.full((2, 3, 3), 7, np.uint8)
    png.write(image, tmp_path / "a" / "b.png")
    assert np.array_equal(png.read(tmp_path / "a" / "b.png"), image)


def test_a_place_that_cannot_be_written_or_read_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot be written"):
        png.write(np.zeros((1, 1, 3), np.uint8), tmp_path / "file" / "a.png")
    with pytest.raises(BadFile, match="cannot be read"):
        png.read(tmp_path / "none.png")


@pytest.mark.parametrize("kind", range(5))
def test_every_row_filter_is_undone(kind):
    random = np.random.default_rng(kind)
    image = random.integers(0, 256, (6, 5, 3)).astype(np.uint8)
    content = _file(_filtered(image, kind), 5, 6, 8, 2)
    assert np.array_equal(png.decode(content), image)


def test_a_palette_of_few_bits_gives_its_colours():
    palette = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]], np.uint8)
    rows = bytes([0, 0b00011011, 0, 0b11100100])
    content = _file(rows, 4, 2, 2, 3, palette.tobytes())
    assert np.array_equal(png.decode(content), palette[[[0, 1, 2, 3], [3, 2, 1, 0]]])


def test_grey_becomes_red_green_and_blue():
    assert png.decode(_file(bytes([0, 5, 200]), 2, 1, 8, 0)).tolist() == [[[5] * 3, [200] * 3]]


@pytest.mark.parametrize("content", [b"", b"JFIF", png.SIGNATURE, png.SIGNATURE + b"\0" * 40])
def test_other_files_are_refused(content):
    with pytest.raises(BadFile):
        png.decode(content)


def test_a_file_cut_short_is_refused():
    whole = png.encode(np.zeros((9, 9, 3), np.uint8))
    for length in range(8, len(whole) - 14, 7):
        with pytest.raises(BadFile):
            png.decode(whole[:length])


def test_sixteen_bits_and_interlacing_are_refused_with_advice():
    with pytest.raises(BadFile, match="save it as plain 8-bit"):
        png.decode(_file(bytes(7), 1, 1, 16, 2))


def test_what_is_no_image_cannot_be_written():
    for wrong in (np.zeros((2, 2)), np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8)):
        with pytest.raises(BadValue):
            png.encode(wrong)


def _filtered(image, kind):
    """Rows of an image as a PNG writer with this one filter would store them."""
    height, width, step = image.shape
    flat = np.zeros((height + 1, (width + 1) * step), int)
    flat[1:, step:] = image.reshape(height, -1)
    rows = b""
    for y in range(1, height + 1):
        now, left = flat[y, step:], flat[y, :-step]
        up, corner = flat[y - 1, step:], flat[y - 1, :-step]
        guess = left + up - corner
        gaps = np.abs(np.stack([left, up, corner]) - guess)
        paeth = np.choose(gaps.argmin(0), [left, up, corner])
        taken = [0, left, up, (left + up) // 2, paeth][kind]
        rows += bytes([kind]) + ((now - taken) & 255).astype(np.uint8).tobytes()
    return rows


def _file(rows, width, height, depth, kind, palette=b""):
    def chunk(name, body):
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    table = chunk(b"PLTE", palette) if palette else b""
    return (
        png.SIGNATURE + header + table + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )
