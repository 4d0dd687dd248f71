"""Rig: the joints of a character or prop, and its channels: every number that can be animated.

The transform of a joint in its parent is

    parent_from_joint = T(offset) R(rest) T(translate) R(rotate) S(scale * scale channels)

Channels without a curve hold their `default`. BVH and glTF joints have `rest` = identity
and absolute channel values; Blender bones have their rest pose in `offset` and `rest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue, UnknownName

EULER_MODES = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
"""Euler orders, written as the matrix product: `"ZYX"` is Rz @ Ry @ Rx (X is applied first)."""
QUATERNION = "quaternion"
MODES = (*EULER_MODES, QUATERNION)


class Kind(IntEnum):
    """The kind of a channel."""

    TRANSLATE_X = 0
    TRANSLATE_Y = 1
    TRANSLATE_Z = 2
    ROTATE_X = 3
    ROTATE_Y = 4
    ROTATE_Z = 5
    QUATERNION_W = 6
    QUATERNION_X = 7
    QUATERNION_Y = 8
    QUATERNION_Z = 9
    SCALE_X = 10
    SCALE_Y = 11
    SCALE_Z = 12
    WEIGHT = 13
    CUSTOM = 14

    @property
    def group(self) -> str:
        """The word before the axis: translate, rotate, quaternion, scale, weight, custom."""
        return self.name.split("_")[0].lower()

    @property
    def rest(self) -> float:
        """The neutral value of the channel."""
        return 1.0 if self.group == "scale" or self is Kind.QUATERNION_W else 0.0


@dataclass(frozen=True, eq=False)
class ChannelTable:
    """One row per scalar degree of freedom of a rig, in the order of curves and sample columns."""

    joint: Ints  # (C,) the joint driven
    kind: Ints  # (C,) a Kind
    default: Floats  # (C,) value where no curve drives it; m, rad or plain
    low: Floats  # (C,) lower limit, -inf for none
    high: Floats  # (C,) upper limit, inf for none
    stiffness: Floats  # (C,) resistance to edits, 1 is the default
    label: tuple[str, ...]  # (C,) morph target or property name; "" for transforms

    def __post_init__(self) -> None:
        for name in ("joint", "kind"):
            _set(self, name, frozen(getattr(self, name), f"ChannelTable.{name}", ("C",), np.int64))
        for name in ("default", "low", "high", "stiffness"):
            finite = name in ("default", "stiffness")
            value = frozen(getattr(self, name), f"ChannelTable.{name}", ("C",), finite=finite)
            _set(self, name, value)
        _set(self, "label", tuple(self.label))
        self._check()

    def _check(self) -> None:
        count = len(self.joint)
        for name in ("kind", "default", "low", "high", "stiffness", "label"):
            if len(getattr(self, name)) != count:
                raise BadValue(
                    f"ChannelTable.{name}",
                    f"{count} rows, as in joint",
                    f"{len(getattr(self, name))} rows",
                )
        if count and not (self.kind.min() >= 0 and self.kind.max() <= max(Kind)):
            raise BadValue("ChannelTable.kind", f"0 to {int(max(Kind))}", self.kind.tolist())
        if np.isnan(self.low).any() or np.isnan(self.high).any() or (self.low > self.high).any():
            raise BadValue("ChannelTable.low", "low <= high in every row", "a row where it is not")
        if (self.stiffness <= 0).any():
            raise BadValue("ChannelTable.stiffness", "numbers above 0", self.stiffness.min())
        if len({*zip(self.joint.tolist(), self.kind.tolist(), self.label, strict=True)}) < count:
            raise BadValue("ChannelTable", "each joint, kind and label once", "a row twice")

    def __len__(self) -> int:
        return len(self.joint)

    @classmethod
    def of(
        cls,
        joint: list[int],
        kind: list[Kind],
        *,
        default: list[float] | None = None,
        label: list[str] | None = None,
    ) -> ChannelTable:
        """A table without limits, stiffness 1, and neutral defaults."""
        count = len(joint)
        free = np.full(count, np.inf)
        return cls(
            joint=np.array(joint, np.int64),
            kind=np.array(kind, np.int64),
            default=np.array(default if default is not None else [k.rest for k in kind], float),
            low=-free,
            high=free,
            stiffness=np.ones(count),
            label=tuple(label) if label is not None else ("",) * count,
        )


LENGTHS = ("", "free", "locked")
"""Length settings of a joint: as analysed, may change, locked."""


@dataclass(frozen=True, eq=False)
class Rig:
    """Joints as arrays, parents before children."""

    names: tuple[str, ...]  # (J,) unique
    parents: Ints  # (J,) index of the parent, -1 for a root
    offset: Floats  # (J, 3) m, rest translation in the parent
    rest: Floats  # (J, 4) wxyz, rest rotation in the parent
    scale: Floats  # (J, 3) rest scale
    modes: tuple[str, ...]  # (J,) rotation mode: an Euler order or "quaternion"
    channels: ChannelTable
    file_names: tuple[str, ...] = ()  # (J,) in the file it was read from, "" for none; () the same
    lengths: tuple[str, ...] = ()  # (J,) "free" or "locked" by the animator, "" as analysed; () all
    root: int = -1  # the joint that carries the body, set by the animator; -1 as analysed
    attached_to: tuple[int, ...] = ()  # (J,) set by the animator: a joint, itself for none, or -1

    def __post_init__(self) -> None:
        _set(self, "names", tuple(self.names))
        same = tuple(self.file_names) == self.names
        _set(self, "file_names", () if same else tuple(self.file_names))
        _set(self, "lengths", tuple(self.lengths) if any(self.lengths) else ())
        _set(self, "attached_to", _attached(self.attached_to))
        _set(self, "modes", tuple(self.modes))
        _set(self, "parents", frozen(self.parents, "Rig.parents", ("J",), np.int64))
        _set(self, "offset", frozen(self.offset, "Rig.offset", ("J", 3)))
        _set(self, "rest", frozen(self.rest, "Rig.rest", ("J", 4)))
        _set(self, "scale", frozen(self.scale, "Rig.scale", ("J", 3)))
        self._check_joints()
        self._check_channels()

    def _check_joints(self) -> None:
        count = len(self.names)
        for name in ("parents", "offset", "rest", "scale", "modes"):
            if len(getattr(self, name)) != count:
                raise BadValue(
                    f"Rig.{name}", f"{count} rows, as in names", f"{len(getattr(self, name))}"
                )
        if self.file_names and len(self.file_names) != count:
            raise BadValue("Rig.file_names", f"{count} rows or none", f"{len(self.file_names)}")
        if self.lengths and len(self.lengths) != count:
            raise BadValue("Rig.lengths", f"{count} rows or none", f"{len(self.lengths)}")
        for length in self.lengths:
            if length not in LENGTHS:
                raise BadValue("Rig.lengths", "free, locked or empty", repr(length))
        if not -1 <= self.root < count:
            raise BadValue("Rig.root", f"a joint, 0 to {count - 1}, or -1", self.root)
        if self.attached_to and len(self.attached_to) != count:
            raise BadValue("Rig.attached_to", f"{count} rows or none", f"{len(self.attached_to)}")
        for joint, limb in enumerate(self.attached_to):
            if not -1 <= limb < count or (limb != joint and self.is_below(limb, joint)):
                expected = f"a joint that is not below {self.names[joint]}, or -1"
                raise BadValue("Rig.attached_to", expected, limb)
        if len(set(self.names)) < count:
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise BadValue("Rig.names", "each joint name once", f"{twice!r} twice")
        if (self.parents >= np.arange(count)).any() or (self.parents < -1).any():
            raise BadValue("Rig.parents", "parents before children, -1 for roots", self.parents)
        if (abs((self.rest**2).sum(axis=1) - 1) > 1e-6).any():
            raise BadValue("Rig.rest", "unit quaternions wxyz", "another length")
        for mode in self.modes:
            if mode not in MODES:
                raise BadValue("Rig.modes", " or ".join(MODES), repr(mode))

    def _check_channels(self) -> None:
        table = self.channels
        if len(table) and not (table.joint.min() >= 0 and table.joint.max() < len(self.names)):
            raise BadValue("ChannelTable.joint", f"0 to {len(self.names) - 1}", table.joint)
        euler_kind = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.ROTATE_Z)
        quaternion_kind = (table.kind >= Kind.QUATERNION_W) & (table.kind <= Kind.QUATERNION_Z)
        is_quaternion = np.array([mode == QUATERNION for mode in self.modes], bool)[table.joint]
        wrong = np.flatnonzero((euler_kind & is_quaternion) | (quaternion_kind & ~is_quaternion))
        if len(wrong):
            joint, kind = int(table.joint[wrong[0]]), Kind(table.kind[wrong[0]])
            raise BadValue(
                f"Rig.channels of {self.names[joint]}",
                f"rotation channels of mode {self.modes[joint]}",
                kind.name,
            )
        quaternions = np.bincount(table.joint[quaternion_kind], minlength=len(self.names))
        if not set(quaternions.tolist()) <= {0, 4}:
            joint = int(np.argmax((quaternions != 0) & (quaternions != 4)))
            raise BadValue(
                f"Rig.channels of {self.names[joint]}",
                "all four quaternion channels or none",
                int(quaternions[joint]),
            )

    def is_below(self, joint: int, top: int) -> bool:
        """Whether a joint is `top` or one of its descendants."""
        while joint > top:
            joint = int(self.parents[joint])
        return joint == top

    def joint(self, name: str) -> int:
        """The index of a joint, or an error that lists near names."""
        found = self._joint_index.get(name)
        if found is None:
            raise UnknownName("joint", name, self.names)
        return found

    def channel(self, name: str) -> int:
        """The index of a channel by its full name, such as `LeftFoot.rotate.x`."""
        found = self._channel_index.get(name)
        if found is None:
            raise UnknownName("channel", name, self.channel_names)
        return found

    @cached_property
    def channel_names(self) -> tuple[str, ...]:
        """`Joint.group.axis` for transforms, `Joint.weight.smile` for labelled channels."""
        return tuple(
            f"{self.names[joint]}.{Kind(kind).group}.{label or Kind(kind).name[-1].lower()}"
            for joint, kind, label in zip(
                self.channels.joint, self.channels.kind, self.channels.label, strict=True
            )
        )

    @cached_property
    def _joint_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.names)}

    @cached_property
    def _channel_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.channel_names)}


def _attached(joints: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(int(joint) for joint in joints)
    return chosen if any(joint >= 0 for joint in chosen) else ()


def _set(value: object, name: str, to: object) -> None:
    object.__setattr__(value, name, to)
