"""Contact of a loop with the ground: no sliding, the root's travel, paths without corners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_rotate
from arcwright.tools.cycle.contact.ground_contact import GroundContact, ground_contact
from data import DATA, needs_data
from random_cases import examples

UP = np.array([0.0, 1.0, 0.0])
LEVEL = np.array([0.0, 0.05, 0.0])


def acted_feet(frames: int, depth: float = 0.06, seed: int = 0) -> Floats:
    """(M, 2, 3) two feet going round in uneven ovals, as a hand would act them in place."""
    rng = np.random.default_rng(seed)
    phase = 2 * np.pi * np.arange(frames)[:, None] / frames + np.array([0.0, np.pi + 0.2])
    wide = np.array([0.30, 0.26]) * (1 + 0.1 * rng.normal(size=2))
    sway = 0.02 * np.sin(2 * phase + rng.uniform(0, 6, 2))
    x = wide * np.cos(phase) + sway
    y = LEVEL[1] - depth + 0.12 * (1 + np.sin(phase)) + 0.01 * np.cos(3 * phase)
    z = np.array([-0.1, 0.1]) + 0.01 * np.sin(phase + 1)
    return np.stack([x, y, z], axis=-1)


def treadmill_feet(frames: int, stance: int) -> tuple[Floats, Floats]:
    """(M, 2, 3) two feet that stand on ground of one speed, and the way (3,) of it in a loop."""
    step = np.arange(frames)
    t = np.clip((step - stance) / (frames - stance), 0, 1)  # of the swing
    slope = (frames - stance) / stance  # of the ground, in units of the swing
    back = 1 - 2 * t**2 * (3 - 2 * t) + 2 * slope * t * (1 - t) * (1 - 2 * t)
    x = np.where(step < stance, -1 + 2 * step / stance, back)
    y = LEVEL[1] + 0.1 * 16 * t**2 * (1 - t) ** 2
    foot = np.stack([0.3 * x, y, 0 * x], axis=-1)
    path = np.stack([foot, np.roll(foot, frames // 2, axis=0)], axis=1)
    return path, np.array([0.6 * frames / stance, 0.0, 0.0])


def below(path: Floats) -> Bools:
    return path[..., 1] < LEVEL[1]


def in_world(found: GroundContact, loops: int = 3) -> Floats:
    """(loops M, P, 3) the positions of several loops, with the root's travel."""
    steps = np.tile(found.travel, (loops, 1))
    root = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)[:-1]])
    return np.tile(found.positions, (loops, 1, 1)) + root[:, None]


def slide(found: GroundContact, touches: Bools) -> float:
    """The longest way, m, of an item from one frame in contact to the next one."""
    world = in_world(found)
    planted = np.tile(touches, (3, 1))
    both = planted[1:] & planted[:-1]
    return float(np.linalg.norm(np.diff(world, axis=0), axis=-1)[both].max())


def plant_stride(found: GroundContact, touches: Bools, item: int) -> Floats:
    """(3,) m, from a footprint to that of the next loop."""
    frame = int(np.argmax(touches[:, item]))
    world = in_world(found)
    gap: Floats = world[frame + len(touches), item] - world[frame, item]
    return gap


@examples(60, 1000)
@given(st.integers(12, 90), st.floats(0.005, 0.15), st.integers(0, 10**6))
def test_planted_feet_do_not_slide_and_the_root_goes_one_stride(
    frames: int, depth: float, seed: int
) -> None:
    path = acted_feet(frames, depth, seed)
    touches = below(path)
    if not (touches & np.roll(touches, 1, axis=0)).any():
        return
    found = ground_contact(path, touches, LEVEL, UP)
    assert slide(found, touches) < 1e-4
    assert found.positions[touches][:, 1] == pytest.approx(LEVEL[1], abs=1e-12)
    way = float(np.linalg.norm(found.travel.sum(axis=0)))
    assert way > 0.1
    for item in np.flatnonzero(touches.any(axis=0)):
        gap = plant_stride(found, touches, int(item))
        assert np.linalg.norm(gap) == pytest.approx(way, rel=1e-3)
        assert gap == pytest.approx(found.stride, abs=1e-9)
    assert (found.positions[~touches][:, 1] >= LEVEL[1] - 1e-12).all()


