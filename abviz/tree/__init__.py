"""What a game tree is, its files, and random trees."""
