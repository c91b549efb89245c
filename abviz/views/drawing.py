"""A trace at a step as a picture by Graphviz. Colours, and what the page has the same of, are in looks.json."""

import json
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

from abviz.errors import AbvizError, brief, columns, count, number, short, visible
from abviz.tracing.narration import cut_name, player, proven, sentence
from abviz.tracing.traces import RECORDED, NodeState, Trace
from abviz.tree.model import Node, Tree
from abviz.views.rendering import Picture, rendered

# Colours, sizes and the widths of letters, which the page uses too. Blue and vermilion differ for everyone
# (after Okabe and Ito); shapes and words say all of it again.
LOOKS: dict[str, Any] = json.loads((Path(__file__).parent / "page" / "looks.json").read_text("utf-8"))
COLOURS: dict[str, str] = LOOKS["colours"]
FONT = "DejaVu Sans,Helvetica,Arial,sans-serif"
SLOPE: int = LOOKS["slope"]  # how far the sides of an inner node lean in, in points: MAX points up, MIN points down
HEAD_HEIGHT, LEAF_HEIGHT, ROW = LOOKS["head"], LOOKS["leaf"], LOOKS["row"]
GAP, RANK_GAP = LOOKS["gap"], LOOKS["rankGap"]  # between neighbours, and between rows (room for the mark of a cut)
SIZES: dict[str, float] = LOOKS["sizes"]  # of fonts, in points
UNITS: dict[str, float] = LOOKS["units"]  # of letters, in units of the font's size
CAPTION, CAPTION_WIDTH, CAPTION_ROW = 92, 660, 15  # columns of a line; points
WIDTHS = {letter: UNITS[kind] for kind, letters in LOOKS["widths"].items() for letter in letters}
MOST_NODES, MOST_LEVELS = LOOKS["mostNodes"], LOOKS["mostLevels"]  # a larger picture cannot be read

Look = dict[str, str]  # Graphviz attributes


def draw(trace: Trace | Tree, step: int | None = None, *, node: str | None = None) -> Picture:
    """Return the trace after the step (by default its end) as a graphviz.Digraph; `node` draws only that part.

    A tree is drawn as it is, before any search; v is the static value of an inner node.
    """
    if isinstance(trace, Tree):
        if step is not None:
            raise AbvizError(f"step is {brief(step)}, of a tree, which has none; expected draw(trace(tree), step)")
        return _draw_tree(trace, node)
    if not isinstance(trace, Trace):
        raise AbvizError(f"asked to draw {brief(trace)}; expected a trace or a tree: trace(tree), load(name)")
    step = len(trace) if step is None else trace.check_step(step)
    tree, part = trace.tree, readable(trace.tree, node)
    on_line = set(pairwise(trace.line_at(step)))
    lit = set(lit_nodes(trace, step))
    cut = trace.cut_at(step)
    bound = COLOURS[cut.kind] if cut else ""

    def of_node(node: Node, width: int) -> Look:
        here = bound if node.name in lit else ""
        return _node_look(tree, node, trace.node_at(node, step), here, letters(trace), width)

    def of_edge(parent: Node, child: Node) -> Look:
        above, below = trace.node_at(parent, step), trace.node_at(child, step)
        if below.state == "skipped" != above.state:
            return _cut_look(trace, parent, child)
        is_lit = parent.name in lit and child.name in lit
        return _edge_look(below, (parent.name, child.name) in on_line, bound if is_lit else "")

    picture = _graph(tree, part, len(letters(trace)), of_node, of_edge)
    for each in part:
        picture.titles[_id(each)] += f", {trace.node_at(each, step).state}"
    picture.description = f"Step {step} of {len(trace)}. {sentence(trace, step)}"
    picture.attr(label=_caption(tree.title, picture.description), labelloc="b")  # its length moves no node of the tree
    return picture


