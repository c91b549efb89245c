"""Many ways to write a search of a game tree, as programs of students are written, and the mistakes
that they make.

Each program defines `search`, which is called as search(root) or search(root, alpha, beta). It
notes for itself what its variables hold, by `log((node.name, alpha, beta, best))`: log is the
append of a list, so that no Python function runs. None stands for a variable that it does not have.
All search from left to right, cut on equality, and are fail-soft.
"""

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from textwrap import dedent, indent
from types import CodeType
from typing import Any

import numpy

INIT = "best = -inf if node.is_max else inf"
TAKE = "best = max(best, value) if node.is_max else min(best, value)"
NARROW = "alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))"
CUT = "if alpha >= beta:"
LOG = "log((node.name, alpha, beta, best))"
TURNED = "log((node.name, alpha, beta, best) if node.is_max else (node.name, -beta, -alpha, -best))"
LEAF = "if node.is_leaf:\n    return node.value"

# The parts of a program, and what stands in their place where it has a mistake.
MISTAKES = {
    "starts at 0": {INIT: "best = 0"},
    "keeps the last": {TAKE: "best = value"},
    "the largest everywhere": {TAKE: "best = max(best, value)"},
    "MAX and MIN swapped": {TAKE: "best = min(best, value) if node.is_max else max(best, value)"},
    "cuts at once": {CUT: "if True:"},
    "never cuts": {CUT: "if False:"},
    "the window is kept": {NARROW: "pass"},
    "a bound assigned": {NARROW: "alpha, beta = (best, beta) if node.is_max else (alpha, best)"},
}


@functools.cache
def compiled(text: str, name: str) -> CodeType:
    return compile(text, name, "exec")


@dataclass(frozen=True)
class Style:
    """One way to write a search."""

    name: str
    text: str
    negamax: bool = False  # it needs players who take turns
    window: bool = True  # it takes α and β
    hides: tuple[str, ...] = field(default=())  # the variables that have another name: "bv"

    def program(self, log: list[Any], mistake: str = "") -> Callable[..., Any]:
        text = self.text
        for part, other in MISTAKES.get(mistake, {}).items():
            text = text.replace(part, other)
        names: dict[str, Any] = {"log": log.append, "inf": inf, "np": numpy, "functools": functools}
        names |= {"itertools": itertools, "dataclass": dataclass, "print": lambda *_, **__: None}
        exec(compiled(text, f"<{self.name}>"), names)
        return names["search"]  # type: ignore[no-any-return]

    def mistakes(self) -> list[str]:
        return [
            name for name, edits in MISTAKES.items() if all(part in self.text for part in edits)
        ]


STYLES: dict[str, Style] = {}


def style(name: str, text: str, renamed: dict[str, str] | None = None, **options: Any) -> None:
    """Add a style. In its text INIT, TAKE and so on stand alone in their line."""
    parts = {
        "INIT": INIT,
        "TAKE": TAKE,
        "NARROW": NARROW,
        "CUT": CUT,
        "LOG": LOG,
        "LEAF": LEAF,
        "TURNED": TURNED,
    }
    lines = []
    for line in dedent(text).strip().split("\n"):
        word = line.strip()
        space = line[: len(line) - len(line.lstrip())]
        lines.append(indent(parts[word], space) if word in parts else line)
    assert name not in STYLES
    text = "\n".join(lines)
    for old, new in (renamed or {}).items():
        text = text.replace(old, new)
    STYLES[name] = Style(name, text, **options)


def looped(
    call: str, before: str = "", signature: str = "search(node, alpha, beta)", after: str = ""
) -> str:
    """Return the usual loop with that call in it."""
    body = f"""
def {signature}:
    LEAF
    INIT
    LOG
    for child in node.children:
        value = {call}
        TAKE
        NARROW
        LOG
        CUT
            break
    LOG
    return best
"""
    return f"{dedent(before)}\n{body}\n{dedent(after)}"


# the plain ones

