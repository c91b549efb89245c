"""Practice that is assigned: a tree of the same kind for each student of a course.

`abviz make --assign` writes it, and `abviz check --assignment` takes results only on these trees.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from abviz.errors import AbvizError, brief, visible
from abviz.exercises import practice
from abviz.exercises.exercise import progress
from abviz.exercises.generator import NotFound
from abviz.exercises.sheets import QUESTIONS, Sheet
from abviz.exercises.verdict import WRONG, Verdict, for_message
from abviz.grading.gradebook import is_of_canvas, read_canvas_roster, read_gradebook
from abviz.grading.hand_ins import Student
from abviz.grading.roster import Entry, Roster, read_roster
from abviz.grading.tables import read_table
from abviz.tracing.algorithms import Rules
from abviz.tracing.templates import LETTERS, in_letters
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse, write_whole
from abviz.tree.model import Tree
from abviz.views.bundle import page
from abviz.views.messages import Assigned

FILE = "assignment.json"
ALPHABETA = "alphabeta"
FOLDERS = ("pages", "sheets", "keys")
MOST_BYTES = 50_000_000
MOST_STUDENTS = 5_000
MOST_ATTEMPTS = 5  # at a tree for a student

LONGEST_SLUG = 40
PLAIN_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")

# The name of a student's result. A browser numbers the files of one name: "… (1)"
RESULT = re.compile(r"^practice_(student-[a-z0-9-]+)(?:_[a-z0-9-]*)?(?: ?\(\d+\))?$")

# The end of the message on a result that isn't the student's own
EARNS_NOTHING = "It earns nothing."


@dataclass(frozen=True)
class Task:
    """The tree of a student."""

    id: str
    name: str
    seed: int
    tree: Tree

    @property
    def label(self) -> str:
        """Return the student as reports and pages name them."""
        return Entry(self.id, self.name).label

    @property
    def file(self) -> str:
        """Return a name for the student's files, which every file system takes.

        It depends on the student alone.
        """
        return _file_of(self.id, self.name)


def _file_of(id: str, name: str = "") -> str:
    plain = id if PLAIN_ID.fullmatch(id) else f"{_slug(id)}-{_hash(id)}"
    return f"student-{plain}_{_slug(name)}".strip("_-")


def _slug(text: str) -> str:
    """Return the letters and digits of the text that every file system knows."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