def _draw_tree(tree: Tree, node: str | None) -> Picture:
    has_static_values = any(each.children and each.value is not None for each in tree.nodes)
    picture = _before_search(tree, node, {"v": ""} if has_static_values else {})
    if tree.title:
        picture.attr(label=f"<{_html(short(tree.title, CAPTION))}>", labelloc="b", fontsize="12")
    return picture


def form(tree: Tree) -> Picture:
    """The tree before any search, with room for α, β and bv at the size of a drawn trace, to be filled in by hand."""
    picture = _before_search(tree, None, dict.fromkeys(("α", "β", "bv"), ""))
    picture.title = "A game tree"  # its own may give the answer away
    return picture


def _before_search(tree: Tree, node: str | None, letters: dict[str, str]) -> Picture:
    def of_node(each: Node, width: int) -> Look:
        return _node_look(tree, each, NodeState(state="open", value=each.value), "", letters, width)

    return _graph(tree, readable(tree, node), len(letters), of_node)


def lit_nodes(trace: Trace, step: int) -> list[str]:
    """At a cut, the nodes of the argument: from the witness down to the node that cuts, and to the child that set the
    bound and on along the line to the leaf it came from."""
    cut = trace.cut_at(step)
    if cut is None or cut.witness is None or cut.via is None:
        return []
    tree = trace.tree
    path = [node.name for node in tree.path(tree[cut.at])]
    return [*path[path.index(cut.witness) :], *(trace.line_at(step, start=cut.via) or (cut.via,))]


def readable(tree: Tree, node: str | None) -> tuple[Node, ...]:
    """Return the nodes to draw; raise AbvizError where the picture would be unreadable."""
    part = tree.below(tree.root if node is None else tree[node])
    level = {part[0].index: 1}
    for each in part:
        level.update((child.index, level[each.index] + 1) for child in each.children)
    levels = max(level.values())
    if len(part) > MOST_NODES or levels > MOST_LEVELS:
        raise AbvizError(
            f"a picture of {count(len(part), 'node')} on {count(levels, 'level')} would be unreadable (at most "
            f"{MOST_NODES:,} and {MOST_LEVELS}); print(trace) tells it in words, node=NAME draws the part below "
            "a node"
        )
    return part


def layout(tree: Tree, part: tuple[Node, ...], rows: int) -> tuple[tuple[float, float], dict[int, tuple[float, float]]]:
    """Return the size of the picture and the centre of each node by its index, in points, y downwards."""
    lines = rendered(_graph(tree, part, rows).source, "plain").decode().splitlines()
    width, height = (72 * float(word) for word in lines[0].split()[2:4])
    places = {}
    for words in map(str.split, lines):
        if words[0] == "node":  # node n7 x y width height ...
            x, y = (72 * float(word) for word in words[2:4])
            places[int(words[1][1:])] = (round(x, 1), round(height - y, 1))
    return (round(width, 1), round(height, 1)), places


def node_sizes(tree: Tree, part: tuple[Node, ...], rows: int) -> list[tuple[int, int]]:
    """Return the width and height of each node in points, the same at every step: there is room for all that it may
    come to say. `rows` letters stand in an inner node, where any number of the tree may come up, two of them where an
    interval is proven."""
    said = [node.value for node in tree.nodes if node.value is not None or (node.is_leaf and not tree.folded(node))]
    widest = max(_width(number(value)) for value in said)
    return [_size(tree, node, widest, rows) for node in part]


def _size(tree: Tree, node: Node, widest: float, rows: int) -> tuple[int, int]:
    name = _width(short(tree.label(node)))
    if node.is_leaf:
        words = folded_words(tree, node, cut=True)
        first = SIZES["folded"] * _width(words) if words else SIZES["value"] * _width(number(node.value))
        return max(38, round(first) + 10, round(SIZES["name"] * name) + 10), LEAF_HEIGHT
    dots, margins = 1.8, 20 + 2 * SLOPE
    head = round(SIZES["head"] * (UNITS["glyph"] + name + 2 * widest + dots))
    return head + margins, HEAD_HEIGHT + ROW * rows


