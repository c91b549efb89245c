"""The exercises under the rules of a course."""

import json
import random
import re
from dataclasses import replace
from itertools import product
from math import inf
from pathlib import Path

import pytest

from abviz import AbvizError, check, trace
from abviz.cli import main
from abviz.exercises import EXERCISES, find, searches
from abviz.exercises.course_rules import concerns, edits_by_rule
from abviz.exercises.judgement import Judgement, has_numbers
from abviz.exercises.observation import Job, observe
from abviz.exercises.papers import Construction, PaperExercise, last_leaves
from abviz.exercises.searches import SEARCHES
from abviz.exercises.trial_trees import random_trees, small_trees
from abviz.tracing.algorithms import Rules, minimax
from abviz.tracing.templates import TEXTS, in_letters

SWITCHES = "strict", "test_first", "fail_hard", "right_to_left"
EVERY_RULES = [
    Rules(**dict(zip(SWITCHES, values, strict=True)))
    for values in product((False, True), repeat=len(SWITCHES))
]
every_rules = pytest.mark.parametrize("rules", EVERY_RULES, ids=lambda rules: short(rules))

# Mistakes that a course with the rule asks for, or that can't be seen there
RIGHT_UNDER = {
    "strict": {"strict"},
    "fail_hard": {
        "the bound returned",
        "its own bound returned",
        "only values inside the window kept",
    },
    "right_to_left": {"right to left"},
}
WRITTEN = [each for each in SEARCHES if concerns(each.name, "right_to_left")]


def short(rules: Rules) -> str:
    return "+".join(name for name in SWITCHES if getattr(rules, name)) or "usual"


def trees(number: int):
    return (*small_trees()[:: len(small_trees()) // number], *random_trees(number))


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 400)
    monkeypatch.setattr(searches, "RANDOM_TREES", 60)
    monkeypatch.setattr(searches, "SAMPLE", 60)


def judged(exercise, answer):
    return Judgement(exercise, lambda jobs: [observe(answer, job) for job in jobs]).verdict()


@every_rules
def test_each_reference_is_the_search_of_the_course(rules: Rules) -> None:
    for tree in trees(20):
        run = trace(tree, rules=rules)
        for name in ("best-line", "best-move"):
            seen = observe(find(name, rules).build(), Job(tree))
            best = [*run.line[1:]] if name == "best-line" else run.best
            assert [*seen.value] == [run.value, best], (name, tree)
            assert seen.leaves == tuple(run.leaves)

        least = trace(tree, rules=rules, search=minimax)
        seen = observe(find("minimax", rules).build(), Job(tree))
        assert (seen.value, seen.leaves) == (least.value, tuple(least.leaves))

        for low, high in ((-inf, inf), (0, 1), (-2, 3)):
            run = trace(tree, rules=rules, alpha=low, beta=high)
            seen = observe(find("alphabeta", rules).build(), Job(tree, (low, high)))
            assert (seen.value, seen.leaves) == (run.value, tuple(run.leaves))

            hard = trace(tree, rules=replace(rules, fail_hard=True), alpha=low, beta=high)
            seen = observe(find("fail-hard", rules).build(), Job(tree, (low, high)))
            assert (seen.value, seen.leaves) == (hard.value, tuple(hard.leaves))

            if find("negamax").fits(tree):
                side = 1 if tree.root.is_max else -1
                window = (low, high) if tree.root.is_max else (-high, -low)
                seen = observe(find("negamax", rules).build(), Job(tree, window))
                assert (side * seen.value, seen.leaves) == (run.value, tuple(run.leaves))


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda each: each.name)
def test_the_reference_is_right_and_no_mistake_is(exercise) -> None:
    rules = random.Random(exercise.name).choice(EVERY_RULES[1:])
    check_exercise(exercise.under(rules))


@pytest.mark.slow
@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda each: each.name)
@every_rules
def test_no_mistake_is_right_under_any_rules(exercise, rules: Rules) -> None:
    check_exercise(exercise.under(rules))


def check_exercise(exercise) -> None:
    followed = exercise.followed(exercise.rules)
    assert judged(exercise, exercise.build())

    excused = set()
    for rule, names in RIGHT_UNDER.items():
        if getattr(followed, rule) and rule in edits_by_rule(exercise.source):
            excused |= names
    names = {each.name for each in exercise.mistakes}
    assert not names & excused or exercise.name == "fail-hard"

    for row in exercise.mistakes:
        form = row.forms[0]
        if has_numbers(form) or not exercise.can_make(form):
            continue
        if row.name in INVISIBLE and exercise.source != "alphabeta":
            continue
        verdict = judged(exercise, exercise.build(**form))
        assert not verdict, (row.name, exercise.rules)


# With the full window at the root, they return and read the same unless a course is strict
INVISIBLE = {"fail-soft", "clamped except at a cut", "clamped at a cut"}


