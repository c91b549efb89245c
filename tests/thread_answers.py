"""Answers to the exercises on threads as students write them: right ones, and each known mistake."""

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from math import inf
from threading import Lock, Thread


def run_all(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def choose(root, values):
    best = max(values) if root.is_max else min(values)
    return root.children[values.index(best)].name, best


def better(root, value, than):
    return value > than if root.is_max else value < than


# split-root: right


def pool_map(root, search):
    with ThreadPoolExecutor() as pool:
        return choose(root, list(pool.map(search, root.children)))


def pool_of_two(root, search):
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(search, child) for child in root.children]
        return choose(root, [future.result() for future in futures])


def pool_left_open(root, search):
    pool = ThreadPoolExecutor(4)
    futures = {pool.submit(lambda i=i: (i, search(root.children[i]))) for i in range(len(root.children))}
    return choose(root, [value for _, value in sorted(future.result() for future in futures)])


def from_a_queue(root, search):
    moves, values = queue.Queue(), {}
    for i in range(len(root.children)):
        moves.put(i)

    def work():
        while True:
            try:
                i = moves.get_nowait()
            except queue.Empty:
                return
            values[i] = search(root.children[i])

    run_all([Thread(target=work) for _ in root.children])
    return choose(root, [values[i] for i in range(len(values))])


def best_under_a_lock(root, search):
    best, lock = None, Lock()

    def search_move(i):
        nonlocal best
        value = search(root.children[i])
        with lock:
            if best is None or better(root, value, best[1]) or (value == best[1] and i < best[0]):
                best = i, value

    run_all([Thread(target=search_move, args=(i,)) for i in range(len(root.children))])
    return root.children[best[0]].name, best[1]


def waiting_in_a_loop(root, search):
    values = {}
    for i, child in enumerate(root.children):
        Thread(target=lambda i=i, child=child: values.update({i: search(child)})).start()
    while len(values) < len(root.children):
        time.sleep(0.0005)
    return choose(root, [values[i] for i in range(len(values))])


def lasting_workers(root, search):
    moves, values = queue.Queue(), [None] * len(root.children)

    def work():
        while (i := moves.get()) is not None:
            values[i] = search(root.children[i])
            moves.task_done()

    for i in range(len(values)):
        moves.put(i)
        Thread(target=work).start()
    moves.join()
    for _ in values:
        moves.put(None)
    return choose(root, values)


SPLIT_RIGHT = [
    pool_map,
    pool_of_two,
    pool_left_open,
    from_a_queue,
    best_under_a_lock,
    waiting_in_a_loop,
    lasting_workers,
]


# split-root: mistakes


def no_join(root, search):
    values = [-99 if root.is_max else 99] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    for i in range(len(values)):
        Thread(target=search_move, args=(i,)).start()
    return choose(root, values)


def last_joined(root, search):
    values = [-99 if root.is_max else 99] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    threads = [Thread(target=search_move, args=(i,)) for i in range(len(values))]
    for thread in threads:
        thread.start()
    thread.join()
    return choose(root, values)


def called_not_handed(root, search):
    values = []
    run_all([Thread(target=values.append(search(child))) for child in root.children])
    return choose(root, values)


def plain_loop(root, search):
    return choose(root, [search(child) for child in root.children])


def late_binding(root, search):
    values = [None] * len(root.children)

    def search_move():
        values[i] = search(root.children[i])

    threads = []
    for i in range(len(root.children)):
        threads.append(Thread(target=search_move, name=f"move {i}"))
    run_all(threads)
    return choose(root, [value if value is not None else (-99 if root.is_max else 99) for value in values])


def joined_at_once(root, search):
    values = [None] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    for i in range(len(values)):
        thread = Thread(target=search_move, args=(i,))
        thread.start()
        thread.join()
    return choose(root, values)


