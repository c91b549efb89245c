"""What a student begins with in each of the exercises on writing: functions that say they are not written yet.

The text is what a notebook shows. The function, or what stands in its place, is named as the exercise is.
"""

MINIMAX = '''\
def minimax(node):
    """The value of the node, from MAX's side."""
    raise NotImplementedError("not written yet")
'''

ALPHABETA = '''\
def alphabeta(node, alpha, beta):
    """The value of the node; the same as minimax where it lies between α and β.

    Children from left to right; cut when bv equals the bound (≥, ≤); return bv itself (fail-soft).
    """
    raise NotImplementedError("not written yet")
'''

TWO_FUNCTIONS = '''\
def max_value(node, alpha, beta):
    """The value of a node where MAX is to move, or of a leaf. The players take turns: a child is MIN's.

    Children from left to right; cut when bv equals the bound (≥, ≤); return bv itself (fail-soft).
    """
    raise NotImplementedError("not written yet")


def min_value(node, alpha, beta):
    """The value of a node where MIN is to move, or of a leaf. The players take turns: a child is MAX's."""
    raise NotImplementedError("not written yet")


two_functions = max_value, min_value
'''

NEGAMAX = '''\
def negamax(node, alpha, beta):
    """What the node is worth to the player who moves there; α and β are that player's bounds, too.

    node.value of a leaf is from MAX's side; node.is_max says who is to move, at a leaf as well. The players take turns.
    Where MIN moves at the root, value and bounds are MIN's: a high number is good for MIN.
    Children from left to right; cut when the best value equals β (≥); return the best value itself (fail-soft).
    """
    raise NotImplementedError("not written yet")
'''

FAIL_HARD = '''\
def fail_hard(node, alpha, beta):
    """Alpha-beta as before, but an inner node returns its best value moved into the window that it was called with:
    never less than α, never more than β. A leaf always returns its value.
    """
    raise NotImplementedError("not written yet")
'''

BEST_MOVE = '''\
def best_move(node):
    """The pair (value, name): what the node is worth, and the name of the best child.

    Search as alpha-beta does, with the window (−∞, ∞). Of equally good children it is the first; and it is the first
    child where all of them lose (−∞ for MAX, ∞ for MIN).
    """
    raise NotImplementedError("not written yet")
'''

BEST_LINE = '''\
def best_line(node, alpha=-float("inf"), beta=float("inf")):
    """The pair (value, line): what the node is worth, and the names of the nodes that both sides choose, from the
    child of this node down to a leaf.

    Search as alpha-beta does. Of equally good children the line takes the first one that was searched; and it takes
    the first child where all of them lose (−∞ for MAX, ∞ for MIN). The line of a leaf is empty.
    """
    raise NotImplementedError("not written yet")
'''

BEST_ORDER = '''\
def best_order(root):
    """A dictionary that says in which order the children of a node are searched: {name: [names of its children]}.

    Alpha-beta, called with (−∞, ∞) and cutting on equality, shall then read as few leaves of the tree as is possible
    with any order. Nodes that are left out keep their order. You may look at the whole tree.
    """
    raise NotImplementedError("not written yet")
'''

DEEPENING = '''\
def deepening(root, depth):
    """A list of pairs (value, line), one for each depth limit 1, 2, …, depth.

    Each pass is an alpha-beta of its own with the window (−∞, ∞), children from left to right, cutting on equality.
    A node that is as many moves below the root as the limit says is worth its node.value, and so is a leaf; no other
    values are read. The line holds the names of the nodes that both sides choose, from the root's child on; of equally
    good children it takes the one searched first.
    From the second pass on the line of the pass before comes first: at the root and at each node on that line, its
    next node is searched before the other children, which keep their order.
    """
    raise NotImplementedError("not written yet")
'''

ASPIRATION = '''\
def aspiration(root, search, guess, delta):
    """The value of the root, from as narrow windows as will do.

    search(root, alpha, beta) is a fail-soft alpha-beta. Call it with (guess − delta, guess + delta) first. A value on
    a bound or beyond it is not yet the value of the root: search again, with a window that is open on that side, until
    it is. No search but for what is not known yet. Values may be −∞ or ∞.
    """
    raise NotImplementedError("not written yet")
'''
