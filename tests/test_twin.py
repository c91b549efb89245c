"""The page computes what Python does, in Node: the events, every state of every step, the
cuts, and all texts, on random trees under random rules. Faults put into its modules one at a time
are all noticed.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

from abviz import TicTacToe, Tree
from abviz.errors import AbvizError
from abviz.play.explanation import explain
from abviz.tracing.algorithms import minimax
from abviz.tracing.narration import counts, narrate, sentence
from abviz.tracing.shows import SHOWS, letters_shown, shown_steps
from abviz.tracing.traces import NodeState, Trace, trace
from abviz.tree.annotations import has_folded_parts
from abviz.tree.model import Node
from abviz.views.bundle import number_to_json, search_data, tree_data
from abviz.views.drawing import node_sizes
from abviz.views.modules import join
from abviz.views.sketch import layout
from abviz.views.stepper import SPEEDS
from tests import oracle
from tests.hostile import NAMES
from tests.node import Node as JavaScript
from tests.node import running_node
from tests.pseudocode import forms, line_at, write_down
from tests.questions import questions_before
from tests.seeds import seeded
from tests.slow_search import sticks
from tests.strategies import RULES, some_rules, some_tree, some_window

TREES = 1_500  # in the slow test; each fault below shows in the first few dozen
FEW_TREES, FOR_FAULTS = 100, 60
LONG_NUMBERS = (10**15, -(10**17), 1e15, 1e16, 1.5e20, 1e-05, 2.5e-7, 0.1)

Stones = sticks(("Sticks", "Stones"), name="Stones")

TWIN = Path(__file__).parent / "page" / "twin.js"


def everything(shown: Trace) -> dict[str, Any]:
    """Return all that Python knows of the trace, in the form in which the page's twin returns it."""
    tree, steps = shown.tree, range(len(shown) + 1)

    def answer(right: Any) -> Any:
        return (
            right
            if isinstance(right, str)
            else [each.index if isinstance(each, Node) else each for each in right]
        )

    def index(name: str | None) -> int:
        return -1 if name is None else tree[name].index

    def numbers(*values: Any) -> list[Any]:
        return [number_to_json(value) for value in values]

    known: list[list[Any]] = []
    # A state stands for many steps: by its id, its place among the known ones
    places: dict[int, int] = {}

    def place(state: NodeState) -> int:
        if id(state) not in places:
            written = [state.state, *numbers(*state[1:])]
            if written not in known:
                known.append(written)
            places[id(state)] = known.index(written)
        return places[id(state)]

    asked = [questions_before(shown, step) for step in steps]
    written = [(form, write_down(shown, form)) for form in forms(shown)]
    return {
        "events": [
            [e.kind, e.node.index, *numbers(e.alpha, e.beta, e.bv, e.value)] for e in shown.events
        ],
        "states": [[place(shown.node_at(node, step)) for node in tree.nodes] for step in steps],
        "visits": [[place(shown.last_visit(node, step)) for node in tree.nodes] for step in steps],
        "known": known,
        "places": [
            [shown.where(k).index, *shown.leaves_at(k), [index(name) for name in shown.line_at(k)]]
            for k in steps
        ],
        "cuts": [
            [
                *(
                    c.step,
                    c.kind,
                    index(c.at),
                    *numbers(c.alpha, c.beta, c.bv),
                    [index(name) for name in c.skipped],
                ),
                *(index(c.witness), index(c.via), c.deep, c.saved),
            ]
            for c in shown.cuts
        ],
        "sentences": [[sentence(shown, step), counts(shown, step)] for step in steps],
        "narration": [
            [narrate(shown, step, show) for step in steps] for show in ("values", "bv", "all")
        ],
        "levels": [[show, shown_steps(shown, show), letters_shown(shown, show)] for show in SHOWS],
        "questions": [
            [
                [q.kind, q.node.index, q.text, list(q.choices), answer(q.right), list(q.reasons)]
                for q in each
            ]
            for each in asked
        ],
        "code": [
            [
                form.name,
                [[line.indent, line.text] for line in lines],
                [line_at(shown, k, lines) if k else -1 for k in steps],
            ]
            for form, lines in written
        ],
    }


