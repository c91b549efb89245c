"""The real nbgrader, in an environment of its own: it generates, autogrades and gives feedback on
our exercises.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from abviz.grading.grader import grade
from abviz.grading.hand_ins import collect
from tests.nbgrader.assignment import NAME, POINTS, SOLUTIONS, TASKS, notebook
from tests.solutions import hidden

# It installs 340 MB: make test ARGS="-m nbgrader"
pytestmark = [pytest.mark.slow, pytest.mark.nbgrader]

HOUSE = Path(__file__).resolve().parents[2]
WRONG = SOLUTIONS["alphabeta"].replace("alpha >= beta", "alpha > beta")
# nbgrader runs the tests in the hand-in's own kernel, where a hand-in can replace `check`.
DECEIVES = """
import sys
sys.modules['abviz'].check = lambda *_: True
check = lambda *_: 'right'
def minimax(node):
    return 4
"""
STUDENTS = {
    "ada": SOLUTIONS,
    "bea": SOLUTIONS | {"alphabeta": WRONG},
    "carl": {},
    "dora": {"minimax": DECEIVES},
}
# nbgrader's commands in one process: each takes 4 seconds to load what it never uses.
ONE_AFTER_THE_OTHER = """
import sys
from nbgrader.apps.nbgraderapp import NbGraderApp
for command in sys.argv[1:]:
    NbGraderApp.clear_instance()
    NbGraderApp.launch_instance(command.split())
"""
DRAWS = ("graphviz", "pygraphviz", "pyyaml")


def run(*command: object, cwd: Path = HOUSE, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment with nbgrader and abviz."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    run(sys.executable, "-m", "virtualenv", "--quiet", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    constraints = [
        part for file in (HOUSE, Path(__file__).parent) for part in ("-c", file / "constraints.txt")
    ]
    install = (
        programs / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-compile",
    )
    run(*install, *constraints, "nbgrader", *DRAWS)
    run(*install, "--no-deps", wheel)
    return programs


@pytest.fixture(scope="module")
def course(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course whose assignment was released, submitted and graded, with feedback."""
    folder = tmp_path_factory.mktemp("course")
    settings = f"c = get_config()\nc.CourseDirectory.course_id = 'abviz'\nc.CourseDirectory.root = {str(folder)!r}\n"
    (folder / "nbgrader_config.py").write_text(settings)
    source = folder / "source" / NAME / f"{NAME}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(notebook()), encoding="utf-8")
    paths = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "PYTHONWARNINGS": "ignore",
    }
    alone = {
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_CONFIG_DIR": str(folder / ".jupyter"),
        **paths,
    }

    def nbgrader(*commands: str) -> None:
        run(programs / "python", "-c", ONE_AFTER_THE_OTHER, *commands, cwd=folder, **alone)

    nbgrader(f"generate_assignment {NAME} --create")
    for student, answers in STUDENTS.items():
        hand_in(folder, student, answers)
    nbgrader(f"autograde {NAME} --create", f"generate_feedback {NAME}", "export --to grades.csv")
    return folder


def released(course: Path) -> dict:
    return json.loads((course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))


def hand_in(course: Path, student: str, answers: dict[str, str]) -> None:
    """Submit the released notebook with answers in place of stubs."""
    paper = released(course)
    for cell in paper["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answers[name]
    path = course / "submitted" / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(paper), encoding="utf-8")


def test_the_released_notebook_has_stubs_and_no_solutions(course: Path) -> None:
    paper = released(course)
    text = "\n".join("".join(cell["source"]) for cell in paper["cells"])
    assert (
        text.count("NotImplementedError") == len(TASKS)
        and "SOLUTION" not in text
        and "HIDDEN" not in text
    )
    for name, solution in SOLUTIONS.items():
        own = {line.strip() for line in solution.splitlines()[name != "race" :]}
        assert own and not own & {line.strip() for line in text.splitlines()}
        for line in hidden.CHECKS[name].strip().splitlines():
            assert line not in text
    assert all(task in text for task in TASKS.values())


def test_right_answers_earn_their_points(course: Path) -> None:
    with (course / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    everything = POINTS * len(TASKS)
    assert scores == {"ada": everything, "bea": everything - POINTS, "carl": 0, "dora": POINTS}


def test_a_hand_in_that_replaces_check_deceives_nbgrader_only(course: Path) -> None:
    report = grade(collect([str(course / "submitted")])[0], ["minimax"])
    statuses = {
        Path(label).name: rows["minimax"]["status"] for label, rows in report.hand_ins.items()
    }
    assert statuses == {"ada": "right", "bea": "right", "carl": "not written yet", "dora": "wrong"}


def test_feedback_holds_the_verdicts_of_check(course: Path) -> None:
    pages = {
        path.parts[-3]: path.read_text(encoding="utf-8")
        for path in course.glob(f"feedback/*/{NAME}/*.html")
    }
    assert pages.keys() == STUDENTS.keys()
    assert "alphabeta: right." in pages["ada"] and "minimax: right." in pages["ada"]
    assert "only where bv is beyond the bound" in pages["bea"]
    assert "NotImplementedError" in pages["carl"]
