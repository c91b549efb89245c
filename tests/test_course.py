"""The course: its shape, every number in its prose, and each notebook run as it stands.

tests/browser/test_jupyterlab.py runs each notebook once, as it stands and then with the solutions
in, and asks the same of it; where that runs, it isn't run here.

tests/course/NOTEBOOK.yaml lists what a notebook's prose says in numbers: `says`, the words as they
stand there, with `holds`, a Python expression on the notebook's own names after it has run, or
`label: true` where the number is a name.
"""

import ast
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml
import zmq
from nbclient import NotebookClient

from abviz import Trace, Tree, check, load, shipped, trace
from abviz.errors import number
from abviz.exercises import EXERCISES

HOUSE = Path(__file__).resolve().parents[1]
PATHS = sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb"))
NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in PATHS}
SOLUTIONS = sorted((HOUSE / "tests" / "solutions").glob("[a-z]*.py"))
MOST_CELLS, MOST_WORDS, MOST_LINES, WORDS_OF_ALL = 79, 1_700, 30, 14_400
TIME_LIMIT = 240  # seconds a cell may take on a busy machine
SOLVED = "-solved"  # ends the id of a cell that runs once more, with the solutions in
FEWER_TREES = """
from abviz.exercises import searches
searches.SMALL_TREES, searches.RANDOM_TREES = 500, 30
"""
SHORT_GAMES = """
from abviz.play import league
league.LONGEST = 16
"""
SHORTER = {  # what only takes time
    "SECONDS = 0.02": "SECONDS = 0.01",
    "range(2_000_000)": "range(200_000)",
    'search(start, 13, method="alphabeta").value': 'search(start, 9, method="alphabeta").value',
}
# Code, links, tags, formulas, moves of checkers, and the paragraph with the time that it takes
SILENT = re.compile(
    r"`[^`]*`|\[[^]]*\]\([^)]*\)|</?[a-z][^>]*>|\$[^$]*\$|\b\d+[-x]\d+\b"
    r"|^\*\*You will.*?(?=\n\n|\Z)|^ *\d+\. |^###? \d+\. ",
    re.DOTALL | re.MULTILINE,
)

every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)


def prose(name: str) -> str:
    return "\n\n".join(
        cell.source for cell in NOTEBOOKS[name].cells if cell.cell_type == "markdown"
    )


def words(name: str) -> int:
    """Return the number of words, those of tables apart."""
    return len(re.findall(r"\S*\w\S*", re.sub(r"^\|.*$", "", prose(name), flags=re.M)))


def code(name: str) -> dict[str, str]:
    return {cell.id: cell.source for cell in NOTEBOOKS[name].cells if cell.cell_type == "code"}


def claims(name: str) -> list[dict[str, Any]]:
    path = HOUSE / "tests" / "course" / f"{name}.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8")) or [] if path.is_file() else []


def plain(text: str) -> str:
    return " ".join(SILENT.sub(" ", str(text)).split())


@every_notebook
def test_a_notebook_is_one_sitting(name: str) -> None:
    cells = NOTEBOOKS[name].cells
    assert len(cells) <= MOST_CELLS and words(name) <= MOST_WORDS
    assert (
        max(len(list(filter(str.strip, source.splitlines()))) for source in code(name).values())
        <= MOST_LINES
    )
    head = cells[0].source
    assert head.startswith("# ")
    assert all(f"**{words}**" in head for words in ("You will be able to", "Takes"))
    assert "**You need**" in head or "**Needs**" in head
    if name != "00-start-here":
        assert sum("check_up(" in source for source in code(name).values()) == 1
        assert "## Summary" in cells[-1].source
    assert len({cell.id for cell in cells}) == len(cells)


def test_the_course_is_short() -> None:
    assert sum(map(words, NOTEBOOKS)) <= WORDS_OF_ALL


@every_notebook
def test_links_lead_somewhere(name: str) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose(name)):
        assert "://" in link or (HOUSE / "notebooks" / link).is_file(), link


