"""Meshopt compression: packed bufferViews, unpacked with NumPy.

Reads KHR_meshopt_compression and its predecessor EXT_meshopt_compression, which lacks the second
version of the vertex codec and the filter COLOR.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadFile
from arcwright.files.gltf.item import Item
from arcwright.files.gltf.meshopt_index import unpack_sequence, unpack_triangles
from arcwright.files.gltf.meshopt_vertex import unpack_attributes

_ADVICE = "unpack it with: gltf-transform copy IN OUT"


def unpacked(item: Item, data: bytes) -> bytes:
    """The bytes of a compressed bufferView; `item` is its extension object."""
    count = item.integer("count", low=1)
    stride = item.integer("byteStride", low=1, high=256)
    mode, sieve = item.text("mode"), item.text("filter", "NONE")
    if mode == "ATTRIBUTES" and stride % 4 == 0:
        read = unpack_attributes
    elif mode == "TRIANGLES" and stride in (2, 4) and count % 3 == 0:
        read = unpack_triangles
    elif mode == "INDICES" and stride in (2, 4):
        read = unpack_sequence
    else:
        raise item.bad(f"has mode {mode!r} with byteStride {stride} and count {count}")
    try:
        array = read(data, count, stride)
    except NotImplementedError as error:
        raise BadFile(item.path, f"{item.label} {error}", _ADVICE) from error
    except (IndexError, ValueError, OverflowError) as error:
        raise item.bad("is damaged: its packed data does not unpack") from error
    return _filtered(item, array, sieve).tobytes()


def _filtered(item: Item, array: AnyArray, sieve: str) -> AnyArray:
    stride = array.shape[1] if array.ndim == 2 else 0
    if sieve == "NONE":
        return array
    if sieve == "OCTAHEDRAL" and stride in (4, 8):
        return _octahedral(array.view("<i1" if stride == 4 else "<i2"))
    if sieve == "QUATERNION" and stride == 8:
        return _quaternion(array.view("<i2"))
    if sieve == "EXPONENTIAL" and stride:
        whole = array.view("<i4")
        value: AnyArray = np.ldexp((whole << 8 >> 8).astype(np.float32), whole >> 24)
        return value
    if sieve == "COLOR" and stride in (4, 8):
        return _color(array, "<u1" if stride == 4 else "<u2")
    raise item.bad(f"has filter {sieve!r} with byteStride {stride}, which is not supported")


def _octahedral(packed: AnyArray) -> AnyArray:
    """Unit vectors from octahedral (x, y, one); the fourth number passes through."""
    top = np.iinfo(packed.dtype).max
    x, y, one = (packed[:, k].astype(np.float32) for k in range(3))
    z = one - abs(x) - abs(y)
    fold = np.minimum(z, 0)
    x, y = x + np.where(x >= 0, fold, -fold), y + np.where(y >= 0, fold, -fold)
    vector = np.stack([x, y, z], axis=-1)
    length = np.linalg.norm(vector, axis=1, keepdims=True)
    out = packed.copy()
    out[:, :3] = _rounded(vector * (top / np.maximum(length, 1e-20)))
    return out


def _quaternion(packed: AnyArray) -> AnyArray:
    """Unit quaternions xyzw from the three smallest parts; two bits say which is missing."""
    tag = packed[:, 3].astype(np.int32)
    small = packed[:, :3] * (np.float32(0.5**0.5) / (tag | 3).astype(np.float32))[:, None]
    large: AnyArray = np.sqrt(np.maximum(1 - (small**2).sum(axis=1), 0))
    out = np.empty_like(packed)
    row = np.arange(len(packed))
    out[row, tag & 3] = _rounded(large * 32767)
    for k in range(3):
        out[row, (tag + k + 1) & 3] = _rounded(small[:, k] * 32767)
    return out


def _color(packed: AnyArray, kind: str) -> AnyArray:
    """Colours RGBA from luma, two signed chroma and an alpha whose highest bit tells the depth."""
    whole = packed.view(kind).astype(np.int64)
    luma = whole[:, 0]
    orange, green = packed.view(kind.replace("u", "i"))[:, 1:3].T.astype(np.int64)
    depth = np.frexp(np.maximum(whole[:, 3], 1))[1]  # bits
    alpha = whole[:, 3] & (1 << (depth - 1)) - 1
    alpha = alpha << 1 | alpha & 1
    rgba = np.stack([luma + orange - green, luma + green, luma - orange - green, alpha], axis=-1)
    top = np.iinfo(kind).max
    scaled = rgba * (top / ((1 << depth) - 1))[:, None]
    return np.clip(_rounded(scaled), 0, top).astype(kind)


def _rounded(value: AnyArray) -> AnyArray:
    whole: AnyArray = np.trunc(value + np.where(value >= 0, 0.5, -0.5))
    return whole.astype(np.int32)
