"""A trace at a step as a picture by Graphviz. Colours, and what the page has the same of, are in
looks.json.
"""

import json
from collections.abc import Callable, Iterable
from html import escape
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

from abviz.errors import AbvizError, brief, columns, count, short, visible
from abviz.tracing.narration import cut_name, player, proven, sentence
from abviz.tracing.traces import RECORDED, NodeState, Trace
from abviz.tree.annotations import annotations_of
from abviz.tree.model import Node, Tree
from abviz.views.rendering import Picture, rendered

# Colours, sizes and the widths of letters, which the page uses too. Blue and vermilion differ for
# everyone (after Okabe and Ito); shapes and words say all of it again.
LOOKS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "page" / "looks.json").read_text("utf-8")
)
COLOURS: dict[str, str] = LOOKS["colours"]
FONT = "DejaVu Sans,Helvetica,Arial,sans-serif"
# How far the sides of an inner node lean in, in points: MAX points up, MIN points down
SLOPE: int = LOOKS["slope"]
HEAD_HEIGHT, LEAF_HEIGHT, ROW = LOOKS["head"], LOOKS["leaf"], LOOKS["row"]
# Between neighbours, and between rows (room for the mark of a cut)
GAP, RANK_GAP = LOOKS["gap"], LOOKS["rankGap"]
SIZES: dict[str, float] = LOOKS["sizes"]  # of fonts, in points
UNITS: dict[str, float] = LOOKS["units"]  # of letters, in units of the font's size
CENTRING = "100"  # the weight of an edge that is to be short
CAPTION, CAPTION_WIDTH, CAPTION_ROW = 92, 660, 15  # columns of a line; points
WIDTHS = {letter: UNITS[kind] for kind, letters in LOOKS["widths"].items() for letter in letters}
MOST_NODES, MOST_LEVELS = LOOKS["mostNodes"], LOOKS["mostLevels"]  # a larger picture cannot be read

Look = dict[str, str]  # Graphviz attributes


def draw(trace: Trace | Tree, step: int | None = None, *, node: str | None = None) -> Picture:
    """Return the trace after the step (by default its end) as a graphviz.Digraph; `node` draws only
    that part.

    A tree is drawn as it is, before any search; v is the static value of an inner node.
    """
    if isinstance(trace, Tree) and step is None:
        has_static_values = any(each.children and each.value is not None for each in trace.nodes)
        picture = draw_unsearched(trace, {"v": ""} if has_static_values else {}, node)
        if trace.title:
            picture.attr(label=f"<{_html(short(trace.title, CAPTION))}>")
        return picture
    if not isinstance(trace, Trace):
        raise AbvizError(
            f"asked to draw {brief(trace)}; expected a trace, as trace(tree) makes it, or a tree and no step"
        )
    step = len(trace) if step is None else trace.check_step(step)
    states = [trace.node_at(each, step) for each in trace.tree.nodes]
    on_line = set(pairwise(trace.line_at(step)))
    lit, lit_look = _argument(trace, step)

    def of_edge(parent: Node, child: Node) -> Look:
        below = states[child.index]
        if below.state == "skipped" != states[parent.index].state:
            return _cut_look(trace, parent, child)
        if {parent.name, child.name} <= lit:
            return lit_look
        if below.state in ("skipped", "waiting"):
            return {
                "color": COLOURS["faded"],
                "style": "dashed" if below.state == "skipped" else "solid",
            }
        return {
            "color": COLOURS["ink"],
            "penwidth": "3.4" if (parent.name, child.name) in on_line else "1",
        }

    part = readable(trace.tree, node)
    picture = graph(trace.tree, part, letters(trace), states, of_edge)
    for each in part:
        if each.name in lit:
            picture.node(_id(each), **lit_look)
    picture.description = f"Step {step} of {len(trace)}. {sentence(trace, step)}"
    # Its length moves no node of the tree
    picture.attr(label=_caption(trace.tree.title, picture.description))
    return picture


def draw_unsearched(tree: Tree, letters: dict[str, str], node: str | None = None) -> Picture:
    """Return the tree before any search, with room for these letters in its inner nodes."""
    states = [NodeState(state="", value=each.value) for each in tree.nodes]
    return graph(tree, readable(tree, node), letters, states)


def _argument(trace: Trace, step: int) -> tuple[set[str], Look]:
    """Return the nodes of the argument for a cut, and their look: from the witness down to the node
    that cuts, and to the child that set the bound and on along the line to the leaf it came from.
    """
    cut = trace.cut_at(step)
    if cut is None or cut.witness is None or cut.via is None:
        return set(), {}
    path = [node.name for node in trace.tree.path(trace.tree[cut.at])]
    lit = {*path[path.index(cut.witness) :], cut.via, *trace.line_at(step, start=cut.via)}
    return lit, {"penwidth": "3", "color": COLOURS[cut.kind]}


