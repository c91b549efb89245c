"""The stepper: a widget for the notebook, and the same as one HTML file."""

from abviz.stepper.widget import Stepper

__all__ = ["Stepper"]
