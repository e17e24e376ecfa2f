"""Stores with made-up runs, for the tests of the analysis: nothing is run."""

from dataclasses import replace

import numpy as np

from catcube.experiments.origin import Origin
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.writer import Writer
from catcube.problems.sudoku import Board
from catcube.search.result import Result, Trace

BOARD = Board("1..4 ..1. .1.. 4..1")
ORIGIN = Origin("1.0", "abc", '{"python": "3.11", "cores": 2}')


def experiment(name="mine", instances=("a", "b"), algorithms=("rls", "sa", "ga"), **changes):
    settings = {"representations": ("linear", "direct"), "budget": 1000, "runs": 4} | changes
    return Experiment(name, dict.fromkeys(instances, BOARD), algorithms, **settings)


def finding(number, value, evaluations=100, start=100.0):
    """A run that finds its value after so many evaluations, in one step from the first value."""
    steps = ([1, evaluations], [start, value]) if value < start else ([1], [start])
    trace = Trace(np.array(steps[0]), np.array(steps[1], np.float64))
    return Result(
        x={},
        value=value,
        evaluations=1000,
        evaluations_to_best=evaluations,
        iterations=10,
        ending="budget",
        trace=trace,
        seconds=0.25,
        seed=number,
        algorithm="",
        representation="",
        parameters={},
        budget=1000,
        target=None,
        categories=np.zeros(10, np.int64),
        calls=1000,
        success=True,
        run=number,
    )


def write(path, experiments, made, failed=()):
    """A store in which `made(configuration, number)` is each run, or None if it is not done."""
    plan = Plan("test", tuple(experiments))
    with Writer(path, plan) as writer:
        session = writer.session(ORIGIN)
        for number, configuration in enumerate(plan.configurations()):
            runs = [made(configuration, run) for run in range(1, configuration.runs + 1)]
            done = [run for run in runs if run is not None]
            seeds = [replace(run, seed=configuration.run_seed(run.run)) for run in done]
            writer.add(number, seeds, session)
        for number, run in failed:
            writer.add_failure(number, run, "ValueError: no", session)
    return path
