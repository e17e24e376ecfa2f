"""Objectives whose values come from Python, in the thread that started the run."""

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.problems.problem import Objective
from catcube.problems.returned import short
from catcube.space import Space


class InPython(Objective):
    """What all of them share: exceptions and Ctrl-C.

    `calling` is true while the user's function is at work, or is waited for.
    """

    in_python = True

    def __init__(self, space: Space, tick: Callable[[], None]) -> None:
        self.space = space
        self.tick = tick
        self.raised: BaseException | None = None
        self.calling = False

    def failed(self, exception: BaseException) -> float:
        """Keep the exception, to be raised when the kernel has returned."""
        self.calling = False
        self.raised = exception
        return math.nan

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """What the function raised, or that it returned NaN."""
        if self.raised is not None:
            return self.raised
        point = self.space.decode(categories)
        return ValueError(f"the objective returned NaN at {short(point)}")

    @contextmanager
    def interruptible(self, stop: Callable[[], None]) -> Iterator[None]:
        """Let Ctrl-C stop the run, wherever it is.

        Python would raise KeyboardInterrupt at the first instruction of the callback, before any
        `try` of ours, where ctypes swallows it. So: inside the user's function it is raised as
        usual, elsewhere it asks the recorder to stop.
        """
        in_main = threading.current_thread() is threading.main_thread()
        if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return

        def interrupt(number: int, frame: Any) -> None:
            stop()
            if self.calling:
                raise KeyboardInterrupt

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
