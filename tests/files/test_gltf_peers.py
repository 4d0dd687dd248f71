"""Built-in characters, written by us and played by three.js."""

import pytest

from arcwright.characters import built_in, names
from arcwright.files import arc, gltf
from gltf_tools import (
    clip_times,
    needs_node,
    nodes_of_joints,
    our_worlds,
    three_worlds,
    validated,
)

pytestmark = needs_node


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("kind", [gltf, arc])
def test_three_js_plays_what_we_write_as_we_sample_it(name, kind, tmp_path):
    scene = built_in(name)
    path = tmp_path / f"{name}.arc.glb"
    kind.write(scene, path)
    clips = clip_times(scene)
    three_js, worlds = three_worlds(path, clips)
    for actor, nodes in nodes_of_joints(scene, three_js):
        for key, ours in our_worlds(actor, clips).items():
            assert abs(ours - worlds[key][:, nodes]).max() < 1e-5
    assert not validated([path])[str(path)]["errors"]
