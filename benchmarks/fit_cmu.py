"""Print how few key poses recorded and baked takes need at 5, 10 and 20 mm, and how well they fit.

Ten clips were looked at while the method was made, ten were not. Run `python benchmarks/fit_cmu.py
[part of a name ...] [--broken] [--cost] [--bound]`; needs the real files in ../shared/data.
`--broken` has the same table for broken handles, to compare. `--cost` has how many more key poses
smooth handles need than broken ones, clip by clip and all together. `--bound` has, beside the key
poses found, how many cubic pieces the motion needs where each is fitted by itself and the motion
may jump between them: no choice of key poses could do with much less.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from arcwright import files
from arcwright.curves.fit import Fit, continuous
from arcwright.files import bvh
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import Reduction
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.constraint import Contact
from arcwright.scene.curve import Handle
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
UNIT = 0.056444  # m; CMU's lengths are inches divided by 0.45
CLIPS = (
    "02_01_walk",
    "02_03_run",
    "02_05_punches",
    "07_12_brisk_walk",
    "120_08_sneaky_walk",
    "143_05_jump_distances",
    "143_18_sit_getup",
    "16_05_forward_jump",
    "22_16_jumping_jacks",
    "14_24_traffic_wave_point",
)
UNSEEN = (
    "35_22_run",
    "138_01_march",
    "143_32_walk",
    "69_70_pickup_setdown",
    "139_25_giving_directions",
    "bvh/other-skeletons/fair_wave_hello.bvh",
    "bvh/other-skeletons/pirouette.bvh",
    "gltf/CesiumMan.glb",
    "gltf/kaykit/Knight.glb:Walking_A",
    "gltf/quaternius/Wolf.glb:Gallop",
)
POSED = 0.5  # m between two frames: the first of them is still of the T-pose
TOLERANCES = (0.005, 0.01, 0.02)


def mocap(name: str) -> Take:
    """A CMU clip without the T-pose that was put before it, which may be two frames long."""
    path = DATA / "bvh" / "cmu" / f"{name}.bvh"
    take = bvh.read(path, unit=UNIT).characters[0].takes[0]
    base = take.base
    assert isinstance(base, Motion)
    start = forward(take.rig, base.values[1:3])[:, :, :3, 3]
    first = 2 if np.linalg.norm(start[1] - start[0], axis=-1).max() > POSED else 1
    return Take(take.rig, Motion(base.name, base.time[:-first], base.values[first:], base.rate))


def opened(name: str) -> Take:
    """A CMU clip, or a take of any other file, `file:take` or its first."""
    if "/" not in name:
        return mocap(name)
    file, _, clip = name.partition(":")
    character = files.read(DATA / file).characters[0]
    found = [take for take in character.takes if clip in take.name]
    return found[0]


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    broken = "--broken" in sys.argv
    head = f"{'clip':34}{'s':>6}{'mm':>4}  {'keys at':12}{'poses':>6}{'a s':>6}{'keys':>7}"
    head += (
        f"{'joints':>8}{'all mm':>8}{'plant':>7}{'slide':>7}{'after':>7}{'smooth':>8}{'CPU s':>8}"
    )
    if "--cost" in sys.argv:
        head = f"{'clip':34}{'s':>6}{'mm':>4}{'smooth':>8}{'broken':>8}{'more':>8}"
    if "--bound" in sys.argv:
        head = f"{'clip':34}{'s':>6}{'mm':>4}{'smooth':>8}{'broken':>8}{'pieces':>8}  a second"
    for title, names in (("looked at", CLIPS), ("not looked at", UNSEEN)):
        print(f"\n{title}\n{head}")
        counts = []
        for name in names:
            if words and not any(word in name for word in words):
                continue
            if "--bound" in sys.argv:
                bounds(name)
            elif "--cost" in sys.argv:
                counts.append(costs(name))
            else:
                table(name, smooth=not broken)
        if counts:
            totals(np.sum(counts, axis=0))


def totals(counts: np.ndarray) -> None:
    """Key poses of all clips at each tolerance, smooth and broken."""
    for tolerance, (smooth, broken) in zip(TOLERANCES, counts, strict=True):
        more = f"{smooth:8}{broken:8}{smooth / broken - 1:+8.1%}"
        print(f"{'all':40}{1000 * tolerance:4.0f}{more}")


def table(name: str, *, smooth: bool) -> None:
    """The rows of one clip."""
    take = opened(name)
    start = time.process_time()
    reduction = Reduction(take, smooth=smooth)
    print(
        f"{Path(name).name:34}{take.duration:6.1f}  prepared in {time.process_time() - start:.1f} s"
    )
    for tolerance in TOLERANCES:
        for poses in ("aligned", "per-channel"):
            start = time.process_time()
            fit = reduction.at(tolerance, poses).fit
            row(take, fit, tolerance, poses, time.process_time() - start)


def costs(name: str) -> list[list[int]]:
    """Key poses of one clip at each tolerance, smooth and broken."""
    take = opened(name)
    both = [Reduction(take, smooth=smooth) for smooth in (True, False)]
    counts = [[each.at(tolerance).key_poses for each in both] for tolerance in TOLERANCES]
    for tolerance, (smooth, broken) in zip(TOLERANCES, counts, strict=True):
        print(
            f"{Path(name).name:34}{take.duration:6.1f}{1000 * tolerance:4.0f}"
            f"{smooth:8}{broken:8}{smooth / broken - 1:+8.1%}",
            flush=True,
        )
    return counts


def bounds(name: str) -> None:
    """Key poses a second of one clip, smooth and broken, and pieces that need not meet."""
    take = opened(name)
    both = [Reduction(take, smooth=smooth) for smooth in (True, False)]
    motion = sample(take, moments(take))
    aim = Deviation.of(take.rig, np.ascontiguousarray(continuous(motion, take.rig).T))
    for tolerance in TOLERANCES:
        counts = [*(each.at(tolerance).key_poses for each in both), pieces(aim, tolerance)]
        rates = "".join(f"{count / take.duration:8.1f}" for count in counts)
        print(f"{Path(name).name:34}{take.duration:6.1f}{1000 * tolerance:4.0f}{rates}", flush=True)


def pieces(aim: Deviation, tolerance: float) -> int:
    """How many cubic pieces follow a motion, each as long as it can be; they need not meet."""
    start, count, last = 0, 0, len(aim.values) - 1
    while start < last:
        end, reach = min(start + 3, last), 8
        while reach >= 1:  # farther by leaps that grow while they succeed, then shrink
            there = min(end + reach, last)
            if there > end and follows(aim, start, there, tolerance):
                end, reach = there, 2 * reach
            else:
                reach //= 2
        start, count = end, count + 1
    return count


def follows(aim: Deviation, start: int, end: int, tolerance: float) -> bool:
    """Whether one cubic of each channel does from a sample to another, by Lawson's iteration."""
    wanted = aim.values[start : end + 1]
    basis = np.polynomial.chebyshev.chebvander(np.linspace(-1, 1, len(wanted)), 3)
    weight = np.ones(len(wanted))
    for _ in range(10):
        root = np.sqrt(weight)[:, None]
        cubic = np.linalg.lstsq(root * basis, root * wanted, rcond=None)[0]
        apart = aim.largest(basis @ cubic, start)
        if apart.max() <= tolerance or apart.max() > 3 * tolerance:
            break
        weight = weight * (apart / apart.mean() + 0.1)
    return bool(apart.max() <= tolerance)


