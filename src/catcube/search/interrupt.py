"""Ctrl-C where the KeyboardInterrupt of Python would be lost.

Python raises KeyboardInterrupt at the next instruction of the main thread. If that is in a function
that compiled code (ours, or LLVM) calls, the exception is printed and ignored. So these handlers
replace that of Python while such code runs.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Functions that stop the runs under way in the main thread, the outermost first.
_under_way: list[Callable[[], None]] = []


@contextmanager
def interruptible(stop: Callable[[], None], may_raise: Callable[[], bool]) -> Iterator[None]:
    """Let Ctrl-C call `stop`, and raise KeyboardInterrupt only where that is safe.

    Of nested runs (an objective that calls `minimize`) all are stopped, and the innermost one
    decides whether it is safe to raise. A handler of the user is not replaced.
    """
    before = _handler()
    if before is not signal.default_int_handler and not isinstance(before, _Handler):
        yield
        return
    _under_way.append(stop)
    signal.signal(signal.SIGINT, _Handler(may_raise))
    try:
        yield
    finally:
        _under_way.pop()
        signal.signal(signal.SIGINT, before)


class _Handler:
    def __init__(self, may_raise: Callable[[], bool]) -> None:
        self.may_raise = may_raise

    def __call__(self, number: int, frame: Any) -> None:
        for stop in _under_way:
            stop()
        if self.may_raise():
            raise KeyboardInterrupt


@contextmanager
def postponed() -> Iterator[None]:
    """Postpone Ctrl-C to the end of the block; a second one does not wait."""
    before = _handler()
    if not callable(before):
        yield
        return
    received = False

    def handler(number: int, frame: Any) -> None:
        nonlocal received
        if received:
            before(number, frame)
        received = True

    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if received:
        signal.raise_signal(signal.SIGINT)


def _handler() -> Any:
    """Return the handler of Ctrl-C; None outside of the main thread, which gets no signals."""
    if threading.current_thread() is not threading.main_thread():
        return None
    return signal.getsignal(signal.SIGINT)
