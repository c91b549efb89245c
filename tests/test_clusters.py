"""Searches carried out by other processes: pools, Dask and MPI for real, what is lost on the way, what is not there."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from distributed import Client, LocalCluster

from abviz import AbvizError, Checkers, Switches, TicTacToe, search
from abviz.errors import Stopped
from abviz.games.rules import game
from abviz.games.rules import checked_weights
from abviz.parallel import STRATEGIES, Run, dask_executor, mpi_executor, parallel_search, start, travelling
from abviz.parallel import mpi as mpi_launcher
from abviz.parallel.errands import Answer, Errand, Terms, run
from abviz.parallel.notices import Notices
from abviz.parallel.running import Running
from abviz.parallel.upper import FULL

needs_mpi = pytest.mark.skipif(sys.platform == "win32", reason="there is no MPICH for Windows")

LONG = 15  # moves ahead: a search of a second
ENDLESS = 30
KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
LOCAL = {"HYDRA_LAUNCHER": "fork", "HYDRA_IFACE": "lo", "UCX_NET_DEVICES": "lo"} if sys.platform == "linux" else {}


def position(*moves: str) -> Checkers:
    found = Checkers.start()
    for move in moves:
        found = found.play(move)
    return found


OPENED = position("11-15", "23-19", "8-11", "22-17")
TO_MOVE_WHITE = position("11-15", "23-19", "8-11")


@cache
def expected(place: Any, depth: int) -> tuple[str | None, int | None]:
    """What the sequential search finds."""
    result = search(place, depth, method="alphabeta")
    return result.move, result.value


def answer(run: Run) -> tuple[str | None, int | None]:
    assert run.finished
    return run.move, run.value


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with new_cluster() as cluster:
        yield cluster


def new_cluster(workers: int = 2) -> LocalCluster:
    here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, **here)


@pytest.fixture(scope="module")
def dask(cluster: LocalCluster) -> Iterator[Executor]:
    with dask_executor(cluster.scheduler_address) as executor:
        yield executor


@pytest.fixture(params=["pool", "dask"])
def executor(request: pytest.FixtureRequest) -> Executor:
    found: Executor = request.getfixturevalue(request.param)
    return found


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def in_the_middle(running: Running) -> bool:
    """Whether some tasks have ended and some are under way."""
    ended = [task.end is not None for task in running.record().tasks]
    return any(ended) and not all(ended)


# the same answer


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_processes_find_what_the_sequential_search_finds(executor: Executor, strategy: str) -> None:
    for place, depth in [(OPENED, 7), (TO_MOVE_WHITE, 8), (TicTacToe.start(), 6)]:
        run = parallel_search(place, depth, strategy=strategy, workers=2, executor=executor)
        assert answer(run) == expected(place, depth)


def test_dasks_own_executor_will_do(cluster: LocalCluster) -> None:
    """As it comes: it makes one of calls that are equal, and remembers answers."""
    with Client(cluster, set_as_default=False) as client:
        for _ in range(2):
            run = parallel_search(OPENED, 9, workers=2, executor=client.get_executor())
            assert answer(run) == expected(OPENED, 9) and run.busy[0] > 0 < run.busy[1]


def test_the_record_is_that_of_the_processes(executor: Executor) -> None:
    run = parallel_search(OPENED, 12, strategy="shared", workers=2, executor=executor)
    assert [task.move for task in run.tasks] == list(run.moves)
    assert {task.worker for task in run.tasks} == {0, 1}
    for task in run.tasks:
        assert 0 <= task.start < task.end <= run.time and task.nodes > 0 and task.alpha < task.beta
    assert run.nodes == 1 + sum(task.nodes for task in run.tasks)
    for cpu, busy in zip(run.cpu, run.busy, strict=True):
        assert 0 < cpu <= busy
    alone = parallel_search(OPENED, 12, strategy="sequential", workers=2, executor=executor)
    assert alone.nodes == search(OPENED, 12, method="alphabeta").nodes


def test_as_many_workers_as_the_executor_has(executor: Executor) -> None:
    run = parallel_search(Checkers.start(), 6, strategy="root", executor=executor)
    assert (run.workers, run.executor) == (2, type(executor).__name__)


def test_a_bound_reaches_a_process_while_it_searches(pool: Executor) -> None:
    """By a file that all processes of this machine have in memory."""
    notices = Notices(1)
    terms = Terms(Checkers, "alphabeta", True, Switches.none(), tuple(checked_weights(OPENED, None)), notices.path)
    shown = notices.put_up(0, 1, FULL)
    future = pool.submit(run, Errand(terms, tuple(OPENED), LONG, FULL, 0, 0, 1))
    until(lambda: shown.nodes > 0)
    notices.narrow(0, (-500, 600))
    found = future.result()
    notices.close([])
    assert found.value == expected(OPENED, LONG)[1] and found.whole
    ((moment, *bounds),) = found.learnt
    assert 0 < moment < found.seconds and bounds == [-500, 600]


def test_nodes_are_counted_while_a_process_searches(pool: Executor) -> None:
    running = start(OPENED, ENDLESS, strategy="root", workers=2, executor=pool)
    try:
        until(lambda: len(running.record().tasks) == 2)
        until(lambda: all(task.nodes > 1_000_000 for task in running.record().tasks))
    finally:
        running.stop()


# what is lost on the way


def test_a_dask_worker_that_is_killed_costs_time_and_not_the_answer(
    cluster: LocalCluster, dask: Executor, capfd: pytest.CaptureFixture[str]
) -> None:
    running = start(OPENED, LONG, strategy="root", workers=2, executor=dask)
    until(lambda: in_the_middle(running))
    os.kill(next(iter(cluster.workers.values())).pid, KILL)
    assert answer(running.result()) == expected(OPENED, LONG)
    assert "this process" not in capfd.readouterr().err


def test_a_broken_pool_is_finished_in_the_calling_process(capfd: pytest.CaptureFixture[str]) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        victim = executor.submit(os.getpid).result()
        running = start(OPENED, LONG, strategy="root", workers=2, executor=executor)
        until(lambda: in_the_middle(running))
        os.kill(victim, KILL)
        run = running.result()
        assert answer(run) == expected(OPENED, LONG)
        lost = [task for task in run.tasks if task.value is None]
        assert 1 <= len(lost) <= 2 and len(run.tasks) == len(run.moves) + len(lost)
        again = parallel_search(OPENED, 8, workers=2, executor=executor)  # broken from the start
        assert answer(again) == expected(OPENED, 8)
    told = "a worker has been lost; the search goes on in this process\n"
    assert capfd.readouterr().err.count(told) == 2


def test_a_cluster_that_goes_away_is_done_without(capfd: pytest.CaptureFixture[str]) -> None:
    with new_cluster(1) as cluster, dask_executor(cluster.scheduler_address) as executor:
        running = start(OPENED, LONG, strategy="root", workers=2, executor=executor)
        until(lambda: in_the_middle(running))
        cluster.close()
        assert answer(running.result()) == expected(OPENED, LONG)
    assert "a worker has been lost; the search goes on in this process\n" in capfd.readouterr().err


# what is ended on the way


def test_a_search_in_processes_stops_at_once_and_the_next_one_runs(executor: Executor) -> None:
    """Also where tasks wait, since there are not so many processes."""
    running = start(OPENED, ENDLESS, strategy="root", workers=6, executor=executor)
    until(lambda: running.record().nodes > 1_000_000)
    begin = time.monotonic()
    running.stop()
    run = running.result()
    stopped = time.monotonic() - begin
    assert not run.finished and all(task.end is not None for task in run.tasks)
    assert stopped < 10  # 1 ms, where nobody else needs the machine
    assert answer(parallel_search(OPENED, 8, workers=2, executor=executor)) == expected(OPENED, 8)
    assert time.monotonic() - begin < 30  # the processes had stopped as well: what they searched would take hours


def test_an_interrupt_ends_it_and_the_next_one_runs(pool: Executor) -> None:
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(Stopped):
        parallel_search(OPENED, ENDLESS, strategy="root", workers=2, executor=pool)
    timer.join()
    assert answer(parallel_search(OPENED, 8, workers=2, executor=pool)) == expected(OPENED, 8)


def process() -> int:
    time.sleep(0.1)  # so that the next call goes to another
    return os.getpid()


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is no signal there")
def test_an_interrupt_leaves_the_processes_alone(executor: Executor, capfd: pytest.CaptureFixture[str]) -> None:
    """In a terminal, and in a notebook, it reaches them too."""
    processes = {future.result() for future in [executor.submit(process) for _ in range(4)]}
    running = start(OPENED, LONG, strategy="root", workers=2, executor=executor)
    until(lambda: in_the_middle(running))
    for number in processes:
        os.kill(number, signal.SIGINT)
    assert answer(running.result()) == expected(OPENED, LONG)
    assert {future.result() for future in [executor.submit(process) for _ in range(4)]} == processes
    assert "this process" not in capfd.readouterr().err


def run_but_one(errand: Errand) -> Answer:
    """The search of the second move fails."""
    if errand.position == tuple(OPENED.play(OPENED.moves()[1])):
        raise ValueError("caught")
    return run(errand)


def test_an_exception_in_one_task_arrives_with_its_move(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(travelling, "run", run_but_one)
    begin = time.monotonic()
    running = start(OPENED, ENDLESS, strategy="root", workers=2, executor=executor)
    with pytest.raises(ValueError, match=rf"^caught\nin the search of {OPENED.moves()[1]}$"):
        running.result()
    assert all(task.end is not None and task.value is None for task in running.record().tasks)
    monkeypatch.undo()
    assert answer(parallel_search(OPENED, 8, workers=2, executor=executor)) == expected(OPENED, 8)
    assert time.monotonic() - begin < 30  # the others have been stopped


def test_a_game_that_cannot_be_sent_is_told_in_one_line(pool: Executor) -> None:
    @game
    class Local(NamedTuple):
        ply: int

        def moves(self, found: Any) -> None:
            if self.ply < 3:
                found.add(0)

        def play(self, move: int) -> "Local":
            return Local(self.ply + 1)

        def is_max(self) -> bool:
            return self.ply % 2 == 0

        def over(self) -> bool:
            return self.ply >= 3

        def value(self) -> int:
            return 0

    with pytest.raises(AbvizError, match=r"the workers cannot be handed .*Local .*; expected a game, and abviz, that"):
        parallel_search(Local(0), 3, workers=2, executor=pool)


def test_an_executor_that_was_shut_down_is_told_in_one_line() -> None:
    executor = ProcessPoolExecutor(2)
    executor.shutdown()
    with pytest.raises(AbvizError, match=r"^the executor takes no tasks \(.*\); expected one that is at work$"):
        parallel_search(OPENED, 5, workers=2, executor=executor)


# MPI

SCRIPT = """
import json, os, pathlib, re, signal, sys, time
from abviz import Checkers
from abviz.parallel import STRATEGIES, mpi_executor, parallel_search, start

