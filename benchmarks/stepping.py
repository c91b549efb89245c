"""What a step and a changed leaf cost in a real JupyterLab in a real browser: the stepper, which
searches in the page, against a button that asks Python for a fresh picture, in turn. And the sizes
of pages, and the first Stepper of a kernel.
"""

import base64
import sys
import tempfile
import zlib
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Locator, sync_playwright

# The browser and the server are those of the tests
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from abviz import Tree, load, trace
from abviz.views.bundle import as_script, page, page_data, program
from tests.browser.driving import launch, new_context
from tests.browser.jupyter import Notebook, serving

STEPS = {"40 nodes": 60, "1,000 nodes": 12}
KERNELS, EDITS, OPENINGS = 5, 21, 31
STEP_AIM = 2  # ms from the click to the DOM
SEEN_AIM = 1  # s from running the first cell with a Stepper until it is seen
# Ms from a keystroke in a leaf to the finished picture
EDIT_AIMS = {"40 nodes": 8, "1,000 nodes": 60}
DATA_AIM, PAGE_AIMS = 5, (120, 165)  # kB: of a tree's own data, of pages of 40 and of 1,093 nodes

IMPORTS = "from abviz import Stepper, draw, load, make_tree, trace\nimport ipywidgets"
TREES = {
    "40 nodes": "t = trace(load('order-worst'))",
    "1,000 nodes": "t = trace(make_tree(seed=9, depth=6, branching=(2, 4)))",  # 993
}
ROUND_TRIP = """
picture, at, leaf = ipywidgets.HTML(), 0, t.tree.nodes[-1].name
buttons = [ipywidgets.Button(description="Next"), ipywidgets.Button(description="Change the leaf")]

def show_next(_):
    global at
    at += 1
    picture.value = draw(t, at).pipe("svg", encoding="utf-8")

def change_leaf(_):
    global t
    t = trace(t.tree.with_value(leaf, t.tree[leaf].value + 1))
    picture.value = draw(t, min(at, len(t))).pipe("svg", encoding="utf-8")

for button, act in zip(buttons, (show_next, change_leaf)):
    button.on_click(act)
ipywidgets.VBox([*buttons, picture], layout={"max_height": "600px"})
"""
PAINTED = (
    "const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));"
)
CLICK_STEPPER = f"""async (root) => {{
  {PAINTED}
  root.scrollIntoView();
  await painted();
  const next = root.querySelector("[aria-label=Next]");
  const start = performance.now();
  next.click();
  const done = performance.now() - start;
  await painted();
  return [done, performance.now() - start];
}}"""
CLICK_BUTTON = f"""async (box, place) => {{
  {PAINTED}
  box.scrollIntoView();
  await painted();
  const start = performance.now();
  const there = new Promise((done) => new MutationObserver(done).observe(box, {{ childList: true, subtree: true }}));
  box.querySelectorAll("button")[place ?? 0].click();
  await there;
  const done = performance.now() - start;
  await painted();
  return [done, performance.now() - start];
}}"""
EDIT = f"""async (root, value) => {{
  {PAINTED}
  const leaf = [...root.querySelectorAll("[data-node][role=button]:not([aria-expanded])")].at(-1);
  leaf.focus();
  leaf.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Enter", bubbles: true }}));
  const input = root.querySelector(".abviz-edit");
  input.value = value;
  await painted();
  const start = performance.now();
  input.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Enter", bubbles: true }}));
  const done = performance.now() - start;
  await painted();
  return [done, performance.now() - start];
}}"""
SEEN = """async () => {
  const start = performance.now();
  jupyterapp.commands.execute("notebook:run-cell");
  while (!(panel.node.querySelector(".abviz-stepper")?.getBoundingClientRect().height > 0)) {
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}"""


# From the beginning of the page until its stepper has been painted
USABLE = """
window.usable = new Promise((done) => {
  const look = () => {
    if (!document.querySelector(".abviz-stepper [data-node]")) return requestAnimationFrame(look);
    setTimeout(() => done(performance.now()));
  };
  requestAnimationFrame(look);
});
"""


def main() -> None:
    home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with home as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        server.write("steps.ipynb", IMPORTS)
        notebook = Notebook(
            new_context(browser, reduced_motion="no-preference").new_page(), server, "steps.ipynb"
        )
        notebook.run_all()
        stepping(notebook)
        server.write("first.ipynb", f"{IMPORTS}\nStepper(load('worked-example'))")
        first_seen(
            Notebook(
                new_context(browser, reduced_motion="no-preference").new_page(),
                server,
                "first.ipynb",
            )
        )
        opening(browser, Path(folder))
        browser.close()
    building()


