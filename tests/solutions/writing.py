"""The exercises on writing a search."""

from math import inf


def minimax(node):
    if node.is_leaf:
        return node.value
    values = [minimax(child) for child in node.children]
    return max(values) if node.is_max else min(values)


def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if node.is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha >= beta:
            break
    return bv


def max_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf
    for child in node.children:
        bv = max(bv, min_value(child, alpha, beta))
        if bv >= beta:
            break
        alpha = max(alpha, bv)
    return bv


def min_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = inf
    for child in node.children:
        bv = min(bv, max_value(child, alpha, beta))
        if bv <= alpha:
            break
        beta = min(beta, bv)
    return bv


two_functions = max_value, min_value


def negamax(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        best = max(best, -negamax(child, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def fail_hard(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = min(max(fail_hard(child, alpha, beta), alpha), beta)
        alpha, beta = (value, beta) if node.is_max else (alpha, value)
        if alpha >= beta:
            break
    return alpha if node.is_max else beta


def best_move(node):
    best, name = (-inf if node.is_max else inf), node.children[0].name
    alpha, beta = -inf, inf
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if value > best if node.is_max else value < best:
            best, name = value, child.name
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
    return best, name


def best_line(node, alpha=-inf, beta=inf):
    if node.is_leaf:
        return node.value, []
    best, line = (-inf if node.is_max else inf), None
    for child in node.children:
        value, below = best_line(child, alpha, beta)
        if line is None or (value > best if node.is_max else value < best):
            best, line = value, [child.name, *below]
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best, line


def best_order(root):
    value, order = minimax(root), {}

    def leaves_of_proof(node, at_least):
        """In how many leaves it can be seen that the node is worth `value` or more (or less); and
        orders children.
        """
        if node.is_leaf:
            return 1
        if node.is_max != at_least:
            return sum(leaves_of_proof(child, at_least) for child in node.children)
        enough = {}
        for child in node.children:
            if minimax(child) >= value if at_least else minimax(child) <= value:
                enough[child.name] = leaves_of_proof(child, at_least)
        first = min(enough, key=enough.get)
        order[node.name] = sorted(
            (child.name for child in node.children), key=lambda name: name != first
        )
        return enough[first]

    leaves_of_proof(root, True)
    leaves_of_proof(root, False)
    return order


def order(node):
    return sorted(node.children, key=lambda child: child.value, reverse=node.is_max)


def killer(node, alpha, beta, depth=0, killers=None):
    killers = {} if killers is None else killers  # depth: move
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in sorted(
        node.children, key=lambda child: child.name.split()[-1] != killers.get(depth)
    ):
        value = killer(child, alpha, beta, depth + 1, killers)
        if node.is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha >= beta:
            killers[depth] = child.name.split()[-1]
            break
    return bv


def table(node, alpha, beta, known=None):
    known = {} if known is None else known  # position: (least, most)
    if node.is_leaf:
        return node.value
    position = node.name.rstrip("'")
    least, most = known.get(position, (-inf, inf))
    if least == most or least >= beta:
        return least
    if most <= alpha:
        return most
    bv, low, high = (-inf if node.is_max else inf), alpha, beta
    for child in node.children:
        value = table(child, low, high, known)
        if node.is_max:
            bv = max(bv, value)
            low = max(low, bv)
        else:
            bv = min(bv, value)
            high = min(high, bv)
        if low >= high:
            break
    known[position] = (bv if bv > alpha else -inf), (bv if bv < beta else inf)
    return bv


def deepening(root, search, depth):
    passes, line = [], []
    for limit in range(1, depth + 1):
        value, line = search(root, limit, line)
        passes.append((value, line))
    return passes


def aspiration(root, search, guess, delta):
    alpha, beta = guess - delta, guess + delta
    value = search(root, alpha, beta)
    if value <= alpha:
        return search(root, -inf, beta)
    return search(root, alpha, inf) if value >= beta else value


LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def open_lines(position):
    def lines_without(player):
        return sum(all(position.cells[int(place)] != player for place in line) for line in LINES)

    return lines_without("o") - lines_without("x")


def advance(position):
    men = [(square, piece) for square, piece in position.pieces.items() if piece in "bw"]
    return sum(
        (square - 1) // 4 if piece == "b" else -((32 - square) // 4) for square, piece in men
    )
