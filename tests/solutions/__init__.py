"""Right answers to the exercises. Students do not get them."""
