import numpy as np
import pytest

from arcwright.characters.tableware import Cup, Teapot
from arcwright.errors import BadValue
from cast import check_mesh

POTS = {
    "usual": Teapot(),
    "short": Teapot(spout_length=0.05, tilt=20.0),
    "right": Teapot(handle_side="right"),
    "left": Teapot(handle_side="left", size=1.4),
    "tall": Teapot(0.15, 0.17, 60.0, size=0.8),
}
CUPS = {"usual": Cup(), "bowl": Cup(0.06, 0.045, handle=False), "turned": Cup(handle_turn=120.0)}
EVERY = {**{f"pot {k}": v for k, v in POTS.items()}, **{f"cup {k}": v for k, v in CUPS.items()}}


def places(prop):
    parts = prop.shapes[0].parts
    return np.concatenate([part.attributes["POSITION"] for part in parts]).astype(float)


def nearest(prop, at):
    return np.linalg.norm(places(prop) - at, axis=1).min()


@pytest.mark.parametrize("ware", EVERY.values(), ids=EVERY)
def test_meshes_are_sound_and_closed_and_stand_on_their_base(ware):
    prop = ware.prop()
    check_mesh(prop)
    assert places(prop)[:, 1].min() == pytest.approx(0, abs=1e-6)
    for part in prop.shapes[0].parts:
        at = np.round(part.attributes["POSITION"].astype(float) * 1e5).astype(np.int64)
        _, welded = np.unique(at, axis=0, return_inverse=True)
        faces = welded.reshape(-1)[part.triangles]
        ways = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        there = {tuple(way) for way in ways.tolist()}
        assert all((b, a) in there for a, b in there)


@pytest.mark.parametrize("pot", POTS.values(), ids=POTS)
def test_the_spouts_tip_lies_on_the_pot_and_leads_where_the_spout_is_long(pot):
    tip = pot.anchors["spout"]
    assert nearest(pot.prop(), tip) < 2e-3 * pot.size
    assert tip[2] == pytest.approx(0, abs=1e-9)
    longer = Teapot(pot.spout_length + 0.02, pot.height, pot.tilt, pot.handle_side, pot.size)
    assert longer.anchors["spout"][0] > tip[0]


WAYS = {"back": [-1, 0, 0], "right": [0, 0, 1], "left": [0, 0, -1]}


@pytest.mark.parametrize(("side", "way"), WAYS.items())
def test_a_palm_holds_the_bar_of_the_handle_at_its_side(side, way):
    pot = Teapot(handle_side=side)
    at = pot.anchors["handle"]
    assert at @ np.array(way) > 0.11
    assert at * [1, 0, 1] == pytest.approx(np.array(way) * (at @ np.array(way)), abs=1e-9)
    assert 0.3 * pot.height < at[1] < 0.7 * pot.height
    assert nearest(pot.prop(), at) == pytest.approx(0.0085, abs=2e-3)  # inside the bar


@pytest.mark.parametrize("cup", CUPS.values(), ids=CUPS)
def test_the_rims_middle_is_at_the_height_of_the_cup_which_is_open(cup):
    rim, every = cup.anchors["rim"], places(cup.prop())
    assert every[:, 1].max() == pytest.approx(rim[1], abs=1e-6)
    inside = np.hypot(every[:, 0], every[:, 2]) < 0.4 * cup.radius
    assert every[inside, 1].max() < 0.4 * cup.height


def test_a_pots_anchors_grow_with_it_and_become_an_object_of_an_activity():
    small, large = Teapot(), Teapot(size=2.0)
    for name, at in small.anchors.items():
        assert np.allclose(large.anchors[name], 2 * at)
    found = large.object("pot", "Samovar")
    assert found.prop == "Samovar"
    assert np.array_equal(found.anchor("spout"), large.anchors["spout"])
    assert set(Cup().object().anchor_names) == {"rim", "handle", "base"}


def test_tableware_scales_by_its_channels():
    prop = Cup().prop("Cup", (0.1, 0.8, 0.2))
    names = [name for name in prop.rig.channel_names if ".scale." in name]
    assert len(names) == 3
    assert not prop.takes
    assert np.array_equal(prop.rig.channels.default[-3:], np.ones(3))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Teapot(spout_length=0),
        lambda: Teapot(tilt=90.0),
        lambda: Teapot(handle_side="top"),
        lambda: Cup(radius=-1.0),
        lambda: Cup(height=np.inf),
    ],
)
def test_impossible_tableware_is_refused(make):
    with pytest.raises(BadValue):
        make()
