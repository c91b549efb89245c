"""The board in a real JupyterLab: games played by clicks, by dragging and by keys, set up, loaded
and explained.
"""

import re
from ast import literal_eval
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from abviz import Checkers, search
from abviz.play.board import clicks
from tests.browser.driving import SIZE, eventually, wait_until
from tests.browser.jupyter import Notebook
from tests.slow_search import STICKS

pytestmark = pytest.mark.browser

# Black wins in a dozen plies, by a man crowned and two men captured at once.
ENDING = "B:W21,22,24,26:B4,5,7,13,15,16,K32"


@pytest.fixture
def lab(lab: Notebook) -> Iterator[Notebook]:
    lab.do("from abviz.play import Player")
    yield lab
    lab.do("b.close()")


def board(lab: Notebook, source: str) -> Locator:
    root = lab.cell(f"b = {source}\nb").locator(".abviz-board")
    root.wait_for()
    root.scroll_into_view_if_needed()
    return root


def square(root: Locator, name: object) -> Locator:
    return root.locator(f"[data-square='{name}']")


def press(root: Locator, name: str) -> None:
    root.get_by_role("button", name=name).click()


def test_a_whole_game_of_checkers_by_clicks(lab: Notebook) -> None:
    root = board(lab, f"Board(Checkers.from_fen('{ENDING}'), players=('you', Player(depth=1)))")
    position, plies, crowned, captured = Checkers.from_fen(ENDING), 0, False, 0
    while not position.over():
        move = search(position, 5).move
        way = next(way for way in clicks(position) if way["name"] == move)
        number = position.find_move(move)
        captured = max(captured, position.gain(number))
        after = position.rules["play"](position, number)
        crowned |= (after.kings & after.black).bit_count() > (
            position.kings & position.black
        ).bit_count()
        for each in [*way["from"], *way["to"]]:
            square(root, each + 1).click()
        plies += 1 if after.over() else 2
        eventually(lambda: int(lab.ask("len(b.match.plies) * (b._thread is None)")), plies)
        position = Checkers.from_fen(lab.ask("b.position.fen").strip("'"))
        if plies == 4:
            press(root, "Undo")
            eventually(lambda: lab.ask("len(b.match.plies)"), "2")
            press(root, "Redo")
            eventually(lambda: lab.ask("len(b.match.plies)"), "4")
    assert crowned and captured == 2
    expect(root.get_by_role("status")).to_contain_text("1-0: White has no legal move.")
    assert lab.ask("b.match.result") == "'1-0'"

    press(root, "Why?")
    stepper = root.locator(
        "xpath=ancestor::*[contains(@class, 'jp-OutputArea-output')][1]"
    ).locator(".abviz-stepper")
    stepper.wait_for()
    expect(stepper).to_contain_text("Checkers: ")
    assert stepper.locator(".abviz-square svg").count() > 0, "boards at the nodes"


