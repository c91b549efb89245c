"""abviz beside other packages that have its games: perft and plain alpha-beta of checkers,
tic-tac-toe solved. They are installed (peers.txt) into a folder of their own, never beside abviz,
and take turns with it, process by process.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median

FOLDER = Path(__file__).resolve().parent
CACHE = Path(tempfile.gettempdir()) / "abviz-peers"  # kept, so that a second run need not install
ROUNDS = 5
AIMS = {("alphabeta", "open-spiel"): 150, "tic-tac-toe": 100}  # times as fast as the peer
TASKS = {
    "perft": "perft of checkers",
    "alphabeta": "alpha-beta of checkers",
    "tic-tac-toe": "tic-tac-toe solved",
}
PEERS = {  # what each has
    "open-spiel": ("perft", "alphabeta", "tic-tac-toe"),
    "py-draughts": ("perft", "alphabeta"),
    "easyAI": ("tic-tac-toe",),
    "aima3": ("tic-tac-toe",),
}


def main() -> None:
    python = {line.split("==")[0]: installed(line) for line in lines()}
    print(
        f"CPU time in processes that take turns, medians of {ROUNDS} rounds; a rate is of nodes, leaves included"
    )
    print(f"{'':26}{'':18}{'nodes':>12}{'seconds':>12}{'nodes/s':>14}{'abviz is faster':>17}")
    for task, title in TASKS.items():
        runners = {"abviz": Path(sys.executable)}
        runners |= {name: path for name, path in python.items() if path and task in PEERS[name]}
        answers: dict[str, list[dict[str, float]]] = {name: [] for name in runners}
        for _ in range(ROUNDS):
            for name, path in runners.items():
                answers[name].append(asked(path, name, task))
        ours = answers["abviz"]
        for name, told in answers.items():
            row(title, name, task, told, ours)
            title = ""


def lines() -> list[str]:
    text = (FOLDER / "peers.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def installed(requirement: str) -> Path | None:
    """The Python of an environment that has this one package; None, and a line that says so, where
    it cannot be had.
    """
    home = CACHE / f"{requirement.split()[0]}-{sys.version_info[0]}.{sys.version_info[1]}"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = home / "done"
    if not done.exists():
        venv.create(home, with_pip=True, clear=True)
        command = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            *requirement.split(),
        ]
        if subprocess.run(command, capture_output=True).returncode:
            print(f"{requirement.split()[0]} could not be installed: it is left out")
            return None
        done.touch()
    return python


def asked(python: Path, name: str, task: str) -> dict[str, float]:
    """What peer_tasks.py measures in a process of its own."""
    command = [str(python), str(FOLDER / "peer_tasks.py"), name, task]
    ran = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    answer: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return answer


def row(
    title: str, name: str, task: str, told: list[dict[str, float]], ours: list[dict[str, float]]
) -> None:
    seconds, rate = (median(each[key] for each in told) for key in ("seconds", "rate"))
    print(f"{title:26}{name:18}{told[0]['nodes']:12,.0f}{seconds:12.6f}{rate:14,.0f}", end="")
    if name == "abviz":
        print()
        return
    # The same game solved; or trees of different sizes
    key = "seconds" if task == "tic-tac-toe" else "rate"
    ratios = [
        a[key] / b[key] if key == "seconds" else b[key] / a[key]
        for a, b in zip(told, ours, strict=True)
    ]
    aim = AIMS.get((task, name), AIMS.get(task))
    print(
        f"{median(ratios):16,.0f}×" + (f"  (aim ≥ {aim})" if aim else "") + told[0].get("note", "")
    )


if __name__ == "__main__":
    main()
