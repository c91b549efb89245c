"""Practice that is assigned: a tree for each student, and results that count only on it."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from abviz import AbvizError, Rules, Tree, load, minimax, trace
from abviz.cli import main
from abviz.exercises import practice
from abviz.exercises.generator import make_like, make_tree, measure
from abviz.grading import assignment
from abviz.grading.assignment import Assignment, Task
from abviz.grading.roster import Entry
from abviz.tree.model import Node
from tests.gradebooks import Person, canvas, import_into_canvas, import_into_moodle, moodle

STUDENTS = [
    ("1001", "Ann Lee"),
    ("1002", "李雷"),
    ("1003", '=HYPERLINK("x")'),
    ("4 a/b", "Søren <b>& Ünlü"),
    ("CON", ""),
    ("NUL", "عمر"),
]
RULES = Rules(strict=True)


def made(students: list[tuple[str, str]] = STUDENTS, seed: int = 7) -> Assignment:
    model = make_tree(seed, alpha_cuts=1, beta_cuts=1, rules=RULES)
    return assignment.assign(
        [Entry(id, name) for id, name in students],
        seed,
        lambda own: make_like(model, own, leaves=(0, 20), rules=RULES),
        rules=RULES,
        title="Homework",
    )


@pytest.fixture(scope="module")
def homework() -> Assignment:
    return made()


# what each student is given


def shape(node: Node) -> object:
    return node.is_max, [shape(child) for child in node.children]


def test_each_student_has_an_own_tree_of_the_same_kind(homework: Assignment) -> None:
    first, *others = homework.tasks
    assert len({str(task.tree.rows()) for task in homework.tasks}) == len(STUDENTS)
    expected = measure(first.tree, RULES)
    for task in others:
        assert shape(task.tree.root) == shape(first.tree.root)
        found = measure(task.tree, RULES)
        for name in ("alpha_cuts", "beta_cuts", "deep_cuts", "subtree_cuts", "ties"):
            assert found[name] == expected[name], "one or two, exactly"
        assert abs(found["leaves_read"] - expected["leaves_read"]) <= 2
        assert all(0 <= leaf.value <= 20 for leaf in task.tree.leaves())  # type: ignore[operator]


def test_a_tree_depends_on_the_seed_and_the_student_alone(homework: Assignment) -> None:
    more = [*STUDENTS, ("9", "Later"), ("8", "Later, too")]
    random.Random(3).shuffle(more)
    again = made(more).by_id
    for task in homework.tasks:
        assert again[task.id].tree.rows() == task.tree.rows()
        assert again[task.id].file == task.file
    other = made(seed=8)
    assert other.tasks[0].tree.rows() != homework.tasks[0].tree.rows()


@pytest.mark.parametrize("name", ["figure-4.24", "worked-example", "two-min"])
def test_a_tree_that_is_given_keeps_its_shape_its_names_and_its_players(name: str) -> None:
    model = load(name)
    tree = make_like(model, 11, leaves=(0, 20))
    assert [row._replace(value=None) for row in tree.rows()] == [
        row._replace(value=None) for row in model.rows()
    ]
    assert tree.rows() != model.rows()
    assert tree.rows() == make_like(model, 11, leaves=(0, 20)).rows()


def test_files_have_names_that_every_file_system_takes(homework: Assignment) -> None:
    tricky = [
        *STUDENTS,
        ("..", "../../etc"),
        ("a.", "."),
        ("A.", "nul"),
        ("x" * 300, "y" * 300),
        ("1-a", "b"),
        ("1", "a-b"),
    ]
    names = [Task(id, name, 1, homework.tasks[0].tree).file for id, name in tricky]
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert name.startswith("student-") and len(name) < 120
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")


# what is written


def written(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_make_writes_a_page_a_sheet_and_a_key_for_each_student_and_leaves_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    rows = "".join(f'{id},"{name.replace(chr(34), chr(34) * 2)}"\n\n' for id, name in STUDENTS)
    roster.write_text(f"id,name\n{rows}", "utf-8")
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")

    arguments = ["make", "--assign", str(roster), "-o", str(folder), "--strict"]
    assert main([*arguments, "--seed", "7"]) == 0
    assert "6 trees from seed 7" in capsys.readouterr().out
    files = written(folder)
    assert len(files) == 3 * len(STUDENTS) + 2 and files["notes.txt"] == b"mine"

    read = assignment.read(folder / "assignment.json")
    assert read.rules == RULES and [task.id for task in read.tasks] == [id for id, _ in STUDENTS]
    for task in read.tasks:
        page = files[f"pages/{task.file}.html"].decode()
        assert "<b>&" not in page and json.dumps(task.id) in page
        assert str(task.seed) not in page, "with it anyone could make the tree, and its solution"
        sheet = files[f"sheets/{task.file}.html"].decode()
        key = files[f"keys/{task.file}.html"].decode()
        assert task.id in sheet and task.id in key and "Homework" not in sheet
        assert "____" in sheet and "____" not in key

    # Without a seed the one that is there is taken: what was there stays as it was
    with roster.open("a", encoding="utf-8") as file:
        file.write("77,New\n")
    assert main(arguments) == 0
    again = written(folder)
    assert len(again) == len(files) + 3
    assert all(again[name] == files[name] for name in files if name != "assignment.json")


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        ("", [], "student"),
        ("id,name\n,Ann\n", [], "no id"),
        ("id,name\n1,Ann\n1,Bob\n", [], "twice"),
        ("id,name\n1,Ann\n", ["leaf.yaml", "--sheets", "none"], "the tree is a leaf"),
        ("id,name\n1,Ann\n", ["--number", "2"], "without --key"),
        ("id,name\n1,Ann\n", ["figure-4.24", "two-min"], "at most one TREE"),
        ("id,name\n1,Ann\n", ["--key", "key.pdf"], "without --key"),
        ("id,name\n1,Ann\n", ["--paper", "a0"], "a0"),
        ("id,name\n1,Ann\n", ["--sheets", "docx"], "docx"),
        (
            "id,name\n1,Ann\n",
            ["--depth", "2", "--branching", "9", "--distinct", "--leaves", "0", "9"],
            "one for each value",
        ),
        ("id,name\n1,Ann\n", ["--ask", "luck"], "luck"),
        (
            "id,name\n1,Ann\n",
            ["wide.yaml", "--sheets", "pdf"],
            "300 leaves is too large for a page of A4",
        ),
        ("id,name\n1,Ann\n", ["-o", "leaf.yaml"], "leaf.yaml is a file"),
        ("id,name\n1,Ann\n", ["-o", "not/there"], "there is no folder not"),
        ("id,name\nA,Ann\na-559aead0,Ann\n", [], "two students have files of the name"),
    ],
)
def test_what_cannot_be_assigned_is_one_line_and_writes_nothing(
    content: str,
    options: list[str],
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(assignment, "_own_tree", lambda *_: pytest.fail("a tree was made"))
    Path("leaf.yaml").write_text("tree: 3\n")
    Path("wide.yaml").write_text(f"tree: {[*range(300)]}\n")
    roster = tmp_path / "roster.csv"
    roster.write_text(content, "utf-8")
    folder = tmp_path / "class"
    assert main(["make", "--assign", str(roster), "-o", str(folder), *options]) == 2
    error = capsys.readouterr().err
    assert expected in error and error.count("\n") == 1
    assert not folder.exists()


def test_a_folder_that_is_a_file_and_a_file_in_its_way_are_named(
    homework: Assignment, tmp_path: Path
) -> None:
    (tmp_path / "class").write_text("x")
    with pytest.raises(AbvizError, match="is a file"):
        assignment.write(homework, tmp_path / "class")
    with pytest.raises(AbvizError, match="there is no folder"):
        assignment.write(homework, tmp_path / "not" / "there")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "keys").write_text("x")
    with pytest.raises(AbvizError, match="keys is a file"):
        assignment.write(homework, tmp_path / "other")
    assert list(written(tmp_path / "other")) == ["keys"]


def test_a_run_that_is_interrupted_leaves_the_folder_as_it_was(
    homework: Assignment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    pages = iter(["first"])

    def interrupted(*_: object, **options: object) -> str:
        for page in pages:
            return page
        raise KeyboardInterrupt

    monkeypatch.setattr(assignment, "page", interrupted)
    with pytest.raises(KeyboardInterrupt):
        assignment.write(homework, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_pages_and_sheets_have_the_letters_and_the_rules_of_the_course(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("1,Ann\n")
    (tmp_path / "course.yaml").write_text("letters: v\nrules: [strict]\n")
    arguments = ["make", "--assign", str(tmp_path / "roster.csv"), "-o", str(tmp_path / "class")]
    assert main([*arguments, "--course", str(tmp_path / "course.yaml")]) == 0
    read = assignment.read(tmp_path / "class" / "assignment.json")
    assert read.rules == RULES
    files = {name: data.decode() for name, data in written(tmp_path / "class").items()}
    file = read.tasks[0].file
    assert '"letters":"v"' in files[f"pages/{file}.html"].replace(" ", "")
    for folder in ("sheets", "keys"):
        sheet = files[f"{folder}/{file}.html"]
        assert ">v</text>" in sheet and "bv" not in sheet and "no cut on ties" in sheet


# what is graded


def result(task: Task, rules: Rules = RULES, **changes: Any) -> str:
    """Return the result of a student who has made every mark of the tree, rightly."""
    run = trace(task.tree, rules=rules)
    marks = practice.right_marks(run)
    answers = {key: text for key, text in marks.items() if isinstance(text, str) and text}
    cuts = [key for key, mark in marks.items() if mark is True]
    content = {
        "abviz": "practice",
        "student": {"id": task.id, "name": task.name},
        "tree": task.tree.to_yaml(),
        "search": "alphabeta",
        "rules": vars(rules),
        "depth": None,
        "asked": list(marks),
        "answers": answers,
        "cuts": cuts,
        "score": [len(answers) + len(cuts)] * 2,
    }
    return json.dumps(content | changes, separators=(",", ":"))


def test_a_result_on_the_tree_assigned_earns_its_marks_by_kind(homework: Assignment) -> None:
    task = homework.tasks[0]
    verdict = homework.verify(result(task), student=task.id)
    assert verdict and verdict.points and verdict.points[0] == verdict.points[1]
    skipped = sum(len(cut.skipped) for cut in trace(task.tree, rules=RULES).cuts)
    assert "Ann Lee (1001)" in verdict.message
    assert f"cuts {skipped} of {skipped}" in verdict.message

    content = json.loads(result(task))
    content["answers"]["bv A"] = "99"
    del content["answers"]["alpha A"]
    content["cuts"] = content["cuts"][1:]
    worse = homework.verify(json.dumps(content))
    entered = sum(key.startswith("bv ") for key in json.loads(result(task))["answers"])
    for words in (
        f"α {entered - 1} of {entered}",
        f"β {entered} of {entered}",
        f"bv {entered - 1} of {entered}",
        f"cuts {skipped - 1} of {skipped}",
    ):
        assert words in worse.message
    assert verdict.points[0] - 3 == worse.points[0]  # type: ignore[index]
    html = unquote(worse._repr_mimebundle_()["text/html"])
    assert "99 ✗" in html and "✓" in html


def changed(tree: Tree) -> Tree:
    rows = tree.rows()
    place = next(i for i, row in enumerate(rows) if row.value is not None)
    rows[place] = rows[place]._replace(value=(rows[place].value or 0) + 1)
    return Tree.from_rows(rows)


FORGED: dict[str, tuple[Callable[[Assignment], str], str]] = {
    "an easy tree": (
        lambda homework: result(homework.tasks[0], tree="[[1, 2], 3]", asked=[]),
        "not a practice result",
    ),
    "another tree": (
        lambda homework: result(Task("1001", "Ann Lee", 1, Tree([[1, 2], 3]))),
        "on another tree than the one assigned: [[1, 2], 3]",
    ),
    "a leaf changed": (
        lambda homework: result(Task("1001", "Ann Lee", 1, changed(homework.tasks[0].tree))),
        "on another tree than the one assigned",
    ),
    "another student's tree": (
        lambda homework: result(Task("1001", "Ann Lee", 1, homework.tasks[1].tree)),
        "that of another student. It earns nothing. The tree is that of 李雷 (1002).",
    ),
    "another student's result": (
        lambda homework: result(homework.tasks[1]),
        "It is the result of another student. It earns nothing. It is the result of 李雷 (1002).",
    ),
    "other rules": (
        lambda homework: result(homework.tasks[0], Rules()),
        "another search than the one assigned",
    ),
    "minimax": (
        lambda homework: minimax_result(homework.tasks[0]),
        "another search than the one assigned",
    ),
    "a stranger": (
        lambda homework: result(Task("666", "Eve", 1, homework.tasks[0].tree)),
        "the result of Eve (666)",
    ),
    "nobody": (
        lambda homework: result(homework.tasks[0], student=None),
        "a result that names no student",
    ),
    "a window": (
        lambda homework: windowed(homework.tasks[0]),
        "a window or a depth limit",
    ),
    "few marks": (
        lambda homework: few(homework.tasks[0]),
        "a few marks only",
    ),
}


def minimax_result(task: Task) -> str:
    marks = practice.right_marks(trace(task.tree, search=minimax, rules=RULES))
    answers = {key: text for key, text in marks.items() if isinstance(text, str)}
    return result(task, search="minimax", asked=list(marks), answers=answers, cuts=[])


def windowed(task: Task) -> str:
    run = trace(task.tree, rules=RULES, alpha=5, beta=9)
    marks = practice.right_marks(run)
    answers = {key: text for key, text in marks.items() if isinstance(text, str) and text}
    cuts = [key for key, mark in marks.items() if mark is True]
    return result(task, alpha=5, beta=9, answers=answers, cuts=cuts)


def few(task: Task) -> str:
    marks = practice.right_marks(trace(task.tree, rules=RULES))
    shown = [key for key, mark in marks.items() if mark]
    return result(task, asked=shown[: practice.FEW])


@pytest.mark.parametrize("name", FORGED)
def test_a_result_on_anything_else_earns_nothing_and_says_why(
    name: str, homework: Assignment
) -> None:
    forge, expected = FORGED[name]
    try:
        verdict = homework.verify(forge(homework), student="1001")
    except AbvizError as problem:
        assert expected in str(problem)
        return
    assert not verdict and verdict.points and verdict.points[0] == 0 < verdict.points[1]
    assert expected in f"{verdict.message} {verdict.private}"
    assert "李雷" not in verdict.message, "the student reads it"


def test_whatever_score_is_stated_the_marks_are_counted(homework: Assignment) -> None:
    task = homework.tasks[0]
    verdict = homework.verify(result(task, answers={}, cuts=[], score=[22, 22]))
    assert verdict.points and verdict.points[0] == 0 and "another score" in verdict.message


def test_a_class_is_graded_on_its_trees(
    homework: Assignment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "assignment.json"
    file.write_bytes(homework.as_json())
    hand_ins = tmp_path / "hand-ins"
    hand_ins.mkdir()
    ann = homework.tasks[0]
    (hand_ins / f"practice_{ann.file} (2).json").write_text(result(ann), "utf-8")
    (hand_ins / "1002.json").write_text(result(Task("1002", "李雷", 1, ann.tree)), "utf-8")
    (hand_ins / "1003").mkdir()
    # The folder says whose it is, and not a file in it
    (hand_ins / "1003" / f"practice_{ann.file}.json").write_text(result(ann), "utf-8")
    (hand_ins / "copy.json").write_text(result(ann), "utf-8")
    (hand_ins / "eve.py").write_text("x = 1\n", "utf-8")

    pages = tmp_path / "feedback"
    arguments = ["check", str(hand_ins), "--assigned", str(file), "--feedback", str(pages)]
    assert main([*arguments, "--points", "practice=4"]) == 1
    out = capsys.readouterr().out
    assert "Ann Lee (1001): 4 of 4 points" in out and "22 of 22 marks are right. By mark: α" in out
    assert "0 of 4 points. wrong: It is on another tree" in out and "that of Ann Lee" in out
    assert "0 of 4 points. wrong: It is the result of another student. It earns nothing." in out
    assert "eve.py: 0 of 4 points" in out and "not written yet" in out
    assert "NUL): 0 of 4 points" in out, "a student without a hand-in has a row"
    last = out[out.index("Late:") if "Late:" in out else out.rindex(" points\n") :]
    assert "The practice of 1001 was handed in 2 times" in last
    assert "Practice that doesn't count: " in last and "It is on another tree" in last
    assert "It earns nothing. It is the result of Ann Lee (1001)." in last

    # The page of each student names nobody else
    texts = {page.stem: page.read_text("utf-8") for page in pages.iterdir()}
    (own,) = [text for name, text in texts.items() if "1001" in name]
    assert "22 of 22" in own and "1002" not in own and "copy" not in own
    naming = [name for name, text in texts.items() if "Ann Lee" in text]
    assert [name for name in naming if not name.endswith("copy.json")] == ["Ann-Lee-1001"]

    # Without an assignment a result says on which tree it is
    main(["check", str(hand_ins / "copy.json")])
    assert "The tree: [" in capsys.readouterr().out


@pytest.mark.parametrize("system", ["moodle", "canvas"])
def test_practice_is_assigned_from_a_gradebook_and_graded_into_it(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people = [Person("Ada", "Lovelace", 11), Person("李", "雷", 12), Person("Eve", "Late", 13)]
    exported = (moodle if system == "moodle" else canvas)(people)
    Path("grades.csv").write_text(exported, "utf-8")
    assert main(["make", "--assign", "grades.csv", "-o", "class", "--sheets", "none"]) == 0
    read = assignment.read("class/assignment.json")
    assert len(read.tasks) == len(people), "no row of points, no test student"

    for place, (person, task) in enumerate(zip(people[:2], read.tasks, strict=False)):
        assert person.last in task.name
        handed_in = task if place == 0 else Task(task.id, task.name, 1, Tree([[1, 2], 3]))
        text = result(handed_in, read.rules)
        folder = Path("in") / f"{person.name}_{person.participant}_assignsubmission_file_"
        if system == "canvas":
            folder = Path("in")
        folder.mkdir(parents=True, exist_ok=True)
        own = f"{person.last}{person.first}_{person.number}_77_practice.json".lower()
        (folder / (own if system == "canvas" else "practice.json")).write_text(text, "utf-8")

    arguments = ["check", "in", "--assigned", "class/assignment.json", "--exercises", "practice"]
    arguments += ["--gradebook", "grades.csv", "--gradebook-out", "new.csv"]
    if system == "canvas":
        arguments += ["--assignment", "HW 3"]
    assert main(arguments) == 1
    data = Path("new.csv").read_bytes()
    if system == "moodle":
        moodles = import_into_moodle(data, exported)
        grades = [moodles[person.participant][0] for person in people]
        assert grades[:2] == [100, 0]
    else:
        canvases = import_into_canvas(data)
        assert [canvases[person.number]["HW 3 (42)"] for person in people[:2]] == [10, 0]


@pytest.mark.parametrize(
    "content", ["", "{}", "[1]", '{"abviz": "practice"}', '{"abviz": "assignment"}', "[" * 9999]
)
def test_what_is_no_assignment_is_one_line(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "assignment.json"
    file.write_text(content)
    (tmp_path / "a.py").write_text("x = 1\n")
    assert main(["check", str(tmp_path / "a.py"), "--assigned", str(file)]) == 2
    error = capsys.readouterr().err
    assert "is not an assignment" in error and error.count("\n") == 1


def test_an_assignment_is_read_back(homework: Assignment, tmp_path: Path) -> None:
    file = tmp_path / "assignment.json"
    file.write_bytes(homework.as_json())
    again = assignment.read(file)
    assert again.as_json() == homework.as_json()
    content = json.loads(file.read_text("utf-8"))
    content["students"].append(content["students"][0])
    file.write_text(json.dumps(content))
    with pytest.raises(AbvizError, match="twice"):
        assignment.read(file)


SAVED_AGAIN: dict[str, Callable[[str], bytes]] = {
    "indented": lambda text: json.dumps(json.loads(text), indent=4).encode(),
    "with spaces": lambda text: json.dumps(json.loads(text)).encode(),
    "with a BOM and CRLF": lambda text: (
        json.dumps(json.loads(text), indent=1).replace("\n", "\r\n").encode("utf-8-sig")
    ),
    "in UTF-16": lambda text: text.encode("utf-16"),
    "in another order": lambda text: json.dumps(json.loads(text), sort_keys=True).encode(),
}


@pytest.mark.parametrize("how", SAVED_AGAIN)
def test_a_result_that_an_editor_has_saved_again_is_read(
    how: str, homework: Assignment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "assignment.json").write_bytes(homework.as_json())
    (tmp_path / "in").mkdir()
    file = tmp_path / "in" / "1001.json"
    file.write_bytes(SAVED_AGAIN[how](result(homework.tasks[0])))
    main(["check", str(file), "--assigned", str(tmp_path / "assignment.json")])
    assert "22 of 22 marks are right" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"abviz": "assignment"}', "\0", "[" * 9999])
def test_another_json_file_has_a_line_of_its_own(
    content: str, homework: Assignment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "assignment.json").write_bytes(homework.as_json())
    hand_ins = tmp_path / "in"
    hand_ins.mkdir()
    (hand_ins / "1001.json").write_text(content)
    assert main(["check", str(hand_ins)]) == 2
    error = capsys.readouterr().err
    assert "1001.json: not a practice result; expected the file" in error
    assert ".ipynb" not in error and error.count("\n") == 1

    (hand_ins / "1002.json").write_text(result(homework.tasks[1]))
    main(["check", str(hand_ins), "--assigned", str(tmp_path / "assignment.json")])
    out = capsys.readouterr().out
    (student,) = [part for part in out.split("\n\n") if "Ann Lee (1001)" in part]
    assert "1001.json: not a practice result" in out and ".ipynb" not in out
    assert "othing was handed in under" not in student.split("李雷")[0]


def test_another_assignment_never_replaces_the_one_in_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("both.csv").write_text("1,Ann\n2,Bob\n")
    Path("later.csv").write_text("3,Cy\n2,Bob\n")
    made = ["make", "-o", "class", "--sheets", "none", "--assign"]
    assert main([*made, "both.csv", "--seed", "7"]) == 0
    before = written(Path("class"))
    capsys.readouterr()

    own_tree = assignment._own_tree
    trees = []
    monkeypatch.setattr(
        assignment, "_own_tree", lambda *each: trees.append(each) or own_tree(*each)
    )
    for options, expected, most_trees in (
        (["--seed", "8"], "has the seed 7, and not 8", 0),
        (["--strict"], "has other rules", 0),
        (["--depth", "4"], "another kind", 1),
        (["two-min"], "another kind", 1),
    ):
        trees.clear()
        assert main([*made, "later.csv", *options]) == 2
        assert len(trees) == most_trees, "it is refused before the trees are made"
        error = capsys.readouterr().err
        assert expected in error and error.count("\n") == 1
        assert written(Path("class")) == before

    assert main([*made, "later.csv"]) == 0
    after = written(Path("class"))
    assert all(after[name] == before[name] for name in before if name != "assignment.json")
    assert [task.id for task in assignment.read("class").tasks] == ["1", "2", "3"]


@pytest.mark.parametrize("page", ["old", "new"])
def test_a_student_who_is_renamed_keeps_the_tree(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result of the page with the old name counts, too."""
    monkeypatch.chdir(tmp_path)
    arguments = ["make", "-o", "class", "--seed", "7", "--assign", "roster.csv"]
    Path("roster.csv").write_text("id,name\n1,Ann Lee\n2,Bob\n")
    assert main(arguments) == 0
    old = assignment.read("class")
    before = written(Path("class"))
    capsys.readouterr()

    Path("roster.csv").write_text("id,name\n2,Bob\n1,Mo Smith\n")
    assert main(arguments) == 0
    assert "Ann Lee (1) is now Mo Smith (1); the tree is the same" in capsys.readouterr().out
    new = assignment.read("class")
    assert [(task.id, task.name) for task in new.tasks] == [("1", "Mo Smith"), ("2", "Bob")]
    assert [task.tree.rows() for task in new.tasks] == [task.tree.rows() for task in old.tasks]

    after = written(Path("class"))
    assert after.keys() == {name.replace("ann-lee", "mo-smith") for name in before}
    assert not [name for name, content in after.items() if b"Ann Lee" in content]

    task = (old if page == "old" else new).tasks[0]
    Path("in").mkdir()
    Path("in", f"practice_{task.file} (2).json").write_text(result(task, Rules()))
    assert main(["check", "in", "--assigned", "class"]) == 0
    out = capsys.readouterr().out
    assert "Mo Smith (1): 1 of 1 point" in out and "Ann" not in out