@dataclass(frozen=True)
class Assignment:
    """The trees of a class, and the rules under which they are searched."""

    title: str
    seed: int
    rules: Rules
    tasks: tuple[Task, ...]

    @cached_property
    def by_id(self) -> dict[str, Task]:
        return {task.id: task for task in self.tasks}

    @property
    def roster(self) -> Roster:
        return Roster([Entry(task.id, task.name) for task in self.tasks])

    def id_of(self, entry: Entry | None) -> str:
        """Return the id of a student of some roster, or "" where no tree is assigned to it."""
        ids = (entry.id, *entry.other_ids) if entry else ()
        return next((id for id in ids if id in self.by_id), "")

    def recognize(self, students: Sequence[Student], roster: Roster) -> None:
        """Name those who handed in a result under the name that its page gave it.

        A student whom the roster knows by the folder keeps that name, whatever is in the folder.
        """
        # The name of a student may have changed since
        ids = {_file_of(task.id): task.id for task in self.tasks}
        for student in students:
            names = {RESULT.sub(r"\1", file.stem) for file in student.files}
            found = [ids[name] for name in names if name in ids]
            is_known = student.system or roster.find(student)
            if len(found) == 1 and not is_known:
                student.name = found[0]

    def run(self, task: Task) -> Trace:
        """Return the search that the student is to follow."""
        return trace(task.tree, rules=self.rules)

    def missing_letters(self) -> str:
        """Return the letters of students' names that no font of this computer has."""
        from abviz.views.vectors import missing

        return missing("".join([self.title, *(task.label for task in self.tasks)]))

    def in_missing_letters(self) -> list[str]:
        """Return the students in whose names are such letters."""
        from abviz.views.vectors import missing

        return [task.label for task in self.tasks if missing(task.label)]

    # ------------------------------------------------------------------ as a file

    def as_json(self) -> bytes:
        """Return the file that `abviz check` reads."""
        content = {
            "abviz": "assignment",
            "title": self.title,
            "seed": self.seed,
            "search": ALPHABETA,
            "rules": asdict(self.rules),
            "students": [
                {
                    "id": task.id,
                    "name": task.name,
                    "seed": task.seed,
                    "file": task.file,
                    "tree": task.tree.to_yaml(),
                }
                for task in self.tasks
            ],
        }
        return f"{json.dumps(content, ensure_ascii=False, indent=1)}\n".encode()

    # ------------------------------------------------------------------ grading

    def verify(self, text: str, student: str = "") -> Verdict:
        """Return the verdict on a result of practice.

        `student` is the id of the student who handed it in, where that is known. Only the marks on
        the tree that is assigned count, and they are judged by this assignment alone.
        """
        result = practice.read(text)
        if student and result.student != student and student in self.by_id:
            whose = "the result of another student" if result.student else _whose(result)
            private = f"It is {_whose(result)}."
            return self._refused(self.by_id[student], f"It is {whose}.", private)
        if not result.student:
            expected = "expected the result of an assigned page"
            return Verdict(
                "practice",
                WRONG,
                f"It names no student; {expected}. {EARNS_NOTHING}",
                points=(0, 1),
            )

        task = self.by_id.get(result.student)
        if task is None:
            message = f"It is {_whose(result)}, to whom no tree is assigned. {EARNS_NOTHING}"
            return Verdict("practice", WRONG, message, points=(0, 1), student=result.student)

        if problem := self._problem(task, result):
            return self._refused(task, problem, self._owner(result.run.tree))
        verdict = result.verdict(
            f"The tree is the one assigned to {task.label}, under these rules: {self.rules}."
        )
        return replace(verdict, tree=task.tree)  # with its players

    def _problem(self, task: Task, result: practice.Result) -> str:
        """Return why a result does not count, or ""."""
        if result.run.tree.rows() != task.tree.rows():
            is_of_another = bool(self._owner(result.run.tree))
            whose = "that of another student" if is_of_another else for_message(result.run.tree)
            return f"It is on another tree than the one assigned: {whose}."

        assigned = self.run(task)
        if result.run.search != assigned.search or result.run.rules != assigned.rules:
            found = f"{result.run.search}, {result.run.rules}"
            expected = f"{assigned.search}, {assigned.rules}"
            return f"It is of another search than the one assigned: {found}; expected {expected}."
        if result.run.depth is not None or result.run.options != assigned.options:
            return "It is of a search with a window or a depth limit; expected the whole search."
        if not result.asks_all:
            return "It makes a few marks only; expected all marks of the tree."
        return ""

    def _owner(self, tree: Tree) -> str:
        """Return in a sentence whose tree it is; "" where it is nobody's."""
        owners = [task.label for task in self.tasks if task.tree.rows() == tree.rows()]
        return f"The tree is that of {owners[0]}." if owners else ""

    def _refused(self, task: Task, problem: str, private: str = "") -> Verdict:
        due = sum(bool(mark) for mark in practice.right_marks(self.run(task)).values())
        return Verdict(
            "practice",
            WRONG,
            f"{problem} {EARNS_NOTHING}",
            tree=task.tree,
            points=(0, due),
            student=task.id,
            private=private,
        )


def _whose(result: practice.Result) -> str:
    label = Entry(result.student, result.name).label if result.student else ""
    return f"the result of {label}" if label else "a result that names no student"


# making one


def roster_of(path: str | os.PathLike[str]) -> Roster:
    """Return the students in a roster, or in a gradebook that Moodle or Canvas exported."""
    table = read_table(path)
    if is_of_canvas(table):
        return read_canvas_roster(table)
    try:
        return read_gradebook(path).roster
    except AbvizError:  # it is of neither system
        return read_roster(path)


