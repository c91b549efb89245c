"""Answers to the exercises on threads as students write them: right ones, and each known mistake."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from math import inf
from threading import Condition, Lock, Thread


def run_all(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def by_index(root, search_move):
    run_all([Thread(target=search_move, args=(i,)) for i in range(len(root.children))])


def choose(root, values):
    best = max(values) if root.is_max else min(values)
    return root.children[values.index(best)].name, best


def better(root, value, than):
    return value > than if root.is_max else value < than


# split-root: right


def pool_map(root, search):
    with ThreadPoolExecutor() as pool:
        return choose(root, list(pool.map(search, root.children)))


def waiting_in_a_loop(root, search):
    values = {}
    for i, child in enumerate(root.children):
        Thread(target=lambda i=i, child=child: values.update({i: search(child)})).start()
    while len(values) < len(root.children):
        time.sleep(0.0005)
    return choose(root, [values[i] for i in range(len(values))])


def best_in_common(lock, *, by_end="", start=None):
    """A split root whose threads share the best move; `lock` makes what guards it. Of equal moves
    it takes the first, or the "first" or "last" one to end.
    """

    def split(root, search):
        guard, best = lock(), start and (9, -inf if root.is_max else inf)

        def search_move(i):
            nonlocal best
            value = search(root.children[i])
            with guard:
                tied = best and value == best[1] and i < best[0] and not by_end
                last = best and value == best[1] and by_end == "last"
                if best is None or better(root, value, best[1]) or tied or last:
                    best = i, value

        by_index(root, search_move)
        return root.children[best[0]].name, best[1]

    return split


SPLIT_RIGHT = [
    *(pool_map, waiting_in_a_loop),
    *(best_in_common(lock, start=start) for lock in (Lock, Condition) for start in (None, inf)),
]


# split-root: mistakes


def joining(last_only):
    def split(root, search):
        values = [-99 if root.is_max else 99] * len(root.children)

        def search_move(i):
            values[i] = search(root.children[i])

        for i in range(len(values)):
            thread = Thread(target=search_move, args=(i,))
            thread.start()
        if last_only:
            thread.join()
        return choose(root, values)

    return split


def called_not_handed(root, search):
    values = []
    run_all([Thread(target=values.append(search(child))) for child in root.children])
    return choose(root, values)


def late_binding(root, search):
    values = [-99 if root.is_max else 99] * len(root.children)

    def search_move():
        values[i] = search(root.children[i])

    threads = []
    for i in range(len(root.children)):
        threads.append(Thread(target=search_move, name=f"move {i}"))
    run_all(threads)
    return choose(root, values)


def late_binding_in_a_list(root, search):
    values = [None] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    run_all([Thread(target=lambda: search_move(i)) for i in range(len(values))])  # noqa: B023
    return choose(root, values)


def start_and_store(children, store, search):
    threads = []
    for i, child in enumerate(children):
        threads.append(Thread(target=lambda child=child: store(i, search(child))))  # noqa: B023
    run_all(threads)


def late_binding_in_a_helper(root, search):
    values = {}
    start_and_store(root.children, values.__setitem__, search)
    best = max(values.values()) if root.is_max else min(values.values())
    return next((root.children[i].name, best) for i in values if values[i] == best)


def late_place(root, search):
    values = [None] * len(root.children)

    def search_move(child):
        values[i] = search(child)

    threads = []
    for i, child in enumerate(root.children):  # noqa: B007
        threads.append(Thread(target=search_move, args=(child,)))
    run_all(threads)
    return choose(root, values)


def late_child_in_a_while_loop(root, search):
    values, threads, i = [], [], 0
    while i < len(root.children):
        child = root.children[i]
        threads.append(Thread(target=lambda: values.append((child.name, search(child)))))  # noqa: B023
        i += 1
    run_all(threads)
    return (
        max(values, key=lambda each: each[1])
        if root.is_max
        else min(values, key=lambda each: each[1])
    )


def last_of_equals(root, search):
    values = [None] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    by_index(root, search_move)
    best = 0
    for i in range(len(values)):
        if not better(root, values[best], values[i]):
            best = i
    return root.children[best].name, values[best]


def repeated_move(root, search):
    """It looks like late binding, but no variable of a loop is shared."""
    last, values = root.children[-1], []
    run_all(
        [Thread(target=lambda: values.append((last.name, search(last)))) for _ in root.children]
    )
    return values[0]


def locked_search(root, search):
    values, lock = [None] * len(root.children), Lock()

    def search_move(i):
        with lock:
            values[i] = search(root.children[i])

    by_index(root, search_move)
    return choose(root, values)


def max_assumed(root, search):
    with ThreadPoolExecutor() as pool:
        values = list(pool.map(search, root.children))
    return root.children[values.index(max(values))].name, max(values)


def last_wins(root, search):
    best = None

    def search_move(i):
        nonlocal best
        best = root.children[i].name, search(root.children[i])

    by_index(root, search_move)
    return best


def appended(root, search):
    values = []
    by_index(root, lambda i: values.append(search(root.children[i])))
    return choose(root, values)


SPLIT_WRONG = [
    ("no join", joining(last_only=False)),
    ("no join", joining(last_only=True)),
    ("no threads", called_not_handed),
    *(
        ("same variable for all threads", answer)
        for answer in (
            late_binding,
            late_binding_in_a_list,
            late_binding_in_a_helper,
            late_place,
            late_child_in_a_while_loop,
        )
    ),
    ("last of equal moves", last_of_equals),
    ("one after the other", locked_search),
    ("no lock", best_in_common(nullcontext)),
    ("MAX assumed at the root", max_assumed),
    ("last one to finish wins", last_wins),
    ("results in the order of finishing", appended),
    *(
        ("tie decided by the order of finishing", best_in_common(Lock, by_end=end))
        for end in ("first", "last")
    ),
]


# share-alpha


def sharing(
    lock=Lock,
    *,
    is_full=False,
    short=lambda best, i: 1,
    submitted=list,
    width=None,
    by_end="",
    chosen="at the end",
):
    """A share_alpha whose tasks begin with the best value so far, less `short(its move, this
    move)`; `lock` makes what guards it, and `submitted` orders the moves. Of equal moves the best
    so far is the first, or the "first" or "last" one to end `by_end`; chosen is the first of the
    best values "at the end", or the best "so far".
    """

    def share(root, search, workers):
        guard, best = lock(), None

        def search_move(i):
            nonlocal best
            low, high = -inf, inf
            if best and not is_full:
                less = short(best[1], i)
                low, high = (best[0] - less, inf) if root.is_max else (-inf, best[0] + less)
            value = search(root.children[i], low, high)
            with guard:
                tied = best and value == best[0]
                wins_tie = tied and (by_end == "last" or (i < best[1] and not by_end))
                if best is None or better(root, value, best[0]) or wins_tie:
                    best = value, i
            return value

        with ThreadPoolExecutor(width or workers) as pool:
            order = list(submitted(range(len(root.children))))
            values = dict(zip(order, pool.map(search_move, order), strict=True))
        if chosen == "so far":
            return root.children[best[1]].name, best[0]
        return choose(root, [values[i] for i in sorted(values)])

    return share


def late_tasks(root, search, workers):
    values = [None] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i], -inf, inf)

    with ThreadPoolExecutor(workers) as pool:
        for i in range(len(values)):
            pool.submit(lambda: search_move(i))  # noqa: B023
    return choose(root, values)


def late_store(root, search, workers):
    values = {}

    def search_move(child):
        values[i] = search(child, -inf, inf)

    with ThreadPoolExecutor(workers) as pool:
        for i, child in enumerate(root.children):  # noqa: B007
            pool.submit(search_move, child)
    return choose(root, [values[i] for i in range(len(root.children))])


def max_alpha_only(root, search, workers):
    best, lock = -inf, Lock()

    def search_move(child):
        nonlocal best
        value = search(child, best - 1, inf)
        with lock:
            best = max(best, value)
        return value

    with ThreadPoolExecutor(workers) as pool:
        values = list(pool.map(search_move, root.children))
    return root.children[values.index(max(values))].name, max(values)


def exactly(best, i):
    return 0


SHARE_RIGHT = [
    *(
        sharing(),
        sharing(Condition),
        sharing(short=lambda best, i: best > i),
        sharing(submitted=reversed),
    ),
    sharing(short=exactly),  # handed out in order, a move never starts after a later one has ended
]
SHARE_WRONG = [
    ("full window for every move", sharing(is_full=True)),
    ("a thread for each move", sharing(width=8)),
    ("one after the other", sharing(width=1)),
    ("no lock", sharing(nullcontext)),
    ("MAX assumed at the root", max_alpha_only),
    ("no room for ties", sharing(short=exactly, submitted=reversed)),
    ("no room for ties", sharing(short=exactly, submitted=reversed, chosen="so far")),
    ("no room for ties", sharing(short=lambda best, i: -(i > best))),
    ("same variable for all threads", late_tasks),
    *(
        (
            "tie decided by the order of finishing",
            sharing(short=short, submitted=order, by_end=end, chosen="so far"),
        )
        for short in (exactly, lambda best, i: 1)
        for order in (list, reversed)
        for end in ("first", "last")
    ),
]
