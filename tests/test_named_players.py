"""Players with names: in tree files, in the tree of a position, and in sentences."""

import json
import pickle
import re

import pytest

from abviz import TicTacToe, Tree, trace
from abviz.errors import AbvizError
from abviz.tracing.narration import narrate, sentence
from abviz.tree.files import parse
from abviz.views.bundle import page_data
from tests.node import running_node
from tests.test_twin import TWIN, everything, sent

YOU_AND_O = """
players: [you, o]
root: now
tree:
  a2: {a1: 0, a3: -1}
  b2: {b1: -1, b3: 1}
"""
HOSTILE = ("<img src=x onerror=alert(1)>"[:20], "o\n")


def test_a_file_names_the_players_and_sentences_conjugate():
    searched = trace(parse(YOU_AND_O))
    assert searched.tree.players == ("you", "o")
    cut = searched.cuts[0]
    assert sentence(searched, cut.step, "values") == (
        "You already have −1 at a2. At b2, o can hold you to −1, so the other reply is skipped."
    )
    assert "You already have −1 at now (through a2)" in sentence(searched, cut.step)
    assert narrate(searched, 0).startswith(
        "▲ You want a big number, ▼ o a small one. What can you be"
    )

    mirrored = trace(Tree([[1, 3], [0, 4]], to_move="min", players=("x", "you")))
    said = " ".join(
        text for step in range(len(mirrored) + 1) for text in (sentence(mirrored, step, "values"),)
    )
    assert "where you pick the lowest value" in said and "where x picks the highest value" in said
    assert not re.search(r"\byou (has|is|picks|moves)\b", said)


def test_names_stay_with_the_tree():
    tree = parse(YOU_AND_O)
    assert parse(tree.to_yaml()) == tree and "players" in tree.to_yaml()
    assert pickle.loads(pickle.dumps(tree)).players == ("you", "o")
    for other in (tree.with_value("b1", 3), tree.reordered(lambda node: node.children[::-1])):
        assert other.players == ("you", "o")
    assert Tree([[0, -1]], players=("you", "o")) != Tree([[0, -1]])
    assert "players" not in Tree([[0, -1]]).to_yaml()


def test_the_tree_of_a_position_may_name_them():
    position = TicTacToe.from_cells("xoxxoxo..")
    tree = position.to_tree(2, players=["you", "o"])
    assert tree.players == ("you", "o")
    assert tree.with_value(next(tree.leaves()).name, 3).players == ("you", "o")
    assert position.to_tree(2).players == ("MAX", "MIN")


@pytest.mark.parametrize(
    "players", ["you", "[you]", "[you, o, x]", "[o, o]", "[you, [o]]", "{you: o}", "['', o]", "3"]
)
def test_other_players_are_refused_in_one_line(players):
    with pytest.raises(AbvizError) as refused:
        parse(f"players: {players}\ntree: [1, 2]")
    message = str(refused.value)
    assert "\n" not in message and "such as players: [you, o]" in message


def test_the_page_says_the_same_and_names_are_shown_safely():
    trees = [
        parse(YOU_AND_O),
        Tree([[3, 5], [2, 9]], players=("o", "You")),
        Tree([[3, 5], [2, 9]], players=HOSTILE),
        Tree([[3, 5], [2, 9]], players=("שחור", "白")),
    ]
    with running_node() as twin:
        twin.load(TWIN)
        searched = [trace(tree) for tree in trees]
        cases = [sent(each) | {"players": page_data(each)["players"]} for each in searched]
        for each, answer in zip(searched, twin.call("twin", cases), strict=True):
            result = json.loads(answer)
            assert result["narration"] == everything(each)["narration"]
            assert result["sentences"] == everything(each)["sentences"]
            assert all("\n" not in text for texts in result["narration"] for text in texts)
