"""Reading exercises: what the cuts are called, and who made them."""

from collections.abc import Callable, Iterator
from functools import partial

from abviz.errors import AbvizError
from abviz.exercises.filling import Misreading, Paper, PaperExercise, Question, Slot
from abviz.exercises.kinds import Kind, one_of
from abviz.exercises.reading_trees import HOW, NO_DEEP_CUTS, inner, reading_tree
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import cut_name, player
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.model import Node, Tree

# which cut is which, under both conventions

NO_CUT = "no cut"
WORDS = {"alpha": "alpha", "beta": "beta", "α": "alpha", "β": "beta", "no": NO_CUT, "none": NO_CUT, "no cut": NO_CUT}
CONVENTIONS = {"by bound": Rules(), "by node": Rules(name_by_node=True)}


def _as_cut(wrote: object) -> str | None:
    if not isinstance(wrote, str):
        return None
    word = wrote.strip().lower()
    return WORDS.get(word) or WORDS.get(word.removesuffix("cut").rstrip(" -"))


CUT = Kind('"alpha", "beta" or "no cut"', _as_cut)
LETTERS = {"α": "alpha", "β": "beta"}


def _name(run: Trace, cut: Cut | None) -> str:
    return LETTERS[cut_name(run, cut.kind)] if cut else NO_CUT


def _cuts_of(run: Trace) -> dict[str, Cut]:
    return {cut.at: cut for cut in run.cuts}


def ask_cuts(tree: Tree) -> Question:
    runs = {column: trace(tree, rules=rules) for column, rules in CONVENTIONS.items()}

    def slot(node: Node, column: str, run: Trace) -> Slot:
        cut = _cuts_of(run).get(node.name)
        why = _why_named(node, cut, column) if cut else _why_none(run, node)
        return Slot((node.name, column), _name(run, cut), CUT, why, NO_CUT)

    asks = (
        f'{HOW} At which inner nodes does it cut, and what is the cut called: "alpha", "beta" or "no cut"? “by bound” '
        "names a cut by the bound that bv has met, “by node” says alpha cut at a MAX node and beta cut at a MIN node."
    )
    return Question(asks, tuple(slot(node, column, run) for node in inner(tree) for column, run in runs.items()))


def _why_named(node: Node, cut: Cut, column: str) -> str:
    skips = f"{cut.at} is a {player(node)} node, and skips {' and '.join(cut.skipped)}."
    if column == "by node":
        return f"{skips} By the node, nothing counts but who moves there."
    return f"{skips} By the bound: which of the two can the bv of a {player(node)} node run into?"


def _why_none(run: Trace, node: Node) -> str:
    if run.node_at(node, len(run)).state != "done":
        return f"{node.name} is skipped with all below it: where nothing is searched, nothing is cut."
    left = next(step for step in range(len(run), 0, -1) if _leaves(run, node, step))
    if run.reached(run.events_at(left)[0]):
        return f"The last child of {node.name} has returned when its bv meets the bound: nothing is left to skip."
    return f"All children of {node.name} are searched, and bv does not meet the other player's bound on the way."


def _leaves(run: Trace, node: Node, step: int) -> bool:
    event = run.events_at(step)[0]
    return event.kind == "exit" and event.node is node


def _named(tree: Tree, run: Trace, by_bound: str = "by bound", by_node: str = "by node") -> Paper:
    """The cuts of a run as they are called if the columns follow these conventions."""
    cuts, columns = _cuts_of(run), {"by bound": by_bound, "by node": by_node}
    runs = {column: trace(tree, rules=CONVENTIONS[convention]) for column, convention in columns.items()}
    return {(n.name, col): _name(each, cuts.get(n.name)) for n in inner(tree) for col, each in runs.items()}


def _columns_read_as(columns: dict[str, str], tree: Tree) -> Iterator[Paper]:
    yield _named(tree, trace(tree), **columns)


def _cuts_found(search: Callable[[Tree, Rules], Trace], tree: Tree) -> Iterator[Paper]:
    yield _named(tree, search(tree, Rules()))


def _without_equality(tree: Tree) -> Iterator[Paper]:
    yield _named(tree, trace(tree, rules=Rules(strict=True)))


def _with_last_children(tree: Tree) -> Iterator[Paper]:
    """Each cutoff test that holds counts."""
    run = trace(tree)
    kinds = {True: ("beta", "alpha"), False: ("alpha", "beta")}
    names = {e.node.name: kinds[e.node.is_max] for e in run.events if e.kind == "exit" and run.reached(e)}
    yield {(n.name, c): names.get(n.name, (NO_CUT,) * 2)[i] for n in inner(tree) for i, c in enumerate(CONVENTIONS)}


