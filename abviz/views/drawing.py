"""A trace at a step as a picture by Graphviz. What it shares with the page is in looks.json."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import pairwise
from math import floor
from textwrap import wrap

from abviz.capabilities import is_installed
from abviz.errors import AbvizError, brief, count, short, visible
from abviz.tracing.narration import cut_name, player, proven_beside, sentence
from abviz.tracing.templates import lettered
from abviz.tracing.traces import RECORDED, NodeState, Trace
from abviz.tree.annotations import annotations_of
from abviz.tree.model import Node, Tree
from abviz.views.looks import (
    GAP,
    HEAD_HEIGHT,
    LEAF_HEIGHT,
    MOST_LEVELS,
    MOST_NODES,
    RANK_GAP,
    ROW,
    SIZES,
    SLOPE,
    UNITS,
    text_width,
)
from abviz.views.rendering import Picture, rendered

# Blue and vermilion differ for everyone (after Okabe and Ito); shapes and words repeat it.
# The page has colors of its own, which follow the notebook's theme.
COLORS = {
    "ink": "#1f2328",
    "faded": "#8c959f",
    "paper": "#ffffff",
    "max": "#e8f1fa",
    "min": "#fdf0e6",
    "leaf": "#ffffff",
    "active": "#fff3b8",
    "alpha": "#0b5cad",
    "beta": "#b3430b",
}

# Their places on a dark ground.
DARK_COLORS = {
    "ink": "#e6edf3",
    "faded": "#8b949e",
    "paper": "#111111",
    "max": "#1b2630",
    "min": "#2e211a",
    "leaf": "#111111",
    "active": "#5c4d0f",
    "alpha": "#6db3ff",
    "beta": "#ff9c66",
}

FONT = "DejaVu Sans,Helvetica,Arial,sans-serif"
CENTRING = "100"  # the weight of an edge that is to be short

# In points, where a picture is tight: between neighbors, and the least width of a leaf
TIGHT_GAP = 3
TIGHT_LEAF = 24

CAPTION = 92  # columns of a line
CAPTION_WIDTH = 660  # points
CAPTION_ROW = 15

Look = dict[str, str]  # Graphviz attributes


def draw(trace: Trace | Tree, step: int | None = None, *, node: str | None = None) -> Picture:
    """Return the trace after the step (by default its end) as a graphviz.Digraph.

    `node` draws only the part of the tree below it. A tree is drawn as it is, before any search; v
    is the static value of an inner node.
    """
    if isinstance(trace, Tree) and step is None:
        return _draw_tree(trace, node)
    if not isinstance(trace, Trace):
        expected = "expected a trace, as trace(tree) makes it, or a tree and no step"
        raise AbvizError(f"asked to draw {brief(trace)}; {expected}")
    step = len(trace) if step is None else trace.check_step(step)

    picture = _draw_step(trace, step, node, letters(trace))
    # The length of the caption moves no node of the tree.
    picture.attr(label=_caption(trace.tree.title, picture.description))
    return picture


def draw_solved(trace: Trace, letters: dict[str, str], *, is_tight: bool = False) -> Picture:
    """Return the end of the search with these letters in its inner nodes, without a caption.

    Where it is tight, nodes are as narrow as they can be: no interval stands beside a name.
    """
    return _draw_step(trace, len(trace), None, letters, is_tight)


def draw_filled_in(
    tree: Tree, texts: Mapping[tuple[str, str], str], cuts: Mapping[str, str]
) -> Picture:
    """Return the tree with a reader's marks.

    These are texts in place of numbers, by node and letter, and words beside the scissors above
    each node that is cut.
    """
    letters = dict.fromkeys(("α", "β", "bv"), "")
    states = [NodeState(state="done", value=each.value) for each in tree.nodes]

    def of_edge(parent: Node, child: Node) -> Look:
        if child.name not in cuts:
            return {}

        look = _scissors(parent, f"✂ {cuts[child.name]}")
        is_outer = child in (parent.children[0], parent.children[-1])
        return look | _beside(parent, child) if is_outer else look

    part = readable(tree, None)
    picture = graph(tree, part, letters, states, of_edge)
    sizes = node_sizes(tree, part, len(letters))
    for node, (width, _) in zip(part, sizes, strict=True):
        if node.children:
            own = {letter: _html(texts.get((node.name, letter), "")) for letter in letters}
            label = _inner_label(tree, node, states[node.index], own, width, "")
            picture.node(_id(node), label=label)
    return picture


def _draw_step(
    trace: Trace, step: int, node: str | None, letters: dict[str, str], is_tight: bool = False
) -> Picture:
    part = readable(trace.tree, node)
    states = [trace.node_at(each, step) for each in trace.tree.nodes]
    written = annotations_of(trace.tree).number
    lit, lit_look = _argument(trace, step)
    line = set(pairwise(trace.line_at(step)))

    def of_edge(parent: Node, child: Node) -> Look:
        state = states[child.index].state
        if state == "skipped" and states[parent.index].state != "skipped":
            return _cut_look(trace, parent, child)
        if {parent.name, child.name} <= lit:
            return lit_look
        return _edge_look(state, is_on_line=(parent.name, child.name) in line)

    def beside(node: Node) -> str:
        return "" if is_tight else proven_beside(trace, node, step, written)

    picture = graph(trace.tree, part, letters, states, of_edge, beside, is_tight)
    for each in part:
        if each.name in lit:
            picture.node(_id(each), **lit_look)

    picture.description = f"Step {step} of {len(trace)}. {sentence(trace, step)}"
    return picture


def _draw_tree(tree: Tree, node: str | None) -> Picture:
    """Return the tree with the static values of its inner nodes, where it has any."""
    letters: dict[str, str] = {}
    if any(each.children and each.value is not None for each in tree.nodes):
        letters["v"] = ""

    picture = draw_unsearched(tree, letters, node)
    if tree.title:
        picture.attr(label=f"<{_html(short(tree.title, CAPTION))}>")
    return picture


def draw_unsearched(
    tree: Tree, letters: dict[str, str], node: str | None = None, *, is_tight: bool = False
) -> Picture:
    """Return the tree before any search, with room for these letters in its inner nodes."""
    states = [NodeState(state="", value=each.value) for each in tree.nodes]
    return graph(tree, readable(tree, node), letters, states, is_tight=is_tight)


def _argument(trace: Trace, step: int) -> tuple[set[str], Look]:
    """Return the nodes of the argument for a cut, and their look.

    They go from the witness down to the node that cuts, and to the child that set the bound and on
    along the line to the leaf that the bound came from.
    """
    cut = trace.cut_at(step)
    if cut is None or cut.witness is None or cut.via is None:
        return set(), {}

    path = [node.name for node in trace.tree.path(trace.tree[cut.at])]
    from_witness = path[path.index(cut.witness) :]
    lit = {*from_witness, *trace.source_of_bound(cut)}
    return lit, {"penwidth": "3", "color": COLORS[cut.kind]}


def readable(tree: Tree, node: str | None) -> tuple[Node, ...]:
    """Return the nodes to draw; raise AbvizError where the picture would be unreadable."""
    part = tree.below(tree.root if node is None else tree[node])
    levels = 1 + max(len(tree.path(each)) for each in part) - len(tree.path(part[0]))
    if len(part) > MOST_NODES or levels > MOST_LEVELS:
        size = f"{count(len(part), 'node')} on {count(levels, 'level')}"
        raise AbvizError(
            f"a picture of {size} would be unreadable (at most {MOST_NODES:,} and {MOST_LEVELS}); "
            "print(trace) says it in words, node=NAME draws the part below a node"
        )
    return part


def layout(picture: Picture) -> tuple[tuple[float, float], dict[int, tuple[float, float]]]:
    """Return the size of the picture, and the center of each node by its index.

    They are in points, y downwards.
    """
    if not is_installed("pygraphviz"):
        (tree_width, tree_height), places = picture.parts.placed()
        found = {int(name[1:]): (round(x, 1), round(y, 1)) for name, (x, y) in places.items()}
        return (round(tree_width, 1), round(tree_height, 1)), found

    lines = rendered(picture.source, "plain").decode().splitlines()
    _, _, width_text, height_text = lines[0].split()[:4]  # graph 1 width height, in inches
    width = 72 * float(width_text)
    height = 72 * float(height_text)

    centers: dict[int, tuple[float, float]] = {}
    for line in lines:
        if line.startswith("node n"):  # node n7 x y
            _, name, x, y = line.split()[:4]
            center = round(72 * float(x), 1), round(height - 72 * float(y), 1)
            centers[int(name[1:])] = center
    return (round(width, 1), round(height, 1)), centers


def node_sizes(
    tree: Tree, part: tuple[Node, ...], rows: int, is_tight: bool = False
) -> list[tuple[int, int]]:
    """Return the width and height of each node in points, with room for all that it may show.

    In an inner node these are `rows` letters with any number of the tree, and an interval of two,
    for which there is no room where it is tight.
    """
    annotations = annotations_of(tree)
    shown: list[float] = []
    for node in tree.nodes:
        is_unknown_leaf = node.value is None and node.is_leaf and not annotations.folded(node)
        if node.value is not None or is_unknown_leaf:
            shown.append(text_width(annotations.number(node.value)))
    interval = 2 * max(shown) + 1.8  # and the dots between

    sizes: list[tuple[int, int]] = []
    for node in part:
        name = text_width(short(annotations.label(node)))
        if node.is_leaf:
            words = folded_words(tree, node, cut=True)
            if words:
                first = SIZES["folded"] * text_width(words)
            else:
                first = SIZES["value"] * text_width(annotations.number(node.value))
            least, margin = (TIGHT_LEAF, 4) if is_tight else (38, 10)
            widest = max(_rounded(first), _rounded(SIZES["name"] * name))
            sizes.append((max(least, widest + margin), LEAF_HEIGHT))
        elif is_tight:
            row = text_width("bv ") + max(text_width("−∞"), *shown)
            head = UNITS["glyph"] + name
            width = _rounded(SIZES["head"] * max(row, head)) + 2 * SLOPE + 6
            sizes.append((width, HEAD_HEIGHT + ROW * rows))
        else:
            margins = 20 + 2 * SLOPE
            head = _rounded(SIZES["head"] * (UNITS["glyph"] + name + interval))
            sizes.append((head + margins, HEAD_HEIGHT + ROW * rows))
    return sizes


def _rounded(width: float) -> int:
    """Round as JavaScript does, where halves go up: the page works out the same sizes."""
    return floor(width + 0.5)


# what each thing looks like


def graph(
    tree: Tree,
    part: tuple[Node, ...],
    letters: dict[str, str],
    states: list[NodeState] | None = None,
    of_edge: Callable[[Node, Node], Look] = lambda parent, child: {},
    beside: Callable[[Node], str] = lambda node: "",
    is_tight: bool = False,
) -> Picture:
    """Return the graph.

    `of_edge` says how each edge looks, and `beside` what stands beside the name of an inner node.

    What differs from step to step changes no size, so every step and every view has the same
    layout. Without states its boxes are empty: for the layout alone, labels would take Graphviz
    half the time.
    """
    picture = Picture()
    picture.title = visible(tree.title) or "A game tree"
    picture.description = count(len(part), "node")

    gap = TIGHT_GAP if is_tight else GAP
    picture.attr(
        ordering="out", splines="line", nodesep=f"{gap / 72:.3f}", ranksep=f"{RANK_GAP / 72:.3f}"
    )
    picture.attr(fontname=FONT, fontsize="12", labelloc="b", bgcolor=COLORS["paper"])
    picture.attr("node", shape="box", fixedsize="true", fontname=FONT, fontsize="12")
    picture.attr("edge", arrowhead="none", tailport="s", headport="n", fontname=FONT, fontsize="11")

    titles: dict[str, str] = {}
    sizes = node_sizes(tree, part, len(letters), is_tight)
    for node, (width, height) in zip(part, sizes, strict=True):
        state = states[node.index] if states else NodeState(state="")
        look = {"label": ""}
        if states:
            look = _node_look(tree, node, state, letters, width, beside)
        size = {"width": f"{width / 72:.3f}", "height": f"{height / 72:.3f}"}
        picture.node(_id(node), id=_id(node), **size, **look)

        title = f"{player(node)} node {visible(node.name)}"
        titles[_id(node)] = f"{title}, {state.state}" if state.state else title
        titles |= _add_edges(picture, node, of_edge)

    picture.titles = titles
    picture.dark = {COLORS[name]: dark for name, dark in DARK_COLORS.items()}
    return picture


def _add_edges(
    picture: Picture, node: Node, of_edge: Callable[[Node, Node], Look]
) -> dict[str, str]:
    """Add the edges to the node's children, which stand centered below it; return their titles."""
    titles: dict[str, str] = {}
    for place, child in enumerate(node.children):
        # No child is in the middle: an invisible one keeps the others centered.
        if 2 * place == len(node.children):
            middle = f"m{node.index}"
            picture.node(middle, label="", style="invis", width="0.01", height="0.01")
            picture.edge(_id(node), middle, style="invis", weight=CENTRING)

        edge = f"{_id(node)}_{_id(child)}"
        is_middle = 2 * place + 1 == len(node.children)
        weight = CENTRING if is_middle else "1"
        # Without a color of its own it is black, which a dark ground swallows
        look = {"color": COLORS["ink"], **of_edge(node, child)}
        picture.edge(_id(node), _id(child), id=edge, weight=weight, **look)
        titles[edge] = f"{visible(node.name)} to {visible(child.name)}"
    return titles