def _width(text: str) -> float:
    """How wide bold text is at most in the usual fonts, in units of the font's size."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if columns(letter) == 2:
        return UNITS["double"]
    return WIDTHS.get(letter, UNITS["upper" if letter.isupper() else "other"])


def mimebundle(shown: Trace | Tree) -> dict[str, str]:
    """What a notebook shows of a trace or a tree: its picture, and in words what it is."""
    text = repr(shown)
    try:
        return {"image/svg+xml": draw(shown)._repr_image_svg_xml(), "text/plain": text}
    except AbvizError as problem:
        return {"text/plain": f"{text}\n({problem})"}


# what each thing looks like


def _graph(
    tree: Tree,
    part: tuple[Node, ...],
    rows: int,
    of_node: Callable[[Node, int], Look] = lambda node, width: {},
    of_edge: Callable[[Node, Node], Look] = lambda parent, child: {},
) -> Picture:
    """The graph. What differs from step to step changes no size, so every step and every view has the same layout."""
    picture = Picture()
    picture.title, picture.description = visible(tree.title) or "A game tree", count(len(part), "node")
    picture.attr(ordering="out", splines="line", nodesep=f"{GAP / 72:.3f}", ranksep=f"{RANK_GAP / 72:.3f}")
    picture.attr(fontname=FONT, bgcolor=COLOURS["paper"])
    picture.attr("node", shape="box", fixedsize="true", label="", fontname=FONT, fontsize="12")
    picture.attr("edge", arrowhead="none", tailport="s", headport="n", fontname=FONT, fontsize="11")
    for node, (width, height) in zip(part, node_sizes(tree, part, rows), strict=True):
        size = {"width": f"{width / 72:.3f}", "height": f"{height / 72:.3f}"}
        picture.node(_id(node), id=_id(node), **size, **of_node(node, width))
        picture.titles[_id(node)] = f"{player(node)} node {visible(node.name)}"
        for child in node.children:
            edge = f"{_id(node)}_{_id(child)}"
            picture.edge(_id(node), _id(child), id=edge, **of_edge(node, child))
            picture.titles[edge] = f"{visible(node.name)} to {visible(child.name)}"
    return picture


def _id(node: Node) -> str:
    return f"n{node.index}"  # never the name: that could be anything


def letters(trace: Trace) -> dict[str, str]:
    """Return the letters of an inner node, each with its sign for "no number": a recorded function may have no
    variable for one."""
    return dict.fromkeys(("α", "β", "bv") if trace.has_bounds else ("bv",), "—" if trace.search == RECORDED else "")


def folded_words(tree: Tree, node: Node, *, cut: bool) -> str:
    """What a folded part says of itself: "37 nodes", and "✂ 37 nodes" once it is cut off; "" for any other node."""
    folded = tree.folded(node)
    return f"{'✂ ' if cut else ''}{count(folded.nodes, 'node')}" if folded else ""


def _node_look(tree: Tree, node: Node, state: NodeState, lit: str, letters: dict[str, str], width: int) -> Look:
    gone = state.state in ("skipped", "waiting")
    ink = COLOURS["faded" if gone else "ink"]
    tint = "leaf" if node.is_leaf or gone else "max" if node.is_max else "min"
    look = {
        "label": _leaf_label(tree, node, state, ink)
        if node.is_leaf
        else _inner_label(tree.label(node), node, state, ink, letters, width),
        "color": lit or ink,
        "fillcolor": COLOURS["active" if state.state == "active" else tint],
        "style": f"filled{',rounded' if node.is_leaf else ''}{',dashed' if state.state == 'skipped' else ''}",
        "penwidth": "2.6" if state.state == "active" or lit else "1",
    }
    if not node.is_leaf:
        lean = 2 * SLOPE / width
        look |= {"shape": "polygon", "sides": "4", "distortion": f"{-lean if node.is_max else lean:.3f}"}
    return look


def _cut_look(trace: Trace, parent: Node, child: Node) -> Look:
    """Scissors on the edge and a double bar across it; the last edge of a cutoff has room for the name of the cut, and
    minimax's early stop has no name."""
    kind = "beta" if parent.is_max else "alpha"
    colour = COLOURS[kind]
    is_named = child is trace.rules.order(parent.children)[-1] and trace.search == "alphabeta"
    words = f"✂ {cut_name(trace, kind)}-cut" if is_named else "✂"
    pill = f'<<table border="0" cellpadding="1" bgcolor="{COLOURS["paper"]}"><tr><td>{words}</td></tr></table>>'
    bar = {"arrowhead": "teetee", "color": colour, "fontcolor": colour, "style": "dashed", "headlabel": pill}
    if not is_named:
        return bar | {"labeldistance": "2.4", "labelangle": "0"}
    return bar | {"labeldistance": "3.8", "labelangle": "28" if child is parent.children[0] else "-28"}


