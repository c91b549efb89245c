"""Pictures in a notebook: an image that fits its cell and follows its theme; on a phone it scrolls
where it would be too small to read.
"""

import re
from html import escape
from urllib.parse import quote

# What the address of an image may hold as it is, between double quotes.
UNQUOTED = " /:;,=()[]{}!*@$+"

# An image follows the color scheme of the element that shows it. JupyterLab, VS Code and Colab say
# by these that a page is dark.
STYLE = """<style>
.abviz-picture { max-width: 100%; height: auto; color-scheme: light; }
:is([data-jp-theme-light="false"], .vscode-dark, [theme="dark"]) .abviz-picture {
  color-scheme: dark; }
@media (max-width: 480px) { .abviz-picture { min-width: var(--least, 0); } }
</style>
"""

# The width that an SVG element asks for
WIDTH = re.compile(r'^[^>]*?\bwidth="([\d.]+)(pt|px)?"', re.DOTALL)
PIXELS = {"pt": 4 / 3}

# Its texts can't be read where it is smaller.
LEAST_SCALE = 0.6


def image(svg: str, alt: str, style: str = "") -> str:
    """Return the SVG element as HTML: in an img its ids and styles cannot clash with the page's."""
    source = f"data:image/svg+xml,{quote(svg, safe=UNQUOTED)}"
    style = style or _least_width(svg)
    own = f' style="{style}"' if style else ""
    return f'{STYLE}<img class="abviz-picture"{own} alt="{escape(alt)}" src="{source}">'


def _least_width(svg: str) -> str:
    found = WIDTH.search(svg[svg.find("<svg") :])
    if not found:
        return ""
    pixels = float(found[1]) * PIXELS.get(found[2], 1)
    return f"--least: {LEAST_SCALE * pixels:.0f}px"
