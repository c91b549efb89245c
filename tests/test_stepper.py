"""The widget without a browser: its traits, what it answers, what it leaves in a notebook and in an exported page."""

import base64
import copy
import gc
import json
import re
import threading
import weakref
from html.parser import HTMLParser
from math import inf
from pathlib import Path
from typing import Any

import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import Rules, Stepper, Tree, alphabeta, draw, load, minimax, shipped, trace
from abviz.errors import AbvizError, visible
from abviz.tracing.narration import sentence
from abviz.tracing.questions import KINDS
from abviz.tracing.traces import Trace
from abviz.tree.files import parse
from abviz.views.frames import all_frames
from abviz.views.html_export import export, page
from abviz.views.stepper import SWITCHES, watch
from tests import strategies
from tests.hostile import HALF_A_PAIR, NAMES, assert_inert

SHIPPED = shipped()
FIGURE = trace(load("figure-4.24"))
TRACES = r"^asked to export .*; expected traces, as trace\(tree\) makes them$"
RULES = [name for name, *_ in SWITCHES]


class Comm:
    """What a widget sends to the browser."""

    kernel = "some kernel"
    comm_id = "abviz"

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def send(self, data: dict[str, Any], *_: Any, **__: Any) -> None:
        self.messages.append(copy.deepcopy(data))

    def close(self, *_: Any, **__: Any) -> None:
        pass

    def on_msg(self, act: Any) -> None:
        self.heard = act


@pytest.fixture
def stepper() -> Stepper:
    return Stepper(load("figure-4.24"))


def ask(stepper: Stepper, **what: Any) -> None:
    """As the browser does it."""
    number = stepper.asked.get("number", 0) + 1
    stepper.set_state({"asked": {**what, "number": number}})


def value(text: Any) -> str:
    """As a reader types it."""
    return {None: "?", inf: "∞", -inf: "−∞"}.get(text, str(text).replace("-", "−"))


# its traits


def test_it_takes_a_trace_or_a_tree_and_nothing_else() -> None:
    tree = load("figure-4.24")
    assert Stepper(tree).trace.events == trace(tree).events
    searched = trace(tree, search=minimax)
    assert Stepper(searched).trace is searched
    for wrong in (None, "figure-4.24", [[3, 5], [2, 9]]):
        with pytest.raises(AbvizError, match="expected a Tree"):
            Stepper(wrong)


STEP = r"^step is .*; expected 0 \(before the search\) to 39 \(its end\)$|expected an int"


@pytest.mark.parametrize(
    ("trait", "legal", "wrong", "message"),
    [
        *[("step", 7, step, STEP) for step in (-1, 40, 99, 10**12)],
        ("form", "aima", "x", "unknown form of the pseudocode 'x': there are assignment, aima"),
        ("form", "aima", "csc38", "did you mean csc384"),
        *[("speed", 2, speed, r"expected 0\.5, 1, 2, 4") for speed in (0, 3, -1, float("nan"))],
        *[("predict", ["bv"], kinds, r"kind of question|predict is") for kinds in (3, "cuts", ["bv", "x"], [1])],
    ],
)
def test_a_value_that_a_trait_cannot_have_is_refused_and_the_one_before_stays(
    stepper: Stepper, trait: str, legal: Any, wrong: Any, message: str
) -> None:
    setattr(stepper, trait, legal)
    for setting in (lambda: setattr(stepper, trait, wrong), lambda: stepper.set_state({trait: wrong})):
        with pytest.raises(AbvizError, match=message) as caught:
            setting()
        assert isinstance(caught.value, traitlets.TraitError) and len(caught.value._render_traceback_()) == 1
        assert getattr(stepper, trait) == legal
    if trait != "speed":
        with pytest.raises(AbvizError, match=message):
            Stepper(stepper.trace, **{trait: wrong})


def test_it_asks_only_the_chosen_kinds_of_question(stepper: Stepper) -> None:
    assert (stepper.predict, stepper.show_of_hands) == ([], False)
    for chosen, kinds in ((True, list(KINDS)), (("cut", "bv"), ["bv", "cut"]), ("kind", ["kind"]), (False, [])):
        assert Stepper(stepper.trace, predict=chosen).predict == kinds
        stepper.predict = chosen
        assert stepper.predict == kinds
    hands = Stepper(stepper.trace, show_of_hands=True)
    assert (hands.predict, hands.show_of_hands) == (list(KINDS), True)
    stepper.set_state({"predict": ["returned"]})
    assert stepper.predict == ["returned"]


# what it answers


def test_a_step_from_the_browser_is_not_sent_back(stepper: Stepper) -> None:
    stepper.comm = comm = Comm()
    stepper.set_state({"step": 9})
    assert stepper.step == 9
    assert not [each for each in comm.messages if each["method"] == "update"]


