"""The command `abviz make`: generate exercises, for all or for each student."""

import argparse
import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abviz.cli.options import (
    TREE,
    Command,
    add_rules,
    course_of,
    option_name,
    rule_names,
    span,
    split_at_commas,
)
from abviz.errors import AbvizError, as_json, brief, count, visible

if TYPE_CHECKING:
    from abviz.course import Course
    from abviz.tracing.algorithms import Rules
    from abviz.tree.model import Tree

COUNTS = {
    "alpha_cuts": "alpha cuts",
    "beta_cuts": "beta cuts",
    "subtree_cuts": "cuts that skip an inner node",
    "deep_cuts": "deep cuts",
    "ties": "ties: a value equal to the bv or the bound it meets",
    "last_child_cutoffs": "cutoffs on a last child, which skip nothing",
    "leaves_read": "leaves that the search reads",
}
PROPERTIES = (
    "depth",
    "branching",
    "leaves",
    "distinct",
    "tries",
    "to_move",
    "depends_on",
    "independent_of",
    *COUNTS,
)
SWITCHES = {
    "deep": "deep_cuts",
    "subtree": "subtree_cuts",
    "ties": "ties",
    "last-child": "last_child_cutoffs",
}


def _make_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "trees", metavar="TREE", nargs="*", help=f"{TREE}; by default, new trees are generated"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the trees and their properties as JSON"
    )

    sheet = parser.add_argument_group("sheet and answer key")
    sheet.add_argument(
        "-o", dest="file", metavar="FILE", help="sheet to write (.pdf, .html), or one tree (.yaml)"
    )
    sheet.add_argument(
        "--key", metavar="FILE", help="answer key to write: the sheet filled in (.pdf, .html)"
    )
    sheet.add_argument(
        "--title", default="Alpha-beta by hand", metavar="TEXT", help="title of the sheet"
    )
    sheet.add_argument("--paper", default="a4", metavar="NAME", help="a4 or letter (default: a4)")
    sheet.add_argument("--landscape", action="store_true", help="turn the paper on its side")
    sheet.add_argument(
        "--ask",
        type=split_at_commas,
        default="bounds,values,leaves,cuts",
        metavar="WHAT,...",
        help="what the sheet asks for: some of bounds, values, leaves, cuts (default: all)",
    )

    assigned = parser.add_argument_group("a tree for each student")
    assigned.add_argument(
        "--assign",
        metavar="ROSTER",
        help="table of ids and names; -o is the folder for the pages, sheets and keys",
    )
    assigned.add_argument(
        "--sheets",
        choices=("html", "pdf", "none"),
        default="html",
        help="format of the students' sheets and keys (default: html)",
    )

    _add_generated_trees(parser)
    _add_counted_events(parser)
    add_rules(parser)


def _add_generated_trees(parser: argparse.ArgumentParser) -> None:
    trees = parser.add_argument_group("generated trees")
    trees.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="the same seed makes the same tree; by default the course's, or random",
    )
    trees.add_argument(
        "--number", type=int, default=1, metavar="N", help="number of trees, from this seed on"
    )

    # their shape
    trees.add_argument(
        "--depth", type=int, default=3, metavar="N", help="moves from the root to each leaf"
    )
    trees.add_argument(
        "--branching",
        type=span,
        default=(2, 3),
        metavar="N",
        help="children of each node, such as 2-3",
    )

    # their values, and who moves
    trees.add_argument(
        "--leaves",
        type=int,
        nargs=2,
        default=(0, 20),
        metavar=("LOW", "HIGH"),
        help="range of the leaves' values",
    )
    trees.add_argument("--distinct", action="store_true", help="no two leaves are equal")
    trees.add_argument(
        "--min-moves",
        dest="to_move",
        action="store_const",
        const="min",
        default="max",
        help="MIN moves at the root",
    )

    # what their answer depends on
    trees.add_argument(
        "--depends-on",
        type=rule_names,
        metavar="RULES",
        default="",
        help="rules that change the answer, such as strict,fail-hard",
    )
    trees.add_argument(
        "--independent-of",
        type=rule_names,
        metavar="RULES",
        default="",
        help="rules that do not change the answer",
    )

    trees.add_argument(
        "--tries",
        type=int,
        default=10_000,
        metavar="N",
        help="trees to try before giving up (default: 10000)",
    )


