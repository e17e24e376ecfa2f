"""Objectives that do what they should not: a right result or one sentence, and nothing left behind.

What an objective raises and returns in the usual ways is in test_failures.py.
"""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from coverage import Coverage

from catcube import Space, minimize
from catcube.problems import Match
from catcube.search.interrupt import postpone_interrupt
from tests.problems.python.objective_examples import SPACE

alarms = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no SIGALRM")


class Late(Exception):  # noqa: N818
    pass


@pytest.fixture
def alarm():
    """A function that lets SIGALRM raise `Late` after some seconds."""
    if Coverage.current() is not None:
        pytest.skip("coverage holds a lock that such an exception may leave locked")

    def raise_late(number, frame):
        raise Late

    before = signal.signal(signal.SIGALRM, raise_late)
    gc.disable()  # an exception in a callback of the collector, as hypothesis has one, is lost
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    gc.enable()


@alarms
@pytest.mark.parametrize("algorithm", ["rls", "ga"])
@pytest.mark.parametrize("vectorized", [False, True])
def test_a_signal_handler_that_raises(algorithm, vectorized, alarm):
    """It may strike at the first instruction of the callback, where ctypes would swallow it."""
    space = Space.repeat("x", range(9), 40)
    for k in range(1, 11):
        calls = 0

        def cost(point, k=k):
            nonlocal calls
            calls += 1
            if calls == 3:
                alarm(0.0004 * k)
            value = point[:, 0] if vectorized else point["x0"]
            return 1000.0 + value

        with pytest.raises(Late) as caught:
            minimize(
                cost,
                space,
                algorithm=algorithm,
                vectorized=vectorized,
                budget=10**9,
                time_limit=60,
                seed=k,
            )
        partial = caught.value.partial_result
        assert partial.fun == 1000.0 + partial.x["x0"]
        assert not partial.success


@alarms
def test_a_signal_while_a_compiled_run_goes_on_beside(alarm):
    problem = Match(30, 9, seed=1)
    minimize(problem, algorithm="rls", budget=2, seed=1)
    threads = threading.active_count()
    with pytest.raises(Late) as caught:
        minimize(
            problem,
            algorithm="rls",
            budget=10**15,
            seed=1,
            time_limit=60,
            callback=lambda progress: alarm(0.001) and None,
        )
    assert threading.active_count() == threads  # it does not go on behind the user's back
    partial = caught.value.partial_result
    assert partial.fun == problem.evaluate(partial.x)


def test_the_limit_of_recursion():
    """However near the limit a run begins, it ends in a right result or a RecursionError."""

    def cost(point):
        return float(point["digit"]) + 100

    def dive(depth):
        if depth:
            return dive(depth - 1)
        return minimize(cost, SPACE, algorithm="rls", budget=20, seed=1)

    right = dive(0).fun
    depth = 0
    frame = sys._getframe()
    while frame:
        depth, frame = depth + 1, frame.f_back
    outcomes = set()
    for margin in range(2, 90, 2):
        try:
            result = dive(sys.getrecursionlimit() - depth - margin)
        except (RecursionError, ctypes.ArgumentError):
            outcomes.add("refused")
        else:
            outcomes.add("done")
            assert result.fun == cost(result.x) == right
    assert outcomes == {"refused", "done"}


def test_coroutines_and_generators_are_no_numbers():
    async def asynchronous(point):
        return 1.0

    def generator(point):
        yield 1.0

    for cost in (asynchronous, generator):
        with pytest.raises(TypeError, match="expected a number from the objective, got <"):
            minimize(cost, SPACE, algorithm="rls", budget=10, seed=1)


PROCESSES = """
    import os, signal, sys, threading
    import catcube

    space = {"a": "xyz", "b": "uv"}

    def cost(point):
        return "zyx".index(point["a"])

    def search():
        return catcube.minimize(cost, space, algorithm="rls", budget=40, seed=1)

    def in_child(act):
        pid = os.fork()
        if pid == 0:
            signal.alarm(100)  # not a time-out that matters: a hang must not stay
            try:
                act()
                os._exit(0)
            except BaseException as exception:
                print(repr(exception), flush=True)
                os._exit(1)
        return os.waitpid(pid, 0)[1]

    def check():
        again = search()
        assert (again.x, again.fun) == (first.x, first.fun)
        problem = catcube.problems.Match(4, 3, seed=1)
        assert catcube.minimize(problem, algorithm="rls", budget=99, seed=1).nfev <= 99

    def refused():
        try:
            optimizer.ask()
        except RuntimeError as exception:
            assert "fork" in str(exception)
        else:
            raise AssertionError("not refused")

    first = search()
    optimizer = catcube.Optimizer(space, algorithm="rls", seed=1)
    optimizer.tell(optimizer.ask(), [1.0])
    print(in_child(check), in_child(refused))
    optimizer.tell(optimizer.ask(), [0.5])
    running = threading.Event()

    def endless(point):
        running.set()
        return 1.0

    threading.Thread(
        target=lambda: catcube.minimize(endless, space, algorithm="rls", budget=10**15, seed=1),
        daemon=True,
    ).start()
    running.wait()
    print("leaves")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forks_and_the_end_of_the_interpreter():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROCESSES)], capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("0 0\nleaves\n", 0), done.stderr


@pytest.mark.parametrize(("times", "reached"), [(1, True), (2, False)])
def test_ctrl_c_waits_for_the_end_of_a_compilation(times, reached):
    """The first one does; who asks twice does not wait."""
    seen = []

    def compile_something():
        with postpone_interrupt():
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
            seen.append("end")

    with pytest.raises(KeyboardInterrupt):
        compile_something()
    assert bool(seen) == reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
