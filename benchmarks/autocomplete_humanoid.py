"""Completed gaps of held-out people: interpolation, the nearest example, and learned methods.

Ten frames before a gap and one after it are known. `make bench-humanoid` runs it on what
`make train-humanoid` left in WORK; methods that were not trained are left out.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np
import torch

import arcwright
from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_matrix,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.tools.autocomplete.body.body_distance import around_root
from arcwright.tools.autocomplete.body.body_file import read_body_file
from arcwright.tools.autocomplete.body.body_model import BodyModel
from arcwright.tools.autocomplete.body.body_network import BodyNetwork
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.key_slerp import Poses, between_keys, headed
from arcwright.tools.autocomplete.body.skeleton import heading
from arcwright.tools.autocomplete.key_spline import KeyedValues
from arcwright.tools.autocomplete.network.completion_model import SHIPPED, latents
from arcwright.tools.autocomplete.network.features import Gaps
from arcwright.tools.autocomplete.train.body_batches import CONTEXT, Windows, tensors_of
from arcwright.tools.autocomplete.train.body_methods import METHODS
from arcwright.tools.autocomplete.train.body_probes import MISSING, windows_of
from arcwright.tools.autocomplete.train.body_training import likeliest, ready
from arcwright.tools.autocomplete.train.humanoid import course_of, saved_weights, split
from arcwright.tools.autocomplete.train.packed_captures import packed_captures
from humanoid_measures import Normal, World, measures, slide

RUNS = 60
EXAMPLE_STEP = 6  # every so many frames an example may begin


def main() -> None:
    """Print a table for each length of gap."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captures", required=True)
    parser.add_argument("--tests")
    parser.add_argument("--work", default="out/humanoid")
    parser.add_argument("--model", default=str(SHIPPED / "humanoid.npz"))
    parser.add_argument("--apart", type=int, default=40, help="frames between windows")
    given = parser.parse_args()
    torch.set_num_threads(1)
    train, held = split(
        packed_captures(Path(given.captures)), Path(given.tests) if given.tests else None
    )
    model, normal = read_body_file(given.model), Normal.of(train)
    print(f"{model.about}; {Path(given.model).stat().st_size / 1024:.0f} KB")
    print(f"held out: {len(held)} clips, {len(held.position)} frames")
    for missing in MISSING:
        windows, clips = windows_of(held, missing, given.apart)
        size, feet = held.size[clips], held.feet.tolist()
        truth = World.of(held, windows.poses, windows.offsets)
        slides = slide(truth.places[:, :, feet], windows.planted, size)
        print(f"\n{missing} frames missing, {len(clips)} windows; captures slide {slides:.2f} cm")
        found = {
            "interpolation": World.of(held, interpolated(windows), windows.offsets),
            "nearest example": World.of(held, nearest_examples(train, windows), windows.offsets),
        }
        poses, ms = completed(model, windows)
        found[f"ours, in the file ({ms:.1f} ms)"] = World.of(held, poses, windows.offsets)
        for method in METHODS:
            path = Path(given.work) / f"{method}.npz"
            if path.exists():
                found[f"{method}, trained"] = trained(method, path, held, windows)
        print(f"{'':28}{'cm':>8}{'L2P':>8}{'L2Q':>8}{'NPSS':>8}{'slide':>8}")
        for name, world in found.items():
            row = measures(truth, world, windows, size, normal, feet)
            print(f"{name:28}" + "".join(f"{each:8.3f}" for each in row.values()), flush=True)
    _times(Path(given.model))


def _times(path: Path) -> None:
    """CPU time of a completion on the biped, with its joints turned."""
    actor = arcwright.read("biped:tea").characters[0]
    take = actor.takes[0]
    model = BodyModel.load(path).bound_to(actor, take)
    for seconds in (1.0, 2.0):
        keys = KeyedValues(np.array([1.0, 1.0 + seconds]), values_at(take, [1.0, 1.0 + seconds]))
        times, spent = np.arange(1.0, 1.0 + seconds, 1 / 30), []
        for _ in range(RUNS):
            start = time.thread_time()
            model.complete(keys, times)
            spent.append(1000 * (time.thread_time() - start))
        low, high = np.percentile(spent, (50, 95))
        print(f"{seconds:g} s of the biped: {low:.1f} ms of CPU, p95 {high:.1f}")


