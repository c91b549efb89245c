"""A page for each student: the points, and of each wrong answer the line and the run."""

import html
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from abviz.course import Course
from abviz.errors import visible
from abviz.exercises.verdict import RIGHT, SIGNS, Verdict, say, tree_image, written
from abviz.grading.hand_ins import Student
from abviz.grading.report import Report, Row, in_points, notes_to_add
from abviz.recording.differences import Parting, parting_of
from abviz.tracing.templates import in_letters, lettered
from abviz.tracing.traces import Trace
from abviz.tree.files import write_whole
from abviz.views.bundle import document, place_for, state_at
from abviz.views.drawing import draw

FEEDBACK = "feedback.html"
MADE = (1980, 1, 1, 0, 0, 0)  # the time of files in a zip: the same pages make the same zip

# A stepper as the page reads it
State = dict[str, object]

STYLE = """
.feedback { max-width: 80rem; margin: 0 auto; font: 1rem/1.5 system-ui, sans-serif; }
.feedback h1 { font-size: 1.4em; overflow-wrap: anywhere; }
.feedback h2 { margin: 1.6em 0 .4em; padding-top: .6em; border-top: 1px solid #8886; }
.feedback h2, .feedback h3 { font-size: 1.1em; }
.feedback h3 { margin: .8em 0 .3em; font-size: 1em; }
.feedback > p, .feedback section > p { max-width: 50rem; overflow-wrap: anywhere; }
.feedback pre { overflow-x: auto; padding: .6em .8em; border: 1px solid #8886; border-radius: 6px;
  font: .92em/1.45 ui-monospace, monospace; }
.feedback mark { background: #ffe08a; color: #1f2328; }
.feedback pre b { font-weight: 700; }
.feedback details { margin: .3em 0; }
.feedback summary { cursor: pointer; }
.feedback img { max-width: 100%; }
.runs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
  gap: 0 16px; }
.runs > * { min-width: 0; }
"""

# A page without a stepper, which needs no script
PLAIN = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
 style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0 auto; padding: 16px; }}
:root {{ color-scheme: light dark; }}
{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_feedback(report: Report, folder: Path, course: Course | None = None) -> None:
    """Write a page for each student; those for Moodle or Canvas also as the zip that these take."""
    course = course or Course()
    to_upload: dict[str, dict[str, bytes]] = {}
    names = _names([*report.hand_ins, *report.missing])
    for label in report.hand_ins:
        student = report.students[label]
        with in_letters(course.letters):
            page = feedback_page(report, label, course).encode()

        name = _name(student, names[label])
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, page)
        if student.downloaded_as:
            to_upload.setdefault(student.system, {})[name] = page

    for system, pages in to_upload.items():
        write_whole(folder / f"upload-to-{system}.zip", _zipped(pages))


def _names(labels: Sequence[str]) -> dict[str, str]:
    """Return names of files, by label. They stay the same when fewer students are graded."""
    plain = {label: re.sub(r"[^\w.-]+", "-", label)[-100:].strip("-.") for label in labels}
    times = Counter(name.casefold() for name in plain.values())

    names: dict[str, str] = {}
    for label, name in plain.items():
        is_alone = name and times[name.casefold()] == 1
        digest = sha256(label.encode()).hexdigest()[:8]
        names[label] = name if is_alone else f"{name}-{digest}".lstrip("-")
    return names


def _name(student: Student, name: str) -> str:
    """Return the name of a student's page, by which Moodle or Canvas knows whose it is.

    Moodle goes by the folder, and Canvas by the numbers in the name of a file.
    """
    if student.downloaded_as:
        own = student.downloaded_as[0]
        return f"{own}/{FEEDBACK}" if student.system == "moodle" else f"{own}.html"
    return f"{name}.html"


def _zipped(pages: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            entry = ZipInfo(name, MADE)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, page)
    return file.getvalue()


# a page


