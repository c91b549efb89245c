"""Known mistakes as students write them: each program has the name of its mistake, and no other;
right programs have none. The tree that is shown is one that people draw, and what is said of it is
short.
"""

import textwrap
from math import inf

import pytest

from abviz import Tree, check
from abviz.exercises import EXERCISES, searches
from abviz.exercises.exercise import texts
from abviz.exercises.judgement import PATIENCE, Judgement, UnmatchedEdit, run_edited
from abviz.exercises.observation import observe
from abviz.exercises.positions import GAME
from abviz.exercises.trial_trees import is_plain
from abviz.exercises.verdict import for_message, written

LINES, COLUMNS = 24, 100

# The exercises whose mistakes are edits of a reference
EDITED = {
    "search",
    "order",
    "aspiration",
    "deepening",
    "cells",
    "pieces",
    "children",
    "end",
    "game",
}


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 400)
    monkeypatch.setattr(searches, "RANDOM_TREES", 80)
    monkeypatch.setattr(searches, "SAMPLE", 80)


def program(text):
    """Return the last function of a program."""
    names = {"inf": inf}
    exec(text, names)
    return list(names.values())[-1]


# (exercise, name of the mistake, program)
PROGRAMS = [
    *(
        (
            exercise,
            "no return",
            f"""
def search({parameters}):
    if node.is_leaf:
        {leaf}
    best = -inf if node.is_max else inf
    for child in node.children:
        value = search({parameters.replace("node", "child")})
        best = max(best, value) if node.is_max else min(best, value)
        {after}
    return best
""",
        )
        for leaf in ("node.value", "print(node.value)", "value = node.value")
        for exercise, parameters, after in (
            ("minimax", "node", "pass"),
            (
                "alphabeta",
                "node, alpha, beta",
                "alpha, beta = (max(alpha, best), beta) if node.is_max "
                "else (alpha, min(beta, best))\n        if alpha >= beta: break",
            ),
        )
    ),
    *(
        (
            "alphabeta",
            "one test for both players",
            f"""
def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if {test}:
            break
    return best
""",
        )
        for test in ("best > beta", "best >= beta", "best <= alpha", "best < alpha")
    ),
    (
        "alphabeta",
        "one window for the whole search",
        """
def alphabeta(root, alpha, beta):
    window = [alpha, beta]
    def go(n):
        if n.is_leaf:
            return n.value
        best = -inf if n.is_max else inf
        for c in n.children:
            v = go(c)
            if n.is_max:
                best = max(best, v)
                window[0] = max(window[0], best)
            else:
                best = min(best, v)
                window[1] = min(window[1], best)
            if window[1] <= window[0]: break
        return best
    return go(root)
""",
    ),
    (
        "alphabeta",
        "one window for the whole search",
        """
def alphabeta(root, a, b):
    def go(n, a, b):
        if n.is_leaf:
            return n.value, a, b
        best = -inf if n.is_max else inf
        for c in n.children:
            v, a, b = go(c, a, b)
            if n.is_max:
                if v > best:
                    best = v
                if best >= b:
                    return best, a, b
                if best > a:
                    a = best
            else:
                if v < best:
                    best = v
                if best <= a:
                    return best, a, b
                if best < b:
                    b = best
        return best, a, b
    return go(root, a, b)[0]
""",
    ),
    (
        "alphabeta",
        "one window for the whole search",
        """
A = B = 0
def rec(n):
    global A, B
    if n.is_leaf:
        return n.value
    if n.is_max:
        best = -inf
        for c in n.children:
            best = max(best, rec(c))
            A = max(A, best)
            if A >= B:
                return best
        return best
    best = inf
    for c in n.children:
        best = min(best, rec(c))
        B = min(B, best)
        if A >= B:
            return best
    return best
def alphabeta(n, alpha, beta):
    global A, B
    A, B = alpha, beta
    return rec(n)
""",
    ),
    (
        "alphabeta",
        "one window for the whole search",
        """
def alphabeta(root, alpha, beta):
    def go(n):
        nonlocal alpha, beta
        if n.is_leaf:
            return n.value
        for c in n.children:
            v = go(c)
            if n.is_max:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if alpha >= beta:
                break
        return alpha if n.is_max else beta
    return go(root)
""",
    ),
    (
        "alphabeta",
        "only values inside the window kept",
        """
def alphabeta(n, a, b):
    if n.is_leaf:
        return n.value
    best = -1
    for c in n.children:
        v = alphabeta(c, a, b)
        if n.is_max:
            if v >= b:
                return v
            elif v > a:
                a = best = v
        else:
            if v <= a:
                return v
            elif v < b:
                b = best = v
    return best
""",
    ),
    (
        "alphabeta",
        "only values inside the window kept",
        """
def alphabeta(n, a, b):
    if n.is_leaf:
        return n.value
    if n.is_max:
        best = -inf
        for c in n.children:
            v = alphabeta(c, a, b)
            if v > a:
                best = v
                a = v
            if a >= b:
                break
        return best
    best = inf
    for c in n.children:
        v = alphabeta(c, a, b)
        if v < b:
            best = v
            b = v
        if a >= b:
            break
    return best
""",
    ),
    (
        "best-move",
        "a number for ∞",
        """
def ab(n, a, b):
    if n.is_leaf:
        return n.value
    best = -1000 if n.is_max else 1000
    for c in n.children:
        v = ab(c, a, b)
        if n.is_max:
            best = max(best, v)
            a = max(a, best)
        else:
            best = min(best, v)
            b = min(b, best)
        if a >= b:
            break
    return best
def best_move(root):
    best, name = (-1000 if root.is_max else 1000), root.children[0].name
    a, b = -inf, inf
    for c in root.children:
        v = ab(c, a, b)
        if v > best if root.is_max else v < best:
            best, name = v, c.name
        if root.is_max:
            a = max(a, best)
        else:
            b = min(b, best)
    return best, name
""",
    ),
    (
        "minimax",
        "MIN at every node below the root",
        """
def mn(n):
    return n.value if n.is_leaf else min(map(mn, n.children))
def minimax(n):
    if n.is_leaf:
        return n.value
    if n.is_max:
        return max(mn(c) for c in n.children)
    return mn(n)
""",
    ),
    (
        "alphabeta",
        "MIN at every node below the root",
        """
def go(n, a, b):
    if n.is_leaf:
        return n.value
    best = inf
    for c in n.children:
        best = min(best, go(c, a, b))
        b = min(b, best)
        if b <= a:
            break
    return best
def alphabeta(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf
    for c in n.children:
        best = max(best, go(c, a, b))
        a = max(a, best)
        if b <= a:
            break
    return best
""",
    ),
    (
        "best-move",
        "the last of equals",
        """
def ab(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        v = ab(c, a, b)
        if n.is_max:
            best = max(best, v)
            a = max(a, best)
        else:
            best = min(best, v)
            b = min(b, best)
        if a >= b:
            break
    return best

def best_move(root):
    best, name = (-inf if root.is_max else inf), None
    a, b = -inf, inf
    for c in root.children:
        v = ab(c, a, b)
        if v >= best if root.is_max else v <= best:
            best, name = v, c.name
        if root.is_max:
            a = max(a, best)
        else:
            b = min(b, best)
    return best, name
""",
    ),
    (
        "best-move",
        "the last of equals",
        """
def ab(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        v = ab(c, a, b)
        if n.is_max:
            best = max(best, v)
            a = max(a, best)
        else:
            best = min(best, v)
            b = min(b, best)
        if a >= b:
            break
    return best

def best_move(root):
    best, name = (-inf if root.is_max else inf), None
    a, b = -inf, inf
    for c in root.children:
        v = ab(c, -inf, inf)
        if v >= best if root.is_max else v <= best:
            best, name = v, c.name
        if root.is_max:
            a = max(a, best)
        else:
            b = min(b, best)
    return best, name
""",
    ),
    (
        "best-move",
        "the last of equals",
        """
def ab(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        v = ab(c, a, b)
        if n.is_max:
            best = max(best, v)
            a = max(a, best)
        else:
            best = min(best, v)
            b = min(b, best)
        if a >= b:
            break
    return best

def best_move(root):
    best, name = (-inf if root.is_max else inf), None
    a, b = -inf, inf
    for c in root.children:
        v = ab(c, a, b)
        if v >= best if root.is_max else v <= best:
            best, name = v, c.name
        if root.is_max:
            a = max(a, best)
        else:
            b = min(b, best)
        if a >= b:
            break
    return best, name
""",
    ),
    (
        "best-move",
        "the last of equals",
        """
def ab(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        v = ab(c, a, b)
        if n.is_max:
            best = max(best, v)
            a = max(a, best)
        else:
            best = min(best, v)
            b = min(b, best)
        if a >= b:
            break
    return best

def best_move(root):
    best, name = (-inf if root.is_max else inf), None
    a, b = -inf, inf
    for c in root.children:
        v = ab(c, -inf, inf)
        if v >= best if root.is_max else v <= best:
            best, name = v, c.name
        if root.is_max:
            a = max(a, best)
        else:
            b = min(b, best)
        if a >= b:
            break
    return best, name
""",
    ),
    (
        "minimax",
        "no return",
        """
def minimax(n):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        v = minimax(c)
        best = max(best, v) if n.is_max else min(best, v)
    print(best)
""",
    ),
    (
        "minimax",
        "no return",
        """
def minimax(n):
    if n.is_leaf:
        return n.value
    if n.is_max:
        return max(map(minimax, n.children))
    else:
        min(map(minimax, n.children))
""",
    ),
    (
        "alphabeta",
        "no return",
        """
def alphabeta(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        v = alphabeta(c, a, b)
        if n.is_max:
            best = max(best, v)
            a = max(a, best)
        else:
            best = min(best, v)
            b = min(b, best)
        if a >= b:
            break
""",
    ),
    (
        "minimax",
        "the value of an inner node",
        """
def minimax(n):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        best = max(best, c.value) if n.is_max else min(best, c.value)
    return best
""",
    ),
    (
        "alphabeta",
        "the value of an inner node",
        """
def alphabeta(n, a, b):
    if n.is_leaf:
        return n.value
    best = -inf if n.is_max else inf
    for c in n.children:
        if n.is_max and c.value > best:
            best = alphabeta(c, a, b)
        elif not n.is_max and c.value < best:
            best = alphabeta(c, a, b)
    return best
""",
    ),
    (
        "minimax",
        "a value written into a node",
        """
def minimax(n):
    if n.is_leaf:
        return n.value
    n.value = -inf
    return 3
""",
    ),
    (
        "alphabeta",
        "a value written into a node",
        """
def alphabeta(n, a, b):
    if n.is_leaf:
        return n.value
    n.alpha = a
    return 3
""",
    ),
    (
        "table",
        "a bound of the table narrows the window",
        """
def table(n, alpha, beta, known = None):
    known = {} if known is None else known
    if n.is_leaf:
        return n.value
    a0, b0 = alpha, beta
    key = n.name.rstrip("'")
    if key in known:
        v, flag = known[key]
        if flag == "exact":
            return v
        if flag == "lower":
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            return v
    best = -inf if n.is_max else inf
    for c in n.children:
        v = table(c, alpha, beta, known)
        if n.is_max:
            best = max(best, v)
            alpha = max(alpha, best)
        else:
            best = min(best, v)
            beta = min(beta, best)
        if alpha >= beta:
            break
    known[key] = (best, "upper" if best <= a0 else "lower" if best >= b0 else "exact")
    return best
""",
    ),
    (
        "table",
        "a bound of the table narrows the window",
        """
def table(n, alpha, beta, known = None):
    known = {} if known is None else known
    if n.is_leaf:
        return n.value
    a0, b0 = alpha, beta
    key = n.name.rstrip("'")
    if key in known:
        v, flag = known[key]
        if flag == "exact":
            return v
        if flag == "lower":
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            return v
        a0, b0 = alpha, beta
    best = -inf if n.is_max else inf
    for c in n.children:
        v = table(c, alpha, beta, known)
        if n.is_max:
            best = max(best, v)
            alpha = max(alpha, best)
        else:
            best = min(best, v)
            beta = min(beta, best)
        if alpha >= beta:
            break
    known[key] = (best, "upper" if best <= a0 else "lower" if best >= b0 else "exact")
    return best
""",
    ),
    (
        "table",
        "at least and at most swapped",
        """
def table(n, alpha, beta, known = None):
    known = {} if known is None else known
    if n.is_leaf:
        return n.value
    a0, b0 = alpha, beta
    key = n.name.rstrip("'")
    if key in known:
        v, flag = known[key]
        if flag == "exact" or flag == "lower" and v <= alpha or flag == "upper" and v >= beta:
            return v
    best = -inf if n.is_max else inf
    for c in n.children:
        v = table(c, alpha, beta, known)
        if n.is_max:
            best = max(best, v)
            alpha = max(alpha, best)
        else:
            best = min(best, v)
            beta = min(beta, best)
        if alpha >= beta:
            break
    known[key] = (best, "upper" if best <= a0 else "lower" if best >= b0 else "exact")
    return best
""",
    ),
    (
        "table",
        "at least and at most swapped",
        """
def table(n, alpha, beta, known = None):
    known = {} if known is None else known
    if n.is_leaf:
        return n.value
    a0, b0 = alpha, beta
    key = n.name.rstrip("'")
    if key in known:
        v, flag = known[key]
        if flag == "exact":
            return v
        if flag == "lower":
            beta = min(beta, v)
        else:
            alpha = max(alpha, v)
        if alpha >= beta:
            return v
    best = -inf if n.is_max else inf
    for c in n.children:
        v = table(c, alpha, beta, known)
        if n.is_max:
            best = max(best, v)
            alpha = max(alpha, best)
        else:
            best = min(best, v)
            beta = min(beta, best)
        if alpha >= beta:
            break
    known[key] = (best, "upper" if best <= a0 else "lower" if best >= b0 else "exact")
    return best
""",
    ),
]

