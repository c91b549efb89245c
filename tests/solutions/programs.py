"""The published programs: trees that prove their faults, and the programs mended."""

from math import inf

prove_break = [1, 2]
prove_marker = [-1, -5]


def mend_prune(root):
    def prune_tree(node, alpha, beta):
        if node.is_leaf:
            return node.value
        result = -inf if node.is_max else inf
        for child in node.children:
            value = prune_tree(child, alpha, beta)
            if node.is_max:
                result = max(result, value)
                if result >= beta:
                    return result
                alpha = max(alpha, result)
            else:
                result = min(result, value)
                if result <= alpha:
                    return result
                beta = min(beta, result)
        return result

    best, result, alpha, beta = None, None, -inf, inf
    for child in root.children:
        value = prune_tree(child, alpha, beta)
        if best is None or (value > result if root.is_max else value < result):
            best, result = child.name, value
        if root.is_max:
            alpha = max(alpha, result)
        else:
            beta = min(beta, result)
    return best


def mend_minimax(node):
    if node.is_leaf:
        return node.value
    if node.is_max:
        best = -inf
        for child in node.children:
            best = max(best, mend_minimax(child))
    else:
        best = inf
        for child in node.children:
            best = min(best, mend_minimax(child))
    return best


def mend_alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        best = -inf
        for child in node.children:
            best = max(best, mend_alphabeta(child, alpha, beta))
            alpha = max(alpha, best)
            if beta <= alpha:
                break
    else:
        best = inf
        for child in node.children:
            best = min(best, mend_alphabeta(child, alpha, beta))
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best