if __name__ == "__main__":
    position = Checkers.from_fen(sys.argv[1])
    with mpi_executor() as executor:
        worker = executor.submit(os.getpid).result()
        assert worker != os.getpid()
        if sys.platform == "linux":
            memory = re.findall("/dev/shm/mpich_shm_[0-9a-f_]+", pathlib.Path("/proc/self/maps").read_text())
            assert memory and not any(map(os.path.exists, memory))  # if a process dies, nothing is left
        running = start(position, 30, strategy="root", workers=2, executor=executor)
        while running.record().nodes < 1_000_000:
            time.sleep(0.01)
        running.stop()
        assert not running.result().finished
        for strategy in STRATEGIES:
            run = parallel_search(position, 8, strategy=strategy, workers=2, executor=executor)
            assert run.finished
            print(json.dumps([run.strategy, run.move, run.value]), flush=True)
        if sys.argv[2:] == ["kill"]:
            running = start(position, 30, strategy="root", workers=2, executor=executor)
            while running.record().nodes < 1_000_000:
                time.sleep(0.01)
            os.kill(worker, signal.SIGKILL)
            running.result()
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def run_to_its_end(*command: str | Path, seconds: float = 40) -> subprocess.CompletedProcess[str]:
    """With all the processes that it starts."""
    folder = tempfile.mkdtemp()
    process = subprocess.Popen(
        [*map(str, command)],
        env=os.environ | LOCAL | {"TMPDIR": str(folder)},  # a process that is killed leaves its files there
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=seconds)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(folder)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