OF_A_NUMBER = "a number for ∞"
STARTS = [
    (-1000, 1000),
    (-1, -1),
    (-100, 100),
    (-(10**6), 10**6),
    (-99, "inf"),
    ("-inf", 10**11),
    (-5, 5),
]
START = """
def search(node{bounds}):
    if node.is_leaf:
        return node.value
    best = {at_max} if node.is_max else {at_min}
    for child in node.children:
        value = search(child{bounds})
        best = max(best, value) if node.is_max else min(best, value){cut}
    return best
"""
CUT = """
        if node.is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break"""
for at_max, at_min in STARTS:
    starts = {"at_max": at_max, "at_min": at_min}
    PROGRAMS.append(("minimax", OF_A_NUMBER, START.format(bounds="", cut="", **starts)))
    PROGRAMS.append(
        ("alphabeta", OF_A_NUMBER, START.format(bounds=", alpha, beta", cut=CUT, **starts))
    )

# The bounds are finite, and the best value is not
for number in (1000, 10**6, 10**11):
    bounded = START.format(bounds=", alpha, beta", cut=CUT, at_max="-inf", at_min="inf")
    bounded += "\ndef outer(node, alpha, beta):\n"
    bounded += f"    return search(node, max(alpha, -{number}), min(beta, {number}))\n"
    PROGRAMS.append(("alphabeta", OF_A_NUMBER, bounded))

