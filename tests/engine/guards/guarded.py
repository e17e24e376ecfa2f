"""A run on other arrays: the same numbers, in memory that notices where it is read and written."""

from dataclasses import replace

import numpy as np

from catcube.engine.compiled.entry import Frame
from catcube.engine.compiled.jit import JIT
from catcube.search.run import Execution


def mapped(change, value):
    """A tuple of tuples with each array replaced by another."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, tuple):
        parts = [mapped(change, item) for item in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def guarded(run, new_guard):
    """The run, ready to begin, all of whose arrays have passed through a guard.

    `new_guard()` makes the function of an array that is asked for all arrays of one allocation.
    """
    method = run.algorithm
    grow = method.grow
    method = replace(
        method,
        memory=lambda *arguments: mapped(new_guard(), run.algorithm.memory(*arguments)),
        grow=grow and (lambda *arguments: mapped(new_guard(), grow(*arguments))),
    )
    execution = Execution(replace(run, algorithm=method))
    search, objective, change = execution._search, execution.objective, new_guard()
    points = mapped(change, search.points._replace(frame=()))
    constants = [objective.integers, objective.reals]
    if not (JIT and objective.in_python):  # Python itself keeps these
        constants = [change(constant) for constant in constants]
    variables = len(run.problem.space)  # rows may be padded
    frames = [
        Frame(row[:variables], *constants, count[: objective.count_size])
        for row, count in zip(points.categories, points.counts, strict=True)
    ]
    if JIT:
        frames = change(np.stack([frame.addresses() for frame in frames]))
    search = mapped(change, search._replace(points=()))
    execution._kept = constants
    execution._search = search._replace(points=points._replace(frame=frames))
    execution.recorder = search.recorder
    return execution
