"""The widgets of this package in the cells of a notebook: a cell that runs again closes what it showed before."""

from collections.abc import Iterator
from typing import Any

import ipywidgets
from IPython import get_ipython

_shown: dict[str, tuple[str, list[Any]]] = {}  # by the cell: its last run, and the widgets that it shows


class CellWidget(ipywidgets.Widget):  # type: ignore[misc]  # ipywidgets has no types
    """A widget that opens and closes together with its parts: its layout, its children, and theirs."""

    def open(self) -> None:
        """Connect to the browser; also again, after the widget was closed."""
        for part in _parts(self):
            if part is not self:
                part.open()
        super().open()

    def close(self) -> None:
        """Disconnect from the browser; the widget vanishes wherever it is shown."""
        super().close()
        for part in _parts(self):
            if part is not self:
                part.close()


def show_in_cell(shown: Any) -> None:
    """Open our widgets in what a cell shows; close those of the cell's earlier run, and take them out of Out.

    A notebook tells the kernel which cell it runs. A closed widget opens again where it is displayed again.
    """
    parts = list(_parts(shown))
    if not any(isinstance(part, CellWidget) for part in parts):
        return
    held = [part for part in parts if isinstance(part, (CellWidget, ipywidgets.Box))]
    was_closed = [part for part in parts if part.comm is None]
    for part in was_closed:
        part.open()
        part.__dict__.pop("_repr_mimebundle_", None)  # close() has set it to None
    if was_closed:
        shown.send_state()  # a box may still hold the closed ones
    shell: Any = get_ipython()
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell = request.get("metadata", {}).get("cellId")
    if not cell:
        return
    run: str = request["header"]["msg_id"]
    last, earlier = _shown.get(cell, ("", []))
    if run == last:
        earlier += held
        return
    _shown[cell] = run, held
    for old in earlier:
        if not is_shown(old):
            old.close()
            for number in [number for number, result in shell.user_ns["_oh"].items() if result is old]:
                del shell.user_ns["_oh"][number]
                shell.del_var(f"_{number}", by_name=True)


def is_shown(widget: Any) -> bool:
    """Return whether the last run of any cell shows the widget."""
    return any(widget is each for _, shown in _shown.values() for each in shown)


def _parts(widget: Any) -> Iterator[Any]:
    """Yield the widgets in this one, innermost first, and the widget itself."""
    for name in widget.keys:
        value = widget._trait_values.get(name)  # getattr would make a layout for a widget that has none yet
        for part in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(part, ipywidgets.Widget):
                yield from _parts(part)
    yield widget


def _mime_bundle(widget: Any) -> Any:
    show_in_cell(widget)
    bundle = widget._repr_mimebundle_
    return bundle and bundle()


if shell := get_ipython():
    # Also a box of ipywidgets may hold our widgets.
    shell.display_formatter.mimebundle_formatter.for_type(ipywidgets.Widget, _mime_bundle)
