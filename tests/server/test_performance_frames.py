"""Samples of a performance come as bytes; what does not fit is refused in words."""

import json
import random
import struct

import msgspec
import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.server import messages as m
from arcwright.server.messages import encoding
from arcwright.tools.gesture import Performance
from local_clients import LocalClient, worker_with

BUTTONS = ("held", "punch")


def performance(count=6, start=0.0):
    times = start + np.arange(count) / 60
    poses = np.zeros((count, 2, 7))
    poses[:, 0, 2], poses[:, 1, 1], poses[..., 3] = times, 1.5, 1.0
    axes, buttons = np.linspace(0, 1, 3 * count).reshape(count, 3), np.zeros((count, 2), bool)
    buttons[1:, 0] = True
    return Performance(times, poses, axes, buttons, ("x", "y", "ü"), BUTTONS, "phone")


def frame(header, block=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<I", len(text)) + text + block


def header_of(**changed):
    return {"type": "AppendPerformance", "interaction": 1, "samples": 2, "devices": 1} | changed


def block(times=(0.0, 0.1), pose=(0, 1, 0, 1, 0, 0, 0), axes=(), buttons=()):
    numbers = np.array([*pose, *pose, *axes], "<f4").tobytes()
    return np.array(times, "<f8").tobytes() + numbers + bytes(buttons)


@pytest.mark.parametrize(
    "given", [performance(), performance(1), performance(0), Performance([1.0, 1.0])]
)
def test_samples_come_out_as_they_went_in_but_for_the_digits_of_their_numbers(given):
    message = encoding.decode_client(encoding.encode_client(m.AppendPerformance(7, given)))
    found = message.performance
    assert message.interaction == 7
    np.testing.assert_array_equal(found.times, given.times)
    np.testing.assert_allclose(found.poses, given.poses, atol=1e-7)
    np.testing.assert_allclose(found.axes, given.axes, atol=1e-7)
    np.testing.assert_array_equal(found.buttons, given.buttons)
    names = ("axis_names", "button_names", "device")
    assert all(getattr(found, each) == getattr(given, each) for each in names)


def test_rotations_of_few_digits_have_length_one():
    pose = (0, 1, 0, 0.7071, 0, 0.7071, 0)
    found = encoding.decode_client(frame(header_of(), block(pose=pose))).performance
    np.testing.assert_allclose(np.linalg.norm(found.poses[..., 3:], axis=-1), 1, atol=1e-15)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (frame(header_of(), block()[:-1]), "72 bytes after their header, got 71"),
        (frame(header_of(), block() + b"\0"), "72 bytes after their header, got 73"),
        (frame(header_of()), "72 bytes after their header, got 0"),
        (frame(header_of(samples=3), block()), "108 bytes after their header, got 72"),
        (frame(header_of(devices=2), block()), "128 bytes after their header, got 72"),
        (frame(header_of(axis_names=["x"]), block()), "80 bytes after their header"),
        (frame(header_of(), block((0.0, np.nan))), "finite"),
        (frame(header_of(), block((0.0, np.inf))), "finite"),
        (frame(header_of(), block((0.1, 0.0))), "never fall"),
        (frame(header_of(), block(pose=(0, np.nan, 0, 1, 0, 0, 0))), "finite"),
        (frame(header_of(), block(pose=(0, 0, 0, 1, 0, np.nan, 0))), "a unit quaternion"),
        (frame(header_of(), block(pose=(0, 0, 0, 0, 0, 0, 0))), "a unit quaternion"),
        (frame(header_of(), block(pose=(0, 0, 0, 3e38, 3e38, 0, 0))), "a unit quaternion"),
        (frame(header_of(axis_names=["x"]), block(axes=(0, -np.inf))), "finite"),
        (frame(header_of(button_names=["a"]), block(buttons=(0, 2))), "0 or 1, got 2"),
        (frame(header_of(samples=-1), block()), ">= 0"),
        (frame(header_of(samples=10_001), block()), "<= 10000"),
        (frame(header_of(samples=1.5), block()), "Expected `int`"),
        (frame(header_of(devices=65), block()), "<= 64"),
        (frame(header_of(axis_names=["x"] * 257), block()), "of length <= 256"),
        (frame(header_of(device="x" * 201), block()), "of length <= 200"),
        (frame(header_of(times=[0.0]), block()), "unknown field"),
        (frame({"type": "Undo"}), "Undo"),
        (frame(b"{"), "truncated"),
        (frame(b"[" * 100), "object"),
        (struct.pack("<I", 3) + b"{ }", "a whole header"),
        (struct.pack("<I", 2**32 - 4) + b"{}", "a whole header"),
        (frame(header_of(), block())[:40], "a whole header"),
        (b"\0\0\0", "a whole header"),
        (b"", "a whole header"),
        (json.dumps(header_of()).encode(), "Invalid value 'AppendPerformance'"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(data, words):
    with pytest.raises((BadValue, msgspec.DecodeError)) as refused:
        encoding.decode_client(data)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_damaged_frames_are_refused_or_read_and_nothing_else():
    rng, whole = random.Random(5), encoding.encode_client(m.AppendPerformance(1, performance()))
    read = 0
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 3, 20])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        kept = rng.choice([len(data), len(data), rng.randrange(len(data))])
        try:
            found = encoding.decode_client(bytes(data[:kept]))
        except (BadValue, msgspec.DecodeError, UnicodeError):
            continue
        read += 1
        assert np.isfinite(found.performance.poses).all()
    assert 0 < read < 1500


def stick(first, last, clock=0.0):
    """A puppet is led ahead, from one sample to another; the device's clock says more."""
    times = np.arange(first, last) / 64
    poses = np.array([[[0.0, 1.6, -1.5 + 1.2 * t, 1, 0, 0, 0]] for t in times])
    return encoding.encode_client(m.AppendPerformance(1, Performance(times + clock, poses)))


def performed(*parts, refused=()):
    """The take of frames; before each of them others are sent that are refused."""
    with worker_with("biped:walk") as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "puppet", "biped", "walk", {}))
        for part in parts:
            for data in refused:
                worker.receive_data(client.client, data)
                assert "not understood" in client.wait(m.Failure)[-1][0].text
            worker.receive_data(client.client, part)
        client.send(m.CommitInteraction(1))
        assert client.wait(m.InteractionEnded)[-1][0].committed
        return worker.opened.scene.characters[0].takes[-1]


def test_a_refused_frame_loses_nothing_of_a_performance():
    parts = stick(0, 12), stick(12, 24)
    refused = parts[0][:-1], parts[0][:-4] + b"\0\0\xc0\x7f", b"\xff" * 50
    assert same(performed(*parts), performed(*parts, refused=refused))


def test_a_take_does_not_depend_on_what_the_clock_of_a_device_says():
    others = stick(0, 12, clock=4096.0), stick(12, 24, clock=4096.0)
    assert same(performed(stick(0, 24)), performed(*others))


def test_who_may_only_view_cannot_perform():
    with worker_with("biped:walk") as worker:
        viewer = LocalClient(worker, role="view")
        data = encoding.encode_client(m.AppendPerformance(1, performance()))
        worker.receive_data(viewer.client, data)
        assert "View only" in viewer.wait(m.Failure)[-1][0].text
