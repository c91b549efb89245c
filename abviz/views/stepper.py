"""The Stepper: the page as a widget, whose traits are its state."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import traitlets

from abviz.capabilities import is_installed
from abviz.cells import CellWidget, show_in_cell
from abviz.course import load_course
from abviz.errors import AbvizError, visible
from abviz.recording.differences import compare_with_reference
from abviz.recording.recorder import record
from abviz.tracing.algorithms import SEARCHES, Rules
from abviz.tracing.narration import sentence
from abviz.tracing.shows import DEFAULT_SHOW, SHOWS, check_show
from abviz.tracing.templates import FORMS, KINDS, LETTERS, in_letters, kinds_asked
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse
from abviz.tree.model import Tree
from abviz.tree.nested import PLAYER_NAMES, Row, check_players
from abviz.views.bundle import (
    examples,
    export,
    module,
    number_of,
    packed,
    page_data,
    stylesheet,
    tree_data,
)
from abviz.views.drawing import COLORS, draw
from abviz.views.messages import Edited, Reply, Request
from abviz.widgets import ARE_INSTALLED, AnyWidget, Widget, widget_serialization

SPEEDS = (0.5, 1, 2, 4)
MOST_STILL = 300  # nodes of a picture that a notebook keeps; of a larger one it keeps the sentence
STILL_MARGIN, STILL_RIM = 16, 2  # around the tree, in pixels
# The module of each stepper: it imports the page once for all of them.
LOADER = """
function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function load(model, id) {
  const code = await model.widget_manager.get_model(id);
  const style = document.createElement("style");
  style.textContent = await unpacked(code.get("style"));
  document.head.append(style);

  const script = new Blob([await unpacked(code.get("module"))], { type: "text/javascript" });
  return import(URL.createObjectURL(script));
}
export default {
  async render({ model, el }) {
    const id = model.get("_code").slice("IPY_MODEL_".length);
    const pages = (globalThis.abvizPages ??= {});
    pages[id] ??= load(model, id);
    return (await pages[id]).default.render({ model, el });
  },
};
"""


class PageCode(Widget):  # type: ignore[misc]  # ipywidgets has no types
    """The page's module and stylesheet, sent and saved once for all steppers of a kernel.

    Both are compressed; the readable ones are in `abviz/views/page`.
    """

    module = traitlets.Unicode().tag(sync=True)
    style = traitlets.Unicode().tag(sync=True)

    def close(self) -> None:
        """Stay open, for all other steppers."""


@cache
def _page_code() -> PageCode | None:
    """Return the code of the page; None where no notebook could run it, but a page that has it."""
    if not ARE_INSTALLED:
        return None
    return PageCode(module=packed(module()), style=packed(stylesheet()))


class Stepper(CellWidget, AnyWidget):
    """Step through a search.

    Stepper(load("figure-4.24")), Stepper(trace(tree, rules=...)), or of a game
    Stepper(Checkers.start(), depth=3).

    `show` says how much of the search it shows: "values", "bv", "bounds" (also the window of each
    node), or "all" (also the code, the call stack and the rules).

    With predict=True it asks what the next step brings before it shows it; predict=("cut", "bv")
    asks only that, and show_of_hands=True asks a class.

    `step` can be set, observed and linked with any ipywidgets control. The reader may change the
    tree, the search and its rules in the browser: `tree` and `trace` are what is shown then.

    A cell that runs again closes the steppers that it showed; one that is kept in a variable can be
    displayed again.

    A course file in the current folder says which letters, pseudocode and names of players it has
    by default; the rules are those of the call, since the text around it speaks of these. For the
    file's: `Stepper(tree, rules=abviz.course.load_course().rules)`.
    """

    _esm = LOADER
    _code = traitlets.Instance(PageCode, allow_none=True).tag(sync=True, **widget_serialization)

    # What is shown: the tree and its search as the page reads them, and the form of the pseudocode
    spec = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    speed = traitlets.Enum(SPEEDS, 1).tag(sync=True)
    form = traitlets.Enum(FORMS, FORMS[0]).tag(sync=True)

    # For the best value below: "v" where a course writes that
    letters = traitlets.Enum(LETTERS, LETTERS[0]).tag(sync=True)
    show = traitlets.Enum(SHOWS, DEFAULT_SHOW).tag(sync=True)

    # The kinds of question that are asked; of a class, a key shows the answer
    predict = traitlets.List(traitlets.Enum([*KINDS])).tag(sync=True)
    show_of_hands = traitlets.Bool(False).tag(sync=True)

    # From the browser: the tree, search and rules that are shown; and why that could not be done
    edited = traitlets.Dict().tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        shown: Any,
        *,
        step: int = 0,
        node: str | None = None,
        form: str | None = None,
        show: str = DEFAULT_SHOW,
        predict: bool | Sequence[str] = False,
        show_of_hands: bool = False,
        **search: Any,
    ):
        course = load_course()
        is_trace = isinstance(shown, Trace) and not search
        if isinstance(shown, Tree):
            shown = course.named(shown)
        self.trace = shown if is_trace else trace(shown, **search)
        self._own = self.trace  # the trace that was given
        self._sent = self.trace  # the one in the spec
        self._node = node

        with in_letters(course.letters):  # of a recorded run, whose sentences Python writes
            spec = page_data(self.trace, node)

        super().__init__(
            step=step,
            form=form or course.pseudocode,
            letters=course.letters,
            show=check_show(show),
            spec=spec,
            predict=kinds_asked(predict or show_of_hands),
            show_of_hands=show_of_hands,
            _code=_page_code(),
        )
        self.observe(self._take, "edited")
        self.on_msg(self._answer)

    @property
    def tree(self) -> Tree:
        """The tree that is shown, with the changes made in the browser."""
        return self.trace.tree

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> Any:
        # The step is of the tree in the same message, which is searched after it
        if "edited" in self._property_lock:
            return proposal["value"]

        try:
            return self.trace.check_step(proposal["value"])
        except AbvizError as problem:
            # Then traitlets puts back the step before
            raise traitlets.TraitError(str(problem)) from None

    def export(self, path: str | Path) -> Path:
        """Write the stepper as one HTML file that needs no server and no network."""
        return export(
            [self.trace],
            path,
            step=self.step,
            form=self.form,
            node=self._node,
            show=self.show,
            predict=self.predict,
            show_of_hands=self.show_of_hands,
            letters=self.letters,
        )

    # what the reader does in the browser

    def _take(self, change: Any) -> None:
        """Follow the page: search the tree that it shows now, or that it asks for."""
        sent: Edited | None = change["new"] or None
        if not sent:
            return

        try:
            tree = _edited(self._sent.tree, sent)
            found = self._search(tree, sent["search"], Rules(**sent["rules"]), sent["depth"])
            if sent["asks"]:
                self._show(found, reply=sent.get("id"))
            self.trace = found
            self.problem = ""
            self.step = min(self.step, len(found))
        except AbvizError as problem:
            if sent["asks"]:
                self._refuse(problem, sent.get("id"))
            else:
                self.problem = str(problem)

    def _answer(self, _: object, asked: Request, __: object) -> None:
        """Answer a request: read its text, which may be YAML, or show a game as it was."""
        request = asked.get("id")
        try:
            if "text" in asked:
                self._reply({"id": request, "tree": tree_data(parse(asked["text"]))})
            else:
                shown = self.trace
                own = self._search(self._own.tree, shown.search, shown.rules, self._own.depth)
                self._show(own, self._node, reply=request)
        except AbvizError as problem:
            self._refuse(problem, request)

    def _refuse(self, problem: AbvizError, request: str | None) -> None:
        """Say why there is no answer to the request, to the page that waits for it."""
        self._reply({"id": request, "problem": str(problem)})

    def _reply(self, reply: Reply) -> None:
        self.send(reply)

    def _search(self, tree: Tree, search: str, rules: Rules, depth: int | None) -> Trace:
        """Return a search of the tree, with the window, or early_stop, that the page has for it."""
        options = self._sent.options if search == self._sent.search else {}
        return trace(tree, search=SEARCHES[search], rules=rules, depth=depth, **options)

    def _show(self, shown: Trace, node: str | None = None, *, reply: str | None = None) -> None:
        """Show the trace of a game, as the reply to a request.

        One that is too large for the page is refused, and nothing changes.
        """
        # The count of changes makes every spec a new one, so that the page opens even an equal tree
        changes = 0 if shown.tree is self._own.tree else self.spec.get("changes", 0) + 1
        spec = {**page_data(shown, node), "changes": changes, "reply": reply}

        self.trace = shown
        self._sent = shown
        with self.hold_sync():
            self.edited = {}  # so that the same change can come again
            self.step = 0
            self.spec = spec
            self.problem = ""

    # without a kernel, and for those who read text

    def _ipython_display_(self) -> None:
        """Display two outputs: the widget, and a picture for where no widget can run.

        That is so in a saved notebook. If one output held both, JupyterLab and nbconvert would
        never show the picture. The page's stylesheet hides it.
        """
        from IPython.display import display

        show_in_cell(self)
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        live = {"application/vnd.jupyter.widget-view+json": view, "text/plain": repr(self)}
        display(live, raw=True)  # type: ignore[no-untyped-call]

        with in_letters(self.letters):
            still = {"text/plain": sentence(self.trace, self.step)}
            if len(self.spec["rows"]) <= MOST_STILL and is_installed("pygraphviz", "PIL"):
                # An untrusted notebook shows no SVG
                still["image/png"] = b64encode(self._png()).decode()
        display(still, raw=True)  # type: ignore[no-untyped-call]

    def _png(self) -> bytes:
        """Return a picture on paper of its own, which a dark notebook shows like a card.

        In 64 colors it has a third of the size, and looks the same.
        """
        from PIL import Image, ImageOps

        drawn = draw(self.trace, self.step, node=self._node).pipe("png")
        picture = Image.open(BytesIO(drawn)).convert("RGB")
        picture = ImageOps.expand(picture, STILL_MARGIN, fill=COLORS["paper"])
        picture = ImageOps.expand(picture, STILL_RIM, fill=COLORS["faded"])
        small = BytesIO()
        picture.quantize(64, Image.Quantize.FASTOCTREE).save(small, "PNG")
        return small.getvalue()

    def __repr__(self) -> str:
        return f"Stepper({self.trace!r}, step={self.step})"


def _edited(given: Tree, sent: Edited) -> Tree:
    """Return the tree that the page has sent.

    If the given tree, which may be of a game, or one of the course's has the same nodes, it is that
    one with the values sent.
    """
    rows = [
        Row(name, is_max, number_of(value), above) for name, is_max, value, above in sent["rows"]
    ]
    shape = _without_values(rows)

    for tree in (given, *examples()):
        texts = {"title": visible(tree.title), "source": visible(tree.source)}
        if texts.items() <= sent.items() and shape == _without_values(tree.rows()):
            return _with_values(tree, rows)
    players = check_players(sent.get("players", PLAYER_NAMES))
    return Tree.from_rows(rows, sent["title"], sent["source"], players=players)


def _without_values(rows: Iterable[Row]) -> list[Row]:
    return [row._replace(value=None) for row in rows]


def _with_values(tree: Tree, rows: list[Row]) -> Tree:
    """Return the tree with the values of these rows.

    Once a value differs, the tree has no notes, which speak of it as it was.
    """
    for row, before in zip(rows, tree.rows(), strict=True):
        if row.value != before.value:
            tree = tree.with_value(row.name, row.value)
            tree.note = ""
            tree.notes = {}
    return tree


def watch(
    function: Callable[..., object],
    tree: Tree,
    *,
    rules: Rules | None = None,
    show: str = "all",
    **options: Any,
) -> Stepper:
    """Return the stepper on the function's own run, at its first difference from the reference.

    Where nothing differs, it is at the end. The reference is alpha-beta, or minimax for a function
    without bounds, under these rules or those with which the run agrees longest. The options are
    those of `record`: alpha="lower" names a variable. `show` is how much of the run is shown, as in
    `Stepper`.
    """
    run = compare_with_reference(record(function, tree, **options), rules)
    return Stepper(run, step=run.options["remark"][0], show=show)
