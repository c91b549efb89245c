"""A student's own function, run once and kept as a trace."""
