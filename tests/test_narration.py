"""Every claim that a sentence makes is taken at its word, and checked against second opinions."""

import re
import unicodedata
from math import inf

from hypothesis import example, given

from abviz import Tree, load, minimax
from abviz.errors import columns, visible
from abviz.tracing.narration import by_level, sentence, summary, table
from abviz.tracing.traces import Trace, trace
from tests import oracle, strategies

FIGURE = load("figure-4.24")
NUMBER = r"−?(?:\d+|∞)"


def form(text: str) -> re.Pattern:
    """A sentence with blanks: {one word}, {a number#}, {any words*}; what stands in [brackets] may be missing."""
    kinds = {"": r"\S+?", "#": NUMBER, "*": r".+?"}
    pattern = re.escape(text.replace(" ", "\0")).replace("\\\0", "\0").replace("\0", " ")
    pattern = pattern.replace(r"\[", "(?:").replace(r"\]", ")?")
    return re.compile(re.sub(r"\\\{(\w+)(?:\\?([#*]))?\\\}", lambda m: f"(?P<{m[1]}>{kinds[m[2] or '']})", pattern))


BEFORE = form(
    "Before the search: {who} is to move at {node}, and the tree[, down to depth {depth},] has {leaves#} {noun}."
)
ENTER = form(
    "The search enters {who} node {node}[ with the window α = {alpha#}, β = {beta#}]"
    "[ with its own copy of {parent}’s window, α = {low#}, β = {high#}]; "
    "bv starts at {bv#}, the worst value for {whose}."
)
LEAF = form("Leaf {node} is read: its value is {value#}.")
LIMIT = form("{node} is at the depth limit: its static value {value#} stands for everything below it.")
BV = form(
    "{node} receives {value#} from {child}[ (a bound: its value is {bound*})]: [{not} ]{better} than {before#}, "
    "so bv {does} {after#}."
)
MOVES = form(
    "bv = {bv#} is {side} {letter} = {old#}, so {same} of {node} {moves} to {new#}: "
    "{who} is now assured of at {least} {much#} here."
)
CUT = form("[{deep} ]{name}-cut at {at}: bv = {bv#} {sign} {letter} = {bound#}; {why*}; {rest*}.")
HOLDER = form("{who} already has {has#} at {witness}, from {via}, and has no reason to come here for {here#} or {more}")
FIRST = form("the search itself started with {letter} = {bound#}[, and no value is {beyond}]")
SKIPPED = form("{names*}[ and {others} more] {verb} skipped, {saved#} {noun} saved")
STOP = form("bv of {at} is {bv#}, and nothing is better for {who}: {rest*}.")
EXIT = form(
    "{node} returns {value#}[, not bv = {bv#}: fail-hard keeps the value within the node’s window, {low#} to {high#}]"
    "[ (a bound: its value is {bound*})]"
    "[; bv = {late#} {sign} {letter} = {limit#} held only after the last child, when there was nothing left to cut]"
    "[; back at {parent}, its own α and β apply again: α = {alpha#}, β = {beta#}]"
    "[, and the search ends after {read#} of {all#} {noun}[; the line is {line*}]]."
)