def test_a_recorded_run_stays_as_it_is_and_says_so() -> None:
    def search(node: Any) -> Any:
        return node.value if node.is_leaf else max(search(child) for child in node.children)

    stepper = watch(search, load("figure-4.24"))
    assert stepper.frames["forms"][0]["lines"][0] == [0, "def search(node: Any) -> Any:"]
    stepper.form = "own"
    before = stepper.trace
    for asked in ({"leaf": "D", "value": "9"}, {"search": "minimax"}, {"strict": "on"}, {"tree": "figure-4.24"}):
        ask(stepper, **asked)
        assert stepper.trace is before
        assert stepper.problem == "this run of search stays as it was recorded; expected record(search, another tree)"


def test_a_what_if_shows_what_came_of_it_and_can_be_undone(stepper: Stepper) -> None:
    before = stepper.trace
    ask(stepper, leaf="D", value=" 0 ")
    assert stepper.trace.tree == before.tree.with_value("D", 0)
    assert stepper.step == len(stepper.trace) and stepper.trace.value == 4
    assert stepper.trace.cuts != before.cuts
    ask(stepper, leaf="E", value="−∞")
    assert stepper.trace.tree["E"].value == -inf and stepper.trace.tree["D"].value == 0
    assert [row[9] for row in stepper.frames["nodes"] if row[9] is not None] == ["3", "5"]
    ask(stepper, undo=True)
    assert stepper.trace is before and stepper.step == len(before)
    assert stepper.frames == all_frames(before) and stepper.choices["changed"] is False


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        *[({"leaf": "D", "value": text}, "expected a number") for text in ("", "three", "nan", "1e999x", "0x10")],
        *[({"leaf": "D", "value": text}, "expected a number") for text in ("--3", "1,5", "x" * 5000, "<b>", "\n")],
        *[({"leaf": "D", "value": text}, "expected a number") for text in ("٣ ٤", "1_0", "1e400")],
        ({"leaf": "D"}, "expected a number"),
        ({"leaf": "D", "value": "?"}, "the value of leaf D is not known"),
        *[({"tree": name}, "unknown tree") for name in ("figure", "/etc/passwd", "-")],
        ({"search": "mine"}, "unknown search"),
    ],
    ids=repr,
)
def test_a_request_that_cannot_be_met_changes_nothing(stepper: Stepper, asked: dict[str, str], message: str) -> None:
    before = stepper.trace, stepper.step, stepper.frames, stepper.choices
    ask(stepper, **asked)
    assert message in stepper.problem and len(stepper.problem) < 200 and "\n" not in stepper.problem
    assert (stepper.trace, stepper.step, stepper.frames, stepper.choices) == before
    ask(stepper, leaf="D", value="4")
    assert stepper.problem == "" and stepper.trace.value == 4


def test_dropdowns_go_back_to_what_is_shown_after_a_problem() -> None:
    limited = Stepper(trace(Tree({"children": [{"children": [[3, 1], 4], "value": 2}, 5]}), depth=1), step=1)
    before, choices = limited.trace, limited.choices
    limited.comm = comm = Comm()
    ask(limited, tree="worked-example")  # there no static value ends the search at depth 1
    assert "static value" in limited.problem
    assert limited.trace is before and limited.choices == choices and limited.step == 1
    sent = [each["state"]["choices"] for each in comm.messages if "choices" in each.get("state", {})]
    assert sent == [{}, choices], "equal choices would not be sent, and the browser would not hear of it"


def test_another_tree_is_shown_whole_and_the_own_one_in_part_again() -> None:
    stepper = Stepper(strategies.comb(100), node="0." * 90 + "0")
    shown = len(stepper.frames["nodes"])
    for asked, nodes in [({"tree": "figure-4.24"}, 14), ({"tree": "this"}, shown), ({"strict": "on"}, shown)]:
        ask(stepper, **asked)
        assert stepper.problem == "" and len(stepper.frames["nodes"]) == nodes


def test_what_a_search_was_told_stays_until_another_search_is_chosen() -> None:
    tree = Tree([[[inf, 3], 5], 4])
    stepper = Stepper(trace(tree, search=minimax, early_stop=True, rules=Rules(right_to_left=True)))
    ask(stepper, leaf="0.1", value="6")
    assert stepper.trace.options == {"early_stop": True}
    ask(stepper, search="alphabeta")
    assert stepper.trace.options == {} and stepper.trace.rules == Rules(right_to_left=True)
    narrow = Stepper(trace(tree, alpha=0, beta=3, depth=9))
    ask(narrow, strict="on")
    assert narrow.trace.options == {"alpha": 0, "beta": 3} and narrow.trace.depth == 9


# whatever is asked, in whatever order: the trace of an edited tree is that of the same tree built fresh

