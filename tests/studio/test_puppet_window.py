"""A puppet is led by a real mouse: it walks, and the performance is a take like any other."""

import time
from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.characters import built_in
from arcwright.characters.snowman import snowball
from arcwright.edits.takes import add_scene
from places import done, point_ref, saved, settled, somewhere_on, still, timeline, undo

CHEST = point_ref("Chest")
IN_SIGHT = """(row) => {
  const box = row.getBoundingClientRect();
  return row.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


def choose_puppet(window):
    window.page.locator('[data-tool="puppet"]').click()
    window.wait('state().tool === "puppet"')


@pytest.fixture
def studio(studio_of):
    return studio_of("biped")


@pytest.fixture
def puppeteer(studio, window_of):
    """A window on the biped with the puppet tool."""
    window = window_of(studio)
    choose_puppet(window)
    still(window, 0)
    return window


def lead(window, by, seconds=1.2, at=None, led=None):
    """Press the chest, move by so many px, and release as soon as it was `led` far enough."""
    at = np.array(at or window.ask("screenOf(given[0])", CHEST), float)
    mouse = window.page.mouse
    mouse.move(*at)
    mouse.down()
    steps = round(seconds / 0.03)
    for step in range(steps):
        mouse.move(*(at + np.multiply(by, (step + 1) / steps)))
        time.sleep(0.03)
    if led:
        window.until(led, "it is led")
    mouse.up()


def takes(window, of="biped"):
    return {take["name"]: take for take in window.state["takes"][of]}


def test_a_puppet_follows_the_mouse_into_a_take(puppeteer):
    window = puppeteer
    before = list(takes(window))
    at = window.ask("screenOf(given[0], 0)", CHEST)
    window.drag([at[0] + 200, at[1]], [at[0] + 240, at[1]])  # beside it: nothing is held
    assert window.state["done"] == []
    start = window.ask("worldOf(given[0])", CHEST)

    def led():  # the body itself moves
        return np.linalg.norm(np.subtract(window.ask("worldOf(given[0])", CHEST), start)) > 0.1

    lead(window, (160, 0), led=led)
    done(window, 1)
    assert list(takes(window)) == [*before, "performance"]
    assert window.state["take"] == "performance"
    assert window.state["playing"], "what was made is shown, and plays"
    row = window.page.locator('.takes [aria-current="true"]').first
    assert "performance" in row.inner_text()
    assert row.evaluate(IN_SIGHT), "and its row is in sight"
    undo(window, 0)
    assert list(takes(window)) == before


@pytest.mark.slow
def test_a_performed_take_is_punched_into_at_the_playhead(puppeteer):
    window = puppeteer
    before = list(takes(window))
    lead(window, (160, 0))
    done(window, 1)
    first = takes(window)["performance"]
    still(window, 30)
    rate = first["rate"]
    early = [window.ask("worldOf(given[0], given[1])", CHEST, at) for at in (0, 15, 30)]
    lead(window, (-120, 0), seconds=1.5)
    done(window, 2)
    again = takes(window)["performance"]
    assert list(takes(window)) == [*before, "performance"], "no other take"
    assert again["duration"] > 30 / rate + 1
    assert window.state["playing"]
    still(window, 30)
    now = [window.ask("worldOf(given[0], given[1])", CHEST, at) for at in (0, 15, 30)]
    assert now == early, "what is before stays"
    end = window.ask("worldOf(given[0], given[1])", CHEST, window.state["lastFrame"])
    assert end[0] < now[-1][0] - 0.1
    undo(window, 1)
    assert takes(window)["performance"] == first


@pytest.mark.slow
def test_states_and_samples_are_kept_with_the_take(puppeteer, studio):
    window = puppeteer
    lead(window, (0, -150), seconds=1.5)  # lifted
    done(window, 1)
    still(window, 0)
    names = [each["name"] for each in takes(window)["performance"]["sections"]]
    assert names[:2] == ["locomotion", "held"]
    x, y = timeline(window, 'section("held")')
    window.page.mouse.move(x, y)
    window.wait('timeline.state().hover.startsWith("Held: frames")')
    kept = saved(window, studio, "performed.arc.glb")
    assert [each.name for each in kept.characters[0].takes[-1].sections] == names
    window.page.locator("[data-recording]").click()  # made again with another option
    window.wait("state().interaction?.open")
    window.page.get_by_label("Gain").fill("0.5")
    window.page.keyboard.press("Tab")
    window.page.locator(".record-strip button.main").click()
    done(window, 2)
    assert kept.recordings[0].tool == "puppet"
    again = saved(window, studio, "again.arc.glb")
    assert again.recordings[0].options == {"gain": 0.5}


def test_a_reopened_project_shows_what_was_shown_last(puppeteer, studio, window_of):
    window = puppeteer
    lead(window, (60, 0), seconds=0.5)
    done(window, 1)
    still(window, 0)
    saved(window, studio, "performed.arc.glb")
    studio.open("lamp")
    window.wait('state().character === "lamp"')
    studio.open(str(studio.folder / "performed.arc.glb"))
    window.wait('state().character === "biped"')
    assert window.state["take"] == "performance"
    window = window_of(studio)  # with nothing stored
    assert window.state["take"] == "performance"


@pytest.fixture
def two_bipeds(folder):
    """A file with two bipeds: the first one has a performed take, in which it walks aside."""
    scene = built_in("biped")
    scene = add_scene(scene, built_in("biped")).apply(scene)
    time_of = np.arange(180) / 60
    poses = np.zeros((180, 1, 7))
    poses[:, 0, :4] = [0, 1.6, -1.5, 1]
    poses[:, 0, 0] += time_of
    interaction = arcwright.begin("puppet", scene)
    interaction.update(arcwright.Performance(time_of, poses))
    arcwright.write(interaction.finish().apply(scene), folder / "two.arc.glb")
    return folder / "two.arc.glb"


@pytest.mark.slow
def test_others_play_along_while_a_puppet_is_led(two_bipeds, studio_of, window_of):
    window = window_of(studio_of(two_bipeds))
    first, second = window.state["takes"]
    choose_puppet(window)
    still(window, 0)
    assert (window.state["character"], window.state["take"]) == (first, "performance")
    window.page.locator(".row.actor").nth(1).click()
    settled(window)

    still(window, 24)  # a second, in which the first one has gone aside

    def looks():
        who = [{"joint": "Chest", "character": each} for each in (first, second)]
        places = [np.array(window.ask("worldOf(given[0])", each)) for each in who]
        return window.state["frame"] / window.state["rate"], *places

    _, *before = looks()
    assert before[0][0] > 0.5
    at = window.ask("screenOf(given[0])", {"joint": "Chest", "character": second})
    halfway = []

    def led():
        when, *places = looks()
        moved = np.linalg.norm(places[1] - before[1]) > 0.05
        halfway[:] = [when, *places] if moved else []
        return moved

    lead(window, (-120, 0), seconds=2.4, at=at, led=led)
    when = halfway.pop(0)
    own = arcwright.read(two_bipeds).characters[0].take("performance")
    here = arcwright.trail(own, "Chest", [min(when, own.duration)]).position[0]
    assert halfway[0] == pytest.approx(here, abs=0.1), "while the first one plays, from its start"
    done(window, 1)
    assert (window.state["character"], window.state["take"]) == (second, "performance")
    assert takes(window, first)["performance"]["duration"] == pytest.approx(179 / 60)


def test_keys_ask_for_actions_while_the_mouse_holds_it(puppeteer):
    window = puppeteer
    window.page.mouse.move(*window.ask("screenOf(given[0])", CHEST))
    window.page.mouse.down()
    window.wait("state().interaction")
    window.keyboard.press("2")
    time.sleep(1.2)  # a kick, with the mouse at rest
    window.page.mouse.up()
    done(window, 1)
    assert window.state["tool"] == "puppet", "no tool is chosen by it"
    names = [each["name"] for each in takes(window)["performance"]["sections"]]
    assert names == ["locomotion", "action", "locomotion"]


def test_roles_and_blocks_of_the_panel_are_undo_steps_of_the_scene(puppeteer):
    window, page = puppeteer, puppeteer.page
    shown = page.get_by_label("Walk", exact=True)
    assert shown.locator("option").first.inner_text() == "walk (auto)"
    shown.select_option("run")
    done(window, 1)
    assert window.state["done"] == ["Use run as walk"]
    assert shown.input_value() == "run"
    page.get_by_role("button", name="Add ramp").click()
    done(window, 2)
    height = page.get_by_label("Far height of ramp 1", exact=True)
    height.fill("30")
    height.press("Enter")
    done(window, 3)
    assert window.state["ground"][0]["heights"] == pytest.approx([0.0, 0.3])
    for left in (2, 1, 0):
        undo(window, left)
    assert window.state["ground"] == []
    assert shown.input_value() == ""


@pytest.fixture
def ball_beside_a_biped(folder):
    scene = built_in("biped")
    ball = snowball("Ball", 0.2, 0.6, 0.0)
    arcwright.write(replace(scene, props=(ball,)), folder / "ball.arc.glb")
    return folder / "ball.arc.glb"


@pytest.mark.slow
def test_a_prop_is_led_by_a_press_on_it(ball_beside_a_biped, studio_of, window_of):
    window = window_of(studio_of(ball_beside_a_biped))
    choose_puppet(window)
    still(window, 0)
    ball = {"joint": "Ball", "character": "Ball"}
    at = somewhere_on(window, "Ball")
    lead(window, (60, -60), at=at, led=lambda: window.ask("worldOf(given[0])", ball)[1] > 0.25)
    done(window, 1)
    assert list(takes(window, "Ball")) == ["performance"]
    assert window.state["character"] == "Ball"
    assert "performance" not in takes(window)
    undo(window, 0)
    assert takes(window, "Ball") == {}
