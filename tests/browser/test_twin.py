"""A sample of what Node checks of the page's modules, in a real browser."""

import json

import pytest
from playwright.sync_api import Page

from abviz.views.modules import join
from tests.test_twin import TWIN, expected

pytestmark = pytest.mark.browser
SAMPLE = 20  # traces


def test_a_browser_computes_what_node_does(page: Page) -> None:
    page.goto("about:blank")
    page.add_script_tag(content=join(TWIN), type="module")
    page.wait_for_function("() => !!globalThis.twin")
    sample = expected(SAMPLE, seed=0)
    answers = page.evaluate("cases => twin(cases)", [case for case, _ in sample])
    assert [json.loads(answer) for answer in answers] == [result for _, result in sample]
