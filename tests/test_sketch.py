"""Pictures where Graphviz is not installed: they show what Graphviz's do, in the page's layout."""

from itertools import pairwise

import pytest
from hypothesis import given, settings

from abviz import Tree, draw, load, shipped, trace
from abviz.errors import AbvizError
from abviz.tracing.traces import Trace
from abviz.views import drawing, rendering
from abviz.views.bundle import page_data
from abviz.views.drawing import layout
from abviz.views.rendering import Picture, tikz
from tests import oracle, strategies
from tests.test_drawing import Seen, seen

FIGURE = trace(load("figure-4.24"))


@pytest.fixture
def no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    without_graphviz(monkeypatch)


def without_graphviz(patch: pytest.MonkeyPatch) -> None:
    for module in (drawing, rendering):
        patch.setattr(module, "is_installed", lambda *packages: "pygraphviz" not in packages)
    patch.setattr("abviz.capabilities.is_installed", lambda *packages: False)


def seen_without(picture: Picture) -> Seen:
    with pytest.MonkeyPatch.context() as patch:
        without_graphviz(patch)
        return seen(picture)


@given(strategies.traces())
@settings(max_examples=strategies.FEWER)
def test_each_mark_is_that_of_graphviz(searched: Trace) -> None:
    for step in range(0, len(searched) + 1, 3):
        picture = draw(searched, step)
        assert seen_without(picture) == seen(picture)


@given(strategies.named_trees())
@settings(max_examples=strategies.FEWER)
def test_any_name_is_text(tree: Tree) -> None:
    picture = draw(trace(tree), 1)
    assert seen_without(picture) == seen(picture)


@pytest.mark.parametrize("name", shipped())
def test_a_tree_alone_is_drawn_too(name: str) -> None:
    picture = draw(load(name))
    assert seen_without(picture) == seen(picture)


@given(strategies.trees())
@settings(max_examples=strategies.FEWER)
def test_parents_stand_in_the_middle_and_no_nodes_touch(tree: Tree) -> None:
    picture = draw(trace(tree), 0)
    with pytest.MonkeyPatch.context() as patch:
        without_graphviz(patch)
        (width, height), centers = layout(picture)

    levels = oracle.levels(tree)
    wide, high = zip(*(picture.parts.size_of(f"n{node.index}") for node in tree.nodes), strict=True)
    for level in set(levels.values()):
        row = [node.index for node in tree.nodes if levels[node.name] == level]
        for left, right in pairwise(sorted(row, key=lambda index: centers[index][0])):
            assert centers[left][0] + wide[left] / 2 < centers[right][0] - wide[right] / 2
    for index, (x, y) in centers.items():
        assert x - wide[index] / 2 > -1 and x + wide[index] / 2 < width + 1
        assert y - high[index] / 2 > -1 and y + high[index] / 2 < height + 1


@pytest.mark.usefixtures("no_graphviz")
def test_the_page_gets_every_place() -> None:
    data = page_data(FIGURE)
    assert len(data["places"]["centres"]) == len(FIGURE.tree)
    assert None not in data["places"]["centres"]
    part = page_data(FIGURE, "C")["places"]["centres"]
    assert [place is None for place in part] == [
        node not in FIGURE.tree.below(FIGURE.tree["C"]) for node in FIGURE.tree.nodes
    ]


@pytest.mark.usefixtures("no_graphviz")
def test_what_needs_graphviz_says_so_in_one_line() -> None:
    picture = draw(FIGURE)
    for work in (lambda: picture.pipe("png"), lambda: tikz(picture)):
        with pytest.raises(
            AbvizError, match=r"needs pygraphviz, .*; expected the format svg"
        ) as it:
            work()
        assert "\n" not in str(it.value)


@pytest.mark.usefixtures("no_graphviz")
def test_a_notebook_shows_it_and_a_copy_is_as_good(tmp_path) -> None:
    picture = draw(FIGURE, 17)
    assert "data:image/svg+xml" in picture._repr_html_()
    assert picture.copy().parts == picture.parts
    picture.render(tmp_path / "figure", format="svg")
    assert (tmp_path / "figure.svg").read_text("utf-8").startswith("<?xml")
