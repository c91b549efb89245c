"""A checkers player of OpenSpiel for match.py: a line of input has the moves so far and the time, a
line of output the squares of its move. `peer_player.py alpha-beta` or `peer_player.py mcts`.
"""

import json
import sys
from itertools import pairwise
from time import perf_counter
from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax

GAME = pyspiel.load_game("checkers")
DEEPEST, MOST_SIMULATIONS = 30, 1_000_000  # the time ends a search before


class Late(Exception):
    pass


def square(name: str) -> int:
    """Return the number of a square such as a3: OpenSpiel's first player begins on rows 1 to 3, as
    Black on 1 to 12.
    """
    return 4 * (int(name[1]) - 1) + (7 - "abcdefgh".index(name[0])) // 2 + 1


def steps(state: Any) -> dict[tuple[int, int], int]:
    """Return the legal actions by their squares; a multiple jump is several actions."""
    names = {action: state.action_to_string(action) for action in state.legal_actions()}
    return {(square(name[:2]), square(name[2:4])): action for action, name in names.items()}


def material(state: Any) -> float:
    """Return the first player's men and kings less the second's; a king is 1.5 men."""
    board = str(state)
    # Row 8 has its name
    return board.count("o") - board.count("+") + 1.5 * (board.count("8") - 1 - board.count("*"))


def alpha_beta(state: Any, seconds: float) -> int:
    end, best, player = perf_counter() + seconds, state.legal_actions()[0], state.current_player()

    def value(leaf: Any) -> float:
        if perf_counter() > end:
            raise Late
        return material(leaf) * (1 if player == 0 else -1)

    try:
        for depth in range(1, DEEPEST):
            _, best = minimax.alpha_beta_search(
                GAME, state, value_function=value, maximum_depth=depth, maximizing_player_id=player
            )
    except Late:
        pass
    return int(best)


def monte_carlo(state: Any, seconds: float) -> int:
    evaluator, policy = pyspiel.RandomRolloutEvaluator(1, 1), pyspiel.ChildSelectionPolicy.UCT
    bot = pyspiel.MCTSBot(
        GAME, evaluator, 2.0, MOST_SIMULATIONS, 100, False, 1, False, policy, seconds
    )
    return int(bot.step(state))


def main() -> None:
    choose = {"alpha-beta": alpha_beta, "mcts": monte_carlo}[sys.argv[1]]
    for line in sys.stdin:
        asked = json.loads(line)
        state = GAME.new_initial_state()
        for path in asked["paths"]:
            for ends in pairwise(path):
                if not state.is_terminal():  # it ends games without progress earlier
                    state.apply_action(steps(state)[ends])
        path, player = [], state.current_player()
        while not state.is_terminal() and state.current_player() == player:
            action = choose(state, asked["seconds"])
            first, to = next(ends for ends, each in steps(state).items() if each == action)
            path += [first, to] if not path else [to]
            state.apply_action(action)
        print(json.dumps({"path": path, "over": not path}), flush=True)


if __name__ == "__main__":
    main()