def test_why_answers_with_the_moves_and_their_replies(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', Player(depth=4)))")
    for name in (11, 15):
        square(root, name).click()
    eventually(lambda: lab.ask("(len(b.match.plies), b._thread)"), "(2, None)")
    press(root, "Why?")
    rows = root.locator("tbody tr")
    rows.first.wait_for()

    read = """rows => rows.map((row) => {
      const [, value, reply] = row.cells;
      return [row.querySelector("button").textContent, value.firstChild.textContent, reply.textContent];
    })"""
    known = """[
      [each.move, each.in_words(('Black', 'White')), each.reply or '–']
      for each in b._decision.answers()
    ]"""
    assert rows.evaluate_all(read) == literal_eval(lab.ask(known))
    expect(root.locator("[aria-pressed=true]")).to_have_text(lab.ask("b.match.moves[1]").strip("'"))
    expect(rows.first).to_contain_text("★ best")
    answer = root.locator(".abviz-board-answer")
    answer.wait_for()
    assert lab.ask(f"b._decision.summary(b.match.moves[1]) == {answer.text_content()!r}") == "True"

    stepper = root.locator("xpath=ancestor::*[contains(@class, 'widget-box')][1]").locator(
        ".abviz-stepper"
    )
    stepper.wait_for()
    wait_until(
        lab.page,
        "document.querySelector('.abviz-board-answer').getBoundingClientRect().bottom < innerHeight",
    )
    expect(stepper.locator("[data-node]").first).to_be_in_viewport()

    last = rows.last.get_by_role("button")
    last.focus()
    lab.page.keyboard.press("Enter")
    expect(last).to_have_attribute("aria-pressed", "true")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    eventually(
        lambda: lab.ask(
            "b.children[1].spec['top'] == b.children[1].tree[b.view.decision['chosen']].index"
        ),
        "True",
    )
    press(root, "Undo")
    expect(root.locator("table")).to_have_count(0)


def test_dragging_and_what_the_engine_thinks(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', Player(seconds=3)))")
    square(root, 11).drag_to(square(root, 15), force=True)
    expect(root.get_by_role("status")).to_contain_text("Black has played 11-15. White is thinking")
    expect(root.locator(".abviz-board-thought")).to_contain_text("million a second")
    expect(root.locator(".abviz-arrow").first).to_be_visible()
    square(root, 1).click()
    expect(root.get_by_role("status")).to_contain_text(
        "It isn't your turn. Black has played 11-15."
    )
    press(root, "Stop")
    expect(root.get_by_role("status")).to_contain_text("White to move.")
    assert lab.ask("b.match.moves") == "('11-15',)"
    square(root, 1).click()
    expect(root.get_by_role("status")).to_contain_text("1 is not part of a legal move here.")


def test_a_move_is_shown_before_python_has_played_it(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    shown = root.evaluate(
        """(root) => {
          const square = (name) => root.querySelector(`[data-square="${name}"]`);
          for (const name of [11, 15, 15]) square(name).dispatchEvent(new MouseEvent("click"));
          const words = [11, 15].map((name) => square(name).getAttribute("aria-label"));
          return [...words, root.ariaBusy, root.querySelector("[role=status]").textContent];
        }"""
    )
    assert shown == ["11, empty", "15, black man", "true", "Black has played 11-15."]
    eventually(lambda: root.get_attribute("aria-busy"), None)
    expect(root.get_by_role("status")).to_have_text("Black has played 11-15. White to move.")
    assert lab.ask("b.match.moves") == "('11-15',)"
    lab.do(
        "b._receive(None, {'do': 'play', 'move': '11-15', 'version': b.view.state['version']}, None)"
    )
    expect(root.get_by_role("alert")).to_contain_text("11-15")


def test_keys_play_and_stay_on_the_board(lab: Notebook) -> None:
    root = board(lab, "Board(TicTacToe.start(), players=('you', 'you'))")
    before = lab.cells()
    square(root, "a3").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        lab.page.keyboard.press(key)
    eventually(lambda: lab.ask("b.match.moves"), "('b2',)")
    expect(square(root, "b2")).to_be_focused()
    assert square(root, "b2").get_attribute("aria-label") == "b2, x"
    for key in ("d", "d", "b"):
        lab.page.keyboard.press(key)
    assert lab.cells() == before


def test_what_is_chosen_and_where_it_can_go_is_told(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    assert root.locator("svg text:not([aria-hidden=true], [aria-hidden=true] *)").count() == 0, (
        "loose numbers"
    )
    square(root, 11).click()
    expect(square(root, 11)).to_have_attribute("aria-pressed", "true")
    expect(square(root, 15)).to_have_attribute("aria-label", "15, empty, can go here")
    square(root, 22).click()
    expect(square(root, 15)).to_have_attribute("aria-label", "15, empty")
    assert root.locator("[aria-pressed]").count() == 0
    expect(root.get_by_role("status")).to_contain_text("22 is not part of a legal move here")
    press(root, "Set up")
    expect(root.get_by_role("status")).to_have_text("Setting up a position.")


# How far each number keeps from its piece; a piece is a circle of this radius, its rim included
ROOM = """(root) => {
  const numbers = [...root.querySelectorAll(".abviz-square-number")].map((text) => {
    const { x, y, width } = text.getBBox();
    return { x, y, width, height: Number(text.getAttribute("y")) - y }; // digits stand on their line
  });
  const pieces = [...root.querySelectorAll("[class^=abviz-piece]")].map((piece) => piece.transform.baseVal[0].matrix);
  const away = ({ x, y, width, height }, { e, f }) => Math.hypot(
    Math.max(x - e, 0, e - x - width), Math.max(y - f, 0, f - y - height));
  return Math.min(...numbers.flatMap((number) => pieces.map((piece) => away(number, piece)))) - 15.25;
}"""


def test_no_piece_hides_a_number_and_no_target_looks_like_a_piece(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    assert root.evaluate(ROOM) > 0
    square(root, 10).click()
    targets = root.locator(".abviz-board-targets path")
    expect(targets).to_have_count(2)
    middle = "(part) => { const { x, y, width, height } = part.getBBox(); return [x + width / 2, y + height / 2]; }"
    places = [square(root, name).evaluate(middle) for name in (14, 15)]
    assert sorted(targets.evaluate_all(f"all => all.map({middle})")) == sorted(places)
    for name in (14, 15):
        assert square(root, name).evaluate("part => getComputedStyle(part).stroke") == "none"
        assert "can go here" in (square(root, name).get_attribute("aria-label") or "")


def test_the_board_is_as_wide_as_the_window_allows(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    width = "part => part.getBoundingClientRect().width"
    assert root.locator(".abviz-board-picture").evaluate(width) >= 540
    lab.page.set_viewport_size({"width": 1366, "height": 625})
    assert root.locator(".abviz-board-picture").evaluate(width) == pytest.approx(435, abs=5)
    lab.page.set_viewport_size(SIZE)


def test_a_board_that_is_turned_is_played_in_the_same_way(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    place = "part => { const { x, y } = part.getBoundingClientRect(); return [x, y]; }"
    first, last = (square(root, name).evaluate(place) for name in (1, 32))
    flip = root.get_by_role("button", name="Flip")
    flip.click()
    expect(flip).to_have_attribute("aria-pressed", "true")
    turned = [square(root, name).evaluate(place) for name in (32, 1)]
    assert turned == [pytest.approx(first, abs=0.5), pytest.approx(last, abs=0.5)]
    assert root.evaluate(ROOM) > 0

    square(root, 11).click()
    lab.page.keyboard.press("ArrowUp")  # towards White, whose side is above now
    expect(root.locator("[data-square]:focus")).to_have_attribute(
        "data-square", re.compile("15|16")
    )
    lab.page.keyboard.press("Enter")
    eventually(lambda: lab.ask("len(b.match.plies)"), "1")
    expect(flip).to_have_attribute("aria-pressed", "true")


def test_a_click_in_the_list_of_moves_shows_the_position_after_it(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    lab.do("[b.play(move) for move in ('11-15', '23-19', '8-11')]")
    listed = root.locator(".abviz-board-played")
    expect(listed.get_by_role("button")).to_have_text(["Start", "11-15", "23-19", "8-11"])
    current = listed.locator("[aria-current=step]")
    expect(current).to_have_text("8-11")

    listed.get_by_role("button", name="11-15").focus()
    lab.page.keyboard.press("Enter")
    eventually(lambda: lab.ask("b.match.moves"), "('11-15',)")
    expect(current).to_have_text("11-15")
    expect(current).to_be_focused()
    listed.get_by_role("button", name="8-11").click()
    eventually(lambda: lab.ask("len(b.match.plies)"), "3")
    assert root.locator(".abviz-changed").count() == 2, "the last move is marked"


def test_the_bar_says_in_words_what_it_shows(lab: Notebook) -> None:
    root = board(lab, "Board(TicTacToe.start(), players=('you', Player(depth=9)))")
    meter = root.locator(".abviz-board-meter")
    expect(meter).to_have_attribute("aria-label", "The engine's value: not known")
    square(root, "b2").click()
    eventually(lambda: lab.ask("len(b.match.plies)"), "2")
    expect(meter).to_have_attribute("aria-label", "The engine's value: value 0 for x, proven")
    expect(root.locator(".abviz-board-thought")).to_have_text("value 0 for x, proven")
    height = "part => part.getBoundingClientRect().height"
    share = root.locator(".abviz-board-share").evaluate(height) / meter.evaluate(height)
    assert share == pytest.approx(0.5, abs=0.01)


PICTURED = (
    STICKS
    + """
def svg(self):
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30" onload="document.title=1">' \\
        f'<text y="20">{self.left} left</text><script>top.document.title = "changed"</script></svg>'
Sticks.svg = svg
"""
)


def test_a_game_of_ones_own_gives_a_picture_that_runs_nothing(lab: Notebook) -> None:
    lab.do(PICTURED)
    title = lab.page.title()
    root = board(lab, "Board(Sticks(7), players=('you', 'you'))")
    image = root.locator(".abviz-board-picture > img")
    expect(image).to_have_attribute("alt", lab.ask("str(b.position)").strip("'"))
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    before = image.get_attribute("src")
    root.get_by_role("button", name="2", exact=True).click()
    expect(image).not_to_have_attribute("src", before or "")
    assert root.locator("script, .abviz-board-picture svg").count() == 0
    assert lab.page.title() == title


def test_moves_by_name_keep_the_keyboard(lab: Notebook) -> None:
    lab.do(STICKS)
    root = board(lab, "Board(Sticks(7), players=('you', 'you'))")
    root.get_by_role("button", name="1", exact=True).focus()
    for plies in (1, 2):
        lab.page.keyboard.press("Enter")
        eventually(lambda: lab.ask("len(b.match.moves)"), str(plies))
        expect(root.get_by_role("button", name="1", exact=True)).to_be_focused()


def test_marbles_are_chosen_and_moved_together(lab: Notebook) -> None:
    root = board(lab, "Board(Abalone.start(), players=('you', 'you'))")
    for name in ("C4", "C5", "D5"):
        square(root, name).click()
    eventually(lambda: lab.ask("b.match.moves"), "('C4-C5-D5',)")
    square(root, "I9").drag_to(square(root, "H8"), force=True)
    eventually(lambda: lab.ask("b.match.moves"), "('C4-C5-D5', 'I9-H8')")


def test_an_opponent_and_its_limit_are_chosen(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    white, amount = root.get_by_role("combobox", name="White"), root.get_by_role("spinbutton")
    unit = root.get_by_role("combobox", name="Unit of the limit")
    unit.select_option("moves deep")
    eventually(lambda: lab.ask("b._engine"), "Player(depth=1)")
    amount.fill("3")
    amount.press("Enter")
    eventually(lambda: lab.ask("b._engine"), "Player(depth=3)")
    expect(amount).to_be_focused()
    white.select_option("engine")
    eventually(lambda: lab.ask("b.players"), "['you', Player(depth=3)]")
    for name in (11, 15):
        square(root, name).click()
    eventually(lambda: lab.ask("(len(b.match.plies), b._thread)"), "(2, None)")
    amount.fill("0")
    amount.press("Enter")
    expect(root.get_by_role("alert")).to_have_text(
        "depth is 0; expected a whole number of moves, 1 to 99"
    )
    expect(amount).to_have_value("3")
    assert lab.ask("b.players") == "['you', Player(depth=3)]"
    press(root, "Set up")
    press(root, "Clear")
    press(root, "Cancel")
    expect(square(root, 12)).to_have_attribute("aria-label", re.compile("^12, black man"))


def test_a_problem_can_be_read_on_dark_and_a_finger_has_room(lab: Notebook) -> None:
    lab.do("from abviz import predict")
    scale = lab.cell("predict('How many leaves?', name='touched', between=(0, 12))").get_by_role(
        "slider"
    )
    scale.wait_for()
    root = board(lab, "Board()")
    lab.page.evaluate(
        "jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"
    )
    lab.do("b.view.problem = 'No such move.'")
    expect(root.get_by_role("alert")).to_have_text("No such move.")
    wait_until(lab.page, "document.body.dataset.jpThemeName === 'JupyterLab Dark'")
    eventually(
        lambda: root.evaluate("root => probe.faint(root.querySelector('[role=alert]'), 4.5)"), []
    )
    touch = lab.page.context.new_cdp_session(lab.page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert lab.page.evaluate("matchMedia('(pointer: coarse)').matches")
    for part in (root.locator("summary"), scale):
        assert part.evaluate("part => part.getBoundingClientRect().height") >= 44
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    # JupyterLab removes the splash of each change after a while, and fails where a second change
    # shares it.
    wait_until(lab.page, "!document.getElementById('jupyterlab-splash')")
    lab.page.evaluate(
        "jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })"
    )


FAINT = """root => ["bar", "side", "why"].flatMap(
  (part) => probe.faint(root.querySelector(`.abviz-board-${part}`), 4.5))"""


def test_all_that_stands_beside_the_board_can_be_read_on_light_and_dark(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', Player(depth=2)))")
    lab.do("b.play('11-15'); b.wait(); b.why()")
    root.locator("table").wait_for()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        wait_until(lab.page, "!document.getElementById('jupyterlab-splash')")
        lab.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        wait_until(lab.page, f"document.body.dataset.jpThemeName === '{theme}'")
        eventually(lambda: root.evaluate(FAINT), [])


def test_setting_up_and_loading(lab: Notebook) -> None:
    root = board(lab, "Board(players=('you', 'you'))")
    press(root, "Set up")
    press(root, "Clear")
    for name, times in ((1, 2), (32, 3)):
        for _ in range(times):
            square(root, name).click()
    root.get_by_role("combobox", name="To move").select_option("White")
    press(root, "Done")
    eventually(lambda: lab.ask("b.position.fen"), "'B:W32:BK1'".replace("B:", "W:", 1))

    root.locator("summary").click()
    text = root.get_by_role("textbox", name="Position or game as text")
    text.fill("1. 11-15 22-99")
    press(root, "Load")
    expect(root.get_by_role("alert")).to_contain_text(
        "the PDN, game 1, line 1: the move is '22-99'; expected squares from 1 to 32"
    )
    assert lab.ask("b.position.fen") == "'W:W32:BK1'"
    text.fill("1. 11-15 23-19 2. 8-11")
    press(root, "Load")
    eventually(lambda: lab.ask("b.match.moves"), "('11-15', '23-19', '8-11')")
