"""Our meshopt decoder against packets made by meshopt's own encoder."""

import json
import subprocess
from base64 import b64decode, b64encode
from pathlib import Path

import numpy as np
import pytest

from arcwright.errors import BadFile
from arcwright.files.gltf.item import Item
from arcwright.files.gltf.meshopt import unpacked
from gltf_builders import Gltf, positions
from gltf_tools import TOOLS, needs_node

CORNERS = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]
PACKED = {  # of the corners, and of 37 times their squares, by meshoptimizer's encoder
    "TRIANGLES": "4fAQABAAdodWZ3iphmWJaJgBaQAA",
    "INDICES": "0QAEBAACCAIEBAACCAAAAAA=",
    "ATTRIBUTES": "oAE8/88ASt7dUI6NBgWgAQAmhwAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
}


def item(mode, count, stride, sieve="NONE"):
    entry = {"mode": mode, "count": count, "byteStride": stride, "filter": sieve}
    return Item(Path("test.glb"), "bufferView 0", entry)


def jobs():
    rng = np.random.default_rng(7)
    grid = np.array([[i, i + 1, i + 20, i + 1, i + 21, i + 20] for i in range(300)]).ravel()
    wild = rng.integers(0, 5000, 999)
    smooth = np.cumsum(rng.integers(-3, 4, (1000, 4)), axis=0)
    unit = rng.normal(size=(333, 4)).astype(np.float32)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return [
        ("TRIANGLES", "NONE", 2, grid.astype("<u2"), 0),
        ("TRIANGLES", "NONE", 4, wild.astype("<u4"), 0),
        ("INDICES", "NONE", 4, wild.astype("<u4"), 0),
        ("INDICES", "NONE", 2, grid.astype("<u2"), 0),
        ("ATTRIBUTES", "NONE", 16, smooth.astype("<i4"), 0),
        ("ATTRIBUTES", "NONE", 16, np.sin(smooth / 9).astype("<f4"), 0),
        ("ATTRIBUTES", "NONE", 8, (smooth * 40).astype("<i2"), 0),
        ("ATTRIBUTES", "NONE", 8, rng.integers(0, 65536, (517, 4)).astype("<u2"), 0),
        ("ATTRIBUTES", "NONE", 4, np.zeros((17, 1), "<u4"), 0),
        ("ATTRIBUTES", "NONE", 256, rng.integers(0, 9, (70, 256)).astype("u1"), 0),
        ("ATTRIBUTES", "OCTAHEDRAL", 4, unit, 8),
        ("ATTRIBUTES", "OCTAHEDRAL", 8, unit, 12),
        ("ATTRIBUTES", "QUATERNION", 8, unit, 14),
        ("ATTRIBUTES", "EXPONENTIAL", 16, unit * 100, 15),
        ("ATTRIBUTES", "COLOR", 4, abs(unit), 8),
        ("ATTRIBUTES", "COLOR", 8, abs(unit), 12),
        ("ATTRIBUTES", "COLOR", 8, abs(unit), 16),
    ]


