"""Each sentence is written a second time, from second opinions on the numbers in it; and the texts
of many lines.
"""

import re
import unicodedata
from math import inf

from hypothesis import example, given

from abviz import Tree, minimax
from abviz.errors import columns, visible
from abviz.tracing.narration import PARTS, RESULTS, SENTENCES, sentence, summary, table
from abviz.tracing.traces import Trace, trace
from tests import oracle, strategies

WORDS = {
    "MAX": "MAX MAX MIN MIN α β rises above higher get more",
    "MIN": "MIN MIN MAX MAX β α falls below lower hold_the_result_to less",
}
BLANKS = [
    "kind",
    "player",
    "opponent",
    "Opponent",
    "own",
    "bound",
    "rises",
    "above",
    "better",
    "get",
    "more",
]


def text(value: object) -> str:
    return str(value).replace("-", "−").replace("inf", "∞")


def write(template: str, values: dict) -> str:
    """Fill in a template: {bv} with a text or a number, {leaves:leaf|leaves} with a count and its
    noun.
    """

    def fill(blank: re.Match) -> str:
        name, _, nouns = blank[1].partition(":")
        if not nouns:
            return values[name] if isinstance(values[name], str) else text(values[name])
        if isinstance(values[name], str):
            return f"{values[name]} {nouns.split('|')[0]}"  # MAX has
        return f"{values[name]} {nouns.split('|')[values[name] != 1]}"

    return re.sub(r"\{(.+?)\}", fill, template)


class Truth:
    """What there is to know about a trace at a step, from second opinions."""

    def __init__(self, searched: Trace, step: int):
        self.trace, self.step, self.tree = searched, step, searched.tree
        self.before, self.now = (
            oracle.replay(searched, max(step - 1, 0)),
            oracle.replay(searched, step),
        )
        depth = inf if searched.depth is None else searched.depth
        self.left = {name: depth - level for name, level in oracle.levels(searched.tree).items()}

    def worth(self, name: str) -> float:
        return oracle.minimax_value(self.tree[name], self.left[name])

    def leaves(self, name: str) -> int:
        return len(oracle.searched_leaves(self.tree[name], self.left[name]))

    def parent(self, name: str) -> str | None:
        above = oracle.ancestors(self.tree, name)
        return above[0].name if above else None

    def words(self, name: str) -> dict:
        player = "MAX" if self.tree[name].is_max else "MIN"
        words = [word.replace("_", " ") for word in WORDS[player].split()]
        return dict(zip(BLANKS, words, strict=True)) | {"node": name} | vars(self.now[name])

    def remark(self, name: str, returned: float) -> str:
        """Return what is proven where the returned value is only a bound; "" where it is the value."""
        low, high = self.now[name].low, self.now[name].high
        assert low <= self.worth(name) <= high
        if low == high == returned:
            return ""
        assert returned <= low or returned >= high
        below, above = (
            f"≥ {text(low)}" if low > -inf else "",
            f"≤ {text(high)}" if high < inf else "",
        )
        interval = (
            text(low)
            if low == high
            else f"{text(low)} … {text(high)}"
            if below and above
            else below or above
        )
        values = {"of": name, "interval": interval}
        return write(PARTS["interval" if interval else "nothing proven"], values)

    def root_bound(self) -> str:
        """Return what is proven of the root where what it returned is outside the search's window;
        "" inside.
        """
        value, root, options = self.trace.value, self.tree.root.name, self.trace.options
        if oracle.is_exact(self.trace, value):
            return ""
        low, high = self.now[root].low, self.now[root].high
        if "alpha" in options and value <= options["alpha"]:
            assert self.worth(root) <= high <= value <= options["alpha"]
            return write(PARTS["at most"], {"value": high, "limit": options["alpha"]})
        assert self.worth(root) >= low >= value >= options["beta"]
        return write(PARTS["at least"], {"value": low, "limit": options["beta"]})

    def test(self, name: str) -> str:
        """The cutoff test in numbers; "" where it does not hold."""
        strict, now = self.trace.rules.strict, self.now[name]
        if now.alpha is None:
            return ""
        letter, bound = ("β", now.beta) if self.tree[name].is_max else ("α", now.alpha)
        signs = {
            ">": now.bv > bound,
            "≥": now.bv >= bound,
            "<": now.bv < bound,
            "≤": now.bv <= bound,
        }
        sign = (">" if strict else "≥") if self.tree[name].is_max else ("<" if strict else "≤")
        return f"bv = {text(now.bv)} {sign} {letter} = {text(bound)}" if signs[sign] else ""


