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


class MoveThread(Thread):
    def __init__(self, child, search):
        super().__init__()
        self.child, self.search, self.value = child, search, None

    def run(self):
        self.value = self.search(self.child)


def subclass(root, search):
    threads = [MoveThread(child, search) for child in root.children]
    run_all(threads)
    return choose(root, [thread.value for thread in threads])


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


def chatty(root, search):
    values = [None] * len(root.children)

    def search_move(i):
        print("searching", root.children[i].name)
        values[i] = search(root.children[i])
        print("found", values[i])

    run_all([Thread(target=search_move, args=(i,)) for i in range(len(values))])
    return choose(root, values)


def waiting_in_a_loop(root, search):
    values = {}
    for i, child in enumerate(root.children):
        Thread(target=lambda i=i, child=child: values.update({i: search(child)})).start()
    while len(values) < len(root.children):
        time.sleep(0.0005)
    return choose(root, [values[i] for i in range(len(values))])


def told_by_a_queue(root, search):
    """It knows all values, and does not wait for the threads themselves."""
    found = queue.Queue()
    for i, child in enumerate(root.children):
        Thread(target=lambda i=i, child=child: found.put((i, search(child)))).start()
    return choose(root, [value for _, value in sorted(found.get() for _ in root.children)])


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
    *(pool_map, pool_of_two, pool_left_open, subclass, from_a_queue, best_under_a_lock, chatty, waiting_in_a_loop),
    *(told_by_a_queue, lasting_workers),
]


# split-root: mistakes


def no_join(root, search):
    values = [-99 if root.is_max else 99] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    for i in range(len(values)):
        Thread(target=search_move, args=(i,)).start()
    return choose(root, values)


def no_join_and_none(root, search):
    values = [None] * len(root.children)

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


def searched_again(root, search):
    values = [None] * len(root.children)

    def search_move(i):
        if search(root.children[i]) is not None:
            values[i] = search(root.children[i])

    run_all([Thread(target=search_move, args=(i,)) for i in range(len(values))])
    return choose(root, values)


def joined_at_once(root, search):
    values = [None] * len(root.children)

    def search_move(i):
        values[i] = search(root.children[i])

    for i in range(len(values)):
        thread = Thread(target=search_move, args=(i,))
        thread.start()
        thread.join()
    return choose(root, values)


def pool_of_one(root, search):
    with ThreadPoolExecutor(1) as pool:
        return choose(root, list(pool.map(search, root.children)))


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


def swapped(root, search):
    with ThreadPoolExecutor() as pool:
        values = list(pool.map(search, root.children))
    best = min(values) if root.is_max else max(values)
    return root.children[values.index(best)].name, best


def last_wins(root, search):
    best = None

    def search_move(child):
        nonlocal best
        best = child.name, search(child)

    run_all([Thread(target=search_move, args=(child,)) for child in root.children])
    return best


def first_wins(root, search):
    with ThreadPoolExecutor() as pool:
        futures = {pool.submit(search, child): child for child in root.children}
        first = next(as_completed(futures))
        return futures[first].name, first.result()


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


def last_of_ties(root, search):
    best, lock = None, Lock()

    def search_move(child):
        nonlocal best
        value = search(child)
        with lock:
            if best is None or not better(root, best[1], value):
                best = child.name, value

    run_all([Thread(target=search_move, args=(child,)) for child in root.children])
    return best


def last_move_of_ties(root, search):
    with ThreadPoolExecutor() as pool:
        values = list(pool.map(search, root.children))
    best = max(values) if root.is_max else min(values)
    return next(root.children[i].name for i in reversed(range(len(values))) if values[i] == best), best


def no_lock(root, search):
    best = None

    def search_move(i):
        nonlocal best
        value = search(root.children[i])
        if best is None or better(root, value, best[1]) or (value == best[1] and i < best[0]):
            best = i, value

    run_all([Thread(target=search_move, args=(i,)) for i in range(len(root.children))])
    return root.children[best[0]].name, best[1]


def index_of(root, name):
    return [child.name for child in root.children].index(name)


