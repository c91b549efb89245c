"""What `import abviz` costs over bare Python, and what the first use of its rooms adds: whole
processes, measured in turn in the same run.
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

ROUNDS = 9
AIM = 60  # ms
BARE = "pass"
STARTS = {
    "import abviz": "import abviz",
    "a first trace": "import abviz; abviz.trace(abviz.Tree([[3, 5], [2, 9]]))",
    "the command": "import abviz.cli",
    "a first picture": "import abviz; abviz.draw(abviz.Tree([[3, 5], [2, 9]])).pipe('svg')",
    "a first Stepper": "import abviz; abviz.Stepper(abviz.Tree([[3, 5], [2, 9]]))",
    "for comparison: numpy": "import numpy",
    "for comparison: matplotlib.pyplot": "import matplotlib.pyplot",
}


def main() -> None:
    times: dict[str, list[float]] = {code: [] for code in (BARE, *STARTS.values())}
    for code in times:
        started(code)  # its files are compiled, and in memory
    for _ in range(ROUNDS):
        for code, spent in times.items():
            spent.append(started(code))
    bare = median(times[BARE])
    print(f"ms over bare Python ({1000 * bare:.0f} ms), medians of {ROUNDS} rounds in turn")
    for name, code in STARTS.items():
        aim = f"  (aim ≤ {AIM})" if name == "import abviz" else ""
        print(f"{name:36}{1000 * (median(times[code]) - bare):7.0f}{aim}")


def started(code: str) -> float:
    """The seconds that a Python needs to start, run the code and end."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return perf_counter() - start


if __name__ == "__main__":
    main()