def assign(
    students: Sequence[Entry],
    seed: int,
    make: Callable[[int], Tree],
    *,
    rules: Rules,
    title: str,
    earlier: Assignment | None = None,
) -> Assignment:
    """Return an assignment of a tree to each student.

    `make(seed)` returns a tree of the kind. A student's seed depends on that of the course and on
    the student's id alone: whoever else is in the roster, and in whatever order.

    The students are added to those of an earlier assignment. Raises AbvizError if that has another
    seed or other rules, or gives a student another tree.
    """
    if not 1 <= len(students) <= MOST_STUDENTS:
        expected = f"expected 1 to {MOST_STUDENTS:,}"
        raise AbvizError(f"the roster has {len(students):,} students; {expected}")
    if earlier and earlier.seed != seed:
        _refuse(f"has the seed {earlier.seed}, and not {seed}")
    if earlier and earlier.rules != rules:
        _refuse(f"has other rules: {earlier.rules}")

    # Students who have a tree come first: it may show that another kind is wanted now
    before = earlier.by_id if earlier else {}
    students = sorted(students, key=lambda student: student.id not in before)
    _check_files([*before.values(), *students])

    tasks = dict(before)
    for student in progress(students, "Making trees", len(students)):
        own_seed, tree = _own_tree(seed, student.id, make)
        old = before.get(student.id)
        if old and (tree.rows(), tree.players) != (old.tree.rows(), old.tree.players):
            _refuse(f"has trees of another kind, as that of {old.label}")

        name = student.name or (old.name if old else "")
        tasks[student.id] = Task(student.id, name, own_seed, tree)

    title = earlier.title if earlier else visible(title)
    return Assignment(title, seed, rules, tuple(tasks.values()))


def _check_files(students: Iterable[Entry | Task]) -> None:
    """Refuse students whose files would have one name."""
    both = {(student.id, _file_of(student.id, student.name)) for student in students}
    names = Counter(name for _, name in both)
    for name, times in names.items():
        if times > 1:
            found = f"two students have files of the name {name}"
            raise AbvizError(f"{found}; expected ids that differ in letters or digits")


def _refuse(difference: str) -> NoReturn:
    """Refuse an assignment that differs from the earlier one in its folder."""
    expected = "expected the same seed, rules and kind, or another folder"
    raise AbvizError(f"the assignment in this folder {difference}; {expected}")


def _own_tree(seed: int, id: str, make: Callable[[int], Tree]) -> tuple[int, Tree]:
    """Return the seed of a student, and the tree that it makes."""
    for attempt in range(MOST_ATTEMPTS):
        text = f"{seed} {attempt} {id}"
        own = int(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12], 16)
        try:
            tree = make(own)
            # Its title may say the seed, with which anyone could make it
            return own, Tree.from_rows(tree.rows(), players=tree.players)
        except NotFound as problem:
            last = problem
    raise last


def check_place(folder: Path) -> None:
    """Refuse a place where no assignment can be written."""
    for place in (folder, *(folder / name for name in FOLDERS)):
        if place.exists() and not place.is_dir():
            raise AbvizError(f"{visible(str(place))} is a file; expected a folder")

    if not folder.absolute().parent.is_dir():
        found = f"there is no folder {visible(str(folder.parent))}"
        raise AbvizError(f"{found}; expected a folder for {visible(folder.name)}")


def check_sheets(model: Tree, rules: Rules, sheets: str, **options: Any) -> None:
    """Refuse sheets that can't be, or on which trees of this kind don't fit."""
    sheet = Sheet([model], rules=rules, **options)
    if sheets == "pdf":
        sheet.pdf()