@pytest.mark.parametrize("name", ["alphabeta", "best-move", "fix-alphabeta", "fix-prune"])
def test_what_a_strict_course_teaches_is_right(name: str) -> None:
    strict = Rules(strict=True)
    right, usual = find(name, strict).build(), find(name).build()
    assert check(name, right, rules=strict)
    assert not check(name, right)
    assert check(name, usual)

    verdict = check(name, usual, rules=strict)
    assert verdict.mistake == "cuts on equality"
    assert "it cuts where bv equals the bound (≥, ≤)" in verdict.message
    assert verdict.tree is not None and len(verdict.tree) <= 7


@pytest.mark.parametrize(
    ("rules", "mistake"),
    [
        (Rules(strict=True), "cuts on equality"),
        (Rules(fail_hard=True), "fail-soft"),
        (Rules(right_to_left=True), "left to right"),
    ],
)
def test_the_usual_search_has_a_name_where_a_course_has_another_rule(
    rules: Rules, mistake: str
) -> None:
    for name in ("alphabeta", "negamax", "two-functions"):
        usual = find(name).build()
        answer = (usual, usual) if name == "two-functions" else usual
        assert check(name, answer, rules=rules).mistake == mistake


def test_the_order_of_update_and_test_changes_no_answer() -> None:
    rules = Rules(test_first=True)
    for name in ("alphabeta", "best-move", "negamax"):
        assert check(name, find(name).build(), rules=rules)


def test_a_stub_tells_of_each_rule_that_concerns_it() -> None:
    for exercise in WRITTEN:
        for rule, words in (
            ("strict", ("beyond",)),
            ("fail_hard", ("clamped", "fail-soft")),
            ("right_to_left", ("right to left",)),
        ):
            stub = exercise.under(Rules(**{rule: True})).stub
            compile(stub, exercise.name, "exec")
            if rule in edits_by_rule(exercise.source):
                assert any(word in stub for word in words), (exercise.name, rule)
                assert rule != "strict" or "equal" not in stub.replace("equally", "")
                assert rule != "right_to_left" or "left to right" not in stub


def test_the_usual_rules_leave_an_exercise_as_it_is() -> None:
    assert all(each.under(Rules()) is each for each in EXERCISES.values())
    strict = Rules(strict=True)
    assert find("alphabeta", strict) is find("alphabeta", Rules(strict=True))


# on paper


PAPERS = [each for each in EXERCISES.values() if isinstance(each, PaperExercise)]


def as_form(filled):
    form = {}
    for place, entry in filled.items():
        if len(place) == 1:
            form[place[0]] = entry
        else:
            form.setdefault(place[0], {})[place[1]] = entry
    return form


@every_rules
def test_each_form_can_be_filled_in(rules: Rules) -> None:
    for exercise in PAPERS:
        paper = exercise.under(rules)
        assert paper.check(as_form(paper.filled())), paper.name
        assert paper.text and "{" not in paper.text

        for name in paper.misreadings():
            if paper.filled(name) != paper.right:
                assert paper.check(as_form(paper.filled(name))).mistake, (paper.name, name)


@every_rules
def test_the_leaves_of_a_form_are_those_that_the_search_skips(rules: Rules) -> None:
    paper = find("skipped-leaves", rules)
    every = {leaf.name for leaf in paper.tree.leaves()}
    skipped = every - set(trace(paper.tree, rules=rules).leaves)
    for row in ("equal", "beyond"):  # the stub that was handed out has one of these names
        assert paper.check({row: skipped})
        assert not paper.check({row: every - skipped})


@every_rules
def test_a_threshold_is_the_last_value_that_cuts(rules: Rules) -> None:
    paper = find("cut-thresholds", rules)
    tree = paper.tree
    cuts = last_leaves(trace(tree, rules=rules))
    for (leaf,), value in paper.right.items():
        at = cuts[leaf].at
        step = -1 if tree[at].is_max else 1
        for other, is_cut in ((value, True), (value - step, True), (value + step, False)):
            run = trace(tree.with_value(leaf, other), rules=rules)
            assert (at in {cut.at for cut in run.cuts}) == is_cut, (leaf, other)


@every_rules
def test_trees_to_build_can_be_built(rules: Rules) -> None:
    """Each has a tree that is right, found by trying."""
    chance = random.Random(3)
    for name, shape in (("no-cut", 4), ("tied-moves", 3), ("deep-cut", 5)):
        exercise = find(name, rules)
        assert isinstance(exercise, Construction)

        def tree(name=name):
            leaf = lambda: chance.randint(0, 9)  # noqa: E731
            if name == "deep-cut":
                below = [[leaf(), leaf()], leaf()]
                built = [leaf(), [below, leaf()]]
                if rules.right_to_left:
                    built = [[leaf(), [leaf(), [leaf(), leaf()]]], leaf()]
                return built
            if name == "tied-moves":
                return [[leaf(), leaf()], [leaf(), leaf()]]
            return [[[leaf(), leaf()], [leaf(), leaf()]], [[leaf(), leaf()], [leaf(), leaf()]]]

        assert any(exercise.check(tree()) for _ in range(20_000)), (name, shape)


# the course of the current folder


