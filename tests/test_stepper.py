"""The widget without a browser: its traits, what it answers, what it leaves in a notebook and in an
exported page.
"""

import base64
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st
from ipywidgets.embed import dependency_state
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import run_kernel
from PIL import Image, ImageChops

from abviz import Checkers, Rules, Stepper, Tree, alphabeta, draw, load, minimax, trace
from abviz.errors import AbvizError, visible
from abviz.tracing.narration import sentence
from abviz.tracing.templates import KINDS
from abviz.tracing.traces import Trace
from abviz.tree.files import parse
from abviz.views.bundle import export, module, number_to_json, page, page_data, tree_data
from abviz.views.stepper import watch
from tests import strategies
from tests.hostile import HALF_A_PAIR, NAMES

FIGURE = trace(load("figure-4.24"))


@pytest.fixture
def stepper() -> Stepper:
    return Stepper(load("figure-4.24"))


# its traits


def test_it_takes_a_trace_or_a_tree_and_nothing_else() -> None:
    tree = load("figure-4.24")
    assert Stepper(tree).trace.events == trace(tree).events
    searched = trace(tree, search=minimax)
    assert Stepper(searched).trace is searched
    for wrong in (None, "figure-4.24", [[3, 5], [2, 9]]):
        with pytest.raises(AbvizError, match="expected a Tree"):
            Stepper(wrong)


@pytest.mark.parametrize(
    ("trait", "legal", "wrong", "message"),
    [
        *[
            ("step", 7, step, r"^step is .*; expected 0 .* to 39|expected an int")
            for step in (-1, 40, 10**12, "3")
        ],
        ("form", "aima", "csc38", "expected any of .*'csc384'"),
        ("speed", 2, 3, r"expected any of \[0\.5, 1, 2, 4\]"),
        *[
            ("predict", ["bv"], kinds, r"expected a list|expected any of")
            for kinds in (3, "cuts", ["bv", "x"], [1])
        ],
    ],
)
def test_a_value_that_a_trait_cannot_have_is_refused_and_the_one_before_stays(
    stepper: Stepper, trait: str, legal: Any, wrong: Any, message: str
) -> None:
    setattr(stepper, trait, legal)
    for setting in (
        lambda: setattr(stepper, trait, wrong),
        lambda: stepper.set_state({trait: wrong}),
    ):
        with pytest.raises(traitlets.TraitError, match=message) as caught:
            setting()
        assert len(str(caught.value).splitlines()) == 1
        assert getattr(stepper, trait) == legal


def test_it_asks_only_the_chosen_kinds_of_question(stepper: Stepper) -> None:
    assert (stepper.predict, stepper.show_of_hands) == ([], False)
    for chosen, kinds in (
        (True, list(KINDS)),
        (("cut", "bv"), ["bv", "cut"]),
        ("kind", ["kind"]),
        (False, []),
    ):
        assert Stepper(stepper.trace, predict=chosen).predict == kinds
    with pytest.raises(AbvizError, match=r"^unknown kind of question 'cuts'"):
        Stepper(stepper.trace, predict="cuts")
    hands = Stepper(stepper.trace, show_of_hands=True)
    assert (hands.predict, hands.show_of_hands) == (list(KINDS), True)


# what it answers


def sent(tree: Tree, search: str = "alphabeta", **more: Any) -> dict[str, Any]:
    """What the page sends of a changed tree."""
    rows = [[row.name, row.is_max, number_to_json(row.value), row.parent] for row in tree.rows()]
    texts = {"title": visible(tree.title), "source": visible(tree.source)}
    return (
        texts | {"rows": rows, "search": search, "rules": {}, "depth": None, "asks": False} | more
    )


def edit(stepper: Stepper, tree: Tree, search: str = "alphabeta", **rules: bool) -> None:
    stepper.set_state({"edited": sent(tree, search, rules=rules)})


