"""Hidden checks of the nbgrader assignment: of each exercise what its test cell runs beside what a
student sees.
"""

CHECKS = {
    "minimax": """
verdict = check("minimax", minimax)
assert verdict, str(verdict)
assert minimax(load("figure-4.24").root) == 4
""",
    "alphabeta": """
verdict = check("alphabeta", alphabeta)
assert verdict, str(verdict)
assert alphabeta(load("figure-4.24").root, -inf, inf) == 4
""",
    "race": """
verdict = check("race", race)
assert verdict, str(verdict)
""",
}
