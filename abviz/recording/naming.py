"""Which local variables of somebody's own function are its α, its β and its best value."""

import dis
from functools import lru_cache
from itertools import pairwise
from types import CodeType

ALPHAS = ("alpha", "α", "a", "low", "lo", "lower", "alfa")
BETAS = ("beta", "β", "b", "high", "hi", "upper")
# In this order: many functions have both a `best` and a `value`, and then `value` is what a child has just returned.
BESTS = ("bv", "best", "best_value", "bestvalue", "best_val", "bestval", "best_score", "ut_val", "max_eval", "min_eval")
BESTS_TOO = ("v", "value", "val", "score", "result", "res", "m", "current")

Named = tuple[str | None, str | None, str | None, str | None]


class Names:
    """Which local variables of a function are its α, its β and its best value: one, or one for MAX and one for MIN."""

    def __init__(self, alpha: str | None, beta: str | None, best: str | None, bounded: bool):
        self.told = (alpha, beta, best)
        self.bounded = bounded
        self.known: dict[CodeType, Named] = {}

    def of(self, code: CodeType, node_at: int) -> Named:
        if code not in self.known:
            self.known[code] = self._found(code, node_at)
        return self.known[code]

    def _found(self, code: CodeType, node_at: int) -> Named:
        parameters = [*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
        local = [*code.co_varnames, *code.co_cellvars]
        handed = first(ALPHAS, parameters), first(BETAS, parameters)
        alpha: str | None = None
        beta: str | None = None
        if all(handed):  # a local variable may have one of these names as well
            alpha, beta = handed
        elif self.bounded:
            after = parameters[node_at + 1 : min(node_at + 3, code.co_argcount)]
            third = (after[0], after[1]) if len(after) == 2 else (None, None)
            alpha, beta = first(ALPHAS, local) or third[0], first(BETAS, local) or third[1]
        if self.told[0] or self.told[1]:
            alpha, beta = self.told[0] or alpha, self.told[1] or beta
        best, other = self._bests(code, local, {alpha, beta, *parameters[node_at : node_at + 1]})
        return alpha, beta, self.told[2] or best, None if self.told[2] else other

    def _bests(self, code: CodeType, local: list[str], others: set[str | None]) -> tuple[str | None, str | None]:
        """What is returned is the best value; what only has such a name may be what a child has just returned."""
        usual = first(BESTS, local)
        returned = [name for name in dict.fromkeys(reversed(_returned(code))) if name not in others]
        if usual and (not returned or usual in returned) and len(returned) < 2:
            return usual, None
        if returned:
            return returned[0], returned[1] if len(returned) > 1 else None
        return usual or (None if others & {*_returned(code)} else first(BESTS_TOO, local)), None

    def unknown(self) -> str | None:
        """A name that was told, and that no function of the run has."""
        there = {name for code in self.known for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)}
        return next((name for name in self.told if name and name not in there), None)


def first(wanted: tuple[str, ...], there: list[str]) -> str | None:
    lowered = {name.lower(): name for name in reversed(there)}
    return next((lowered[name] for name in wanted if name in lowered), None)


@lru_cache(maxsize=64)  # a student's function is run again and again
def _returned(code: CodeType) -> list[str]:
    """The variables that a function returns as they are, in the order of its lines."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    loads = [step for step, after in pairwise(steps) if after.opname == "RETURN_VALUE"]
    return [str(step.argval) for step in loads if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))]


@lru_cache(maxsize=64)
def puts_elsewhere(code: CodeType, name: str) -> bool:
    """Whether the variable keeps its value, which is put somewhere else: self.alpha = alpha, or lower = alpha."""
    there = copying = False
    for step in dis.get_instructions(code):
        named = name in step.argval if isinstance(step.argval, tuple) else name == step.argval
        if step.opname.startswith("STORE_"):
            if named and not step.opname.startswith("STORE_ATTR"):
                return False
            there = there or copying
        elif step.opname.startswith("LOAD_FAST") and named:
            copying = True
        elif not step.opname.startswith(("LOAD_FAST", "LOAD_CONST", "LOAD_DEREF", "SWAP", "BUILD_", "COPY")):
            copying = False
    return there