MPIEXEC = Path(sys.executable).with_name("mpiexec")
OF_ABVIZ = (sys.executable, "-m", "abviz.parallel.mpi")


def lines_for(place: Checkers) -> str:
    return "".join(json.dumps([strategy, *expected(place, 8)]) + "\n" for strategy in STRATEGIES)


@needs_mpi
def test_mpi_finds_what_the_sequential_search_finds(script: Path) -> None:
    """After a search that was stopped."""
    ended = run_to_its_end(MPIEXEC, "-n", "3", sys.executable, "-m", "mpi4py.futures", script, TO_MOVE_WHITE.fen)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, lines_for(TO_MOVE_WHITE), "")


@needs_mpi
def test_an_mpi_process_that_dies_is_told_in_one_line(script: Path) -> None:
    ended = run_to_its_end(*OF_ABVIZ, "-n", "3", script, OPENED.fen, "kill")
    how = "an MPI process was ended by SIGKILL; the others have been ended, and there is no answer"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, lines_for(OPENED), f"abviz: {how}\n")


@needs_mpi
def test_abviz_starts_mpi_and_hands_its_status_on(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    imports = "import sys\nfrom abviz.parallel import mpi_executor\n"
    script.write_text(f"{imports}mpi_executor()\nprint(sys.argv[1:])\nsys.exit(3)", encoding="utf-8")
    ended = run_to_its_end(*OF_ABVIZ, "-n", "2", script, "-n", "β")
    assert (ended.returncode, ended.stdout) == (3, "['-n', 'β']\n")
    assert ended.stderr.splitlines()[-1] == "abviz: an MPI process ended with status 3"


@needs_mpi
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "expected: python -m abviz.parallel.mpi -n PROCESSES SCRIPT [ARGUMENTS]"),
        (["-n", "1", __file__], "-n is '1'; expected 2 to 1024 processes: one for the script, the others search"),
        (["-n", "many", __file__], "-n is 'many'; expected 2 to 1024 processes: one for the script, the others search"),
        (["-n", "3", "no.py"], "there is no file 'no.py'; expected: python -m abviz.parallel.mpi -n PROCESSES SCRIPT"),
    ],
)
def test_bad_input_is_told_in_one_line(arguments: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert mpi_launcher.main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith(f"abviz: {told}") and err.count("\n") == 1


def test_only_the_last_words_of_mpiexec_are_left_out() -> None:
    class Out(list[bytes]):
        write = list.append

        def flush(self) -> None: ...

    ordinary = [b"one\n", b"\n", b"=====\n", b"two\n", b"==\n", b"no end"]
    for lines in (ordinary, ordinary[:5], []):
        out = Out()
        assert mpi_launcher.relay(lines, out) is None
        assert b"".join(out) == b"".join(lines)
    out = Out()
    box = [b"\n", b"=====\n", b"=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n", b"=   EXIT CODE: 3\n"]
    last = mpi_launcher.relay([*ordinary, b"\n", *box], out)
    assert b"".join(out) == b"".join(ordinary) and last is not None
    assert mpi_launcher.how_it_ended(last) == "ended with status 3"


# a cluster that is not there


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_a_scheduler_that_is_not_there_is_told_in_one_line() -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    begin = time.monotonic()
    with pytest.raises(AbvizError, match=rf"^no Dask scheduler answers at '{address}' \(.*\); expected .*$") as told:
        dask_executor(address, seconds=0.5)
    assert "\n" not in str(told.value) and time.monotonic() - begin < 4.5  # and not after 5, as usual


@pytest.mark.parametrize("words", [b"", b"HTTP/1.0 400 Bad Request\r\n\r\n"])
def test_something_else_that_answers_is_told_in_one_line(words: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            visitor, _ = server.accept()
            with visitor:
                visitor.sendall(words)
                visitor.recv(1)
                time.sleep(0.6)

        threading.Thread(target=serve, daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(AbvizError, match=rf"^no Dask scheduler answers at '{address}' \(.*\); expected .*$"):
            dask_executor(address, seconds=0.5)


@pytest.mark.parametrize("address", ["nowhere", "", "post://127.0.0.1:25", 8786, None])
def test_what_is_no_address_is_told_in_one_line(address: Any) -> None:
    with pytest.raises(AbvizError, match=r"^no Dask scheduler answers at .* \(.*\); expected .*$"):
        dask_executor(address, seconds=0.5)


def test_a_scheduler_without_workers_is_told_in_one_line() -> None:
    with (
        new_cluster(0) as cluster,
        pytest.raises(AbvizError, match=r"^the Dask scheduler at .* has no workers; expected .*$"),
    ):
        dask_executor(cluster.scheduler_address, seconds=0.5)


def test_what_is_not_installed_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = r'expected it: pip install "abviz\[cluster\]"$'
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(AbvizError, match=rf"^Dask is not installed here \(.*\); {expected}"):
        dask_executor("tcp://127.0.0.1:8786")
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", None)
    with pytest.raises(AbvizError, match=rf"^MPI is not installed here \(.*\); {expected}"):
        mpi_executor()
    monkeypatch.setattr(mpi_launcher, "find_spec", lambda name: None)
    with pytest.raises(AbvizError, match=rf"^MPI is not installed here; {expected}"):
        mpi_launcher.mpiexec()


@needs_mpi
def test_a_script_that_does_not_run_under_mpi_is_told_in_one_line() -> None:
    alone = "from abviz.parallel.clusters import mpi_executor\ntry: mpi_executor()\nexcept ValueError as e: print(e)"
    ended = run_to_its_end(sys.executable, "-c", alone)
    expected = "this is no MPI run with workers; expected `python -m abviz.parallel.mpi -n 3 SCRIPT`\n"
    assert (ended.stdout, ended.stderr) == (expected, "")


class AtOnce(Executor):
    """It carries out what it is given at once, in the thread that gives it."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **_: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except BaseException as problem:
            future.set_exception(problem)
        return future


def test_an_executor_that_carries_out_tasks_at_once_can_be_watched_and_stopped() -> None:
    assert answer(parallel_search(OPENED, 8, executor=AtOnce())) == expected(OPENED, 8)
    running = start(OPENED, ENDLESS, strategy="root", executor=AtOnce())
    while not running.record().nodes:  # it grows while the one task runs, which would last for days
        time.sleep(0.01)
    running.stop()
    assert not running.result().finished


class Odd(AtOnce):
    def __init__(self, told: Any, answered: Any = None):
        self.told, self.answered = told, answered

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **_: Any) -> Any:
        future = super().submit(lambda: self.answered)
        return future if self.told is Future else self.told


class CommClosedError(OSError):
    """As Dask raises it."""


def test_a_cluster_that_is_gone_before_the_search_is_told_in_one_line() -> None:
    class Gone(AtOnce):
        @property
        def _client(self) -> Any:
            return self

        def nthreads(self) -> Any:
            raise CommClosedError("ConnectionPool closing.")

    with pytest.raises(AbvizError) as caught:
        parallel_search(OPENED, 8, executor=Gone())
    expected = "the executor's cluster does not answer (ConnectionPool closing.); expected one that is at work"
    assert str(caught.value) == expected


@pytest.mark.parametrize("handed", [0, 1, 5])
def test_an_executor_that_is_lost_when_a_task_is_handed_to_it_is_done_without(
    handed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    class Lost(AtOnce):
        handed = 0

        def submit(self, *told: Any, **_: Any) -> "Future[Any]":
            if self.handed >= handed:
                raise CommClosedError("ConnectionPool closing.")
            self.handed += 1
            return super().submit(*told)

    assert answer(parallel_search(OPENED, 8, executor=Lost())) == expected(OPENED, 8)
    assert capfd.readouterr().err == "a worker has been lost; the search goes on in this process\n"


@pytest.mark.parametrize(
    ("executor", "told"),
    [
        (Odd(None), "the executor's submit() returned None; expected a Future"),
        (Odd("soon"), "the executor's submit() returned 'soon'; expected a Future"),
        (Odd(Future, 7), "the executor answered 7; expected what the function that it was given returned"),
    ],
    ids=("none", "text", "another-answer"),
)
def test_an_executor_that_is_none_is_told_in_one_line(executor: Executor, told: str) -> None:
    with pytest.raises(AbvizError) as caught:
        parallel_search(OPENED, 8, executor=executor)
    assert str(caught.value) == told