def by_meshoptimizer(jobs):
    """What the original encoder and decoder make of each job."""
    ran = subprocess.run(
        ["node", "meshopt.mjs"],
        cwd=TOOLS,
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


def literal(array):
    """Version 1 of the vertex codec, written down by the plainest means: every byte a literal."""
    rows = np.ascontiguousarray(array).view("u1").reshape(len(array), -1)
    stride = rows.shape[1]
    block = min(8192 // stride & ~15, 256)
    out = [b"\xa1"]
    delta = np.diff(rows, axis=0, prepend=rows[:1]).astype("i1").astype(int)
    zigzag = np.where(delta < 0, ~(delta << 1), delta << 1).astype("u1")
    for first in range(0, len(rows), block):
        out += [b"\xff" * (stride // 4), zigzag[first : first + block].T.tobytes()]
    out.append(bytes(max(24 - stride - stride // 4, 0)))
    return b"".join([*out, rows[0].tobytes(), bytes(stride // 4)])


@pytest.mark.parametrize("mode", PACKED)
def test_packets_unpack_without_any_other_tool(mode):
    stride = 2 if mode == "TRIANGLES" else 4
    plain = unpacked(item(mode, 12, stride), b64decode(PACKED[mode]))
    wanted = [37 * n * n for n in CORNERS] if mode == "ATTRIBUTES" else CORNERS
    assert np.frombuffer(plain, f"<u{stride}").tolist() == wanted


@pytest.mark.parametrize("stride", [4, 8, 16, 64, 256])
def test_literal_bytes_of_version_1_unpack(stride):
    wanted = np.random.default_rng(stride).integers(0, 256, (300, stride)).astype("u1")
    assert unpacked(item("ATTRIBUTES", 300, stride), literal(wanted)) == wanted.tobytes()


@pytest.mark.parametrize(("kind", "bits"), [("u1", 8), ("u1", 5), ("<u2", 16), ("<u2", 11)])
def test_colors_come_back_from_luma_and_chroma(kind, bits):
    """Coded by the rules of the filter: luma and chroma of `bits`, alpha one bit shorter."""
    top, most = np.iinfo(kind).max, (1 << bits) - 1
    color = np.random.default_rng(bits).random((200, 4))
    color[:3] = [[0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 1, 0.5]]
    red, green, blue, alpha = (np.rint(color * most).astype(int)[:, k] for k in range(4))
    co = red - blue >> 1
    half = blue + co
    cg = green - half >> 1
    coded = np.stack([half + cg, co, cg, alpha >> 1 | 1 << bits - 1], axis=1).astype(kind)
    plain = unpacked(item("ATTRIBUTES", 200, 4 * coded.itemsize, "COLOR"), literal(coded))
    found = np.frombuffer(plain, kind).reshape(-1, 4)
    assert abs(found / top - color).max() < 2.5 / most
    assert found[:2].tolist() == [[0, 0, 0, 0], [top] * 4]


def test_filters_unpack_from_version_1_as_from_version_0():
    coded = np.random.default_rng(3).integers(-127, 128, (50, 4)).astype("i1")
    coded[:, 2] = 127
    entry = item("ATTRIBUTES", 50, 4, "OCTAHEDRAL")
    vector = np.frombuffer(unpacked(entry, literal(coded)), "i1").reshape(-1, 4)
    assert (vector[:, 3] == coded[:, 3]).all()
    assert abs(np.linalg.norm(vector[:, :3], axis=1) - 127).max() < 1.5


@needs_node
@pytest.mark.parametrize("turn", [0, 1, 7, 15])
def test_rotated_deltas_unpack_as_the_original_decoder_does(turn):
    """Exclusive-or deltas, turned by some bits: encoders choose a turn only now and then."""
    coded = np.random.default_rng(turn).integers(0, 256, (100, 8)).astype("u1")
    packed = literal(coded)[:-2] + bytes([2 | turn << 4, 2])
    entry = {"mode": "ATTRIBUTES", "filter": "NONE", "count": 100, "stride": 8}
    (theirs,) = by_meshoptimizer([entry | {"packed": b64encode(packed).decode()}])
    assert unpacked(item("ATTRIBUTES", 100, 8), packed) == b64decode(theirs["plain"])


@needs_node
@pytest.mark.parametrize("version", [0, 1])
def test_every_mode_and_filter_unpacks_as_the_original_decoder_does(version):
    given = [
        {
            "version": version,
            "mode": m,
            "filter": f,
            "count": len(a),
            "stride": s,
            "bits": b,
            "data": b64encode(a.tobytes()).decode(),
        }
        for m, f, s, a, b in jobs()
    ]
    for job, entry in zip(given, by_meshoptimizer(given), strict=True):
        packed, plain = b64decode(entry["packed"]), b64decode(entry["plain"])
        about = item(job["mode"], job["count"], job["stride"], job["filter"])
        assert _near(unpacked(about, packed), plain, job), job["mode"] + job["filter"]


@pytest.mark.parametrize("name", ["EXT_meshopt_compression", "KHR_meshopt_compression"])
def test_a_file_that_needs_the_extension_is_read(tmp_path, name):
    """Positions packed in buffer 0; buffer 1 is only the place they would take up unpacked."""
    wanted = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
    packed = literal(np.hstack([wanted, np.zeros((3, 1), "<f4")]))
    entry = {"buffer": 0, "byteLength": len(packed), "byteStride": 16, "count": 3}
    gltf = Gltf(extensionsUsed=[name], extensionsRequired=[name])
    gltf.view(packed, byteStride=16)
    view = {"buffer": 1, "byteLength": 48, "byteStride": 16}
    gltf.root["bufferViews"] = [
        view | {"extensions": {name: entry | {"mode": "ATTRIBUTES", "filter": "NONE"}}}
    ]
    gltf.root["buffers"] = [
        {"byteLength": len(packed)},
        {"byteLength": 48, "extensions": {name: {"fallback": True}}},
    ]
    place = {"componentType": 5126, "type": "VEC3", "count": 3}
    position = gltf.add("accessors", bufferView=0, **place)
    gltf.add("nodes", mesh=gltf.add("meshes", primitives=[{"attributes": {"POSITION": position}}]))
    scene = gltf.read(tmp_path)
    assert positions(scene).tolist() == wanted.tolist()
    assert scene.source.warnings == ()


def _near(ours, theirs, job):
    """Equal, but for a last bit of rounding where a filter computes in 32-bit floats."""
    if job["filter"] in ("NONE", "EXPONENTIAL"):
        return ours == theirs
    sign = "u" if job["filter"] == "COLOR" else "i"
    kind = f"<{sign}1" if job["stride"] == 4 else f"<{sign}2"
    a, b = (np.frombuffer(each, kind).astype(int) for each in (ours, theirs))
    return abs(a - b).max() <= 1


@pytest.mark.parametrize("cut", [1, 5, 20, 40])
@pytest.mark.parametrize("mode", ["ATTRIBUTES", "TRIANGLES", "INDICES"])
def test_damaged_packets_are_refused(mode, cut):
    rng = np.random.default_rng(cut)
    first = {"ATTRIBUTES": 0xA0 | cut & 1, "TRIANGLES": 0xE1, "INDICES": 0xD1}[mode]
    data = bytes([first]) + rng.integers(0, 256, cut).astype(np.uint8).tobytes()
    with pytest.raises(BadFile, match="bufferView 0"):
        unpacked(item(mode, 300, 4), data)


@pytest.mark.parametrize("mode", ["ATTRIBUTES", "TRIANGLES", "INDICES"])
def test_newer_codecs_are_refused_with_what_to_do(mode):
    first = {"ATTRIBUTES": 0xA2, "TRIANGLES": 0xEF, "INDICES": 0xDF}[mode]
    with pytest.raises(BadFile, match="gltf-transform"):
        unpacked(item(mode, 3, 4), bytes([first]) + bytes(60))


def test_modes_and_filters_that_do_not_exist_are_refused():
    with pytest.raises(BadFile, match="SHAPES"):
        unpacked(item("SHAPES", 3, 4), bytes(60))
    data = b"\xa0" + bytes(1) * 4 + bytes(40)
    with pytest.raises(BadFile, match="SEPIA"):
        unpacked(item("ATTRIBUTES", 4, 4, "SEPIA"), data)
    with pytest.raises(BadFile, match="COLOR"):
        unpacked(item("ATTRIBUTES", 50, 16, "COLOR"), literal(np.zeros((50, 4), "<u4")))


@pytest.mark.parametrize("channel", [3, 0x10, 0x21])
def test_channel_modes_that_do_not_exist_are_refused(channel):
    data = literal(np.zeros((20, 4), "u1"))[:-1] + bytes([channel])
    with pytest.raises(BadFile, match="damaged"):
        unpacked(item("ATTRIBUTES", 20, 4), data)
