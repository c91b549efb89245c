"""Which files are whose: folders, the names of Moodle and Canvas, nbgrader's tree, zip files."""

import io
import os
import stat
import time
import zipfile
from pathlib import Path

import pytest

from abviz.errors import AbvizError
from abviz.grading import hand_ins, unpacking
from abviz.grading.downloads import read_name
from abviz.grading.hand_ins import collect


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


def zipped(*names: str, **contents: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x = 1\n")
        for name, content in contents.items():
            archive.writestr(name.replace("__", "."), content)
    return file.getvalue()


def students(*paths: Path) -> dict[str, list[str]]:
    """Return the names of the graded files, by the last part of the student's label."""
    found, _ = collect(map(str, paths))
    labels = {each.label: each.label.rpartition("/")[2] for each in found}
    assert len(labels) == len(found), "two students have one label"
    return {
        labels[each.label]: sorted(hand_in.path.name for hand_in in each.hand_ins) for each in found
    }


CLASSES = {
    "folders and files": (
        [
            "ada/hw3.ipynb",
            "ada/helper.py",
            "ada/__pycache__/old.py",
            "bea.py",
            "Carl, Ö_1/deep/er/x.py",
            "bea/x.py",
            "__dan/x.py",
        ],
        {
            "__dan": ["x.py"],
            "Carl, Ö_1": ["x.py"],
            "ada": ["helper.py", "hw3.ipynb"],
            "bea": ["x.py"],
            "bea.py": ["bea.py"],
        },
    ),
    "the course's folders": (
        ["ada/00-start-here.ipynb", "ada/01.ipynb", "ada/helper.py", "bea/w/00-start-here.ipynb"],
        {"ada": ["00-start-here.ipynb", "01.ipynb"], "bea": ["00-start-here.ipynb"]},
    ),
    "the course's own folder": (
        ["00-start-here.ipynb", "01.ipynb", "helper.py", "old/01.ipynb"],
        {"class": ["00-start-here.ipynb", "01.ipynb"], "old": ["01.ipynb"]},
    ),
    "Moodle's folders": (
        [
            "Ada Lovelace_1001_assignsubmission_file_/hw3.ipynb",
            "Ada Lovelace_1001_assignsubmission_file_/helper.py",
            "Ada Lovelace_1001_assignsubmission_onlinetext_/onlinetext.html",
            "Ada Lovelace_1002_assignsubmission_file_/hw3.ipynb",
            "Eve_1009_assignsubmission_file_Ada Lovelace_1001_assignsubmission_file_hw3.py",
            "Ædöž 'D, 李_1003_assignsubmission_file_/essay.docx",
        ],
        {
            "Ada Lovelace (1001)": ["helper.py", "hw3.ipynb"],
            "Ada Lovelace (1002)": ["hw3.ipynb"],
            "Eve (1009)": ["Ada Lovelace_1001_assignsubmission_file_hw3.py"],
            "Ædöž 'D, 李 (1003)": [],
        },
    ),
    "Moodle's files": (
        [
            "Ada Lovelace_1001_assignsubmission_file_hw3.ipynb",
            "Ada Lovelace_1001_assignsubmission_file_my_helper.py",
            "Bea_1002_assignsubmission_file_hw3.ipynb",
        ],
        {"Ada Lovelace (1001)": ["hw3.ipynb", "my_helper.py"], "Bea (1002)": ["hw3.ipynb"]},
    ),
    "Canvas's files": (
        [
            "bytead_LATE_4711_8899_hw3-1.ipynb",
            "bytead_LATE_4711_8900_my_helper.py",
            "o_neilbea_4712_8901_hw3.ipynb",
            "carl_4713_8902_a-1.py",
            "carl_4713_8903_a-2.py",
            "dora_4714_text.html",
            "李雷_4715_8904_essay.docx",
        ],
        {
            "bytead (4711)": ["hw3.ipynb", "my_helper.py"],
            "o_neilbea (4712)": ["hw3.ipynb"],
            "carl (4713)": ["a-2.py", "a.py"],
            "dora (4714)": [],
            "李雷 (4715)": [],
        },
    ),
    "one number, two names": (
        ["game_3_44_a.py", "chess_3_45_a.py"],
        {"chess (3)": ["a.py"], "game (3)": ["a.py"]},
    ),
    "nbgrader's course": (
        [
            "nbgrader_config.py",
            "source/ps1/x.ipynb",
            "submitted/ada/ps1/x.ipynb",
            "submitted/bea/ps1/x.ipynb",
            "submitted/bea/ps2/y.ipynb",
        ],
        {"ada": ["x.ipynb"], "bea": ["x.ipynb", "y.ipynb"]},
    ),
    "a class in a class": (
        [
            "readme.txt",
            "HW3/Ada_1001_assignsubmission_file_/a.py",
            "HW3/Bea_1002_assignsubmission_file_/a.py",
            "group/ada/00-start-here.ipynb",
            "group/bea/00-start-here.ipynb",
            "canvas/ada_11_22_a.py",
            "canvas/bea_12_23_a.py",
        ],
        {
            "Ada (1001)": ["a.py"],
            "Bea (1002)": ["a.py"],
            "ada (11)": ["a.py"],
            "bea (12)": ["a.py"],
            "ada": ["00-start-here.ipynb"],
            "bea": ["00-start-here.ipynb"],
        },
    ),
}


@pytest.mark.parametrize("case", CLASSES)
@pytest.mark.parametrize("form", ["folder", "zip", "zip of the folder"])
def test_each_file_is_its_students(tmp_path: Path, case: str, form: str) -> None:
    names, expected = CLASSES[case]
    if form == "folder":
        path = tmp_path / "class"
        write(path, *names)
    else:
        path = tmp_path / "class.zip"
        wrapping = "class/" if form == "zip of the folder" else ""
        path.write_bytes(zipped(*(f"{wrapping}{name}" for name in names), "__MACOSX/._x.py"))
        expected = {path.name if each == "class" else each: expected[each] for each in expected}
    assert students(path) == expected


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_installed_packages_are_not_graded_and_named(tmp_path: Path, form: str) -> None:
    """A student may hand in a whole environment, with thousands of files."""
    names = [
        "ann/hw3.py",
        "ann/env/pyvenv.cfg",
        "ann/env/lib/python3.12/site-packages/numpy/a.py",
        "ann/env/bin/tool.py",
        "ann/libs/site-packages/b.py",
        "ann/libs/own.py",
        "venv/pyvenv.cfg",
        "venv/lib/c.py",
        "bob/conda-meta/history",
        "bob/Lib/d.py",
        "bob/bob.py",
        "cy/node_modules/e.py",
        "cy/cy.py",
    ]
    path = tmp_path / "class"
    if form == "folder":
        write(path, *names)
    else:
        path = tmp_path / "class.zip"
        path.write_bytes(zipped(*names))

    (ann, bob, cy), others = collect([str(path)])
    assert [hand_in.path.name for hand_in in ann.hand_ins] == ["hw3.py", "own.py"]
    assert [hand_in.path.name for hand_in in bob.hand_ins] == ["bob.py"]
    assert [hand_in.path.name for hand_in in cy.hand_ins] == ["cy.py"]
    words = "a folder of installed packages, which isn't read"
    assert ann.notes == [
        f"{name}: {words}" for name in ("env/bin", "env/lib", "libs/site-packages")
    ]
    assert bob.notes == [f"Lib: {words}"]
    assert cy.notes == [f"node_modules: {words}"]
    assert others == [f"{path}/venv; lib: {words}"]


HIDDEN_ANSWERS = [
    ".ann/hw3.py",
    ".ann/deep/.er/x.py",
    ".bob.ipynb",
    "cy/.work/hw3.py",
    "cy/.work/x.py",
    "dan/.hw3.py",
    "dan/hw3.py",
]
OF_PROGRAMS = [
    ".git/hooks/x.py",
    ".ipynb_checkpoints/hw3-checkpoint.ipynb",
    "__MACOSX/._hw3.py",
    "._hw3.py",
    "dan/.ipynb_checkpoints/hw3.ipynb",
    "dan/.venv/lib/x.py",
    "dan/.history/hw3.py",
    "dan/__pycache__/.x.py",
    ".eve/notes.txt",  # no answer
]


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_answers_whose_name_begins_with_a_dot_are_left_out_and_named(
    tmp_path: Path, form: str
) -> None:
    """What programs leave behind is no answer."""
    path = tmp_path / "class"
    if form == "folder":
        write(path, *HIDDEN_ANSWERS, *OF_PROGRAMS)
    else:
        path = tmp_path / "class.zip"
        path.write_bytes(zipped(*HIDDEN_ANSWERS, *OF_PROGRAMS))

    (dan,), others = collect([str(path)])
    assert [hand_in.path.name for hand_in in dan.hand_ins] == ["hw3.py"]
    words = "is left out, since its name begins with a dot"
    assert dan.notes == [f"{path}/dan/.hw3.py {words}"]
    assert others == [
        f"{path}/.ann {words}",
        f"{path}/.bob.ipynb {words}",
        f"{path}/cy; {path}/cy/.work {words}",
    ]


def test_a_class_of_left_out_answers_says_why_there_is_none(tmp_path: Path) -> None:
    write(tmp_path, ".ann/hw3.py")
    with pytest.raises(AbvizError, match=r"no hand-in: .*\.ann is left out, since its name"):
        collect([str(tmp_path)])


def test_a_given_file_or_a_given_folder_of_a_student(tmp_path: Path) -> None:
    """A given folder is a class, unless its name or its place says that it is a student's."""
    write(tmp_path, "a.py", "loose/x.py", "loose/y.py", "course/00-start-here.ipynb", "course/1.py")
    write(tmp_path, "Ada_7_assignsubmission_file_/x.py", "nb/submitted/ada/ps1/x.py")
    write(tmp_path, "nb/submitted/ada/ps1/helper.py", "nb/gradebook.db", "submitted/a/b/1.py")
    write(tmp_path, "submitted/a/b/2.py")
    assert students(tmp_path / "a.py", tmp_path / "a.py") == {"a.py": ["a.py"]}
    assert students(tmp_path / "loose") == {"x.py": ["x.py"], "y.py": ["y.py"]}
    assert students(tmp_path / "course") == {"course": ["00-start-here.ipynb"]}
    assert students(tmp_path / "Ada_7_assignsubmission_file_") == {"Ada (7)": ["x.py"]}
    assert students(tmp_path / "nb/submitted/ada/ps1") == {"ps1": ["helper.py", "x.py"]}
    assert len(students(tmp_path / "submitted/a/b")) == 2


def test_files_of_one_student_can_import_each_other(tmp_path: Path) -> None:
    """Also where they were downloaded beside those of others, under longer names."""
    write(tmp_path, "ada_11_22_hw-1.py", "ada_11_23_helper-2.py", "bea_12_24_hw.py")
    found, _ = collect([str(tmp_path)])
    (ada,) = (each for each in found if each.id == "11")
    assert {path.name for path in ada.hand_ins[0].path.parent.iterdir()} == {"hw.py", "helper.py"}
    assert all(hand_in.own_folder for hand_in in ada.hand_ins)
    assert ada.downloaded_as == ["ada_11_22_hw-1.py", "ada_11_23_helper-2.py"]


def test_a_zip_file_of_a_student_holds_the_students_files(tmp_path: Path) -> None:
    """A zip file in it is named, and not read."""
    inner = zipped("x.py")
    write(tmp_path, "ada/a.py", "Bea_7_assignsubmission_file_/readme.txt")
    (tmp_path / "ada/more.zip").write_bytes(zipped("w/00-start-here.ipynb", in__zip=inner))
    (tmp_path / "Bea_7_assignsubmission_file_/b.zip").write_bytes(b"PK\x03\x04 broken")
    (tmp_path / "carl.ZIP").write_bytes(zipped("hw/x.py", "hw/y.py"))
    (tmp_path / "dora_11_22_hw.zip").write_bytes(zipped("x.ipynb"))
    assert students(tmp_path) == {
        "Bea (7)": [],
        "ada": ["00-start-here.ipynb", "a.py"],
        "carl.ZIP": ["x.py", "y.py"],
        "dora (11)": ["x.ipynb"],
    }
    found, _ = collect([str(tmp_path)])
    notes = {each.label.rpartition("/")[2]: each.notes for each in found}
    assert notes["ada"] == ["in.zip is in another zip file and isn't read"]
    assert "b.zip can't be unpacked" in notes["Bea (7)"][0]
    assert "readme.txt" in notes["Bea (7)"][1] and "not graded; expected" in notes["Bea (7)"][1]
    assert notes["dora (11)"] == []


def link(name: str = "link.py", target: str = "/etc/passwd") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        entry = zipfile.ZipInfo(name)
        entry.create_system = 3
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, target)
    return file.getvalue()