def test_the_course_names_the_players_and_does_not_say_what_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("abviz.yaml").write_text(
        "players: [Ada, Bob]\nletters: v\nexercises: [minimax, alphabeta]\n"
    )
    Path("roster.csv").write_text("1,Ann\n")
    assert main(["make", "--assign", "roster.csv", "-o", "class"]) == 0
    (task,) = assignment.read("class").tasks
    assert task.tree.players == ("Ada", "Bob")
    assert '"Bob"' in Path("class", "pages", f"{task.file}.html").read_text("utf-8")

    Path("in").mkdir()
    content = json.loads(result(task, Rules()))
    content["answers"] |= {"alpha A": "99", "bv A": "99"}
    Path("in", "1.json").write_text(json.dumps(content))
    capsys.readouterr()
    assert main(["check", "in", "--assigned", "class"]) == 1
    out = capsys.readouterr().out
    assert " of 1 point" in out and "α of A" in out and " v " in out
    assert "wrong:" not in out and " bv " not in out and "minimax" not in out


def test_students_whose_names_no_font_shows_are_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("abviz.views.vectors.missing", lambda text: "明" if "明" in text else "")
    Path("roster.csv").write_text("1,Ann\n2,王小明\n", "utf-8")
    made = ["make", "--assign", "roster.csv", "-o", "class", "--sheets", "pdf"]
    assert main([*made, "figure-4.24"]) == 0
    error = capsys.readouterr().err
    assert "all letters of 王小明 (2)" in error and "--sheets html" in error
    assert "Ann" not in error


def test_a_sheet_says_first_how_many_trees_it_has_room_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["make", "--number", "120"]) == 2
    assert capsys.readouterr().err.startswith("abviz: at most 40 trees on a sheet, and not 120")
