"""The searches that students learn, and the record of every step: events, states, cuts, sentences."""

from abviz.tracing.algorithms import Event, Rules, alphabeta, minimax
from abviz.tracing.narration import sentence
from abviz.tracing.traces import Cut, NodeState, State, Trace, trace

__all__ = ["Cut", "Event", "NodeState", "Rules", "State", "Trace", "alphabeta", "minimax", "sentence", "trace"]