@settings(max_examples=strategies.FEWER)
@given(
    strategies.trees(most=12),
    strategies.trees(most=12),
    st.sampled_from(["alphabeta", "minimax"]),
    strategies.rules(),
)
def test_what_the_page_shows_is_searched_here_too(
    tree: Tree, other: Tree, search: str, rules: Rules
) -> None:
    stepper = Stepper(tree)
    for shown in (other, tree):
        edit(stepper, shown, search, **asdict(rules))
        fresh = trace(
            shown, search={"alphabeta": alphabeta, "minimax": minimax}[search], rules=rules
        )
        assert stepper.tree.rows() == shown.rows() and stepper.problem == ""
        assert [tuple(e._replace(node=e.node.name)) for e in stepper.trace.events] == [
            tuple(e._replace(node=e.node.name)) for e in fresh.events
        ]
    stepper.close()


def test_a_tree_and_a_step_of_it_may_come_in_one_message() -> None:
    stepper = Stepper(Tree([3, 5]))
    stepper.set_state({"edited": sent(load("worked-example")), "step": 50})
    assert (stepper.step, len(stepper.trace), stepper.problem) == (50, 55, "")
    stepper.set_state({"edited": sent(Tree([3])), "step": 50})
    assert stepper.step == len(stepper.trace) < 10


def test_a_tree_from_the_page_has_the_title_that_the_page_shows(stepper: Stepper) -> None:
    own = stepper.tree
    for more, expected in [
        ({}, own),
        ({"title": "Mine", "source": ""}, Tree.from_rows(own.rows(), "Mine", "")),
        ({}, own),
    ]:
        stepper.set_state({"edited": sent(own, **more)})
        assert stepper.tree == expected


def test_a_tree_that_cannot_be_searched_changes_nothing(stepper: Stepper) -> None:
    before = stepper.trace
    edit(stepper, Tree([3, None]))
    assert stepper.trace is before and "not known" in stepper.problem
    edit(stepper, before.tree.with_value("D", 4))
    assert stepper.problem == "" and stepper.trace.value == 4


def test_a_recorded_run_stays_as_it_is() -> None:
    def search(node: Any) -> Any:
        return node.value if node.is_leaf else max(search(child) for child in node.children)

    stepper = watch(search, load("figure-4.24"))
    stepper.form = "own"
    assert (
        stepper.spec["search"]["source"]["lines"][0] == "    def search(node: Any) -> Any:".strip()
    )


def test_a_window_and_early_stop_stay_until_another_search_is_chosen() -> None:
    tree = Tree([[3, 5], [2, 9]])
    narrow = Stepper(trace(tree, alpha=0, beta=3, depth=9))
    narrow.set_state({"edited": sent(tree.with_value("b1", 6), rules={"strict": True}, depth=9)})
    assert (narrow.trace.options, narrow.trace.depth) == ({"alpha": 0, "beta": 3}, 9)
    stopping = Stepper(trace(tree, search=minimax, early_stop=True))
    edit(stopping, tree.with_value("b1", 6), "minimax")
    assert stopping.trace.options == {"early_stop": True}
    edit(stopping, tree, "alphabeta")
    assert stopping.trace.options == {}


def test_text_that_only_python_reads_is_sent_back_as_a_tree_or_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stepper, answers = Stepper(Tree([3, 5])), list[Any]()
    monkeypatch.setattr(stepper, "send", answers.append)
    mine = "title: Mine\ntree: {B: [3, 5], C: [2, 9]}"
    for request, text in {"v-1": mine, "v-2": "tree: {B: {"}.items():
        stepper._handle_custom_msg({"id": request, "text": text}, [])
    assert answers[0] == {"id": "v-1", "tree": tree_data(parse(mine))}
    assert answers[1]["id"] == "v-2"
    assert answers[1]["problem"].startswith("the text, line 2: this does not parse")