def locked_search(root, search):
    values, lock = [None] * len(root.children), Lock()

    def search_move(i):
        with lock:
            values[i] = search(root.children[i])

    run_all([Thread(target=search_move, args=(i,)) for i in range(len(values))])
    return choose(root, values)


def max_assumed(root, search):
    with ThreadPoolExecutor() as pool:
        values = list(pool.map(search, root.children))
    return root.children[values.index(max(values))].name, max(values)


def last_wins(root, search):
    best = None

    def search_move(child):
        nonlocal best
        best = child.name, search(child)

    run_all([Thread(target=search_move, args=(child,)) for child in root.children])
    return best


def appended(root, search):
    values = []
    run_all([Thread(target=lambda c=child: values.append(search(c))) for child in root.children])
    return choose(root, values)


def first_of_ties(root, search):
    best, lock = None, Lock()

    def search_move(child):
        nonlocal best
        value = search(child)
        with lock:
            if best is None or better(root, value, best[1]):
                best = child.name, value

    run_all([Thread(target=search_move, args=(child,)) for child in root.children])
    return best


def completed_first(root, search):
    best = None
    with ThreadPoolExecutor() as pool:
        futures = {pool.submit(search, child): child.name for child in root.children}
        for future in as_completed(futures):
            if best is None or better(root, future.result(), best[1]):
                best = futures[future], future.result()
    return best


SPLIT_WRONG = [
    ("no join", no_join),
    ("only the last thread joined", last_joined),
    ("no threads", called_not_handed),
    ("no threads", plain_loop),
    ("same variable for all threads", late_binding),
    ("one after the other", joined_at_once),
    ("one after the other", locked_search),
    ("MAX assumed at the root", max_assumed),
    ("last one to finish wins", last_wins),
    ("results in the order of finishing", appended),
    ("tie decided by who finished first", first_of_ties),
    ("tie decided by who finished first", completed_first),
]


# share-alpha


def sharing(read, write, *, width=None):
    """A share_alpha that reads its window by read(root, best, i) from [value, move], and changes that by write."""

    def share(root, search, workers):
        best, lock = [None, None], Lock()

        def search_move(i):
            value = search(root.children[i], *read(root, best, i))
            with lock:
                write(root, best, i, value)
            return value

        with ThreadPoolExecutor(width or workers) as pool:
            return choose(root, list(pool.map(search_move, range(len(root.children)))))

    return share


def window(root, best, i):
    if best[0] is None:
        return -inf, inf
    return (best[0] - 1, inf) if root.is_max else (-inf, best[0] + 1)


def window_by_index(root, best, i):
    if best[0] is None:
        return -inf, inf
    short = best[1] > i
    return (best[0] - short, inf) if root.is_max else (-inf, best[0] + short)


def raise_to(root, best, i, value):
    if best[0] is None or better(root, value, best[0]) or (value == best[0] and i < best[1]):
        best[:] = value, i


def threads_and_a_semaphore(root, search, workers):
    values, best, lock, places = [None] * len(root.children), None, Lock(), threading.Semaphore(workers)

    def search_move(i):
        nonlocal best
        with places:
            with lock:
                known = best
            low, high = -inf, inf
            if known is not None:
                low, high = (known - 1, inf) if root.is_max else (-inf, known + 1)
            values[i] = search(root.children[i], low, high)
            with lock:
                if best is None or better(root, values[i], best):
                    best = values[i]

    run_all([Thread(target=search_move, args=(i,)) for i in range(len(values))])
    return choose(root, values)


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


SHARE_RIGHT = [sharing(window, raise_to), sharing(window_by_index, raise_to), threads_and_a_semaphore]
SHARE_WRONG = [
    ("full window for every move", sharing(lambda *_: (-inf, inf), raise_to)),
    ("a thread for each move", sharing(window, raise_to, width=8)),
    ("one after the other", sharing(window, raise_to, width=1)),
    ("MAX assumed at the root", max_alpha_only),
    ("no threads", lambda root, search, workers: choose(root, [search(c, -inf, inf) for c in root.children])),
]
