"""What a game tree is, and the files that hold one."""
