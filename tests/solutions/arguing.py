"""The exercises on what-if."""

from math import inf

standing_still = {
    "D": {"low": -inf, "high": 4},
    "E": {"low": -inf, "high": inf},
    "M": {"low": -inf, "high": inf},
    "N": {"low": -inf, "high": inf},
    "J": {"low": 4, "high": inf},
    "K": {"low": -inf, "high": inf},
    "L": {"low": -inf, "high": inf},
    "H": {"low": 4, "high": 4},
}

cut_thresholds = {"M": 3, "K": 5}