def encrypted() -> bytes:
    content = bytearray(zipped("a.py"))
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + place] |= 1
    return bytes(content)


def bomb() -> bytes:
    """Return a file whose header states one byte, and which holds many."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.py", b"\0" * 3_000_000)
    return file.getvalue()


def twice() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, pytest.warns(UserWarning):
        archive.writestr("a.py", "x = 1")
        archive.writestr("a.py", "x = 2")
    return file.getvalue()


HOSTILE = {
    "above": (lambda: zipped("../a.py"), "../a.py would be outside of its folder"),
    "deep above": (lambda: zipped("x/../../a.py"), "would be outside"),
    "absolute": (lambda: zipped("/tmp/a.py"), "would be outside"),
    "drive": (lambda: zipped("C:/a.py"), "would be outside"),
    "backslash": (lambda: zipped("..\\a.py"), "would be outside"),
    "link": (link, "link.py is a link or a device"),
    "encrypted": (encrypted, "a.py needs a password"),
    "bomb": (bomb, "its files are too large; expected at most 100 MB of a student"),
    "many": (lambda: zipped(*(f"{i}.py" for i in range(60))), "60 files; expected at most 50"),
    "twice": (twice, "it holds a.py twice"),
    "long": (lambda: zipped(f"{'x' * 250}.py"), "too long a name"),
    "deep": (lambda: zipped(f"{'x/' * 40}a.py"), "too long a name"),
    "empty": (lambda: b"", "not a zip file"),
    "cut off": (lambda: zipped("a.py", "b.py")[:-30], "not a zip file"),
    "a file for a folder": (lambda: zipped("a", "a/b.py"), "can't be unpacked"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_zip_file_is_refused_in_one_line(tmp_path: Path, monkeypatch, case: str) -> None:
    """Nothing is outside of its folder; in a class it costs only its student."""
    monkeypatch.setattr(unpacking, "MOST_FILES", 50)
    monkeypatch.setattr(hand_ins, "MOST_BYTES", 1_000_000)
    content, problem = HOSTILE[case]
    path = tmp_path / "class" / "bea.zip"
    write(tmp_path, "class/ada.py", "unpacked/in/x")
    path.write_bytes(content())
    before = {each for each in tmp_path.rglob("*") if "in" not in each.parts}

    with pytest.raises(AbvizError, match=r"^bea\.zip can't be unpacked: ") as refused:
        collect([str(path)], tmp_path / "unpacked" / "in")
    assert problem in str(refused.value) and "\n" not in str(refused.value)

    found, not_read = collect([str(tmp_path / "class")], tmp_path / "unpacked" / "in")
    assert [each.label.rpartition("/")[2] for each in found] == ["ada.py"]
    assert problem in not_read[0]
    assert {each for each in tmp_path.rglob("*") if "in" not in each.parts} == before


def test_names_in_a_zip_file_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Some programs write UTF-8 without saying so. A file keeps its time."""
    content = bytearray(zipped("Zoë_7_assignsubmission_file_/a.py"))
    for signature, place in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        content[content.index(signature) + place] &= ~8
    (tmp_path / "class.zip").write_bytes(content)
    (student,), _ = collect([str(tmp_path / "class.zip")])
    assert student.label == "Zoë (7)"

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.py", (2025, 11, 14, 23, 58, 0)), "x = 1")
    (tmp_path / "timed.zip").write_bytes(file.getvalue())
    (student,), _ = collect([str(tmp_path / "timed.zip")])
    changed = time.localtime(os.stat(student.files[0]).st_mtime)
    assert time.strftime("%d.%m. %H:%M", changed) == "14.11. 23:58"