def feedback_page(report: Report, label: str, course: Course) -> str:
    """Return a student's page as HTML."""
    rows = report.hand_ins[label]
    student = report.students[label]
    title = visible(student.name or label)

    states: list[State] = []
    parts = [f"<h1>{html.escape(title)}</h1>", f"<p><b>{in_points(rows.values())}</b></p>"]
    if student.late:
        parts.append(f"<p>Late, by {html.escape(student.late_by)}.</p>")
    parts.append(f"<p>The rules: {html.escape(str(course.rules))}.</p>")
    for name, row in rows.items():
        parts += ["<section>", *_section(name, row, course, states), "</section>"]
    for note in notes_to_add(report, label):
        parts.append(f"<p>{html.escape(note)}</p>")

    body = "\n".join(['<main class="feedback">', *parts, "</main>"])
    if not states:
        return PLAIN.format(title=html.escape(title), style=STYLE, body=body)
    return document(title, body, states, style=STYLE)


def _section(name: str, row: Row, course: Course, states: list[State]) -> Iterator[str]:
    """Yield what is said of an answer; add its steppers to the states."""
    sign = SIGNS.get(row["status"], "!")
    yield f"<h2>{sign} {html.escape(name)}: {in_points([row])}</h2>"

    graded = row["verdict"]
    hints = tuple(map(_in_letters, graded.hints))
    verdict = replace(graded, message=_in_letters(graded.message), hints=hints)
    try:
        parts, steppers = _shown_run(name, verdict, course)
    except Exception:  # a run or a tree that can't be shown costs a page no more than that
        parts, steppers = [], []
        verdict = replace(verdict, trace=None)

    states += steppers
    if parts:
        yield f"<p>{say(verdict.message)}</p>"
        yield from parts
        for place, hint in enumerate(verdict.hints, 1):
            yield f"<details><summary>Hint {place}</summary>{say(hint)}</details>"
    else:
        # A page has no cell in which to watch a run
        shown = replace(verdict, shows_run=True)
        yield shown._repr_mimebundle_()["text/html"]


def _shown_run(name: str, verdict: Verdict, course: Course) -> tuple[list[str], list[State]]:
    """Return the code and the places of both steppers, and the steppers; none without a run."""
    parting = _parting(verdict)
    if parting is None:
        return [], []

    _, remark = parting.run.options["remark"]
    mine = parting.run.with_options({"remark": (parting.step, _in_letters(remark))})
    parts = [
        *_code(parting),
        f"<p>{html.escape(_in_letters(remark))}</p>",
        '<div class="runs">',
        "<div><h3>Your run, where it first differs</h3>",
        _place(mine, parting.step),
        "</div>",
        "<div><h3>Ours, at the same place</h3>",
        _place(parting.reference, parting.reference_step),
        "</div></div>",
    ]
    steppers = [
        state_at(mine, parting.step, show="all", title=f"{name}: your run"),
        state_at(
            parting.reference,
            parting.reference_step,
            show="all",
            form=course.pseudocode,
            title=f"{name}: ours",
        ),
    ]
    return parts, steppers


def _in_letters(text: str) -> str:
    """Return a text in the letters of the course, except one that quotes a line of a program."""
    return text if "(line " in text else lettered(text)


def _place(run: Trace, step: int) -> str:
    """Return the place of a stepper, with the sentence of the step but no remark on it."""
    return place_for(run.with_options({"remark": (-1, "")}), step, _picture(run, step))


def _parting(verdict: Verdict) -> Parting | None:
    """Return where the answer's own run parts from the reference; None where that isn't known."""
    run = verdict.trace
    if verdict.status == RIGHT or run is None or "parting" not in run.options:
        return None
    return parting_of(run, verdict.rules)


def _code(parting: Parting) -> Iterator[str]:
    """Yield the functions that search, with the line that does something else than ours."""
    lines = parting.run.options["source"].lines
    if not lines:
        return

    shown = []
    for place, line in enumerate(lines):
        text = html.escape(visible(line))
        if place != parting.line:
            shown.append(text)
            continue
        indent = line[: len(line) - len(line.lstrip())]
        shown += [f"<mark>{text}</mark>", f"{indent}<b>↑ here it first differs</b>"]
    yield "<pre><code>" + "\n".join(shown) + "</code></pre>"


def _picture(run: Trace, step: int) -> str:
    """Return the tree at the step as an image, for where there are no scripts."""
    picture = draw(run, step)
    picture.attr(label="")  # the sentence is there as text
    return tree_image(picture, written(run.tree))
