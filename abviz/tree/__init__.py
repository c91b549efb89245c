"""What a game tree is, its files, and random trees."""

from abviz.tree.model import Node, Tree

__all__ = ["Node", "Tree", "load", "shipped"]


def __getattr__(name: str) -> object:  # the YAML library is imported when a file is first asked for
    if name in ("load", "shipped"):
        from abviz.tree import files

        return getattr(files, name)
    raise AttributeError(f"module 'abviz.tree' has no attribute {name!r}; it has {', '.join(__all__)}")