style("plain", looped("search(child, alpha, beta)"))
style("keywords", looped("search(node=child, beta=beta, alpha=alpha)"))
style(
    "defaults", looped("search(child, alpha, beta)", signature="search(node, alpha=-inf, beta=inf)")
)
style(
    "with a depth",
    looped("search(child, alpha, beta, depth + 1)", signature="search(node, alpha, beta, depth=0)"),
)
style(
    "with a path",
    looped(
        "search(child, alpha, beta, (*path, child))", signature="search(node, alpha, beta, path=())"
    ),
)
style(
    "with further keywords",
    looped(
        "search(child, alpha, beta, **options)", signature="search(node, alpha, beta, **options)"
    ),
)
style(
    "keywords only",
    looped(
        "search(child, alpha=alpha, beta=beta)", signature="search(node, *, alpha=-inf, beta=inf)"
    ),
    window=False,
)
style("a and b", looped("search(child, alpha, beta)"), renamed={"alpha": "a", "beta": "b"})
style(
    "low and high", looped("search(child, alpha, beta)"), renamed={"alpha": "low", "beta": "high"}
)

# helpers, with the node in any position

SCORE = "def score({}): return search(child, alpha, beta)"
for order in (
    "node, child, alpha, beta",
    "child, node, alpha, beta",
    "alpha, node, beta, child",
    "node, alpha, beta, child",
    "node, siblings, child, alpha, beta",
):
    arguments = order.replace("siblings", "node.children")
    style(f"score({order})", looped(f"score({arguments})", SCORE.format(order)))

style(
    "score of a leaf",
    looped(
        "score(node, child, alpha, beta)",
        """
    def score(node, child, alpha, beta):
        if child.is_leaf:
            return child.value
        return search(child, alpha, beta)
""",
    ),
)
style(
    "score with its first leaf",
    looped(
        "score(node, child, node.children[0], alpha, beta)",
        """
    def score(node, child, first, alpha, beta):
        return search(child, alpha, beta)
""",
    ),
)
style(
    "a method as helper",
    """
class Player:
    def score(self, node, child, alpha, beta):
        return self.search(child, alpha, beta)
    def search(self, node, alpha, beta):
        LEAF
        INIT
        for child in node.children:
            LOG
            value = self.score(node, child, alpha, beta)
            TAKE
            NARROW
            LOG
            CUT
                break
        LOG
        return best
search = Player().search
""",
)
style(
    "step returns a tuple",
    looped(
        "step(node, child, alpha, beta)[0]",
        """
    def step(node, child, alpha, beta):
        return search(child, alpha, beta), child.name
""",
    ),
)
style(
    "step updates",
    """
def step(node, child, best, alpha, beta):
    value = search(child, alpha, beta)
    best = max(best, value) if node.is_max else min(best, value)
    if node.is_max:
        alpha = max(alpha, best)
    else:
        beta = min(beta, best)
    return best, alpha, beta
def search(node, alpha, beta):
    LEAF
    INIT
    for child in node.children:
        LOG
        best, alpha, beta = step(node, child, best, alpha, beta)
        LOG
        CUT
            break
    LOG
    return best
""",
)

