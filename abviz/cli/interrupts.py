"""What ends a long command: Ctrl+C and SIGTERM."""

import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn, Self


class Interrupts:
    """Takes SIGTERM as Ctrl+C, so that what is done is written; later it can ignore both."""

    def __enter__(self) -> Self:
        self._before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
        self._handle({signal.SIGTERM: self._raise})
        return self

    def __exit__(self, *_: object) -> None:
        self._handle(self._before)

    def ignore(self) -> None:
        """Ignore those that follow, which would lose what is done."""
        self._handle(dict.fromkeys(self._before, signal.SIG_IGN))

    @staticmethod
    def _handle(handlers: Mapping[signal.Signals, Any]) -> None:
        with suppress(ValueError):  # in a thread, which receives no signal
            for each, handler in handlers.items():
                signal.signal(each, handler)

    @staticmethod
    def _raise(*_: object) -> NoReturn:
        raise KeyboardInterrupt
