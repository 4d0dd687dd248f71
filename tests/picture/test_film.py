import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.picture.film import animated, film
from arcwright.picture.palette import indexed, palette
from box_pictures import box_scene

SMALL = (120, 68)


def frames_of(content):
    """The pictures of an animated PNG with a palette, one laid over the other."""
    at, chunks = 8, []
    while at < len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        chunks.append((name, content[at + 8 : at + 8 + length]))
        at += 12 + length
    kinds = dict(chunks)
    width, height = struct.unpack(">II", kinds[b"IHDR"][:8])
    colours = np.frombuffer(kinds[b"PLTE"], np.uint8).reshape(-1, 3)
    alpha = np.frombuffer(kinds[b"tRNS"], np.uint8)
    shown, found, box, numbers = np.zeros((height, width, 3), np.uint8), [], None, []
    for name, body in chunks:
        if name == b"fcTL":
            number, *box = struct.unpack(">IIIII", body[:20])
            numbers.append(number)
        if name in (b"IDAT", b"fdAT"):
            if name == b"fdAT":
                numbers.append(struct.unpack(">I", body[:4])[0])
                body = body[4:]
            wide, high, x, y = box
            rows = np.frombuffer(zlib.decompress(body), np.uint8).reshape(high, wide + 1)[:, 1:]
            part = shown[y : y + high, x : x + wide]
            part[alpha[rows] > 0] = colours[rows][alpha[rows] > 0]
            found.append(shown.copy())
    assert numbers == list(range(len(numbers)))
    assert struct.unpack(">II", kinds[b"acTL"]) == (len(found), 0)
    return found


def test_a_film_holds_every_picture_of_the_take(tmp_path):
    images = film(box_scene(), tmp_path / "film.png", size=SMALL, rate=4)
    shown = frames_of((tmp_path / "film.png").read_bytes())
    assert len(shown) == len(images) > 2
    for image, again in zip(images, shown, strict=True):
        assert np.abs(image.astype(int) - again).mean() < 4
    assert np.abs(images[0].astype(int) - images[-1]).max() > 50


def test_pictures_that_do_not_change_cost_next_to_nothing():
    image = film(box_scene(), size=SMALL, rate=1)[0]
    one, many = len(animated([image], 10)), len(animated([image] * 20, 10))
    assert many - one < 20 * 120
    assert len(frames_of(animated([image] * 20, 10))) == 20


def test_a_looping_take_is_filmed_without_its_last_frame():
    scene = box_scene()
    take = scene.characters[0].takes[0]
    loop = replace(take, base=replace(take.base, loops=True))
    looped = replace(scene, characters=(scene.characters[0].with_take(loop),))
    rate = 4 / take.duration
    assert len(film(scene, size=SMALL, rate=rate, points=())) == 5
    assert len(film(looped, size=SMALL, rate=rate, points=())) == 4


def test_what_cannot_be_filmed_is_refused_in_plain_words():
    scene = box_scene()
    with pytest.raises(BadValue, match="pictures per second"):
        film(scene, rate=0)
    with pytest.raises(BadValue, match="start"):
        film(scene, start=99)
    still = replace(scene, characters=(replace(scene.characters[0], takes=()),))
    with pytest.raises(BadValue, match="a take to film"):
        film(still)


def test_few_colours_stay_as_they_are():
    colours = np.array([[0, 0, 0], [250, 10, 10], [10, 250, 10]], np.uint8)
    image = colours[np.arange(60).reshape(6, 10) % 3]
    table = palette(image)
    assert np.array_equal(table[indexed(image, table)], image)
