"""The texts of a trace are data, which the page reads too: templates whose blanks are filled in here."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abviz.errors import count, number

BLANK = re.compile(r"\{(\w+)(?::(\w+)\|(\w+))?\}")


def read_templates(name: str) -> dict[str, Any]:
    """Return the content of one of the data files of this folder."""
    content: dict[str, Any] = json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return content


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Return the template with its blanks filled: {bv} is a text, a number or a dash, {saved:leaf|leaves} a count."""

    def text(blank: re.Match[str]) -> str:
        name, singular, plural = blank.groups()
        value = values[name]
        if singular:
            return count(value, singular, plural)
        if isinstance(value, str):
            return value
        return "—" if value is None else number(value)

    return BLANK.sub(text, template)
