"""A student at work in a real JupyterLab: a wrong alpha-beta in a cell, its counterexample drawn;
fixed; watched.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.jupyter import Notebook

pytestmark = pytest.mark.browser

WRITTEN = """
def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = float("-inf") if node.is_max else float("inf")
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if node.is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha {sign} beta:
            break
    return bv

check("alphabeta", alphabeta)
"""


def test_a_wrong_search_is_written_fixed_and_watched(lab: Notebook) -> None:
    expect(lab.cell("check('alphabeta', lambda node, alpha, beta: None)")).to_contain_text(
        "not written yet"
    )

    wrong = lab.cell(WRITTEN.format(sign=">"))
    expect(wrong).to_contain_text("✗ alphabeta: wrong.")
    expect(wrong).to_contain_text("It looks as if it cuts only where bv is beyond the bound")
    expect(wrong).to_contain_text("The first difference: your alphabeta reads leaf")
    picture = wrong.get_by_role("img", name="[−1, [−1, 0]]")
    expect(picture).to_be_visible()
    drawn = picture.evaluate("image => [image.complete, image.naturalWidth, image.naturalHeight]")
    assert drawn[0] and min(drawn[1:]) > 100, "the tree is drawn"

    right = lab.cell(WRITTEN.format(sign=">="))
    expect(right).to_contain_text("✓ alphabeta: right.")
    assert right.get_by_role("img").count() == 0

    shown = lab.stepper("watch(alphabeta, load('figure-4.24'))")
    assert "Your run matches our alpha-beta: the same nodes in the same order" in shown.says
    assert shown.node("A")["bv"] == "4" and shown.node("N")["state"] == "skipped"
    shown.press("Home")
    assert shown.step == 0
    shown.press("c")
    assert shown.node("I")["alpha"] == "3" and shown.node("I")["bv"] == "0"
    assert "alpha >= beta" in shown.root.inner_text(), "beside it stands the function's own source"
