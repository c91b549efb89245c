"""A course's hand-ins: whose they are, their grades, and the reports on them."""
