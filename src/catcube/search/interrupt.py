"""Exceptions where Python would lose them: Ctrl-C in compiled code, and others in callbacks.

Python raises KeyboardInterrupt at the next instruction of the main thread. If that is in a function
that compiled code (ours, or LLVM) calls, the exception is printed and ignored. So these handlers
replace that of Python while such code runs.

A signal handler that raises (a time-out by SIGALRM, say), or the limit of recursion, can end a
callback at its first instruction, before its `try`: ctypes prints the exception, and the compiled
code continues.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Functions that stop the runs of the main thread, the outermost first.
_running: list[Callable[[], None]] = []


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
    _running.append(stop)
    signal.signal(signal.SIGINT, _Handler(may_raise))
    try:
        yield
    finally:
        _running.pop()
        signal.signal(signal.SIGINT, before)


class _Handler:
    def __init__(self, may_raise: Callable[[], bool]) -> None:
        self.may_raise = may_raise

    def __call__(self, number: int, frame: Any) -> None:
        for stop in _running:
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


_lock = threading.Lock()
_receivers: dict[int, list[Callable[[BaseException], None]]] = {}  # by thread, innermost last
_before: Callable[[Any], Any] = sys.unraisablehook


@contextmanager
def received_by(receive: Callable[[BaseException], None]) -> Iterator[None]:
    """Pass the lost exceptions of callbacks of this thread to a function.

    >>> import ctypes
    >>> callback = ctypes.CFUNCTYPE(None)(lambda: 1 / 0)
    >>> with received_by(lambda exception: print("received:", exception)):
    ...     callback()
    received: division by zero
    """
    global _before
    thread = threading.get_ident()
    with _lock:
        if not _receivers:
            _before, sys.unraisablehook = sys.unraisablehook, _hook
        _receivers.setdefault(thread, []).append(receive)
    try:
        yield
    finally:
        with _lock:
            _receivers[thread].pop()
            if not _receivers[thread]:
                del _receivers[thread]
            if not _receivers and sys.unraisablehook is _hook:
                sys.unraisablehook = _before


def _hook(unraisable: Any) -> None:
    receivers = _receivers.get(threading.get_ident())
    lost = "ctypes callback" in (unraisable.err_msg or "")
    if receivers and lost and unraisable.exc_value is not None:
        receivers[-1](unraisable.exc_value)
    else:
        _before(unraisable)