CORRECT = START.format(bounds=", alpha, beta", cut=CUT, at_max="-inf", at_min="inf")
# A pair of functions has names of its own for one test that both have.
SHARED = {row.name for row in EXERCISES["alphabeta"].mistakes} - {"one test for both players"}


def with_two_functions(text):
    """Return the search as a pair, as two-functions asks for it."""
    search = program(text)
    return search, search


@pytest.mark.parametrize(("exercise", "name", "text"), PROGRAMS)
def test_a_program_has_the_name_of_its_mistake(exercise, name, text):
    verdict = check(exercise, program(text))
    assert (verdict.status, verdict.mistake) == ("wrong", name), verdict
    assert len(textwrap.wrap(str(verdict), COLUMNS)) <= LINES
    assert is_plain(verdict.tree.root)
    if verdict.points:
        assert "All values are right, for half of the points." in verdict.message
    if exercise == "alphabeta" and name in SHARED:
        assert check("two-functions", with_two_functions(text)).mistake == name


BESIDE = {  # a mistake that nobody knows, in place of a line
    "return node.value": "return node.value if node.value != 2 else 0",
    "for child in node.children:": "for child in node.children[:3]:",
    "    return best": "    return 0 if best == 1 else best",
}


@pytest.mark.parametrize("unknown", BESIDE)
def test_a_known_mistake_beside_an_unknown_one_is_named_as_at_least(unknown):
    names = []
    for name, change in {
        "strict": ("alpha >= beta", "alpha > beta"),
        "MAX at every node": ("node.is_max", "True"),
        "the last child's value": (
            "best = max(best, value) if node.is_max else min(best, value)",
            "best = value",
        ),
    }.items():
        text = CORRECT.replace(*change).replace(unknown, BESIDE[unknown])
        verdict = check("alphabeta", program(text))
        assert verdict.mistake in (None, f"at least {name}"), verdict
        names.append(verdict.mistake)
        if verdict.mistake:
            assert "at least this is so: " in verdict.message
    assert any(names)
    assert check("alphabeta", program(CORRECT.replace(unknown, BESIDE[unknown]))).mistake is None


