"""Run every benchmark of this folder in turn, that is, each module that has a `main()`. `make
bench` calls it; names on the command line choose some of them.
"""

import importlib
import sys
from pathlib import Path
from time import perf_counter

FOLDER = Path(__file__).resolve().parent


def benchmarks() -> list[str]:
    """Their names, in order of the alphabet."""
    files = sorted(path for path in FOLDER.glob("*.py") if path.name != Path(__file__).name)
    return [path.stem for path in files if "\ndef main() -> None:" in path.read_text("utf-8")]


def main() -> int:
    sys.path.insert(0, str(FOLDER))
    asked = sys.argv[1:] or benchmarks()
    for name in asked:
        if name not in benchmarks():
            print(
                f"unknown benchmark {name!r}: there are {', '.join(benchmarks())}", file=sys.stderr
            )
            return 2
    for name in asked:
        print(f"== {name}", flush=True)
        start = perf_counter()
        importlib.import_module(name).main()
        print(f"({perf_counter() - start:.0f} s)\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