asks = st.one_of(
    st.tuples(st.just("tree"), st.sampled_from(["this", *SHIPPED])),
    st.tuples(st.just("search"), st.sampled_from(["alphabeta", "minimax"])),
    st.tuples(st.sampled_from(RULES), st.sampled_from(["on", "off"])),
    st.tuples(
        st.just("leaf"), st.integers(0, 50), st.one_of(st.integers(-9, 9), st.sampled_from([inf, -inf, None, "x"]))
    ),
    st.tuples(st.just("leaf"), st.integers(0, 50), st.integers(-9, 9)),
    st.just(("undo", True)),
    st.tuples(st.just("step"), st.integers(0, 200)),
)


class Model:
    """What should be shown, from scratch."""

    def __init__(self, own: Tree):
        self.own = self.tree = own
        self.edits: dict[str, float | None] = {}
        self.search = alphabeta
        self.switches: dict[str, bool] = {}

    def trace(self, edits: dict[str, float | None]) -> Trace:
        rows = parse(self.tree.to_yaml())
        for name, new in edits.items():
            rows = rows.with_value(name, new)
        return trace(parse(rows.to_yaml()), search=self.search, rules=Rules(**self.switches))

    def told(self, kind: str, *what: Any) -> dict[str, Any]:
        """What the browser would ask for, done here too."""
        if kind == "leaf":
            leaves = [node.name for node in self.tree.nodes if node.is_leaf]
            name, new = leaves[what[0] % len(leaves)], what[1]
            if new != "x":
                edits = {**self.edits, name: new}
                try:
                    self.trace(edits)
                except AbvizError:
                    return {"leaf": name, "value": value(new)}
                self.edits = edits
            return {"leaf": name, "value": value(new)}
        if kind == "undo":
            self.edits = {}
        elif kind == "tree":
            self.tree, self.edits = self.own if what[0] == "this" else load(what[0]), {}
        elif kind == "search":
            self.search = {"alphabeta": alphabeta, "minimax": minimax}[what[0]]
        else:
            self.switches[kind] = what[0] == "on"
        return {kind: what[0]}


@settings(max_examples=strategies.FEWER)
@given(strategies.trees(most=12), st.lists(asks, max_size=8))
def test_whatever_is_asked_it_shows_the_trace_of_that_tree_built_fresh(tree: Tree, wishes: list[Any]) -> None:
    stepper, model = Stepper(tree), Model(tree)
    for wish in wishes:
        if wish[0] == "step":
            stepper.set_state({"step": wish[1] % (len(stepper.trace) + 1)})
            continue
        before = stepper.trace
        asked = model.told(*wish)
        ask(stepper, **asked)
        fresh, original = model.trace(model.edits), model.trace({})
        assert [tuple(e._replace(node=e.node.name)) for e in stepper.trace.events] == [
            tuple(e._replace(node=e.node.name)) for e in fresh.events
        ]
        assert stepper.frames == all_frames(fresh, original=original)
        assert stepper.choices["changed"] == bool(model.edits) or stepper.trace.tree == original.tree
        assert bool(stepper.problem) == (stepper.trace is before and "leaf" in asked)
        is_alphabeta = stepper.trace.search == "alphabeta"
        assert {row["name"]: row["value"] == "on" for row in stepper.choices["rules"]} == {
            name: model.switches.get(name, False) for name in RULES if is_alphabeta or name == "right_to_left"
        }
        assert 0 <= stepper.step <= len(stepper.trace)
    stepper.close()


# what it leaves behind


def test_a_stepper_that_is_closed_is_gone() -> None:
    before = {*threading.enumerate()}
    gone = []
    for _ in range(20):
        stepper = Stepper(load("figure-4.24"))
        stepper.observe(lambda change: None, "step")
        ask(stepper, leaf="D", value="9")
        gone.append(weakref.ref(stepper))
        stepper.close()
        del stepper
    gc.collect()
    assert [each() for each in gone] == [None] * 20
    assert {*threading.enumerate()} <= before  # some of those of other tests may have ended


