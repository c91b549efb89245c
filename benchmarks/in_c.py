"""checkers.c, tic_tac_toe.c and abalone.c, built into a temporary folder and called from here."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from abviz.games import abalone

FOLDER = Path(__file__).resolve().parent
SOURCES = ("checkers.c", "tic_tac_toe.c", "abalone.c")
MASKS = ("BOARD", "EAST", *(f"NE_{n}" for n in (6, 7, 8, 9)), *(f"NW_{n}" for n in (5, 6, 7, 8)))
NEAR = ("NEAR_1", "NEAR_2", "NEAR_4")
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
        for name in (
            "checkers_perft",
            "checkers_alphabeta",
            "tic_tac_toe_alphabeta",
            "tic_tac_toe_ported",
            "abalone_perft",
            "abalone_alphabeta",
        ):
            getattr(self.code, name).restype = ctypes.c_int64
        self.code.abalone_masks(numbers(getattr(abalone, name) for name in (*MASKS, *NEAR)))
        return self

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()

    def perft(self, position: Any, depth: int) -> int:
        name = "abalone_perft" if position.title == "Abalone" else "checkers_perft"
        return int(getattr(self.code, name)(numbers(position), depth))

    def alphabeta(self, position: Any, depth: int, *, ported: bool = False) -> tuple[int, int]:
        """Value and nodes. (Tic-tac-toe is always searched to the end; `ported` by the same program
        as abviz's.)
        """
        nodes = ctypes.c_int64()
        if position.title == "TicTacToe":
            search = self.code.tic_tac_toe_ported if ported else self.code.tic_tac_toe_alphabeta
            value = search(numbers(position), ctypes.byref(nodes))
        else:
            name = "abalone_alphabeta" if position.title == "Abalone" else "checkers_alphabeta"
            weights = numbers(position.weights.values())
            value = getattr(self.code, name)(numbers(position), depth, weights, ctypes.byref(nodes))
        return int(value), nodes.value


def numbers(values: Any) -> Any:
    values = list(values)
    return (ctypes.c_int64 * len(values))(*values)
