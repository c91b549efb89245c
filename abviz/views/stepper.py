"""The Stepper: an anywidget whose traits are its state."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from math import isinf
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from abviz.errors import AbvizError, brief, unknown, visible
from abviz.recording.differences import compare_with_reference
from abviz.recording.recorder import record
from abviz.tracing.algorithms import Event, Rules, alphabeta, minimax
from abviz.tracing.narration import sentence
from abviz.tracing.pseudocode import FORMS, MINIMAX, OWN
from abviz.tracing.questions import kinds_asked
from abviz.tracing.traces import RECORDED, Trace, trace
from abviz.tree.files import load, shipped
from abviz.tree.model import Tree
from abviz.tree.nested import check_value
from abviz.views.drawing import draw
from abviz.views.frames import all_frames
from abviz.views.html_export import MODULE, export

HERE = Path(__file__).parent / "page"
THIS = "this"  # the tree that the stepper was made with, among the names of those that ship
SEARCHES: dict[str, Callable[..., Iterator[Event]]] = {"alphabeta": alphabeta, "minimax": minimax}
SPEEDS = (0.5, 1, 2, 4)
MOST_STILL = 300  # nodes of a picture that a notebook keeps; of a larger one it keeps the sentence
SWITCHES = (
    ("strict", "Equal bounds", "cut when equal (≥, ≤)", "cut only beyond (>, <)"),
    ("test_first", "Update and test", "update, then test", "test, then update"),
    ("fail_hard", "What a node returns", "fail-soft: bv", "fail-hard: bv within the window"),
    ("right_to_left", "Children", "left to right", "right to left"),
    ("name_by_node", "Name of a cut", "named by the bound", "named by the node"),
)


class Refused(AbvizError, traitlets.TraitError):
    """A value that a trait cannot have; traitlets puts back the one before."""


class Stepper(anywidget.AnyWidget):
    """Step through a search: Stepper(load("figure-4.24")), Stepper(trace(tree, rules=...)), or of a game
    Stepper(Checkers.start(), depth=3).

    With predict=True it asks what the next step brings before it shows it; predict=("cut", "bv") asks only that, and
    show_of_hands=True asks a class.

    `step` can be set, observed and linked with any ipywidgets control. In the browser the reader also chooses another
    tree, search or rules, and tries other values of leaves; `trace` is what is shown then.
    """

    # As text: given the paths, anywidget would keep every stepper in memory, also one that is closed.
    _esm = MODULE
    _css = (HERE / "stepper.css").read_text(encoding="utf-8")
    step = traitlets.Int(0).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)
    form = traitlets.Unicode("assignment").tag(sync=True)  # the form of the pseudocode
    predict: Any = traitlets.TraitType(()).tag(sync=True)  # the kinds of question that are asked; True: all
    show_of_hands = traitlets.Bool(False).tag(sync=True)  # the questions are for a class: a key shows the answer
    frames = traitlets.Dict().tag(sync=True)
    choices = traitlets.Dict().tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)  # what the reader chose, in the browser
    problem = traitlets.Unicode("").tag(sync=True)  # why it could not be done

    def __init__(
        self,
        shown: Any,
        *,
        step: int = 0,
        node: str | None = None,
        form: str = "assignment",
        predict: Any = False,
        show_of_hands: bool = False,
        **search: Any,
    ):
        if isinstance(shown, Trace) and search:
            raise AbvizError(f"a trace has been searched already; expected {', '.join(search)} where it was made")
        self.trace = shown if isinstance(shown, Trace) else trace(shown, **search)
        self._own = self._original = self.trace
        self._node = self._own_node = node
        self._name = next((name for name, tree in _shipped().items() if tree == self.trace.tree), THIS)
        self.trace.check_step(step)
        asks = {"predict": kinds_asked(predict or show_of_hands), "show_of_hands": show_of_hands}
        frames = all_frames(self.trace, node=node)
        super().__init__(step=step, form=form, frames=frames, choices=self._choices(), **asks)
        self.observe(self._answer, "asked")

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int:
        try:
            return self.trace.check_step(proposal["value"])
        except AbvizError as problem:
            raise Refused(str(problem)) from None

    @traitlets.validate("form")
    def _check_form(self, proposal: Any) -> str:
        legal = [form.name for form in (*FORMS, MINIMAX, OWN)]
        if proposal["value"] not in legal:
            raise Refused(str(unknown("form of the pseudocode", proposal["value"], legal)))
        return str(proposal["value"])

    @traitlets.validate("predict")
    def _check_predict(self, proposal: Any) -> list[str]:
        try:
            return kinds_asked(proposal["value"])
        except AbvizError as problem:
            raise Refused(str(problem)) from None

    @traitlets.validate("speed")
    def _check_speed(self, proposal: Any) -> float:
        if proposal["value"] not in SPEEDS:
            raise Refused(f"speed is {brief(proposal['value'])}; expected {', '.join(map(str, SPEEDS))}")
        return float(proposal["value"])

    def export(self, path: str | Path) -> Path:
        """The stepper as one HTML file that needs no server and no network."""
        what_if = {"node": self._node, "original": self._original}
        asks = {"predict": self.predict, "show_of_hands": self.show_of_hands}
        return export([self.trace], path, step=self.step, form=self.form, **what_if, **asks)

    # what the reader asks for

    def _answer(self, change: Any) -> None:
        asked = change["new"]
        name = asked.get("tree", self._name)
        node = self._node if name == self._name else self._own_node if name == THIS else None
        try:
            shown, original = self._wanted(asked)
            new = all_frames(shown, node=node, original=original)
        except AbvizError as problem:
            self.problem = str(problem)
            self.choices = {}  # so that the dropdowns go back to what is shown
            self.choices = self._choices()
            return
        at_end = self.step == len(self.trace)
        self.trace, self._original, self._name, self._node = shown, original, name, node
        with self.hold_sync():
            self.problem = ""
            self.choices = self._choices()
            self.frames = new
            self.step = self._step_after(asked, at_end)

    def _step_after(self, asked: dict[str, Any], at_end: bool) -> int:
        """A what-if shows what came of it, another tree starts at its beginning; otherwise the reader stays."""
        if "tree" in asked:
            return 0
        return len(self.trace) if "leaf" in asked or at_end else min(self.step, len(self.trace))

    def _wanted(self, asked: dict[str, Any]) -> tuple[Trace, Trace]:
        """The trace that is asked for, and the same without what-ifs. What comes from a browser may be anything."""
        tree, original, again = self.trace.tree, self._original, self._again
        if original.search == RECORDED:
            name = visible(original.options["name"])
            raise AbvizError(f"this run of {name} stays as it was recorded; expected record({name}, another tree)")
        known = {"tree": [*_shipped(), THIS], "search": list(SEARCHES)}
        for what, names in known.items():
            if what in asked and asked[what] not in names:
                raise unknown(what, asked[what], names)
        if "leaf" in asked:
            return again(original, tree=tree.with_value(asked["leaf"], _number(str(asked.get("value", ""))))), original
        if "undo" in asked:
            return original, original
        if "tree" in asked:
            original = again(original, tree=self._own.tree if asked["tree"] == THIS else load(asked["tree"]))
            return original, original
        if "search" in asked:
            again = partial(again, search=asked["search"])
        else:
            switches = {name: asked[name] == "on" for name, *_ in SWITCHES if name in asked}
            again = partial(again, rules=replace(original.rules, **switches))
        new = again(original)
        return (new if self.trace is original else again(self.trace)), new

    def _again(self, like: Trace, tree: Tree | None = None, search: str = "", rules: Rules | None = None) -> Trace:
        """The same search but for what is told."""
        options = like.options if search in ("", like.search) else {}
        name, rules = search or like.search, rules or like.rules
        return trace(tree or like.tree, search=SEARCHES[name], rules=rules, depth=like.depth, **options)

    def _choices(self) -> dict[str, Any]:
        base = self._original
        if base.search == RECORDED:
            return {}
        own = visible(self._own.tree.title) or "this tree"
        known = [[name, visible(tree.title)] for name, tree in _shipped().items()]
        trees = known if self._own.tree in _shipped().values() else [[THIS, own], *known]
        switches = [switch for switch in SWITCHES if base.search != "minimax" or switch[0] == "right_to_left"]
        searches = [["alphabeta", "alpha-beta"], ["minimax", "minimax"]]
        return {
            "main": [
                {"name": "tree", "label": "Tree", "options": trees, "value": self._name},
                {"name": "search", "label": "Search", "options": searches, "value": base.search},
            ],
            "rules": [
                {
                    "name": name,
                    "label": label,
                    "options": [["off", off], ["on", on]],
                    "value": "on" if getattr(base.rules, name) else "off",
                }
                for name, label, off, on in switches
            ],
            "changed": self.trace.tree is not base.tree,
        }

    # without a kernel, and for those who read text

    def _ipython_display_(self) -> None:
        """Two outputs: the widget, and the picture for where it cannot live, as in a saved notebook without a kernel.

        As one output the picture would never be seen: JupyterLab and nbconvert take the widget from it, and show a
        blank if there is none. Beside a widget that lives the stylesheet hides the picture.
        """
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        display({**(data or {}), "text/plain": repr(self)}, raw=True)  # type: ignore[no-untyped-call]
        still = {"text/plain": sentence(self.trace, self.step)}
        if len(self.frames["nodes"]) <= MOST_STILL:
            png = draw(self.trace, self.step, node=self._node).pipe("png")  # a notebook of others shows no SVG
            still["image/png"] = b64encode(png).decode()
        display(still, raw=True)  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"Stepper({self.trace!r}, step={self.step})"


@cache
def _shipped() -> dict[str, Tree]:
    return {name: load(name) for name in shipped()}


def _number(text: str) -> float | None:
    """The value that somebody typed for a leaf."""
    text = text.strip().replace("−", "-").replace("∞", "inf")
    try:
        value = None if text == "?" else float(text)
        if "_" in text or (value is not None and isinf(value) and "inf" not in text.lower()):
            raise ValueError  # 1_0 is no ten, and 1e400 is no win
        return check_value(value, "the leaf")
    except ValueError:
        raise AbvizError(f"a leaf cannot have the value {brief(text)}; expected a number, inf, -inf or ?") from None


def watch(function: Callable[..., Any], tree: Tree, *, rules: Rules | None = None, **options: Any) -> Stepper:
    """Return the stepper on the function's own run, at the first step that differs from the reference, or at its end.

    The reference is alpha-beta, or minimax for a function without bounds, under these rules or those with which the run
    agrees longest. The options are those of `record`: alpha="lower" names a variable.
    """
    run = compare_with_reference(record(function, tree, **options), rules)
    return Stepper(run, step=run.options["remark"][0])