def read(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


class Truth:
    """What there is to know about a trace at a step, from second opinions."""

    def __init__(self, searched: Trace, step: int):
        self.trace, self.step, self.tree = searched, step, searched.tree
        self.before, self.now = oracle.replay(searched, max(step - 1, 0)), oracle.replay(searched, step)
        depth = inf if searched.depth is None else searched.depth
        self.left = {name: depth - level for name, level in oracle.levels(searched.tree).items()}

    def worth(self, name: str) -> float:
        return oracle.minimax_value(self.tree[name], self.left[name])

    def leaves(self, name: str) -> int:
        return len(oracle.searched_leaves(self.tree[name], self.left[name]))

    def parent(self, name: str) -> str | None:
        above = oracle.ancestors(self.tree, name)
        return above[0].name if above else None

    def mover(self, name: str) -> str:
        return "MAX" if self.tree[name].is_max else "MIN"

    def check_bound(self, name: str, returned: float, remark: str | None) -> None:
        """Without a remark the value is the node's own; otherwise the bound is proven, true, and as in the remark."""
        low, high = self.now[name].low, self.now[name].high
        if remark is None:
            assert low == high == returned == self.worth(name)
            return
        assert returned <= low or returned >= high  # it is a bound
        assert low <= self.worth(name) <= high
        if remark.startswith("≥"):
            assert (read(remark[2:]), inf) == (low, high) and low > -inf
        elif remark.startswith("≤"):
            assert (-inf, read(remark[2:])) == (low, high) and high < inf
        elif "…" in remark:
            assert [read(end) for end in remark.split(" … ")] == [low, high] and -inf < low < high < inf
        else:
            assert read(remark) == low == high != returned


def full(pattern: re.Pattern, says: str) -> re.Match:
    match = pattern.fullmatch(says)
    assert match, f"{says!r} is not of the form {pattern.pattern}"
    return match


def check_count(number: str, noun: str, leaves: int) -> None:
    assert int(number) == leaves and noun == ("leaf" if leaves == 1 else "leaves")


def check_before(truth: Truth, says: str) -> None:
    m = full(BEFORE, says)
    root = truth.tree.root.name
    assert (m["who"], m["node"]) == (truth.mover(root), root)
    assert (m["depth"] and int(m["depth"])) == truth.trace.depth
    check_count(m["leaves"], m["noun"], truth.leaves(root))


def check_enter(truth: Truth, says: str, event) -> None:
    parent = truth.parent(event.node.name) if truth.trace.search == "alphabeta" else None
    m = full(ENTER, says)
    now = truth.now[event.node.name]
    assert m["node"] == event.node.name and m["who"] == m["whose"] == truth.mover(m["node"])
    assert read(m["bv"]) == (-inf if event.node.is_max else inf) == now.bv
    assert m["parent"] == parent and (m["alpha"] is None) == (parent is not None or truth.trace.search == "minimax")
    if parent:
        window = read(m["low"]), read(m["high"])
        assert window == (now.alpha, now.beta) == (truth.now[parent].alpha, truth.now[parent].beta)
    elif truth.trace.search == "alphabeta":
        window = read(m["alpha"]), read(m["beta"])
        assert window == (now.alpha, now.beta)
        assert window == (truth.trace.options.get("alpha", -inf), truth.trace.options.get("beta", inf))


def check_leaf(truth: Truth, says: str, event) -> None:
    m = full(LEAF if event.node.is_leaf else LIMIT, says)
    name = event.node.name
    assert m["node"] == name and read(m["value"]) == event.node.value == truth.worth(name)
    assert truth.before[name].value is None
    assert event.node.is_leaf or truth.left[name] == 0


def check_bv(truth: Truth, says: str, event) -> None:
    m = full(BV, says)
    node, child, value = m["node"], m["child"], read(m["value"])
    assert node == event.node.name == truth.parent(child)
    assert truth.now[child].value == value == event.value
    truth.check_bound(child, value, m["bound"])
    before, after = read(m["before"]), read(m["after"])
    assert (before, after) == (truth.before[node].bv, truth.now[node].bv)
    assert m["better"] == ("higher" if event.node.is_max else "lower")
    better = value > before if event.node.is_max else value < before
    assert better == (m["not"] is None) == (m["does"] == "becomes")
    assert after == (value if better else before)


def check_moves(truth: Truth, says: str, event) -> None:
    m = full(MOVES, says)
    node, new = m["node"], read(m["new"])
    expected = (
        ("above", "α", "rises", "MAX", "least") if event.kind == "alpha" else ("below", "β", "falls", "MIN", "most")
    )
    assert (m["side"], m["letter"], m["moves"], m["who"], m["least"]) == expected
    assert node == event.node.name and m["same"] == m["letter"] and m["who"] == truth.mover(node)
    assert read(m["bv"]) == new == read(m["much"]) == truth.now[node].bv
    assert read(m["old"]) == getattr(truth.before[node], event.kind) != new == getattr(truth.now[node], event.kind)
    if event.kind == "alpha":
        assert read(m["old"]) < new <= truth.now[node].low <= truth.worth(node)
    else:
        assert read(m["old"]) > new >= truth.now[node].high >= truth.worth(node)


def check_skipped(truth: Truth, text: str, events) -> None:
    m = full(SKIPPED, text)
    names = [event.node.name for event in events]
    assert m["names"].split(", ") == names[:6] and int(m["others"] or 0) == len(names[6:])
    assert m["verb"] == ("is" if len(names) == 1 else "are")
    check_count(m["saved"], m["noun"], sum(truth.leaves(name) for name in names))
    for name in names:
        assert truth.before[name].state == "waiting" and truth.now[name].state == "skipped"


def check_cut(truth: Truth, says: str, events) -> None:
    at = truth.parent(events[0].node.name)
    bv = truth.now[at].bv
    if truth.trace.search == "minimax":
        m = full(STOP, says)
        assert (m["at"], m["who"]) == (at, truth.mover(at))
        assert read(m["bv"]) == bv == truth.worth(at) == (inf if truth.tree[at].is_max else -inf)
        check_skipped(truth, m["rest"], events)
        return
    m = full(CUT, says)
    is_max = truth.tree[at].is_max
    bound = truth.now[at].beta if is_max else truth.now[at].alpha
    assert (m["at"], read(m["bv"]), read(m["bound"]), m["letter"]) == (at, bv, bound, "β" if is_max else "α")
    assert m["name"] == ("β" if is_max != truth.trace.rules.name_by_node else "α")
    assert {"≥": bv >= bound, "≤": bv <= bound, ">": bv > bound, "<": bv < bound}[m["sign"]]
    assert (m["sign"] in "<>") == truth.trace.rules.strict and (m["sign"] in "≥>") == is_max
    witness, via, deep = oracle.witness(truth.trace, truth.step)
    assert m["deep"] == ("Deep" if deep else None)
    check_skipped(truth, m["rest"], events)
    if witness is None:
        given_ = truth.trace.options.get("beta" if is_max else "alpha", inf if is_max else -inf)
        assert bound == given_
        first = full(FIRST, m["why"])
        assert (first["letter"], read(first["bound"])) == (m["letter"], bound)
        assert first["beyond"] == (("higher" if is_max else "lower") if abs(bound) == inf else None)
        return
    h = full(HOLDER, m["why"])
    assert (h["witness"], h["via"]) == (witness, via)
    assert h["who"] == truth.mover(witness) != truth.mover(at)
    assert read(h["has"]) == bound == truth.now[via].value
    assert read(h["here"]) == bv and h["more"] == ("more" if is_max else "less")
    if is_max:  # MIN has a move worth at most the bound, and what lies here is worth at least bv, and no less
        assert truth.worth(via) <= truth.now[via].high <= bound <= bv <= truth.now[at].low <= truth.worth(at)
    else:
        assert truth.worth(via) >= truth.now[via].low >= bound >= bv >= truth.now[at].high >= truth.worth(at)


def check_exit(truth: Truth, says: str, event) -> None:
    m = full(EXIT, says)
    node, value = m["node"], read(m["value"])
    assert node == event.node.name and value == event.value == truth.now[node].value
    bv = truth.now[node].bv
    if m["bv"]:
        low, high = read(m["low"]), read(m["high"])
        assert truth.trace.rules.fail_hard and (low, high) == truth.trace.window(event.node)
        assert read(m["bv"]) == bv and not low <= bv <= high and value == min(max(bv, low), high)
    else:
        assert value == bv
        truth.check_bound(node, value, m["bound"])
    skipped = any(truth.now[child.name].state == "skipped" for child in event.node.children)
    if truth.trace.search == "alphabeta":
        limit = event.beta if event.node.is_max else event.alpha
        over = (bv > limit if event.node.is_max else bv < limit) or (bv == limit and not truth.trace.rules.strict)
        assert (m["late"] is not None) == (over and not skipped)
        if m["late"]:
            assert (read(m["late"]), read(m["limit"])) == (bv, limit)
            assert m["letter"] == ("β" if event.node.is_max else "α")
            assert {"≥": bv >= limit, "≤": bv <= limit, ">": bv > limit, "<": bv < limit}[m["sign"]]
    parent = truth.parent(node)
    if parent is None:
        assert int(m["read"]) == len(truth.trace.leaves)
        check_count(m["all"], m["noun"], truth.leaves(node))
        if value == truth.worth(node) == truth.now[node].low == truth.now[node].high:
            line = m["line"].split(" → ")
            assert tuple(line) == oracle.line(truth.trace, truth.step)
        else:
            assert m["line"] is None
    elif truth.trace.search == "alphabeta":
        assert m["parent"] == parent and m["line"] is None
        assert (read(m["alpha"]), read(m["beta"])) == (truth.now[parent].alpha, truth.now[parent].beta)
        assert (read(m["alpha"]), read(m["beta"])) == truth.trace.window(event.node)  # as when it was called
    else:
        assert m["parent"] is None and m["read"] is None


any_trace = strategies.traces(narrow=True, plain=True)


@example(trace(Tree([inf, 3]), search=minimax, early_stop=True))  # rare among the random searches
@given(any_trace)
def test_every_claim_of_every_sentence_is_true(searched):
    for step in range(len(searched) + 1):
        says = sentence(searched, step)
        assert says.endswith(".") and says.count(".") == 1 and "  " not in says and len(says) <= 250
        events = searched.events_at(step)
        truth = Truth(searched, step)
        if not events:
            check_before(truth, says)
        elif events[0].kind == "cut":
            check_cut(truth, says, events)
        else:
            check = {"enter": check_enter, "leaf": check_leaf, "bv": check_bv, "exit": check_exit}
            check.get(events[0].kind, check_moves)(truth, says, events[0])


# The printed table


def rows(searched: Trace) -> list[str]:
    lines = table(searched).split("\n")
    if visible(searched.tree.title):
        assert lines.pop(0) == visible(searched.tree.title)
    return lines


@given(any_trace)
def test_the_table_shows_each_step_on_one_line(searched):
    head, *lines, result = rows(searched)
    assert head.split() == ["step", "node", "α", "β", "bv"]
    assert result == summary(searched)
    for step, line in enumerate(lines):
        node = searched.where(step)
        state = searched.node_at(node, step)
        given_ = [state.alpha, state.beta, state.bv] if step else []
        cells = [str(step), "▲" if node.is_max else "▼", node.name]
        cells += [str(value).replace("-", "−").replace("inf", "∞") for value in given_ if value is not None]
        assert line.endswith("  " + sentence(searched, step))
        assert line.removesuffix(sentence(searched, step)).split() == cells
    assert len(lines) == len(searched) + 1


@given(strategies.traces(tree=strategies.named_trees(), plain=True))
def test_any_name_leaves_every_step_on_one_line_without_control_characters(searched):
    text = table(searched)
    assert len(text.split("\n")) == len(text.splitlines()) == len(searched) + 4
    isolates = 0
    for letter in text.replace("\n", ""):
        assert unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp") and letter not in "\u202a\u202b\u202d\u202e"
        isolates += (letter == "\u2068") - (letter == "\u2069")
        assert isolates in (0, 1)  # what turns around is shut in, and no name can open or close that
    assert isolates == 0
    head, *lines, _ = rows(searched)
    start = {columns(line[: -len(sentence(searched, step))]) for step, line in enumerate(lines)}
    assert start == {columns(head) + 2}


# Results in a line


@given(any_trace)
def test_the_result_in_one_line(searched):
    says = summary(searched)
    read_, skipped = searched.leaves_at(len(searched))
    whole = len(oracle.searched_leaves(searched.tree.root, inf if searched.depth is None else searched.depth))
    of = f"all {whole}" if read_ + skipped == whole else f"the {read_ + skipped} so far"
    share = f" ({round(100 * skipped / (read_ + skipped))} % of {of})" if skipped else ""
    leaves = "1 leaf" if read_ == 1 else f"{read_} leaves"
    cuts = "1 cut" if len(searched.cuts) == 1 else f"{len(searched.cuts)} cuts"
    assert says.endswith(f"; {leaves} read, {skipped} skipped{share}; {cuts}.")
    truth = Truth(searched, len(searched))
    m = form(
        "[value {value#}[, best {best}], line {line*}][returned {bound#} (a bound: its value is {remark*})]; {rest*}."
    ).fullmatch(says)
    root = searched.tree.root.name
    if m["value"]:
        assert read(m["value"]) == truth.worth(root) == searched.value
        assert m["best"] == searched.best and tuple(m["line"].split(" → ")) == searched.line
    else:
        assert "alpha" in searched.options
        truth.check_bound(root, read(m["bound"]), m["remark"])


# The tree level by level


def test_by_level_is_what_the_c_plus_plus_program_prints():
    """Figure 4.24 after `minmax`; the program puts a comma after each node."""
    searched = trace(FIGURE, search=minimax)
    values = {name: node.value for name, node in searched[len(searched)].nodes.items()}
    printed = """\
A=4(MaxNode2)
B=3(MinNode2), C=4(MinNode3),
D=3(MaxNode0), E=5(MaxNode0), F=5(MaxNode2), G=8(MaxNode2), H=4(MaxNode0),
I=0(MinNode2), J=5(MinNode0), K=7(MinNode0), L=8(MinNode0),
M=0(MaxNode0), N=7(MaxNode0),"""
    assert by_level(FIGURE, values) == "\n".join(line.rstrip(",") for line in printed.split("\n"))


def test_by_level_without_values_shows_what_is_known():
    assert str(FIGURE).splitlines()[:2] == ["A=?(MaxNode2)", "B=?(MinNode2), C=?(MinNode3)"]
    assert by_level(Tree({"B": {"children": [3, None], "value": -2, "to_move": "max"}})) == (
        "A=?(MaxNode1)\nB=−2(MaxNode2)\nb1=3(MinNode0), b2=?(MinNode0)"
    )
