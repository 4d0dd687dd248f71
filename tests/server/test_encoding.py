"""What goes over the wire comes out the same."""

import msgspec
import numpy as np
import pytest

from arcwright.server import messages as m
from arcwright.server.messages import encoding


def test_a_message_and_its_numbers_come_out_as_they_went_in():
    poses = np.arange(12.0).reshape(3, 4)
    message = m.Frames(character="bipéd", take="walk", preview_of=None, first=7)
    message, arrays = encoding.decode(encoding.encode(message, poses=poses, more=np.zeros((0, 9))))
    assert message.character == "bipéd"
    assert message.first == 7
    np.testing.assert_array_equal(arrays["poses"], poses.astype(np.float32))
    assert arrays["more"].shape == (0, 9)


@pytest.mark.parametrize("name", ["a", "ab", "abc", "abcd"])
def test_numbers_begin_at_a_multiple_of_four_bytes(name):
    data = encoding.encode(m.Failure(text=name), numbers=np.ones(3))
    (length,) = np.frombuffer(data, "<u4", 1)
    assert length % 4 == 0
    assert len(data) == 4 + length + 12


def test_numbers_are_little_endian_and_row_by_row():
    columns = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    data = encoding.encode(m.Failure(text=""), numbers=columns)
    np.testing.assert_array_equal(np.frombuffer(data[-24:], "<f4"), np.arange(6))


@pytest.mark.parametrize(
    "message",
    [
        m.Subscribe("biped", "walk", [m.PointRef("Hips", (0.0, 0.1, 0.0))]),
        m.BeginInteraction(3, "tangent", "biped", "walk", {"time_reach": 2, "floor_height": None}),
        m.UpdateInteraction(3, m.PointRef("Hips"), 0.5, (0.0, 1.0, 0.0), axes=[(0.0, 1.0, 0.0)]),
        m.PreviewChange(4, m.MoveKeys("biped", "walk", [(0, 1), (3, 2)], time=0.25)),
        m.ApplyChange(m.SetLimits("biped", "walk", 3, None, 1.5)),
        m.ApplyChange(m.SetLengths("biped", "walk", [3, 4], "free")),
        m.ApplyChange(m.SetRoot("biped", "walk", 0)),
        m.ApplyChange(m.SetAttached("biped", "walk", 2, 3)),
        m.Open("builtin", "biped:walk"),
        m.Undo(),
    ],
)
def test_client_messages_decode_to_what_was_encoded(message):
    assert encoding.decode_client(encoding.encode_client(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"type": "dance"}',
        '{"type": "Undo", "twice": true}',
        '{"type": "GoToStep", "step": "one"}',
        '{"type": "GoToStep", "step": 1.5}',
        '{"type": "CommitInteraction", "interaction": 1e400}',
        '{"type": "UpdateInteraction", "interaction": 1, "point": {"joint": "Hips"}, "time": NaN}',
        '{"type": "UpdateInteraction", "interaction": 1, "point": {"joint": "Hips"}, "time": 0,'
        ' "position": [1, 2]}',
        '{"type": "Subscribe", "character": "' + 201 * "x" + '", "take": "", "points": []}',
        "[" * 100_000,
    ],
)
def test_what_is_not_a_message_is_refused(text):
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        encoding.decode_client(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/home/me/walks/a.bvh: no such file", "a.bvh: no such file"),
        ("picture '/home/me/a.png' is not there", "picture 'a.png' is not there"),
        ("C:\\Users\\me\\a.bvh: bad (D:/x/b.bin)", "a.bvh: bad (b.bin)"),
        ("walks/a.bvh: 3 m/s, and/or 1/2; see https://a.example/b/c", None),
    ],
)
def test_messages_name_files_without_their_folders(text, message):
    received, _ = encoding.decode(encoding.encode(m.Failure(text=text)))
    assert received.text == (message or text)
    received, _ = encoding.decode(encoding.encode(m.Report(text=text)))
    assert received.text == (message or text)
