"""Many runs in memory: all instances with all algorithms and representations, on all cores.

Results are in the order of the plan. Except for `seconds`, they do not depend on the number of
threads.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from catcube.experiments.kernels import available_cores, compile_kernels, prepare
from catcube.experiments.plan import Configuration, Experiment
from catcube.experiments.worker import Cancellation, run_once
from catcube.problems.problem import Problem
from catcube.search.result import Result


def run_all(
    problems: Mapping[str, Problem],
    algorithms: Sequence[str],
    representations: Sequence[str],
    *,
    budget: int,
    runs: int,
    seed: int,
    threads: int | None = None,
    **settings: Any,
) -> list[Result]:
    """Execute all runs on the given problems and return their results.

    Parameters
    ----------
    problems
        The problems by name.
    algorithms, representations
        Names of algorithms and representations; all pairs are run.
    budget, runs, seed
        Evaluations per run, runs per pair and problem, and the seed from which, together with its
        names and number, the seed of each run is derived. A run can be repeated by `minimize` with
        `seed=result.seed`.
    threads
        The number of threads; by default one per core.
    **settings
        Further settings of an experiment: `target`, `preset`, `parameters`, `restart`, `shuffled`.
        Each of the `parameters` is passed to the algorithms that have it; one that none has is an
        error.

    Returns
    -------
    list of Result
        The results by problem, algorithm, representation and number of the run.

    Examples
    --------
    >>> from catcube.problems import Match
    >>> problems = {"small": Match(6, 5, seed=1)}
    >>> results = run_all(problems, ["rls"], ["linear"], budget=999, runs=3, seed=2, target=0)
    >>> [(result.run, result.value) for result in results]
    [(1, 0.0), (2, 0.0), (3, 0.0)]
    """
    named = problems, tuple(algorithms), tuple(representations)
    experiment = Experiment("batch", *named, budget=budget, runs=runs, seed=seed, **settings)
    return [result for _, result in execute_all(experiment.configurations(), threads)]


def execute_all(
    configurations: Sequence[Configuration],
    threads: int | None = None,
    on_compile: Callable[[int], object] | None = None,
) -> Generator[tuple[Configuration, Result], None, None]:
    """Execute all runs of the configurations, by default on all cores, and yield them in order.

    Ctrl-C or `close` stops running ones at once, without results. Finished results are still
    yielded before the KeyboardInterrupt.

    Parameters
    ----------
    configurations
        The configurations; each contains the number of its runs.
    threads
        The number of threads; by default one per core.
    on_compile
        A function that is called with the number of kernels to compile before they are compiled, if
        there are any.

    Yields
    ------
    tuple of Configuration and Result
        Each configuration with the result of each of its runs, in the order of the configurations
        and of the numbers of the runs.

    Examples
    --------
    >>> instances = {"match:6,5": None}
    >>> experiment = Experiment("one", instances, ("rls",), ("linear",), 999, runs=2, target=0)
    >>> found = execute_all(experiment.configurations())
    >>> [(configuration.instance, result.run, result.value) for configuration, result in found]
    [('match:6,5', 1, 0.0), ('match:6,5', 2, 0.0)]
    """
    threads = threads or available_cores()
    compile_kernels(configurations, threads, on_compile)
    cancellation, executor = Cancellation(), ThreadPoolExecutor(threads)

    def run(configuration: Configuration, number: int) -> Result:
        return run_once(configuration, prepare(configuration), number, cancellation)

    waiting = [
        (one, executor.submit(run, one, number))
        for one in configurations
        for number in range(1, one.runs + 1)
    ][::-1]
    try:
        while waiting:
            configuration, future = waiting[-1]
            result = future.result()
            waiting.pop()
            yield configuration, result
    except KeyboardInterrupt:
        ready = [(one, future) for one, future in waiting[::-1] if future.done()]
        cancellation.stop()
        for configuration, future in ready:
            yield configuration, future.result()
        raise
    finally:
        cancellation.stop()
        executor.shutdown(cancel_futures=True)
