"""The page: its modules as one, and what it reads of a trace.

It also writes traces as one HTML file that needs no server and no network.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from abviz.errors import LONGEST, AbvizError, Number, as_json, quoted, short, visible
from abviz.tracing.narration import PLAIN, sentence
from abviz.tracing.shows import DEFAULT_SHOW, check_show
from abviz.tracing.templates import (
    FORMS,
    LETTERS,
    PSEUDOCODE,
    in_letters,
    kinds_asked,
    lettered,
)
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.annotations import annotations_of
from abviz.tree.files import load, shipped, write_whole
from abviz.tree.model import Node, Tree
from abviz.tree.nested import PLAYER_NAMES, as_lists, has_own_names
from abviz.views.drawing import graph, layout, letters, readable
from abviz.views.messages import Assigned, PageNumber, PageRow, PageTree, Spec
from abviz.views.modules import as_script, compact, join

PAGE = Path(__file__).parent / "page"
EXACT = 10**15  # a whole number from here on travels as text: JSON's numbers would round it
DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
 script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0 auto; max-width: 2560px; padding: 16px; background: #fff; color: #1f2328; }}
.abviz-place + .abviz-place {{ margin-top: 28px; }}
@media (max-width: 480px) {{ body {{ padding: 6px; }} }}
.abviz-place > .abviz-stepper {{ --bars: 34px; }}
@media screen {{
  .abviz-place > .abviz-stepper {{ font-size: clamp(14px, min(.88vw, 1.57vh), 24px); }}
}}
@media screen and (prefers-color-scheme: dark) {{
  body {{ --jp-content-font-color1: #e6edf3; --jp-layout-color0: #14181d;
    --jp-layout-color1: #1d232a;
    --jp-border-color1: #48515b; background: #14181d; color: #e6edf3; color-scheme: dark; }}
}}
{style}</style>
</head>
<body>
{body}
<script type="application/json" id="abviz-data">{data}</script>
<script type="module">
{loader}
openProgram("{program}");
</script>
</body>
</html>
"""
NEEDS_SCRIPTS = "(The tree needs JavaScript.)"
# How a page opens its program, which is one compressed text. Its policy forbids eval, import() of
# that text, and fetch() of a data: address, but not a script that the page writes into itself.
LOADER = """
// The stepper is stored compressed, in the last line. Its readable source is the folder
// abviz/views/page of the Python package abviz. The tree and its search are in #abviz-data above.
async function openProgram(packed) {
  if (!window.DecompressionStream) {
    return say("The tree needs a newer browser: this one has no DecompressionStream.");
  }
  try {
    const letters = atob(packed);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const script = document.createElement("script");
    script.type = "module";
    script.id = "abviz-program";
    script.textContent = await new Response(unpacked).text();
    document.body.append(script);
  } catch {
    say("The tree's program is damaged: download or export this page again.");
  }
}

function say(text) {
  for (const hint of document.querySelectorAll(".abviz-place > p > span")) {
    hint.textContent = `(${text})`;
  }
}
"""
# The page's model, as a widget has one, without a kernel that could change it. The script goes, or
# a page that is saved from a browser would have it twice.
BOOT = """
document.getElementById("abviz-program").remove();
const style = document.createElement("style");
style.textContent = STYLE;
document.head.append(style);

const ignore = () => {};
const modelOf = (state) => ({
  get: (name) => state[name],
  set: (name, value) => (state[name] = value),
  save_changes: ignore, on: ignore, off: ignore,
});
const states = JSON.parse(document.getElementById("abviz-data").textContent);
document.querySelectorAll(".abviz-place").forEach((el, i) => {
  el.replaceChildren();
  render({ model: modelOf(states[i]), el });
});
const isInFrame = window.top !== window;
document.body.classList.toggle("abviz-compact", isInFrame);
const stepper = document.querySelector(".abviz-stepper");
if (!isInFrame) stepper.focus({ preventScroll: true }); // its keys work at once
"""


@cache
def examples() -> tuple[Tree, ...]:
    """Return the trees of the course, which every page offers."""
    return tuple(map(load, shipped()))


@cache
def module() -> str:
    """Return the page's modules as one, with the trees of the course."""
    return join(PAGE / "page.js", {"EXAMPLES": [example_data(tree) for tree in examples()]})


