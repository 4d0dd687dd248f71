"""Descriptions for clients: the rigs of a scene, its takes; the tools."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from arcwright import characters
from arcwright.kinematics.baked_clip import is_baked
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.frame_rate import check_rate
from arcwright.kinematics.joint_report import joint_reports
from arcwright.kinematics.lead_in import lead_in
from arcwright.kinematics.rig_analysis import Reason, animatable, moved_in
from arcwright.scene.clip import Clip
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Actor, Prop, Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document.array_messages import PoseLayout, actors
from arcwright.server.document.display_model import DisplayModel
from arcwright.server.messages.encoding import point_ref
from arcwright.tools.catalogue import tools
from arcwright.tools.options import Option, described
from arcwright.tools.tool import FindsTakes, Note, Offer

_CENTIMETRES_BELOW = 5.0  # m; lengths of smaller characters are shown in centimetres


def scene_info(scene: Scene, model: DisplayModel) -> m.SceneInfo:
    """The rigs of a scene."""
    sizes = [rig_size(each.rig) for each in (scene.characters or scene.props)]
    scale = max(sizes, default=0.0) or 1.0
    return m.SceneInfo(
        model=f"model/{model.name}",
        rigs=[_rig(each, model.layouts[each.name]) for each in actors(scene)],
        scale=scale,
        unit="cm" if scale < _CENTIMETRES_BELOW else "m",
    )


def take_infos(scene: Scene) -> dict[str, list[m.TakeInfo]]:
    """The takes of every actor, by its name."""
    return {each.name: [_take(take) for take in each.takes] for each in actors(scene)}


def found_takes(scene: Scene) -> dict[str, dict[str, dict[str, str]]]:
    """By tool and actor: the take of each option that is left empty."""
    names = {each.name: tuple(take.name for take in each.takes) for each in actors(scene)}
    return {
        each.name: {actor: _found(each, takes) for actor, takes in names.items()}
        for each in tools()
        if isinstance(each, FindsTakes)
    }


@lru_cache(maxsize=64)  # asked for again with every step
def _found(tool: FindsTakes, takes: tuple[str, ...]) -> dict[str, str]:
    return dict(tool.find_takes(takes))


def recording_infos(scene: Scene) -> list[m.RecordingInfo]:
    """The recordings of a scene, in order."""
    return [
        m.RecordingInfo(
            index=index,
            character=each.character,
            take=each.take,
            item=each.item,
            point=None if each.point is None else point_ref(each.point, each.character),
            channels=list(each.channels),
            device=each.device,
            duration=each.duration,
            tool=each.tool,
            options=dict(each.options),
        )
        for index, each in enumerate(scene.recordings)
    ]


def pose_infos(scene: Scene) -> list[m.StoredPoseInfo]:
    """The pose library of a scene."""
    return [
        m.StoredPoseInfo(each.name, each.character, list(each.joints), each.picture)
        for each in scene.poses
    ]


def sound_info(scene: Scene) -> m.SoundInfo | None:
    """The sound of a scene, without its bytes."""
    sound = scene.sound
    if sound is None:
        return None
    address = f"sound/{sound.file.digest}"
    return m.SoundInfo(address, sound.file.name, sound.start, sound.muted)


def tool_infos() -> list[m.ToolInfo]:
    """All tools with their options."""
    return [
        m.ToolInfo(
            each.name,
            each.label,
            each.__doc__ or "",
            [_gesture_kind(one) for one in each.gestures],
            [_option(one) for one in described(each.Options)],
        )
        for each in tools()
    ]


def built_ins() -> list[str]:
    """Names of the built-in characters and clips, as `Open` takes them."""
    return [f"{who}:{clip}" for who in characters.names() for clip in characters.clip_names(who)]


def notes_message(interaction: int, notes: tuple[Note, ...], offer: Offer | None) -> m.Notes:
    """The notes about an interaction, and the offer that goes with them."""
    return m.Notes(
        interaction=interaction,
        notes=[note_info(each) for each in notes],
        offer=None if offer is None else m.OfferInfo(offer.text, offer.remaining),
    )


def note_info(note: Note) -> m.NoteInfo:
    """A note of a tool."""
    return m.NoteInfo(note.text, note.kind, note.amount, note.blocker)


def _rig(actor: Actor, layout: PoseLayout) -> m.RigInfo:
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
        nodes=layout.nodes,
        channels=[
            m.ChannelInfo(
                int(joint), Kind(kind).name.lower(), label, _limit(low), _limit(high), float(stiff)
            )
            for joint, kind, label, low, high, stiff in rows
        ],
        stride=layout.stride,
        weights=layout.weights,
        carriers=layout.carriers,
        shapes=layout.shapes,
    )


def _analysis(actor: Actor) -> list[m.JointInfo]:
    translated = animatable(actor.rig)[0]
    lengths = actor.rig.lengths or ("",) * len(actor.rig.names)
    attached = actor.rig.attached_to or (-1,) * len(actor.rig.names)
    moves = moved_in(actor)
    return [
        m.JointInfo(
            role=each.role.value,
            free=each.free and each.why is not Reason.MOVES,
            moves=moves[joint] if each.why is Reason.MOVES else [],
            can_free=each.can_free,
            can_root=bool(translated[joint]),
            length=lengths[joint],
            why=each.why.value,
            attached_to=each.attached_to,
            attached_set=attached[joint] >= 0,
        )
        for joint, each in enumerate(joint_reports(actor))
    ]


def _limit(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _take(take: Take) -> m.TakeInfo:
    base, check = take.base, check_rate(take)
    return m.TakeInfo(
        name=take.name,
        keyed=isinstance(base, Clip),
        baked=not isinstance(base, Clip) or is_baked(base),
        duration=take.duration,
        rate=take.rate,
        loops=isinstance(base, Clip) and base.loops,
        keys=base.key_count if isinstance(base, Clip) else 0,
        layers=[_layer(layer) for layer in take.layers],
        sections=[m.SectionInfo(each.name, each.start) for each in take.sections],
        markers=[m.MarkerInfo(each.name, each.time) for each in take.markers],
        lead_in=lead_in(take),
        rate_check=None if check is None else m.RateCheckInfo(check.true, check.text),
    )


def _layer(layer: Layer) -> m.LayerInfo:
    return m.LayerInfo(layer.name, layer.start, layer.end, layer.weight, layer.muted)


def _gesture_kind(gesture: type[Any]) -> Any:
    return gesture.__name__.lower()


def _option(option: Option) -> m.OptionInfo:
    return m.OptionInfo(**{**asdict(option), "choices": list(option.choices)})
