"""The log of a run, read as the events of a search.

They show what the program did, and what its variables held.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from abviz.errors import Number
from abviz.recording.functions import FULL, Function, Window, as_number, minus
from abviz.recording.negamax import Numbers, Side
from abviz.recording.roles import Call, Entry, Look, Roles
from abviz.recording.source import Place
from abviz.tracing.algorithms import Event
from abviz.tree.model import Node, Tree

# The numbers that the three variables of a look hold, as they are shown.
Held = tuple[Number | None, Number | None, Number | None]

# Makes an Event in half the time of calling its class.
MAKE: Callable[[type[Event], tuple[object, ...]], Event] = tuple.__new__
NOTHING_SHOWN: Held = (None, None, None)
UNSEEN: Look = (0, object(), object(), object())
SURE = 3  # times that a best value has become what a child had just returned


@dataclass(slots=True, eq=False)
class Best:
    """What a whole run shows of the variable in which a function may hold its best value."""

    is_weak: bool  # it has a name that any value may have
    is_other: bool = False  # it has taken a number that no child had returned
    begins_infinite: bool = False
    taken: int = 0  # times that it has taken the one that a child had just returned
    returned: int = 0  # times that the function has returned it
    other: int = 0  # times that it has returned another number, and no bound

    @property
    def is_best_value(self) -> bool:
        if self.is_other:
            return False
        if self.other == 0:
            return self.begins_infinite or self.taken + self.returned > 0
        return self.taken >= SURE and self.taken > self.other and not self.is_weak


class Search:
    """A search of a node under way. The node is entered when a child is first called or read.

    What most searches do not change stands in the class: there is one for every call.
    """

    window: tuple[Number | None, Number | None] = (None, None)  # as it was entered
    is_entered = False
    resumes = False  # it goes on with the children of its node, as the search around it has begun
    was_resumed = False  # a search within it has done so
    # Whether α, β and the best value are variables of the search around it.
    inherits: tuple[bool, bool, bool] = (False, False, False)
    # The node whose search has ended since: its own, in a call within, or a child.
    ended: Node | None = None
    has_read = False  # its own node, a leaf, and not in a call within
    first_best: Number | None = None  # before any child had returned
    last_best: Number | None = None

    def __init__(self, call: Call, outer: "Search | None", look: Look, best: Best | None):
        self.call = call
        self.node = call.node
        self.code = call.function.code
        self.outer = outer
        self.look = look  # the latest
        self.seen = look  # the one that the latest event shows
        self.shown: Held = NOTHING_SHOWN  # its numbers
        self.best = best
        self.searched: list[Node] = []
        self.answers: list[Number | None] = []  # what children have returned

    @property
    def has_ended(self) -> bool:
        """Whether a call within has searched the node, or it is a leaf that was read."""
        return self.ended is self.node and not self.is_entered


class Replay:
    """The events of a run.

    `places` has for each the function that runs, and how far it is; `callers` has the same of the
    call from which a node was entered or read, by the place of that event.
    """

    def __init__(
        self,
        tree: Tree,
        log: list[Entry],
        roles: Roles,
        *,
        side: Side,
        window: Window,
        is_answered: bool,
    ):
        self.tree = tree
        self.roles = roles
        self.side = side
        self.window = window
        self.is_answered = is_answered  # the program has returned a number

        self.events: list[Event] = []
        self.places: list[Place | None] = []
        self.callers: dict[int, Place] = {}
        # Events by their place in `events`: those that show the best value of another function,
        # those of a best value that has changed though no child had returned, and those of a value
        # that a call around has replaced.
        self.inherited: dict[int, Best] = {}
        self.without_child: set[int] = set()
        self.replaced: set[int] = set()

        # The first node for which None was returned, and not handed over otherwise.
        self.nothing: str | None = None
        self.read_by_parent: set[Node] = set()  # leaves, not in a call of their own
        self.top: Search | None = None  # the innermost under way
        self._bests: dict[int, Best] = {}  # by id of the function's code
        self._windows: dict[Function, bool] = {}
        self._is_read = any(entry[0] == "read" for entry in log)
        # Of each node: a leaf below was read, or has been left out.
        self._is_passed = self._read_below(log)

        if roles.follows_moves:
            self._show_moves(log)
        else:
            self._show_leaves(log)

    @property
    def numbers(self) -> Numbers:
        return Numbers(self.tree, self.events, self.read_by_parent, self.replaced)

    def finish(self, answer: object) -> None:
        """Show what the program returned, where the root's call was not followed to its end."""
        value = as_number(answer)
        root = self.tree.root
        if not self.events or not (answer is None or value is not None):
            return

        last = self.events[-1]
        if last.node is not root or last.kind not in ("exit", "leaf"):
            self._write(None, "exit", root, None, None, None, value)
        elif value not in (last.value, minus(last.value)):
            self._replace(len(self.events) - 1, value)

    def drop_other_variables(self) -> None:
        """Show a dash for a variable that is named like a best value and holds something else."""
        if all(best.is_best_value for best in self._bests.values()):
            return

        events: list[Event] = []
        places: list[Place | None] = []
        callers: dict[int, Place] = {}
        for i, (event, place) in enumerate(zip(self.events, self.places, strict=True)):
            best = self.inherited.get(i)
            if best is None and place:
                best = self._bests.get(id(place[0]))

            if best and not best.is_best_value:
                if i in self.without_child:
                    continue
                event = event._replace(bv=None)
            if i in self.callers:
                callers[len(events)] = self.callers[i]
            events.append(event)
            places.append(place)
        self.events, self.places, self.callers = events, places, callers

    # the two ways to show a run

    def _show_leaves(self, log: list[Entry]) -> None:
        """Show only the leaves.

        Without a call for every node, nobody knows whose the variables are.
        """
        self._write(None, "enter", self.tree.root, None, None, None, None)
        for entry in log:
            if entry[0] == "read":
                leaf = entry[1]
                if self.events[-1].node is not leaf:
                    self._write(None, "leaf", leaf, None, None, None, leaf.value)

    def _show_moves(self, log: list[Entry]) -> None:
        # None: a helper, which is handed a node and searches nothing.
        under_way: list[Search | None] = []
        calls = iter(self.roles.calls)

        for entry in log:
            look = entry[2]
            if look and under_way and (search := under_way[-1]):
                self._see(search, look)

            if entry[0] == "call":
                call = next(calls)
                under_way.append(self._begin(call, entry[4]) if call else None)
            elif entry[0] == "read":
                self._read(entry[1])
            elif search := under_way.pop():
                _, returned, _, lasti, is_return = entry
                self._end(search, returned, lasti, is_return)

        last = self.top
        if last and not last.is_entered and not last.ended:  # an exception or a limit ended the run
            if last.node.children:
                self._settle(last)
            else:
                alpha, beta, _ = last.shown
                self._write((last.code, 0), "leaf", last.node, alpha, beta, None, None)

    # what happens at a call, when a leaf is read, and at the end of a call

    def _begin(self, call: Call, look: Look) -> Search:
        outer = self.top
        node = call.node
        if outer and (outer.node is not node or outer.is_entered or outer.call.is_shared):
            self._settle(outer)

        best = self._best_of(call.function) if node.children else None
        self.top = search = Search(call, outer, look, best)
        if outer and outer.node is node and outer.is_entered:
            self._resume(search, outer)
        else:
            search.shown = self._received(search, outer)
        return search

    def _received(self, search: Search, outer: Search | None) -> Held:
        """Return the window with which a function is called."""
        look = search.look
        if outer and self.side is Side.MAX and not search.call.function.has_weak_bounds:
            seen = outer.seen
            if look[1] is seen[1] and look[2] is seen[2]:  # a short cut: it passes its own on
                alpha, beta, _ = outer.shown
                return alpha, beta, None

        alpha, beta, _ = self._numbers(search, look)
        return alpha, beta, None

    def _resume(self, search: Search, outer: Search) -> None:
        """Go on with the search around.

        Variables that the function does not have are those of that search, except where a function
        within may change them unseen.
        """
        mine = search.call.function
        theirs = outer.call.function
        cells = theirs.code.co_cellvars
        search.inherits = (
            not mine.alpha and theirs.alpha not in cells,
            not mine.beta and theirs.beta not in cells,
            not mine.bests and not any(name in cells for name in theirs.bests),
        )
        if search.inherits[2]:
            search.best = outer.best

        search.is_entered = search.resumes = True
        search.window = outer.window
        search.shown = outer.shown
        search.searched = outer.searched
        search.answers = outer.answers
        search.first_best = outer.first_best
        search.last_best = outer.last_best

        own = search.look
        search.seen = outer.seen
        self._see(search, own)

    def _see(self, search: Search, look: Look) -> None:
        if search.resumes and search.outer:
            alpha, beta, best = search.inherits
            around = search.outer.look
            look = (
                look[0],
                around[1] if alpha else look[1],
                around[2] if beta else look[2],
                around[3] if best else look[3],
            )
        search.look = look

    def _read(self, leaf: Node) -> None:
        top = self.top
        if not top or top.ended is leaf:
            return  # looked at again

        if top.node is not leaf:
            self._settle(top)
            top.searched.append(leaf)
            top.answers.append(leaf.value)
            self.read_by_parent.add(leaf)
        alpha, beta, _ = top.shown
        self._note_caller(top if top.node is leaf else None)
        self._write((top.code, top.look[0]), "leaf", leaf, alpha, beta, None, leaf.value)
        top.ended = leaf
        top.has_read = top.node is leaf

    def _end(self, search: Search, returned: object, lasti: int, is_return: bool) -> None:
        node = search.node
        outer = search.outer
        place = search.code, lasti
        value = self._turned(search, as_number(returned))

        # Where the program has its answer, a function that never returns anything hands it over in
        # another way.
        is_silent = self.is_answered and search.call.function.returned is None
        is_nothing = is_return and returned is None and not is_silent
        if is_nothing and self.nothing is None:
            self.nothing = node.name

        self.top = outer
        is_searched = True
        if search.has_ended:
            if value != self.events[-1].value and (value is not None or is_nothing):
                self._replace(len(self.events) - 1, value)
            self._give_place(place)
        elif node.children:
            self._leave(search, place, value, is_nothing)
        elif self._is_read:
            is_searched = False  # a leaf whose value it has not read
        else:
            alpha, beta, _ = search.shown
            self._note_caller(search)
            self._write(place, "leaf", node, alpha, beta, None, value)

        if not outer:
            return
        if outer.node is node:
            takes_in_later = search.resumes and search.inherits[2]
            if is_searched and not takes_in_later:
                outer.ended = node
            return

        outer.answers.append(self.events[-1].value if is_searched else value)
        if is_searched:
            outer.ended = node
            outer.searched.append(node)

    def _leave(self, search: Search, place: Place, value: Number | None, is_nothing: bool) -> None:
        """Show the end of the search of an inner node, or go on with the search around it."""
        outer = search.outer
        if search.resumes and outer:
            if search.inherits[2]:
                outer.ended = search.ended  # a child whose value the search around is to take in
            elif not search.was_resumed:
                self._settle(search)
            outer.shown = search.shown
            outer.seen = UNSEEN
            outer.first_best = search.first_best
            outer.last_best = search.last_best
            outer.was_resumed = not search.inherits[2] and len(outer.call.parts or ()) < 2
            return

        node = search.node
        if not search.was_resumed:
            self._settle(search)
        self._judge_end(search, value)

        if search.searched or not is_nothing:  # a function that is not written yet cuts nothing
            for child in node.children:
                if child not in search.searched and not self._is_passed[child.index]:
                    self._write(place, "cut", child, *search.shown, None)
                    self._pass(child)
        self._write(place, "exit", node, *search.shown, value)

    def _settle(self, search: Search) -> None:
        """Show what has happened at a node before anything else does.

        It is entered, or has taken in what a child returned.
        """
        node = search.node
        look = search.look
        seen = search.seen
        old_alpha, old_beta, old_best = search.shown
        alpha, beta, best = search.shown
        if look[1] is not seen[1] or look[2] is not seen[2] or look[3] is not seen[3]:
            alpha, beta, best = search.shown = self._numbers(search, look)
        if search.best and best != search.last_best:
            self._judge(search, best)

        has_answer = search.ended is not None and search.ended is not node
        place = search.code, (seen if has_answer else look)[0]
        search.seen = look
        search.ended = None

        first = len(self.events)
        if not search.is_entered:
            search.is_entered = True
            # Variables that are set in its first lines belong to the window.
            old_alpha = alpha if old_alpha is None else old_alpha
            old_beta = beta if old_beta is None else old_beta
            search.window = old_alpha, old_beta
            self._note_caller(search)
            self._write(place, "enter", node, old_alpha, old_beta, best, None)
        elif has_answer:
            answer = self.events[-1].value
            self._write(place, "bv", node, old_alpha, old_beta, best, answer)
        elif best != old_best:
            self.without_child.add(first)
            self._write(place, "bv", node, old_alpha, old_beta, best, None)

        if alpha != old_alpha:
            self._write(place, "alpha", node, alpha, old_beta, best, None)
        if beta != old_beta:
            self._write(place, "beta", node, alpha, beta, best, None)

        if search.best and search.inherits[2]:
            for event in range(first, len(self.events)):
                self.inherited[event] = search.best

    # whether a variable is the best value

    def _best_of(self, function: Function) -> Best | None:
        if not function.bests:
            return None
        key = id(function.code)
        if key not in self._bests:
            self._bests[key] = Best(function.has_weak_best)
        return self._bests[key]

    def _judge(self, search: Search, value: Number | None) -> None:
        """Note what the variable has taken."""
        best = search.best
        if best is None or value is None:
            return

        search.last_best = value
        if not search.answers:
            search.first_best = value
            best.begins_infinite |= value in FULL
        elif value == search.answers[-1]:
            best.taken += 1
        elif value not in search.answers and value != search.first_best:
            best.is_other = True

    def _judge_end(self, search: Search, value: Number | None) -> None:
        """Note whether the function returns the variable."""
        best = search.best
        if best is None or value is None or search.last_best is None:
            return

        if value == search.last_best:
            best.returned += 1
            return
        if value in search.window:
            return  # fail-hard

        returns_before_taking = bool(search.answers) and value == search.answers[-1]
        if best.is_weak or not returns_before_taking:
            best.other += 1

    # numbers

    def _numbers(self, search: Search, look: Look) -> Held:
        node = search.node
        function = search.call.function

        alpha, beta = as_number(look[1]), as_number(look[2])
        if function.has_weak_bounds and not self._is_window(function, alpha, beta):
            alpha = beta = None
        best = as_number(look[3])

        if self.side is Side.MAX or node.is_max:
            return alpha, beta, best
        alpha, beta = self.side.window(node, alpha, beta)
        return alpha, beta, self.side.number(node, best)

    def _is_window(self, function: Function, low: Number | None, high: Number | None) -> bool:
        """Return whether two variables that may be anything, a and b, began as a window.

        They may be places in a list as well.
        """
        known = self._windows.get(function)
        if known is None and low is not None and high is not None:
            lowest, highest = self.window
            bound = max(abs(lowest), abs(highest))
            is_given = bound < inf and -bound <= low < high <= bound

            sizes = [abs(leaf.value) for leaf in self.tree.leaves() if leaf.value is not None]
            largest = max(sizes, default=0)
            is_wide = low < -largest and high > largest

            known = is_given or is_wide or low == -inf or high == inf
            self._windows[function] = known
        return bool(known)

    def _turned(self, search: Search, value: Number | None) -> Number | None:
        """Return what a call returned from MAX's side."""
        node = search.node
        if self.side is Side.MAX or node.is_max or not value:
            return value
        if self.side is Side.MOVER:
            is_turned = search.has_ended and not search.has_read
            if is_turned and value == self.events[-1].value:
                return value  # a call within has turned it, and this one returns it from MAX's side
            return -value
        if node.is_leaf and value in (node.value, minus(node.value)):
            return node.value
        return value if node is self.tree.root else None

    # events

    def _write(self, place: Place | None, *event: object) -> None:
        self.events.append(MAKE(Event, event))
        self.places.append(place)

    def _note_caller(self, search: Search | None) -> None:
        """Note from where the node of the next event was called: by the search of its parent."""
        around = search.outer if search else None
        while search and around and around.node is search.node:
            around = around.outer
        if around:
            self.callers[len(self.events)] = around.code, around.look[0]

    def _give_place(self, place: Place) -> None:
        """Let the latest event happen in another function; its bv stays the inner function's."""
        before = self.places[-1]
        best = self._bests.get(id(before[0])) if before else None
        if best:
            self.inherited.setdefault(len(self.events) - 1, best)
        self.places[-1] = place

    def _replace(self, place: int, value: Number | None) -> None:
        self.events[place] = self.events[place]._replace(value=value)
        self.replaced.add(place)

    def _read_below(self, log: list[Entry]) -> list[bool]:
        is_read = [False] * len(self.tree)
        for entry in log:
            if entry[0] == "read":
                self._mark(is_read, entry[1].index)
        return is_read

    def _mark(self, marks: list[bool], index: int | None) -> None:
        """Mark a node and those above it."""
        while index is not None and not marks[index]:
            marks[index] = True
            index = self.roles.parents[index]

    def _pass(self, child: Node) -> None:
        """A child that is left out cannot be left out again, nor a node above or below it."""
        self._mark(self._is_passed, child.index)
        for index in range(child.index, self.roles.last[child.index] + 1):
            self._is_passed[index] = True