STATE = """
class State:
    def __init__(self, alpha, beta, best):
        self.alpha, self.beta, self.best = alpha, beta, best
    def take(self, node, value):
        self.best = max(self.best, value) if node.is_max else min(self.best, value)
        if node.is_max:
            self.alpha = max(self.alpha, self.best)
        else:
            self.beta = min(self.beta, self.best)
"""
style(
    "look with a state",
    STATE
    + """
def look(node, child, state):
    state.take(node, search(child, state.alpha, state.beta))
    return state.alpha >= state.beta
def search(node, alpha, beta):
    LEAF
    state = State(alpha, beta, -inf if node.is_max else inf)
    log((node.name, alpha, beta, None))
    for child in node.children:
        if look(node, child, state):
            break
    return state.best
""",
)
style(
    "look with an exception",
    STATE
    + """
class Cut(Exception):
    pass
def look(node, child, state):
    state.take(node, search(child, state.alpha, state.beta))
    if state.alpha >= state.beta:
        raise Cut
def search(node, alpha, beta):
    LEAF
    state = State(alpha, beta, -inf if node.is_max else inf)
    log((node.name, alpha, beta, None))
    try:
        for child in node.children:
            look(node, child, state)
    except Cut:
        pass
    return state.best
""",
)
style(
    "results in a state",
    """
def search(root, alpha, beta):
    result = {}
    visit(root, alpha, beta, result)
    return result[root.name]
def visit(node, alpha, beta, result):
    if node.is_leaf:
        result[node.name] = node.value
        return
    INIT
    for child in node.children:
        LOG
        visit(child, alpha, beta, result)
        value = result[child.name]
        TAKE
        NARROW
        LOG
        CUT
            break
    LOG
    result[node.name] = best
""",
)
style(
    "the parent first",
    looped(
        "walk(node, child, alpha, beta)",
        signature="walk(parent, node, alpha, beta)",
        after="""
    def search(root, alpha, beta):
        return walk(root, root, alpha, beta)
""",
    ),
)
style(
    "the parent last",
    looped(
        "walk(child, alpha, beta, node)",
        signature="walk(node, alpha, beta, parent=None)",
        after="""
    def search(root, alpha, beta):
        return walk(root, alpha, beta)
""",
    ),
)
style(
    "the root always",
    looped(
        "walk(root, child, alpha, beta)",
        signature="walk(root, node, alpha, beta)",
        after="""
    def search(root, alpha, beta):
        return walk(root, root, alpha, beta)
""",
    ),
)
style(
    "expand a place",
    looped(
        "expand(node, i, alpha, beta)",
        """
    def expand(node, i, alpha, beta):
        return search(node.children[i], alpha, beta)
""",
    ).replace("for child in node.children", "for i in range(len(node.children))"),
)
style(
    "two helpers in a row",
    looped(
        "outer(node, child, alpha, beta)",
        """
    def outer(node, child, alpha, beta): return inner(child, node, alpha, beta)
    def inner(child, node, alpha, beta): return search(child, alpha, beta)
""",
    ),
)
style(
    "a helper for the loop",
    """
def search(node, alpha, beta):
    LEAF
    return loop(node, alpha, beta)
def loop(node, alpha, beta):
    INIT
    for child in node.children:
        LOG
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
        CUT
            break
    LOG
    return best
""",
)
style(
    "choose with the node",
    looped(
        "search(child, alpha, beta)",
        """
    def choose(node, one, other):
        return max(one, other) if node.is_max else min(one, other)
""",
    ).replace("TAKE", "best = choose(node, best, value)"),
)

# two functions

TWO = """
def value_of(node, alpha, beta):
    return max_value(node, alpha, beta) if node.is_max else min_value(node, alpha, beta)
def max_value(node, alpha, beta):
    LEAF
    best = -inf
    for child in node.children:
        LOG
        best = max(best, value_of(child, alpha, beta))
        alpha = max(alpha, best)
        LOG
        CUT
            break
    LOG
    return best
def min_value(node, alpha, beta):
    LEAF
    best = inf
    for child in node.children:
        LOG
        best = min(best, value_of(child, alpha, beta))
        beta = min(beta, best)
        LOG
        CUT
            break
    LOG
    return best
search = value_of
"""
style("two functions", TWO)
style(
    "two functions that return early",
    TWO.replace("        CUT\n            break", "        CUT\n            return best"),
)
style(
    "two functions and their parent",
    TWO.replace("value_of(child, alpha", "between(node, child, alpha")
    + """
def between(parent, node, alpha, beta):
    return value_of(node, alpha, beta)
""",
)
style(
    "one function with two names",
    """
def search(node, alpha, beta):
    LEAF
    if node.is_max:
        max_eval = -inf
        for child in node.children:
            log((node.name, alpha, beta, max_eval))
            max_eval = max(max_eval, search(child, alpha, beta))
            alpha = max(alpha, max_eval)
            log((node.name, alpha, beta, max_eval))
            if beta <= alpha:
                break
        return max_eval
    min_eval = inf
    for child in node.children:
        log((node.name, alpha, beta, min_eval))
        min_eval = min(min_eval, search(child, alpha, beta))
        beta = min(beta, min_eval)
        log((node.name, alpha, beta, min_eval))
        if beta <= alpha:
            break
    return min_eval
""",
)

