"""`abviz make`: fresh exercises, their sheet and their key."""

import argparse
import json
import re
import secrets
import sys
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError
from abviz.tracing.algorithms import Rules
from abviz.tree.files import write_whole
from abviz.tree.model import Tree

RULES = ("strict", "test_first", "fail_hard", "right_to_left", "name_by_node")
EITHER = {  # as some or none: --deep, --no-deep
    "deep": "deep_cuts",
    "subtree": "subtree_cuts",
    "ties": "ties",
    "last-child": "last_child_cutoffs",
}
COUNTS = {
    "alpha_cuts": "alpha cuts",
    "beta_cuts": "beta cuts",
    "subtree_cuts": "cuts that skip an inner node",
    "deep_cuts": "deep cuts",
    "ties": "ties: a value equal to the bv or the bound that it meets",
    "last_child_cutoffs": "cutoffs on a last child, which skip nothing",
    "leaves_read": "leaves that the search reads",
}
SEEDS = 1_000_000  # where none is told, one of so many


def add_make(commands: Any) -> None:
    """The command, added to the others."""
    make = commands.add_parser("make", help="fresh exercises, their sheet and key", allow_abbrev=False)
    make.add_argument("--seed", type=int, metavar="N", help="the same seed makes the same tree; by chance, if not told")
    make.add_argument("--number", type=int, default=1, metavar="N", help="trees, from this seed on")
    make.add_argument("-o", dest="file", metavar="FILE", help="the sheet (.svg, .pdf, .tex), or one tree (.yaml)")
    make.add_argument("--key", metavar="FILE", help="the sheet with its answers (.svg, .pdf, .tex)")
    make.add_argument("--title", default="Alpha-beta by hand", metavar="TEXT", help="of the sheet")
    make.add_argument("--json", action="store_true", help="the trees and the properties met, as one JSON object")
    _add_shape(make.add_argument_group("the tree"))
    _add_counts(make.add_argument_group("what the search counts (N, LOW-HIGH, or LOW- for that many or more)"))
    rules = make.add_argument_group("the rules")
    for rule in RULES:
        rules.add_argument(f"--{rule.replace('_', '-')}", action="store_true", help="see abviz trace --help")
    make.set_defaults(run=_make)


def _add_shape(group: Any) -> None:
    group.add_argument("--depth", type=int, default=3, metavar="N", help="moves from the root to each leaf")
    group.add_argument("--branching", type=_span, default=(2, 3), metavar="N", help="children of a node, such as 2-3")
    group.add_argument("--leaves", type=int, nargs=2, default=(0, 20), metavar=("LOW", "HIGH"), help="their values")
    group.add_argument("--distinct", action="store_true", help="no two leaves are equal")
    group.add_argument("--min-moves", action="store_true", help="MIN moves at the root")
    several: dict[str, Any] = {"metavar": "RULES", "default": ""}
    group.add_argument("--depends-on", **several, help="rules that change the answer, such as strict,fail-hard")
    group.add_argument("--independent-of", **several, help="rules that do not change the answer")
    group.add_argument("--tries", type=int, metavar="N", help="trees to look at before giving up")


def _add_counts(group: Any) -> None:
    one_of = {name: group.add_mutually_exclusive_group() for name in COUNTS}  # what is told twice may contradict itself
    for name, what in COUNTS.items():
        if name not in EITHER:
            one_of[name].add_argument(f"--{name.replace('_', '-')}", type=_span, metavar="N", help=what)
    for short, name in EITHER.items():
        add = one_of[name].add_argument
        if short == name:
            add(f"--{short}", nargs="?", type=_span, const=True, metavar="N", help=COUNTS[name])
        else:
            add(f"--{short}", dest=name, action="store_true", default=None, help=f"some {COUNTS[name]}")
        add(f"--no-{short}", dest=name, action="store_false", default=None, help="none of these")


def _span(text: str) -> tuple[int, int | None]:
    found = re.fullmatch(r"(\d{1,9})(-(\d{1,9})?)?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number or a range, such as 2 or 2-3")
    low = int(found[1])
    return low, int(found[3]) if found[3] else None if found[2] else low


def _make(told: argparse.Namespace) -> int:
    from abviz.exercises.making import NotMet, make_tree
    from abviz.exercises.sheets import MOST_EXERCISES, Sheet, check_format

    if not 1 <= told.number <= MOST_EXERCISES:
        raise AbvizError(f"--number is {told.number}; expected 1 to {MOST_EXERCISES}")
    _check_files(told)
    for file in (told.file, told.key):
        if file and not (file is told.file and _holds_tree(file)):
            check_format(file)
    seed = secrets.randbelow(SEEDS) if told.seed is None else told.seed
    rules = Rules(**{rule: getattr(told, rule) for rule in RULES})
    try:
        trees = [make_tree(seed + more, rules=rules, **_wanted(told)) for more in range(told.number)]
    except NotMet as problem:
        print(f"abviz: {problem}", file=sys.stderr)
        return 1
    if told.file and _holds_tree(told.file):
        write_whole(told.file, trees[0].to_yaml().encode())
    sheet = Sheet(trees, rules=rules, title=told.title)
    if told.file and not _holds_tree(told.file):
        sheet.write(told.file)
    if told.key:
        sheet.write(told.key, key=True)
    if told.json:
        print(json.dumps({"exercises": [_met(tree, seed + i, rules) for i, tree in enumerate(trees)]}))
    elif not told.file and not told.key:
        print(trees[0].to_yaml(), end="")
    return 0


def _check_files(told: argparse.Namespace) -> None:
    for option, file in (("-o", told.file), ("--key", told.key)):
        if file == "-":
            raise AbvizError(f"{option} is -, which is not a file; expected the name of one")
    if told.key and told.file and Path(told.key).absolute() == Path(told.file).absolute():
        raise AbvizError(f"-o and --key are both {told.key}; expected two files")
    one_tree = _holds_tree(told.file) if told.file else not told.key and not told.json
    if told.number > 1 and one_tree:
        raise AbvizError(f"--number is {told.number}, and a tree file holds one tree; expected -o sheet.pdf, or --json")


def _holds_tree(file: str) -> bool:
    return Path(file).suffix.lower() in (".yaml", ".yml")


def _wanted(told: argparse.Namespace) -> dict[str, Any]:
    """What make_tree is asked for."""
    wanted = {name: getattr(told, name) for name in ("depth", "branching", "leaves", "distinct", *COUNTS)}
    wanted["to_move"] = "min" if told.min_moves else "max"
    for option in ("depends_on", "independent_of"):
        wanted[option] = [rule.strip().replace("-", "_") for rule in getattr(told, option).split(",") if rule.strip()]
    return wanted | ({"tries": told.tries} if told.tries is not None else {})


def _met(tree: Tree, seed: int, rules: Rules) -> dict[str, Any]:
    from dataclasses import asdict

    from abviz.exercises.measuring import depends, measured
    from abviz.exercises.verdicts import written

    values = [leaf.value for leaf in tree.leaves()]
    return {
        "seed": seed,
        "tree": json.loads(written(tree).removesuffix(" (MIN to move)").replace("−", "-")),
        "to_move": "max" if tree.root.is_max else "min",
        "rules": asdict(rules),
        "leaves": len(values),
        "distinct": len(set(values)) == len(values),
        **asdict(measured(tree, rules)),
        "depends_on": [rule for rule in RULES if depends(tree, rules, rule)],
    }
