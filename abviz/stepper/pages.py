"""Traces as one HTML file: the widget's own module, the frames and the styles; no server, no network."""

import json
import os
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from abviz.drawing import draw
from abviz.errors import AbvizError, unknown
from abviz.files import write_whole
from abviz.frames import all_frames
from abviz.pseudocode import FORMS, MINIMAX
from abviz.text import brief, visible
from abviz.tracing import Trace

HERE = Path(__file__).parent
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
PAGE = """<!doctype html>
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
@media screen {{
  .abviz-dark {{ --jp-content-font-color1: #e6edf3; --jp-layout-color0: #14181d;
    --jp-layout-color1: #1d232a; --jp-border-color1: #48515b; background: #14181d; color: #e6edf3; }}
}}
</style>
</head>
<body>
{places}
<script type="application/json" id="abviz-frames">{data}</script>
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
const states = JSON.parse(document.getElementById("abviz-frames").textContent);
document.querySelectorAll("body > div").forEach((el, i) => {
  el.replaceChildren();
  render({ model: new Model(states[i]), el });
});
document.querySelector(".abviz-stepper").focus({ preventScroll: true }); // its keys work at once
"""


def export(traces: Trace | Iterable[Trace], path: str | Path, **options: Any) -> Path:
    """Write the traces, one below the other, as a page that works from file:// and makes no request."""
    if not isinstance(path, str | os.PathLike):
        raise AbvizError(f"asked to export to {brief(path)}; expected the name of a file")
    path = Path(path)
    write_whole(path, page(traces, **options).encode())
    return path


def page(
    traces: Trace | Iterable[Trace],
    *,
    step: int = 0,
    form: str = "assignment",
    node: str | None = None,
    original: Trace | None = None,
) -> str:
    """The text of that page. `node` shows only that part of the tree; `original` is the trace before a what-if."""
    traces = _listed(traces)
    legal = [each.name for each in (*FORMS, MINIMAX)]
    if form not in legal:
        raise unknown("form of the pseudocode", form, legal)
    states = [
        {"frames": all_frames(t, node=node, original=original), "step": t.check_step(step), "speed": 1, "form": form}
        for t in traces
    ]
    module = (HERE / "stepper.js").read_text(encoding="utf-8")
    assert "</script" not in module.lower()
    # within a script element only "<" could end it or open a comment
    data = json.dumps(states, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    data = data.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair, in a name, is \\ud83d in JSON
    titles = [visible(t.tree.title) or "A game tree" for t in traces]
    return PAGE.format(
        policy=escape(POLICY),
        title=escape(", ".join(titles)),
        style=(HERE / "stepper.css").read_text(encoding="utf-8"),
        places="\n".join(f"<div>{_still(t, step, node)}</div>" for t in traces),
        data=data,
        module=module,
        boot=BOOT,
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


def _still(trace: Trace, step: int, node: str | None) -> str:
    """The picture where no script runs: of the step, or of the end where the page begins at the start."""
    svg: str = draw(trace, step or None, node=node).pipe("svg", encoding="utf-8")
    return svg[svg.index("<svg") :]
