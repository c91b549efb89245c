"""Playing games: matches and their PDN, and players that search for every move; learned weights."""

from abviz.play.contests import Contest, Player, contest, play
from abviz.play.match import Match, read_matches
from abviz.play.tuning import Score, Tuning, tune, weights_match

__all__ = ["Contest", "Match", "Player", "Score", "Tuning", "contest", "play", "read_matches", "tune", "weights_match"]