def expected_before(truth: Truth) -> tuple[str, dict]:
    root, depth = truth.tree.root.name, truth.trace.depth
    values = {"node": root, "depth": depth, "leaves": truth.leaves(root)}
    return "before" if depth is None else "before to depth", values


def expected_enter(truth: Truth, event) -> tuple[str, dict]:
    now, parent = truth.now[event.node.name], truth.parent(event.node.name)
    assert now.bv == (-inf if event.node.is_max else inf)
    if truth.trace.search == "minimax":
        return "enter unbounded" if parent else "enter root unbounded", {}
    above, options = truth.now.get(parent), truth.trace.options
    window = (
        (above.alpha, above.beta)
        if above
        else (options.get("alpha", -inf), options.get("beta", inf))
    )
    assert (now.alpha, now.beta) == window
    return "enter" if parent else "enter root", {"parent": parent}


def expected_leaf(truth: Truth, event) -> tuple[str, dict]:
    name = event.node.name
    assert truth.before[name].value is None and (event.node.is_leaf or truth.left[name] == 0)
    return "leaf" if event.node.is_leaf else "leaf at limit", {"value": truth.worth(name)}


def expected_bv(truth: Truth, event) -> tuple[str, dict]:
    last = truth.trace.events_at(truth.step - 1)[0]
    child, before = last.node.name, truth.before[event.node.name].bv
    value = truth.now[child].value
    assert (
        last.kind in ("leaf", "exit")
        and truth.parent(child) == event.node.name
        and value == event.value
    )
    better = value > before if event.node.is_max else value < before
    assert truth.now[event.node.name].bv == (value if better else before)
    values = {
        "child": child,
        "value": value,
        "before": before,
        "remark": truth.remark(child, value),
    }
    return "bv better" if better else "bv same", values


def expected_bound(truth: Truth, event) -> tuple[str, dict]:
    name = event.node.name
    assert event.node.is_max == (event.kind == "alpha")
    before, after = getattr(truth.before[name], event.kind), getattr(truth.now[name], event.kind)
    if event.kind == "alpha":
        assert before < after == truth.now[name].bv <= truth.now[name].low <= truth.worth(name)
    else:
        assert before > after == truth.now[name].bv >= truth.now[name].high >= truth.worth(name)
    return "bound", {"before": before, "after": after}


def expected_cut(truth: Truth, events) -> tuple[str, dict]:
    names = [event.node.name for event in events]
    at, trace = truth.parent(names[0]), truth.trace
    is_max, now = truth.tree[at].is_max, truth.now[at]
    assert all(
        truth.before[name].state == "waiting" and truth.now[name].state == "skipped"
        for name in names
    )
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    skipped = {"skipped": ", ".join(names[:6]) + more, "saved": sum(map(truth.leaves, names))}
    values = {"rest": write(PARTS["rest"], skipped)}
    if trace.search == "minimax":
        assert now.bv == truth.worth(at) == (inf if is_max else -inf)
        return "cut unbounded", values
    limit = now.beta if is_max else now.alpha
    witness, via, deep = oracle.witness(trace, truth.step)
    values |= {
        "letter": "β" if is_max != trace.rules.name_by_node else "α",
        "limit": limit,
        "test": truth.test(at),
    }
    assert values["test"]
    if witness is None:
        assert limit == trace.options.get("beta" if is_max else "alpha", inf if is_max else -inf)
        return "cut by infinity" if abs(limit) == inf else "cut by first bound", values
    assert truth.tree[witness].is_max != is_max and truth.now[via].value == limit
    # MIN has a move worth at most the limit, and what lies here is worth at least bv, and no less
    if is_max:
        assert (
            truth.worth(via) <= truth.now[via].high <= limit <= now.bv <= now.low <= truth.worth(at)
        )
    else:
        assert (
            truth.worth(via) >= truth.now[via].low >= limit >= now.bv >= now.high >= truth.worth(at)
        )
    return "cut deep" if deep else "cut", values | {"witness": witness, "via": via}