def _id(node: Node) -> str:
    return f"n{node.index}"  # never the name: that could be anything


def letters(trace: Trace) -> dict[str, str]:
    """Return the letters of an inner node, each with its sign for "no number".

    A recorded function may have no variable for one.
    """
    names = ("α", "β", "bv") if trace.has_bounds else ("bv",)
    return dict.fromkeys(names, "—" if trace.search == RECORDED else "")


def folded_words(tree: Tree, node: Node, *, cut: bool) -> str:
    """Return what a folded part shows: "37 nodes", and "✂ 37 nodes" once it is cut off.

    Return "" for any other node.
    """
    folded = annotations_of(tree).folded(node)
    if not folded:
        return ""

    size = count(folded.nodes, "node")
    return f"✂ {size}" if cut else size


def _node_look(
    tree: Tree,
    node: Node,
    state: NodeState,
    letters: dict[str, str],
    width: int,
    beside: Callable[[Node], str],
) -> Look:
    is_active = state.state == "active"
    is_faded = state.state in ("skipped", "waiting")
    ink = COLORS["faded" if is_faded else "ink"]

    fill = "leaf"
    if is_active:
        fill = "active"
    elif not node.is_leaf and not is_faded:
        fill = "max" if node.is_max else "min"

    styles = ["filled"]
    if node.is_leaf:
        styles.append("rounded")
        label = _leaf_label(tree, node, state)
    else:
        label = _inner_label(tree, node, state, letters, width, beside(node))
    if state.state == "skipped":
        styles.append("dashed")

    look = {
        "label": label,
        "fontcolor": ink,
        "color": ink,
        "fillcolor": COLORS[fill],
        "style": ",".join(styles),
        "penwidth": "2.6" if is_active else "1",
    }
    if not node.is_leaf:
        lean = 2 * SLOPE / width
        look["shape"] = "polygon"
        look["sides"] = "4"
        look["distortion"] = f"{-lean if node.is_max else lean:.3f}"
    return look


