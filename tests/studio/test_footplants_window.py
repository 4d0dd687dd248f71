"""Detected footplants in the browser: shown before a drag, accepted by it."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.kinematics.sample import values_at
from arcwright.open import read, write
from arcwright.scene.motion import Motion
from places import RATE, done, layers, saved, select, still, timeline, undo


@pytest.fixture
def long_walk(folder):
    """A captured walk of ten seconds without contacts."""
    scene = read("biped:walk")
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.arange(round(10 * RATE) + 1) / RATE
    values = values_at(take, times % take.duration)
    motion = Motion("walk", times, values, RATE)
    actor = replace(actor, takes=(replace(take, base=motion),))
    path = folder / "long.arc.glb"
    write(replace(scene, characters=(actor,), constraints=()), path)
    return path


def test_footplants_are_shown_before_a_drag_and_become_contacts_with_it(
    studio_of, window_of, long_walk
):
    studio = studio_of(long_walk)
    window = window_of(studio)
    before = read(long_walk)
    still(window, 240)
    select(window)
    window.keyboard.press("2")
    window.wait("state().tool === 'tangent' && window.arcwright.settled")
    assert window.ask("markers()") == []
    window.keyboard.press("3")
    window.wait("state().tool === 'spacetime' && window.arcwright.settled")
    assert {each["kind"] for each in window.ask("markers()")} == {"footplant"}
    bars = [row for row in timeline(window, "rows()") if row["label"] == "footplants (detected)"]
    assert len(bars) == 2
    found = timeline(window, "footplants()")
    assert window.state["pointConstraints"] == []

    near = min(window.ask("markers()"), key=lambda each: abs(each["frame"] - 240))
    start = [near["at"][0], near["at"][1] + 8]
    window.mouse.move(*start)
    window.wait("view.aimed.value")  # lit
    shown = timeline(window, "edit()")
    own = found[near["index"]]  # all of it is moved, and 3 s before and after may change
    assert (shown["first"], shown["last"]) == pytest.approx((own[0] - 144, own[1] + 144))
    assert shown["meant"]
    window.drag(start, [start[0] + 24, start[1] + 6], settle=300)
    done(window, 1)
    state = window.state
    assert len(state["pointConstraints"]) == len(found)
    assert {each["kind"] for each in window.ask("markers()")} == {"contact"}
    (layer,) = layers(window)
    changed = layer["start"] * RATE, layer["end"] * RATE
    assert changed == pytest.approx((shown["first"], shown["last"]), abs=1)
    assert len(saved(window, studio, "moved.arc.glb").contacts) == len(found)
    undo(window, 0)
    assert {each["kind"] for each in window.ask("markers()")} == {"footplant"}
    undone = saved(window, studio, "undone.arc.glb")
    assert same(undone.contacts, before.contacts)
    assert same(undone.characters, before.characters)

    index, (first, last) = next((i, span) for i, span in enumerate(found) if span[0] > 100)
    end = timeline(window, "bar(...given)", "footplant", index, "end")
    later = timeline(window, "frame(given[0])", last + 6)
    window.drag(end, [later[0], end[1]])
    done(window, 1)
    spans = [
        (each["start"] * RATE, each["end"] * RATE) for each in window.state["pointConstraints"]
    ]
    assert len(spans) == len(found)
    assert any(span == pytest.approx((first, last + 6), abs=1.2) for span in spans)
    undo(window, 0)
    window.page.get_by_role("button", name="Accept", exact=True).click()
    done(window, 1)
    assert window.state["done"] == [f"Accept {len(found)} footplants"]
