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
    """A split root whose threads share the best move; `lock` makes what guards it. Of equal moves it takes the first,
    or the "first" or "last" one to end."""

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
    ("same variable for all threads", late_binding),
    ("one after the other", locked_search),
    ("no lock", best_in_common(nullcontext)),
    ("MAX assumed at the root", max_assumed),
    ("last one to finish wins", last_wins),
    ("results in the order of finishing", appended),
    *(("tie decided by the order of finishing", best_in_common(Lock, by_end=end)) for end in ("first", "last")),
]


# share-alpha


def sharing(lock=Lock, *, is_full=False, short=lambda best, i: 1, submitted=list, width=None):
    """A share_alpha whose tasks begin with the best value so far, less `short(its move, this move)`; `lock` makes what
    guards it, and `submitted` orders the moves."""

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
                if best is None or better(root, value, best[0]) or (value == best[0] and i < best[1]):
                    best = value, i
            return value

        with ThreadPoolExecutor(width or workers) as pool:
            order = list(submitted(range(len(root.children))))
            values = dict(zip(order, pool.map(search_move, order), strict=True))
            return choose(root, [values[i] for i in sorted(values)])

    return share


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


SHARE_RIGHT = [sharing(), sharing(Condition), sharing(short=lambda best, i: best > i), sharing(submitted=reversed)]
SHARE_UNNAMED = [  # a worse move can return as much as the best so far
    sharing(short=lambda best, i: 0, submitted=reversed),
    sharing(short=lambda best, i: -(i > best)),
]
SHARE_WRONG = [
    ("full window for every move", sharing(is_full=True)),
    ("a thread for each move", sharing(width=8)),
    ("one after the other", sharing(width=1)),
    ("no lock", sharing(nullcontext)),
    ("MAX assumed at the root", max_alpha_only),
]
