"""The messages as TypeScript: `python -m arcwright.server.messages.typescript > FILE`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

from arcwright.scene.constraint import KINDS
from arcwright.scene.constraint_values import value_fields
from arcwright.scene.quantity import Field, QuantityKind, fields_of
from arcwright.scene.region import SHAPES
from arcwright.server import messages
from arcwright.server.messages import (
    activities,
    change,
    client,
    common,
    constraints,
    flow,
    footplants,
    gestures,
    info,
    layers,
    performance,
    poses,
    puppets,
    server,
    sound,
)

HEAD = "// Made from src/arcwright/server/messages by `make messages`; not to be edited.\n"
_CHOICES = ("HandleType", "InterpolationType", "ExtrapolationType")
_TUPLES = ("Vec2", "Vec3", "Quat", "KeyIndex", "HandleIndex")
_UNIONS = ("Overlay", "Change", "ClientMessage", "ServerMessage")
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}
_QUANTITIES: dict[QuantityKind, str] = {
    **{"time": "number", "number": "number", "length": "number", "times": "number[]"},
    **{"position": "Vec3", "direction": "Vec3", "orientation": "Quat", "positions": "Vec3[]"},
    **{"flag": "boolean", "point": "PointRef", "region": "Region"},
}


def typescript() -> str:
    """All messages as TypeScript."""
    parts = [HEAD]
    for name in (*_TUPLES, *_CHOICES):
        parts.append(f"export type {name} = {_type(getattr(messages, name), named=False)};\n")
    for part in (
        *(
            common,
            activities,
            constraints,
            footplants,
            gestures,
            flow,
            change,
            layers,
            poses,
            puppets,
            client,
            performance,
            info,
            sound,
            server,
        ),
    ):
        for kind in vars(part).values():
            ours = isinstance(kind, type) and kind.__module__ == part.__name__
            if ours and issubclass(kind, Struct) and not kind.__name__.startswith("_"):
                parts.append(_interface(kind))
    parts += _described_types("Region", "shape", SHAPES, fields_of)
    parts += _described_types("Constraint", "kind", KINDS, value_fields)
    for union in _UNIONS:
        members = " | ".join(each.__name__ for each in get_args(getattr(messages, union)))
        parts.append(f"export type {union} = {members};\n")
    return "\n".join(parts)


def _described_types(
    union: str,
    tag: str,
    kinds: Mapping[str, type[Any]],
    fields: Callable[[type[Any]], Sequence[Field]],
) -> list[str]:
    """Interfaces of classes whose fields are described by quantities, and their union."""
    made = []
    for name, kind in kinds.items():
        lines = [f'  {tag}: "{name}";']
        lines += [f"  {each.name}: {_quantity_type(each)};" for each in fields(kind)]
        doc = (kind.__doc__ or "").partition("\n")[0]
        made.append(
            f"/** {doc} */\nexport interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"
        )
    members = " | ".join(kind.__name__ for kind in kinds.values())
    return [*made, f"export type {union} = {members};\n"]


def _quantity_type(field: Field) -> str:
    choices = " | ".join(f'"{each}"' for each in field.quantity.choices)
    one = choices or _QUANTITIES[field.quantity.kind]
    return f"{one} | null" if field.optional else one


def _interface(kind: type[Struct]) -> str:
    lines = []
    config = kind.__struct_config__
    if config.tag is not None:
        lines.append(f'  {config.tag_field}: "{config.tag}";')
    hints = get_type_hints(kind, include_extras=True)
    for field in structs.fields(kind):
        # the server sends every field; a client may leave out those with a default
        optional = "?" if _from_client(kind) and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(hints[field.name])};")
    return _declared(kind, " ".join((kind.__doc__ or "").split()), lines)


def _declared(kind: type[Any], doc: str, lines: Sequence[str]) -> str:
    return f"/** {doc} */\nexport interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def _from_client(kind: type[Struct]) -> bool:
    sent = (*get_args(messages.ClientMessage), *get_args(messages.Change))
    return kind in (*sent, messages.PerformanceHeader, messages.PointRef)


def _type(hint: Any, *, named: bool = True) -> str:
    if hint == messages.ConstraintValues:
        return "Constraint"
    if hint is Any:
        return "unknown"
    if named:
        for name in (*_TUPLES, *_CHOICES):
            if hint == getattr(messages, name):
                return name
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(inner[0])
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in inner)
    if origin in (Union, UnionType):
        for name in _UNIONS:
            if hint == getattr(messages, name):
                return name
        return " | ".join(_type(each) for each in inner)
    if origin is list:
        one = _type(inner[0])
        return f"({one})[]" if " " in one else f"{one}[]"
    if origin is tuple:
        return "[" + ", ".join(_type(each) for each in inner) + "]"
    if origin is dict:
        return f"Record<string, {_type(inner[1])}>"
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint.__name__
    return _PLAIN[hint]


if __name__ == "__main__":
    sys.stdout.write(typescript())