def stepping(notebook: Notebook) -> None:
    print(
        "A step in JupyterLab, from the click until the DOM is done and until it is painted; medians, ms"
    )
    print(
        f"{'tree':14}{'stepper':>9}{'painted':>9}{'round trip':>12}{'painted':>9}{'ratio':>8}{'painted':>9}"
    )
    for name, steps in STEPS.items():
        stepper = notebook.stepper(f"{TREES[name]}; s = Stepper(t); s").root
        button = notebook.cell(ROUND_TRIP).locator(".widget-vbox")
        button.wait_for()
        ours, theirs = in_turn(stepper, button, steps)
        assert int(stepper.get_attribute("data-step") or 0) == steps == int(notebook.ask("at"))
        row = [*ours, *theirs, theirs[0] / ours[0], theirs[1] / ours[1]]
        print(
            f"{name:14}{row[0]:9.2f}{row[1]:9.1f}{row[2]:12.1f}{row[3]:9.1f}{row[4]:8.0f}{row[5]:9.1f}"
        )
        edits = [
            (*stepper.evaluate(EDIT, str(value)), *button.evaluate(CLICK_BUTTON, 1))
            for value in range(EDITS)
        ]
        done, painted, *theirs = (median(column) for column in zip(*edits, strict=True))
        print(
            f"{'':14}a changed leaf: {done:.1f} ms, painted {painted:.1f} (aim ≤ {EDIT_AIMS[name]});",
            end=" ",
        )
        print(f"by a round trip {theirs[0]:.1f}, painted {theirs[1]:.1f}")
    print(f"(aim: the stepper's DOM ≤ {STEP_AIM} ms in both)")


def in_turn(stepper: Locator, button: Locator, steps: int) -> tuple[list[float], list[float]]:
    """For each way the medians of [ms until the DOM is done, ms until it is painted]."""
    ways = (stepper, CLICK_STEPPER), (button, CLICK_BUTTON)
    found: list[list[Any]] = [[], []]
    for _ in range(steps):
        for (element, click), times in zip(ways, found, strict=True):
            times.append(element.evaluate(click))
    ours, theirs = ([median(column) for column in zip(*times, strict=True)] for times in found)
    return ours, theirs


def first_seen(notebook: Notebook) -> None:
    """In kernels that have shown no Stepper: fresh ones, in which the cell imports abviz, and such
    as have done so.
    """
    times = [
        (run_in_new_kernel(notebook, warm=False), run_in_new_kernel(notebook, warm=True))
        for _ in range(KERNELS)
    ]
    fresh, warm = (median(column) for column in zip(*times, strict=True))
    print(
        f"the first Stepper of a warm kernel is seen after {warm:.2f} s (aim ≤ {SEEN_AIM}),",
        end=" ",
    )
    print(f"of a fresh one, imports and all, after {fresh:.2f} s")


def run_in_new_kernel(notebook: Notebook, *, warm: bool) -> float:
    notebook.page.evaluate("panel.sessionContext.session.kernel.restart()")
    notebook.page.evaluate("panel.sessionContext.session.kernel.info")
    notebook.page.evaluate("jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    notebook.do(IMPORTS if warm else "pass")
    assert notebook.page.locator(".abviz-stepper").count() == 0
    return float(notebook.page.evaluate(SEEN)) / 1000


def opening(browser: Browser, folder: Path) -> None:
    """Open the page of 40 nodes as it is, and with its program as plain text, in turn."""
    text = page([trace(load("order-worst"))])
    script = zlib.decompress(base64.b64decode(program())).decode()
    plain = f'<script type="module" id="abviz-program">{script}</script>'
    call = f'openProgram("{program()}");'
    assert call in text
    ways = {
        "compressed": text,
        "plain": text.replace(call, "").replace("</body>", f"{plain}</body>"),
    }
    for way, content in ways.items():
        (folder / f"{way}.html").write_text(content, encoding="utf-8")

    context = new_context(browser)
    context.add_init_script(USABLE)
    tab = context.new_page()
    times: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(OPENINGS):
        for way in ways:
            tab.goto((folder / f"{way}.html").as_uri())
            times[way].append(tab.evaluate("usable"))
    context.close()
    medians = ", ".join(f"{way} {median(each):.0f} ms" for way, each in times.items())
    print(f"an exported page of 40 nodes is painted after {medians}")


def building() -> None:
    def worst_first(depth: int, low: int, high: int) -> Any:
        """Ternary and in the order in which nothing is cut: for each player the worst move comes
        first.
        """
        if not depth:
            return low
        third = (high - low) / 3
        bands = [(low + round(i * third), low + round((i + 1) * third)) for i in range(3)]
        return [
            worst_first(depth - 1, *band) for band in (bands if depth % 2 == 0 else bands[::-1])
        ]

    for searched, aim in zip(
        (trace(load("order-worst")), trace(Tree(worst_first(6, 0, 3**6)))), PAGE_AIMS, strict=True
    ):
        whole, data = (
            len(text.encode()) / 1000 for text in (page([searched]), as_script(page_data(searched)))
        )
        nodes = len(searched.tree)
        print(
            f"a page of {nodes:,} nodes: {whole:.0f} kB (aim ≤ {aim}), of which its own data {data:.1f}",
            end=" ",
        )
        print(f"(aim ≤ {DATA_AIM})" if nodes < 100 else "")


if __name__ == "__main__":
    main()
