"""Report page of a training: its curves, its errors, and pictures of held-out completions."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.autocomplete.body.body_file import BodyFile
from arcwright.tools.autocomplete.body.body_network import BodyNetwork
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.key_slerp import Poses, between_keys
from arcwright.tools.autocomplete.body.skeleton import world_poses
from arcwright.tools.autocomplete.network.completion_model import latents
from arcwright.tools.autocomplete.network.features import Gaps
from arcwright.tools.autocomplete.train.body_batches import Windows
from arcwright.tools.autocomplete.train.body_probes import MISSING, windows_of
from arcwright.tools.autocomplete.train.course import Progress

WIDE, HIGH = 640, 220
MOST_PICTURES = 3
POSES = 8  # of a strip
COLOURS = {"capture": "#2a7f3f", "interpolation": "#8a8a8a", "model": "#2b62c9"}
STYLE = "body{font:15px/1.5 sans-serif;max-width:720px;margin:2em auto;padding:0 1em;color:#222}"


def write_report(
    path: Path, model: BodyFile, progress: Progress, train: Captures, held: Captures
) -> None:
    """One page without other files."""
    rows = errors(model, held)
    parts = [
        f"<h1>{html.escape(path.stem)}</h1>",
        f"<p>{html.escape(model.about)}. Trained on {len(train.position)} frames, held out "
        f"{len(held.position)}. Joints: {len(model.skeleton.names)}.</p>",
        "<h2>Held-out error</h2>",
        "<p>Mean distance of joints from where they were, cm: ten frames are known, a gap is "
        "completed, one frame after it is known.</p>",
        _table(rows),
        "<h2>Training</h2>",
        _curves(progress),
        "<h2>Completions that were held out</h2>",
        "<p>"
        + ", ".join(f'<b style="color:{colour}">{name}</b>' for name, colour in COLOURS.items())
        + "</p>",
        *_strips(model, held),
    ]
    page = f"<!doctype html><meta charset=utf-8><title>{html.escape(path.stem)}</title>"
    path.write_text(f"{page}<style>{STYLE}</style>{''.join(parts)}\n", encoding="utf-8")


def errors(model: BodyFile, held: Captures) -> list[tuple[int, float, float]]:
    """Frames missing, and the errors of interpolation and model, cm; gaps that fit the clips."""
    found = []
    for missing in MISSING:
        try:
            windows, clips = windows_of(held, missing)
        except ValueError:
            continue
        base, answer = completions(model, windows)
        size = 100 * held.size[clips]
        truth = _places(held, windows.poses, windows)
        off = [
            float((np.linalg.norm(_places(held, each, windows) - truth, axis=-1)
                   [~windows.known.all(axis=2)].reshape(len(clips), -1).mean(axis=1) * size).mean())
            for each in (base, answer)
        ]  # fmt: skip
        found.append((missing, off[0], off[1]))
    return found


def completions(model: BodyFile, windows: Windows) -> tuple[Poses, Poses]:
    """The interpolation and the likeliest answer of the model, (B, T)."""
    known, poses = windows.known, windows.poses
    frames = np.arange(float(known.shape[1]))
    every = np.tile(frames, (len(known), 1))
    base = between_keys(poses, Gaps.of(every, known, np.full(every.shape, True)))
    network, drawn = BodyNetwork(model), latents(model.architecture.latent, 1, 0)
    answers = [
        network.complete(Poses(turned, places), frames, own, drawn, away)
        for turned, places, own, away in zip(
            poses.rotations, poses.position, known, windows.offsets, strict=True
        )
    ]
    rotations = np.concatenate([each.rotations for each in answers])
    return base, Poses(rotations, np.concatenate([each.position for each in answers]))


def _places(captures: Captures, poses: Poses, windows: Windows) -> Floats:
    return world_poses(captures.skeleton, poses.rotations, poses.position, windows.offsets)[1]


def _table(rows: list[tuple[int, float, float]]) -> str:
    cells = "".join(
        f"<tr><td>{missing}</td><td>{base:.2f}</td><td>{ours:.2f}</td>"
        f"<td>{100 * (1 - ours / max(base, 1e-9)):.0f} %</td></tr>"
        for missing, base, ours in rows
    )
    head = "<tr><th>frames missing</th><th>interpolation</th><th>model</th><th>less by</th></tr>"
    return (
        f'<table border="1" cellpadding="6" style="border-collapse:collapse">{head}{cells}</table>'
    )


def _curves(progress: Progress) -> str:
    """Errors while training, as one picture."""
    names = [name for name in progress.curves if name == "place" or name.startswith("held_out_")]
    steps = np.array(progress.seen, np.float64)
    if len(steps) < 2 or not names:
        return "<p>The training was too short for curves.</p>"
    values = {name: np.array(progress.curves[name])[:, 0] for name in names}
    most = max(float(each.max()) for each in values.values()) or 1.0
    lines = []
    for number, (name, each) in enumerate(values.items()):
        x = WIDE * (steps - steps[0]) / max(steps[-1] - steps[0], 1.0)
        y = HIGH * (1 - each / most)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        colour = f"hsl({70 * number},60%,40%)"
        label = "trained on" if name == "place" else f"held out, {name.rpartition('_')[2]} frames"
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        lines.append(f'<text x="{WIDE + 8}" y="{15 + 18 * number}" fill="{colour}">{label}</text>')
    return (
        f'<svg viewBox="-10 -10 {WIDE + 220} {HIGH + 40}" width="100%">'
        f'<rect width="{WIDE}" height="{HIGH}" fill="none" stroke="#ccc"/>{"".join(lines)}'
        f'<text x="0" y="{HIGH + 20}">steps {int(steps[0])} to {int(steps[-1])}; '
        f"0 to {most:.3f} of the body's size</text></svg>"
    )


def _strips(model: BodyFile, held: Captures) -> list[str]:
    """Some gaps of the longest length that fits, as rows of stick figures."""
    for missing in reversed(MISSING):
        try:
            windows, clips = windows_of(held, missing)
        except ValueError:
            continue
        rows: Ints = np.unique(np.linspace(0, len(clips) - 1, MOST_PICTURES).astype(np.int64))
        some = Windows(
            Poses(windows.poses.rotations[rows], windows.poses.position[rows]),
            *(windows.offsets[rows], windows.known[rows], windows.planted[rows]),
        )
        shown = dict(zip(COLOURS, (some.poses, *completions(model, some)), strict=True))
        places = {name: _places(held, poses, some) for name, poses in shown.items()}
        return [
            f"<h3>{html.escape(held.names[clips[row]])}, {missing} frames missing</h3>"
            + strip(held, {name: each[at] for name, each in places.items()})
            for at, row in enumerate(rows.tolist())
        ]
    return ["<p>The clips that were held out are too short for pictures.</p>"]


def strip(captures: Captures, places: dict[str, Floats]) -> str:
    """Stick figures (T, J, 3) of each name side by side, seen from the side, time to the right."""
    count = len(next(iter(places.values())))
    frames = np.linspace(0, count - 1, POSES).astype(int)
    low = min(float(each[..., 1].min()) for each in places.values())
    tall = max(float(each[..., 1].max()) for each in places.values()) - low
    scale = HIGH / max(tall, 1e-6)
    bones = [(j, int(p)) for j, p in enumerate(captures.skeleton.parents) if p >= 0]
    lines = []
    for name, each in places.items():
        for number, frame in enumerate(frames.tolist()):
            pose = each[frame] - each[frame, :1] * [1.0, 0.0, 1.0]
            x = 40 + number * 90 + scale * 0.7 * (pose[:, 2] + 0.4 * pose[:, 0])
            y = HIGH - scale * (pose[:, 1] - low)
            path = "".join(f"M{x[a]:.1f} {y[a]:.1f}L{x[b]:.1f} {y[b]:.1f}" for a, b in bones)
            lines.append(f'<path d="{path}" stroke="{COLOURS[name]}" fill="none" opacity="0.8"/>')
    return (
        f'<svg viewBox="-20 -5 {90 * POSES + 20} {HIGH + 10}" width="100%">{"".join(lines)}</svg>'
    )