def reshaped(shape):
    """The right answer in a form that is not asked for."""

    def answer(root, search):
        return shape(root, *pool_map(root, search))

    return answer


SPLIT_WRONG = [
    ("no join", no_join),
    ("no join", no_join_and_none),
    ("no join", last_joined),
    ("called, not handed over", called_not_handed),
    ("no threads", plain_loop),
    ("same variable for all threads", late_binding),
    ("a move searched again", searched_again),
    ("one after the other", joined_at_once),
    ("one after the other", pool_of_one),
    ("one after the other", locked_search),
    ("MAX assumed at the root", max_assumed),
    ("MAX and MIN swapped", swapped),
    ("last one to finish wins", last_wins),
    ("first one to finish wins", first_wins),
    ("results in the order of finishing", appended),
    ("tie decided by who finished first", first_of_ties),
    ("tie decided by who finished first", completed_first),
    ("tie decided by who finished last", last_of_ties),
    ("tie to the last move", last_move_of_ties),
    ("an update is lost", no_lock),
    ("value and name exchanged", reshaped(lambda root, name, value: (value, name))),
    ("an index for the name", reshaped(lambda root, name, value: (index_of(root, name), value))),
    ("the child for its name", reshaped(lambda root, name, value: (root.children[index_of(root, name)], value))),
    ("one of the two is missing", reshaped(lambda root, name, value: value)),
    ("one of the two is missing", reshaped(lambda root, name, value: name)),
]


# share-alpha


def sharing(read, write, *, width=None, chosen=choose, lock_all=False):
    """A share_alpha that reads its window by read(root, best, i) from [value, move], and changes that by write."""

    def share(root, search, workers):
        best, lock = [None, None], Lock()

        def search_move(i):
            if lock_all:
                with lock:
                    value = search(root.children[i], *read(root, best, i))
                    write(root, best, i, value)
                    return value
            value = search(root.children[i], *read(root, best, i))
            with lock:
                write(root, best, i, value)
            return value

        with ThreadPoolExecutor(width or workers) as pool:
            return chosen(root, list(pool.map(search_move, range(len(root.children)))))

    return share


def window(root, best, i):
    if best[0] is None:
        return -inf, inf
    return (best[0] - 1, inf) if root.is_max else (-inf, best[0] + 1)


def window_of_max(root, best, i):
    return window(root, best, i) if root.is_max else (-inf, inf)


def window_by_index(root, best, i):
    if best[0] is None:
        return -inf, inf
    short = best[1] > i
    return (best[0] - short, inf) if root.is_max else (-inf, best[0] + short)


def window_without_room(root, best, i):
    if best[0] is None:
        return -inf, inf
    return (best[0], inf) if root.is_max else (-inf, best[0])


def raise_to(root, best, i, value):
    if best[0] is None or better(root, value, best[0]) or (value == best[0] and i < best[1]):
        best[:] = value, i


def set_to(root, best, i, value):
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


def no_lock_shared(root, search, workers):
    best = -inf if root.is_max else inf

    def search_move(child):
        nonlocal best
        low, high = (best - 1, inf) if root.is_max else (-inf, best + 1)
        value = search(child, low, high)
        best = max(best, value) if root.is_max else min(best, value)
        return value

    with ThreadPoolExecutor(workers) as pool:
        return choose(root, list(pool.map(search_move, root.children)))


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
    ("α lowered again", sharing(window, set_to)),
    ("no room for a tie", sharing(window_without_room, raise_to)),
    ("a thread for each move", sharing(window, raise_to, width=8)),
    ("one after the other", sharing(window, raise_to, lock_all=True)),
    ("one after the other", sharing(window, raise_to, width=1)),
    ("an update is lost", no_lock_shared),
    ("MAX assumed at the root", max_alpha_only),
    ("β forgotten where MIN is to move", sharing(window_of_max, raise_to)),
    ("no threads", lambda root, search, workers: choose(root, [search(c, -inf, inf) for c in root.children])),
    ("value and name exchanged", lambda *told: sharing(window, raise_to)(*told)[::-1]),
]
