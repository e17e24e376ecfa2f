"""Ctrl-C: a run in another process returns what it has found, at once."""

import os
import signal
import subprocess
import sys
import time

import pytest

from catcube import minimize

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent")

PATIENCE = 0.3 + 5  # seconds: what is promised, and slack for a busy machine

BEGIN = """
import time
from catcube import minimize
from catcube.problems import Match

problem = Match(40, 9, seed=1)
space = problem.space
calls = 0

def announce():
    print("running", flush=True)

def warm(objective, space=None):
    minimize(objective, space, algorithm="rls", budget=2, seed=1)

def finish(result):
    print(repr(result.message), result.nfev, result.fun == problem.evaluate(result.x), flush=True)
"""

FAST = """
def function(point):
    return sum(point[name] != problem.hidden[name] for name in ("x0", "x1"))

def finish(result):
    print(repr(result.message), result.nfev, result.fun == function(result.x), flush=True)

warm(function, space)
announce()
finish(minimize(function, space, algorithm="rls", budget=10**15, seed=1))
"""

SLEEPING = """
def function(point):
    global calls
    calls += 1
    if calls == 4:
        announce()
        time.sleep(30)
    return problem.evaluate(point)

finish(minimize(function, space, algorithm="rls", budget=10**15, seed=1))
"""

SLEEPING_AT_FIRST = """
def function(point):
    announce()
    time.sleep(30)

try:
    minimize(function, space, algorithm="rls", budget=10**15, seed=1)
except KeyboardInterrupt as interrupt:
    print(repr(interrupt.partial_result.message), interrupt.partial_result.x, flush=True)
"""

CALLBACK = """
warm(problem)

def callback(progress):
    announce()
    time.sleep(30)

finish(minimize(problem, algorithm="rls", budget=10**15, seed=1, callback=callback))
"""

NESTED = """
def inner(point):
    return point["x0"]

def function(point):
    return minimize(inner, space, algorithm="rls", budget=200, seed=1).fun + problem.evaluate(point)

def finish(result):
    right = function(result.x) == result.fun
    print(repr(result.message), result.nfev, right, flush=True)

warm(function, space)
announce()
finish(minimize(function, space, algorithm="rls", budget=10**15, seed=1))
"""

AGAIN = """
warm(problem)
for _ in range(3):
    announce()
    finish(minimize(problem, algorithm="rls", budget=10**15, seed=1))
"""


class Child:
    """A Python process that prints "running" when it may be interrupted."""

    def __init__(self, code):
        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN + code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # a child of a job in the background would otherwise ignore SIGINT
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.communicate()

    def interrupted(self, delay):
        """The line it prints after Ctrl-C, and how long that takes."""
        line = self.process.stdout.readline()
        assert line == "running\n", line + self.process.stderr.read()
        time.sleep(delay)
        os.kill(self.process.pid, signal.SIGINT)
        began = time.perf_counter()
        line = self.process.stdout.readline()
        return line.strip(), time.perf_counter() - began


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(FAST, id="fast function", marks=pytest.mark.long),
        pytest.param(SLEEPING, id="sleeping function"),
        pytest.param(CALLBACK, id="sleeping callback", marks=pytest.mark.long),
        pytest.param(NESTED, id="inner runs"),
    ],
)
def test_the_best_so_far_is_returned(code):
    with Child(code) as child:
        line, seconds = child.interrupted(delay=0.3)
        assert line, child.process.stderr.read()
        message, rest = line[: line.rindex("'") + 1], line[line.rindex("'") + 1 :].split()
        assert message == "'interrupted by the user'"
        assert int(rest[0]) >= 1
        assert rest[1] == "True"  # the point has its value
        assert seconds < PATIENCE
        assert child.process.wait(timeout=10) == 0


def test_nothing_found_yet():
    """Without one finished evaluation there is no result: Ctrl-C is what it always is."""
    with Child(SLEEPING_AT_FIRST) as child:
        line, seconds = child.interrupted(delay=0.2)
        assert line == "'the objective failed' {}"
        assert seconds < PATIENCE


def test_one_run_after_another():
    with Child(AGAIN) as child:
        for _ in range(3):
            line, seconds = child.interrupted(delay=0.2)
            assert line.startswith("'interrupted by the user'")
            assert seconds < PATIENCE


def test_ctrl_c_is_as_before_after_a_run():
    before = signal.getsignal(signal.SIGINT)
    minimize(lambda point: 0, {"a": "xy"}, budget=5, seed=1)
    with pytest.raises(ZeroDivisionError):
        minimize(lambda point: 1 / 0, {"a": "xy"}, budget=5, seed=1)
    assert signal.getsignal(signal.SIGINT) is before


COMPILING = """
from catcube.algorithms import rls
compile = rls.kernel.compile

def told_and_compiled(signature):
    announce()
    compile(signature)
    print("compiled", flush=True)

rls.kernel.compile = told_and_compiled
try:
    minimize(problem, algorithm="rls", budget=10**15, seed=1)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("delay", [0.01, 0.3, 1.0])
def test_ctrl_c_during_a_compilation(delay, tmp_path, monkeypatch):
    """LLVM's callbacks swallowed it, and the run went on; it is remembered, and nothing is run."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with Child(COMPILING) as child:
        line, _ = child.interrupted(delay)
        assert line == "compiled", child.process.stderr.read()
        assert child.process.stdout.readline() == "stopped\n"
        assert child.process.wait(timeout=60) == 0