def stylesheet() -> str:
    """Return the stylesheet of the page, with that of the boards, without comments and spaces."""
    style = "".join(path.read_text("utf-8") for path in sorted(PAGE.glob("*.css")))
    return re.sub(r"/\*.*?\*/|(?<=[:,;{}>])\s+|\s+(?=[{}])", "", style, flags=re.DOTALL)


@cache
def program() -> str:
    """Return the script and the styles of an exported page, compressed, as text."""
    script = f"const STYLE = {as_script(stylesheet())};\n{module()}{{\n{compact(BOOT)}}}\n"
    return packed(script)


def packed(text: str) -> str:
    """Return the text compressed, as letters: a third of its size."""
    return b64encode(zlib.compress(text.encode(), level=9)).decode()


def page_data(trace: Trace, node: str | None = None) -> Spec:
    """Return the trace as the page reads it, ready for JSON.

    `node` shows only the part of the tree below it.
    """
    tree, part = trace.tree, readable(trace.tree, node)
    boxes = letters(trace)
    size, places = layout(graph(tree, part, boxes))
    about = tree_data(tree)
    data: Spec = {
        "title": about["title"],
        "source": about["source"],
        "note": about["note"],
        "notes": about["notes"],
        "rows": about["rows"],
        "search": search_data(trace),
        "top": part[0].index,
        "places": {
            "letters": len(boxes),
            "size": size,
            "centres": [places.get(each.index) for each in tree.nodes],
        },
        "boards": annotations_of(tree).boards(),
    }
    if "players" in about:
        data["players"] = about["players"]
    if trace.search == RECORDED:
        data["events"] = [
            [e.kind, e.node.index, *map(number_to_json, (e.alpha, e.beta, e.bv, e.value))]
            for e in trace.events
        ]
    return data


def search_data(trace: Trace) -> dict[str, object]:
    """Return how the tree was searched, or what a recorded run shows, as the page reads it."""
    search = {"search": trace.search, "rules": asdict(trace.rules), "depth": trace.depth}
    if trace.search == RECORDED:
        return search | _recording(trace)
    options: dict[str, Any] = dict(trace.options)  # a window, or early_stop
    return search | {name: number_to_json(value) for name, value in options.items()}


def tree_data(tree: Tree) -> PageTree:
    """Return the tree and what is written about it, as the page reads it."""
    data: PageTree = {
        "title": visible(tree.title),
        "source": visible(tree.source),
        "note": visible(tree.note),
        "notes": {step: visible(text) for step, text in tree.notes.items()},
        "rows": [_row(tree, each) for each in tree.nodes],
    }
    if tree.players != PLAYER_NAMES:
        data["players"] = [quoted(name) for name in tree.players]
    return data


def example_data(tree: Tree) -> dict[str, object]:
    """Return a tree of the course as the page reads it.

    It has what is written about the tree, and the tree as short text.
    """
    about = {name: text for name, text in tree_data(tree).items() if text and name != "rows"}

    is_named = has_own_names(tree)
    content = {
        "to_move": "max" if tree.root.is_max else "min",
        **({"root": tree.root.name} if is_named else {}),
        "tree": as_lists(tree, is_named),
    }
    # Their names need no quotes
    text = json.dumps(content, separators=(",", ": ")).replace('"', "")
    return {**about, "text": text}


def _row(tree: Tree, node: Node) -> PageRow:
    annotations = annotations_of(tree)
    above = tree.parent(node)
    label = annotations.label(node)

    more: dict[str, object] = {}
    if label != node.name:
        more["label"] = visible(label)
    if not (node.name + label).isascii() or len(node.name + label) > LONGEST:
        more |= {"quoted": quoted(node.name), "quotedLabel": quoted(label), "short": short(label)}
    if folded := annotations.folded(node):
        more["folded"] = folded._asdict()
    if ending := annotations.ending(node):
        more["ending"] = ending
    if annotations.is_estimate(node):
        more["estimate"] = True
    if annotations.win and above is None:
        more["win"] = annotations.win

    row: PageRow = [
        node.name,
        node.is_max,
        number_to_json(node.value),
        -1 if above is None else above.index,
    ]
    return [*row, more] if more else row


