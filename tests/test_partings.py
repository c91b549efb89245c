"""The line of a student's program that does what the reference does not; and a recorded run that
another process has sent.
"""

import json
import linecache
import sys
from typing import Any

import pytest

from abviz import AbvizError, Tree, check, record
from abviz.exercises import find, searches
from abviz.exercises.observation import Node
from abviz.recording.differences import compare_with_reference, parting_of
from abviz.recording.messages import MOST_EVENTS, message_of, run_from
from tests.a_class import ALPHABETA, MINIMAX
from tests.recorded_styles import STYLES
from tests.test_recorded_styles import WRONG, arguments, some_tree

TWO = """
def max_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = float("-inf")
    for child in node.children:
        bv = max(bv, min_value(child, alpha, beta))
        alpha = max(alpha, bv)
        if alpha >= beta:
            break
    return bv

def min_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = float("inf")
    for child in node.children:
        bv = min(bv, max_value(child, alpha, beta))
        beta = min(beta, bv)
        if alpha >= beta:
            break
    return bv

two_functions = (max_value, min_value)
"""


def function_of(text: str, name: str) -> Any:
    """Return what the text defines under that name; its lines are there for a recorder."""
    file = f"<{abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    return names[name]


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)


@pytest.mark.parametrize(
    ("exercise", "text", "part", "instead", "line"),
    [
        # It goes on where ours cuts: the line that calls
        ("alphabeta", ALPHABETA, "alpha >= beta", "alpha > beta", "alphabeta(child, alpha, beta)"),
        ("alphabeta", ALPHABETA, "node.children", "node.children[1:]", "alphabeta(child, alpha"),
        # It calls with another window, perhaps from another function
        ("alphabeta", ALPHABETA, "(child, alpha, beta)", "(child, beta, alpha)", "beta, alpha)"),
        ("two-functions", TWO, "max_value(child, alpha, beta)", "max_value(child, beta, alpha)",
         "bv = min(bv, max_value(child, beta, alpha))"),
        # It returns another number, of a leaf or of an inner node
        ("alphabeta", ALPHABETA, "return node.value", "return -node.value", "return -node.value"),
        ("alphabeta", ALPHABETA, "bv = max(bv, value)", "bv = value", "return bv"),
        ("minimax", MINIMAX, "max(values)", "sum(values)", "return sum(values)"),
        # It leaves a node where ours goes on
        ("alphabeta", ALPHABETA, "alpha >= beta", "alpha + 1 >= beta", "return bv"),
        # It has ended, and so no line does anything
        ("alphabeta", ALPHABETA, "            break", "            raise ValueError", None),
    ],
)  # fmt: skip
def test_the_line_that_does_something_else(exercise, text, part, instead, line):
    answer = function_of(text.replace(part, instead), exercise.replace("-", "_"))
    verdict = check(exercise, answer)
    parting = parting_of(verdict.trace, find(exercise).rules)
    assert parting.run.options == verdict.trace.options
    assert parting.sentence in parting.run.options["remark"][1]
    if line is None:
        assert parting.line is None
    else:
        assert line in parting.run.options["source"].lines[parting.line]


def test_a_run_like_the_reference_has_no_parting():
    run = record(function_of(ALPHABETA, "alphabeta"), Tree([[3, 5], [2, 9]]))
    assert parting_of(run) is None


def callers(program: Any, style: Any, tree: Tree) -> dict[str, list[int]]:
    """Return the lines from which the program is called with a node, by the name of the node."""
    found: dict[str, list[int]] = {}

    def note(frame: Any, event: str, argument: object) -> None:
        node = frame.f_locals.get("node") if event == "call" else None
        if type(node) is Node and frame.f_code.co_name == "search":
            found.setdefault(node.name, []).append(frame.f_back.f_lineno)

    root = Node(tree.root, [])
    sys.setprofile(note)
    try:
        program(root, *arguments(style))
    finally:
        sys.setprofile(None)
    return found


# Of these programs Python itself knows who calls: each call is of the search of a node
ONE_FUNCTION = [
    style
    for style in STYLES.values()
    if style.text.count("def ") == 1
    and "def search(node" in style.text
    and "lambda" not in style.text
    and " for " not in style.text.replace("\n    for ", "")
]