@every_notebook
def test_every_number_in_the_prose_is_checked(name: str) -> None:
    text = left = plain(prose(name))
    for claim in sorted(claims(name), key=lambda claim: -len(claim["says"])):
        assert set(claim) in ({"says", "holds"}, {"says", "label"})
        assert plain(claim["says"]) in text, f"no longer in the notebook: {claim['says']}"
        left = left.replace(plain(claim["says"]), " ")
    unchecked = re.findall(r"\S*\s?\S*\d\S*\s?\S*", left)
    assert not unchecked, f"numbers that tests/course does not check: {unchecked}"


def test_what_takes_time_stands_in_the_course() -> None:
    sources = "".join("".join(code(name).values()) for name in NOTEBOOKS)
    assert all(sources.count(long) == 1 for long in SHORTER)


def test_the_picture_grows_with_the_reader() -> None:
    """Values, then bv, then bounds as usual, then all, as a run that is watched usually does."""
    levels = {"00-start-here": "values", "01-minimax": "bv", "03-write-it-yourself": "all"}
    for name in NOTEBOOKS:
        views = ("Stepper", "watch") if name == "01-minimax" else ("Stepper",)
        calls = [
            each
            for source in code(name).values()
            for each in ast.walk(ast.parse(source))
            if isinstance(each, ast.Call) and ast.unparse(each.func) in views
        ]
        shows = {
            ast.literal_eval(each.value)
            for stepper in calls
            for each in stepper.keywords
            if each.arg == "show"
        }
        expected = {levels[name]} if name in levels else set()
        assert shows == expected, name
        if name in levels:
            assert all("show=" in ast.unparse(stepper) for stepper in calls), name


def test_the_first_notebook_names_nothing_that_its_picture_does_not_show() -> None:
    (legend,) = (
        cell.source for cell in NOTEBOOKS["00-start-here"].cells if cell.id == "on-the-screen"
    )
    assert not re.search(r"\bbv\b|[αβ≤≥]|number line|pseudocode|stack", legend)


def test_each_guess_has_a_name_of_its_own() -> None:
    names = [
        each
        for name in NOTEBOOKS
        for each in re.findall(r'\bname="([\w-]+)"', "\n".join(code(name).values()))
    ]
    assert len(set(names)) == len(names)


class Client(NotebookClient):
    async def _async_check_alive(self) -> None:  # once a second
        await super()._async_check_alive()
        for channel in (self.kc.shell_channel, self.kc.iopub_channel):
            # Notices a message whose wake-up was lost, else read at the time limit only
            channel.socket.get(zmq.EVENTS)


