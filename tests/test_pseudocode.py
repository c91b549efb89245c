"""The pseudocode is run, line by line as it is written, and must do what the trace says, at the
lines that are lit.
"""

import re
from math import inf

import pytest
from hypothesis import given

from abviz.tracing.algorithms import Event
from abviz.tracing.traces import Trace, trace
from abviz.tree.model import Node
from tests import strategies
from tests.pseudocode import FORMS, MINIMAX, Line, forms, line_at, write_down

KEPT = r"( kept within the node’s window)?"

# What each line of pseudocode means, as Python. `tell` notes that the line did something that a
# trace has an event for.
MEANINGS = (
    (r"function ALPHA-BETA-SEARCH\(root\) returns an action", "def ALPHA_BETA_SEARCH(root):"),
    (r"v ← ((?:MAX-|MIN-|)VALUE)\(root, (.+), (.+)\)", "v = {0}(root, {1}, {2})"),
    (r"return the action with value v", "return v"),
    (r"(?:function )?([\w-]+)\(node, α, β\)(?:| \{|:)", "def {0}(node, α, β):\n    window = α, β"),
    (r"minimax\(node\)", "def minimax(node, α=None, β=None):"),
    (
        r"if \(?node is a leaf(?:, or at the depth limit)?(?:: | then |\) )return its value",
        "if ends(node):\n    return tell('leaf', node.value)",
    ),
    (r"if (?:MAX is to move|player is MAX:|\(MAX moves\) \{)", "if node.is_max:"),
    (r"(?:else:?|\} else \{)", "else:"),
    (r"\}", ""),
    (r"(bv|v|best) [←=] (−?∞)", "{0} = {1}\ntell('enter')"),
    (
        r"for each child, (left to right|right to left)(?:| \{|:)",
        "tell('enter')\nfor left, child in order('{0}'):",
    ),
    (r"v ← search\(child, α, β\)", "v = search(child, α, β)"),
    (r"if v ([<>]) bv: bv ← v", "if v {0} bv:\n    bv = v\ntell('bv')"),
    (
        r"(bv|v|best) [←=] (max|min)\(\1, ([\w-]+)\(child(, α, β)?\)\)",
        "{0} = {1}({0}, {2}(child{3}))\ntell('bv')",
    ),
    (
        r"([αβ]) = (max|min)\(\1, ab\(child, α, β\)\)",
        "before = {0}\n{0} = {1}({0}, ab(child, α, β))\ntell('bv')\nif {0} != before:\n    tell('{0}')",
    ),
    (r"if bv ([<>]) ([αβ]): \2 ← bv", "if bv {0} {1}:\n    {1} = bv\n    tell('{1}')"),
    (r"if best ([<>]) ([αβ]):", "if best {0} {1}:"),
    (r"([αβ]) = best", "{0} = best\ntell('{0}')"),
    (r"([αβ]) ← (max|min)\(\1, v\)", "if {0} != {1}({0}, v):\n    {0} = v\n    tell('{0}')"),
    (
        r"if (bv|α|β) ([<>≤≥]) ([αβ]): (?:skip the rest|break)",
        "if {0} {1} {2}:\n    if left:\n        tell('cut')\n    break",
    ),
    (
        r"if \(?(v|α|β) ([<>≤≥]) ([αβ])(?:\)| then) return (v|α|β)" + KEPT,
        "if {0} {1} {2}:\n    if left:\n        tell('cut')\n    return tell('exit', within(window, {3}, '{4}'))",
    ),
    (
        r"if bv = (−?∞): nothing is better, stop",
        "if bv == {0}:\n    if left:\n        tell('cut')\n    break",
    ),
    (
        r"return (bv|v|best|α|β)" + KEPT,
        "return tell('exit', within(locals().get('window'), {0}, '{1}'))",
    ),
)


