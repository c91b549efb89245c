"""Pictures in a notebook: an image that fits its cell and follows its theme."""

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
</style>
"""


def image(svg: str, alt: str, style: str = "") -> str:
    """Return the SVG element as HTML: in an img its ids and styles cannot clash with the page's."""
    source = f"data:image/svg+xml,{quote(svg, safe=UNQUOTED)}"
    own = f' style="{style}"' if style else ""
    return f'{STYLE}<img class="abviz-picture"{own} alt="{escape(alt)}" src="{source}">'
