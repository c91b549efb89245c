"""The page's modules in Node, the one that comes with Playwright: what needs no browser is tested there.

A process of Node reads requests and writes answers, one JSON text a line.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

# Requests are {load: a file} or {call: a name, argument}; the answer is {value} or {problem}.
SERVER = """
import { createInterface } from "node:readline";

const act = async ({ load, call, argument }) => {
  if (load) {
    await import(load);
    return null;
  }
  const asked = globalThis[call];
  return typeof asked === "function" ? asked(argument) : asked;
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { value: await act(JSON.parse(line)) };
  } catch (problem) {
    answer = { problem: String(problem?.stack ?? problem) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\\n`);
}
"""


class Node:
    """A process of Node with modules loaded."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def load(self, path: Path) -> None:
        self._ask(load=path.resolve().as_uri())

    def call(self, name: str, argument: Any = None) -> Any:
        """Return what the global function returns, or the global value of this name."""
        return self._ask(call=name, argument=argument)

    def _ask(self, **request: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

        answer = json.loads(self.process.stdout.readline() or '{"problem": "Node has ended"}')
        if "problem" in answer:
            raise RuntimeError(answer["problem"])
        return answer["value"]


@contextmanager
def running_node() -> Iterator[Node]:
    """Run Node until the end of the block."""
    node = compute_driver_executable()[0]
    process = subprocess.Popen(
        [node, "--input-type=module", "--eval", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        yield Node(process)
    finally:
        assert process.stdin and process.stdout
        process.stdin.close()
        process.wait()
        process.stdout.close()
