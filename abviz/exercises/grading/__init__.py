"""Hand-ins, graded: each is run in a process of its own, and what is said of it is found outside that process."""