RIGHT = [
    CORRECT,
    CORRECT.replace("alpha >= beta", "best >= beta if node.is_max else best <= alpha"),
    CORRECT.replace("        if alpha >= beta:\n            break", "").replace(
        "        value = search",
        "        if alpha >= beta:\n            break\n        value = search",
    ),
    CORRECT.replace(
        "best = -inf if node.is_max else inf",
        "best = float('-inf') if node.is_max else float('inf')",
    ),
    """
def search(root, alpha, beta):
    window = [alpha, beta]

    def go(node):
        if node.is_leaf:
            return node.value
        before = list(window)
        best = -inf if node.is_max else inf
        for child in node.children:
            value = go(child)
            if node.is_max:
                best = max(best, value)
                window[0] = max(window[0], best)
            else:
                best = min(best, value)
                window[1] = min(window[1], best)
            if window[0] >= window[1]:
                break
        window[:] = before
        return best

    return go(root)
""",
    """
def search(node, a, b):
    if node.is_leaf:
        return node.value
    value = node.value  # None, and not used
    best = None
    for child in node.children:
        value = search(child, a, b)
        if best is None or (value > best if node.is_max else value < best):
            best = value
        if node.is_max and best >= b or not node.is_max and best <= a:
            return best
        a, b = (max(a, best), b) if node.is_max else (a, min(b, best))
    return best
""",
]


