"""Modules of JavaScript, joined to one text: each keeps its own names, and only what can be joined is."""

import json
import re
from pathlib import Path

import pytest

from abviz import AbvizError
from abviz.play.board import HERE as PLAY
from abviz.views.bundle import PAGE
from abviz.views.modules import compact, join, pieces
from tests.node import running_node

FILES = sorted(Path(PAGE.parents[1]).rglob("*.js"))
PAGES = [PAGE / "page.js", PLAY / "board.js", PAGE.parents[1] / "exercises" / "predictions.js"]


def write(folder: Path, **modules: str) -> Path:
    """Write modules into files and return that of the first."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / f"{next(iter(modules))}.js"


def test_two_modules_may_have_a_helper_of_one_name(tmp_path: Path) -> None:
    first = write(
        tmp_path,
        first="""import { doubled, helper as imported } from "./second.js";
import { doubled as again } from "./third.js";
const helper = (n) => n + 1;
const box = "first";
globalThis.answer = [helper(1), imported(1), doubled(5), again(5), box];
""",
        second="""import { shared } from "./third.js";
const box = "second";
export const helper = (n) => n + 100;
export const doubled = (n) => `${box} ${shared(n)}`;
""",
        third="""const helper = (n) => n * 2;
const box = "third";
export function shared(n) {
  return helper(n);
}
export const doubled = (n) => `${box} ${helper(n)}`;
""",
    )
    joined = tmp_path / "joined.mjs"
    joined.write_text(join(first), "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for path in (first, joined):
        with running_node() as node:
            node.load(path)
            assert node.call("answer") == [2, 101, "second 10", "third 10", "first"], path.name


def test_values_given_take_the_place_of_those_in_the_file(tmp_path: Path) -> None:
    first = write(
        tmp_path,
        first='import { LIST } from "./second.js";\nglobalThis.answer = LIST;\n',
        second="export const LIST = [];\n",
    )
    joined = tmp_path / "joined.mjs"
    joined.write_text(join(first, {"LIST": ["</script>", 1]}), "utf-8")
    with running_node() as node:
        node.load(joined)
        assert node.call("answer") == ["</script>", 1]


@pytest.mark.parametrize(
    ("second", "line", "expected"),
    [
        ("export default 3;\n", 1, "export default { render }"),
        ("export const a = 1;\nexport default { render };\n", 2, "in the first module only"),
        ('\nimport * as all from "./third.js";\n', 2, "import { names }"),
        ('import third from "./third.js";\n', 1, "import { names }"),
        ('import "./third.js";\n', 1, "import { names }"),
        ('import {} from "./third.js";\n', 1, "names to import"),
        ('const it = 1;\n  const all = import("./third.js");\n', 2, "import { names }"),
        ('const text = `a ${import("./third.js")}`;\n', 1, "import { names }"),
        ('export { three } from "./third.js";\n', 1, "export in front of"),
        ('export * from "./third.js";\n', 1, "export in front of"),
        ("const a = 1;\nexport { a };\n", 2, "export in front of"),
        ("export let a = 1;\n", 1, "export in front of"),
        ("export const { a } = { a: 1 };\n", 1, "export in front of"),
        ('import { four } from "./third.js";\n', 1, "third.js to export four"),
        ('import { three } from "./nowhere.js";\n', 1, "a file at ./nowhere.js"),
        ('import { three } from "third";\n', 1, "a file at third"),
        ('import { b } from "./first.js";\nexport const a = b;\n', 1, "no circle of imports"),
        ("console.log(import.meta.url);\n", 1, "import { names }"),
        ('const a = "not closed;\n', 1, "a text that ends"),
        ("const a = `not\nclosed;\n", 1, "a text that ends"),
    ],
)
def test_anything_else_is_refused_with_its_file_and_line(
    tmp_path: Path, second: str, line: int, expected: str
) -> None:
    first = write(
        tmp_path,
        first='import { a } from "./second.js";\nexport const b = a;\n',
        second=second,
        third="export const three = 3;\n",
    )
    with pytest.raises(AbvizError, match=f"^second.js, line {line}: .*{re.escape(expected)}"):
        join(first)


def test_only_indentation_empty_lines_and_comments_that_end_a_line_go() -> None:
    script = """// a comment
const a = 1; // goes
    /** A longer
     * comment. */
  const b = `two
    // no comment
  /* nor this */ ${ { c: `x
    ${a}` }.c }

  end`;

  /* stays */ const url = "http://x"; // import { a } from "./b.js"
const pattern = /[/"'`]\\/\\//g.test(url) ? a / b / 2 : `}`;
"""
    assert (
        compact(script)
        == """const a = 1;
const b = `two
    // no comment
  /* nor this */ ${ { c: `x
    ${a}` }.c }

  end`;
/* stays */ const url = "http://x";
const pattern = /[/"'`]\\/\\//g.test(url) ? a / b / 2 : `}`;
"""
    )


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_no_text_and_no_template_of_a_module_changes(path: Path) -> None:
    def meaning(script: str) -> list[str]:
        parts = [each for each in pieces(script) if each.kind not in ("space", "comment")]
        return [each.text for each in parts]

    script = path.read_text("utf-8")
    assert "".join(each.text for each in pieces(script)) == script
    assert meaning(compact(script)) == meaning(script)


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_what_a_browser_gets_is_a_module_that_renders(path: Path, tmp_path: Path) -> None:
    joined = tmp_path / "joined.mjs"
    text = join(path)
    assert text.endswith("export default { render };\n")
    joined.write_text(f"{text}globalThis.kind = typeof render;\n", "utf-8")
    with running_node() as node:
        node.load(joined)
        assert node.call("kind") == "function"


def test_the_core_knows_no_browser() -> None:
    core = sorted((PAGE / "core").glob("*.js"))
    assert len(core) >= 10
    for path in core:
        code = " ".join(
            each.text for each in pieces(path.read_text("utf-8")) if each.kind == "code"
        )
        names = set(re.findall(r"(?<![.\w$])[A-Za-z_$][\w$]*", code))
        outside = {"document", "window", "navigator", "localStorage", "fetch", "location"}
        assert not names & outside, path.name
        sources = re.findall(r'^import .* from "([^"]+)"', path.read_text("utf-8"), re.MULTILINE)
        assert all(each.endswith(".json") or re.match(r"\./[^/]+$", each) for each in sources)


def test_styles_and_icons_are_chosen_by_class_and_not_by_a_label() -> None:
    styles = sorted(PAGE.parents[1].rglob("*.css"))
    assert len(styles) > 3
    assert not [path.name for path in styles if "aria-label" in path.read_text("utf-8")]


def test_the_page_gets_no_looks_that_it_does_not_use() -> None:
    scripts = "".join(path.read_text("utf-8") for path in PAGE.rglob("*.js"))
    looks = json.loads((PAGE / "looks.json").read_text("utf-8"))
    unused = [
        name
        for name in looks
        if not re.search(rf"\b{name}\b.*\bLOOKS\b|\bLOOKS\.{name}\b", scripts)
    ]
    assert unused == []
