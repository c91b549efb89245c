"""What a screen reader gets: names, true roles, and each step read out once and politely."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import load, trace
from abviz.tracing.narration import narrate
from tests.browser.driving import Show, Shown, node

pytestmark = pytest.mark.browser

CONTROLS = {
    "button",
    "combobox",
    "slider",
    "checkbox",
    "textbox",
    "link",
    "menuitem",
    "tab",
    "spinbutton",
}


def accessible(page: Page) -> list[dict[str, Any]]:
    """Chromium's own accessibility tree, without what it leaves out."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [
        {
            "role": node["role"]["value"],
            "name": node.get("name", {}).get("value", ""),
            "description": node.get("description", {}).get("value", ""),
            **{each["name"]: each["value"].get("value") for each in node.get("properties", [])},
        }
        for node in nodes
        if not node["ignored"]
    ]


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(trace(load("figure-4.24")), show="all")
    return shown


def test_every_control_has_a_name_of_its_own(page: Page, shown: Shown) -> None:
    shown.open_more()
    for key in ["Home", "c", "End"]:
        shown.press(key)
        controls = [node for node in accessible(page) if node["role"].lower() in CONTROLS]
        names = [node["name"] for node in controls]
        assert all(names) and len(names) == len(set(names)) == 20 + 18
        assert all(node.get("focusable") for node in controls)


def test_the_controls_are_what_they_say(shown: Shown) -> None:
    steps = ["First", "Previous cut", "Previous", "Play", "Next", "Next cut", "Last"]
    for name in [*steps, "Predict", "Full screen", "Help"]:
        button = shown.button(name)
        expect(button).to_have_count(1)
        assert (button.get_attribute("title") or "").startswith(name), (
            "the same for those who see, with its key"
        )
        assert "(" in (button.get_attribute("title") or "")
        assert button.locator("svg").get_attribute("aria-hidden") == "true"
        box = button.bounding_box()
        assert box and min(box["width"], box["height"]) >= 24
    shown.press("c")
    slider = shown.root.get_by_role("slider", name="Step")
    attributes = [slider.get_attribute(name) for name in ("min", "max", "step", "aria-valuetext")]
    assert attributes == ["0", "39", "1", "step 17 of 39"]
    for name in ["Speed", "Form of the pseudocode"]:
        expect(shown.root.get_by_role("combobox", name=name)).to_be_visible()
    assert shown.page.locator("html").get_attribute("lang") == "en"


def test_each_step_is_read_out_once_and_politely(shown: Shown) -> None:
    """What is read out is there from the start, and at a step only the sentence changes."""
    regions = shown.live_regions()
    assert [region.get_attribute("class") for region in regions] == ["abviz-says", "abviz-what-if"]
    assert regions[0].get_attribute("aria-live") == "polite"
    speech = shown.record_speech()
    searched = trace(load("figure-4.24"))
    shown.press("ArrowRight", "c", "End")
    assert speech() == [narrate(searched, step) for step in (1, 17, 39)]


def test_the_picture_is_described_node_by_node(page: Page, shown: Shown) -> None:
    shown.press("c")
    nodes = {
        node["name"] for node in accessible(page) if node["role"].lower() in ("image", "button")
    }
    assert "MIN node I, α 3, β 0, bv 0, its value ≤ 0, active" in nodes
    assert "MAX node A, α 3, β ∞, bv 3, its value ≥ 3, open" in nodes
    assert {
        "MAX leaf N, value 7, skipped",
        "MAX leaf M, value 0, done",
        "MAX node G, waiting",
    } <= nodes
    assert any(
        name.startswith("Number line: α 3, β 0, bv 0; 0 came up") and "“cut”" in name
        for name in nodes
    )
    expect(shown.root.get_by_role("group", name="Game tree of 14 nodes")).to_be_visible()


def test_the_pseudocode_and_the_stack_say_where_they_are(shown: Shown) -> None:
    shown.press("c")
    assert (
        shown.root.get_by_role("list", name="Pseudocode").locator("[aria-current=step]").count()
        == 1
    )
    stack = shown.root.get_by_role("table", name="Call stack")
    assert stack.get_by_role("columnheader").all_text_contents() == ["Call stack", "α", "β", "bv"]
    assert stack.get_by_role("rowheader").all_text_contents() == ["▲ A", "▼ C", "▲ F", "▼ I"]
    assert stack.locator("[aria-current]").inner_text().split() == ["▼", "I", "3", "0", "0"]


def test_nothing_that_takes_the_focus_is_hidden_from_readers(shown: Shown) -> None:
    focusable = "button, input, select, summary, a[href], [tabindex='0']"
    for hiding in ["[aria-hidden=true]", "[role=img]"]:
        assert shown.root.locator(hiding).locator(focusable).count() == 0


def test_a_branch_says_whether_it_is_folded_and_minimax_beside_it_is_a_picture(
    page: Page, shown: Shown
) -> None:
    shown.press("m")
    node(shown, "C").first.focus()
    for expanded in ("false", "true"):
        page.keyboard.press("Enter")
        expect(node(shown, "C").first).to_have_attribute("aria-expanded", expanded)
        assert node(shown, "C").count() == 2 and node(shown, "F").count() == 2 * (
            expanded == "true"
        ), "on both sides"
    node(shown, "C").first.dispatch_event("click")  # as a screen reader presses it
    expect(node(shown, "C").first).to_have_attribute("aria-expanded", "false")
    other = shown.root.get_by_role("group", name="Minimax, game tree of 14 nodes")
    assert other.locator("[role=img]").count() == other.locator("[data-node]").count() > 3
    assert other.locator("[tabindex], [aria-expanded]").count() == 0
    assert node(shown, "C").last.evaluate("node => getComputedStyle(node).cursor") == "auto"


def test_practice_says_which_nodes_hold_fields_what_is_cut_and_what_is_wrong(shown: Shown) -> None:
    shown.press("w")
    expect(node(shown, "A")).to_have_attribute("role", "group")
    expect(node(shown, "N")).to_have_attribute("role", "img")
    node(shown, "N").focus()
    for label in ("MAX leaf N, value 7, open, marked as cut off", "MAX leaf N, value 7, open"):
        shown.page.keyboard.press("x")
        expect(node(shown, "N")).to_have_attribute("aria-label", label)
    field = shown.root.get_by_label("bv of A")
    field.fill("99")
    expect(shown.root.locator(".abviz-reasons")).to_have_css("display", "none")
    shown.click("Check")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(shown.root.get_by_label("What is wrong")).to_have_attribute("tabindex", "0")
    field.fill("4")
    assert field.get_attribute("aria-invalid") is None


def test_what_an_edit_changes_is_read_out_and_nothing_else_again(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), step=3)
    shown.ask("""root => {
      window.spoken = [];
      for (const region of root.querySelectorAll("[role=status]")) {
        new MutationObserver(() => spoken.push(region.textContent)).observe(region, { childList: true, subtree: true });
      }
    }""")
    for value in ("5", "5.0"):
        node(shown, "i1").focus()
        for key in ("Enter", *value, "Enter"):
            shown.page.keyboard.press(key)
    assert shown.page.evaluate("spoken") == ["With i1 = 5 the search returns 6 and no longer 8."]


@pytest.mark.parametrize("options", [{"reduced_motion": "reduce"}])
def test_nothing_moves_for_readers_who_ask_for_less_motion(shown: Shown) -> None:
    shown.press("ArrowRight")
    assert shown.page.evaluate("document.getAnimations().length") == 0
