"""Exceptions raised in a callback before its `try`, which ctypes would only print.

A signal handler that raises (a time-out by SIGALRM, say), or the limit of recursion, can end a
callback at its first instruction. ctypes prints the exception, and the compiled code continues.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

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
