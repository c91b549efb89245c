"""`python -m abviz.parallel.mpi -n 3 SCRIPT`: the script under MPI on this machine, one process for it and two workers.

It is `mpiexec -n 3 python -m mpi4py.futures SCRIPT`, but that a process that dies is told in one line. On several
machines, use the cluster's own mpiexec.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from abviz.errors import AbvizError, brief
from abviz.parallel.clusters import INSTALL

USAGE = "expected: python -m abviz.parallel.mpi -n PROCESSES SCRIPT [ARGUMENTS]"
LOOPBACK = "lo0" if sys.platform == "darwin" else "lo"
LOCAL = ("-launcher", "fork", "-localhost", "127.0.0.1", "-iface", LOOPBACK)
LAST_WORDS = b"BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES"


def main(arguments: list[str]) -> int:
    try:
        command = command_for(arguments)
    except AbvizError as problem:
        return told(problem, 2)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={"UCX_NET_DEVICES": LOOPBACK} | os.environ)
    assert process.stdout
    try:
        last_words = relay(process.stdout, sys.stdout.buffer)
    except KeyboardInterrupt:  # mpiexec has got it too, and passes it on
        process.terminate()
        process.wait()
        return told("stopped", 130)
    status = process.wait()
    if last_words is None:  # of a process that leaves without a word mpiexec has none either
        return told(f"an MPI process ended with status {status}", status) if status else 0
    return told(f"an MPI process {how_it_ended(last_words)}; the others have been ended, and there is no answer", 1)


def command_for(arguments: list[str]) -> list[str]:
    if len(arguments) < 3 or arguments[0] != "-n":
        raise AbvizError(USAGE)
    _, count, script, *rest = arguments
    if not count.isdecimal() or not 2 <= int(count) <= 1024:
        raise AbvizError(f"-n is {brief(count)}; expected 2 to 1024 processes: one for the script, the others search")
    if not Path(script).is_file():
        raise AbvizError(f"there is no file {brief(script)}; {USAGE}")
    return [*mpiexec(), "-n", count, sys.executable, "-m", "mpi4py.futures", script, *rest]


def mpiexec() -> list[str]:
    """The one that was installed with mpi4py, else the system's."""
    own = shutil.which("mpiexec", path=sysconfig.get_path("scripts"))
    found = own or shutil.which("mpiexec")
    if not found or not find_spec("mpi4py"):
        raise AbvizError(f"MPI is not installed here; expected it: {INSTALL}")
    return [found, *LOCAL] if own else [found]


def relay(lines: Iterable[bytes], out: IO[bytes]) -> bytes | None:
    """Pass on what the processes print; not what mpiexec says in the end when one has died: that is the answer."""
    held = b""  # it begins with an empty line and a rule, which others may print as well
    lines = iter(lines)
    for line in lines:
        if LAST_WORDS in line:
            return b"".join(lines)
        held += line
        if line.strip(b"=\r\n"):
            out.write(held)
            out.flush()
            held = b""
    out.write(held)
    out.flush()
    return None


def how_it_ended(last_words: bytes) -> str:
    if found := re.search(rb"\(signal (\d+)\)", last_words):
        number = int(found[1])
        name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        return f"was ended by {name}"
    found = re.search(rb"EXIT CODE: (\d+)", last_words)
    return f"ended with status {int(found[1])}" if found else "has died"


def told(problem: object, status: int) -> int:
    print(f"abviz: {problem}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
