"""What windows are told of a scene: who is in it, its takes, its wishes, its tools."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any, Literal

import numpy as np

from arcwright import characters
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.joint_report import joint_reports
from arcwright.kinematics.rig_analysis import Reason, animatable, moved_in
from arcwright.scene.clip import Clip
from arcwright.scene.layer import Layer
from arcwright.scene.point import Contact, Pin
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Actor, Prop, Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.model import Body, Model, actors
from arcwright.server.spots import spot
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.tool import Note, Offer

_IN_CENTIMETRES = 5.0  # m; of smaller characters people speak in centimetres


def cast(scene: Scene, model: Model) -> m.SceneInfo:
    """Who is in the scene."""
    sizes = [rig_size(each.rig) for each in (scene.characters or scene.props)]
    scale = max(sizes, default=0.0) or 1.0
    return m.SceneInfo(
        model=f"model/{model.name}",
        rigs=[_rig(each, model.bodies[each.name]) for each in actors(scene)],
        scale=scale,
        unit="cm" if scale < _IN_CENTIMETRES else "m",
    )


def takes(scene: Scene) -> dict[str, list[m.TakeInfo]]:
    """The takes of everyone, by name."""
    return {each.name: [_take(take) for take in each.takes] for each in actors(scene)}


def wishes(scene: Scene) -> list[m.PointConstraintInfo]:
    """Pins, then contacts."""
    pins = [_wish(scene, "pin", index, pin) for index, pin in enumerate(scene.pins)]
    return pins + [_wish(scene, "contact", i, each) for i, each in enumerate(scene.contacts)]


def tools() -> list[m.ToolInfo]:
    """All tools with their options."""
    return [
        m.ToolInfo(each.name, each.__doc__ or "", [_option(one) for one in fields(each.Options)])
        for each in TOOLS
    ]


def built_ins() -> list[str]:
    """Names of the built-in characters and clips, as `Open` takes them."""
    return [f"{who}:{clip}" for who in characters.names() for clip in characters.clip_names(who)]


def notes(hand: int, told: tuple[Note, ...], offer: Offer | None) -> m.Notes:
    """What is in the way of a hand."""
    return m.Notes(
        interaction=hand,
        notes=[note(each) for each in told],
        offer=None if offer is None else m.OfferInfo(offer.text, offer.remaining),
    )


def note(told: Note) -> m.NoteInfo:
    """Something people should know."""
    return m.NoteInfo(told.text, told.kind, told.amount, told.blocker)


def _rig(actor: Actor, body: Body) -> m.RigInfo:
    table = actor.rig.channels
    numbers = table.low, table.high, table.stiffness
    rows = zip(table.joint, table.kind, table.label, *numbers, strict=True)
    return m.RigInfo(
        name=actor.name,
        prop=isinstance(actor, Prop),
        joints=list(actor.rig.names),
        parents=actor.rig.parents.tolist(),
        analysis=_analysis(actor),
        root_set=actor.rig.root >= 0,
        nodes=body.nodes,
        channels=[
            m.ChannelInfo(
                int(joint), Kind(kind).name.lower(), label, _limit(low), _limit(high), float(stiff)
            )
            for joint, kind, label, low, high, stiff in rows
        ],
        stride=body.stride,
        weights=body.weights,
        carriers=body.carriers,
    )


def _analysis(actor: Actor) -> list[m.JointInfo]:
    translated = animatable(actor.rig)[0]
    said = actor.rig.lengths or ("",) * len(actor.rig.names)
    moves = moved_in(actor)
    return [
        m.JointInfo(
            role=each.role.value,
            free=each.free and each.why is not Reason.MOVES,
            moves=moves[joint] if each.why is Reason.MOVES else [],
            can_free=each.can_free,
            can_root=bool(translated[joint]),
            length=said[joint],
            why=each.why.value,
        )
        for joint, each in enumerate(joint_reports(actor))
    ]


def _limit(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _take(take: Take) -> m.TakeInfo:
    base = take.base
    keyed = isinstance(base, Clip)
    return m.TakeInfo(
        name=take.name,
        keyed=keyed,
        duration=take.duration,
        rate=take.rate,
        loops=isinstance(base, Clip) and base.loops,
        keys=base.key_count if isinstance(base, Clip) else 0,
        layers=[_layer(layer) for layer in take.layers],
    )


def _layer(layer: Layer) -> m.LayerInfo:
    return m.LayerInfo(layer.name, layer.start, layer.end, layer.weight, layer.muted)


def _wish(
    scene: Scene, kind: m.PointConstraintKind, index: int, wish: Pin | Contact
) -> m.PointConstraintInfo:
    other = wish.relative_to if isinstance(wish, Contact) else None
    return m.PointConstraintInfo(
        kind=kind,
        index=index,
        name=f"{wish.point.joint} {kind}",
        point=spot(wish.point, scene.actor(wish.point.character).name),
        start=wish.start,
        end=wish.end,
        position=wish.position,
        orientation=wish.orientation,
        relative_to=None if other is None else spot(other, scene.actor(other.character).name),
        take=wish.clip,
    )


_Word = Literal["bool", "int", "float", "choice"]
_WORDS: dict[str, _Word] = {"bool": "bool", "int": "int", "float": "float", "str": "choice"}


def _option(option: Field[Any]) -> m.OptionInfo:
    words = [word.strip() for word in str(option.type).split("|")]
    about = option.metadata
    low, high = about.get("range", (None, None))
    return m.OptionInfo(
        name=option.name,
        kind=_WORDS[words[0]],
        default=None if option.default is MISSING else option.default,
        label=about.get("label", ""),
        help=about.get("help", ""),
        unit=about.get("unit", ""),
        low=low,
        high=high,
        choices=list(about.get("choices", ())),
        optional="None" in words,
    )