def _add_counted_events(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how often something happens in the search."""
    counts = parser.add_argument_group(
        "what happens in the search of a generated tree",
        "N is a number or a range: 2, 2-3, or 2- for 2 or more.",
    )
    for name, what in COUNTS.items():
        counts.add_argument(
            option_name(name),
            type=span,
            metavar="N",
            nargs="?" if name == "ties" else None,  # a switch, too
            const=True if name == "ties" else None,
            help=f"number of {what}",
        )

    for switch, name in SWITCHES.items():
        if switch != name:
            counts.add_argument(
                f"--{switch}",
                action="store_true",
                dest=name,
                help=f"the same as {option_name(name)} 1-",
            )
        counts.add_argument(
            f"--no-{switch}",
            action="store_false",
            dest=name,
            default=None,
            help=f"the same as {option_name(name)} 0",
        )


def _make(args: argparse.Namespace) -> int:
    from abviz.exercises.generator import NotFound, make_tree
    from abviz.exercises.sheets import MAX_EXERCISES, Sheet, too_many
    from abviz.tree.files import load, write_whole

    if args.assign:
        return _assign(args)
    if args.number > MAX_EXERCISES:
        raise AbvizError(too_many(args.number))
    as_tree = str(args.file).endswith((".yaml", ".yml")) or not (args.file or args.key or args.json)
    if as_tree and max(args.number, len(args.trees)) > 1:
        raise AbvizError(
            "a tree file holds one tree; expected -o sheet.pdf, or --json, for several"
        )
    if args.file and args.key and os.path.realpath(args.file) == os.path.realpath(args.key):
        raise AbvizError(f"-o and --key are both {visible(args.key)}; expected two files")

    course = course_of(args)
    seeds = _seeds(args, course)
    rules = course.rules
    properties = {name: getattr(args, name) for name in PROPERTIES}

    trees = [course.named(load(name)) for name in args.trees]
    if not trees:
        try:
            made = [make_tree(each, rules=rules, **properties) for each in seeds]
            trees = list(map(course.named, made))
        except NotFound as problem:
            print(f"abviz: {problem}", file=sys.stderr)
            return 1

    sheet = Sheet(
        trees,
        rules=rules,
        title=args.title,
        paper=args.paper,
        landscape=args.landscape,
        ask=args.ask,
    )
    if args.file and as_tree:
        write_whole(args.file, trees[0].to_yaml().encode())
    elif args.file:
        sheet.write(args.file)
    elif as_tree:
        print(trees[0].to_yaml(), end="")
    if args.key:
        sheet.write(args.key, key=True)
    if any(str(file).lower().endswith(".pdf") for file in (args.file, args.key)):
        _say_missing(sheet.missing_letters())

    if args.json:
        exercises: list[dict[str, object]] = []
        for index, tree in enumerate(trees):
            made_from = None if args.trees else seeds[index]
            exercises.append({"seed": made_from, **_record(tree, rules)})
        print(json.dumps({"exercises": exercises}))
    return 0


def _say_missing(letters: str, students: Sequence[str] = ()) -> None:
    """Say which letters no font of this computer has, and whose names are written with them."""
    if students:
        print(
            f"abviz: no font of this computer has all letters of {', '.join(students)}: "
            "they are boxes in the PDF; expected --sheets html",
            file=sys.stderr,
        )
    elif letters:
        print(
            f"abviz: no font of this computer has {brief(letters)}: they are boxes in the PDF; "
            "HTML shows them",
            file=sys.stderr,
        )


def _seeds(args: argparse.Namespace, course: "Course") -> list[int]:
    """Return the seeds of the generated trees: from --seed on, or those of the course, or random.

    Where the course has too few, they go on from its last one.
    """
    first = args.seed
    if first is None and course.seeds:
        more = range(course.seeds[-1] + 1, course.seeds[-1] + 1 + args.number)
        return [*course.seeds, *more][: args.number]

    if first is None:
        first = secrets.randbelow(1_000_000)  # short enough to type again
    return list(range(first, first + args.number))


def _assign(args: argparse.Namespace) -> int:
    """Write a page and a sheet with its key for each student of a roster."""
    from abviz.exercises.generator import NotFound, make_like, make_tree
    from abviz.grading import assignment
    from abviz.tree.files import load

    if not args.file:
        raise AbvizError("--assign needs a folder to write to; expected -o FOLDER")
    if args.key or args.json or args.number != 1 or len(args.trees) > 1:
        raise AbvizError(
            "--assign gives each student one tree and a key of its own; "
            "expected it without --key, --json and --number, and with at most one TREE"
        )

    folder = Path(args.file)
    assignment.check_place(folder)
    course = course_of(args)
    students = assignment.roster_of(args.assign).entries
    earlier = assignment.read_earlier(folder)
    seed = args.seed
    if seed is None and earlier:
        seed = earlier.seed
    if seed is None:
        seed = next(iter(course.seeds), secrets.randbelow(1_000_000))

    kind = {name: getattr(args, name) for name in ("distinct", "depends_on", "independent_of")}
    kind |= {"leaves": tuple(args.leaves), "rules": course.rules, "tries": args.tries}
    properties = {name: getattr(args, name) for name in PROPERTIES} | kind
    if all(properties[name] is None for name in COUNTS):
        properties |= {"alpha_cuts": True, "beta_cuts": True}  # something to find
    try:
        model = load(args.trees[0]) if args.trees else make_tree(seed, **properties)
        if not model.root.children:
            raise AbvizError("the tree is a leaf; expected a tree with a move to make")
        model = course.named(model)
        sheets = {"paper": args.paper, "landscape": args.landscape, "ask": args.ask}
        assignment.check_sheets(model, course.rules, args.sheets, **sheets)
        made = assignment.assign(
            students,
            seed,
            lambda own: make_like(model, own, **kind),
            rules=course.rules,
            title=args.title,
            earlier=earlier,
        )
    except NotFound as problem:
        print(f"abviz: {problem}", file=sys.stderr)
        return 1

    assignment.write(
        made, folder, letters=course.letters, sheets=args.sheets, earlier=earlier, **sheets
    )
    if args.sheets == "pdf":
        _say_missing(made.missing_letters(), made.in_missing_letters())
    for old, new in assignment.renamed(earlier, made):
        print(f"{old.label} is now {new.label}; the tree is the same, and earlier pages count")
    trees = count(len(made.tasks), "tree")
    print(f"{trees} from seed {seed}, in {visible(str(folder))}")
    return 0


def _record(tree: "Tree", rules: "Rules") -> dict[str, object]:
    """Return the tree as nested lists, the rules, and what the search counts."""
    from abviz.exercises.generator import measure
    from abviz.tree.nested import as_lists

    return {
        "tree": as_lists(tree, write=as_json),
        "to_move": "max" if tree.root.is_max else "min",
        "rules": vars(rules),
        **measure(tree, rules),
    }


COMMANDS = (
    Command("make", "generate exercises: a sheet and its answer key", _make_options, _make),
)
