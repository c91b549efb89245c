"""The games: rules written once, for Python and for the compiled search; positions and games as text and pictures."""
