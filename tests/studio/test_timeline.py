"""The dope sheet and the graph editor in the browser."""

import numpy as np

from arcwright.open import read
from places import done, saved, select, still, timeline


def rotate_z(scene):
    character = scene.characters[0]
    rig = character.rig
    joint = rig.names.index("RightHand")
    channels = [
        index
        for index, curve in enumerate(character.takes[0].base.curves)
        if rig.channels.joint[index] == joint and curve is not None
    ]
    return channels[0], character.takes[0].base.curves[channels[0]]


def row_of(window, label):
    return next(row["id"] for row in timeline(window, "rows()") if row["label"] == label)


def test_a_key_is_moved_in_the_dope_sheet(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio)
    still(window, 0)
    row = row_of(window, "RightHand")
    start = timeline(window, "mark(...given)", row, 14)
    later = timeline(window, "frame(given[0])", 17)
    window.drag(start, [later[0], start[1]])
    done(window, 1)
    scene = saved(window, studio, "moved.arc.glb")
    _, before = rotate_z(read("biped:walk"))
    _, after = rotate_z(scene)
    assert np.allclose(before.time * 24, [0, 14, 24])
    assert np.allclose(after.time * 24, [0, 17, 24])
    assert np.array_equal(after.value, before.value)
    window.keyboard.press("Control+z")
    done(window, 0)
    assert timeline(window, "mark(...given)", row, 14)


def test_a_handle_is_dragged_in_the_graph(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio)
    still(window, 0)
    select(window, "RightHand")
    window.page.get_by_text("Graph editor", exact=True).click()
    channel, before = rotate_z(read("biped:walk"))
    window.wait("timeline.state().sheet === 'graph'")
    key = timeline(window, "key(...given)", channel, 1)
    window.mouse.click(*key)
    window.wait(f"timeline.state().chosen.includes('{channel}/1')")
    start = timeline(window, "handle(...given)", channel, 1, 1)
    window.drag(start, [start[0] - 20, start[1] - 30])
    done(window, 1)
    _, after = rotate_z(saved(window, studio, "graph.arc.glb"))
    assert np.array_equal(after.value, before.value)
    assert after.tangent[1, 1, 1] > before.tangent[1, 1, 1] + 0.01
    assert after.tangent[1, 1, 0] < before.tangent[1, 1, 0]


def test_a_contact_bar_is_dragged(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    select(window, "LeftToes")
    end = timeline(window, "bar(...given)", "contact", 0, "end")
    assert end, "the bar is not in view"
    later = timeline(window, "frame(given[0])", 14)
    window.drag(end, [later[0], end[1]])
    done(window, 1)
    contact = next(each for each in window.state["pointConstraints"] if each["kind"] == "contact")
    assert abs(contact["end"] * 24 - 14) < 0.51
    assert abs(contact["start"] * 24 - 3) < 1e-6


def test_undo_in_the_middle_of_a_drag_ends_the_drag_and_keeps_the_redo(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    select(window, "Head")
    window.keyboard.press("p")
    done(window, 1)
    start = timeline(window, "mark(...given)", row_of(window, "RightHand"), 14)
    if not start:
        select(window, "RightHand")
        start = timeline(window, "mark(...given)", row_of(window, "RightHand"), 14)
    later = timeline(window, "frame(given[0])", 17)
    window.press(start, [later[0], start[1]])
    window.keyboard.press("Control+z")
    window.wait("state().undone.length === 1")
    (pinned,) = window.state["undone"]
    window.mouse.move(later[0] + 20, start[1], steps=4)
    window.mouse.up()
    window.keyboard.press("Control+Shift+z")
    done(window, 1)
    assert (window.state["done"], window.state["undone"]) == ([pinned], [])


def test_scaling_keys_is_called_scaling(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    mark = timeline(window, "mark(...given)", row_of(window, "RightHand"), 14)
    window.mouse.click(*mark)
    window.keyboard.press("s")
    window.mouse.move(mark[0] + 60, mark[1], steps=4)
    window.mouse.click(mark[0] + 60, mark[1])
    done(window, 1)
    assert window.state["done"][0].startswith("Scale ")


def test_another_frame_rate_is_shown_once_it_is_chosen(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    field = window.page.get_by_label("Frames per second")
    for leave in ("Escape", "Keep 24 fps"):
        field.fill("30")
        field.press("Enter")
        choice = window.page.get_by_text("Keep 24 fps", exact=True)
        choice.wait_for()
        choice.click() if leave != "Escape" else window.keyboard.press("Escape")
        choice.wait_for(state="detached")
        assert field.input_value() == "24"
        assert window.state["rate"] == 24
    field.fill("30")
    field.press("Enter")
    window.page.get_by_text("Change to 30 fps, keep frames: plays faster").click()
    done(window, 1)
    assert (field.input_value(), window.state["rate"]) == ("30", 30)