def interpolated(windows: Windows) -> Poses:
    """Slerp of joints, straight lines of the root."""
    known = windows.known
    times = np.tile(np.arange(float(known.shape[1])), (len(known), 1))
    return between_keys(windows.poses, Gaps.of(times, known, np.full(times.shape, True)))


def completed(model: object, windows: Windows) -> tuple[Poses, float]:
    """By the file in NumPy, and the median of CPU time, ms."""
    network, drawn = BodyNetwork(model), latents(model.architecture.latent, 1, 0)
    frames, found, spent = np.arange(float(windows.known.shape[1])), [], []
    for row, known in enumerate(windows.known):
        own = Poses(windows.poses.rotations[row], windows.poses.position[row])
        start = time.thread_time()
        found.append(network.complete(own, frames, known, drawn, windows.offsets[row]))
        spent.append(1000 * (time.thread_time() - start))
    rotations = np.concatenate([each.rotations for each in found])
    return Poses(rotations, np.concatenate([each.position for each in found])), np.median(spent)


def trained(method: str, path: Path, held: Captures, windows: Windows) -> World:
    """By weights as they were trained, in PyTorch."""
    weights, scores = saved_weights(path)
    course = course_of(method, 1, 1.0)
    tensors = {name: torch.from_numpy(each)[None] for name, each in weights.items()}
    inputs = ready(tensors_of(held, windows), scores, method)
    turned, places = likeliest(course, held, tensors, inputs, scores)
    return World(quaternion_from_matrix(turned.double().numpy()), places.double().numpy())


def nearest_examples(train: Captures, windows: Windows) -> Poses:
    """The training motion whose poses at both ends are nearest, moved to hit the last pose before.

    What it is off at the end is added little by little.
    """
    length = windows.known.shape[1]
    first, gap = CONTEXT - 1, length - CONTEXT
    bounds = pairwise(train.start.tolist())
    starts = np.concatenate([np.arange(a, b - gap, EXAMPLE_STEP) for a, b in bounds])
    examples, own = Poses(train.rotations, train.position), windows.poses
    off = np.zeros((len(starts), len(own.position)), np.float32)
    for rows, frame in ((starts, first), (starts + gap, length - 1)):
        example, pose = (
            around_root(train.skeleton, each).reshape(len(each.position), -1).astype(np.float32)
            for each in (
                Poses(train.rotations[rows], train.position[rows]),
                Poses(own.rotations[:, frame], own.position[:, frame]),
            )
        )
        off += np.square(example).sum(axis=1)[:, None] - 2 * example @ pose.T
    rotations, position = [], []
    for row, best in enumerate(starts[off.argmin(axis=0)].tolist()):
        each = Poses(own.rotations[row], own.position[row])
        turned, places = _placed(examples, best, each, first, gap)
        rotations.append(np.concatenate([each.rotations[:first], turned]))
        position.append(np.concatenate([each.position[:first], places]))
    return Poses(np.stack(rotations), np.stack(position))


def _placed(examples: Poses, start: int, own: Poses, first: int, gap: int) -> tuple[Floats, Floats]:
    """An example turned and moved to where a motion is, with the error at its end spread."""
    rows = np.arange(start, start + gap + 1)
    turned, places = examples.rotations[rows].copy(), examples.position[rows]
    angle = float(heading(own.rotations[first, 0]) - heading(turned[0, 0]))
    about = np.array([np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0])
    turned[:, 0] = quaternion_multiply(about, turned[:, 0])
    moved = own.position[first] + headed(about, places - places[0])
    share = (np.arange(gap + 1) / gap)[:, None]
    moved = moved + share * (own.position[first + gap] - moved[-1])
    for at, part in ((0, 1 - share), (gap, share)):
        off = quaternion_multiply(quaternion_conjugate(turned[at]), own.rotations[first + at])
        vector = vector_from_quaternion(off)
        turned = quaternion_multiply(turned, quaternion_from_vector(part[:, :, None] * vector))
    return turned, moved


if __name__ == "__main__":
    main()