def _edge_look(state: str, *, is_on_line: bool) -> Look:
    """Return the look of an ordinary edge to a child in that state."""
    if state == "skipped":
        return {"color": COLORS["faded"], "style": "dashed"}
    if state == "waiting":
        return {"color": COLORS["faded"], "style": "solid"}
    return {"color": COLORS["ink"], "penwidth": "3.4" if is_on_line else "1"}


def _cut_look(trace: Trace, parent: Node, child: Node) -> Look:
    """Return scissors on the edge and a double bar across it.

    The last edge of a cutoff has room for the name of the cut. Minimax's early stop has no name.
    """
    kind = "beta" if parent.is_max else "alpha"
    is_last = child is trace.rules.order(parent.children)[-1]

    if not is_last or trace.search != "alphabeta":
        return _scissors(parent, "✂")
    return _scissors(parent, f"✂ {cut_name(trace, kind)}-cut") | _beside(parent, child)


def _scissors(parent: Node, words: str) -> Look:
    color = COLORS["beta" if parent.is_max else "alpha"]
    pill = f'<table border="0" cellpadding="1" bgcolor="{COLORS["paper"]}">'
    return {
        "arrowhead": "teetee",
        "color": color,
        "fontcolor": color,
        "style": "dashed",
        "headlabel": f"<{pill}<tr><td>{words}</td></tr></table>>",
        "labeldistance": "2.4",
        "labelangle": "0",
    }