def some_traces(number: int, seed: int) -> list[Trace]:
    """Return traces of random trees: uneven, with ties, wins, unknown leaves, MIN roots, double
    moves, depth limits and windows, under random rules.
    """
    choose = seeded(seed).choice
    traces: list[Trace] = []
    while len(traces) < number:
        options: dict[str, Any] = {
            "rules": some_rules(choose),
            "depth": choose([None, None, None, 1, 2, 3]),
        }
        tree = some_tree(
            choose,
            wins=True,
            unknown=choose([False, False, True]),
            static=True,
            most=choose([10, 25, 40]),
        )
        if choose(range(6)) == 1:
            tree = tree.with_value(
                choose([leaf.name for leaf in tree.leaves()]), choose(LONG_NUMBERS)
            )
        if choose(range(4)) == 1:
            options |= {"search": minimax, "early_stop": choose([False, True])}
        elif choose(range(3)) == 1:
            options["alpha"], options["beta"] = some_window(choose)
        with suppress(AbvizError):  # the search needs a value that is not known
            traces.append(trace(tree, **options))
    return traces


def sent(searched: Trace) -> dict[str, Any]:
    """Return what the page is handed, but for the layout, which takes Graphviz half the time of
    this test.
    """
    tree = tree_data(searched.tree)
    data = {"rows": tree["rows"], "search": search_data(searched)}
    return data | ({"players": tree["players"]} if "players" in tree else {})


