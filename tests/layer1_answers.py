"""Answers to layer1 as students write them: right ones, and each known mistake."""

from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import Lock, Thread
from time import sleep


def run_all(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def choose(position, values):
    best = max(values) if position.is_max() else min(values)
    return position.moves()[values.index(best)]


def worst(position):
    return -inf if position.is_max() else inf


# right


class CheckerMove:
    """A move that keeps its place and its value, as in the C# program."""

    def __init__(self, place, name, board):
        self.place, self.name, self.board, self.value = place, name, board, None


def like_the_program(position, depth, search):
    rows = enumerate(position.moves())
    moves = [CheckerMove(place, name, position.play(name)) for place, name in rows]

    def thread_move(move):
        moves[move.place].value = search(move.board, depth - 1, -(10**9), 10**9)

    threads = []
    for move in moves:
        threads.append(Thread(target=thread_move, args=(move,)))
        threads[-1].start()
    best = 0
    for place, thread in enumerate(threads):
        thread.join()
        a, b = moves[place].value, moves[best].value
        if a > b if position.turn == 0 else a < b:
            best = place
    return moves[best].name


def in_a_pool(position, depth, search):
    boards = [position.play(move) for move in position.moves()]
    with ThreadPoolExecutor(len(boards)) as pool:
        values = list(pool.map(lambda board: search(board, depth - 1, -inf, inf), boards))
    return choose(position, values)


RIGHT = [like_the_program, in_a_pool]


# mistakes


def not_joined(position, depth, search):
    values = [worst(position)] * len(position.moves())

    def thread_move(index):
        values[index] = search(position.play(position.moves()[index]), depth - 1, -inf, inf)

    for index in range(len(values)):
        Thread(target=thread_move, args=(index,)).start()
    return choose(position, values)


def only_the_last_joined(position, depth, search):
    values = [worst(position)] * len(position.moves())

    def thread_move(index):
        values[index] = search(position.play(position.moves()[index]), depth - 1, -inf, inf)

    for index in range(len(values)):
        thread = Thread(target=thread_move, args=(index,))
        thread.start()
    thread.join()
    return choose(position, values)


def called_not_handed(position, depth, search):
    values = []
    threads = []
    for move in position.moves():
        call = values.append(search(position.play(move), depth - 1, -inf, inf))
        threads.append(Thread(target=call))
    run_all(threads)
    return choose(position, values)


def joined_at_once(position, depth, search):
    values = []
    for move in position.moves():
        after = position.play(move)
        thread = Thread(target=lambda a=after: values.append(search(a, depth - 1, -inf, inf)))
        thread.start()
        thread.join()
    return choose(position, values)


def late_binding(position, depth, search):
    values = [worst(position)] * len(position.moves())

    def thread_move():
        after = position.play(position.moves()[index])
        values[index] = search(after, depth - 1, -inf, inf)

    threads = []
    for index in range(len(values)):
        threads.append(Thread(target=thread_move, name=f"move {index}"))
    run_all(threads)
    return choose(position, values)


def index_lost(position, depth, search):
    values = []
    rows = [position.play(move) for move in position.moves()]
    run_all(
        [
            Thread(target=lambda after=after: values.append(search(after, depth - 1, -inf, inf)))
            for after in rows
        ]
    )
    return choose(position, values)


def last_of_equals(position, depth, search):
    boards = [position.play(move) for move in position.moves()]
    with ThreadPoolExecutor(len(boards)) as pool:
        values = list(pool.map(lambda board: search(board, depth - 1, -inf, inf), boards))
    best = 0
    for index, value in enumerate(values):
        if value >= values[best] if position.is_max() else value <= values[best]:
            best = index
    return position.moves()[best]


def always_the_largest(position, depth, search):
    """As the program is printed, which plays one side only."""
    boards = [position.play(move) for move in position.moves()]
    with ThreadPoolExecutor(len(boards)) as pool:
        values = list(pool.map(lambda board: search(board, depth - 1, -inf, inf), boards))
    return position.moves()[values.index(max(values))]


def newest(position, depth, search):
    best = None

    def thread_move(move):
        nonlocal best
        search(position.play(move), depth - 1, -inf, inf)
        best = move

    run_all([Thread(target=thread_move, args=(move,)) for move in position.moves()])
    return best


def first_to_end(position, depth, search):
    found, lock = [], Lock()

    def thread_move(move):
        value = search(position.play(move), depth - 1, -inf, inf)
        with lock:
            found.append((value, move))

    run_all([Thread(target=thread_move, args=(move,)) for move in position.moves()])
    best = (
        max(found, key=lambda each: each[0])
        if position.is_max()
        else min(found, key=lambda each: each[0])
    )
    return best[1]


def shared_window(position, depth, search):
    window = [-inf, inf]
    values = [None] * len(position.moves())

    def thread_move(index):
        after = position.play(position.moves()[index])
        value = values[index] = search(after, depth - 1, *window)
        if position.is_max():
            window[0] = max(window[0], value)
        else:
            window[1] = min(window[1], value)

    run_all([Thread(target=thread_move, args=(index,)) for index in range(len(values))])
    return choose(position, values)


def hurried(position, depth, search):
    best = None

    def thread_move(move):
        nonlocal best
        before = best
        value = search(position.play(move), depth - 1, -inf, inf)
        if before is None or (value > before[0] if position.is_max() else value < before[0]):
            best = value, move

    run_all([Thread(target=thread_move, args=(move,)) for move in position.moves()])
    return best[1]


def without_a_lock(position, depth, search):
    best = (worst(position), len(position.moves()), None)

    def thread_move(index, move):
        nonlocal best
        value = search(position.play(move), depth - 1, -inf, inf)
        is_tie = value == best[0] and index < best[1]
        if is_tie or (value > best[0] if position.is_max() else value < best[0]):
            best = value, index, move

    rows = enumerate(position.moves())
    run_all([Thread(target=thread_move, args=row) for row in rows])
    return best[2]


def joined_for_a_moment(seconds):
    def split(position, depth, search):
        values = [worst(position)] * len(position.moves())

        def thread_move(index):
            after = position.play(position.moves()[index])
            values[index] = search(after, depth - 1, -inf, inf)

        threads = [Thread(target=thread_move, args=(index,)) for index in range(len(values))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(seconds)
        return choose(position, values)

    return split


def asleep_instead(position, depth, search):
    values = [worst(position)] * len(position.moves())

    def thread_move(index):
        values[index] = search(position.play(position.moves()[index]), depth - 1, -inf, inf)

    for index in range(len(values)):
        Thread(target=thread_move, args=(index,)).start()
    sleep(0.2)
    return choose(position, values)


def in_a_fixed_window(position, depth, search):
    boards = [position.play(move) for move in position.moves()]
    with ThreadPoolExecutor(len(boards)) as pool:
        values = list(pool.map(lambda board: search(board, depth - 1, -100, 100), boards))
    return choose(position, values)


RIGHT.append(joined_for_a_moment(60))

WRONG = [
    ("no join", joined_for_a_moment(0.01)),
    ("no join", asleep_instead),
    ("no join", not_joined),
    ("no join", only_the_last_joined),
    ("no threads", called_not_handed),
    ("one after the other", joined_at_once),
    ("same variable for all threads", late_binding),
    ("results in the order of finishing", index_lost),
    ("last of equal moves", last_of_equals),
    ("MAX assumed at the root", always_the_largest),
    ("last one to finish wins", newest),
    ("tie decided by the order of finishing", first_to_end),
    ("a shared window", shared_window),
    ("no lock", without_a_lock),
]


# what else goes wrong


def whole_depth(position, depth, search):
    moves = position.moves()
    with ThreadPoolExecutor(len(moves)) as pool:
        values = list(pool.map(lambda m: search(position.play(m), depth, -inf, inf), moves))
    return choose(position, values)


def the_position_itself(position, depth, search):
    moves = position.moves()
    with ThreadPoolExecutor(len(moves)) as pool:
        values = list(pool.map(lambda m: search(position, depth - 1, -inf, inf), moves))
    return choose(position, values)


def the_index(position, depth, search):
    return position.moves().index(in_a_pool(position, depth, search))


def move_and_value(position, depth, search):
    return in_a_pool(position, depth, search), 0


OTHERS = [
    (in_a_fixed_window, "is searched with the window (−100, 100); expected (−∞, ∞) in each thread"),
    (whole_depth, ", 6, -inf, inf; expected position.play(move), 5 (depth - 1), -inf, inf"),
    (the_position_itself, "; expected position.play(move), 5"),
    (the_index, "it returns 0; expected '1-5'"),
    (move_and_value, "it returns ('1-5', 0); expected '1-5'"),
]
