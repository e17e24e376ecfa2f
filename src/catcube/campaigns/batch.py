"""Many runs: every instance with every algorithm and representation, several times, on all cores.

The rows come in the order of the jobs and, but for their `seconds`, do not depend on how many
threads do the work.
"""

import os
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

from catcube.algorithms import algorithm as algorithm_named
from catcube.algorithms.algorithm import Algorithm
from catcube.base.seeds import derived_seed
from catcube.base.text import unknown_name_message
from catcube.problems.problem import Problem
from catcube.representations.layout import layout_of, representations_of
from catcube.search.run import Outcome, Run, execute
from catcube.search.watch import Watch


class Job(NamedTuple):
    """One run, and the names it is known by."""

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
    """What a job has found, in short."""
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
    """All jobs: by problem, then algorithm, then representation, then number of the run from 1.

    A parameter is set for each of the algorithms that has it; one that none has is refused. The
    seed of a run is derived from its names and `seed`, so that
    `minimize(problem, algorithm=..., representation=..., budget=..., target=..., seed=row.seed)`
    repeats it.
    """
    methods = [algorithm_named(name) for name in algorithms]
    settings = _settings(methods, preset, parameters or {})
    jobs = []
    for instance, problem in problems.items():
        layouts = {
            name: layout_of(representations_of(problem.space, name)) for name in representations
        }
        for method in methods:
            for name, layout in layouts.items():
                for number in range(1, runs + 1):
                    own = derived_seed(seed, instance, method.name, name, number)
                    run = Run(problem, layout, method, settings[method.name], budget, target, own)
                    jobs.append(Job(instance, name, number, run))
    return jobs


def _settings(
    methods: Sequence[Algorithm], preset: str | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters of each algorithm, by its name."""
    accepted = {method.name: {own.name for own in method.described()} for method in methods}
    if len(methods) > 1:  # a single algorithm says itself what it does not know
        for name in given:
            known = sorted(set().union(*accepted.values()))
            if name not in known:
                raise ValueError(unknown_name_message("parameter", name, known))
        return {
            method.name: method.resolve(
                preset, {name: given[name] for name in given if name in accepted[method.name]}
            )
            for method in methods
        }
    return {method.name: method.resolve(preset, given) for method in methods}


def execute_all(
    jobs: Sequence[Job], threads: int | None = None
) -> Generator[tuple[Job, Outcome], None, None]:
    """Do the jobs, by default on all cores, and give their outcomes in order as they become ready.

    When it is interrupted by Ctrl-C or closed, the runs under way are stopped at once and have
    no outcome; the outcomes that are ready still come before the KeyboardInterrupt does.
    """
    _compile(jobs)
    crew = _Crew(jobs, threads or available_cores())
    try:
        for number in range(len(jobs)):
            yield jobs[number], crew.outcome(number)
    except KeyboardInterrupt:
        for number in crew.stop():
            yield jobs[number], crew.outcome(number)
        raise
    finally:
        crew.stop()


def _compile(jobs: Sequence[Job]) -> None:
    """Compile each kernel before the first run: a compiling thread would hold up short runs."""
    first = {job.run.algorithm.name: job.run for job in jobs}
    for run in first.values():
        execute(replace(run, budget=1))


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Crew:
    """The threads that do the jobs; the kernels run without the GIL."""

    def __init__(self, jobs: Sequence[Job], threads: int) -> None:
        self.stopped = False
        self.under_way: set[Watch] = set()
        self.executor = ThreadPoolExecutor(threads)
        self.futures: dict[int, Future[Outcome]] = {
            number: self.executor.submit(self.work, job.run) for number, job in enumerate(jobs)
        }

    def work(self, run: Run) -> Outcome:
        """Do one run in the current thread, where `stop` can reach it."""
        watch = Watch(beside=False)
        self.under_way.add(watch)
        if self.stopped:  # asked after the watch is known, so that no run slips through
            watch.stop("interrupt")
        try:
            return execute(run, watch)
        finally:
            self.under_way.discard(watch)

    def outcome(self, number: int) -> Outcome:
        """The outcome of a job, when it is done; it is given once and then forgotten."""
        outcome = self.futures[number].result()
        del self.futures[number]
        if outcome.failure is not None:
            raise outcome.failure
        return outcome

    def stop(self) -> list[int]:
        """End all runs; the numbers of the jobs that were done and are not yet given."""
        ready = [number for number, future in self.futures.items() if future.done()]
        self.stopped = True
        self.executor.shutdown(wait=False, cancel_futures=True)
        for watch in list(self.under_way):
            watch.stop("interrupt")
        self.executor.shutdown(wait=True)
        return ready
