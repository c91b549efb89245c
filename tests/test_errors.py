"""How numbers and names are written, and how bad input is quoted."""

import json
import tracemalloc
import unicodedata
from math import inf

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import errors
from abviz.errors import as_json, brief, columns, count, number, quoted, short, unknown, visible
from tests import strategies

NUMBERS = [  # for a person, for JSON
    (-1, "−1", -1),
    (0.5, "0.5", 0.5),
    (-2.0, "−2", -2.0),
    (-inf, "−∞", "-inf"),
    (None, "?", None),
    (10**20, "100000000000000000000", 10**20),
]


@pytest.mark.parametrize("value, person, record", NUMBERS)
def test_a_number_for_each_reader(value, person, record):
    assert (number(value), as_json(value)) == (person, record)


@given(st.one_of(st.integers(), st.floats(allow_nan=False)))
def test_a_program_reads_back_what_is_written(value):
    assert float(number(value).replace("−", "-").replace("∞", "inf")) == float(value)
    assert float(json.loads(json.dumps(as_json(value), allow_nan=False))) == float(value)


@settings(max_examples=60)
@given(st.one_of(strategies.STRANGE, st.text()), st.integers(3, 30))
def test_a_shown_name_obeys_nobody_and_fits(name, most):
    for shown in (visible(name), quoted(name)):
        for letter in shown.strip("\u2068\u2069"):
            assert unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp")
            assert not "\u202a" <= letter <= "\u202e" and not "\u2066" <= letter <= "\u2069"
    assert len(visible(name)) == len(name)
    assert len(short(name, most)) <= most
    assert short(name, 200) == visible(name) or len(name) > 200


def test_control_characters_right_to_left_text_and_long_names():
    assert visible("a\nb\t\x1b[31m\x7f\x9b\u202e") == "a␊b␉␛[31m␡��"
    for name in ("שלום", "abc שלום", "مرحبا", "A\u200fB"):
        assert quoted(name) == f"\u2068{name}\u2069"
    long = quoted(".".join(["0"] * 500))
    assert (
        len(long) in (59, 60)
        and "…" in long
        and long.startswith("0.0.0")
        and long.endswith("0.0.0")
    )
    assert visible("größe ✂ 日本") == quoted("größe ✂ 日本") == "größe ✂ 日本"
    assert quoted("x" * 60) == "x" * 60 and quoted("x" * 61) != "x" * 61


WIDTHS = {
    "": 0,
    "abc": 3,
    "日本": 4,
    "e\u0301": 1,
    "ア\u3099": 2,
    "👩\u200d💻": 2,
    "👩\u200d💻a": 3,
    "👍🏽": 2,
    "✂": 1,
}
WIDTHS |= {
    "✂\ufe0f": 2,
    "❤\ufe0f\u200d🔥": 2,
    "🇫🇷": 2,
    "🎲🎲": 4,
    "\u2068a\u2069": 1,
    "−∞": 2,
    "▲ A": 3,
    "نا": 2,
}


def test_how_many_columns_a_text_fills():
    for text, wide in WIDTHS.items():
        assert columns(text) == wide


def test_bad_input_is_quoted_in_brief():
    assert brief("a\nb") == "'a\\nb'"
    assert brief(numpy.array([[1, 2], [3, 4]])) == "array([[1, 2], [3, 4]])"
    assert (brief(brief), brief(object())) == ("<function brief>", "<object object>"), (
        "without its address"
    )
    assert "0x" not in brief(iter([3])) + brief([].append) + brief(lambda: 3) + brief(
        st.integers().map
    )
    assert len(brief("x" * 1000)) <= 40 and len(brief([[["x" * 99] * 99] * 99] * 99)) < 300


def test_an_unknown_name_is_refused_with_the_nearest_or_the_first():
    assert (
        str(unknown("rule", "stric", ["strict", "soft"]))
        == "unknown rule 'stric': did you mean strict?"
    )
    assert str(unknown("rule", 3, ["strict", "soft"])) == "unknown rule 3: there are strict, soft"
    assert str(unknown("rule", "", [])) == "unknown rule '': there are none"
    assert str(unknown("node", "?", map(str, range(99)))).endswith(
        ": there are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"
    )
    assert [count(n, "leaf", "leaves") for n in (0, 1, 1000)] == [
        "0 leaves",
        "1 leaf",
        "1,000 leaves",
    ]


class Counted(str):
    """A text that can't be walked through as a whole: only its parts can."""

    def split(self, *rest):
        raise AssertionError("all of it is split")

    def translate(self, *rest):
        raise AssertionError("all of it is translated")


def test_a_huge_text_is_cut_before_it_is_made_a_line():
    huge = "x" * 10**6
    for text in (Counted(huge), Counted(f"{huge}\n  end")):
        assert len(errors.short(text)) <= errors.LONGEST_IN_PICTURE
        line = errors.in_one_line(text)
        assert len(line) <= errors.LONGEST_READ + 1 and "\n" not in line

    assert errors.one_line(ValueError(f"{huge}\n  end")).endswith("xxx end")
    assert errors.brief(bytes(10**6)) == errors.brief(bytes(10**4))
    many = bytes(10**6)
    tracemalloc.start()
    errors.brief(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10**6, "all of it is written"
    assert errors.short("a\x1bb" + "c" * 99, 9) == "a␛bc…cccc"