@pytest.mark.parametrize("depth", [0.01, 0.16])
def test_the_ground_moves_with_the_mean_of_all_feet_also_in_flight(depth: float) -> None:
    path = acted_feet(60, depth)
    touches = below(path)
    flight = ~touches.any(axis=1)
    assert flight.any() == (depth < 0.05)
    found = ground_contact(path, touches, LEVEL, UP)
    both = touches & np.roll(touches, -1, axis=0)
    moves = np.roll(path, -1, axis=0) - path
    mean = np.median(moves[both][:, 0])
    assert -found.travel[:, 0].mean() == pytest.approx(mean, rel=0.1)
    assert (found.travel[:, 0] * np.sign(-mean) > 0.3 * abs(mean)).all()
    assert np.abs(np.diff(found.travel[:, 0], 2)).max() < 0.06 * abs(mean)
    assert found.travel[:, 1] == pytest.approx(0.0, abs=1e-12)


def test_frames_of_a_swing_in_the_stroke_hardly_slow_the_travel() -> None:
    path, _ = treadmill_feet(80, 48)
    fair = path[..., 1] <= LEVEL[1]
    too_long = np.any([np.roll(fair, shift, axis=0) for shift in range(-12, 13)], axis=0)
    assert too_long.mean() > 0.9
    found, wanted = (ground_contact(path, flags, LEVEL, UP).stride for flags in (too_long, fair))
    assert found == pytest.approx(wanted, rel=0.03, abs=1e-9)


def test_paths_meet_the_ground_without_a_corner() -> None:
    """Twice the frames, a quarter of the change from step to step; a corner would leave half."""
    bends = []
    for frames in (60, 120, 240, 480):
        path = acted_feet(frames)
        found = ground_contact(path, below(path), LEVEL, UP).positions
        bends.append(np.abs(np.roll(found, -1, 0) - 2 * found + np.roll(found, 1, 0)).max())
    assert bends[-1] < 0.3 * bends[-2]
    assert bends[-2] < 0.3 * bends[-3]
    assert bends[0] < 0.02


def test_a_walk_that_already_fits_the_ground_stays_as_it_is() -> None:
    path, way = treadmill_feet(80, 48)
    touches = path[..., 1] <= LEVEL[1]
    found = ground_contact(path, touches, LEVEL, UP)
    assert found.positions[touches] == pytest.approx(path[touches], abs=1e-9)
    assert found.positions == pytest.approx(path, abs=0.03)
    assert found.stride == pytest.approx(-way, rel=1e-6, abs=1e-9)


@examples(30, 300)
@given(
    st.lists(st.floats(-2, 2), min_size=3, max_size=3),
    st.lists(st.floats(-5, 5), min_size=3, max_size=3),
    st.integers(0, 39),
)
def test_slopes_places_and_seams_make_no_difference(
    rotation: list[float], shift: list[float], seam: int
) -> None:
    path = acted_feet(40)
    touches = below(path)
    plain = ground_contact(path, touches, LEVEL, UP)
    turn = quaternion_from_vector(np.array(rotation))
    tilted = np.roll(quaternion_rotate(turn, path) + shift, seam, axis=0)
    point, normal = quaternion_rotate(turn, LEVEL) + shift, 3 * quaternion_rotate(turn, UP)
    found = ground_contact(tilted, np.roll(touches, seam, axis=0), point, normal)
    wanted = np.roll(quaternion_rotate(turn, plain.positions) + shift, seam, axis=0)
    assert found.positions == pytest.approx(wanted, abs=1e-8)
    travel = np.roll(quaternion_rotate(turn, plain.travel), seam, axis=0)
    assert found.travel == pytest.approx(travel, abs=1e-8)
    assert found.travel @ normal == pytest.approx(0.0, abs=1e-9)


