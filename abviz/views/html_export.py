"""Traces as one HTML file: the page's modules, the trees and the styles. It needs no server and no network."""

import os
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, brief, visible
from abviz.tracing.narration import sentence
from abviz.tracing.templates import kinds_asked
from abviz.tracing.traces import Trace
from abviz.tree.files import write_whole
from abviz.views.bundle import as_script, check_form, compact, module, page_data, stylesheet

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
body > div + div {{ margin-top: 28px; }}
body > div > .abviz-stepper {{ --bars: 34px; }}
@media screen {{
  .abviz-dark {{ --jp-content-font-color1: #e6edf3; --jp-layout-color0: #14181d; --jp-layout-color1: #1d232a;
    --jp-border-color1: #48515b; background: #14181d; color: #e6edf3; color-scheme: dark; }}
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
# The page's model, as a widget has one, without a kernel that could change it.
BOOT = """
const ignore = () => {};
const modelOf = (state) => ({
  get: (name) => state[name],
  set: (name, value) => (state[name] = value),
  save_changes: ignore, on: ignore, off: ignore,
});
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.body.classList.toggle("abviz-dark", dark.matches);
dark.addEventListener("change", theme);
theme();
const states = JSON.parse(document.getElementById("abviz-data").textContent);
document.querySelectorAll("body > div").forEach((el, i) => {
  el.replaceChildren();
  render({ model: modelOf(states[i]), el });
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
    titles = [visible(t.tree.title) or "A game tree" for t in traces]
    without_scripts = (f"<div><p>{escape(sentence(t, step))} (The tree needs JavaScript.)</p></div>" for t in traces)
    return DOCUMENT.format(
        policy=escape(POLICY),
        title=escape(", ".join(titles)),
        style=stylesheet(),
        places="\n".join(without_scripts),
        data=as_script(states),
        module=module(),
        boot=compact(BOOT),
    )


def _listed(traces: Trace | Iterable[Trace]) -> list[Trace]:
    is_one = isinstance(traces, Trace | str) or not isinstance(traces, Iterable)
    listed: list[Any] = [traces] if is_one else list(traces)
    for each in listed:
        if not isinstance(each, Trace):
            raise AbvizError(f"asked to export {brief(each)}; expected traces, as trace(tree) makes them")
    if not listed:
        raise AbvizError("nothing to export; expected at least one trace")
    return listed
