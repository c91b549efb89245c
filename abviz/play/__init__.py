"""Playing games: matches and their PDN, and players that search for every move."""

from abviz.play.contests import Contest, Player, contest, play
from abviz.play.match import Match, read_matches

__all__ = ["Contest", "Match", "Player", "contest", "play", "read_matches"]