def test_a_game_is_searched_anew_where_the_page_lacks_a_part() -> None:
    stepper = Stepper(Checkers.from_fen("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"), depth=2)
    changed = stepper.tree.with_value("16-19 15-11 22x8 24x15", -500)
    own, nodes = stepper.tree, len(stepper.spec["rows"])
    stepper.set_state({"edited": sent(changed, asks=True, id="v-1")})
    assert stepper.spec["reply"] == "v-1"
    assert (
        stepper.problem == ""
        and len(stepper.trace) == len(trace(changed))
        and len(stepper.spec["rows"]) != nodes
    )
    stepper._handle_custom_msg({"id": "v-2", "restore": True}, [])
    assert stepper.tree == own and len(stepper.spec["rows"]) == nodes, "the page's Undo"
    assert stepper.spec["reply"] == "v-2"


def test_a_request_that_is_refused_is_named(
    stepper: Stepper, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Any] = []
    monkeypatch.setattr(stepper, "send", answers.append)
    before, spec = stepper.trace, stepper.spec
    stepper.set_state({"edited": sent(Tree([3, None]), asks=True, id="v-1")})
    (answer,) = answers
    assert answer["id"] == "v-1" and "not known" in answer["problem"]
    assert stepper.problem == "", "which all views would show"
    assert stepper.trace is before and stepper.spec is spec


# what it leaves behind


def test_each_further_stepper_adds_few_bytes_to_a_saved_notebook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page's code is saved once; of a stepper its tree, its places, its settings and a picture."""
    outputs: list[str] = []
    monkeypatch.setattr(
        "IPython.display.display", lambda data, raw: outputs.append(json.dumps(data))
    )

    steppers = [Stepper(load("order-worst")) for _ in range(3)]
    sizes = [len(json.dumps(dependency_state(steppers[:n]))) for n in (1, 2, 3)]
    assert len(steppers[0].tree) == 40 and 100_000 < sizes[0] < 128_000, "the page, once"
    assert sizes[1] - sizes[0] < 6_000 and sizes[2] - sizes[1] < 6_000
    steppers[1]._ipython_display_()
    assert sum(map(len, outputs)) < 50_000


@pytest.fixture
def kernel() -> Iterator[BlockingKernelClient]:
    with run_kernel(kernel_name="python3") as client:
        yield client


def run_cell(kernel: BlockingKernelClient, cell: str, code: str, expression: str = "None") -> str:
    """Run the code as a notebook runs a cell; return what the expression is worth then."""
    content = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {"it": expression},
    }
    message = kernel.session.msg("execute_request", content, metadata={"cellId": cell})
    kernel.shell_channel.send(message)
    reply = kernel._recv_reply(message["header"]["msg_id"], timeout=60)["content"]
    assert reply["status"] == "ok" and reply["user_expressions"]["it"]["status"] == "ok", reply
    return str(reply["user_expressions"]["it"]["data"]["text/plain"])


LIVE = """
import gc, ipywidgets
from abviz import *
from abviz.cells import CellWidget
from abviz.timing import Timing

def live():
    gc.collect()
    ours = sum(CellWidget in type(each).__mro__ for each in gc.get_objects())
    models = [type(each) for each in ipywidgets.widgets.widget._instances.values()]
    return ours, sum(each is not ipywidgets.Layout for each in models)
"""
SHOWN = {
    "s = Stepper(tree); display(s, Stepper(tree))": 2,
    "Stepper(tree)": 1,
    "ipywidgets.VBox([Stepper(tree), Stepper(tree)])": 2,
    "Board(TicTacToe.start())": 1,
    "Timing(TicTacToe.start())": 1,
    "predict('How many?', name='n', between=(0, 9))": 1,
}


