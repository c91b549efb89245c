"""JavaScript modules joined to one text, each in a function of its own, without a build step.

Only this is allowed: imports by name, and of a JSON file as a whole; exports in front of a
declaration; and in the first module `export default { render };`, which a widget needs. So the same
files run in Node and in a browser as they stand.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from abviz.errors import AbvizError

PIECE = re.compile(
    r"""(?P<code>[^\s"'`/{}]+(?:[ ]+[^\s"'`/{}]+)*)
    | (?P<space>\s+)
    | (?P<comment>//[^\n]* | /\*.*?\*/)
    | (?P<quoted>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
    | (?P<tick>`)
    | (?P<slash>/)
    | (?P<brace>[{}])
    """,
    re.VERBOSE | re.DOTALL,
)
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?P<end>`|\$\{)", re.DOTALL)

# What stands before a slash that divides: a value. Anything else comes before a pattern.
IS_VALUE = re.compile(r"(?:[\w$)\]}\"'`])$")
IS_KEYWORD = re.compile(r"\b(?:return|typeof|case|in|of|void|delete|throw|else|do|await|yield)$")

NAMES = r"\{(?P<names>[\w$,\s]*)\}"
IMPORT = re.compile(rf'import {NAMES} from "(?P<path>[^"\n]+)";')
IMPORT_JSON = re.compile(
    r'import (?P<name>[\w$]+) from "(?P<path>[^"\n]+\.json)" with \{ type: "json" \};'
)
EXPORT = re.compile(r"export (?=(?:const|class|(?:async )?function\*?) (?P<name>[\w$]+))")
EXPORT_DEFAULT = re.compile(r"export default \{ render \};")
MODULE_WORD = re.compile(r"(?<![\w$.#])(?:import|export)(?![\w$])(?!\s*:)")


class Piece(NamedTuple):
    kind: str
    text: str
    start: int


def pieces(text: str) -> Iterator[Piece]:
    """Yield the parts of a script: spaces, comments, quoted texts, templates, patterns and code."""
    at = 0
    last = ""  # the code, quoted text or sign before this place
    open_braces: list[str] = []  # "{" of a block or an object, "${" inside a template

    while at < len(text):
        found = PIECE.match(text, at)
        if found is None:
            raise ValueError(at)
        kind = found.lastgroup or ""
        end = found.end()

        if kind == "slash":
            is_division = IS_VALUE.search(last) and not IS_KEYWORD.search(last)
            pattern = None if is_division else PATTERN.match(text, at)
            kind = "pattern" if pattern else "code"
            end = pattern.end() if pattern else end
        elif kind == "tick" or (found[0] == "}" and open_braces and open_braces[-1] == "${"):
            if kind == "brace":
                open_braces.pop()
            template = TEMPLATE.match(text, at + 1)
            if template is None:
                raise ValueError(at)
            kind = "template"
            end = template.end()
            if template["end"] == "${":
                open_braces.append("${")
        elif found[0] == "{":
            open_braces.append("{")
        elif found[0] == "}" and open_braces:
            open_braces.pop()

        piece = Piece(kind, text[at:end], at)
        if kind not in ("space", "comment"):
            last = "" if piece.text.endswith("${") else piece.text
        yield piece
        at = end


def compact(text: str) -> str:
    """Return the script without indentation, empty lines, and comments that end a line."""
    kept: list[str] = []
    is_at_start = True  # of a line

    parts = list(pieces(text))
    for place, piece in enumerate(parts):
        following = parts[place + 1] if place + 1 < len(parts) else None
        ends_line = following is None or (following.kind == "space" and "\n" in following.text)
        if piece.kind == "comment" and ends_line:
            if kept and kept[-1].isspace() and not is_at_start:
                kept.pop()  # the space between the code and its comment
        elif piece.kind == "space":
            has_line_end = "\n" in piece.text
            if has_line_end and not is_at_start:
                kept.append("\n")
            elif not is_at_start:
                kept.append(piece.text)
            is_at_start = is_at_start or has_line_end
        else:
            kept.append(piece.text)
            is_at_start = False

    return "".join(kept)


@dataclass
class Module:
    """A module as it was read: what it imports, what it exports, and the rest of its text."""

    path: Path
    # Of each import: the file, the names there and here, and the line. A JSON file has one name.
    imports: list[tuple[Path, list[tuple[str, str]], int]] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    default: int = 0  # the line of `export default { render };`, if it has one
    text: str = ""


def read_module(path: Path) -> Module:
    """Return the module, or refuse what `join` has no way to join."""
    source = path.read_text("utf-8")
    module = Module(path)
    kept: list[str] = []
    done = 0

    for at in module_words(source, path):
        line = source.count("\n", 0, at) + 1
        if at < done:
            raise refusal(path, line, "import and export only as statements of their own")

        is_statement = at == 0 or source[at - 1] == "\n"
        forms = (IMPORT, IMPORT_JSON, EXPORT_DEFAULT, EXPORT) if is_statement else ()
        found = next((match for form in forms if (match := form.match(source, at))), None)
        if found is None:
            raise refusal(
                path,
                line,
                "import { names } from a file, export in front of const, function or class, or "
                "export default { render }",
            )

        kept.append(source[done:at])
        done = found.end()
        if found.re is EXPORT:
            module.exports.append(found["name"])
        elif found.re is EXPORT_DEFAULT:
            module.default = line
        else:
            target = (path.parent / found["path"]).resolve()
            if not found["path"].startswith(".") or not target.is_file():
                raise refusal(path, line, f"a file at {found['path']}")
            if found.re is IMPORT_JSON:
                names = [("default", found["name"])]
            else:
                names = names_of(found["names"])
                if not names:
                    raise refusal(path, line, "names to import")
            module.imports.append((target, names, line))

    kept.append(source[done:])
    module.text = "".join(kept)
    return module


def module_words(source: str, path: Path) -> Iterator[int]:
    """Yield where `import` and `export` stand in the code, neither in a text nor in a comment."""
    try:
        for piece in pieces(source):
            if piece.kind == "code":
                for found in MODULE_WORD.finditer(piece.text):
                    yield piece.start + found.start()
    except ValueError as problem:
        line = source.count("\n", 0, problem.args[0]) + 1
        raise refusal(path, line, "a text that ends") from None


def names_of(text: str) -> list[tuple[str, str]]:
    """Return the names of an import, each as it is called there and here."""
    names = []
    for part in text.split(","):
        there, _, here = part.strip().partition(" as ")
        if there:
            names.append((there, here or there))
    return names


def refusal(path: Path, line: int, expected: str) -> AbvizError:
    return AbvizError(f"{path.name}, line {line}: expected {expected}")


def join(first: Path, given: Mapping[str, Any] | None = None) -> str:
    """Return the module and all that it imports as one text, each in a function of its own.

    What a module exports stands outside of its function, where the others see it: it must not have
    a name that a browser uses. `given` holds values for exported names, in place of those in the
    files.
    """
    first = first.resolve()
    given = given or {}
    written: dict[Path, dict[str, str]] = {}  # of each file: its exports, as the text names them
    taken = {"render"}  # which is what the first module exports to the widget
    under_way: list[Path] = []
    parts: list[str] = []

    def name_for(export: str) -> str:
        """Return the name that the text has for an export: two modules may have one alike."""
        name = export
        while name in taken:
            name += "$"
        taken.add(name)
        return name

    def write_json(path: Path, name: str) -> None:
        written[path] = {"default": name_for(name)}
        content = json.loads(path.read_text("utf-8"))
        content.pop("about", None)  # which is for readers of the file
        parts.append(f"const {written[path]['default']} = {as_script(content)};\n")

    def write(path: Path) -> None:
        under_way.append(path)
        module = read_module(path)
        if module.default and path != first:
            raise refusal(path, module.default, "export default in the first module only")

        imported: list[tuple[str, str]] = []
        for target, names, line in module.imports:
            if target in under_way:
                raise refusal(path, line, f"no circle of imports, and {target.name} is in one")
            if target not in written:
                if target.suffix == ".json":
                    write_json(target, names[0][1])
                else:
                    write(target)
            for there, here in names:
                if there not in written[target]:
                    raise refusal(path, line, f"{target.name} to export {there}")
                imported.append((written[target][there], here))

        written[path] = {export: name_for(export) for export in module.exports}
        if module.default:
            written[path]["render"] = "render"
        parts.append(wrapped(module, imported, written[path], given))
        if module.default:
            parts.append("export default { render };\n")
        under_way.pop()

    write(first)
    text = "".join(parts)
    assert "</script" not in text.lower() and "<!--" not in text
    return text


def wrapped(
    module: Module,
    imported: list[tuple[str, str]],
    exports: Mapping[str, str],
    given: Mapping[str, Any],
) -> str:
    """Return the module in a function that returns its exports.

    It takes the imports that are called something else in it than outside.
    """
    renamed = [(outside, here) for outside, here in imported if outside != here]
    parameters = ", ".join(here for _, here in renamed)
    arguments = ", ".join(outside for outside, _ in renamed)
    call = f"(({parameters}) => {{\n{compact(module.text)}"
    if not exports:
        return f"{call}}})({arguments});\n"

    names = [here if here == outside else f"{here}: {outside}" for here, outside in exports.items()]
    values = [f"{name}: {as_script(given[name])}" if name in given else name for name in exports]
    return (
        f"const {{ {', '.join(names)} }} = {call}"
        f"return {{ {', '.join(values)} }};\n}})({arguments});\n"
    )


def as_script(content: Any) -> str:
    """Return the content as JSON for use in a script: only "<" could end the element with it."""
    return json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
