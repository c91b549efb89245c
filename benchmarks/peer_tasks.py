"""One task of one package, measured once: `peer_tasks.py PACKAGE TASK` prints nodes, seconds and
nodes a second. `peers.py` calls it with the Python that has the package.
"""

import json
import sys
from collections.abc import Callable
from time import process_time
from typing import Any


def measured(way: Callable[[], Any], nodes: int, times: int = 1, note: str = "") -> None:
    start = process_time()
    for _ in range(times):
        way()
    seconds = (process_time() - start) / times
    print(json.dumps({"nodes": nodes, "seconds": seconds, "rate": nodes / seconds, "note": note}))


def abviz(task: str) -> None:
    from abviz import Checkers, TicTacToe
    from abviz.engine.compiler import engine
    from abviz.engine.storage import new_work
    from abviz.games.rules import WIN

    work = new_work()
    work.weights[: len(Checkers.weights)] = list(Checkers.weights.values())
    state, depth = (TicTacToe(), 9) if task == "tic-tac-toe" else (Checkers.start(), 11)
    made = engine(type(state))
    if task == "perft":
        measured(lambda: made.perft(state, depth, work, 0), int(made.perft(state, depth, work, 0)))
    else:
        made.alphabeta(state, depth, -WIN, WIN, work, 0)
        nodes = int(work.nodes)
        measured(
            lambda: made.alphabeta(state, depth, -WIN, WIN, work, 0),
            nodes,
            100 if depth == 9 else 1,
        )


def open_spiel(task: str) -> None:
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("tic_tac_toe" if task == "tic-tac-toe" else "checkers")

    def perft(state: Any, depth: int) -> int:
        actions = state.legal_actions()
        return (
            len(actions)
            if depth == 1
            else sum(perft(state.child(action), depth - 1) for action in actions)
        )

    def men(state: Any) -> int:
        board = str(state)
        return board.count("o") - board.count("+")

    if task == "perft":
        measured(lambda: perft(game.new_initial_state(), 6), perft(game.new_initial_state(), 6))
        return
    told = {} if task == "tic-tac-toe" else {"value_function": men, "maximum_depth": 7}
    its_own, nodes = minimax._alpha_beta, 0

    def counting(*arguments: Any, **named: Any) -> Any:
        nonlocal nodes
        nodes += 1
        return its_own(*arguments, **named)

    minimax._alpha_beta = counting
    minimax.alpha_beta_search(game, **told)
    minimax._alpha_beta = its_own
    measured(lambda: minimax.alpha_beta_search(game, **told), nodes)


def py_draughts(task: str) -> None:
    from draughts import AmericanBoard

    nodes = 0

    def perft(board: Any, depth: int) -> int:
        moves = board.legal_moves
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            board.push(move)
            total += perft(board, depth - 1)
            board.pop()
        return total

    def men(board: Any) -> int:
        return int(
            (board.black_men | board.black_kings).bit_count()
            - (board.white_men | board.white_kings).bit_count()
        )

    def alphabeta(board: Any, depth: int, alpha: int, beta: int, is_max: bool) -> int:
        nonlocal nodes
        nodes += 1
        moves = board.legal_moves if depth else ()
        if not moves:
            return men(board)
        bv = -1000 if is_max else 1000
        for move in moves:
            board.push(move)
            value = alphabeta(board, depth - 1, alpha, beta, not is_max)
            board.pop()
            if is_max:
                bv = max(bv, value)
                alpha = max(alpha, bv)
            else:
                bv = min(bv, value)
                beta = min(beta, bv)
            if alpha >= beta:
                break
        return bv

    note = "" if perft(AmericanBoard(), 3) == 302 else "  (other rules: captures are optional)"
    if task == "perft":
        measured(lambda: perft(AmericanBoard(), 5), perft(AmericanBoard(), 5), note=note)
    else:
        alphabeta(AmericanBoard(), 6, -1000, 1000, True)
        found = nodes
        measured(lambda: alphabeta(AmericanBoard(), 6, -1000, 1000, True), found, note=note)


def easyai(task: str) -> None:
    from easyAI import AI_Player, Negamax
    from easyAI.games import TicTacToe

    nodes = 0

    class Counted(TicTacToe):  # type: ignore[misc]
        def is_over(self) -> bool:
            nonlocal nodes
            nodes += 1
            return bool(super().is_over())

    solver = Negamax(9)
    solver(Counted([AI_Player(solver), AI_Player(solver)]))
    measured(lambda: solver(TicTacToe([AI_Player(solver), AI_Player(solver)])), nodes)


def aima3(task: str) -> None:
    from aima3.games import TicTacToe, alphabeta_search

    nodes = 1  # the root is not tested

    class Counted(TicTacToe):  # type: ignore[misc]
        def terminal_test(self, state: Any) -> bool:
            nonlocal nodes
            nodes += 1
            return bool(super().terminal_test(state))

    alphabeta_search(Counted().initial, Counted())
    game = TicTacToe()
    measured(lambda: alphabeta_search(game.initial, game), nodes)


PACKAGES = {
    "abviz": abviz,
    "open-spiel": open_spiel,
    "py-draughts": py_draughts,
    "easyAI": easyai,
    "aima3": aima3,
}

if __name__ == "__main__":
    PACKAGES[sys.argv[1]](sys.argv[2])
