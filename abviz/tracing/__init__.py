"""The searches that students learn, and the record of every step: events, states, sentences."""
