import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.edits import layers
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Scene
from builders import arm_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds

AT = "one", "walk"
some = examples(12, 30)


def stack_of(scene: Scene, *names: str, take: int = 0) -> Scene:
    """The scene with layers of these names, each turning the root another way."""
    actor = scene.characters[0]
    played = actor.takes[take]
    made = tuple(
        Layer(
            name,
            0.0,
            played.duration,
            [0],
            np.full((5, 1, 3), 0.1 * (1 + k)) * [1, k, -1],
            [],
            np.zeros((5, 0)),
        )
        for k, name in enumerate(names)
    )
    return replace(
        scene, characters=(actor.with_take(replace(played, layers=made)), *scene.characters[1:])
    )


def names_in(scene: Scene, take: int = 0) -> list[str]:
    return [layer.name for layer in scene.characters[0].takes[take].layers]


@some
@given(seeds, st.floats(0, 1), st.integers(0, 2), st.integers(0, 2))
def test_every_edit_is_undone_exactly(seed, weight, layer, to):
    scene = stack_of(random_scene(seed), "lift", "lean", "look")
    for edit in (
        layers.mute_layer(scene, *AT, layer, True),
        layers.weigh_layer(scene, *AT, layer, weight),
        layers.rename_layer(scene, *AT, layer, "higher"),
        layers.move_layer(scene, *AT, layer, to),
        layers.remove_layer(scene, *AT, layer),
        layers.copy_layer(scene, *AT, layer),
    ):
        assert_exact(scene, edit)


def test_a_muted_layer_has_no_effect_until_it_is_unmuted():
    scene = stack_of(arm_scene(), "lift")
    times = np.linspace(0, 1, 9)
    plain = values_at(arm_scene().characters[0].takes[0], times)
    muted = layers.mute_layer(scene, "", "wave", 0, True).apply(scene)
    assert np.array_equal(values_at(muted.characters[0].takes[0], times), plain)
    again = layers.mute_layer(muted, "", "wave", 0, False)
    assert (again.label, same(again.apply(muted), scene)) == ("Unmute lift", True)
    assert layers.mute_layer(scene, "", "wave", 0, False).empty


def test_half_the_weight_is_half_the_rotation():
    scene = stack_of(arm_scene(), "lift")
    edit = layers.weigh_layer(scene, "", "wave", 0, 0.5)
    assert edit.label == "Weight of lift: 50 %"
    after = edit.apply(scene).characters[0].takes[0]
    halved = replace(scene.characters[0].takes[0].layers[0], turn=after.layers[0].turn / 2)
    expected = replace(after, layers=(halved,))
    times = np.linspace(0, 1, 9)
    np.testing.assert_allclose(values_at(after, times), values_at(expected, times), atol=1e-12)


def test_layers_move_to_any_index_of_the_stack():
    scene = stack_of(arm_scene(), "a", "b", "c")
    for layer, to, expected, label in (
        (0, 1, ["b", "a", "c"], "Raise a"),
        (0, 2, ["b", "c", "a"], "Raise a"),
        (2, 0, ["c", "a", "b"], "Lower c"),
    ):
        edit = layers.move_layer(scene, "", "wave", layer, to)
        assert (names_in(edit.apply(scene)), edit.label) == (expected, label)
    assert layers.move_layer(scene, "", "wave", 1, 1).empty


def test_a_copy_lies_above_its_original_under_a_new_name():
    scene = stack_of(arm_scene(), "a", "b")
    once = layers.copy_layer(scene, "", "wave", 0).apply(scene)
    twice = layers.copy_layer(once, "", "wave", 0).apply(once)
    assert names_in(twice) == ["a", "a (3)", "a (2)", "b"]
    assert same(replace(twice.characters[0].takes[0].layers[1], name="a"), scene_layer(scene, 0))
    assert names_in(layers.remove_layer(twice, "", "wave", 0).apply(twice)) == [
        "a (3)",
        "a (2)",
        "b",
    ]


def scene_layer(scene: Scene, layer: int) -> Layer:
    return scene.characters[0].takes[0].layers[layer]


@pytest.mark.parametrize("take", [0, 1])
def test_flattened_layers_deviate_as_much_as_the_label_says(take):
    scene = stack_of(arm_scene(), "lift", "lean", take=take)
    before = scene.characters[0].takes[take]
    edit = layers.flatten(scene, "", before.name, 0.004)
    after = assert_exact(scene, edit).characters[0].takes[take]
    assert isinstance(after.base, Clip)
    assert after.layers == ()
    assert (after.duration, after.rate) == (before.duration, before.rate)
    times = before.base.time if isinstance(before.base, Motion) else before.frame_times()
    was, now = (forward(each.rig, values_at(each, times))[..., :3, 3] for each in (before, after))
    farthest = np.linalg.norm(now - was, axis=-1).max()
    label = re.fullmatch(rf"Flatten {after.name} into (\d+) keys, within ([\d.]+) mm", edit.label)
    assert label
    assert int(label[1]) == after.base.key_count
    assert float(label[2]) / 1000 == pytest.approx(farthest, abs=6e-5)
    assert farthest <= 0.004 + 1e-9


def test_flattening_keeps_curves_that_no_layer_changes():
    scene = stack_of(arm_scene(), "lift")
    before = scene.characters[0].takes[0].base
    after = layers.flatten(scene, "", "wave", 0.004).apply(scene).characters[0].takes[0].base
    kept = [old is new for old, new in zip(before.curves, after.curves, strict=True)]
    assert kept == [True, True, True, False, False, False, True]


def test_flattening_says_which_layers_it_left_out():
    scene = stack_of(arm_scene(), "lift", "lean")
    scene = layers.mute_layer(scene, "", "wave", 1, True).apply(scene)
    edit = layers.flatten(scene, "", "wave", 0.004)
    assert edit.label.endswith(", without 1 muted layer")
    assert_exact(scene, edit)


def test_baked_layers_are_in_the_samples_bit_for_bit():
    scene = stack_of(arm_scene(), "lift", "lean", take=1)
    before = scene.characters[0].takes[1]
    edit = layers.bake(scene, "", "recorded")
    after = assert_exact(scene, edit).characters[0].takes[1]
    assert edit.label == "Bake recorded into its samples"
    assert isinstance(after.base, Motion)
    assert after.layers == ()
    assert np.array_equal(after.base.time, before.base.time)
    assert np.array_equal(after.base.values, values_at(before, before.base.time))


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda s: layers.mute_layer(s, "", "wave", 1, True), "layer of 'wave': expected 0 to 0"),
        (lambda s: layers.move_layer(s, "", "wave", 0, 3), "layer of 'wave': expected 0 to 0"),
        (
            lambda s: layers.remove_layer(s, "", "recorded", 0),
            "none; the take has no layers",
        ),
        (lambda s: layers.weigh_layer(s, "", "wave", 0, 1.5), "weight of 'lift': expected 0 to 1"),
        (lambda s: layers.weigh_layer(s, "", "wave", 0, float("nan")), "a finite number"),
        (lambda s: layers.rename_layer(s, "", "wave", 0, "  "), "name of a layer"),
        (lambda s: layers.flatten(s, "", "recorded", 0.01), "layers to merge into its base"),
        (lambda s: layers.flatten(s, "", "wave", 0.0), "tolerance"),
        (lambda s: layers.bake(s, "", "wave"), "samples; use flatten for keyframes"),
    ],
)
def test_bad_input_is_refused_with_the_expected_value(ask, expected):
    with pytest.raises(BadValue, match=re.escape(expected)):
        ask(stack_of(arm_scene(), "lift"))
