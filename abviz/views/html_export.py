"""Traces as one HTML file: the page's modules, the trees and the styles. It needs no server and no network."""

import os
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, brief, visible
from abviz.tracing.narration import sentence
from abviz.tracing.templates import kinds_asked
from abviz.tracing.traces import Trace
from abviz.tree.files import write_whole
from abviz.views.bundle import as_script, check_form, module, page_data, stylesheet, without_comments
from abviz.views.drawing import COLOURS, FONT, draw

INK = COLOURS["ink"]
USUAL = (
    'xml:space="preserve"',
    'text-anchor="start"',
    f'font-family="{FONT}"',
    'font-size="12"',
    f'fill="{INK}"',
    f'stroke="{INK}"',
)
MOST_STILL = 100  # nodes of the picture for where no script runs; of a larger tree there is the sentence
POLICY = (
    "default-src 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
body {{ margin: 0 auto; max-width: 1200px; padding: 16px; background: #fff; color: #1f2328; }}
body > div {{ margin-bottom: 28px; }}
body > div > svg text {{ stroke: none; }}
@media screen {{
  .abviz-dark {{ --jp-content-font-color1: #e6edf3; --jp-layout-color0: #14181d;
    --jp-layout-color1: #1d232a; --jp-border-color1: #48515b; background: #14181d; color: #e6edf3; }}
}}
</style>
</head>
<body>
{places}
<script type="application/json" id="abviz-data">{data}</script>
<script type="module">
{module}
{boot}
</script>
</body>
</html>
"""
# The module's model, as a widget has one, without a kernel behind it.
BOOT = """
class Model {
  constructor(state) { this.state = state; this.acts = []; }
  get(name) { return this.state[name]; }
  set(name, value) { this.state[name] = value; }
  save_changes() {}
  on(event, act) { this.acts.push([event, act]); }
  off(event, act) { this.acts = this.acts.filter(([e, a]) => e !== event || a !== act); }
}
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.body.classList.toggle("abviz-dark", dark.matches);
dark.addEventListener("change", theme);
theme();
const states = JSON.parse(document.getElementById("abviz-data").textContent);
document.querySelectorAll("body > div").forEach((el, i) => {
  el.replaceChildren();
  render({ model: new Model(states[i]), el });
});
const isInFrame = window.top !== window;
document.body.classList.toggle("abviz-compact", isInFrame);
if (!isInFrame) document.querySelector(".abviz-stepper").focus({ preventScroll: true }); // its keys work at once
"""


def export(traces: Trace | Iterable[Trace], path: str | Path, **options: Any) -> Path:
    """Write the traces, one below the other, as a page that works from file:// and makes no request."""
    if not isinstance(path, str | os.PathLike):
        raise AbvizError(f"asked to export to {brief(path)}; expected the name of a file")
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise AbvizError(f"{visible(str(path))} is no name for a page; expected .html")
    write_whole(path, page(traces, **options).encode())
    return path


def page(
    traces: Trace | Iterable[Trace],
    *,
    step: int = 0,
    form: str = "assignment",
    node: str | None = None,
    predict: Any = False,
    show_of_hands: bool = False,
) -> str:
    """The text of that page. `node` shows only that part of the tree.

    `predict` asks before the steps that answer a question: True, or kinds of question, as in ("cut", "bv").
    """
    traces = _listed(traces)
    options = {"form": check_form(form), "predict": kinds_asked(predict), "show_of_hands": show_of_hands}
    options |= {"speed": 1, "address": True}
    states = [{"spec": page_data(t, node), "step": t.check_step(step)} | options for t in traces]
    begin = 0 if options["predict"] else None  # a page at its start has the picture of the end, if nothing is asked
    titles = [visible(t.tree.title) or "A game tree" for t in traces]
    return DOCUMENT.format(
        policy=escape(POLICY),
        title=escape(", ".join(titles)),
        style=_small(stylesheet("stepper")),
        places="\n".join(f"<div>{_still(t, step or begin, node)}</div>" for t in traces),
        data=as_script(states),
        module=_dense(module()),
        boot=_dense(without_comments(BOOT)),
    )


def _dense(source: str) -> str:
    """Return a script without indentation, and without line ends where it goes on anyway: a tenth of a page."""
    return re.sub(r"^ +|(?<=[;{,(\[])\n *", "", source, flags=re.MULTILINE)


def _small(style: str) -> str:
    """Return the stylesheet without comments and spaces."""
    style = re.sub(r"/\*.*?\*/|(?<=[:,])\s+", "", style)
    return re.sub(r"\s*([{};>])\s*", r"\1", style).replace(";}", "}")


def _listed(traces: Trace | Iterable[Trace]) -> list[Trace]:
    is_one = isinstance(traces, Trace | str) or not isinstance(traces, Iterable)
    listed: list[Any] = [traces] if is_one else list(traces)
    for each in listed:
        if not isinstance(each, Trace):
            raise AbvizError(f"asked to export {brief(each)}; expected traces, as trace(tree) makes them")
    if not listed:
        raise AbvizError("nothing to export; expected at least one trace")
    return listed


def _still(trace: Trace, step: int | None, node: str | None) -> str:
    """The picture where no script runs."""
    if len(trace.tree) > MOST_STILL:
        return f"<p>{escape(sentence(trace, len(trace) if step is None else step))}</p>"
    svg: str = draw(trace, step, node=node).pipe("svg", encoding="utf-8")
    return _lean(svg[svg.index("<svg") :])


def _lean(svg: str) -> str:
    """Return the picture in half the letters: whole points, straight edges, and the usual look of text said once."""
    svg = re.sub(r'<!--.*?-->\s*|(?<=<g) id="[^"]*" class="[^"]*"|\n', "", svg)
    places = r' (points|d|x|y|width|height|viewBox|transform|font-size)="[^"]*"'
    svg = re.sub(places, lambda place: re.sub(r"(?<=\d)\.\d+", "", place[0]), svg)
    svg = re.sub(r'points="(\S+) ([^"]*) \1"', r'points="\1 \2"', svg)  # a polygon closes by itself
    svg = re.sub(r"M(\S+)C\1 (\S+) \2\"", r'M\1L\2"', svg)
    svg = re.sub(r"<g><title>[^<]*</title>", "<g>", svg)  # the picture's own title and description stay
    svg = re.sub(r"<g>(<path[^>]*/>)</g>", r"\1", svg)
    usual = "|".join(rf" {re.escape(each)}" for each in USUAL)
    svg = re.sub(r"<(text|path|polygon)[^>]*>", lambda tag: re.sub(usual, "", tag[0]), svg)
    return svg.replace("<svg", f"<svg {' '.join(USUAL)}", 1)
