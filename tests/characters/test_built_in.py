import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.characters import _character, asset_path, built_in, clip_names, names
from arcwright.characters.build import simplified
from arcwright.characters.mesh import Mesh, joined, packed, read_store, shape, unpacked
from arcwright.characters.skeleton import root, skeleton
from arcwright.characters.store import packed_clips, unpacked_clips
from arcwright.errors import BadFile, MissingExtra, UnknownName
from arcwright.scene.clip import Clip


def tetrahedron(colour="red", joint="Hips"):
    corners = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    return Mesh(
        position=corners,
        normal=corners / np.sqrt(3),
        faces=np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]),
        material=np.zeros(4, np.int64),
        joints=np.zeros((4, 4), np.int64),
        weights=np.tile([0.6, 0.4, 0.0, 0.0], (4, 1)),
        materials=(colour,),
        owners=(joint,),
    )


def test_biped_and_lamp_are_there():
    assert {"biped", "lamp"} <= set(names())
    assert clip_names("biped") == (
        *("stand", "walk", "jump", "dive", "sit", "point", "guitar", "carry", "juggle"),
        *("idle", "run", "crouch", "crouch_walk", "mid_jump"),
        *("punch", "kick", "throw", "get_up_back", "get_up_front"),
        *("tea", "point_right", "lamp"),
    )


def test_a_clip_can_be_requested_by_name():
    scene = built_in("biped:walk")
    assert [take.name for take in scene.characters[0].takes] == ["walk"]
    assert len(scene.contacts) == 2
    assert len(built_in("biped").characters[0].takes) == 22


def test_unknown_characters_are_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="biped"):
        built_in("bipde")


def test_built_ins_are_loaded_once():
    assert built_in("biped").characters[0] is built_in("biped").characters[0]


def test_loading_twice_gives_the_same_bits():
    first = built_in("lamp").characters[0]
    _character.cache_clear()
    again = built_in("lamp").characters[0]
    assert again is not first
    assert same(first, again)


def test_a_missing_asset_says_what_to_do(tmp_path):
    with pytest.raises(BadFile, match="make characters"):
        read_store(tmp_path / "nobody.npz")


@pytest.mark.parametrize("length", [0, 100, 5000])
def test_a_cut_asset_is_refused(tmp_path, length):
    path = tmp_path / "cut.npz"
    path.write_bytes(asset_path("lamp").read_bytes()[:length])
    with pytest.raises(BadFile, match="make characters"):
        read_store(path)


def test_an_asset_whose_parts_do_not_fit_is_refused():
    stored = read_store(asset_path("lamp"))
    with pytest.raises(BadFile, match="do not fit"):
        unpacked(stored | {"faces": stored["faces"] + 60000}, asset_path("lamp"))
    with pytest.raises(BadFile, match="not a stored character"):
        unpacked({k: v for k, v in stored.items() if k != "normal"}, asset_path("lamp"))
    with pytest.raises(BadFile, match="not a stored character"):
        unpacked_clips(stored | {"clip_curve": stored["clip_curve"] + 100}, 5, asset_path("lamp"))


def test_packing_a_mesh_keeps_it_to_the_last_step():
    mesh = tetrahedron()
    back = unpacked(packed(mesh), asset_path("lamp"))
    assert np.allclose(back.position, mesh.position, atol=2 / 65535)
    assert np.allclose(back.weights.sum(axis=1), 1, atol=1e-12)
    assert np.allclose(back.normal, mesh.normal, atol=1 / 100)
    assert back.materials == ("red",)


def test_clips_come_back_bit_for_bit():
    clips = [take.base for take in built_in("biped").characters[0].takes]
    kept = [clip for clip in clips if isinstance(clip, Clip)]
    channels = len(kept[0].curves)
    assert same(tuple(kept), unpacked_clips(packed_clips(kept), channels, asset_path("biped")))


def test_joined_meshes_match_materials_and_joints_by_name():
    both = joined([tetrahedron(), tetrahedron("blue", "Head"), tetrahedron("red", "Head")])
    assert both.materials == ("red", "blue")
    assert both.owners == ("Hips", "Head")
    assert both.material.tolist() == [0] * 4 + [1] * 4 + [0] * 4
    assert both.joints[8:].max() == 1


def test_a_mesh_becomes_one_part_per_material():
    rig = skeleton([root("Hips", (0, 1, 0))])
    made = shape("thing", joined([tetrahedron(), tetrahedron("blue")]), rig)
    assert [part.material for part in made.parts] == [0, 1]
    assert [len(part.attributes["POSITION"]) for part in made.parts] == [4, 4]
    assert np.allclose(made.skin.inverse_bind[0, :3, 3], [0, -1, 0])


def test_modelling_without_the_wheel_says_so(monkeypatch):
    import importlib

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("arcwright.characters.build.import_module", missing)
    with pytest.raises(MissingExtra, match="sculpt"):
        simplified(np.zeros((4, 3)), np.zeros((2, 3), np.int64), 1)
    assert importlib is not None