def readable(tree: Tree, node: str | None) -> tuple[Node, ...]:
    """Return the nodes to draw; raise AbvizError where the picture would be unreadable."""
    part = tree.below(tree.root if node is None else tree[node])
    levels = 1 + max(len(tree.path(each)) for each in part) - len(tree.path(part[0]))
    if len(part) > MOST_NODES or levels > MOST_LEVELS:
        raise AbvizError(
            f"a picture of {count(len(part), 'node')} on {count(levels, 'level')} would be unreadable (at most "
            f"{MOST_NODES:,} and {MOST_LEVELS}); print(trace) tells it in words, node=NAME draws the part below a node"
        )
    return part


def layout(picture: Picture) -> tuple[tuple[float, float], dict[int, tuple[float, float]]]:
    """Return the size of the picture and the centre of each node by its index, in points, y
    downwards.
    """
    lines = rendered(picture.source, "plain").decode().splitlines()
    width, height = (72 * float(word) for word in lines[0].split()[2:4])
    nodes = [line.split()[1:4] for line in lines if line.startswith("node n")]  # n7 x y
    places = {
        int(name[1:]): (round(72 * float(x), 1), round(height - 72 * float(y), 1))
        for name, x, y in nodes
    }
    return (round(width, 1), round(height, 1)), places


def node_sizes(tree: Tree, part: tuple[Node, ...], rows: int) -> list[tuple[int, int]]:
    """Return the width and height of each node in points, with room for all that it may come to
    say: in an inner node `rows` letters with any number of the tree, and an interval of two.
    """
    annotations = annotations_of(tree)
    said = [
        node.value
        for node in tree.nodes
        if node.value is not None or (node.is_leaf and not annotations.folded(node))
    ]
    widest = max(_width(annotations.number(value)) for value in said)
    sizes = []
    for node in part:
        name = _width(short(annotations.label(node)))
        if node.is_leaf:
            words = folded_words(tree, node, cut=True)
            first = (
                SIZES["folded"] * _width(words)
                if words
                else SIZES["value"] * _width(annotations.number(node.value))
            )
            sizes.append(
                (max(38, round(first) + 10, round(SIZES["name"] * name) + 10), LEAF_HEIGHT)
            )
        else:
            dots, margins = 1.8, 20 + 2 * SLOPE
            head = round(SIZES["head"] * (UNITS["glyph"] + name + 2 * widest + dots))
            sizes.append((head + margins, HEAD_HEIGHT + ROW * rows))
    return sizes


def _width(text: str) -> float:
    """How wide bold text is at most in the usual fonts, in units of the font's size."""
    return sum(
        UNITS["double"]
        if columns(letter) == 2
        else WIDTHS.get(letter) or UNITS["upper" if letter.isupper() else "other"]
        for letter in text
    )


# what each thing looks like


def graph(
    tree: Tree,
    part: tuple[Node, ...],
    letters: dict[str, str],
    states: list[NodeState] | None = None,
    of_edge: Callable[[Node, Node], Look] = lambda parent, child: {},
) -> Picture:
    """Return the graph. What differs from step to step changes no size, so every step and every
    view has the same layout. Without states its boxes are empty: for the layout alone, labels would
    take Graphviz half the time.
    """
    picture, titles = Picture(), {}
    picture.title, picture.description = (
        visible(tree.title) or "A game tree",
        count(len(part), "node"),
    )
    picture.attr(
        ordering="out", splines="line", nodesep=f"{GAP / 72:.3f}", ranksep=f"{RANK_GAP / 72:.3f}"
    )
    picture.attr(fontname=FONT, fontsize="12", labelloc="b", bgcolor=COLOURS["paper"])
    picture.attr("node", shape="box", fixedsize="true", fontname=FONT, fontsize="12")
    picture.attr("edge", arrowhead="none", tailport="s", headport="n", fontname=FONT, fontsize="11")
    for node, (width, height) in zip(part, node_sizes(tree, part, len(letters)), strict=True):
        state = states[node.index] if states else NodeState(state="")
        look = _node_look(tree, node, state, letters, width) if states else {"label": ""}
        picture.node(
            _id(node), id=_id(node), width=f"{width / 72:.3f}", height=f"{height / 72:.3f}", **look
        )
        titles[_id(node)] = (
            f"{player(node)} node {visible(node.name)}{', ' * bool(state.state)}{state.state}"
        )
        for place, child in enumerate(node.children):
            edge, is_middle = f"{_id(node)}_{_id(child)}", 2 * place + 1 == len(node.children)
            # No child is in the middle: an invisible one, so that all are centred
            if 2 * place == len(node.children):
                picture.node(f"m{node.index}", label="", style="invis", width="0.01", height="0.01")
                picture.edge(_id(node), f"m{node.index}", style="invis", weight=CENTRING)
            picture.edge(
                _id(node),
                _id(child),
                id=edge,
                weight=CENTRING if is_middle else "1",
                **of_edge(node, child),
            )
            titles[edge] = f"{visible(node.name)} to {visible(child.name)}"
    picture.titles = titles
    return picture


def _id(node: Node) -> str:
    return f"n{node.index}"  # never the name: that could be anything