def python(line: Line, index: int) -> list[str]:
    """One line of pseudocode as lines of Python."""
    text = re.sub(r"\b(MAX|MIN)\(", lambda m: m[0].lower(), line.text)
    for pattern, meaning in MEANINGS:
        m = re.fullmatch(pattern, text)
        if m:
            means = meaning
            for number, part in enumerate(m.groups(default="")):
                means = means.replace("{" + str(number) + "}", part)
            for sign, plain in (
                ("≥", ">="),
                ("≤", "<="),
                ("−", "-"),
                ("∞", "inf"),
                ("-VALUE", "_VALUE"),
            ):
                means = means.replace(sign, plain)
            means = means.replace("tell(", f"tell({index}, node, α, β, ").replace(
                "order(", "order(node, "
            )
            return ["    " * line.indent + row for row in means.split("\n") if row]
    raise AssertionError(f"no meaning for {line.text!r}")


def run(searched: Trace, lines: list[Line]) -> tuple[list[tuple], float]:
    """Do what the lines say; what happened as (line, node, kind, α, β, value), and the result."""
    notes: list[tuple] = []
    level = {searched.tree.root: 0}
    kinds = {"α": "alpha", "β": "beta"}

    def tell(index: int, node: Node, alpha, beta, kind: str, value=None):
        if kind != "enter" or not any(note[1:3] == (node, "enter") for note in notes):
            notes.append((index, node, kinds.get(kind, kind), alpha, beta, value))
        return value

    def order(node: Node, direction: str):
        children = node.children[::-1] if direction == "right to left" else node.children
        for left, child in zip(range(len(children) - 1, -1, -1), children, strict=True):
            level[child] = level[node] + 1
            yield left, child

    def within(window, value, kept: str):
        return min(max(value, window[0]), window[1]) if kept else value

    def ends(node: Node) -> bool:
        return node.is_leaf or level[node] == searched.depth

    names = {"tell": tell, "order": order, "within": within, "ends": ends, "inf": inf}
    exec("\n".join(row for index, line in enumerate(lines) for row in python(line, index)), names)
    if "MAX_VALUE" in names:
        names["VALUE"] = lambda node, *window: names["MAX_VALUE" if node.is_max else "MIN_VALUE"](
            node, *window
        )
    if "ALPHA_BETA_SEARCH" in names:
        return notes, names["ALPHA_BETA_SEARCH"](searched.tree.root)
    start = next(
        names[name] for name in ("search", "VALUE", "AlphaBeta", "ab", "minimax") if name in names
    )
    window = (searched.options.get("alpha", -inf), searched.options.get("beta", inf))
    return notes, start(searched.tree.root, *(window if searched.search == "alphabeta" else ()))


def lit(searched: Trace, lines: list[Line]) -> list[tuple]:
    """The trace's own steps in the same shape."""

    def note(step: int, event: Event) -> tuple:
        value = event.value if event.kind in ("leaf", "exit") else None
        return (
            line_at(searched, step, lines),
            searched.where(step),
            event.kind,
            event.alpha,
            event.beta,
            value,
        )

    return [note(step, searched.events_at(step)[0]) for step in range(1, len(searched) + 1)]


def same(searched: Trace, form) -> bool:
    """Does the form, run as it is written, do what the search did, at the lines that are lit?"""
    lines = write_down(searched, form)
    notes, value = run(searched, lines)
    expected = lit(searched, lines)
    # Its α and β take in what came back at once, where the search first has bv
    if form.name == "slides":
        notes, expected = (
            [row[:3] if row[2] == "bv" else row for row in rows] for rows in (notes, expected)
        )
    return notes == expected and value == searched.value


@given(strategies.traces(narrow=True, plain=True))
def test_the_lines_do_what_the_search_did_and_the_lit_line_is_the_one_at_work(searched):
    assert forms(searched) == (MINIMAX,) or searched.search == "alphabeta"
    for form in forms(searched):
        lines = write_down(searched, form)
        assert same(searched, form), (
            form.name,
            *run(searched, lines)[0],
            "lit",
            *lit(searched, lines),
        )
        assert line_at(searched, 0, lines) is None


@pytest.mark.parametrize("rules", strategies.ALL_RULES, ids=str)
def test_the_forms_offered_are_exactly_those_that_are_true_of_all_searches(rules):
    searches = [trace(strategies.random_tree(seed, depth=4), rules=rules) for seed in range(30)]
    true = {form.name for form in FORMS if all(same(searched, form) for searched in searches)}
    assert {form.name for form in forms(searches[0])} == true
