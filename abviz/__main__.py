"""`python -m abviz`: the command, also where its script is not on the path."""

import sys

from abviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