def test_check_follows_the_course_file_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = find("alphabeta", Rules(strict=True)).build()
    monkeypatch.chdir(tmp_path)
    assert not check("alphabeta", strict)

    (tmp_path / "abviz.yaml").write_text("rules: strict")
    assert check("alphabeta", strict)
    assert not check("alphabeta", strict, rules=Rules())

    (tmp_path / "abviz.yaml").write_text("rules: strikt")
    with pytest.raises(AbvizError, match=r"abviz\.yaml, line 1: unknown rule"):
        check("alphabeta", strict)


def test_the_data_file_knows_the_rules() -> None:
    under = find("alphabeta").texts and searches.texts()["under"]
    assert set(under) < set(TEXTS["rules"])


# grading


STRICT = """
def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -float("inf") if node.is_max else float("inf")
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if node.is_max:
            bv = max(bv, value)
            if bv > beta:
                break
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            if bv < alpha:
                break
            beta = min(beta, bv)
    return bv
"""


def graded(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, str]:
    """Return the status of the answer of each student, by the last part of the label."""
    status = main(["check", *words, "--json"])
    report = json.loads(capsys.readouterr().out)
    found = {}
    for label in report["totals"]["hand_ins"]:
        found[Path(label).name] = report[label]["alphabeta"]["status"]
    assert status == (0 if set(found.values()) == {"right"} else 1)
    return found


def test_grading_follows_the_course_of_whoever_grades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "hand-ins" / "ada"
    own.mkdir(parents=True)
    (own / "hw3.py").write_text(STRICT)

    # A hand-in's own file counts for nothing
    (own / "abviz.yaml").write_text("rules: strict")
    assert graded(capsys, "hand-ins") == {"ada": "wrong"}
    monkeypatch.chdir(own)
    main(["check", str(tmp_path / "hand-ins"), "--json"])
    printed = capsys.readouterr()
    assert json.loads(printed.out)["totals"]["points"] < 1
    assert printed.err == (
        "abviz: abviz.yaml is in a hand-in, and isn't read; "
        "expected --course abviz.yaml to use it\n"
    )
    main(["check", str(tmp_path / "hand-ins"), "--course", "abviz.yaml"])
    assert capsys.readouterr().err == ""

    monkeypatch.chdir(tmp_path)
    assert graded(capsys, "hand-ins", "--strict") == {"ada": "right"}
    assert graded(capsys, "hand-ins", "--course", str(own / "abviz.yaml")) == {"ada": "right"}

    (tmp_path / "abviz.yaml").write_text("rules: strict")
    assert graded(capsys, "hand-ins") == {"ada": "right"}
    assert graded(capsys, "hand-ins", "--no-strict") == {"ada": "wrong"}

    # In the folder of the class it is no student
    monkeypatch.chdir(tmp_path / "hand-ins")
    (tmp_path / "hand-ins" / "abviz.yaml").write_text("rules: strict")
    assert graded(capsys, ".") == {"ada": "right"}


def test_the_exercises_and_points_of_a_course_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand-ins").mkdir()
    (tmp_path / "hand-ins" / "ada.py").write_text(STRICT)
    course = "rules: strict\nexercises: [minimax, alphabeta]\npoints: {alphabeta: 3, minimax: 2}\n"
    (tmp_path / "abviz.yaml").write_text(course)

    main(["check", "hand-ins"])
    assert "3 of 5 points" in capsys.readouterr().out
    main(["check", "hand-ins", "--points", "alphabeta=4"])
    assert "4 of 6 points" in capsys.readouterr().out
    main(["check", "hand-ins", "--exercises", "alphabeta"])
    assert "3 of 3 points" in capsys.readouterr().out


def test_check_writes_in_the_letters_of_the_course(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "abviz.yaml").write_text("letters: v")
    verdict = check("alphabeta", find("alphabeta", Rules(strict=True)).build())
    assert verdict.mistake == "strict"
    assert "It looks as if it cuts only where v is beyond the bound" in verdict.message
    assert not any("bv" in text.split() for text in (verdict.message, *verdict.hints))

    paper = check("skipped-leaves", {"equal": ["D"]})
    assert "v = " in paper.message or "comes first" in paper.message
    assert "bv" not in paper.message

    (tmp_path / "hand-ins").mkdir()
    (tmp_path / "hand-ins" / "ada.py").write_text(STRICT)
    assert main(["check", "hand-ins", "--no-strict"]) == 1
    assert "where v is beyond the bound" in capsys.readouterr().out
    assert main(["check", "hand-ins", "--strict"]) == 0
    assert "Rules: no cut on ties (>, <)" in capsys.readouterr().out

    (tmp_path / "abviz.yaml").unlink()
    assert main(["check", "hand-ins"]) == 1
    found = capsys.readouterr().out
    assert "where bv is beyond the bound" in found and "Rules:" not in found


def test_a_form_says_how_it_names_the_letters() -> None:
    with in_letters("v"):
        text = find("path-bounds").text
        assert "What are v, α and β" in text and text.endswith("The form has v as `bv`.")
        for exercise in EXERCISES.values():
            words = re.findall(r"\w+", " ".join((exercise.text, *exercise.hints)))
            assert "bv" not in words or exercise.name == "path-bounds"
    assert "What are bv, α and β" in find("path-bounds").text
