"""Convert a scene: keep one take, fit keyframes to samples, change the frame rate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arcwright.errors import UnknownName
from arcwright.kinematics.quaternions import with_quaternions
from arcwright.kinematics.reduction import Poses
from arcwright.kinematics.reduction import fit as fit_take
from arcwright.kinematics.sample import sample
from arcwright.open import read, write
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take


def convert(
    scene: Scene,
    *,
    take: str | None = None,
    fit: float | None = None,
    rate: float | None = None,
    quaternions: bool = False,
    per_channel: bool = False,
) -> tuple[Scene, list[str]]:
    """Keep one take, fit keyframes within `fit` metres, set `rate` frames per second.

    Also returns notes, one per change. A new rate keeps times in seconds: samples are resampled,
    keys stay. With `quaternions`, fitted joints are first converted to quaternions, which glTF
    stores exactly. With `per_channel`, channels have keys only where they need them, instead of
    one at every key pose.
    """
    if take is not None:
        scene = with_only(scene, take)
    if quaternions and fit is not None:
        scene = replace(
            scene,
            characters=tuple(with_quaternions(each) for each in scene.characters),
            props=tuple(with_quaternions(each) for each in scene.props),
        )
    notes: list[str] = []
    poses: Poses = "per-channel" if per_channel else "aligned"

    def converted_takes(actor: Actor) -> tuple[Take, ...]:
        return tuple(
            _converted_take(take, actor.name, fit, poses, rate, notes) for take in actor.takes
        )

    characters = tuple(replace(each, takes=converted_takes(each)) for each in scene.characters)
    props = tuple(replace(each, takes=converted_takes(each)) for each in scene.props)
    return replace(scene, characters=characters, props=props), notes


def convert_file(
    path: str | Path,
    out: str | Path,
    *,
    take: str | None = None,
    fit: float | None = None,
    rate: float | None = None,
    per_channel: bool = False,
    unit: float | None = None,
    up: str | None = None,
) -> tuple[list[str], list[str]]:
    """Read a file, convert its scene, write it; returns notes and warnings.

    Fitted joints become quaternions where `out` is plain glTF.
    """
    name = str(out).lower()
    plain = name.endswith((".glb", ".gltf")) and not name.endswith(".arc.glb")
    scene, notes = convert(
        read(path, unit=unit, up=up),
        take=take,
        fit=fit,
        rate=rate,
        quaternions=plain,
        per_channel=per_channel,
    )
    dropped = write(scene, out)
    return notes, [*(scene.source.warnings if scene.source else ()), *dropped]


def with_only(scene: Scene, name: str) -> Scene:
    """The scene with only the takes of one name."""
    names = dict.fromkeys(take.name for actor in scene.actors for take in actor.takes)
    if name not in names:
        raise UnknownName("take", name, names)

    def only(actor: Actor) -> tuple[Take, ...]:
        return tuple(take for take in actor.takes if take.name == name)

    return replace(
        scene,
        characters=tuple(replace(each, takes=only(each)) for each in scene.characters),
        props=tuple(replace(each, takes=only(each)) for each in scene.props),
        activities=tuple(each for each in scene.activities if scene.subject(each)[1] == name),
    )


def _converted_take(
    take: Take,
    owner: str,
    tolerance: float | None,
    poses: Poses,
    rate: float | None,
    notes: list[str],
) -> Take:
    if rate is not None and rate != take.rate:
        take = _at_rate(take, rate)
        notes.append(f"{owner} {take.name}: now at {rate:g} fps")
    if tolerance is not None:
        fitted = fit_take(take, tolerance, poses=poses)
        take = replace(take, base=fitted.clip, layers=())
        error = 1000 * (fitted.position_error or 0.0)
        notes.append(
            f"{owner} {take.name}: {fitted.key_poses} key poses, {fitted.keys_after} keys instead "
            f"of {fitted.keys_before} samples, no joint moved more than {error:.2f} mm"
        )
    return take


def _at_rate(take: Take, rate: float) -> Take:
    faster = replace(take, base=replace(take.base, rate=rate))
    if isinstance(take.base, Clip):
        return faster
    motion = sample(replace(take, layers=()), faster.frame_times())
    return replace(take, base=replace(motion, rate=rate))
