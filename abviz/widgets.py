"""What our widgets are made of: ipywidgets and anywidget, or stand-ins where these are missing.

A stand-in has the same traits and messages, and no connection of its own: a page that runs Python
without Jupyter sets `Widget.post`, and calls `receive_state` and `receive`.
"""

from typing import TYPE_CHECKING, Any

from abviz.capabilities import is_installed

ARE_INSTALLED = is_installed("IPython", "ipywidgets", "anywidget")

if ARE_INSTALLED or TYPE_CHECKING:
    from anywidget import AnyWidget as AnyWidget
    from IPython import get_ipython as get_ipython
    from ipywidgets import VBox as VBox
    from ipywidgets import Widget as Widget
    from ipywidgets import widget_serialization as widget_serialization
else:
    from abviz.plain_widgets import AnyWidget as AnyWidget
    from abviz.plain_widgets import VBox as VBox
    from abviz.plain_widgets import Widget as Widget

    widget_serialization: dict[str, Any] = {}

    def get_ipython() -> None:
        """Return no shell: there is no IPython."""