@pytest.mark.parametrize("style", ONE_FUNCTION, ids=lambda style: style.name)
def test_the_line_that_calls_is_the_one_that_python_says(style):
    """Where a leaf has no call of its own, there is none."""
    file = f"<{style.name}>"
    linecache.cache[file] = len(style.text), None, style.text.splitlines(True), file
    lines = style.text.split("\n")

    shown = 0
    for seed in range(6):
        tree = some_tree(seed, style.negamax)
        run = record(style.program([]), tree)
        held = callers(style.program([]), style, tree)
        source = run.options["source"]
        for place, event in enumerate(run.events):
            calling = source.calling[place]
            if event.kind not in ("enter", "leaf") or event.node is tree.root:
                assert calling is None
            elif calling is not None:
                true = {lines[number - 1].strip() for number in held[event.node.name]}
                assert source.lines[calling].strip() in true, (event, true)
                shown += 1
            else:
                assert event.kind == "leaf" and event.node.name not in held
    assert shown or "node.is_leaf" not in style.text


def test_there_are_programs_with_one_function():
    assert len(ONE_FUNCTION) > 10


# a run that another process has sent


@pytest.mark.quick
@pytest.mark.parametrize(
    "style_and_mistake", WRONG[::5], ids=lambda each: f"{each[0].name} {each[1]}"
)
def test_a_run_is_the_same_when_it_was_sent(style_and_mistake):
    style, mistake = style_and_mistake
    tree = some_tree(3, style.negamax)
    run = record(style.program([], mistake), tree)
    sent = run_from(json.loads(json.dumps(message_of(run))), tree)

    assert sent.events == run.events
    assert str(compare_with_reference(sent)) == str(compare_with_reference(run))
    assert sent.root_window == run.root_window
    for name in ("lines", "running", "calling"):
        assert getattr(sent.options["source"], name) == getattr(run.options["source"], name)


def test_a_long_run_is_not_sent():
    tree = Tree([list(range(MOST_EVENTS))])
    assert message_of(record(function_of(MINIMAX, "minimax"), tree)) is None


SMALL = Tree([[3, 5], [2, 9]])


def message() -> Any:
    answer = function_of(ALPHABETA.replace(">=", ">"), "alphabeta")
    return json.loads(json.dumps(message_of(record(answer, SMALL))))


def edited(*path: Any, to: Any) -> Any:
    """Return the message of a run, with another value at this place."""
    made = part = message()
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = to
    return made


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "run",
        {},
        edited("events", to=[["exit", 0, None, None, None, 3]]),
        edited("events", to=[["leaf", 1, None, None, None, 3]] * (MOST_EVENTS + 1)),
        edited("events", 0, 0, to="eval"),
        edited("events", 0, 0, to=["enter"]),
        edited("events", 0, 1, to=7),
        edited("events", 0, 1, to=-1),
        edited("events", 0, 1, to=True),
        edited("events", 0, 2, to="<script>"),
        edited("events", 0, 2, to=float("nan")),
        edited("events", 0, 2, to=True),
        edited("events", 0, to=["enter", 0]),
        edited("options", "window", to=[None, 3]),
        edited("options", "window", to=[1, 2, 3]),
        edited("options", "name", to=3),
        edited("options", "problem", to=["x"]),
        edited("options", "returned", to="3"),
        edited("lines", to=["x"]),
        edited("lines", 0, to=3),
        edited("running", 0, to=10_000),
        edited("running", 0, to="0"),
        edited("calling", to=[]),
        edited("functions", to=["f"]),
    ],
)  # fmt: skip
def test_what_is_no_run_is_refused(wrong):
    with pytest.raises(AbvizError, match="expected a recorded run"):
        run_from(wrong, SMALL)


def test_texts_of_a_run_are_made_safe_and_short():
    made = edited("lines", 0, to="\u202e\x1b" + "x" * 10_000)
    made["options"]["name"] = "f\x00" * 1000
    made["options"]["nothing"] = "no such node"
    run = run_from(made, SMALL)
    line = run.options["source"].lines[0]
    assert len(line) <= 400 and "\u202e" not in line and "\x1b" not in line
    assert len(run.options["name"]) <= 100 and "\x00" not in run.options["name"]
    assert "nothing" not in run.options