def write(
    assignment: Assignment,
    folder: Path,
    *,
    letters: str = LETTERS[0],
    sheets: str = "html",
    paper: str = "a4",
    landscape: bool = False,
    ask: Collection[str] = QUESTIONS,
    earlier: Assignment | None = None,
) -> None:
    """Write the pages, the sheets, their keys and the assignment's file; all of them, or none.

    Other files in the folder stay, except those of an earlier assignment that have the old name of
    a student. `sheets` is "html", "pdf" or "none".
    """
    check_place(folder)

    is_new = not folder.exists()
    folder.mkdir(exist_ok=True)
    options = {"paper": paper, "landscape": landscape, "ask": ask}
    made = Path(tempfile.mkdtemp(prefix=".making-", dir=folder))
    try:
        for task in progress(assignment.tasks, "Writing", len(assignment.tasks)):
            for name, content in _files(assignment, task, letters, sheets, options):
                (made / name).parent.mkdir(exist_ok=True)
                write_whole(made / name, content)
        write_whole(made / FILE, assignment.as_json())

        for each in sorted(made.rglob("*")):
            if each.is_file():
                target = folder / each.relative_to(made)
                target.parent.mkdir(exist_ok=True)
                os.replace(each, target)
        for name in _old_names(earlier, assignment):
            for place in FOLDERS[:1] if sheets == "none" else FOLDERS:
                for file in (folder / place).glob(f"{name}.*"):
                    file.unlink()
    finally:
        shutil.rmtree(made, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()


def renamed(earlier: Assignment | None, made: Assignment) -> list[tuple[Task, Task]]:
    """Return the students who had another name in the earlier assignment, then and now."""
    before = earlier.by_id if earlier else {}
    both = [(before[task.id], task) for task in made.tasks if task.id in before]
    return [(old, new) for old, new in both if old.name != new.name]


def _old_names(earlier: Assignment | None, made: Assignment) -> set[str]:
    """Return the names of files that students no longer have."""
    return {old.file for old, _ in renamed(earlier, made)} - {task.file for task in made.tasks}


def _files(
    assignment: Assignment, task: Task, letters: str, sheets: str, options: dict[str, Any]
) -> Iterator[tuple[str, bytes]]:
    """Yield the student's files, each with its name; the options are those of a sheet."""
    student = Assigned(id=task.id, name=task.name, label=task.label, file=task.file)
    text = page([assignment.run(task)], show="bounds", letters=letters, assigned=student)
    yield f"pages/{task.file}.html", text.encode("utf-8", "replace")
    if sheets == "none":
        return

    sheet = Sheet(
        [task.tree],
        rules=assignment.rules,
        title=assignment.title,
        student=task.label,
        **options,
    )
    for name, is_key in (("sheets", False), ("keys", True)):
        with in_letters(letters):
            content = sheet.pdf(key=is_key) if sheets == "pdf" else sheet.html(key=is_key).encode()
        yield f"{name}/{task.file}.{sheets}", content


# reading one


def read(path: str | os.PathLike[str]) -> Assignment:
    """Return the assignment in a file, or in the file of that name in a folder.

    Raises AbvizError, in one line, where it holds none.
    """
    path = Path(path)
    if path.is_dir():
        path /= FILE
    name = visible(str(path))
    expected = f"expected {FILE} as abviz make --assign writes it"
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise AbvizError(f"cannot read {name}: {error.strerror}; {expected}") from None

    try:
        content = json.loads(data)
        if content["abviz"] != "assignment" or content["search"] != ALPHABETA:
            raise ValueError
        rules = _rules(content["rules"])
        tasks = tuple(map(_task, content["students"]))
        title, seed = str(content["title"]), int(content["seed"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise AbvizError(f"{name} is not an assignment; {expected}") from None

    twice = [id for id, times in Counter(task.id for task in tasks).items() if times > 1]
    if twice or not tasks:
        found = f"has {brief(twice[0])} twice" if twice else "has no student"
        raise AbvizError(f"{name} {found}; {expected}")
    return Assignment(title, seed, rules, tasks)


def read_earlier(folder: Path) -> Assignment | None:
    """Return the assignment that is in the folder, or None.

    So students who are added later leave all other trees as they are.
    """
    return read(folder) if (folder / FILE).exists() else None


def _rules(content: dict[str, Any]) -> Rules:
    if content.keys() != {each.name for each in fields(Rules)}:
        raise ValueError
    return Rules(**content)


def _task(content: dict[str, Any]) -> Task:
    id, name, seed = content["id"], content["name"], content["seed"]
    if not (isinstance(id, str) and id and isinstance(name, str) and isinstance(seed, int)):
        raise ValueError
    return Task(id, name, seed, parse(content["tree"], file="a tree"))
