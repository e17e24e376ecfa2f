"""Objectives whose values come from Python, in the thread that started the run."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quoted
from catcube.engine.recorder import Recorder
from catcube.problems.problem import Objective
from catcube.space import Space

# The first two integers of a run: the address of the callback, and whether it came to its end. One
# that did not (see `lost_exceptions`) has returned no value, but whatever was in its place.
ASK, ANSWERED = range(2)


class InPython(Objective):
    """What all of them share: exceptions and Ctrl-C.

    `calling` is true while the user's function is at work, or is waited for. `recorder` is that of
    the run, `failures` counts points without a value, `stalls` how often the algorithm was stopped
    because it found nothing new, and `history` has the points and values, if they are kept.
    """

    in_python = True

    def __init__(self, space: Space, tick: Callable[[], None]) -> None:
        self.space = space
        self.tick = tick
        self.raised: BaseException | None = None
        self.calling = False
        self.recorder: Recorder | None = None
        self.failures = 0
        self.stalls = 0
        self.history: list[tuple[bytes, float]] = []

    def failed(self, exception: BaseException) -> float:
        """Keep the exception, to be raised when the kernel has returned."""
        self.calling = False
        self.raised = exception
        return math.nan

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return what the function raised, or that it returned NaN."""
        if self.raised is not None:
            return self.raised
        point = quoted(self.space.decode(categories))
        if not self.integers[ANSWERED]:
            return RuntimeError(f"the evaluation was cut off by an exception of others at {point}")
        return ValueError(f"the objective returned NaN at {point}")
