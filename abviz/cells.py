"""The widgets of this package in the cells of a notebook.

A cell that runs again closes what it showed before.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from abviz.widgets import Widget, get_ipython

# The looks that our widgets share with the page, in the colors of the notebook's theme
CONTROLS = (Path(__file__).parent / "views" / "page" / "answers.css").read_text("utf-8")

# By the cell: its last run, and the widgets that it shows
_shown: dict[str, tuple[str, list[Any]]] = {}


class CellWidget(Widget):  # type: ignore[misc]  # ipywidgets has no types
    """A widget that closes together with its parts: its layout, its children, and theirs."""

    def close(self) -> None:
        """Disconnect from the browser; the widget vanishes wherever it is shown."""
        super().close()
        for part in [*_parts(self)][:-1]:
            part.close()


def show_in_cell(shown: Any) -> None:
    """Open our widgets in what a cell shows, and close those of the cell's earlier run.

    Those are also taken out of Out. A notebook tells the kernel which cell it runs. A closed widget
    opens again where it is displayed again.
    """
    parts = list(_parts(shown))
    held = [shown, *(part for part in parts if isinstance(part, CellWidget))]
    if len(held) == 1:
        return

    if closed := [part for part in parts if part.comm is None]:
        for part in closed:
            part.open()
            part.__dict__.pop("_repr_mimebundle_", None)  # close() has set it to None
        shown.send_state()  # a box may still hold the closed ones

    shell: Any = get_ipython()
    request: dict[str, Any] = getattr(shell, "get_parent", dict)()
    cell = request.get("metadata", {}).get("cellId")
    if not cell:
        return

    run = request["header"]["msg_id"]
    last_run, earlier = _shown.get(cell, ("", []))
    if run == last_run:
        held += earlier
    _shown[cell] = run, held

    for old in earlier:
        if not is_shown(old):
            old.close()
            _forget_output(shell, old)


def _forget_output(shell: Any, widget: Any) -> None:
    """Take the widget out of Out, and out of the variables such as _3."""
    outputs = shell.user_ns["_oh"]
    numbers = [number for number, output in outputs.items() if output is widget]
    for number in numbers:
        del outputs[number]
        shell.del_var(f"_{number}", by_name=True)


def is_shown(widget: Any) -> bool:
    """Return whether the last run of any cell shows the widget."""
    return any(widget is each for _, shown in _shown.values() for each in shown)


def _parts(widget: Any) -> Iterator[Any]:
    """Yield the widgets in this one, innermost first, and the widget itself."""
    for name in widget.keys:
        # Getattr would make a layout for a widget that has none yet
        value = widget._trait_values.get(name)
        for part in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(part, Widget):
                yield from _parts(part)
    yield widget


def _mime_bundle(widget: Any) -> Any:
    show_in_cell(widget)
    bundle = widget._repr_mimebundle_
    return bundle and bundle()


if shell := get_ipython():  # also a box of ipywidgets may hold our widgets
    shell.display_formatter.mimebundle_formatter.for_type(Widget, _mime_bundle)
