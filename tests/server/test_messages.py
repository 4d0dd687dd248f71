"""The two sides of the wire speak the same language."""

from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import msgspec
import pytest

from arcwright.server import messages as m
from arcwright.server.messages import encoding
from arcwright.server.messages.typescript import typescript

MADE = Path(__file__).parents[2] / "studio" / "src" / "wire" / "messages.ts"


def test_the_page_has_the_types_of_the_server():
    assert MADE.read_text() == typescript(), "run `make messages`"


@pytest.mark.parametrize(
    "message",
    [
        m.ApplyChange(m.MoveKeys("a", "b", [(0, 0)] * 20_001)),
        m.ApplyChange(m.AddKeys("a", "b", [0] * 20_001, 0.0)),
        m.PreviewChange(1, m.DeleteKeys("a", "b", [(0, 0)] * 20_001)),
        m.Subscribe("a", "b", [m.PointRef("x")] * 1001),
        m.UpdateInteraction(1, m.PointRef("x"), 0.0, axes=[(0.0, 0.0, 1.0)] * 4),
        m.BeginInteraction(1, "tangent", "a", "b", {f"{number}": 1 for number in range(101)}),
        m.SetOptions(1, {"x": "a" * 201}),
        m.SetOptions(1, {"a" * 201: 1}),
    ],
    ids=lambda message: type(message).__name__,
)
def test_no_list_or_text_of_a_message_is_longer_than_it_may_be(message):
    with pytest.raises(msgspec.ValidationError, match="of length <="):
        encoding.decode_client(encoding.encode_client(message))


def test_many_changes_together_have_no_more_keys_than_one():
    half = m.DeleteKeys("a", "b", [(0, 0)] * 10_000)
    data = encoding.encode_client(m.ApplyChanges([half, half]))
    assert len(encoding.decode_client(data).changes) == 2
    text = data.decode().removesuffix("]}") + "," + data.decode().partition("[")[2]
    with pytest.raises(msgspec.ValidationError, match="20000 keys, got 40000"):
        encoding.decode_client(text)


def test_lists_in_messages_are_bounded():
    """Every list and dictionary that a client sends has a maximum length."""

    def unbounded(kind, where):
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            if get_origin(inner[0]) in (list, dict) and inner[1].max_length is None:
                yield where
            if get_origin(inner[0]) in (list, dict):
                for each in get_args(inner[0]):
                    yield from unbounded(each, where)
        elif origin in (list, dict) or kind is str:
            yield where
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            for name, hint in get_type_hints(kind, include_extras=True).items():
                yield from unbounded(hint, f"{where} {kind.__name__}.{name}")
        else:
            for each in inner:
                yield from unbounded(each, where)

    assert not list(unbounded(m.ClientMessage, ""))