def _beside(parent: Node, child: Node) -> Look:
    """Return where a longer label stands: beside the edge to an outer child, and higher up."""
    return {"labeldistance": "3.3", "labelangle": "28" if child is parent.children[0] else "-28"}


def _inner_label(
    tree: Tree, node: Node, state: NodeState, letters: dict[str, str], width: int, beside: str
) -> str:
    """Return a small table: ▲ or ▼ with the name and what stands beside it, then α, β and bv."""
    annotations = annotations_of(tree)
    name = short(annotations.label(node))
    sign = "▲" if node.is_max else "▼"
    is_entered = state.state in ("active", "open", "done")

    rows = [
        (f"<b>{sign} {_html(name)}</b>", f"<b>{beside or ' '}</b>"),
    ]
    values = {"α": state.alpha, "β": state.beta, "bv": state.bv, "v": state.value}
    for letter, none in letters.items():
        value = values[letter]
        text = none if is_entered else ""
        if value is not None:
            text = annotations.number(value)
        rows.append((lettered(letter), text or " "))

    left = round(12 * (UNITS["glyph"] + text_width(name)))
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
    size = 15.0
    value = f"<b>{annotations.number(node.value)}</b>"
    if words := folded_words(tree, node, cut=state.state == "skipped"):
        size = SIZES["folded"]
        value = words

    name = _html(short(annotations.label(node)))
    return f'<<font point-size="{size}">{value}</font><br/><font point-size="9">{name}</font>>'


def _html(text: str) -> str:
    r"""Return the text for a Graphviz HTML label.

    There \N would stand for the node's name even so: a doubled backslash is one.
    """
    return escape(text).replace("\\", "\\\\")


def _caption(title: str, text: str) -> str:
    """Return the title and the text, in cells that are as wide at every step as at any other."""
    lines = [""]
    if title:
        lines.append(short(title, CAPTION))
    lines += wrap(text, CAPTION, break_on_hyphens=False)

    size = f'fixedsize="true" width="{CAPTION_WIDTH}" height="{CAPTION_ROW}"'
    return _table(f"<td {size}>{_html(line)}</td>" for line in lines)