def _edge_look(state: NodeState, on_line: bool, lit: str) -> Look:
    if lit:
        return {"penwidth": "3.4", "color": lit}
    if state.state in ("skipped", "waiting"):
        return {"color": COLOURS["faded"], "style": "dashed" if state.state == "skipped" else "solid"}
    return {"penwidth": "3.4" if on_line else "1", "color": COLOURS["ink"]}


def _inner_label(label: str, node: Node, state: NodeState, ink: str, letters: dict[str, str], width: int) -> str:
    """A small table: ▲ or ▼ with the name and what is proven, then α, β and bv."""
    name = short(label)
    left = round(12 * (UNITS["glyph"] + _width(name)))
    widths = left, width - 2 * SLOPE - 12 - left
    rows = [_row(f"{'▲' if node.is_max else '▼'} {_html(name)}", proven(state), ink, widths, bold=True)]
    values = {"α": state.alpha, "β": state.beta, "bv": state.bv, "v": state.value}
    for letter, none in letters.items():
        value = values[letter]
        text = number(value) if value is not None else none if state.state in ("active", "open", "done") else ""
        rows.append(_row(letter, text, ink, widths))
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="0">{"".join(rows)}</table>>'


def _row(left: str, right: str, ink: str, widths: tuple[int, int], bold: bool = False) -> str:
    def cell(text: str, side: str, width: int) -> str:
        text = f"<b>{text}</b>" if bold and text else text or " "
        return f'<td align="{side}" width="{width}" height="{ROW}"><font color="{ink}">{text}</font></td>'

    return f"<tr>{cell(left, 'left', widths[0])}{cell(right, 'right', widths[1])}</tr>"


def _leaf_label(tree: Tree, node: Node, state: NodeState, ink: str) -> str:
    name = f'<font color="{ink}" point-size="9">{_html(short(tree.label(node)))}</font>'
    size, value = 15.0, f"<b>{number(node.value)}</b>"
    if words := folded_words(tree, node, cut=state.state == "skipped"):
        size, value = SIZES["folded"], words
    return f'<<font color="{ink}" point-size="{size}">{value}</font><br/>{name}>'


def _html(text: str) -> str:
    r"""For a Graphviz HTML label, where \N would stand for the node's name even so: a doubled backslash is one."""
    return escape(text).replace("\\", "\\\\")


def _caption(title: str, text: str) -> str:
    """The title and the text, in cells that are as wide at every step as at any other."""
    lines = [short(title, CAPTION)] if title else []
    even = len(text) // (len(text) // CAPTION + 1) + 12  # no word alone on the last line
    lines += wrap(text, min(even, CAPTION), break_long_words=False, break_on_hyphens=False)
    size = f'fixedsize="true" width="{CAPTION_WIDTH}" height="{CAPTION_ROW}"'
    rows = "".join(f"<tr><td {size}>{_html(line)}</td></tr>" for line in ["", *lines])
    table = f'<table border="0" cellborder="0" cellspacing="0" cellpadding="0">{rows}</table>'
    return f'<<font point-size="12">{table}</font>>'