def letters(trace: Trace) -> dict[str, str]:
    """Return the letters of an inner node, each with its sign for "no number": a recorded function
    may have no variable for one.
    """
    return dict.fromkeys(
        ("α", "β", "bv") if trace.has_bounds else ("bv",), "—" if trace.search == RECORDED else ""
    )


def folded_words(tree: Tree, node: Node, *, cut: bool) -> str:
    """What a folded part says of itself: "37 nodes", and "✂ 37 nodes" once it is cut off; "" for
    any other node.
    """
    folded = annotations_of(tree).folded(node)
    return f"{'✂ ' if cut else ''}{count(folded.nodes, 'node')}" if folded else ""


def _node_look(
    tree: Tree, node: Node, state: NodeState, letters: dict[str, str], width: int
) -> Look:
    gone = state.state in ("skipped", "waiting")
    ink = COLOURS["faded" if gone else "ink"]
    tint = "leaf" if node.is_leaf or gone else "max" if node.is_max else "min"
    look = {
        "label": _leaf_label(tree, node, state)
        if node.is_leaf
        else _inner_label(tree, node, state, letters, width),
        "fontcolor": ink,
        "color": ink,
        "fillcolor": COLOURS["active" if state.state == "active" else tint],
        "style": f"filled{',rounded' if node.is_leaf else ''}{',dashed' if state.state == 'skipped' else ''}",
        "penwidth": "2.6" if state.state == "active" else "1",
    }
    if not node.is_leaf:
        lean = 2 * SLOPE / width
        look |= {
            "shape": "polygon",
            "sides": "4",
            "distortion": f"{-lean if node.is_max else lean:.3f}",
        }
    return look


def _cut_look(trace: Trace, parent: Node, child: Node) -> Look:
    """Scissors on the edge and a double bar across it; the last edge of a cutoff has room for the
    name of the cut, and minimax's early stop has no name.
    """
    kind = "beta" if parent.is_max else "alpha"
    colour = COLOURS[kind]
    is_named = child is trace.rules.order(parent.children)[-1] and trace.search == "alphabeta"
    words = f"✂ {cut_name(trace, kind)}-cut" if is_named else "✂"
    pill = f'<<table border="0" cellpadding="1" bgcolor="{COLOURS["paper"]}"><tr><td>{words}</td></tr></table>>'
    look = {
        "arrowhead": "teetee",
        "color": colour,
        "fontcolor": colour,
        "style": "dashed",
        "headlabel": pill,
    }
    angle = "28" if child is parent.children[0] else "-28"
    return look | {
        "labeldistance": "3.3" if is_named else "2.4",
        "labelangle": angle if is_named else "0",
    }


def _inner_label(
    tree: Tree, node: Node, state: NodeState, letters: dict[str, str], width: int
) -> str:
    """A small table: ▲ or ▼ with the name and what is proven, then α, β and bv."""
    annotations = annotations_of(tree)
    name = short(annotations.label(node))
    rows = [
        (
            f"<b>{'▲' if node.is_max else '▼'} {_html(name)}</b>",
            f"<b>{proven(state, annotations.number) or ' '}</b>",
        )
    ]
    values = {"α": state.alpha, "β": state.beta, "bv": state.bv, "v": state.value}
    for letter, none in letters.items():
        value = values[letter]
        text = (
            annotations.number(value)
            if value is not None
            else none
            if state.state in ("active", "open", "done")
            else ""
        )
        rows.append((letter, text or " "))
    left = round(12 * (UNITS["glyph"] + _width(name)))
    right = width - 2 * SLOPE - 12 - left
    return _table(
        f'<td align="left" width="{left}" height="{ROW}">{one}</td>'
        f'<td align="right" width="{right}" height="{ROW}">{other}</td>'
        for one, other in rows
    )


def _table(rows: Iterable[str]) -> str:
    cells = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="0">{cells}</table>>'


def _leaf_label(tree: Tree, node: Node, state: NodeState) -> str:
    annotations = annotations_of(tree)
    size, value = 15.0, f"<b>{annotations.number(node.value)}</b>"
    if words := folded_words(tree, node, cut=state.state == "skipped"):
        size, value = SIZES["folded"], words
    name = _html(short(annotations.label(node)))
    return f'<<font point-size="{size}">{value}</font><br/><font point-size="9">{name}</font>>'


def _html(text: str) -> str:
    r"""For a Graphviz HTML label, where \N would stand for the node's name even so: a doubled
    backslash is one.
    """
    return escape(text).replace("\\", "\\\\")


def _caption(title: str, text: str) -> str:
    """The title and the text, in cells that are as wide at every step as at any other."""
    lines = [
        "",
        *[short(title, CAPTION)] * bool(title),
        *wrap(text, CAPTION, break_on_hyphens=False),
    ]
    size = f'fixedsize="true" width="{CAPTION_WIDTH}" height="{CAPTION_ROW}"'
    return _table(f"<td {size}>{_html(line)}</td>" for line in lines)