def run(notebook: Any, folder: Path) -> Any:
    Client(notebook, timeout=TIME_LIMIT, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def shortened(name: str) -> Any:
    """Return the notebook with fewer trees to check, short games, and less of what only takes time."""
    notebook = nbformat.from_dict(NOTEBOOKS[name])
    for cell in notebook.cells:
        for long, short in SHORTER.items():
            cell.source = cell.source.replace(long, short)
    for there_is, cell in (("check(", FEWER_TREES), ("League(", SHORT_GAMES)):
        if any(there_is in source for source in code(name).values()):
            notebook.cells.insert(0, nbformat.v4.new_code_cell(cell))
    return notebook


# alpha-beta: two stories of the same form, and the worked example on paper


def test_both_cuts_are_predicted_stepped_through_and_made_to_vanish() -> None:
    sources = code("02-alpha-beta")
    order = list(sources)
    places = []
    for cut in ("alpha", "beta"):
        for cell in ("predict", "reveal", "stepper", "if-predict", "if-stepper", "if-reveal"):
            places.append(order.index(f"{cut}-{cell}"))
    assert places == sorted(places) and max(places) < order.index("worked-stepper")

    rules = prose("02-alpha-beta").partition("## The rules")[2].partition("\n## ")[0]
    for mover, cut in (("MAX", "beta"), ("MIN", "alpha")):
        rule = rules.partition(f"**At a {mover} node**")[2].split("\n\n**")[0]
        assert rule.count("\n- ") == 3 and f"**{cut} cut**" in rule


def test_rules_that_differ_come_after_the_first_success() -> None:
    notebooks = list(NOTEBOOKS)
    places = {each: place for place, name in enumerate(notebooks) for each in asked(name)}
    assert places["skipped-leaves"] < places["other-rules"]
    text = prose("02-alpha-beta")
    assert "right to left" not in text and "beyond" not in text
    assert text.index("press **Practice**") < text.index("## Exercise")


def on_paper(run: Trace) -> list[str]:
    """Return the rows of the table: a row for each time that the search is at an inner node."""
    letters = {"alpha": "α", "beta": "β"}
    rows: list[dict[str, Any]] = []
    at = returned = None
    for event in run.events:
        if event.kind == "leaf":
            returned = event.node
            continue

        node = run.tree.parent(event.node) if event.kind == "cut" else event.node
        assert node
        if node is not at:
            at = node
            rows.append({"node": node, "window": "", "notes": [], "up": ""})
        row = rows[-1]

        if event.kind == "enter":
            row["window"] = f"`({number(event.alpha)}, {number(event.beta)})`"
        elif event.kind == "bv":
            assert returned
            row["notes"].append((f"`{returned.name} → {number(event.value)}`", []))
            if event.bv == event.value:
                row["notes"][-1][1].append(f"`bv = {number(event.bv)}`")
        elif event.kind in letters:
            moved = number(getattr(event, event.kind))
            row["notes"][-1][1].append(f"`{letters[event.kind]} = {moved}`")
        elif event.kind == "cut":
            kind, sign, bound = (
                ("beta", "≥", event.beta) if node.is_max else ("alpha", "≤", event.alpha)
            )
            test = f"`{number(event.bv)} {sign} {number(bound)}`"
            row["notes"][-1][1].append(f"{test}: **{kind} cut**, cross out `{event.node.name}`")
        else:
            row["up"] = f"`{number(event.value)}`"
            returned = node

    lines = []
    for row in rows:
        symbol = "▲" if row["node"].is_max else "▼"
        notes = "; ".join(f"{it}: {', '.join(does) or 'no change'}" for it, does in row["notes"])
        lines.append(f"| {symbol} {row['node'].name} | {row['window']} | {notes} | {row['up']} |")
    return lines


def test_the_example_on_paper_is_the_search() -> None:
    (table,) = [
        cell.source for cell in NOTEBOOKS["02-alpha-beta"].cells if cell.id == "paper-solution"
    ]
    names: dict[str, Any] = {"Tree": Tree}
    exec(code("02-alpha-beta")["paper-tree"], names)
    searched = trace(names["on_paper"])
    assert {cut.kind for cut in searched.cuts} == {"alpha", "beta"}

    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert rows[2:] == on_paper(searched)


def test_the_tree_on_paper_is_not_one_that_the_screen_has_shown() -> None:
    paper = code("02-alpha-beta")["paper-tree"]
    nested = re.findall(r"Tree\((\[.*\])\)", paper)
    assert len(nested) == 1
    assert all(
        paper is each or nested[0] not in each for name in NOTEBOOKS for each in code(name).values()
    )
    leaves = re.findall(r"\d+", nested[0])
    assert leaves not in [[str(leaf.value) for leaf in load(each).leaves()] for each in shipped()]


# predictions: nothing on the screen says the answer before it is asked for


def call(cell: Any, function: str) -> ast.Call | None:
    """Return the cell's first call of the function; None where there is none."""
    if cell.cell_type != "code" or function not in cell.source:
        return None
    calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
    return next((each for each in calls if ast.unparse(each.func) == function), None)


def predictions(cells: list[Any]) -> dict[str, tuple[int, int]]:
    """Return for each prediction the places of the cell that asks and of the cell that shows the
    answer.
    """
    asked: dict[str, tuple[int, int]] = {}
    for place, cell in enumerate(cells):
        if asks := call(cell, "predict"):
            name = next(
                ast.literal_eval(each.value) for each in asks.keywords if each.arg == "name"
            )
            shows = (
                at
                for at in range(place, len(cells))
                if f'predict.reveal("{name}"' in cells[at].source
            )
            asked[name] = place, next(shows)
    return asked


def shown_by(cell: Any) -> str:
    """Return the text that stands below the cell after it has run; a picture's own text is not
    shown.
    """
    outputs = [
        each for each in cell.get("outputs", []) if "image/svg+xml" not in each.get("data", {})
    ]
    texts = [each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs]
    return "\n".join(text for text in texts if not text.startswith("Stepper("))


def since_heading(cells: list[Any]) -> list[Any]:
    """Return the last cells, from the one with the latest heading on."""
    places = [
        place
        for place, cell in enumerate(cells)
        if cell.cell_type == "markdown" and "##" in cell.source
    ]
    return cells[max(places) :]


def says(answer: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w.,−-]){re.escape(answer)}(?!\w|[.,-]\d)", text))


