"""The exercises on paper, as they are filled in with a pencil, and the trees to build."""

from math import inf

tree_values = {"B": 3, "I": 0, "F": 5, "G": 8, "C": 4, "A": 4}

skipped_leaves = {
    "equal": ["O", "P", "S", "T", "X"],
}

other_rules = {
    "beyond": ["O", "P"],
    "right to left": ["U", "Q"],
}

path_bounds = {
    "A": {"bv": 5, "alpha": 5, "beta": inf},
    "C": {"bv": 8, "alpha": 5, "beta": 8},
    "H": {"bv": 3, "alpha": 5, "beta": 8},
    "N": {"bv": 5, "alpha": 5, "beta": 5},
}

CUTS = {"E": "beta", "F": "beta", "N": "alpha"}
OTHER = {"alpha": "beta", "beta": "alpha", "no cut": "no cut"}
cut_names = {
    node: {"by bound": CUTS.get(node, "no cut"), "by node": OTHER[CUTS.get(node, "no cut")]}
    for node in "JEKLFBMNHCA"
}

proven_values = {
    "J": {"low": -inf, "high": inf},
    "E": {"low": 9, "high": inf},
    "K": {"low": 5, "high": 5},
    "L": {"low": -inf, "high": inf},
    "F": {"low": 5, "high": inf},
    "B": {"low": 5, "high": 5},
    "M": {"low": 3, "high": 3},
    "N": {"low": -inf, "high": 5},
    "H": {"low": 3, "high": 5},
    "C": {"low": 3, "high": 5},
    "A": {"low": 5, "high": 5},
}

cut_thresholds = {"M": 3, "K": 5}

no_cut = [[[1, 3], [2, 4]], [[5, 7], [6, 8]]]
tied_moves = [5, [5, 2]]
deep_cut = [5, [[[3, 9], 4], 7]]