def test_canvas_says_who_was_late(tmp_path: Path) -> None:
    write(tmp_path, "ada_LATE_11_22_a.py", "bea_12_23_a.py", "carl.py")
    found, _ = collect([str(tmp_path)])
    late = {each.name: (each.late, each.late_by) for each in found}
    assert late == {
        "ada": (True, "Canvas's mark"),
        "bea": (False, "Canvas's mark"),
        "carl": (None, ""),
    }


@pytest.mark.parametrize(
    "name",
    ["hw3.ipynb", "my_helper_2.py", "1_2_3", "a_b_c.py", "LATE_1.py", "x_assignsubmission_file_"],
)
def test_other_names_say_nothing(name: str) -> None:
    assert read_name(name, is_folder=False) is None and read_name(name, is_folder=True) is None


def test_a_folder_of_folders_is_one_student_and_says_so(tmp_path: Path) -> None:
    """It may be a group, which is a class. A name may have a point, as a login has."""
    write(tmp_path, "group/ada/x.py", "group/bea/x.py", "dr. who/x.py", "dr. who/old/x.py")
    write(tmp_path, "ada@example.edu/deep/er/x.py")
    found, _ = collect([str(tmp_path)])
    assert {each.name: each.notes for each in found} == {
        "group": ["its folders are read as one student's: ada, bea"],
        "dr. who": [],
        "ada@example.edu": [],
    }


