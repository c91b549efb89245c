"""The published programs: trees that prove their bugs, and the programs fixed."""

from math import inf

prove_break = [1, 2]
prove_marker = [-1, -5]


def fix_minimax(node):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = fix_minimax(child)
        best = max(best, value) if node.is_max else min(best, value)
    return best


def fix_alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = fix_alphabeta(child, alpha, beta)
        best = max(best, value) if node.is_max else min(best, value)
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        if beta <= alpha:
            break
    return best


def fix_prune(root):
    best, result, alpha, beta = None, None, -inf, inf
    for child in root.children:
        value = fix_alphabeta(child, alpha, beta)
        if best is None or (value > result if root.is_max else value < result):
            best, result = child.name, value
        alpha, beta = (max(alpha, result), beta) if root.is_max else (alpha, min(beta, result))
    return best
