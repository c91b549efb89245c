"""What the browser tells the timing widget, and what is done about it. Anything may come from there."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from abviz.timing.choices import CHOICES, crowd, typed
from abviz.timing.watch import in_words

if TYPE_CHECKING:
    from abviz.timing.widget import Timing

READY = "Choose, then press Run."


def hear(widget: "Timing", told: Any) -> None:
    """Do what a message says; what cannot be done is told as the widget's problem."""
    told = told if isinstance(told, dict) else {}
    try:
        if isinstance(what := told.get("do"), str) and (act := ACTS.get(what)):
            act(widget, told)
    except Exception as problem:
        with widget._lock:
            widget.problem = in_words(problem)
    with widget._lock:
        widget.heard += 1


def chosen_in(state: dict[str, Any]) -> dict[str, Any]:
    """Of what a page would set, past the messages: only what the reader chooses, as a message that is checked."""
    chosen = {name: state[name] for name in CHOICES if name in state}
    return {"do": "choose", "chosen": chosen} if chosen else {}


def _run(widget: "Timing", told: dict[str, Any]) -> None:
    widget.run(**_typed(told))


def _choose(widget: "Timing", told: dict[str, Any]) -> None:
    with widget._lock, widget.hold_sync():
        for name, value in _typed(told).items():
            setattr(widget, name, widget._choices.checked(name, value))
        widget.problem = ""
        if not widget._number:
            widget.says = crowd(widget.workers) or READY


def _show(widget: "Timing", told: dict[str, Any]) -> None:
    numbers = told.get("numbers")
    widget.show(*(numbers if isinstance(numbers, list) else ()))


def _hello(widget: "Timing", _: dict[str, Any]) -> None:
    """A new view of the widget wants all of what runs."""
    with widget._lock:
        running = widget._watch.running
        if widget._number and running is not None:
            widget._tell(running.record(), anew=True)


def _typed(told: dict[str, Any]) -> dict[str, Any]:
    chosen = told.get("chosen")
    return {name: typed(name, value) for name, value in chosen.items()} if isinstance(chosen, dict) else {}


ACTS: dict[str, Callable[["Timing", dict[str, Any]], None]] = {
    "run": _run,
    "stop": lambda widget, _: widget.stop(),
    "measure": lambda widget, _: widget.measure(),
    "choose": _choose,
    "show": _show,
    "hello": _hello,
}
