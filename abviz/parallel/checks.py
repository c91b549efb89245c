"""What a search on several workers is told, checked: each mistake in one line."""

from concurrent.futures import Executor
from typing import Any

from abviz.errors import AbvizError, brief, unknown
from abviz.games.checking import check_game
from abviz.games.scale import checked_depth
from abviz.parallel.plans import Plan
from abviz.parallel.strategies import STRATEGIES
from abviz.parallel.strategies.minimax import Minimax

METHODS = ("alphabeta", "improved")
MOST = 256  # workers
WORKERS = 2


def checked_plan(position: Any, depth: int, strategy: str, upper: int | None) -> Plan:
    check_game(position)
    if position.over():
        raise AbvizError("the game is over in this position; expected one with a move to search for")
    if not isinstance(strategy, str) or strategy not in STRATEGIES:
        raise unknown("strategy", strategy, STRATEGIES)
    upper = None if upper is None else checked_count("upper", upper)
    return STRATEGIES[strategy](position, checked_depth(depth), upper)


def checked_executor(executor: Any) -> Executor | None:
    if executor is not None and not isinstance(executor, Executor):
        raise AbvizError(f"executor is {brief(executor)}; expected one of concurrent.futures, or its like")
    return executor


def checked_method(method: str, plan: Plan, in_threads: bool) -> str:
    if method == "minimax" and not isinstance(plan, Minimax):
        raise AbvizError('method is "minimax"; expected strategy "minimax", which divides it at the root')
    if method not in (*METHODS, "minimax"):
        raise unknown("method", method, METHODS)
    if method == "improved" and isinstance(plan, Minimax):
        raise AbvizError("strategy minimax searches by minimax; expected another strategy for method improved")
    if method == "improved" and not in_threads:
        raise AbvizError("method improved needs a table that all workers share; expected threads, or method alphabeta")
    return method


def checked_count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise AbvizError(f"{name} is {brief(value)}; expected a whole number, 1 to {MOST}")
    return value


def usual_workers(executor: Any) -> int:
    """As many as the executor says that it has: a pool's threads or processes, MPI's processes, Dask's threads."""
    client: Any = getattr(executor, "_client", None)
    if hasattr(client, "nthreads"):
        return max(1, min(_threads(client), MOST))
    told = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return min(told, MOST) if isinstance(told, int) else WORKERS


def _threads(client: Any) -> int:
    try:
        return int(sum(client.nthreads().values()))
    except (OSError, RuntimeError) as problem:
        told = f"the executor's cluster does not answer ({problem})"
        raise AbvizError(f"{told}; expected one that is at work") from None
