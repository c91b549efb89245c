"""The questions that the page has to ask before a step (what is bv, does it cut, what is skipped?), with their answers.

The page makes them from the same templates, in `questions.js`.
"""

from dataclasses import dataclass

from abviz.errors import number, short
from abviz.tracing.narration import cut_name, sentence, words
from abviz.tracing.templates import KINDS, TEXTS, fill
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.model import Node

QUESTIONS = TEXTS["questions"]
# A question keeps what fills its blanks in a tuple: {0} is its node, {1} the first one filled.
PLACES = {"node": "{0}", "bv": "{1}", "child": "{1}", "value": "{2}", "limit": "{2}", "witness": "{3}", "via": "{4}"}
CHOICES = {
    kind: tuple(fill(choice, PLACES) for choice in question["choices"])
    for kind, question in QUESTIONS.items()
    if "choices" in question
}
CUTS, GOES_ON, RETURNS = range(3)  # the choices of the question whether the search cuts
FEW = 9  # nodes to choose from, as many as there are digits; more only where one node has more children


@dataclass(frozen=True, slots=True)
class Question:
    """One question, asked before a step and answered by it."""

    trace: Trace
    step: int
    kind: str
    node: Node
    right: tuple[int, ...] | tuple[Node, ...] | str  # any of these choices; all of these nodes; or this number
    filled: tuple[Node | str, ...] = ()  # {1}, {2} ...
    nodes: tuple[Node, ...] = ()  # to choose from
    why: str = ""  # the template of the reason; "" where the sentence of the step is the reason

    @property
    def form(self) -> str:
        question = QUESTIONS[self.kind]
        is_recorded = self.trace.search == RECORDED and "recorded" in question
        return fill(question["recorded" if is_recorded else "text"], PLACES)

    @property
    def text(self) -> str:
        return self.fill(self.form)

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices; empty where the answer is a number."""
        return tuple(map(self.fill, CHOICES.get(self.kind, ()))) or tuple(map(self.name, self.nodes))

    @property
    def reason(self) -> str:
        """Why the answer is right, giving away no other question before the same step."""
        return self.fill(self.why) if self.why else sentence(self.trace, self.step)

    def fill(self, form: str) -> str:
        return form.format(*(self.name(each) if isinstance(each, Node) else each for each in (self.node, *self.filled)))

    def name(self, node: Node) -> str:
        return short(self.trace.tree.label(node))


def kinds_of(trace: Trace) -> list[str]:
    """Return the kinds that make sense for the search, in the order in which they are asked."""
    if trace.search == RECORDED:
        return ["bv", "cut", "returned"]
    if trace.search == "minimax":
        return ["bv", "cut", "skipped", "returned"] if trace.options.get("early_stop") else ["bv", "returned"]
    kinds = list(KINDS)
    if trace.rules.test_first:  # the answer about α and β would give away whether the search cuts
        kinds[1:3] = ["cut", "bound"]
    return kinds


def questions_before(trace: Trace, step: int) -> tuple[Question, ...]:
    """Return the questions that the step answers, in the order in which they are asked; often there is none."""
    if trace.check_step(step) < 2:
        return ()
    ask = {"bv": _bv, "bound": _bound, "cut": _cut, "kind": _kind, "skipped": _skipped, "returned": _returned}
    asked = (ask[kind](trace, step) for kind in kinds_of(trace))
    return tuple(question for question in asked if question is not None)


def _bv(trace: Trace, step: int) -> Question | None:
    event, child = trace.events_at(step)[0], trace.where(step - 1)
    from_child = trace.events_at(step - 1)[0].kind in ("leaf", "exit") and trace.tree.parent(child) is event.node
    if event.kind != "bv" or not from_child or event.bv is None or event.value is None:
        return None
    return Question(trace, step, "bv", event.node, number(event.bv), (child, number(event.value)))


def _bound(trace: Trace, step: int) -> Question | None:
    before, kind = trace.events_at(step - 1)[0], trace.events_at(step)[0].kind
    node, cuts_before = before.node, trace.rules.test_first and trace.reached(before)
    if before.kind != "bv" or cuts_before:
        return None
    bound = before.alpha if node.is_max else before.beta
    own, neither = (0 if node.is_max else 1), 2
    if kind in ("alpha", "beta"):
        return Question(trace, step, "bound", node, (own,), (number(before.bv),))
    right = (neither, own) if before.bv == bound else (neither,)  # "α becomes 3" is true as well where α is 3 already
    why = _why("neither", trace, node)
    return Question(trace, step, "bound", node, right, (number(before.bv), number(bound)), why=why)


def _cut(trace: Trace, step: int) -> Question | None:
    before, event, cut = trace.events_at(step - 1)[0], trace.events_at(step)[0], trace.cut_at(step)
    node = before.node
    is_tested = before.kind == "bv" or (before.kind in ("alpha", "beta") and not trace.rules.test_first)
    if not is_tested or (event.kind in ("alpha", "beta") and not trace.rules.test_first):
        return None
    if trace.search == RECORDED:
        goes_on = event.kind in ("enter", "leaf") and trace.tree.parent(event.node) is node
        if before.bv is None or not (goes_on or (cut is not None and cut.at == node.name)):
            return None
        return Question(trace, step, "cut", node, (1 if goes_on else 0,), (number(before.bv),))
    left = any(trace.node_at(child, step - 1).state == "waiting" for child in node.children)
    if not left and not trace.reached(before):
        return None
    right = CUTS if cut else GOES_ON if left else RETURNS
    via = () if cut is None or cut.witness is None or cut.via is None else (cut.witness, cut.via)
    bound = before.beta if node.is_max else before.alpha
    filled: tuple[Node | str, ...] = (number(before.bv), number(bound), *(trace.tree[name] for name in via))
    # The reason for a cut does not name the bound: the kind of the cut may be asked next.
    form = ("cut" if via else "cut by first bound", "go on", "return")[right]
    if trace.search == "minimax":
        form = "cut unbounded" if cut else "go on unbounded"
    return Question(trace, step, "cut", node, (right,), filled, why=_why(form, trace, node))


def _why(form: str, trace: Trace, node: Node, **more: str) -> str:
    """Return the template of a reason."""
    return fill(TEXTS["reasons"][form], words(trace, node) | PLACES | more)


def _kind(trace: Trace, step: int) -> Question | None:
    cut = trace.cut_at(step)
    if cut is None:
        return None
    node, name = trace.tree[cut.at], cut_name(trace, cut.kind)
    filled = (number(cut.bv), number(cut.beta if node.is_max else cut.alpha))
    form = "kind by node" if trace.rules.name_by_node else "kind by bound"
    why = _why(form, trace, node, cut=TEXTS["cuts"][name])
    return Question(trace, step, "kind", node, (("α", "β").index(name),), filled, why=why)


def _skipped(trace: Trace, step: int) -> Question | None:
    cut = trace.cut_at(step)
    if cut is None:
        return None
    tree, node = trace.tree, trace.tree[cut.at]
    above = tree.parent(node)
    beside = [each for each in (above.children if above else ()) if trace.node_at(each, step).state == "waiting"]
    nodes = (*node.children, *beside[: max(0, FEW - len(node.children))])
    return Question(trace, step, "skipped", node, tuple(tree[name] for name in cut.skipped), nodes=nodes)


def _returned(trace: Trace, step: int) -> Question | None:
    event = trace.events_at(step)[0]
    if event.kind != "exit" or event.value is None:
        return None
    return Question(trace, step, "returned", event.node, number(event.value))
