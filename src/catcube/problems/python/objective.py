"""Objectives whose values come from Python, in the thread that started the run."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quoted
from catcube.engine.recorder import Recorder
from catcube.errors import BadValue
from catcube.problems.problem import Objective
from catcube.space import Space

# The first two integers of a run: the address of the callback, and whether it has finished. One
# that has not (see `lost_exceptions`) has returned an arbitrary value.
ASK, ANSWERED = range(2)


class InPython(Objective):
    """Base class: exceptions and Ctrl-C.

    `calling` is true while the user's function runs, or is waited for. `fresh` is a value that the
    kernel has not recorded yet, that of the point `asked`, while the run is checked. `recorder` is
    that of the run, `failures` counts points without a value, `stalls` the stops of the algorithm
    because it found nothing new, and `history` has the points and values, if they are kept.
    """

    in_python = True

    def __init__(self, space: Space, tick: Callable[[], None]) -> None:
        self.space = space
        self.tick = tick
        self.raised: BaseException | None = None
        self.calling = False
        self.fresh: float | None = None
        self.recorder: Recorder | None = None
        self.failures = 0
        self.stalls = 0
        self.history: list[tuple[bytes, float]] = []

    @property
    def asked(self) -> NDArray[np.int64]:
        """The categories of the point in question."""
        raise NotImplementedError

    def failed(self, exception: BaseException) -> float:
        """Keep the exception, to be raised after the kernel has returned."""
        self.calling = False
        self.raised = exception
        return math.nan

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the exception of the function, or one about NaN."""
        if self.raised is not None:
            return self.raised
        point = quoted(self.space.decode(categories))
        if not self.integers[ANSWERED]:
            return RuntimeError(
                f"an exception from outside the objective interrupted the evaluation at {point}"
            )
        return BadValue(f"the objective returned NaN at {point}")
