"""checkers.c and tic_tac_toe.c, built into a temporary folder and called from here."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from abviz.games.checkers import WEIGHTS

FOLDER = Path(__file__).resolve().parent
SOURCES = ("checkers.c", "tic_tac_toe.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


class NoCompiler(Exception):
    pass


class InC:
    """The same searches in C. A context: the folder goes when it ends."""

    def __enter__(self) -> "InC":
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise NoCompiler("no C compiler (gcc or cc) is on the path")
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        file = Path(self.folder.name) / "rival.so"
        command = [compiler, *FLAGS, "-o", str(file), *(str(FOLDER / source) for source in SOURCES)]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode:
            self.folder.cleanup()
            raise NoCompiler(f"{compiler} did not build {' and '.join(SOURCES)}")
        asked = subprocess.run([compiler, "--version"], capture_output=True, text=True)
        self.version = f"{asked.stdout.splitlines()[0]}, {' '.join(FLAGS[:2])}"
        self.code = ctypes.CDLL(str(file))
        for name in ("checkers_perft", "checkers_alphabeta", "tic_tac_toe_alphabeta"):
            getattr(self.code, name).restype = ctypes.c_int64
        self.weights = numbers(WEIGHTS.values())
        return self

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()

    def perft(self, position: Any, depth: int) -> int:
        return int(self.code.checkers_perft(numbers(position), depth))

    def alphabeta(self, position: Any, depth: int) -> tuple[int, int]:
        """Value and nodes. (Tic-tac-toe is always searched to the end.)"""
        nodes = ctypes.c_int64()
        if position.title == "TicTacToe":
            value = self.code.tic_tac_toe_alphabeta(numbers(position), ctypes.byref(nodes))
        else:
            value = self.code.checkers_alphabeta(numbers(position), depth, self.weights, ctypes.byref(nodes))
        return int(value), nodes.value


def numbers(values: Any) -> Any:
    values = list(values)
    return (ctypes.c_int64 * len(values))(*values)
