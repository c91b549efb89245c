"""The prose of a notebook as HTML: Markdown, with formulas as MathML, which browsers show."""

import re
from html import escape, unescape
from typing import Any

import mistune
from latex2mathml.converter import convert

NOTEBOOK_LINK = re.compile(r"^(?P<name>[\w-]+)\.ipynb(?P<place>#.*)?$")


class Renderer(mistune.HTMLRenderer):
    """Headings with addresses of their own, links to pages, and formulas."""

    def __init__(self) -> None:
        super().__init__(escape=False)  # the notebooks' own HTML, such as <details>

    def heading(self, text: str, level: int, **_: Any) -> str:
        if level == 1:
            return f"<h1>{text}</h1>\n"
        return f'<h{level} id="{slug(text)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        found = NOTEBOOK_LINK.match(url)
        if found:
            url = f"../{found['name']}/{found['place'] or ''}"
        return super().link(text, url, title)

    def table(self, text: str) -> str:
        return f'<div class="wide"><table>\n{text}</table></div>\n'

    def inline_math(self, text: str) -> str:
        return convert(text, display="inline")

    def block_math(self, text: str) -> str:
        return f'<div class="wide">{convert(text.strip(), display="block")}</div>\n'


_to_html = mistune.create_markdown(renderer=Renderer(), plugins=["table", "math"])


def html(markdown: str) -> str:
    """Return the Markdown of a cell as HTML."""
    made = _to_html(markdown)
    assert isinstance(made, str)
    return made


def line(text: str | float) -> str:
    """Return a question or a choice as HTML, with the text between grave accents as code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(f"{text}"))


def slug(heading: str) -> str:
    """Return the address of a heading, from its text or its HTML: words with hyphens."""
    words = re.findall(r"\w+", unescape(re.sub(r"<[^>]*>", "", heading)).lower())
    return "-".join(words)


def title(markdown: str) -> str:
    """Return the first heading's text, as HTML."""
    found = re.search(r"^# (.+)$", markdown, re.MULTILINE)
    return escape(found[1].strip()) if found else ""


def first_sentence(markdown: str) -> str:
    """Return the beginning of the text below the heading, without marks, for search engines."""
    text = re.sub(r"^#.*$", "", markdown, count=1, flags=re.MULTILINE).strip()
    paragraph = " ".join(text.split("\n\n")[0].split())
    return re.sub(r"[*`$]|\[([^]]*)\]\([^)]*\)", r"\1", paragraph)
