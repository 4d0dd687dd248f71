import random
from types import MappingProxyType

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile, BadValue
from arcwright.scene.curve import Handle, Interpolation
from arcwright.scene.edit import Edit, change_at
from arcwright.scene.rig import Kind
from arcwright.server.packing import Packer, Unpacker, pack, unpack
from builders import full_scene

NUMBERS = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
PLAIN = [
    *(None, True, False, 0, -1, 2**70, 0.1, -0.0, 5e-324, "", "é \ud800", b"", b"\0\xff"),
    *(float("inf"), -float("inf"), float("nan"), (), ((1, (2.5,)), "x"), {}, {"a": (1, None)}),
    *(MappingProxyType({"b": 1}), Handle.FLAT, Interpolation.SLERP, Kind.CUSTOM),
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_come_back_as_they_were(value):
    assert same(unpack(pack(value)), value)
    assert type(unpack(pack(value))) is type(value)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("kind", NUMBERS)
def test_arrays_of_every_number_type_come_back_bit_for_bit(order, kind):
    raw = np.random.default_rng(1).integers(0, 256, 96, np.uint8)
    array = (raw % 2).astype(bool) if kind == "?" else raw.view(np.dtype(order + kind))
    for given in (array, array.reshape(2, -1), array.reshape(2, -1).T, array[:0], array[:1][0]):
        given = np.asarray(given)
        back = unpack(pack(given))
        assert same(back, given)
        assert not back.flags.writeable


def test_a_scene_with_everything_comes_back_bit_for_bit():
    scene = full_scene()
    back = unpack(pack(scene))
    assert same(back, scene)
    assert back.characters[1].rig is back.props[0].rig
    assert back.characters[1].shapes[0].parts[0] is back.props[0].shapes[0].parts[0]


def test_arrays_lie_where_c_code_may_read_them():
    scene = unpack(pack(full_scene()))
    assert all(each.flags.aligned for take in scene.characters[0].takes for each in arrays(take))


def arrays(take):
    base = take.base
    if hasattr(base, "values"):
        return [base.time, base.values]
    return [curve.value for curve in base.curves if curve is not None]


def test_what_an_earlier_packet_holds_is_not_packed_again():
    scene = full_scene()
    packer, unpacker = Packer(), Unpacker()
    first = packer.pack(scene)
    second = packer.pack((scene.characters[1], "more"))
    assert len(second) < 200 < len(first)
    assert same(unpacker.unpack(first), scene)
    again, word = unpacker.unpack(second)
    assert word == "more"
    assert same(again, scene.characters[1])


def test_packing_goes_on_after_what_was_read():
    scene = full_scene()
    packer, unpacker = Packer(), Unpacker()
    first = packer.pack(scene)
    read = unpacker.unpack(first)
    more = Packer.after(unpacker).pack(Edit("e", (change_at(read, ("props", 0), read.props[0]),)))
    assert len(more) < 500
    assert same(unpacker.unpack(more).changes[0].after, scene.props[0])


def test_what_no_scene_holds_is_refused():
    for value in ([1], {1: 2}, object(), np.array(["a"]), np.array([1j]), np.array([None])):
        with pytest.raises(BadValue):
            pack(value)


def test_newer_packets_are_refused_with_what_to_do():
    data = bytearray(pack(1))
    data[4] = 9
    with pytest.raises(BadFile, match=r"the journal: .*version 9.*update"):
        unpack(bytes(data), "the journal")


def test_a_small_packet_cannot_unfold_to_a_huge_value():
    packer = Packer()
    data = packer.pack(tuple(np.zeros(2**20, np.uint8) for _ in range(2)))
    many = data.replace(b'[{"array":0},{"array":0}]', b"[" + b'{"bytes":0},' * 3000 + b"1]")
    length = len(many) - len(data) + int.from_bytes(data[8:12], "little")
    many = many[:8] + length.to_bytes(4, "little") + many[12:]
    with pytest.raises(BadFile, match="unfolds"):
        Unpacker().unpack(many)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_packets_are_refused_or_hold_a_value(seed):
    rng = random.Random(seed)
    data = pack(Edit("e", (change_at(full_scene(), ("name",), "x"),)))
    whole = pack(full_scene())
    refused = 0
    for case in range(150):
        spoilt = bytearray(data if case % 3 else whole)
        for _ in range(rng.choice([1, 2, 20])):
            spoilt[rng.randrange(len(spoilt) if rng.random() < 0.5 else 90)] = rng.randrange(256)
        if rng.random() < 0.2:
            spoilt = spoilt[: rng.randrange(len(spoilt))]
        try:
            unpack(bytes(spoilt))
        except BadFile as error:
            assert "\n" not in str(error)  # noqa: PT017
            refused += 1
    assert refused > 50