def test_a_notebook_gets_the_widget_and_beside_it_a_picture(stepper: Stepper, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    stepper.step = 17
    stepper._ipython_display_()
    live, still = shown
    assert live["application/vnd.jupyter.widget-view+json"]["model_id"] == stepper.model_id
    assert live["text/plain"] == repr(stepper) and not any(kind.startswith("image") for kind in live)
    assert base64.b64decode(still["image/png"]) == draw(stepper.trace, 17).pipe("png")
    assert still["text/plain"] == sentence(stepper.trace, 17)


# one file


class Page(HTMLParser):
    """What an exported page is made of."""

    VOID = ("meta", "!doctype")

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def states(self) -> list[dict[str, Any]]:
        return json.loads(next(text for text in self.texts["script"] if text.startswith("[")))


@pytest.mark.parametrize("name", [*NAMES, HALF_A_PAIR], ids=ascii)
def test_no_name_gets_out_of_its_place_in_a_page(name: str) -> None:
    def tree(name: str) -> Tree:
        notes = {"title": f"{name}</title><script>", "source": name, "note": f"</script>{name}<!--"}
        return Tree({name: [3, 5], "C": {name + "</script>": 2, "<!-- E": [9]}}, root=name + "?", **notes)

    text = page([trace(tree(name))])
    text.encode()
    found, plain = Page(text), Page(page([trace(tree("x"))]))
    for each in (found, plain):  # a longer caption has more lines
        each.tags = [tag for tag in each.tags if tag[0] != "text"]
    assert [tag for tag, _ in found.tags] == [tag for tag, _ in plain.tags]
    (state,) = found.states()
    assert [row[0] for row in state["frames"]["nodes"]][:2] == [name + "?", name]
    assert found.texts["title"][0] == visible(f"{name}</title><script>")
    (data,) = re.findall(r'<script type="application/json" id="abviz-frames">(.*?)</script>', text, re.DOTALL)
    assert "<" not in data
    assert_inert(text[text.index("<svg") : text.index("</svg>") + 6])


def test_a_stepper_exports_what_it_shows_and_asks(stepper: Stepper, tmp_path: Path) -> None:
    stepper.form, stepper.predict, stepper.show_of_hands = "csc384", ("cut",), True
    ask(stepper, leaf="N", value="1")
    stepper.step = 17
    deep = Stepper(strategies.comb(100), node="0." * 90 + "0")
    states = []
    for each in (stepper, deep):
        (state,) = Page(each.export(tmp_path / "page.html").read_text(encoding="utf-8")).states()
        assert state["frames"] == json.loads(json.dumps(each.frames))
        states.append([state[name] for name in ("step", "form", "predict", "show_of_hands")])
    assert states == [[17, "csc384", ["cut"], True], [0, "assignment", [], False]]
    assert ["1", "7"] in [row[8:10] for row in stepper.frames["nodes"]], "the former value is there too"


def test_the_picture_without_scripts_shows_no_end_that_is_to_be_predicted(stepper: Stepper) -> None:
    assert "Step 39 of 39" in page(stepper.trace)
    asking = page(stepper.trace, predict=True)
    assert "Step 39 of 39" not in asking and "Step 0 of 39" in asking


def test_a_page_is_the_same_each_time_and_small(tmp_path: Path) -> None:
    tree = next(tree for seed in range(10_000) if len(tree := Tree.random(seed)) == 40)
    one = export([trace(tree)], tmp_path / "one.html")
    other = export(trace(parse(tree.to_yaml())), str(tmp_path / "other.html"))
    assert one == tmp_path / "one.html" and one.read_bytes() == other.read_bytes()
    assert len(one.read_bytes()) <= 150_000


@pytest.mark.parametrize(
    ("traces", "name", "options", "message"),
    [
        ([], "page.html", {}, "^nothing to export"),
        ([FIGURE, trace(strategies.comb(100))], "page.html", {}, "unreadable"),
        (FIGURE, "missing/page.html", {}, "there is no folder"),
        (FIGURE, "page.txt", {}, r"expected \.html"),
        (FIGURE, "page.html", {"step": 40}, "expected 0"),
        (FIGURE, "page.html", {"form": "zz"}, "^unknown form of the pseudocode 'zz': there are assignment"),
        *[(thing, "page.html", {}, TRACES) for thing in (3, None, "abc", FIGURE.tree, [FIGURE, 3])],
        *[(FIGURE, path, {}, "^asked to export to .*; expected the name of a file$") for path in (None, 3, [])],
    ],
    ids=repr,
)
def test_a_page_is_refused_in_one_line_and_none_is_written(
    traces: Any, name: Any, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text("old")
    with pytest.raises(AbvizError, match=message):
        export(traces, tmp_path / name if isinstance(name, str) else name, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "old"


def test_the_reader_stays_where_they_are_but_for_another_tree_or_a_what_if(stepper: Stepper) -> None:
    stepper.step = 17
    ask(stepper, test_first="on")
    assert stepper.step == 17
    ask(stepper, leaf="N", value="-9")
    assert stepper.step == len(stepper.trace)
    assert stepper.frames["what_if"] == "With N = −9 the search still returns 4."
    ask(stepper, undo=True)
    assert stepper.step == len(stepper.trace) and stepper.frames["what_if"] == ""
    ask(stepper, leaf="H", value="9")
    assert stepper.frames["what_if"] == "With H = 9 the search returns 5 and no longer 4."
    ask(stepper, tree="deep-cut")
    assert stepper.step == 0
