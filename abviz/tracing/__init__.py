"""Searches as events, and the record that a search leaves."""
