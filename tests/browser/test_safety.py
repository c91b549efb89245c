"""Names and titles may hold anything: they show as typed, nothing is executed, and a page sends no
request.
"""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from abviz import Tree, load, trace
from abviz.errors import short, visible
from abviz.tracing.narration import narrate, sentence
from abviz.views.bundle import PAGE, export
from abviz.views.modules import read_module
from tests.browser.driving import Show, new_context, steppers
from tests.hostile import NAMES

pytestmark = pytest.mark.browser


def hostile_tree() -> Tree:
    half = len(NAMES) // 2
    inner: Any = {name: {f"{name} MAX": 3, f"{name} MIN": 1} for name in NAMES[half:]}
    return Tree(
        {"<b>left</b>": dict.fromkeys(NAMES[:half], 2), "right'\">": inner},
        root="<root>",
        title="".join(NAMES),
        source="</title><script>alert('source')</script>",
        note="' onmouseover='alert(6)' \" onfocus=\"alert(7)",
    )


def test_every_name_shows_as_typed_and_nothing_is_executed(page: Page, show: Show) -> None:
    tree = hostile_tree()
    searched = trace(tree)
    (shown,) = show(searched)
    names = [node.name for node in tree.nodes]
    texts = shown.root.locator("[data-node]").evaluate_all(
        """nodes => nodes.map((node) => [
          node.dataset.node,
          node.querySelector("text.abviz-name, text.abviz-head").textContent,
          node.querySelector("title")?.textContent,
        ])"""
    )
    assert [name for name, _, _ in texts] == names
    for node, (_, text, title) in zip(tree.nodes, texts, strict=True):
        glyph = "" if node.is_leaf else "▲ " if node.is_max else "▼ "
        assert text == f"{glyph}{short(node.name)}"
        full = visible(node.name)
        assert title == (full if full != short(node.name) else None), (
            "all of a name that the picture has shortened"
        )
    assert shown.root.locator(".abviz-title strong").text_content() == visible(tree.title)
    assert visible(tree.source) in (shown.root.locator(".abviz-title").text_content() or "")
    # A browser joins the spaces in a title
    assert page.title().split() == visible(tree.title).split()
    says = [look["says"] for look in shown.walk("Next", len(searched))]
    assert says == [narrate(searched, step) for step in range(len(searched) + 1)]
    shown.root.hover()
    assert page.evaluate("document.scripts.length") == 2
    foreign = "img, iframe, object, embed, link, a, b, [onerror], [onfocus]"
    assert page.locator(foreign).count() == 0
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0, (
        "the page asks for nothing"
    )


def test_without_scripts_there_are_the_sentences(browser: Browser, tmp_path: Path) -> None:
    shown = [trace(hostile_tree()), trace(load("figure-4.24"))]
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(export(shown, tmp_path / "page.html").as_uri())
    said = page.locator("body > div > p").all_text_contents()
    assert said == [f"{sentence(searched, 0)} (The tree needs JavaScript.)" for searched in shown]
    assert page.locator("body > div > *").count() == 2, "a name is text"
    context.close()


@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        ("<script>delete window.DecompressionStream;</script>", "needs a newer browser"),
        ("<script>window.atob = () => '';</script>", "program is damaged"),
    ],
)
def test_a_page_that_cannot_be_opened_says_so_in_place_of_the_tree(
    page: Page, tmp_path: Path, spoiled: str, says: str
) -> None:
    path = export([trace(load("figure-4.24")), trace(hostile_tree())], tmp_path / "page.html")
    path.write_text(path.read_text("utf-8").replace("<head>", f"<head>{spoiled}"), "utf-8")
    page.goto(path.as_uri())
    for said, searched in zip(
        page.locator("body > div").all(),
        (trace(load("figure-4.24")), trace(hostile_tree())),
        strict=True,
    ):
        expect(said).to_contain_text(says)
        assert (said.text_content() or "").startswith(f"{sentence(searched, 0)} (The tree")
        assert "JavaScript" not in (said.text_content() or "")


def test_a_page_that_a_browser_has_saved_opens_once(page: Page, show: Show, tmp_path: Path) -> None:
    show(trace(load("figure-4.24")))
    saved = tmp_path / "saved.html"
    saved.write_text(page.content(), "utf-8")
    page.goto(saved.as_uri())
    expect(page.locator(".abviz-stepper:focus")).to_be_visible()  # and no longer the saved one
    (shown,) = steppers(page)
    assert [look["step"] for look in shown.walk("Next", 2)] == ["0", "1", "2"]
    assert page.evaluate("document.scripts.length") == 2


class Listening:
    """A server on this machine that records the paths of its requests."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Type", "text/javascript")
                self.end_headers()
                self.wfile.write(b"window.loaded = true;")

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def listening() -> Iterator[Listening]:
    listening = Listening()
    thread = threading.Thread(target=listening.server.serve_forever)
    thread.start()
    yield listening
    listening.server.shutdown()
    thread.join()
    listening.server.server_close()


KINDS = [
    "connect-src",
    "img-src",
    "script-src-elem",
    "style-src-elem",
    "frame-src",
    "font-src",
    "form-action",
]
ASK = """async ([url, kinds]) => {
  const refused = new Set();
  document.addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
  const add = (tag, attributes) => document.body.append(Object.assign(document.createElement(tag), attributes));
  await fetch(url + "/fetch").catch(() => 0);
  try { navigator.sendBeacon(url + "/beacon", "x"); } catch {}
  try { new WebSocket(url.replace("http", "ws") + "/socket"); } catch {}
  try { new EventSource(url + "/events"); } catch {}
  try { new Worker(URL.createObjectURL(new Blob(["1"]))); } catch {}
  await import(url + "/module.js").catch(() => 0);
  add("img", { src: url + "/image" });
  add("script", { src: url + "/script.js" });
  add("link", { rel: "stylesheet", href: url + "/style.css" });
  add("iframe", { src: url + "/frame" });
  add("object", { data: url + "/object" });
  add("video", { src: url + "/video" });
  add("style", { textContent: `@font-face { font-family: x; src: url(${url}/font) } body { font-family: x }` });
  add("style", { textContent: `body { background: url(${url}/background) }` });
  const form = document.createElement("form");
  form.action = url + "/form";
  form.target = "elsewhere";
  document.body.append(form);
  form.submit();
  add("base", { href: url });
  while (!kinds.every((kind) => refused.has(kind))) await new Promise((done) => setTimeout(done, 20));
}"""


def test_the_policy_allows_no_request_even_if_something_asked(
    browser: Browser, listening: Listening, tmp_path: Path
) -> None:
    context = new_context(browser)
    page = context.new_page()
    page.goto(export([trace(load("figure-4.24"))], tmp_path / "page.html").as_uri())
    page.evaluate(ASK, [listening.url, KINDS])
    assert listening.asked == []
    assert not page.evaluate("'loaded' in window")
    page.goto(f"{listening.url}/there")
    assert "/there" in listening.asked, "the server does answer"
    context.close()


def test_no_module_exports_a_name_that_a_browser_has(page: Page) -> None:
    """Joined, the others would use it in place of the browser's."""
    files = sorted(PAGE.parents[1].rglob("*.js"))
    names = [export for file in files for export in read_module(file).exports]
    assert "Tree" in names
    assert page.evaluate("(names) => names.filter((name) => name in window)", names) == []