@pytest.mark.parametrize("text", RIGHT)
def test_right_programs_in_many_styles_are_right(text):
    assert check("alphabeta", program(text))
    assert check("two-functions", with_two_functions(text))


def test_where_a_player_moves_twice_is_shown_only_if_nothing_else_fails():
    """An answer that never asks a node whose move it is fails with MIN to move at the root, too."""
    in_turn = CORRECT.replace("node.is_max", "is_max")
    at_root = in_turn.replace("alpha, beta):", "alpha, beta, is_max=True):").replace(
        "alpha, beta)", "alpha, beta, not is_max)"
    )
    verdict = check(
        "alphabeta", program(at_root.replace("beta, not is_max, is_max", "beta, is_max"))
    )
    assert verdict.mistake == "players in turn" and is_plain(verdict.tree.root)

    asked_above = in_turn.replace("alpha, beta):", "alpha, beta, above=None):", 1).replace(
        "    best = ", "    is_max = node.is_max if above is None else not above\n    best = ", 1
    )
    asked_above = asked_above.replace(
        "search(child, alpha, beta)", "search(child, alpha, beta, is_max)"
    )
    verdict = check("alphabeta", program(asked_above))
    assert verdict.mistake == "players in turn" and not is_plain(verdict.tree.root)
    assert "the same player moves again at " in verdict.message


