"""The exercises on threads."""

from concurrent.futures import ThreadPoolExecutor
from heapq import heapreplace
from math import inf
from threading import Lock, Thread

from abviz.exercises import root_counts


def split_root(root, search):
    values = [None] * len(root.children)

    def search_move(index):
        values[index] = search(root.children[index])

    threads = [Thread(target=search_move, args=(index,)) for index in range(len(values))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    best = max(values) if root.is_max else min(values)
    return root.children[values.index(best)].name, best


def share_alpha(root, search, workers):
    best = -inf if root.is_max else inf
    lock = Lock()

    def search_move(child):
        nonlocal best
        # One short of the best: a move that is as good, and stands before it, must still be seen to
        # be as good.
        alpha, beta = (best - 1, inf) if root.is_max else (-inf, best + 1)
        value = search(child, alpha, beta)
        with lock:
            best = max(best, value) if root.is_max else min(best, value)
        return value

    with ThreadPoolExecutor(workers) as pool:
        values = list(pool.map(search_move, root.children))
    return root.children[values.index(best)].name, best


def layer1(position, depth, search):
    moves = position.moves()
    values = [None] * len(moves)

    def thread_move(index):
        after = position.play(moves[index])
        values[index] = search(after, depth - 1, -inf, inf)

    threads = [Thread(target=thread_move, args=(index,)) for index in range(len(moves))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    best = max(values) if position.is_max() else min(values)
    return moves[values.index(best)]


race = ({"A": 5, "B": 3}, ["A", "B"])


def speed_ups():
    """By another way than the one it is checked with."""
    counts, workers = root_counts(), 3

    def last_end(nodes):
        free = [0] * workers
        for each in nodes:
            heapreplace(free, free[0] + each)
        return max(free)

    return {
        name: sum(counts.narrowed) / last_end(getattr(counts, name))
        for name in ("full", "narrowed")
    }
