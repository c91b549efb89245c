"""`python -m abviz`: the command, also where its script is not on the path."""

import sys


def main() -> int:
    """Run the command. Ctrl+C ends it without a traceback, also while it is being loaded."""
    try:
        from abviz.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