def test_a_student_makes_no_other_student_up(tmp_path: Path) -> None:
    """Beside the folders of others, a folder is one student, also if it looks like a class."""
    write(tmp_path, "ada/Bea_1002_assignsubmission_file_/x.py", "ada/c_11_22_x.py")
    write(tmp_path, "carl/gradebook.db", "carl/submitted/bea/x.py", "carl/submitted/dora/x.py")
    write(tmp_path, "eve/a/00-start-here.ipynb", "eve/bea/00-start-here.ipynb", "bea.py")
    (tmp_path / "fay.zip").write_bytes(zipped("Bea_1002_assignsubmission_file_/x.py"))
    assert students(tmp_path).keys() == {"ada", "bea.py", "carl", "eve", "fay.zip"}


def test_a_class_in_one_more_folder_says_that_it_is_read_as_one_student(tmp_path: Path) -> None:
    write(tmp_path, "download/HW 3/ada.py", "download/HW 3/bea.py")
    (student,), _ = collect([str(tmp_path / "download")])
    assert student.notes == ["all files in HW 3 are read as one student's"]


def test_zip_files_of_a_class_may_fill_only_so_much_of_a_disk(tmp_path: Path, monkeypatch) -> None:
    """Each of them, and all together."""
    monkeypatch.setattr(hand_ins, "MOST_BYTES_OF_ONE", 4_000_000)
    monkeypatch.setattr(hand_ins, "MOST_BYTES", 7_000_000)
    for name in ("ada", "bea", "carl", "dora"):
        (tmp_path / f"{name}.zip").write_bytes(bomb())
    found, not_read = collect([str(tmp_path)])
    assert [each.name for each in found] == ["ada", "bea"]
    assert len(not_read) == 2 and all("its files are too large" in each for each in not_read)


def test_a_folder_without_an_answer_is_listed_with_what_is_in_it(tmp_path: Path) -> None:
    for name in ("ada/hw.py", "bea/essay.docx", "bea/notes.txt", "cleo.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1")
    _, not_read = collect([str(tmp_path)])
    expected = "expected a file that ends in .ipynb, .py, .json"
    assert not_read == [
        f"{tmp_path / 'bea'}; essay.docx, notes.txt: not graded; {expected}",
        str(tmp_path / "cleo.pdf"),
    ]