def expected_exit(truth: Truth, event) -> tuple[str, dict]:
    name, trace = event.node.name, truth.trace
    now, parent = truth.now[name], truth.parent(name)
    remark = ""
    if now.value != now.bv:
        alpha, beta = trace.window(event.node)
        assert (
            trace.rules.fail_hard
            and not alpha <= now.bv <= beta
            and now.value == min(max(now.bv, alpha), beta)
        )
        values = {"node": name, "bv": now.bv, "alpha": alpha, "beta": beta}
        remark = write(PARTS["clamped"], values)
    if parent is None:
        remark += truth.root_bound()
    elif now.value == now.bv:
        remark = truth.remark(name, now.value)
    late = ""
    if truth.test(name) and all(
        truth.now[child.name].state != "skipped" for child in event.node.children
    ):
        form = "late" if parent else "late at root"
        late = write(PARTS[form], {"node": name, "test": truth.test(name)})
    values = {"remark": remark + late if parent else remark, "late": late, "parent": parent}
    if parent:
        above = truth.now[parent]
        return "exit unbounded" if above.alpha is None else "exit", values | {
            "alpha": above.alpha,
            "beta": above.beta,
        }
    line = " → ".join(oracle.line(trace, truth.step))
    values |= {"read": len(trace.leaves), "leaves": truth.leaves(name), "line": line}
    if truth.root_bound():
        return "exit root with bound", values
    assert now.value == truth.worth(name) == now.low == now.high
    return "exit root", values


any_trace = strategies.traces(narrow=True, plain=True)


@example(trace(Tree([inf, 3]), search=minimax, early_stop=True))  # rare among the random searches
@example(trace(Tree([[5], [3, *range(7)]])))  # a cut that skips one more than a sentence names
@given(any_trace)
def test_every_sentence_is_the_right_one_with_the_right_values(searched):
    for step in range(len(searched) + 1):
        truth, events = Truth(searched, step), searched.events_at(step)
        if not events:
            form, values = expected_before(truth)
        elif events[0].kind == "cut":
            form, values = expected_cut(truth, events)
        else:
            expect = {
                "enter": expected_enter,
                "leaf": expected_leaf,
                "bv": expected_bv,
                "exit": expected_exit,
            }
            form, values = expect.get(events[0].kind, expected_bound)(truth, events[0])
        says = sentence(searched, step)
        assert says == write(SENTENCES[form], truth.words(searched.where(step).name) | values)
        assert says.endswith(".") and "  " not in says and len(says) <= 280
        assert len(re.findall(r"\.( |$)", says)) <= 4 and ".." not in says


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
        cells += [
            str(value).replace("-", "−").replace("inf", "∞")
            for value in given_
            if value is not None
        ]
        assert line.endswith("  " + sentence(searched, step))
        assert line.removesuffix(sentence(searched, step)).split() == cells
    assert len(lines) == len(searched) + 1


@given(strategies.traces(tree=strategies.named_trees(), plain=True))
def test_any_name_leaves_every_step_on_one_line_without_control_characters(searched):
    text = table(searched)
    assert len(text.split("\n")) == len(text.splitlines()) == len(searched) + 4
    isolates = 0
    for letter in text.replace("\n", ""):
        assert (
            unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp")
            and letter not in "\u202a\u202b\u202d\u202e"
        )
        isolates += (letter == "\u2068") - (letter == "\u2069")
        # What turns around is shut in, and no name can open or close that
        assert isolates in (0, 1)
    assert isolates == 0
    head, *lines, _ = rows(searched)
    start = {columns(line[: -len(sentence(searched, step))]) for step, line in enumerate(lines)}
    assert start == {columns(head) + 2}


# Results in a line


@given(any_trace)
def test_the_result_in_one_line(searched):
    read, skipped = searched.leaves_at(len(searched))
    truth, root, passed = Truth(searched, len(searched)), searched.tree.root.name, read + skipped
    values = {
        "seen": read,
        "skipped": skipped,
        "passed": passed,
        "share": skipped and round(100 * skipped / passed),
    }
    form = (
        "read"
        if not skipped
        else "read and saved"
        if passed == truth.leaves(root)
        else "read and saved so far"
    )
    values |= {
        "counts": write(RESULTS[form], values),
        "cuts": len(searched.cuts),
        "value": searched.value,
    }
    values |= {
        "line": " → ".join(oracle.line(searched, truth.step) or [root]),
        "best": searched.best,
    }
    remark = truth.root_bound()
    form = "bound" if remark else "exact" if searched.best else "leaf"
    assert remark == "" or "alpha" in searched.options
    assert summary(searched) == write(RESULTS[form], values | {"remark": remark})