def row(take: Take, fit: Fit, tolerance: float, poses: str, took: float) -> None:
    """One line."""
    assert fit.position_error is not None
    assert fit.deviation is not None
    plants = footplants(take)
    new = Take(take.rig, fit.clip)
    handles = [curve.handles[:, 0] for curve in fit.clip.curves if curve and len(curve) > 1]
    smooth = float(np.mean(np.concatenate(handles) != Handle.FREE))
    print(
        f"{'':40}{1000 * tolerance:4.0f}  {poses:12}{fit.key_poses:6}"
        f"{fit.key_poses / take.duration:6.1f}{fit.keys_after:7}"
        f"{1000 * fit.position_error:8.2f}{1000 * fit.deviation:8.2f}"
        f"{1000 * planted(take, new, plants):7.2f}"
        f"{1000 * slide(take, plants):7.1f}{1000 * slide(new, plants):7.1f}"
        f"{smooth:8.1%}{took:8.2f}",
        flush=True,
    )


def path(take: Take, plant: Contact, times: np.ndarray) -> np.ndarray:
    """(T, 3) m, of a planted joint while it stands."""
    on = times[(times >= plant.start) & (times <= plant.end)]
    joint = take.rig.joint(plant.point.joint)
    return forward(take.rig, values_at(take, on), [joint])[:, 0, :3, 3]


def moments(take: Take) -> np.ndarray:
    """Samples, or frames."""
    return take.base.time if isinstance(take.base, Motion) else take.frame_times()


def planted(old: Take, new: Take, plants: tuple[Contact, ...]) -> float:
    """How far a planted foot is from its place at most, m."""
    times = moments(old)
    apart = [np.linalg.norm(path(old, p, times) - path(new, p, times), axis=1) for p in plants]
    return max((float(each.max()) for each in apart), default=0.0)


def slide(take: Take, plants: tuple[Contact, ...]) -> float:
    """How far a foot slides along the floor in one plant, on average, m: foot skate."""
    rate = 120.0
    times = np.arange(int(take.duration * rate) + 1) / rate
    steps = [np.diff(path(take, plant, times)[:, [0, 2]], axis=0) for plant in plants]
    return float(np.mean([np.linalg.norm(s, axis=1).sum() for s in steps])) if steps else 0.0


if __name__ == "__main__":
    main()
