"""A picture remembers what it last showed and repaints the difference: what it shows depends on
nothing but the scene all the same.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from abviz import Rules, trace
from abviz.views.modules import join
from tests.seeds import seeded
from tests.strategies import RULES, random_tree
from tests.test_twin import sent

pytestmark = pytest.mark.browser

PICTURE = Path(__file__).parents[1] / "page/picture.js"
SHOWS = 60


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_picture_shows_what_a_fresh_one_does(page: Page, seed: int) -> None:
    choose = seeded(seed).choice
    rules = Rules(**{name: choose([False, True]) for name in RULES})
    tree = random_tree(choose(range(10_000)), depth=choose([1, 2, 3, 4]))
    page.goto("about:blank")
    page.add_script_tag(content=join(PICTURE), type="module")
    page.wait_for_function("() => !!globalThis.firstStalePicture")
    stale = page.evaluate(
        "([tree, seed, shows]) => firstStalePicture(tree, seed, shows)",
        [sent(trace(tree, rules=rules)), choose(range(1, 10_000)), SHOWS],
    )
    assert stale is None
