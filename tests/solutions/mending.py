"""The exercises on mending."""

from math import inf

from abviz import Tree

prove_window = [[3, [5, 9]]]
prove_no_value = [-1, -5]
prove_strict = [[-inf, 3]]
prove_depth = [[[[7, 8]]]]
prove_root = [[3, 5], [2, 9]]
prove_break = [1, 2]
prove_call = Tree([[3, 1], [4, 0]], to_move="min")


def mend_search(root):
    def prune(node, alpha, beta):
        if node.is_leaf:
            return node.value
        result = None
        for child in node.children:
            value = prune(child, alpha, beta)
            if node.is_max:
                if value >= beta:
                    return value
                if result is None or value > result:
                    result = value
                alpha = max(alpha, result)
            else:
                if value <= alpha:
                    return value
                if result is None or value < result:
                    result = value
                beta = min(beta, result)
        return result

    result, alpha, beta = None, -inf, inf
    for child in root.children:
        value = prune(child, alpha, beta)
        better = result is None or (value > result if root.is_max else value < result)
        if better:
            result = value
        if root.is_max:
            alpha = result
        else:
            beta = result
    return result


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