def test_an_item_may_touch_the_ground_several_times_in_a_loop() -> None:
    path = np.concatenate([acted_feet(30), acted_feet(30) + np.array([0.05, 0.0, 0.0])])
    touches = below(path)
    found = ground_contact(path, touches, LEVEL, UP)
    assert slide(found, touches) < 1e-9
    single = ground_contact(acted_feet(30), touches[:30], LEVEL, UP)
    assert found.stride == pytest.approx(2 * single.stride, rel=0.1)
    assert plant_stride(found, touches, 0) == pytest.approx(found.stride)


@needs_data
@pytest.mark.parametrize("name", ["02_01_walk", "02_03_run"])
def test_a_captured_loop_in_place_goes_as_far_as_the_capture(name: str) -> None:
    character = arcwright.read(DATA / "bvh" / "cmu" / f"{name}.bvh").characters[0]
    cycle = arcwright.cycle(character.takes[0], actor=character)
    assert cycle.motion is not None
    assert cycle.travel is not None
    toes = [character.rig.joint(side + "ToeBase") for side in ("Left", "Right")]
    path = forward(character.rig, np.array(cycle.motion.values)[:-1], toes)[..., :3, 3]
    height = path[..., 1]
    level = float(np.median(height.min(axis=0) + 0.1 * np.ptp(height, axis=0)))
    touches = height < level
    found = ground_contact(path, touches, [0.0, level, 0.0], UP)
    assert slide(found, touches) < 1e-9
    captured = float(np.linalg.norm(cycle.travel.stride))
    assert np.linalg.norm(found.stride) == pytest.approx(captured, rel=0.08)


def test_items_without_contact_stay_as_they_are() -> None:
    path = np.concatenate([acted_feet(40), acted_feet(40)[:, :1] + UP], axis=1)
    found = ground_contact(path, below(path), LEVEL, UP)
    assert np.array_equal(found.positions[:, 2], path[:, 2])
    assert found.travel == pytest.approx(
        ground_contact(path[:, :2], below(path[:, :2]), LEVEL, UP).travel
    )


def test_the_stride_can_be_chosen() -> None:
    path = acted_feet(40)
    found = ground_contact(path, below(path), LEVEL, UP, stride=[1.2, 0.0, -0.3])
    assert found.stride == pytest.approx([1.2, 0.0, -0.3])
    assert found.travel.sum(axis=0) == pytest.approx([1.2, 0.0, -0.3])
    assert slide(found, below(path)) < 1e-12


def stairs(points: Floats) -> Floats:
    """Steps of 0.4 m by 0.2 m that rise towards +x."""
    ground = points.copy()
    ground[:, 1] = 0.2 * np.floor(points[:, 0] / 0.4 + 1e-9)
    return ground


def hills(points: Floats) -> Floats:
    """Waves of 0.4 m, 3 cm high."""
    ground = points.copy()
    ground[:, 1] = LEVEL[1] + 0.03 * np.sin(2 * np.pi * points[:, 0] / 0.4)
    return ground


def walking_to_x(frames: int) -> Floats:
    """Acted feet whose root will go towards +x."""
    path = acted_feet(frames)
    goes = ground_contact(path, below(path), LEVEL, UP).stride[0]
    return path * np.array([np.sign(goes), 1.0, 1.0])


def test_feet_stand_on_steps_and_climb_them() -> None:
    path = walking_to_x(60)
    touches = below(path)
    climbing = path - LEVEL + 0.5 * path[..., :1] * UP  # on the slope of the stairs
    normal = np.array([-1.0, 2.0, 0.0])
    stride = [0.8, 0.4, 0.0]
    found = ground_contact(climbing, touches, np.zeros(3), normal, stride=stride, surface=stairs)
    assert slide(found, touches) < 1e-9
    assert found.stride == pytest.approx(stride)
    world = in_world(found, 3)[np.tile(touches, (3, 1))]
    assert world[:, 1] / 0.2 == pytest.approx(np.round(world[:, 1] / 0.2), abs=1e-9)
    assert len(np.unique(np.round(world[:, 1], 6))) >= 4