def _recording(trace: Trace) -> dict[str, object]:
    source = trace.options["source"]
    lines = [visible(line) for line in source.lines] or [PSEUDOCODE["no source"]]

    marks = {
        name: mark
        for name, mark in trace.options.items()
        if name in ("negamax", "parting", "skips_nodes", "unsure_sign")
    }

    alpha, beta = trace.root_window
    sentences = [sentence(trace, step) for step in range(len(trace) + 1)]
    return marks | {
        "alpha": number_to_json(alpha),
        "beta": number_to_json(beta),
        "name": quoted(trace.options["name"]),
        "returned": number_to_json(trace.value),
        "sentences": sentences,
        "plain": {show: _plain_sentences(trace, show, sentences) for show in PLAIN},
        "source": {"lines": lines, "running": source.running},
    }


def _plain_sentences(trace: Trace, show: str, sentences: list[str]) -> dict[int, str]:
    """Return the sentences of a plain level by step, where they are not the usual ones."""
    plain = {}
    for step, usual in enumerate(sentences):
        text = sentence(trace, step, show)
        if text != usual:
            plain[step] = text
    return plain


def number_to_json(value: Number | None) -> PageNumber:
    """Return the number as the page reads it: infinities and long whole numbers are text."""
    is_long = isinstance(value, int) and abs(value) >= EXACT
    return str(value) if is_long else as_json(value)


def number_of(value: PageNumber) -> Number | None:
    """Return the number that the page has sent, in the form in which `page_data` sends it."""
    if value in ("inf", "-inf"):
        return float(value)
    return int(value) if isinstance(value, str) else value


# the exported page


def export(traces: Sequence[Trace], path: str | Path, **options: Any) -> Path:
    """Write the traces, one below the other, as a page.

    It works from file:// and makes no request.
    """
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise AbvizError(
            f"{visible(str(path))} is not a name for a page; expected one that ends in .html"
        )
    write_whole(path, page(traces, **options).encode())
    return path


def page(
    traces: Sequence[Trace],
    *,
    step: int = 0,
    form: str = FORMS[0],
    node: str | None = None,
    show: str = DEFAULT_SHOW,
    predict: bool | Sequence[str] = False,
    show_of_hands: bool = False,
    letters: str = LETTERS[0],
    assigned: Assigned | None = None,
) -> str:
    """Return the text of that page.

    It shows the part below `node` at the level `show`, with the questions that `predict` asks
    (True, or kinds), and `letters` for the best value below. A page that is assigned to a student
    is for practice, and for nothing else.
    """
    asks = {"predict": kinds_asked(predict), "show_of_hands": show_of_hands}
    titles = [visible(t.tree.title) or "A game tree" for t in traces]
    with in_letters(letters):
        states = [{**state_at(t, step, node=node, form=form, show=show), **asks} for t in traces]
        if assigned is not None:
            titles.insert(0, assigned["label"])
            states = [{**state, "assigned": assigned} for state in states]
        return document(
            title=", ".join(titles),
            body="\n".join(place_for(t, step) for t in traces),
            states=states,
        )


def state_at(
    trace: Trace,
    step: int,
    *,
    node: str | None = None,
    form: str = FORMS[0],
    show: str = DEFAULT_SHOW,
    title: str = "",
) -> dict[str, object]:
    """Return the stepper of a trace, as an exported page opens it.

    By default its title is the tree's.
    """
    spec = page_data(trace, node)
    if title:
        spec["title"] = visible(title)
    state: dict[str, object] = {
        "spec": spec,
        "step": trace.check_step(step),
        "predict": kinds_asked(False),
        "show_of_hands": False,
        "form": form,
        "speed": 1,
        "show": check_show(show),
        "address": True,
    }
    if lettered("bv") != "bv":
        state["letters"] = lettered("bv")
    return state


def place_for(trace: Trace, step: int, picture: str = "") -> str:
    """Return where a stepper comes to stand: what is seen there without scripts.

    That is the sentence of the step, and perhaps a picture, which is HTML.
    """
    words = f"{escape(sentence(trace, step))} <span>{NEEDS_SCRIPTS}</span>"
    return f'<div class="abviz-place"><p>{words}</p>{picture}</div>'


def document(title: str, body: str, states: Sequence[dict[str, object]], *, style: str = "") -> str:
    """Return a page with this body, which is HTML.

    It has a place for each of these steppers, in their order.
    """
    return DOCUMENT.format(
        title=escape(title),
        style=style,
        body=body,
        data=as_script(states),
        loader=LOADER.strip(),
        program=program(),
    )
