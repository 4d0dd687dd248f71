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
from gltf_tools.peers import TOOLS, needs_node

CORNERS = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]
PACKED = {  # of the corners, and of 37 times their squares, by meshoptimizer's encoder
    "TRIANGLES": "4fAQABAAdodWZ3iphmWJaJgBaQAA",
    "INDICES": "0QAEBAACCAIEBAACCAAAAAA=",
    "ATTRIBUTES": "oAE8/88ASt7dUI6NBgWgAQAmhwAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
}


def item(mode, count, stride, sieve="NONE"):
    told = {"mode": mode, "count": count, "byteStride": stride, "filter": sieve}
    return Item(Path("test.glb"), "bufferView 0", told)


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
        ("ATTRIBUTES", "NONE", 8, rng.integers(0, 65536, (517, 4)).astype("<u2"), 0),
        ("ATTRIBUTES", "NONE", 4, np.zeros((17, 1), "<u4"), 0),
        ("ATTRIBUTES", "NONE", 256, rng.integers(0, 9, (70, 256)).astype("u1"), 0),
        ("ATTRIBUTES", "OCTAHEDRAL", 4, unit, 8),
        ("ATTRIBUTES", "OCTAHEDRAL", 8, unit, 12),
        ("ATTRIBUTES", "QUATERNION", 8, unit, 14),
        ("ATTRIBUTES", "EXPONENTIAL", 16, unit * 100, 15),
    ]


@pytest.mark.parametrize("mode", PACKED)
def test_packets_unpack_without_any_other_tool(mode):
    stride = 2 if mode == "TRIANGLES" else 4
    plain = unpacked(item(mode, 12, stride), b64decode(PACKED[mode]))
    wanted = [37 * n * n for n in CORNERS] if mode == "ATTRIBUTES" else CORNERS
    assert np.frombuffer(plain, f"<u{stride}").tolist() == wanted


@needs_node
def test_every_mode_and_filter_unpacks_as_the_original_decoder_does():
    given = [
        {
            "mode": m,
            "filter": f,
            "count": len(a),
            "stride": s,
            "bits": b,
            "data": b64encode(a.tobytes()).decode(),
        }
        for m, f, s, a, b in jobs()
    ]
    ran = subprocess.run(
        ["node", "meshopt.mjs"],
        cwd=TOOLS,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
    )
    for job, told in zip(given, json.loads(ran.stdout), strict=True):
        packed, plain = b64decode(told["packed"]), b64decode(told["plain"])
        about = item(job["mode"], job["count"], job["stride"], job["filter"])
        assert _near(unpacked(about, packed), plain, job), job["mode"] + job["filter"]


def _near(ours, theirs, job):
    """Equal, but for a last bit of rounding where a filter computes in 32-bit floats."""
    if job["filter"] in ("NONE", "EXPONENTIAL"):
        return ours == theirs
    kind = "<i1" if job["stride"] == 4 else "<i2"
    a, b = (np.frombuffer(each, kind).astype(int) for each in (ours, theirs))
    return abs(a - b).max() <= 1


@pytest.mark.parametrize("cut", [1, 5, 20, 40])
@pytest.mark.parametrize("mode", ["ATTRIBUTES", "TRIANGLES", "INDICES"])
def test_damaged_packets_are_refused(mode, cut):
    rng = np.random.default_rng(cut)
    first = {"ATTRIBUTES": 0xA0, "TRIANGLES": 0xE1, "INDICES": 0xD1}[mode]
    data = bytes([first]) + rng.integers(0, 256, cut).astype(np.uint8).tobytes()
    with pytest.raises(BadFile, match="bufferView 0"):
        unpacked(item(mode, 300, 4), data)


@pytest.mark.parametrize("mode", ["ATTRIBUTES", "TRIANGLES", "INDICES"])
def test_newer_codecs_are_refused_with_what_to_do(mode):
    first = {"ATTRIBUTES": 0xA1, "TRIANGLES": 0xEF, "INDICES": 0xDF}[mode]
    with pytest.raises(BadFile, match="gltf-transform"):
        unpacked(item(mode, 3, 4), bytes([first]) + bytes(60))


def test_modes_and_filters_that_do_not_exist_are_refused():
    with pytest.raises(BadFile, match="SHAPES"):
        unpacked(item("SHAPES", 3, 4), bytes(60))
    data = b"\xa0" + bytes(1) * 4 + bytes(40)
    with pytest.raises(BadFile, match="SEPIA"):
        unpacked(item("ATTRIBUTES", 4, 4, "SEPIA"), data)
