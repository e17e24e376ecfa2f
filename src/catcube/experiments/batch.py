"""Many runs: every instance with every algorithm and representation, several times, on all cores.

The rows are in the order of the jobs. Except for `seconds`, they do not depend on the number of
threads.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from catcube.algorithms import algorithm as algorithm_named
from catcube.algorithms.algorithm import Algorithm
from catcube.base.seeds import derived_seed
from catcube.base.text import unknown_name_message
from catcube.errors import BadValue
from catcube.experiments.threads import Crew, Threads, available_cores
from catcube.problems.problem import Problem
from catcube.representations.layout import layout_for
from catcube.search.run import Outcome, Run, execute


class Job(NamedTuple):
    """One run and its names."""

    instance: str
    representation: str
    number: int
    run: Run


class Row(NamedTuple):
    """One line of a table of raw results."""

    instance: str
    algorithm: str
    representation: str
    run: int
    seed: int
    value: float
    evaluations_to_best: int
    evaluations: int
    seconds: float


def row(job: Job, outcome: Outcome) -> Row:
    """Return the result of a job as a row."""
    return Row(
        job.instance,
        job.run.algorithm.name,
        job.representation,
        job.number,
        job.run.seed,
        outcome.value,
        outcome.evaluations_to_best,
        outcome.evaluations,
        outcome.seconds,
    )


def plan(
    problems: Mapping[str, Problem],
    algorithms: Sequence[str],
    representations: Sequence[str],
    *,
    budget: int,
    runs: int,
    seed: int,
    target: float | None = None,
    preset: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> list[Job]:
    """Return all jobs: by problem, algorithm, representation, and number of the run from 1.

    A parameter is set for each algorithm that has it; one that none has is an error. The seed of a
    run is derived from its names and `seed`, so that
    `minimize(problem, algorithm=..., representation=..., budget=..., target=..., seed=row.seed)`
    repeats it.
    """
    methods = [algorithm_named(name) for name in algorithms]
    settings = _settings(methods, preset, parameters or {})
    jobs = []
    for instance, problem in problems.items():
        layouts = {name: layout_for(problem.space, name) for name in representations}
        for method in methods:
            for name, layout in layouts.items():
                for number in range(1, runs + 1):
                    run_seed = derived_seed(seed, instance, method.name, name, number)
                    run = Run(
                        problem, layout, method, settings[method.name], budget, target, run_seed
                    )
                    jobs.append(Job(instance, name, number, run))
    return jobs


def _settings(
    methods: Sequence[Algorithm], preset: str | None, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the parameters of each algorithm, by its name."""
    accepted = {
        method.name: {parameter.name for parameter in method.described()} for method in methods
    }
    if len(methods) > 1:  # a single algorithm reports unknown parameters itself
        for name in parameters:
            known = sorted(set().union(*accepted.values()))
            if name not in known:
                raise BadValue(unknown_name_message("parameter", name, known))
        return {
            method.name: method.resolve(
                preset,
                {
                    name: value
                    for name, value in parameters.items()
                    if name in accepted[method.name]
                },
            )
            for method in methods
        }
    return {method.name: method.resolve(preset, parameters) for method in methods}


def execute_all(
    jobs: Sequence[Job], threads: int | None = None
) -> Generator[tuple[Job, Outcome], None, None]:
    """Execute the jobs, by default on all cores, and yield their outcomes in order.

    After Ctrl-C or `close`, the runs under way are stopped at once and have no outcome; finished
    outcomes are still yielded before the KeyboardInterrupt.
    """
    _compile(jobs)
    crew, executor = Crew(), Threads(threads or available_cores())
    waiting = {number: executor.submit(_outcome, job.run, crew) for number, job in enumerate(jobs)}
    try:
        for number, job in enumerate(jobs):
            outcome = waiting[number].result()
            del waiting[number]
            yield job, outcome
    except KeyboardInterrupt:
        ready = [number for number, future in waiting.items() if future.done()]
        crew.stop()
        for number in ready:
            yield jobs[number], waiting[number].result()
        raise
    finally:
        crew.stop()
        executor.shutdown(cancel_futures=True)


def _compile(jobs: Sequence[Job]) -> None:
    """Compile each kernel before the first run: a compiling thread would delay short runs."""
    first = {job.run.algorithm.name: job.run for job in jobs}
    for run in first.values():
        execute(replace(run, budget=1))


def _outcome(run: Run, crew: Crew) -> Outcome:
    with crew.watching() as watch:
        outcome = execute(run, watch)
    if outcome.failure is not None:
        raise outcome.failure
    return outcome