@pytest.mark.parametrize(
    "code",
    [*list(SHOWN)[:1], *(pytest.param(each, marks=pytest.mark.slow) for each in list(SHOWN)[1:])],
)
def test_ten_runs_of_a_cell_leave_as_many_widgets_as_one(
    kernel: BlockingKernelClient, code: str
) -> None:
    run_cell(kernel, "first", f"{LIVE}tree = load('deep-cut'); ipywidgets.Widget.close_all()")
    run_cell(kernel, code, code)
    _, models = eval(run_cell(kernel, "last", "", "live()"))
    for _ in range(10):
        run_cell(kernel, code, code)
    in_memory, still = eval(run_cell(kernel, "last", "", "live()"))
    assert still == models and 1 <= in_memory <= 4 * SHOWN[code], (
        "those that are shown, and _, __ and ___"
    )


def test_a_stepper_that_another_cell_shows_stays_and_a_closed_one_opens_again(
    kernel: BlockingKernelClient,
) -> None:
    run_cell(
        kernel,
        "first",
        f"{LIVE}s = a = Stepper(load('deep-cut')); b = Stepper(load('deep-cut'), step=3)",
    )
    for cell in ("one", "two"):
        run_cell(kernel, cell, "s")
    states = "[s.comm is not None and s.layout.comm is not None for s in (a, b)]"
    assert run_cell(kernel, "one", "s = b; s", states) == "[True, True]", "cell two shows a"
    assert run_cell(kernel, "two", "s", states) == "[False, True]"
    assert run_cell(kernel, "three", "a", states) == "[True, True]"
    assert run_cell(kernel, "four", "ipywidgets.Widget.close_all(); b", states) == "[False, True]"
    made = "c, t = Stepper(load('deep-cut')), Timing(TicTacToe.start()); box = ipywidgets.HBox([b, c, t]); box"
    run_cell(kernel, "five", made)
    states = "[w.comm is not None for w in (b, c, t, t.children[0].children[0].layout, box)]"
    assert (
        run_cell(kernel, "five", "Stepper(load('deep-cut'))", states)
        == "[True, False, False, False, False]"
    )
    assert run_cell(kernel, "six", "box", states) == "[True, True, True, True, True]"
    assert "widget-view" in run_cell(kernel, "last", "", "str(box._repr_mimebundle_())")


