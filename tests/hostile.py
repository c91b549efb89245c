"""Names that try to be something else: markup, escapes, directions, other scripts; and what a
picture may hold.
"""

import re
import xml.etree.ElementTree as ElementTree

NAMES = [
    "\"double\" and 'single'",
    "it's",
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "]]>",
    "-->",
    "</style></svg></title><img src=x onerror=alert(3)>",
    "javascript:alert(4)",
    "&amp; &lt;b&gt; &#65; &alpha; & &",
    "<b>bold</b>",
    "<",
    "<<table></table>>",
    r"\N \G \E \T \H \L \n \l \r \u003c \\ \"",
    "back\\slash\\",
    "\\",
    "${alert(5)} `tick` {{brace}} {0} %s %n",
    "{a|b}",
    "n1",
    "root:s",
    "👩‍💻🎲✂️",
    "two\nlines\r\nand\ta tab",
    "\x1b[31mred\x1b[0m \x00\x07\x7f\x9b",
    "שלום עולם",
    "مرحبا بالعالم",
    "turned \u202egnirts\u202c \u2066isolated",
    "line\u2028and paragraph\u2029separators \ufeff\ufffe\uffff",
    "__proto__",
    "constructor",
    "a\u0301\u0301\u0301 combining, ﷽, 漢字",
    "宽" * 5,
    "long " * 40,
    " ",
    "  spaces  within and around  ",
    "\xa0",
]
HALF_A_PAIR = "\ud800"

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "title", "desc", "polygon", "polyline", "path", "text"}


def assert_inert(svg: str) -> None:
    """Assert that the SVG is well-formed and holds nothing that a browser would run, follow or
    fetch.
    """
    for element in ElementTree.fromstring(svg).iter():
        assert element.tag.removeprefix(SVG) in TAGS
        assert not [
            name
            for name in element.attrib
            if name.endswith("href") or name.lower().startswith("on")
        ]
        for value in element.attrib.values():
            assert not re.search(r"javascript:|url\(|data:", value)
    assert "<script" not in svg.lower() and "<!ENTITY" not in svg and "<?xml-stylesheet" not in svg
