"""A student's page in a browser: both steppers at their step, on a laptop, a phone and without
scripts.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from abviz.exercises import searches
from abviz.grading.feedback import write_feedback
from tests.browser.driving import new_context
from tests.test_feedback import STRICT, report_on

EVIL = "'</script><script>alert(1)</script><img src=x onerror=alert(2)>'"


@pytest.fixture
def feedback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a student's page."""
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)
    text = STRICT.replace("    bv =", f"    note = {EVIL}\n    bv =", 1)
    write_feedback(report_on(tmp_path / "in", {"a.py": text}), tmp_path / "out")
    (page,) = (tmp_path / "out").iterdir()
    return page.as_uri()


@pytest.mark.parametrize(
    "options",
    [{"viewport": {"width": 390, "height": 844}}, {"viewport": {"width": 1280, "height": 800}}],
)
def test_both_steppers_open_at_their_step(page: Page, feedback: str, options: dict) -> None:
    page.set_viewport_size(options["viewport"])
    page.goto(feedback)
    expect(page.locator(".abviz-stepper")).to_have_count(2)
    mine, ours = page.locator(".abviz-stepper").all()
    expect(mine).to_contain_text("your alphabeta reads leaf b2 (0)")
    expect(ours).to_contain_text("α-cut at B")

    boxes = [each.bounding_box() for each in (mine, ours)]
    assert boxes[0] and boxes[1]
    if options["viewport"]["width"] > 1000:
        assert boxes[1]["x"] > boxes[0]["x"] + boxes[0]["width"], "they are beside each other"
    else:
        assert boxes[1]["y"] > boxes[0]["y"] + boxes[0]["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    mine.get_by_role("button", name="Next", exact=True).click()
    expect(mine).not_to_contain_text("your alphabeta reads leaf b2 (0)")
    expect(ours).to_contain_text("α-cut at B")


def test_without_scripts_there_are_the_words_and_both_pictures(
    browser: Browser, feedback: str
) -> None:
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(feedback)
    expect(page.locator("mark")).to_have_text("        value = alphabeta(child, alpha, beta)")
    expect(page.get_by_text("↑ here it first differs")).to_be_visible()
    pictures = page.locator(".abviz-place img")
    assert pictures.count() == 2
    for picture in pictures.all():
        assert picture.evaluate("image => image.complete && image.naturalWidth > 100")
    context.close()