def test_swings_meet_a_curved_surface_without_a_corner() -> None:
    """Two footprints of each foot in a loop, one and a half waves apart."""
    bends = []
    for frames in (60, 120, 240):
        path = np.tile(walking_to_x(frames), (2, 1, 1))
        stride = [1.2, 0.0, 0.0]
        lifted = ground_contact(path, below(path), LEVEL, UP, stride=stride, surface=hills)
        found = lifted.positions
        bends.append(np.abs(np.roll(found, -1, 0) - 2 * found + np.roll(found, 1, 0)).max())
    assert bends[2] < 0.3 * bends[1] < 0.09 * bends[0]


def test_feet_stand_on_a_curved_surface() -> None:
    path = walking_to_x(60)
    touches = below(path)
    found = ground_contact(path, touches, LEVEL, UP, stride=[0.8, 0, 0], surface=hills)
    assert slide(found, touches) < 1e-9
    world = in_world(found)[np.tile(touches, (3, 1))]
    assert world[:, 1] == pytest.approx(hills(world)[:, 1], abs=1e-9)
    with pytest.raises(BadValue, match="repeats with the stride of 0.7 m"):
        ground_contact(path, touches, LEVEL, UP, stride=[0.7, 0, 0], surface=hills)


def test_bad_contacts_are_refused() -> None:
    path = acted_feet(40)
    touches = below(path)
    none, single, always = touches & False, touches & False, touches | True
    single[3, 0] = True
    for flags in (none, single, touches[:-1]):
        with pytest.raises(BadValue, match="contact"):
            ground_contact(path, flags, LEVEL, UP)
    drifting = touches.copy()
    drifting[:, 1] = True
    with pytest.raises(BadValue, match="item 1 always in it"):
        ground_contact(path, drifting, LEVEL, UP, stride=[1.0, 0.0, 0.0])
    with pytest.raises(BadValue, match="normal"):
        ground_contact(path, touches, LEVEL, 0 * UP)
    with pytest.raises(BadValue, match="positions"):
        ground_contact(path * np.nan, touches, LEVEL, UP)
    with pytest.raises(BadValue, match="positions"):
        ground_contact(path[:3], touches[:3], LEVEL, UP)
    for stride in ([0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [np.nan, 0.0, 0.0], 1.0):
        with pytest.raises(BadValue, match="stride"):
            ground_contact(path, touches, LEVEL, UP, stride=stride)
    standing = np.broadcast_to(path[:1], path.shape)
    with pytest.raises(BadValue, match="go nowhere"):
        ground_contact(standing, always, LEVEL, UP, stride=[1.0, 0.0, 0.0])


def test_what_stands_stays_and_does_not_travel() -> None:
    path = np.broadcast_to(acted_feet(40)[:1], (40, 2, 3)).copy()
    found = ground_contact(path, np.ones((40, 2), bool), path[0, 0], UP)
    assert found.travel == pytest.approx(np.zeros((40, 3)))
    assert np.ptp(found.positions, axis=0) == pytest.approx(np.zeros((2, 3)), abs=1e-12)


def test_what_taps_beside_a_standing_foot_makes_no_travel() -> None:
    phase = 2 * np.pi * np.arange(40) / 40
    wobble = 0.004 * np.stack([np.sin(phase + 1), 0 * phase, np.cos(2 * phase)], axis=-1)
    tap = np.stack([0.2 + 0.01 * np.sin(phase), 0.08 * np.sin(phase), 0 * phase], axis=-1)
    path = np.stack([wobble, tap + LEVEL], axis=1)
    touches = np.stack([np.ones(40, bool), below(path)[:, 1]], axis=1)
    found = ground_contact(path, touches, LEVEL, UP)
    assert found.stride == pytest.approx(np.zeros(3), abs=1e-12)
    assert slide(found, touches) < 1e-9