def given_away(cells: list[Any]) -> list[str]:
    """Return the predictions whose answer stands above the question, or in the cells from there to
    the answer.
    """
    faults = []
    for name, (asks, shows) in predictions(cells).items():
        (answer,) = re.findall(r"The answer is (.*)\.$", shown_by(cells[shows]), re.MULTILINE)
        for cell in since_heading(cells[:asks]):
            is_stepper = "Stepper(" in cell.source
            text = shown_by(cell) if cell.cell_type == "code" else cell.source.rpartition("##")[2]
            if says(answer, text) and (is_stepper or not re.fullmatch("[A-Za-z]", answer)):
                faults.append(f"{name}: {answer} stands above, in {cell.id}")
        for cell in cells[asks + 1 : shows + 1]:
            if cell.cell_type == "markdown" and says(answer, cell.source):
                faults.append(f"{name}: {answer} stands below, in {cell.id}")
            answers = call(cell, "predict.reveal")
            if answers and len(answers.args) > 1 and isinstance(answers.args[1], ast.Constant):
                faults.append(f"{name}: the answer is written into {cell.id}")
    return faults


@pytest.mark.parametrize(
    ("above", "below", "reveals", "faults"),
    [
        ("", "", "3 + 4", 0),
        ("It's 7.", "", "3 + 4", 1),
        ("17 and 7.5, −7 or 7-8", "", "3 + 4", 0),
        ("", "Seven is 7.", "3 + 4", 1),
        ("", "", "7", 1),
    ],
)
def test_a_program_sees_an_answer_that_is_given_away(
    above: str, below: str, reveals: str, faults: int
) -> None:
    output = nbformat.v4.new_output("execute_result", {"text/plain": "The answer is 7."})
    cells = [
        nbformat.v4.new_markdown_cell(f"Before, 7.\n\n## Now\n\n{above}"),
        nbformat.v4.new_code_cell('predict("How many?", name="n", between=(0, 9))'),
        nbformat.v4.new_markdown_cell(below),
        nbformat.v4.new_code_cell(f'predict.reveal("n", {reveals})', outputs=[output]),
        nbformat.v4.new_markdown_cell("It is 7."),
    ]
    assert len(given_away(cells)) == faults


def as_it_stands(name: str) -> Any:
    """Return the shortened notebook, and at its end a cell in which each claim of its prose holds."""
    notebook = shortened(name)
    expressions = [claim["holds"] for claim in claims(name) if "holds" in claim]
    source = f"for claim in {expressions!r}:\n    assert eval(claim), claim"
    notebook.cells.append(nbformat.v4.new_code_cell(source))
    return notebook


