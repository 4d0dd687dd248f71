"""Options are stated once: every face shows the same ones and refuses the same values."""

import json
import re
from dataclasses import dataclass, replace

import pytest

from arcwright.cli import main
from arcwright.errors import ArcwrightError, BadValue, UnknownName
from arcwright.scene.scene import Scene
from arcwright.scripting import begin
from arcwright.server import messages as m
from arcwright.tools.catalogue import TOOLS, tool
from arcwright.tools.options import Options, described, option, options_from
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.old_options import RENAMED
from arcwright.tools.replay.replay import replay
from arcwright.tools.spacetime.stiffness import smoothness_weight
from local_clients import LocalClient, worker_with

EACH_TOOL = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
EACH_OPTION = pytest.mark.parametrize(
    ("tool", "known"),
    [(tool, known) for tool in TOOLS for known in described(tool.Options)],
    ids=lambda each: each.name,
)


@dataclass(frozen=True)
class Sample(Options):
    count: int = option(1, "Count", low=0, high=8)
    size: float = option(0.5, "Size", low=0.0)
    height: float | None = option(None, "Height", unit="m")
    on: bool = option(True, "On")
    kind: str = option("a", "Kind", choices=("a", "b"))


def bad_values(known):
    yield {"bool": 1, "int": 0.5, "float": "x", "choice": "nonsense", "take": 1, "text": 1}[
        known.kind
    ]
    yield [1]
    if known.kind in ("int", "float"):
        yield float("nan")
        yield True
    if not known.optional:
        yield None
    if known.high is not None:
        yield known.high + 1
    if known.low is not None:
        yield known.low - 1


@EACH_TOOL
def test_every_option_has_a_label_and_a_help(tool):
    for each in described(tool.Options):
        assert each.label, each.name
        assert each.help, each.name
    assert replace(tool.Options()) == tool.Options()


@EACH_OPTION
def test_the_name_of_an_option_is_its_label(tool, known):
    """Words of the label may be left out of the name, none added."""
    label = iter(re.findall(r"[a-z]+", known.label.lower()))
    assert all(word in label for word in known.name.split("_"))


@EACH_OPTION
def test_bad_values_are_refused_by_the_constructor(tool, known):
    for bad in bad_values(known):
        with pytest.raises(BadValue, match=rf"^{known.name}: expected "):
            tool.Options(**{known.name: bad})


def refused(tool, name, value, capsys):
    """What Python, a gesture file, a message and the command line say of a bad option."""
    with pytest.raises(ArcwrightError) as python:
        begin(tool.name, read_lamp(), **{name: value})
    case = {"scene": "lamp:hop", "tool": tool.name, "options": {name: value}}
    case["drags"] = [{"point": {"joint": "Base"}, "frame": 0, "by": [0, 0.1, 0]}]
    with pytest.raises(ArcwrightError) as gesture_file:
        replay(parse_gesture_file(json.loads(json.dumps(case))), read_lamp())
    with worker_with("lamp:hop") as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, tool.name, "lamp", "hop", {name: value}))
        failure = client.wait(m.Failure)[-1][0]
    flag = "--" + name.replace("_", "-")
    assert main([tool.name, "lamp:hop", flag, str(value)]) == 2
    line = capsys.readouterr().err.removeprefix("arcwright: ").strip()
    return {str(python.value), str(gesture_file.value), failure.text, line}


def read_lamp() -> Scene:
    from arcwright import read

    return read("lamp:hop")


@EACH_TOOL
def test_every_face_refuses_a_bad_value_in_the_same_words(tool, capsys):
    for known in described(tool.Options):
        if known.high is not None:
            assert len(refused(tool, known.name, int(known.high) + 1, capsys)) == 1
        if known.choices:
            assert len(refused(tool, known.name, "nonsense", capsys)) == 1


@EACH_TOOL
def test_every_face_refuses_an_unknown_option_in_the_same_words(tool, capsys):
    assert len(refused(tool, "time_reaches", 1, capsys)) == 1


@EACH_TOOL
def test_an_unknown_option_is_answered_with_similar_ones(tool):
    name = described(tool.Options)[0].name
    with pytest.raises(UnknownName, match=f"no option named '{name}s'; there is .*{name}"):
        options_from(tool.Options, {f"{name}s": 1})


@EACH_TOOL
def test_gesture_files_with_former_names_of_options_are_read(tool):
    known = {each.name: each for each in described(tool.Options)}
    for old, new in RENAMED.get(tool.name, {}).items():
        assert old not in known
        value = 7 if old == "smooth" else known[new].default
        case = parse_gesture_file({"tool": tool.name, "options": {old: value}})
        assert options_from(tool.Options, case.options) == tool.Options()


def test_the_former_weight_of_smoothness_becomes_its_share():
    for weight in (0, 7, 300, 10_000, 32_767):
        case = parse_gesture_file({"tool": "spacetime", "options": {"smooth": weight}})
        options = options_from(tool("spacetime").Options, case.options)
        assert smoothness_weight(options.smoothness) == pytest.approx(weight)
    assert smoothness_weight(tool("spacetime").Options().smoothness) == 7.0


def test_a_former_name_beside_the_present_one_is_refused():
    with pytest.raises(BadValue, match="time_reach once"):
        parse_gesture_file({"options": {"reach": 1, "time_reach": 2}})


def test_whole_numbers_are_read_as_the_type_of_their_option():
    found = Sample(count=3.0, size=2)
    assert (found.count, type(found.count), type(found.size)) == (3, int, float)
    assert Sample(height=None).height is None
    assert Sample(height=1).height == 1.0
    assert {each.name: each.kind for each in described(Sample)} == {
        "count": "int",
        "size": "float",
        "height": "float",
        "on": "bool",
        "kind": "choice",
    }
