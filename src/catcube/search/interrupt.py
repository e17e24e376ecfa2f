"""Handling of exceptions that Python would lose: Ctrl-C in compiled code, errors in callbacks.

Python raises KeyboardInterrupt at the next instruction of the main thread. If this is in a function
called by compiled code (ours, or LLVM), the exception is printed and ignored. Therefore the signal
handler is replaced while such code runs.

A signal handler that raises (for example, a timeout by SIGALRM) or the recursion limit can end a
callback at its first instruction, before its `try`. Then ctypes prints the exception, and the
compiled code continues.
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
def stop_on_interrupt(stop: Callable[[], None], may_raise: Callable[[], bool]) -> Iterator[None]:
    """Let Ctrl-C call `stop`, and raise KeyboardInterrupt only if `may_raise` returns True.

    If runs are nested (the objective calls `minimize`), all are stopped, and the innermost one
    decides whether to raise. A handler installed by the user is not replaced.
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
def postpone_interrupt() -> Iterator[None]:
    """Postpone Ctrl-C to the end of the block; a second Ctrl-C is handled at once."""
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
    """Return the handler of Ctrl-C; None outside the main thread, which alone gets signals."""
    if threading.current_thread() is not threading.main_thread():
        return None
    return signal.getsignal(signal.SIGINT)


_lock = threading.Lock()
_receivers: dict[int, list[Callable[[BaseException], None]]] = {}  # by thread, innermost last
_before: Callable[[Any], Any] = sys.unraisablehook


@contextmanager
def forward_lost_exceptions(receive: Callable[[BaseException], None]) -> Iterator[None]:
    """Pass exceptions that ctypes callbacks of this thread would lose to a function.

    >>> import ctypes
    >>> callback = ctypes.CFUNCTYPE(None)(lambda: 1 / 0)
    >>> with forward_lost_exceptions(lambda exception: print("received:", exception)):
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
