"""Widgets without Jupyter: traits, messages, and what a page needs to show them.

A page that runs Python by itself sets `Widget.post`, which is then called with every change, and
hands over what its reader does by `receive_state` and `receive`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, ClassVar

import traitlets

MIME = "application/vnd.abviz.widget+json"

# Called with the widget, and either the state that has changed, by name, or a message
Post = Callable[["Widget", dict[str, Any] | None, Any], None]
Receiver = Callable[[Any, Any, list[Any]], None]

_numbers = count(1)


class Widget(traitlets.HasTraits):
    """Traits, some of which (`sync=True`) a page shows."""

    post: ClassVar[Post | None] = None

    def __init__(self, **traits: Any) -> None:
        self.model_id = f"abviz-{next(_numbers)}"
        self.comm: object | None = self
        self._receivers: list[Receiver] = []
        self._property_lock: dict[str, Any] = {}
        self._held: dict[str, Any] | None = None
        super().__init__(**traits)
        self.observe(self._on_change)

    @property
    def keys(self) -> list[str]:
        """The names of the traits that a page shows."""
        return [name for name in self.traits(sync=True) if not name.startswith("_")]

    def get_state(self) -> dict[str, Any]:
        """Return these traits, ready for JSON."""
        return {name: _as_state(getattr(self, name)) for name in self.keys}

    # from Python to the page

    def _on_change(self, change: Any) -> None:
        name = change["name"]
        if name not in self.keys or name in self._property_lock:
            return
        if self._held is not None:
            self._held[name] = change["new"]
        else:
            self._post({name: _as_state(change["new"])})

    @contextmanager
    def hold_sync(self) -> Iterator[None]:
        """Post all changes of the block together, at its end."""
        if self._held is not None:
            yield
            return

        self._held = {}
        try:
            yield
        finally:
            held = self._held
            self._held = None
            if held:
                self._post({name: _as_state(value) for name, value in held.items()})

    def send_state(self) -> None:
        self._post(self.get_state())

    def send(self, content: Any, buffers: object = None) -> None:
        """Post a message."""
        self._post(None, content)

    def _post(self, state: dict[str, Any] | None, content: Any = None) -> None:
        post = type(self).post
        if post is not None and self.comm is not None:
            post(self, state, content)

    # from the page to Python

    def receive_state(self, state: dict[str, Any]) -> None:
        """Take what has changed in the page; what it has sent is not posted back."""
        self._property_lock = state
        try:
            with self.hold_trait_notifications():
                for name in state.keys() & set(self.keys):
                    setattr(self, name, state[name])
        finally:
            self._property_lock = {}

    def on_msg(self, receiver: Receiver) -> None:
        self._receivers.append(receiver)

    def receive(self, content: Any) -> None:
        """Take a message of the page."""
        for receiver in self._receivers:
            receiver(self, content, [])

    # as long as it is shown

    def open(self) -> None:
        self.comm = self

    def close(self) -> None:
        self.comm = None

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Return what a page shows: the widget's kind, its id and its state."""
        return {"text/plain": repr(self), MIME: _shown(self)}


class AnyWidget(Widget):
    """A widget that the JavaScript of its `_esm` shows."""


class VBox(Widget):
    """Widgets one below the other."""

    children = traitlets.Tuple().tag(sync=True)

    def __init__(self, children: Any = (), **traits: Any) -> None:
        super().__init__(children=tuple(children), **traits)


def _shown(widget: Widget) -> dict[str, Any]:
    return {"kind": type(widget).__name__, "id": widget.model_id, "state": widget.get_state()}


def _as_state(value: Any) -> Any:
    """Return the value of a trait, where a widget is what a page needs to show it."""
    if isinstance(value, Widget):
        return _shown(value)
    if isinstance(value, list | tuple):
        return [_as_state(each) for each in value]
    return value