CUTS = PaperExercise(
    "cut-names",
    ask_cuts,
    (
        Misreading(
            "alpha and beta swapped",
            "alpha and beta are swapped, or the two columns are",
            "By the bound: which bound stops a MAX node, the one that MAX has or the one that MIN has?",
            partial(_columns_read_as, {"by_bound": "by node", "by_node": "by bound"}),
        ),
        Misreading(
            "by the bound twice",
            "both columns name the cut by the bound",
            "In the second column all that counts is who moves at the node.",
            partial(_columns_read_as, {"by_node": "by bound"}),
        ),
        Misreading(
            "by the node twice",
            "both columns name the cut by the node",
            "In the first column ask which bound bv has met.",
            partial(_columns_read_as, {"by_bound": "by node"}),
        ),
        Misreading(
            "cut on the last child",
            "you count a cutoff that comes with a node's last child",
            "What does a cut save if no child is left?",
            _with_last_children,
        ),
        Misreading(
            "> for ≥",
            "you never cut when bv equals the bound",
            "What could the other player gain here, if bv and the bound are the same number?",
            _without_equality,
        ),
        Misreading(
            "only the parent's bound",
            "a node is stopped by no bound but that of its parent, so there are no deep cuts",
            "Look at the window of a node three moves down. Who, further up, has been assured of something already?",
            partial(_cuts_found, NO_DEEP_CUTS),
        ),
    ),
    (
        "Where does a node have children that are skipped? Only there is a cut.",
        "A MAX node raises bv. Which of α and β will it run into?",
        "The two conventions never agree on a cut: where one says alpha, the other says beta.",
    ),
    reading_tree,
)


# who made the cut

NOBODY = "nobody"


def _nearest(tree: Tree, cut: Cut) -> str:
    """The ancestor of the other kind that is next above the cut."""
    path = tree.path(tree[cut.at])
    return next((node.name for node in path[-2::-1] if node.is_max != path[-1].is_max), NOBODY)


def ask_witness(tree: Tree) -> Question:
    run = trace(tree)
    if not run.cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    names = one_of([*(node.name for node in tree.nodes), NOBODY], f'the name of a node, or "{NOBODY}"')

    def slots(cut: Cut) -> tuple[Slot, Slot]:
        kind, bound = ("MIN", "β") if tree[cut.at].is_max else ("MAX", "α")
        made = (
            f"{cut.at} is stopped by {bound}, which {kind} moves: on the way down to it, where did {bound} last change?"
        )
        why = f"The {kind} node next above {cut.at} is {_nearest(tree, cut)}: a cut by a bound from further up is deep."
        first = Slot((cut.at, "witness"), cut.witness or NOBODY, names, made)
        return first, Slot((cut.at, "deep"), cut.deep, YES_OR_NO, why)

    asks = (
        f"{HOW} These nodes cut. Which ancestor made the cut: at which node was the bound that it met found? And is "
        "the cut deep (True or False): does the bound come from further up than the other player's nearest node above?"
    )
    return Question(asks, tuple(slot for cut in run.cuts for slot in slots(cut)))


YES_OR_NO = Kind("True or False", lambda wrote: wrote if isinstance(wrote, bool) else None)


def _witnesses(named: Callable[[Tree, Cut], str], tree: Tree) -> Iterator[Paper]:
    """Those named for the witnesses, and what follows for the depth of the cuts."""
    paper: dict[tuple[str, ...], object] = {}
    for cut in trace(tree).cuts:
        witness = named(tree, cut)
        paper[cut.at, "witness"] = witness
        paper[cut.at, "deep"] = witness != _nearest(tree, cut)
    yield paper
    yield paper | {(cut.at, "deep"): cut.deep for cut in trace(tree).cuts}


def _parent(tree: Tree, cut: Cut) -> str:
    above = tree.parent(tree[cut.at])
    return above.name if above else NOBODY


WITNESS = PaperExercise(
    "cut-witness",
    ask_witness,
    (
        Misreading(
            "always the parent",
            "every cut is made by the parent",
            "The parent has a copy of the bound. Did it find it, or was it handed down?",
            partial(_witnesses, _parent),
        ),
        Misreading(
            "always the root",
            "every cut is made at the root",
            "Where on the path did the bound last change?",
            partial(_witnesses, lambda tree, cut: tree.root.name),
        ),
        Misreading(
            "where the value came from",
            "you name the child that the bound came from, and not the ancestor that has it",
            "The witness lies on the path from the root to the cut. Does the node that you name?",
            partial(_witnesses, lambda tree, cut: cut.via or NOBODY),
        ),
    ),
    (
        "At a MAX node the bound is β: only MIN nodes move it. At a MIN node it is α.",
        "Go up from the cut. Which of those nodes already has a bv equal to the bound?",
        "A bound is handed down unchanged until somebody improves it: the last one who did is the witness.",
    ),
    reading_tree,
)
