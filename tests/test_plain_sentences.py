"""The sentences of the levels that name no bound: what they leave unsaid, and that the rest is true."""

import re
from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import example, given

from abviz import Rules, Tree, load, minimax, record, trace
from abviz.errors import AbvizError, number
from abviz.tracing.narration import narrate, sentence
from abviz.tracing.shows import SHOWS
from abviz.tracing.traces import Trace
from tests import oracle, strategies
from tests.solutions import writing

NUMBER = r"−?(?:∞|\d+(?:\.\d+)?)"
AT = r"At (?P<node>\w+), \w+ "
# What a sentence claims of a node: its lowest value, its highest, or its value.
CLAIMS = (
    rf"{AT}can (?:now )?get (?P<low>{NUMBER})",
    rf"{AT}can now hold the result to (?P<high>{NUMBER})",
    rf"{AT}can hold \w+ to (?P<high>{NUMBER})",
    rf"already has (?P<low>{NUMBER}) at (?P<node>\w+)\.",
    rf"can already hold \w+ to (?P<high>{NUMBER}) at (?P<node>\w+)\.",
    rf"{AT}has (?P<value>{NUMBER}), and nothing",
    rf"\b(?!it\b)(?P<node>\w+) is worth (?P<value>{NUMBER})[.:]",
    rf"(?P<node>\w+) returns {NUMBER}: it is worth (?P<value>{NUMBER})\.",
    rf"(?P<node>\w+) returns {NUMBER}: it is worth at least (?P<low>{NUMBER})",
    rf"(?P<node>\w+) returns {NUMBER}: it is worth at most (?P<high>{NUMBER})",
    rf"(?P<node>\w+) returns {NUMBER}: it is worth between (?P<low>{NUMBER}) and "
    rf"(?P<high>{NUMBER})\.",
)
SKIPPED = re.compile(r"the (other|remaining) (reply|replies|move|moves) (?:is|are) skipped")


def read_number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def claims(text: str) -> Iterator[tuple[str, float, float]]:
    """Yield a node, and the lowest and highest value that the text leaves it."""
    for claim in CLAIMS:
        for found in re.finditer(claim, text):
            parts = {name: part for name, part in found.groupdict().items() if part is not None}
            node = parts.pop("node")
            numbers = {name: read_number(part) for name, part in parts.items()}
            value = numbers.get("value")
            low = numbers.get("low", -inf if value is None else value)
            high = numbers.get("high", inf if value is None else value)
            yield node, low, high


def worth(searched: Trace, name: str) -> float:
    depth = inf if searched.depth is None else searched.depth - oracle.levels(searched.tree)[name]
    return oracle.minimax_value(searched.tree[name], depth)


@example(trace(Tree([inf, 3]), search=minimax, early_stop=True))
@example(trace(Tree([[[5, 1], [7, 9]], [[1, 2], [3, 4]]]), rules=Rules(fail_hard=True)))
@given(strategies.traces(narrow=True, plain=True))
def test_a_plain_sentence_names_no_bound_and_is_true(searched):
    for step in range(len(searched) + 1):
        values, bv = (sentence(searched, step, show) for show in ("values", "bv"))
        assert not re.search(r"[αβ]|\bbv\b", values)
        assert not re.search("[αβ]", bv)

        kind = searched.events_at(step)[0].kind if step else "start"
        said = list(claims(values))
        for node, low, high in said:
            assert low <= worth(searched, node) <= high, values
        if kind in ("cut", "alpha", "beta"):
            assert said, values
        if kind == "exit" and "it is worth" not in values and " is worth " not in values:
            state = searched.node_at(searched.where(step), step)
            assert (state.low, state.high) == (-inf, inf)

        if picked := re.search(r": \w+ picks (\w+)\.", values):
            assert searched.tree[picked[1]] in searched.where(step).children
            assert worth(searched, picked[1]) == worth(searched, searched.where(step).name)


@given(strategies.traces(narrow=True, plain=True))
def test_a_plain_sentence_counts_what_is_skipped(searched):
    for cut in searched.cuts:
        found = SKIPPED.search(sentence(searched, cut.step, "values"))
        assert found
        which, what = found.groups()
        node = searched.tree[cut.at]
        above = searched.tree.parent(node)
        assert (which == "other") == (len(node.children) - len(cut.skipped) == 1)
        assert (what in ("reply", "move")) == (len(cut.skipped) == 1)
        assert what.startswith("repl") == (above is not None and above.is_max != node.is_max)


def test_the_two_kinds_of_cut_in_plain_words():
    searched = trace(load("worked-example"))
    beta, alpha, _ = searched.cuts
    assert sentence(searched, beta.step, "values") == (
        "MIN can already hold MAX to 6 at E. At F, MAX can get 7, so the other reply is skipped."
    )
    assert sentence(searched, alpha.step, "values") == (
        "MAX already has 6 at B. At C, MIN can hold MAX to 2, so the other reply is skipped."
    )
    assert sentence(searched, beta.step, "bv") == (
        "bv = 7 has reached the 6 that MIN already has at B (through E), so F's other children "
        "can't matter. The search skips f2: 1 leaf saved."
    )


def test_the_levels_with_bounds_have_the_sentences_of_the_printed_trace():
    searched = trace(load("figure-4.24"))
    for step in range(len(searched) + 1):
        usual = sentence(searched, step)
        assert usual == sentence(searched, step, "bounds") == sentence(searched, step, "all")
        assert usual in str(searched)


def test_the_page_begins_with_an_invitation():
    invitation = "▲ MAX wants a big number, ▼ MIN a small one. What can {} be sure of? Press Next."
    for name, player in (("worked-example", "MAX"), ("min-root", "MIN")):
        searched = trace(load(name))
        for show in SHOWS:
            assert narrate(searched, 0, show) == invitation.format(player)
            assert narrate(searched, 1, show) == sentence(searched, 1, show)
            assert sentence(searched, 0, show).startswith("Before the search: ")


def test_a_recorded_run_has_plain_sentences():
    run = record(writing.alphabeta, load("worked-example"))
    for step in range(len(run) + 1):
        assert not re.search(r"[αβ]|\bbv\b", sentence(run, step, "values"))
        assert not re.search("[αβ]", sentence(run, step, "bv"))
        assert narrate(run, step, "values") == sentence(run, step, "values")


def test_an_unknown_level_has_no_sentences():
    with pytest.raises(AbvizError, match="unknown level for show"):
        sentence(trace(load("worked-example")), 0, "simple")


@given(strategies.traces(narrow=True, plain=True))
def test_the_sentence_says_what_the_sign_beside_a_name_has_come_to(searched: Trace) -> None:
    """At the level of bv, where nothing else says why it is there."""
    for step in range(1, len(searched) + 1):
        event = searched.events_at(step)[0]
        said = re.search(r" So (\S+) is worth (.+)\.$", sentence(searched, step, "bv"))
        low, high = oracle.come_up(searched, step)[event.node.name]
        has_changed = (low, high) != oracle.come_up(searched, step - 1)[event.node.name]
        assert bool(said) == (event.kind == "bv" and has_changed), step
        if not said:
            continue

        worth = {
            f"{number(low)} or more": (low, inf),
            f"{number(high)} or less": (-inf, high),
            f"{number(low)} to {number(high)}": (low, high),
            f"{number(low)}": (low, low),
        }
        assert said[1] == event.node.name and worth[said[2]] == (low, high)
