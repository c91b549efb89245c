"""The exercises on building."""

no_cut = [[[1, 3], [2, 4]], [[5, 7], [6, 8]]]
deep_cut = [5, [[[3, 9], 4], 7]]
equal_bounds = [5, [5, 9]]
tied_moves = [5, [5, 2]]
right_to_left = [[[1, 2], [0, 1]], [[5, 6], [3, 4]]]
