"""The work of a worker: a few runs of one configuration.

A task and its report are plain data and `perform` is a function of a module, so that any executor
can send them to another thread, process or machine.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import lru_cache
from multiprocessing import parent_process
from typing import NamedTuple

from catcube.algorithms import algorithm as algorithm_named
from catcube.engine.decode import Layout
from catcube.engine.search import Genes
from catcube.experiments.configuration import Configuration
from catcube.experiments.origin import Origin, origin_of
from catcube.experiments.plan import problem_of
from catcube.experiments.store.trace import packed_trace
from catcube.experiments.store.writer import Finding
from catcube.experiments.threads import Crew
from catcube.problems.problem import Problem
from catcube.representations.layout import layout_for
from catcube.search.run import Execution, Run, execute
from catcube.search.watch import Watch

GRACE = 2.0  # seconds in which a run stops after a request, unless it hangs


class Task(NamedTuple):
    """Runs to make; `position` is that of the configuration in the plan."""

    position: int
    configuration: Configuration
    numbers: tuple[int, ...]
    attempt: int = 1
    before: str = ""  # the failure of the previous attempt


class Report(NamedTuple):
    """The result of a task: runs, and the numbers and messages of failed ones."""

    findings: list[Finding]
    failures: list[tuple[int, str]]
    seconds: float
    origin: Origin


class Limit(NamedTuple):
    """The time limit of a run.

    A run that does not stop after a request, because its problem hangs, ends its process if
    `ends_process` allows it: if the process makes only runs of a campaign.
    """

    seconds: float
    ends_process: bool = False

    def exceeded(self) -> str:
        """Return the message about a run that has taken longer.

        >>> Limit(5.0).exceeded()
        'no result in 5 s'
        """
        return f"no result in {self.seconds:g} s"

    @contextmanager
    def kept(self, watch: Watch) -> Iterator[None]:
        """Stop the run inside the block after the time limit."""
        over = threading.Event()
        thread = threading.Thread(target=self._wait, args=(watch, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()

    def _wait(self, watch: Watch, over: threading.Event) -> None:
        if over.wait(self.seconds):
            return
        watch.stop("time")
        if not over.wait(GRACE) and self.ends_process and parent_process() is not None:
            os._exit(1)


def perform(task: Task, crew: Crew | None = None, limit: Limit | None = None) -> Report:
    """Make the runs of a task; stopped runs are omitted.

    >>> from catcube.experiments.plan_file import shipped_plan
    >>> configuration = shipped_plan("fixed-target").configurations()[0]
    >>> report = perform(Task(0, configuration, (1, 2)))
    >>> [(finding.number, finding.value) for finding in report.findings]
    [(1, 0.0), (2, 0.0)]
    """
    crew = crew or Crew()
    run = prepared(task.configuration)
    began = time.perf_counter()
    findings, failures = [], []
    for number in task.numbers:
        try:
            found = _finding(task.configuration, run, number, crew, limit)
        except Exception as error:
            failures.append((number, in_words(error)))
        else:
            if found.ending == "time" and limit is not None:
                failures.append((number, limit.exceeded()))
            elif found.ending != "interrupt":
                findings.append(found)
    return Report(findings, failures, time.perf_counter() - began, origin_of(task.configuration))


def in_words(error: BaseException) -> str:
    """Return the type and the message of an exception.

    >>> in_words(ValueError("no")), in_words(MemoryError())
    ('ValueError: no', 'MemoryError')
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _finding(
    configuration: Configuration, run: Run, number: int, crew: Crew, limit: Limit | None
) -> Finding:
    seed = configuration.run_seed(number)
    with crew.watching() as watch, nullcontext() if limit is None else limit.kept(watch):
        outcome = execute(replace(run, seed=seed), watch)
    if outcome.failure is not None:
        raise outcome.failure
    return Finding(
        number=number,
        seed=seed,
        value=outcome.value,
        evaluations_to_best=outcome.evaluations_to_best,
        evaluations=outcome.evaluations,
        iterations=outcome.iterations,
        ending=outcome.reason,
        seconds=outcome.seconds,
        trace=packed_trace(outcome.trace_evaluations, outcome.trace_values),
    )


@lru_cache(maxsize=256)
def prepared(configuration: Configuration) -> Run:
    """Return a run of the configuration without its seed, with its kernel compiled."""
    problem = _problem(configuration.board, configuration.instance)
    method = algorithm_named(configuration.algorithm)
    run = Run(
        problem,
        _layout(problem, configuration.representation, configuration.shuffling_seed),
        method,
        method.recalled(dict(configuration.parameters)),
        configuration.budget,
        configuration.target,
        seed=0,
        restart=configuration.restart,
    )
    if (method.name, run.native) not in _COMPILED:
        Execution(replace(run, budget=1), Watch(beside=False))
        _COMPILED.add((method.name, run.native))
    return run


_COMPILED: set[tuple[str, bool]] = set()


@lru_cache(maxsize=64)
def _problem(board: str, instance: str) -> Problem:
    """Build a problem once for all pairs: a board costs more than a short run."""
    return problem_of(board, instance)


@lru_cache(maxsize=64)
def _layout(problem: Problem, representation: str, shuffling_seed: int | None) -> Layout | Genes:
    return layout_for(problem.space, representation, shuffling_seed)