@cache
def expected(number: int, seed: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return for each of some random traces what the page is handed, and what it is expected to
    compute.
    """
    return [(sent(each), everything(each)) for each in some_traces(number, seed)]


def differences(twin: JavaScript, number: int, seed: int) -> list[str]:
    cases = expected(number, seed)
    answers = twin.call("twin", [case for case, _ in cases])
    return [
        f"{case}: {answer[:200]}"
        for (case, result), answer in zip(cases, answers, strict=True)
        if answer[0] != "{" or json.loads(answer) != result
    ]


@pytest.fixture(scope="module", params=["native", "joined"])
def twin(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[JavaScript]:
    """Node with the page's modules: as they stand, and joined as a browser gets them."""
    path = TWIN
    if request.param == "joined":
        path = tmp_path_factory.mktemp("joined") / "twin.mjs"
        path.write_text(join(TWIN), "utf-8")
    with running_node() as node:
        node.load(path)
        yield node


@pytest.mark.parametrize(
    ("twin", "number"),
    [
        pytest.param("native", FEW_TREES, id="native-some trees"),
        pytest.param("joined", FEW_TREES, id="joined-some trees", marks=pytest.mark.quick),
        pytest.param("joined", TREES, id="joined-many trees", marks=pytest.mark.slow),
    ],
    indirect=["twin"],
)
def test_the_page_computes_what_python_does(twin: JavaScript, number: int) -> None:
    for start in range(0, number, 100):
        assert differences(twin, min(100, number - start), seed=start) == []


def traces_of_games() -> list[Trace]:
    """Return decisions and small searches of games, with wins, draws, estimates and what-ifs among
    the leaves.
    """
    stones = [(*explained(Stones(left, turn)),) for left in (1, 3, 4, 6) for turn in (0, 1)]
    noughts = [
        TicTacToe.from_cells(cells)
        for cells in ("xx.oo....", "x.. .o. ..x", "xoxxoxo..", "xxoo.x..o")
    ]
    small = [trace(position, depth=depth) for position in noughts for depth in (1, 2, 3)]
    changed = [trace(each.tree.with_value(each.leaves[0], 999_998)) for each in small]
    named = [
        trace(position.to_tree(3, players=players))
        for position in noughts
        for players in (("you", "o"), ("o", "you"))
    ]
    return [*(each for group in stones for each in group), *small, *changed, *named]


def explained(position: Any) -> Iterator[Trace]:
    for depth in (1, 2, 5):
        yield trace(explain(position, depth=depth))


def test_the_page_says_of_games_what_python_says(twin: JavaScript) -> None:
    shown = traces_of_games()
    answers = twin.call("twin", [sent(each) for each in shown])
    for each, answer in zip(shown, answers, strict=True):
        result = everything(each)
        for texts in ("sentences", "narration"):
            assert json.loads(answer)[texts] == result[texts]
        # The page lays a folded part out anew
        if not has_folded_parts(each.tree):
            expected = node_sizes(each.tree, each.tree.nodes, 3)
            assert [tuple(size) for size in twin.call("sizes", sent(each))] == expected
    said = " ".join(sentence(each, step) for each in shown for step in range(len(each) + 1))
    assert (
        "a win for MIN in 1" in said and "a win for MAX in 3" in said and "is an estimate" in said
    )
    assert "99" not in said and "1000000" not in said, "no win is said as a number"


def test_a_tree_is_laid_out_as_python_does_without_graphviz(twin: JavaScript) -> None:
    for searched in some_traces(FEW_TREES, seed=13):
        tree = searched.tree
        below = [[child.index for child in node.children] for node in tree.nodes]
        size, centers = layout(below, node_sizes(tree, tree.nodes, 3))
        page = twin.call("places", sent(searched))
        assert page["size"] == pytest.approx(size), tree
        for at, center in zip(page["places"], centers, strict=True):
            assert at == pytest.approx(center), tree


def test_nodes_are_as_large_as_python_lays_them_out(twin: JavaScript) -> None:
    named = [
        trace(Tree({name: {f"{name} below": 10.25}}))
        for name in [*NAMES, "Thời tiết ở đây", "∞ −∞"]
    ]
    for searched in [*some_traces(FEW_TREES, seed=12), *named]:
        expected = node_sizes(searched.tree, searched.tree.nodes, 3)
        sizes = twin.call("sizes", sent(searched))
        assert [tuple(size) for size in sizes] == expected, searched.tree


def number_line(twin: JavaScript, searched: Trace) -> list[Any]:
    """Return what came up at each step, the ends of the line, and the rules in one line."""
    line: list[Any] = twin.call("numberLine", sent(searched))
    return line


def test_what_came_up_falls_where_the_rules_say(twin: JavaScript) -> None:
    for searched in some_traces(FEW_TREES, seed=11):
        drops, _, rules = number_line(twin, searched)
        depth = "" if searched.depth is None else f"; depth {searched.depth}"
        assert searched.search == "minimax" or rules == f"Rules: {searched.rules}{depth}"
        steps = oracle.groups(searched.events)
        for k, (event, *_) in enumerate(steps, 1):
            if event.kind != "bv" or searched.search == "minimax":
                stands = event.kind in ("alpha", "beta", "cut")
                assert drops[k] == (drops[k - 1] if stands else None)
                continue
            value, bv, zone, alpha, beta = drops[k]
            numbers = [event.value, event.bv, event.alpha, event.beta]
            assert [value, bv, alpha, beta] == [number_to_json(number) for number in numbers]
            # What the node does next: up to the next child's, or to its own end
            node, own = event.node, []
            for later in (each for events in steps[k:] for each in events):
                if later.node is not node and not (
                    later.kind == "cut" and later.node in node.children
                ):
                    break
                own.append(later)
            kinds = {later.kind for later in own}
            bound = event.beta if node.is_max else event.alpha
            beyond = event.bv > bound if node.is_max else event.bv < bound
            assert (zone == "cut") == (beyond or (event.bv == bound and not searched.rules.strict))
            if "exit" not in kinds or "cut" in kinds:
                assert ("cut" in kinds) == (zone == "cut")
            if zone == "update":
                assert own[0].kind == ("alpha" if node.is_max else "beta")
            if zone == "ignore":
                assert not kinds & {"alpha", "beta", "cut"}


@pytest.mark.parametrize(
    ("searched", "expected"),
    [
        (trace(Tree([[inf, -2], [-inf, 9.5]])), [-2, 9.5]),
        (trace(Tree([[inf], [-inf]])), [0, 0]),
        (trace(Tree([[1, 2], [0, None]])), [0, 2]),
        (trace(Tree([[3, 9], [0, 2]]), alpha=-1000, beta=1000), [-1000, 1000]),
    ],
)
def test_the_number_line_is_finite_and_holds_the_window(
    twin: JavaScript, searched: Trace, expected: list[float]
) -> None:
    assert number_line(twin, searched)[1] == expected


def test_the_page_offers_the_rules_and_speeds_of_python(twin: JavaScript) -> None:
    assert twin.call("lists") == {
        "rules": list(RULES),
        "speeds": list(SPEEDS),
    }


FAULTS = (
    ("return isMax ? bv >= bound : bv <= bound;", "return isMax ? bv > bound : bv < bound;"),
    ("if (rules.strict) return", "if (!rules.strict) return"),
    ("!(cut && rules.test_first)", "!(cut && !rules.test_first)"),
    ("if (isMax && bv > alpha)", "if (isMax && bv >= alpha)"),
    ("rules.fail_hard && hasBounds ? smaller(larger(bv, low), high) : bv", "bv"),
    ("rules.right_to_left ? children.toReversed() : children", "children"),
    (
        "const value = visit(child, alpha, beta, depth - 1)",
        "const value = visit(child, -Infinity, beta, depth - 1)",
    ),
    ("earlyStop && bv ===", "bv ==="),
    (
        "const larger = (one, other) => (other > one ? other : one)",
        "const larger = (one, other) => (other > one ? one : other)",
    ),
    ('state: last === this.returned?.index ? "done" : "open"', 'state: "open"'),
    ("const isChosen = !this.bestOf(index) ||", "const isChosen ="),
    ("step === 0 || step === last ||", "step === last ||"),
    ("low == high && low == value ? trace", "low != high ? trace"),
    ("changedBy[kind] =", "changedBy[kind] ??="),
    ("of this.calls.toReversed()", "of this.calls"),
    ("deep: !!witness && witness !== nearest", "deep: !!witness"),
    ("(value !== null && value > alpha)", "(value !== null && value >= alpha)"),
    ("const isBelow = beta === Infinity || ", "const isBelow = "),
    ('? { kind: "at most", value: high', '? { kind: "at most", value: this.value'),
    (
        "if (node.value !== null) this.set(index, { low",
        "if (value !== null && !node.children.length) this.set(index, { low",
    ),
    ("const choose = isMax ? larger : smaller;", "const choose = larger;"),
    ("else if (!children.length || level === depth)", "else if (!children.length)"),
    ("return low % 2 ? low + 1 : low", "return low + 1"),
    ('bv == earlier ? "bv same" : "bv better"', 'bv == value ? "bv better" : "bv same"'),
    ('cut.deep ? "cut deep" : "cut"', '"cut"'),
    ('(kind === "alpha") !== rules.name_by_node', 'kind === "alpha"'),
    ('asked([neither, own], "bound same"', 'asked([neither], "bound same"'),
    ("marks.unshift(`${side} stop`)", "marks.push(`${side} stop`)"),
    ('toExponential().replace(/e([+-])(\\d)$/, "e$10$2")', "toExponential()"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong"), FAULTS, ids=[wrong[:40] for _, wrong in FAULTS])
def test_a_fault_in_the_page_is_noticed(tmp_path: Path, right: str, wrong: str) -> None:
    text = join(TWIN)
    assert text.count(right) == 1, "the fault has no place of its own"
    path = tmp_path / "twin.mjs"
    path.write_text(text.replace(right, wrong), "utf-8")
    with running_node() as twin:
        twin.load(path)
        assert differences(twin, FOR_FAULTS, seed=7) or differences(twin, FOR_FAULTS, seed=8)
