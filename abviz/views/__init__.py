"""Pictures: Graphviz, the stepper and the exported page."""
