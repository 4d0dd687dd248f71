import random
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile, BadValue
from arcwright.files.values import LOST
from arcwright.scene.curve import Handle, Interpolation
from arcwright.scene.edit import Edit
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character
from arcwright.server.storage.packing import Packer, Unpacker, pack, unpack
from builders import arm_rig, change_at, full_scene

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
    again, message = unpacker.unpack(second)
    assert message == "more"
    assert same(again, scene.characters[1])


def test_a_lost_packet_takes_only_those_values_with_it_that_refer_to_it():
    packer, unpacker = Packer(), Unpacker()
    lost, kept = (Character(name, arm_rig()) for name in ("lost", "kept"))
    first = packer.pack(kept)
    packer.pack(lost)
    third = packer.pack(("a message", kept, lost, (1, lost), kept.rig))
    unpacker.unpack(first)
    message, *values = unpacker.unpack_each(third)
    assert message == "a message"
    assert same(values[0], kept)
    assert values[1:3] == [LOST, LOST]
    assert same(values[3], kept.rig)
    with pytest.raises(BadFile, match="not there"):
        unpacker.unpack(third)


def test_units_refer_to_each_other_by_number_only():
    scene = full_scene()
    packer, unpacker = Packer(), Unpacker()
    rig, take = scene.characters[0].rig, scene.characters[0].takes[0]
    again = replace(take, base=replace(take.base, name="again"))  # shares all of its curves
    packets = [packer.pack_unit(n, each) for n, each in enumerate((rig, take, again))]
    for number in (0, 2):  # 1 is lost
        unpacker.unpack_unit(number, packets[number])
    step = packer.pack((again, take, rig))
    found = unpacker.unpack_each(step)
    assert same(found[0], again)
    assert found[0].rig is found[2]
    assert found[1] is LOST
    unpacker.put_unit(1, again)
    assert unpacker.unpack_each(step)[1] is again


def test_units_share_large_arrays_and_nothing_else():
    large, small = np.arange(20_000.0), np.arange(20.0)
    packer = Packer()
    sizes = [len(packer.pack_unit(n, (large, small, n))) for n in range(2)]
    assert sizes[0] > large.nbytes > 1000 > sizes[1] > small.nbytes


def test_small_arrays_are_packed_again_so_that_steps_stand_on_their_own():
    packer = Packer()
    packer.pack(np.arange(10.0))
    assert same(Unpacker().unpack(packer.pack(np.arange(10.0))), np.arange(10.0))


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