# closures, classes, decorators

style(
    "a closure",
    looped(
        "inner(child, alpha, beta)",
        signature="inner(node, alpha, beta)",
        after="""
    def search(root, alpha, beta):
        return inner(root, alpha, beta)
""",
    ),
)
style(
    "a closure that visits",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    def visit(child):
        nonlocal best, alpha, beta
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
    LOG
    for child in node.children:
        visit(child)
        CUT
            break
    LOG
    return best
""",
)
style(
    "a closure that loops",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    def loop(node):
        nonlocal best, alpha, beta
        for child in node.children:
            value = search(child, alpha, beta)
            TAKE
            NARROW
            LOG
            CUT
                break
    LOG
    loop(node)
    LOG
    return best
""",
)
style(
    "nonlocal bounds",
    """
def search(root):
    alpha, beta = -inf, inf
    def walk(node):
        nonlocal alpha, beta
        LEAF
        before = alpha, beta
        INIT
        LOG
        for child in node.children:
            value = walk(child)
            TAKE
            NARROW
            LOG
            CUT
                break
        alpha, beta = before
        LOG
        return best
    return walk(root)
""",
    window=False,
)
style(
    "a callable",
    "class Search:\n"
    + indent(
        looped("self(child, alpha, beta)", signature="__call__(self, node, alpha, beta)"), "    "
    )
    + "\nsearch = Search()\n",
)
style(
    "a static method",
    """
class Search:
    @staticmethod
    def walk(node, alpha, beta):
        LEAF
        INIT
        for child in node.children:
            LOG
            value = Search.walk(child, alpha, beta)
            TAKE
            NARROW
            LOG
            CUT
                break
        LOG
        return best
search = Search.walk
""",
)
style(
    "a decorator",
    looped(
        "search(child, alpha, beta)",
        """
    def counted(function):
        @functools.wraps(function)
        def wrapper(*arguments):
            wrapper.calls += 1
            return function(*arguments)
        wrapper.calls = 0
        return wrapper
    @counted
""",
    ).replace("@counted\n\n\n", "@counted\n"),
)
style(
    "a decorator with the node",
    looped(
        "search(child, alpha, beta)",
        """
    def shown(function):
        @functools.wraps(function)
        def wrapper(node, *window):
            print(node.name)
            return function(node, *window)
        return wrapper
    @shown
""",
    ).replace("@shown\n\n\n", "@shown\n"),
)
style(
    "a partial",
    looped(
        "walk(alpha=alpha, beta=beta)(child)",
        """
    def walk(alpha, beta):
        return functools.partial(search, alpha=alpha, beta=beta)
""",
    ),
)
style(
    "a partial of everything",
    looped(
        "again(child, alpha, beta)",
        signature="walk(again, node, alpha, beta)",
        after="""
    def search(node, alpha, beta):
        return functools.partial(walk, search)(node, alpha, beta)
""",
    ),
)
style("a cache of functools", looped("search(child, alpha, beta)", "@functools.lru_cache(None)"))

# loops of other kinds

