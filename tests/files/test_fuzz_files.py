import pytest

from arcwright.files import read
from damages import damaged
from fuzz import FINE, outcome
from good_files import BVH, OBJ, glb, gltf, seeds
from hostile import planted, put

FILES = seeds(largest=0)  # only the built ones, so that the set is the same everywhere


SLOW = [pytest.param(block, marks=pytest.mark.slow) for block in range(2, 8)]


@pytest.mark.parametrize("block", [0, 1, *SLOW])
def test_a_damaged_file_becomes_a_scene_or_one_clear_line(tmp_path, block):
    folder = planted(tmp_path)
    for case in range(100 * block, 100 * block + 100):
        suffix, data = damaged(f"fixed-{case}", FILES)
        path = put(folder, suffix, data)
        assert outcome(path, chance=0.1) in FINE, f"case fixed-{case}"


def test_the_undamaged_files_are_good(tmp_path):
    import json

    good = {".bvh": BVH, ".obj": OBJ, ".gltf": json.dumps(gltf()).encode(), ".glb": glb(gltf())}
    for suffix, data in good.items():
        path = tmp_path / f"good{suffix}"
        path.write_bytes(data)
        scene = read(path)
        assert scene.characters or scene.props
