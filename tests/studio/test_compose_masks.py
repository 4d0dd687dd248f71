"""Masks of objects against the viewport's picture, and keys of a shot, in the browser."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import write
from arcwright.scene.clip import Clip
from arcwright.scene.flow import Flow, FlowCurve
from arcwright.scene.scene import Scene
from arcwright.scene.shape import Look
from arcwright.scene.shot import Shot
from arcwright.scene.take import Take
from arcwright.tools.flow.looking import look_at
from arcwright.tools.flow.object_masks import object_masks, visible_objects
from arcwright.tools.flow.scene_objects import scene_objects
from arcwright.tools.flow.shot_view import ShotView
from flow_scenes import arc_over, pole, prop, standing, tube
from places import done, picture, settled, still, undo

COLOURS = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1)}


def shining(each):
    """The prop in one bright colour of its own."""
    black = {"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0, "roughnessFactor": 1}
    base = {"pbrMetallicRoughness": black, "emissiveFactor": list(COLOURS[each.name])}
    shape = each.shapes[0]
    parts = tuple(replace(part, material=0) for part in shape.parts)
    look = Look.of({"materials": [base]})
    return replace(each, look=look, shapes=(replace(shape, parts=parts),))


def coloured():
    """Three crossing bars in front of a saved camera, whose curves are hidden."""
    ends = {
        "red": ((-1.2, 0.3, 0), (1.3, 2.1, 0.2)),
        "green": ((-1.0, 2.0, -0.8), (1.2, 0.4, 0.9)),
        "blue": ((0, 0.1, 0.4), (0.1, 2.3, -0.4)),
    }
    props = tuple(shining(prop(name, *tube(*each, 0.12))) for name, each in ends.items())
    shot = Shot("main", look_at([0.3, 1.6, 6], [0, 1.2, 0], size=(960, 540)))
    curves = [FlowCurve(name, (name,), np.zeros((0, 2)), hidden=True) for name in ends]
    curves += [replace(each, name=f"{each.name} axis") for each in curves]
    curves.append(FlowCurve("group.1", tuple(ends), np.zeros((0, 2)), hidden=True))
    return Scene("bars", (), props, cameras=(shot,), flow=Flow(shot, (), tuple(curves)))


def grown(mask, by):
    """A mask made larger by some pixels, or smaller where `by` is negative."""
    found = mask if by > 0 else ~mask
    for _ in range(abs(by)):
        wider = found.copy()
        wider[1:] |= found[:-1]
        wider[:-1] |= found[1:]
        wider[:, 1:] |= found[:, :-1]
        wider[:, :-1] |= found[:, 1:]
        found = wider
    return found if by > 0 else ~found


def composing(studio_of, window_of, folder, scene, **drawn):
    path = folder / "shot.arc.glb"
    write(scene, path)
    window = window_of(studio_of(path), **drawn)
    window.page.locator('[data-tool="flow"]').click()
    window.wait("state().tool === 'flow'")
    settled(window)
    return window


def test_masks_differ_from_the_viewport_only_within_a_pixel_of_edges(studio_of, window_of, folder):
    scene = coloured()
    window = composing(studio_of, window_of, folder, scene, size=(900, 640), picture="all")
    camera = scene.cameras[0].camera
    box = window.page.locator(".stage canvas").bounding_box()
    scale = min(box["width"] / camera.width, box["height"] / camera.height)
    left = box["x"] + (box["width"] - scale * camera.width) / 2
    top = box["y"] + (box["height"] - scale * camera.height) / 2
    width, height = int(scale * camera.width), int(scale * camera.height)
    assert min(width, height) > 200
    corner = np.ceil([left, top])
    seen = picture(window, int(corner[0]), int(corner[1]), width - 2, height - 2)[..., :3]
    shot = replace(camera, width=scale * camera.width, height=scale * camera.height)
    view = ShotView(shot)
    objects = scene_objects(scene, 0.0, "auto", camera.position)
    nearest = visible_objects(view, object_masks(view, objects))
    down, right = np.round(corner[::-1] - [top, left]).astype(int)
    nearest = nearest[down : down + height - 2, right : right + width - 2]
    for index, item in enumerate(objects):
        colour = np.argmax(COLOURS[item.name])
        others = np.delete(seen, colour, axis=2).max(2)
        drawn = (seen[..., colour] > 150) & (others < 90)
        mask = nearest == index
        assert drawn.sum() > 500
        assert not (drawn & ~grown(mask, 1)).any(), item.name
        assert not (grown(mask, -1) & ~drawn).any(), item.name


@pytest.fixture
def swaying(studio_of, window_of, folder):
    """A window on a pole with a take of two seconds, composed."""
    scene = standing(pole())
    stick = scene.actor("pole")
    clip = Clip("still", (None,) * len(stick.rig.channels), 2.0)
    stick = replace(stick, takes=(Take(stick.rig, clip),))
    scene = replace(scene, props=(scene.props[0], stick))
    return composing(studio_of, window_of, folder, scene), scene


def test_keys_brush_and_curves_of_a_shot_are_set_with_the_mouse(swaying):
    window, scene = swaying
    page, camera = window.page, scene.cameras[0].camera

    def draw(pixels):
        box = page.locator(".stage canvas").bounding_box()
        scale = min(box["width"] / camera.width, box["height"] / camera.height)
        size = scale * np.array([camera.width, camera.height])
        corner = np.array([box["x"], box["y"]], float)
        corner += (np.array([box["width"], box["height"]]) - size) / 2
        places = corner + scale * np.asarray(pixels)
        page.mouse.move(*places[0])
        page.mouse.down()
        for x, y in places[1:]:
            page.mouse.move(x, y)
        page.mouse.up()

    def tip():
        return window.ask("vertexOf(...given)", "pole", 150)[0]

    still(window, 0)
    draw(arc_over(scene, lean=0.3, samples=12))
    done(window, 1)
    settled(window)
    first = tip()
    still(window, 24)
    page.get_by_role("button", name="Add a key at this frame").click()
    done(window, 2)
    settled(window)
    draw(arc_over(scene, x=0.2, lean=0.6, samples=12))  # beside the handles
    done(window, 3)
    settled(window)
    later = tip()
    assert later > first + 0.1
    still(window, 12)
    assert first + 0.02 < tip() < later - 0.02
    still(window, 0)
    assert tip() == pytest.approx(first, abs=0.02)
    page.get_by_text("Curves", exact=True).click()
    page.get_by_role("button", name="Hide pole").click()
    done(window, 4)
    settled(window)
    assert tip() < first - 0.05
    undo(window, 3)
    settled(window)
    page.get_by_label("Use stroke as").select_option("brush")
    draw(arc_over(scene, x=-0.05, lean=0.25, samples=8)[1:])
    done(window, 4)
    settled(window)
    assert window.state["composition"]["layers"][0]["excluded"] == ["pole"]
    assert tip() < first - 0.05