def test_a_notebook_gets_the_widget_and_beside_it_a_picture(
    stepper: Stepper, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    stepper.step = 17
    stepper._ipython_display_()
    live, still = shown
    assert live["application/vnd.jupyter.widget-view+json"]["model_id"] == stepper.model_id
    assert live["text/plain"] == repr(stepper) and not any(
        kind.startswith("image") for kind in live
    )
    full, small = draw(stepper.trace, 17).pipe("png"), base64.b64decode(still["image/png"])
    one, other = (Image.open(io.BytesIO(png)).convert("RGB") for png in (full, small))
    frame = 18  # on a dark ground the picture is a card: a rim, then paper
    width, height = other.size
    inner = other.crop((frame, frame, width - frame, height - frame))
    differences = ImageChops.difference(one, inner).convert("L")
    assert (
        one.size == inner.size and differences.getextrema()[1] < 48 and len(small) < len(full) / 3
    )
    for edge in (0, 1, width - 2, width - 1):
        assert max(other.getpixel((edge, height // 2))) < 200
    for place in (2, frame - 1, width - frame, width - 3):
        assert min(other.getpixel((place, height // 2))) > 240
    assert still["text/plain"] == sentence(stepper.trace, 17)


@pytest.mark.parametrize("missing", ["pygraphviz", "PIL"])
def test_without_graphviz_the_sentence_stands_for_the_picture(
    stepper: Stepper, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    monkeypatch.setattr("abviz.views.stepper.is_installed", lambda *names: missing not in names)
    stepper._ipython_display_()
    assert shown[1] == {"text/plain": sentence(stepper.trace, stepper.step)}


# one file


class Page(HTMLParser):
    """The elements of an exported page and their texts."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.elements: list[list[str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append([tag, ""])

    def handle_data(self, data: str) -> None:
        if self.elements:
            self.elements[-1][1] += data

    def states(self) -> list[dict[str, Any]]:
        return json.loads(next(text for tag, text in self.elements if tag == "script"))


@pytest.mark.parametrize("name", [*NAMES, HALF_A_PAIR], ids=ascii)
def test_no_name_gets_out_of_its_place_in_a_page(name: str) -> None:
    def tree(name: str) -> Tree:
        notes = {"title": f"{name}</title><script>", "source": name, "note": f"</script>{name}<!--"}
        return Tree(
            {name: [3, 5], "C": {name + "</script>": 2, "<!-- E": [9]}}, root=name + "?", **notes
        )

    text = page([trace(tree(name))])
    text.encode()
    found, plain = Page(text), Page(page([trace(tree("x"))]))
    assert [tag for tag, _ in found.elements] == [tag for tag, _ in plain.elements]
    (state,) = found.states()
    assert [row[0] for row in state["spec"]["rows"]][:2] == [name + "?", name]
    assert ["title", visible(f"{name}</title><script>")] in [
        [tag, text.rstrip("\n")] for tag, text in found.elements
    ]
    (data,) = re.findall(
        r'<script type="application/json" id="abviz-data">(.*?)</script>', text, re.DOTALL
    )
    assert "<" not in data


def test_a_stepper_exports_what_it_shows_and_asks(stepper: Stepper, tmp_path: Path) -> None:
    stepper.form, stepper.predict, stepper.show_of_hands = "csc384", ("cut",), True
    edit(stepper, stepper.tree.with_value("N", 1))
    stepper.step = 17
    deep = Stepper(strategies.comb(100), node="0." * 90 + "0")
    states = []
    for each in (stepper, deep):
        (state,) = Page(each.export(tmp_path / "page.html").read_text(encoding="utf-8")).states()
        assert state["spec"] == json.loads(json.dumps(page_data(each.trace, each._node)))
        states.append([state[name] for name in ("step", "form", "predict", "show_of_hands")])
    assert states == [[17, "csc384", ["cut"], True], [0, "assignment", [], False]]


def test_a_page_is_the_same_each_time_and_small(tmp_path: Path) -> None:
    tree = next(tree for seed in range(10_000) if len(tree := strategies.random_tree(seed)) == 40)
    one = export([trace(tree)], tmp_path / "one.html")
    other = export([trace(parse(tree.to_yaml()))], str(tmp_path / "other.html"))
    assert one == tmp_path / "one.html" and one.read_bytes() == other.read_bytes()
    # From a plain server, and from one that compresses: only what is worth it may make them grow.
    assert len(one.read_bytes()) <= 127_500
    assert len(gzip.compress(one.read_bytes(), mtime=0)) <= 95_500


def test_a_page_holds_its_program_compressed_and_says_where_to_read_it() -> None:
    text = page([FIGURE])
    packed = re.findall(r'^openProgram\("([A-Za-z0-9+/=]+)"\);$', text, re.MULTILINE)
    (script,) = (zlib.decompress(base64.b64decode(each)).decode() for each in packed)
    assert module() in script
    assert text.count("// The stepper is stored compressed") == 1
    assert "abviz/views/page" in text
    lengths = [len(line) for line in text.splitlines() if packed[0] not in line]
    assert max(lengths) < 4000, "all else can be read as it stands"


@pytest.mark.parametrize(
    ("traces", "name", "options", "message"),
    [
        ([FIGURE, trace(strategies.comb(100))], "page.html", {}, "unreadable"),
        ([FIGURE], "missing/page.html", {}, "in a folder open to writing"),
        ([FIGURE], "page.txt", {}, r"expected one that ends in \.html"),
        ([FIGURE], "page.html", {"step": 40}, "expected 0"),
    ],
    ids=repr,
)
def test_a_page_is_refused_in_one_line_and_none_is_written(
    traces: list[Trace], name: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text("old")
    with pytest.raises(AbvizError, match=message):
        export(traces, tmp_path / name, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "old"