style(
    "while",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    i = 0
    while i < len(node.children) and alpha < beta:
        LOG
        value = search(node.children[i], alpha, beta)
        TAKE
        NARROW
        LOG
        i += 1
    LOG
    return best
""",
)
style(
    "an iterator",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    waiting = iter(node.children)
    while (child := next(waiting, None)) is not None:
        LOG
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
        CUT
            break
    LOG
    return best
""",
)
style(
    "enumerate",
    looped("search(child, alpha, beta)").replace(
        "child in node.children", "i, child in enumerate(node.children)"
    ),
)
style(
    "walrus",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    for child in node.children:
        LOG
        if node.is_max and (value := search(child, alpha, beta)) > best:
            best = value
        elif not node.is_max and (value := search(child, alpha, beta)) < best:
            best = value
        NARROW
        LOG
        CUT
            break
    LOG
    return best
""",
)
style(
    "match",
    """
def search(node, alpha, beta):
    match node.is_leaf, node.is_max:
        case True, _:
            return node.value
        case False, True:
            best = -inf
        case _:
            best = inf
    for child in node.children:
        LOG
        value = search(child, alpha, beta)
        match node.is_max:
            case True:
                best = max(best, value)
            case False:
                best = min(best, value)
        NARROW
        LOG
        CUT
            break
    LOG
    return best
""",
)
style(
    "leaves by the parent", looped("child.value if child.is_leaf else search(child, alpha, beta)")
)
style(
    "first child, then the others",
    """
def search(node, alpha, beta):
    LEAF
    log((node.name, alpha, beta, None))
    best = search(node.children[0], alpha, beta)
    NARROW
    LOG
    for child in node.children[1:]:
        CUT
            break
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
    LOG
    return best
""",
)
style(
    "the others in a helper",
    """
def search(node, alpha, beta):
    LEAF
    log((node.name, alpha, beta, None))
    best = search(node.children[0], alpha, beta)
    NARROW
    LOG
    return others(node, node.children[1:], alpha, beta, best)
def others(node, children, alpha, beta, best):
    LOG
    for child in children:
        CUT
            break
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
    return best
""",
)
style(
    "recursion by place",
    """
def search(node, alpha, beta):
    LEAF
    return rest(node, 0, alpha, beta, -inf if node.is_max else inf)
def rest(node, i, alpha, beta, best):
    LOG
    if i == len(node.children) or (i and alpha >= beta):
        return best
    value = search(node.children[i], alpha, beta)
    TAKE
    NARROW
    return rest(node, i + 1, alpha, beta, best)
""",
)
style(
    "recursion over the children",
    """
def search(node, alpha, beta):
    LEAF
    return rest(node.children, node, alpha, beta, -inf if node.is_max else inf)
def rest(children, node, alpha, beta, best):
    LOG
    if not children or alpha >= beta:
        return best
    value = search(children[0], alpha, beta)
    TAKE
    NARROW
    return rest(children[1:], node, alpha, beta, best)
""",
)
style(
    "recursion by numbers",
    """
def search(root, alpha, beta):
    log((root.name, alpha, beta, None))
    nodes = [root]
    for node in nodes:
        nodes += node.children
    def walk(i, alpha, beta):
        node = nodes[i]
        LEAF
        INIT
        for child in node.children:
            value = walk(nodes.index(child), alpha, beta)
            TAKE
            NARROW
            CUT
                break
        return best
    return walk(0, alpha, beta)
""",
)
style(
    "reduce",
    """
def search(node, alpha, beta):
    LEAF
    def fold(state, child):
        best, alpha, beta = state
        CUT
            return state
        value = search(child, alpha, beta)
        TAKE
        NARROW
        return best, alpha, beta
    log((node.name, alpha, beta, None))
    return functools.reduce(fold, node.children, (-inf if node.is_max else inf, alpha, beta))[0]
""",
)
style(
    "any",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    LOG
    def closes(child):
        nonlocal best, alpha, beta
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
        return alpha >= beta
    any(closes(child) for child in node.children)
    LOG
    return best
""",
)
style(
    "a generator inside",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    def values():
        for child in node.children:
            yield search(child, alpha, beta)
    for value in values():
        TAKE
        NARROW
        LOG
        CUT
            break
    return best
""".replace("INIT\n", "INIT\n    LOG\n"),
)
style(
    "a generator of children",
    looped(
        "search(child, alpha, beta)",
        """
    def moves(node):
        yield from node.children
""",
    ).replace("in node.children", "in moves(node)"),
)
style(
    "the search as a generator",
    """
def walk(node, alpha, beta):
    if node.is_leaf:
        yield node.value
        return
    INIT
    for child in node.children:
        value = next(walk(child, alpha, beta))
        TAKE
        NARROW
        CUT
            break
    yield best
def search(root, alpha, beta):
    log((root.name, alpha, beta, None))
    return next(walk(root, alpha, beta))
""",
)
style(
    "takewhile",
    """
def search(node, alpha, beta):
    LEAF
    INIT
    for child in itertools.takewhile(lambda child: alpha < beta, node.children):
        LOG
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
    LOG
    return best
""",
)

style(
    "a search that runs twice",
    looped(
        "walk(child, alpha, beta)",
        signature="walk(node, alpha, beta)",
        after="""
    def search(root, alpha, beta):
        value = walk(root, alpha, beta)
        if not root.is_leaf:
            value = walk(root, alpha, beta)
        return value
""",
    ),
)
style(
    "notes in a function",
    looped(
        "search(child, alpha, beta)",
        "def note(node, alpha, beta, best):\n    print(node, alpha, beta, best)",
    ).replace("LOG", "note(node, alpha, beta, best)\n    LOG", 1),
)

# other things than numbers

PAIRED = """
def walk(node, alpha, beta):
    if node.is_leaf:
        return node.value, None
    best, move = -inf if node.is_max else inf, None
    for child in node.children:
        LOG
        value, _ = walk(child, alpha, beta)
        if value > best if node.is_max else value < best:
            best, move = value, child.name
        NARROW
        LOG
        CUT
            break
    LOG
    return best, move
def search(root, alpha, beta):
    return walk(root, alpha, beta)[0]
"""
style("pairs", PAIRED)
style(
    "lines",
    PAIRED.replace("None", "[]")
    .replace("value, _ =", "value, line =")
    .replace("= value, child.name", "= value, [child.name, *line]"),
)
style(
    "dictionaries",
    """
def walk(node, alpha, beta):
    if node.is_leaf:
        return {"value": node.value}
    INIT
    for child in node.children:
        LOG
        value = walk(child, alpha, beta)["value"]
        TAKE
        NARROW
        LOG
        CUT
            break
    LOG
    return {"value": best}
def search(root, alpha, beta):
    return walk(root, alpha, beta)["value"]
""",
)
style(
    "numpy numbers",
    looped("search(child, alpha, beta)")
    .replace("INIT", "best = np.float64(-inf if node.is_max else inf)")
    .replace("LEAF", "if node.is_leaf:\n        return np.float64(node.value)"),
)
style(
    "None to begin with",
    """
def search(node, alpha, beta):
    LEAF
    best = None
    for child in node.children:
        LOG
        value = search(child, alpha, beta)
        if best is None or (value > best if node.is_max else value < best):
            best = value
        NARROW
        LOG
        CUT
            break
    LOG
    return best
""",
)

INDEX = """
def search(node, alpha, beta):
    LEAF
    values = []
    best = 0
    for i, child in enumerate(node.children):
        log((node.name, alpha, beta, best))
        values.append(search(child, alpha, beta))
        if values[i] > values[best] if node.is_max else values[i] < values[best]:
            best = i
        if node.is_max:
            alpha = max(alpha, values[best])
        else:
            beta = min(beta, values[best])
        log((node.name, alpha, beta, best))
        CUT
            break
    return values[best]
"""
style("best is a place", INDEX, hides=("bv",))
style(
    "best is a place, of none at first",
    INDEX.replace("best = 0", "best = None").replace(
        "if values[i] >", "if best is None: best = i\n        if values[i] >"
    ),
    hides=("bv",),
)
style(
    "best is a child",
    looped("search(child, alpha, beta)")
    .replace("best", "top")
    .replace(
        "TAKE",
        """best = child
        top = max(top, value) if node.is_max else min(top, value)""",
    )
    .replace("INIT", "top = -inf if node.is_max else inf")
    .replace(
        "NARROW",
        "alpha, beta = (max(alpha, top), beta) if node.is_max else (alpha, min(beta, top))",
    )
    .replace("LOG", "log((node.name, alpha, beta, None))"),
    hides=("bv",),
)
style(
    "best counts",
    looped("search(child, alpha, beta)")
    .replace("INIT", "best, top = 100, -inf if node.is_max else inf")
    .replace("TAKE", "best, top = best + 1, max(top, value) if node.is_max else min(top, value)")
    .replace(
        "NARROW",
        "alpha, beta = (max(alpha, top), beta) if node.is_max else (alpha, min(beta, top))",
    )
    .replace("return best", "return top"),
    hides=("bv",),
)
style(
    "value is returned early",
    """
def search(node, alpha, beta):
    if node.is_leaf:
        value = node.value
        return value
    top = -inf if node.is_max else inf
    for child in node.children:
        log((node.name, alpha, beta, None))
        value = search(child, alpha, beta)
        top = max(top, value) if node.is_max else min(top, value)
        alpha, beta = (max(alpha, top), beta) if node.is_max else (alpha, min(beta, top))
        log((node.name, alpha, beta, None))
        CUT
            break
    return top
""".replace("if alpha", "if alpha"),
    hides=("bv",),
)
style(
    "a window as a list",
    """
def walk(node, window):
    LEAF
    INIT
    for child in node.children:
        log((node.name, None, None, best))
        value = walk(child, list(window))
        TAKE
        if node.is_max:
            window[0] = max(window[0], best)
        else:
            window[1] = min(window[1], best)
        log((node.name, None, None, best))
        if window[0] >= window[1]:
            break
    return best
def search(root, alpha, beta):
    return walk(root, [alpha, beta])
""",
)
style(
    "a window as a tuple",
    """
def walk(node, window):
    alpha, beta = window
    LEAF
    INIT
    LOG
    for child in node.children:
        value = walk(child, (alpha, beta))
        TAKE
        NARROW
        LOG
        CUT
            break
    LOG
    return best
def search(root, alpha, beta):
    return walk(root, (alpha, beta))
""",
)
style(
    "a dataclass with the node",
    """
@dataclass
class Task:
    node: object
    alpha: float
    beta: float
def walk(task):
    node, alpha, beta = task.node, task.alpha, task.beta
    LEAF
    INIT
    for child in node.children:
        value = walk(Task(child, alpha, beta))
        TAKE
        NARROW
        CUT
            break
    return best
def search(root, alpha, beta):
    log((root.name, alpha, beta, None))
    return walk(Task(root, alpha, beta))
""",
)

# helpers that search nothing

style(
    "printing",
    looped(
        "search(child, alpha, beta)",
        """
    def show(node, child, depth=0):
        print(depth, node.name, child.name)
        for each in child.children:
            show(child, each, depth + 1)
""",
    ).replace("value = ", "show(node, child)\n        value = "),
)
style(
    "sorting",
    looped(
        "search(child, alpha, beta)",
        """
    def size(node):
        return 1 + sum(size(child) for child in node.children)
    def ordered(node):
        return sorted(node.children, key=lambda child: 0 * size(child))
""",
    ).replace("in node.children", "in ordered(node)"),
)
style(
    "comparing",
    looped(
        "search(child, alpha, beta)",
        """
    def same(one, other):
        return one.name == other.name
""",
    ).replace("value = ", "same(node, child)\n        value = "),
)
style(
    "a memo",
    looped(
        "known(child, alpha, beta)",
        """
    memo = {}
    def known(node, alpha, beta):
        if node.name not in memo:
            memo[node.name] = search(node, alpha, beta)
        return memo[node.name]
""",
    ),
)
style(
    "a memo by the parent",
    looped("memo.setdefault(child.name, search(child, alpha, beta))", "memo = {}"),
)
style(
    "a check of the window first",
    """
def search(node, alpha, beta):
    log((node.name, alpha, beta, None))
    if alpha >= beta:
        return alpha if node.is_max else beta
    LEAF
    INIT
    for child in node.children:
        LOG
        value = search(child, alpha, beta)
        TAKE
        NARROW
        LOG
    LOG
    return best
""".replace("return alpha if node.is_max else beta", "return -inf if not node.is_max else inf"),
)

# minimax

style(
    "minimax",
    """
def search(node):
    LEAF
    INIT
    for child in node.children:
        log((node.name, None, None, best))
        value = search(child)
        TAKE
        log((node.name, None, None, best))
    return best
""",
    window=False,
)
style(
    "minimax with a list",
    """
def search(node):
    LEAF
    values = [search(child) for child in node.children]
    return max(values) if node.is_max else min(values)
""",
    window=False,
)
style(
    "minimax in two",
    """
def half(node, lo, hi):
    if hi - lo == 1:
        return search(node.children[lo])
    middle = (lo + hi) // 2
    values = half(node, lo, middle), half(node, middle, hi)
    return max(values) if node.is_max else min(values)
def search(node):
    LEAF
    return half(node, 0, len(node.children))
""",
    window=False,
    hides=("alpha", "beta"),
)
style(
    "minimax that reads twice",
    """
def search(node):
    LEAF
    for child in node.children:
        search(child)
    values = [search(child) for child in node.children]
    return max(values) if node.is_max else min(values)
""",
    window=False,
)
style(
    "minimax by comparing children",
    """
def better(one, other):
    return one if search(one) >= search(other) else other
def worse(one, other):
    return one if search(one) <= search(other) else other
def search(node):
    LEAF
    return search(functools.reduce(better if node.is_max else worse, node.children))
""",
    window=False,
)
style(
    "minimax that counts",
    """
def count(node, state):
    if node.is_leaf:
        state[node.name] = node.value
        return 100
    total = sum([count(child, state) for child in node.children])
    values = [state[child.name] for child in node.children]
    state[node.name] = max(values) if node.is_max else min(values)
    return total
def search(root):
    state = {}
    count(root, state)
    return state[root.name]
""",
    window=False,
)

# negamax: at MIN nodes it notes the opposite of what its variables hold

NEGAMAX = """
def walk(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    TURNED
    for child in node.children:
        best = max(best, -walk(child, -beta, -alpha))
        alpha = max(alpha, best)
        TURNED
        CUT
            break
    return best
def search(root, alpha, beta):
    return walk(root, alpha, beta) if root.is_max else -walk(root, -beta, -alpha)
"""
style("negamax", NEGAMAX, negamax=True)
style(
    "negamax with a sign",
    NEGAMAX.replace("walk(child,", "walk(child, -sign,")
    .replace("walk(node,", "walk(node, sign,")
    .replace("node.value if node.is_max else -node.value", "sign * node.value")
    .replace("walk(root, alpha", "walk(root, 1, alpha")
    .replace("walk(root, -beta", "walk(root, -1, -beta"),
    negamax=True,
)
style(
    "negamax with a helper",
    NEGAMAX.replace("-walk(child, -beta, -alpha)", "score(node, child, alpha, beta)")
    + """
def score(node, child, alpha, beta):
    return -walk(child, -beta, -alpha)
""",
    negamax=True,
)
style(
    "negamax that reads the leaves of children",
    """
def walk(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    TURNED
    for child in node.children:
        if child.is_leaf:
            value = child.value if node.is_max else -child.value
        else:
            value = -walk(child, -beta, -alpha)
        best = max(best, value)
        alpha = max(alpha, best)
        TURNED
        CUT
            break
    return best
def search(root, alpha, beta):
    return walk(root, alpha, beta) if root.is_max else -walk(root, -beta, -alpha)
""",
    negamax=True,
)
