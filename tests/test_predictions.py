"""Predictions and check-ups in the kernel: what is asked, what is stored, and what is shown."""

import ast
import json
import re
from fractions import Fraction
from math import inf
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from abviz import AbvizError, check_up, predict
from abviz.exercises.predictions import FILE, HERE, Questions, check_ups
from abviz.views.bundle import PAGE

WAYS: list[dict[str, Any]] = [
    {"between": (0, 12)},
    {"between": (0, 2.5)},
    {"choices": ["B", 3, 0.5]},
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("way", "given"),
    [(WAYS[0], 0), (WAYS[0], 12), (WAYS[1], 1), (WAYS[1], 2.5), (WAYS[2], "B"), (WAYS[2], 0.5)],
)
def test_an_answer_is_stored_at_once_and_survives(
    way: dict[str, Any], given: Any, folder: Path
) -> None:
    question = predict("How many?", name="n", **way)
    assert predict.answer("n") is None and repr(question) == "How many? "
    question.answers = {"n": given}
    for _ in range(2):
        assert predict.answer("n") == given and type(predict.answer("n")) is type(given)
        assert repr(question) == f"How many? {given}"
        assert json.loads((folder / FILE).read_text()) == {"n": given}
        question = predict("How many?", name="n", **way)
        assert question.answers == {"n": given}
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_no_answer_is_lost_when_two_are_given_at_once(folder: Path) -> None:
    for turn in range(40):
        both = [predict("How many?", name=f"{letter}{turn}", between=(0, 9)) for letter in "ab"]
        start = Barrier(2)

        def give(question: Questions, start: Barrier = start) -> None:
            start.wait()
            question.answers = {question.questions[0]["key"]: 7}

        threads = [Thread(target=give, args=(each,)) for each in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(json.loads((folder / FILE).read_text())) == 2 * turn + 2


@pytest.mark.parametrize("content", ["", "{", "[1]", "7", "\udc00"])
def test_junk_in_the_file_is_no_answer(content: str, folder: Path) -> None:
    (folder / FILE).write_bytes(content.encode("utf-8", "surrogatepass"))
    question = predict("How many?", name="n", between=(0, 12))
    assert predict.answer("n") is None and question.answers == {}
    question.answers = {"n": 4}
    assert json.loads((folder / FILE).read_text()) == {"n": 4}


def test_answers_of_other_questions_stay(folder: Path) -> None:
    (folder / FILE).write_text('{"other": "β", "n": 3}', "utf-8")
    question = predict("How many?", name="n", between=(0, 12))
    assert question.answers == {"n": 3}
    question.answers = {"n": 4}
    assert json.loads((folder / FILE).read_text()) == {"other": "β", "n": 4}
    assert predict.answer("other") == "β"


def test_a_prediction_takes_bounds_or_choices() -> None:
    with pytest.raises(AbvizError, match="prediction 'n' takes either between="):
        predict("How many?", name="n")


@pytest.mark.parametrize(
    ("way", "guess", "truth", "text", "pictured", "sign"),
    [
        (WAYS[0], None, 8, "The answer is 8.", False, ""),
        (WAYS[0], 6, 8, "You said 6; it's 8.", True, ""),
        (WAYS[0], 8, 8.0, "You said 8, and that's right.", True, "✓"),
        (WAYS[0], 8, -20_000, "You said 8; it's −20,000.", True, ""),
        (WAYS[0], 8, -inf, "You said 8; it's −∞.", False, ""),
        (WAYS[1], 2, Fraction(4, 3), "You said 2; it's 1.333.", True, ""),
        (WAYS[2], "B", "<b>", "You said B; it's <b>.", False, "✗"),
        (WAYS[2], "B", "B", "You said B, and that's right.", False, "✓"),
    ],
)
def test_a_prediction_is_shown_next_to_the_truth(
    way: dict[str, Any], guess: Any, truth: Any, text: str, pictured: bool, sign: str
) -> None:
    predict("How many?", name="n", **way).answers = {} if guess is None else {"n": guess}
    revealed = predict.reveal("n", truth)
    page = revealed._repr_html_()
    assert repr(revealed) == text and ("<svg" in page) == pictured and "<b>" not in page
    assert "".join(re.findall("[✓✗]", page)) == sign, "of a number only a hit is marked"
    xs = [float(x) for x in re.findall(r'cx="([\d.]+)"|M([\d.]+) 28l', page) for x in x if x]
    assert all(70 <= x <= 390 for x in xs), (
        "inside the picture, also where the truth is beyond the bounds"
    )


def test_what_a_run_can_only_suggest_is_a_fact() -> None:
    assert repr(predict.reveal("cores-table")) == "The answer is only the value."
    with pytest.raises(
        AbvizError,
        match=r"prediction 'n' has no answer; expected one: predict.reveal\('n', answer\)",
    ):
        predict.reveal("n")


@pytest.mark.parametrize("name", check_ups())
def test_a_check_up_has_five_sound_questions(name: str) -> None:
    questions = check_ups()[name]
    assert len({each["asks"] for each in questions}) == len(questions) == 5
    for each in questions:
        assert each.keys() == {"asks", "choices", "answer", "because"}
        assert all(
            isinstance(text, str) and text
            for text in (each["asks"], *each["because"], *each["choices"])
        )
        assert (
            2 <= len(set(each["choices"])) == len(each["choices"]) <= 4
            and each["answer"] in each["choices"]
        )
        assert len(set(each["because"])) == len(each["choices"]), (
            "a reason of its own for each choice"
        )
        assert all(len(reason) <= 120 and reason[-1] == "." for reason in each["because"]), (
            "short sentences"
        )
    places = {each["choices"].index(each["answer"]) for each in questions}
    assert len(places) > 1, "the answer always stands at the same place"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"choices": ["1", "2"]},
            "has choices without reasons; expected each choice with its own reason",
        ),
        (
            {"choices": {"1": "One is odd.", "2": ""}},
            "the choice '2' has ''; expected a text with a reason",
        ),
        (
            {"choices": {"1": "One is odd.", "2": None}},
            "the choice '2' has None; expected a text with a reason",
        ),
        (
            {"choices": {"1": "Odd.", "2": "Odd."}},
            "gives two choices the same reason; expected one for each",
        ),
        ({"answer": "3"}, "has the answer '3'; expected one of its choices"),
    ],
)
def test_a_check_up_without_a_reason_for_each_choice_is_refused(
    changes: dict[str, Any], message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = {
        "asks": "Which is even?",
        "choices": {"1": "One is odd.", "2": "Two is even."},
        "answer": "2",
    }
    monkeypatch.setattr("abviz.exercises.predictions.HERE", folder)

    (folder / "check_ups.yaml").write_text(json.dumps({"numbers": [question]}), "utf-8")
    read = check_ups.__wrapped__()["numbers"]
    assert read == [question | {"choices": ["1", "2"], "because": ["One is odd.", "Two is even."]}]

    (folder / "check_ups.yaml").write_text(json.dumps({"numbers": [question | changes]}), "utf-8")
    with pytest.raises(
        AbvizError, match=re.escape("check_ups.yaml, numbers: 'Which is even?'")
    ) as error:
        check_ups.__wrapped__()
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_check_up_keeps_its_answers(folder: Path) -> None:
    questions = check_up("alpha-beta")
    assert isinstance(questions, Questions) and repr(questions).count("?") >= 3
    questions.answers = {each["key"]: each["choices"][0] for each in questions.questions}
    again = check_up("alpha-beta")
    assert (
        again.answers == questions.answers
        and len(again.answers) == 5
        and questions.questions[0]["choices"][0] in repr(again)
    )


def test_a_name_belongs_to_one_question_of_the_course() -> None:
    names: list[str] = []
    for path in sorted((Path(__file__).parents[1] / "notebooks").glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        calls = [
            each
            for cell in code
            for each in ast.walk(ast.parse(cell))
            if isinstance(each, ast.Call)
        ]
        texts: dict[str, list[str]] = {
            name: [] for name in ("predict", "predict.answer", "predict.reveal", "check_up")
        }
        for call in calls:
            keyword = [each.value for each in call.keywords if each.arg == "name"]
            function = ast.unparse(call.func)
            if function in texts:
                texts[function].append(ast.literal_eval((keyword or call.args)[0]))
        asked = texts["predict"]
        assert {*texts["predict.answer"], *texts["predict.reveal"]} <= {*asked}, path.name
        assert {*texts["check_up"]} <= check_ups().keys(), path.name
        names += asked
    assert len(names) == len(set(names))


def test_all_that_answers_has_one_look() -> None:
    """The questions of a notebook get the very rules of the stepper, and add none for its parts."""
    shared = (PAGE / "answers.css").read_text("utf-8")
    own = (HERE / "predictions.css").read_text("utf-8")
    assert shared in Questions._css and own in Questions._css

    def classes(text: str) -> set[str]:
        return set(re.findall(r"\babviz-[\w-]+", text))

    assert classes(own) == {"abviz-questions"}
    scripts = [HERE / "predictions.js", PAGE / "answering.js", PAGE / "panels" / "predict.js"]
    scripts += [PAGE / "panels" / "practice.js", PAGE / "panels" / "sentence.js"]
    assert {"abviz-choice", "abviz-answers"} <= classes(shared)
    for path in scripts:
        text = path.read_text("utf-8")
        assert "answering.js" in text or path.stem == "answering", path.name
        assert not re.search(r'"[✓✗]"', text) or path.stem == "answering", path.name
