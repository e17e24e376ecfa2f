"""No kernel reads or writes beyond its arrays, and none uses a negative index.

Random runs (`engine/guards/runs.py`: every algorithm with every representation, several kinds of
problems, parameters at their limits, restarts) are made on arrays that notice, and must find what
they find on plain ones. There are two kinds of guards, since each is blind to something:

- interpreted, arrays that refuse negative indices and slices beyond their ends (`strict`);
- compiled as always, arrays against forbidden pages of memory (`fence`).

That each of them notices a fault is tested with kernels that have one.
"""

import signal
import subprocess
import sys

import pytest

from catcube.engine.compiled.jit import JIT
from tests import ROOT
from tests.engine.guards import strict
from tests.engine.guards.faults import FAULTS
from tests.engine.guards.guarded import guarded
from tests.engine.guards.runs import EVERY, outline, plain, random_run


def started(module, *arguments):
    """Start a guard as a program; what it printed must be looked at by the caller."""
    return subprocess.run(
        [sys.executable, "-m", f"tests.engine.guards.{module}", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(JIT, reason="the guard is for interpreted code")
@pytest.mark.parametrize("first", range(0, EVERY, 10))
def test_no_index_is_negative(first, monkeypatch):
    for number in range(first, first + 10):
        wanted = plain(random_run(number))
        with monkeypatch.context() as patched:
            strict.install(patched)
            assert outline(guarded(random_run(number), strict.new_strict).result()) == wanted


@pytest.mark.skipif(JIT, reason="the guard is for interpreted code")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_strict_array_notices(fault, monkeypatch):
    strict.install(monkeypatch)
    with pytest.raises(IndexError):
        outline(guarded(FAULTS[fault](), strict.new_strict).result())


@pytest.mark.compiled
def test_fences_are_not_touched():
    done = started("fence", EVERY, 5)
    assert (done.returncode, done.stdout) == (0, f"{EVERY}\n"), done.stderr[-2000:]


@pytest.mark.compiled
@pytest.mark.parametrize(
    "fault", ["behind", pytest.param("a word beyond a row", marks=pytest.mark.long)]
)
def test_a_fence_notices(fault):
    done = started("faults", fault)
    assert done.returncode == -signal.SIGSEGV, done.stderr[-2000:]