def only_on_large_trees(node, alpha, beta):
    """Skip the last child where the whole tree has many leaves."""
    leaves = [node]
    while any(not each.is_leaf for each in leaves):
        leaves = [below for each in leaves for below in (each.children or [each])]
    right = program(CORRECT)
    return (
        right(node, alpha, beta) if len(leaves) < 20 else sum(right(leaf, 0, 0) for leaf in leaves)
    )


def test_a_tree_too_large_for_a_message_is_summed_up_and_drawn():
    verdict = check("alphabeta", only_on_large_trees)
    assert verdict.status == "wrong" and is_plain(verdict.tree.root)
    assert sum(1 for _ in verdict.tree.leaves()) == 20, "the smallest"
    assert len(textwrap.wrap(str(verdict), COLUMNS)) <= LINES

    named = Tree(
        {name: [{f"{name} {place}": place for place in range(30)}] for name in "BCDEFGHIJK"},
        root="start",
    )
    text = for_message(named)
    assert text.startswith(
        "a tree of 321 nodes and 300 leaves, with MAX to move at start and the children B, C, D,"
    )
    assert text.endswith("…") and len(written(named)) > 2_000 and len(text) < 200
    assert for_message(Tree([3, [4, 5]])) == "[3, [4, 5]]"


def test_a_verdict_that_time_cut_short_says_so(monkeypatch):
    exercise = EXERCISES["alphabeta"]
    answer = program(CORRECT.replace("node.children", "node.children[:2]"))
    whole = Judgement(exercise, lambda jobs: [observe(answer, job) for job in jobs]).verdict()
    assert PATIENCE > 0 and "Stopped" not in whole.message

    monkeypatch.setattr("abviz.exercises.judgement.PATIENCE", -1)
    cut = Judgement(exercise, lambda jobs: [observe(answer, job) for job in jobs]).verdict()
    assert "(Stopped while looking for a smaller tree; there may be one.)" in cut.message
    assert (cut.status, cut.mistake) == (whole.status, whole.mistake)
    assert len(cut.tree) >= len(whole.tree)


def makes(exercise, form):
    """Return whether every edit of the mistake matches, in each way to write the reference."""
    return all(exercise.can_make(base | form) for base in exercise.bases)


@pytest.mark.parametrize(
    "exercise",
    [each for each in EXERCISES.values() if getattr(each, "how", "") in EDITED],
    ids=lambda exercise: exercise.name,
)
def test_every_edit_of_a_known_mistake_matches_the_reference(exercise):
    exercise.build()
    for each in exercise.mistakes:
        assert each.forms, each.name
        for form in each.forms:
            assert makes(exercise, form), (each.name, form)


def test_an_edit_of_a_part_that_is_not_there_is_refused():
    text = "def f(x):\n    return x + 1"
    assert run_edited(text, {"x + 1": "x + 2", "+ 2": "+ 3"})["f"](1) == 4
    with pytest.raises(UnmatchedEdit, match="'x - 1' to be edited"):
        run_edited(text, {"x + 1": "x + 2", "x - 1": "x"})


def test_two_mistakes_are_not_tried_together_where_one_removes_what_the_other_edits():
    exercise = EXERCISES["order"]
    both = {"reverse=node.is_max": "reverse=True", "child.value, reverse=node.is_max": "0"}
    assert exercise.can_make(dict(list(both.items())[:1]))
    assert not exercise.can_make(both)


def test_the_reference_is_made_to_search_positions_by_every_one_of_its_edits():
    run_edited(texts()["alphabeta"]["reference"], GAME)