@pytest.mark.quick
@every_notebook
def test_it_runs_and_says_what_is_so(name: str, tmp_path: Path) -> None:
    notebook = run(as_it_stands(name), tmp_path)
    assert given_away(notebook.cells) == []


# the exercises


def asked(name: str) -> dict[str, str]:
    """Return what the notebook checks: by the exercise, the name of the answer."""
    return dict(re.findall(r'^check\("([\w-]+)", (\w+)\)', "\n".join(code(name).values()), re.M))


def test_every_exercise_stands_in_one_notebook() -> None:
    found = [exercise for name in NOTEBOOKS for exercise in asked(name)]
    missing = set(EXERCISES) - set(found)
    assert not missing, "in no notebook"
    assert sorted(found) == sorted(EXERCISES)


@pytest.mark.parametrize(
    "name, exercise", [(name, each) for name in NOTEBOOKS for each in asked(name)]
)
def test_an_exercise_has_rules_a_stub_and_a_check(name: str, exercise: str) -> None:
    sources, ids = code(name), [cell.id for cell in NOTEBOOKS[name].cells]
    # all rules of checkers are one class, whose positions are drawn by the checks
    yours = f"{exercise}-yours" if f"{exercise}-yours" in ids else "checkers-men-yours"
    assert sources[yours].split() == EXERCISES[exercise].stub.split()  # its lines may be shorter
    assert f"{exercise}-show" in ids or exercise.startswith("checkers-")
    assert "*Rules" in "".join(
        cell.source for cell in NOTEBOOKS[name].cells[: ids.index(f"{exercise}-check")]
    )
    statuses: list[tuple[str, str]] = []
    names = {"check": lambda asked, answer: statuses.append((asked, check(asked, answer).status))}
    exec(sources[yours], names)
    exec(sources[f"{exercise}-check"], names)
    assert statuses == [(exercise, "not written yet")]


def variable(name: str) -> str:
    return name.replace("-", "_")


def solution(name: str, checked: str) -> str:
    """Return what a student would type: what the solution uses of its file, and the answer, by the
    name checked.
    """
    if name.startswith("checkers-"):
        return (HOUSE / "tests" / "solutions" / "checkers.py").read_text(encoding="utf-8")
    answer = {"predict-speed-up": "speed_ups()"}.get(name, variable(name))
    needed = [answer.removesuffix("()")]
    for path in SOLUTIONS:
        text = path.read_text(encoding="utf-8")
        defined = {
            each: statement for statement in ast.parse(text).body for each in defines(statement)
        }
        if needed[0] not in defined:
            continue
        for each in needed:  # it grows
            used = {node.id for node in ast.walk(defined[each]) if isinstance(node, ast.Name)}
            needed += sorted(used & defined.keys() - set(needed))
        parts = [ast.get_source_segment(text, defined[each]) or "" for each in reversed(needed)]
        return "\n\n".join([*parts, f"{checked} = {answer}"])
    raise LookupError(name)


def defines(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.ImportFrom):
        return [alias.name for alias in statement.names]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def with_solutions(name: str) -> list[Any]:
    """Return the cells that a student runs again once the solutions are typed in: these, and each
    cell that depends on one of them.
    """
    again: list[Any] = []
    changed: set[str] = set()  # names
    for cell in shortened(name).cells:
        if cell.cell_type != "code":
            continue

        exercise = cell.id.removesuffix("-yours")
        is_answer = exercise != cell.id and exercise in EXERCISES
        if is_answer:
            cell.source = solution(exercise, asked(name)[exercise])

        body = ast.parse(cell.source)
        names = [each for each in ast.walk(body) if isinstance(each, ast.Name)]
        read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
        if is_answer or read & changed:
            for statement in body.body:
                if not isinstance(statement, ast.ImportFrom):
                    changed.update(defines(statement))
            cell.id += SOLVED
            again.append(cell)
    return again
