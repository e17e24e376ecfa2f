"""`import catcube` is light: no numba, no numpy, and well under a third of a second."""

import json
import subprocess
import sys

import pytest

import catcube

PROBE = """
import json, os, sys
before = os.times()
{statement}
after = os.times()
used = after.user + after.system - before.user - before.system
print(json.dumps({{"cpu": used, "modules": sorted(sys.modules)}}))
"""


def probe(statement):
    """CPU seconds of a statement in a fresh interpreter, and the modules it left loaded."""
    run = subprocess.run(
        [sys.executable, "-c", PROBE.format(statement=statement)],
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(run.stdout.splitlines()[-1])
    return report["cpu"], set(report["modules"])


@pytest.mark.parametrize(
    "statement", ["import catcube", "import catcube; catcube.Space({'base': 'ATCG'}).decode([2])"]
)
def test_importing_is_light(statement):
    runs = [probe(statement) for _ in range(3)]
    for _, modules in runs:
        assert not {"numba", "llvmlite", "numpy"} & modules
    assert min(cpu for cpu, _ in runs) < 0.3


@pytest.mark.parametrize("name", catcube.__all__)
def test_every_public_name_resolves(name):
    assert getattr(catcube, name) is not None
    assert name in dir(catcube)


def test_the_table_of_lazy_names_is_the_public_list():
    assert {*catcube._HOMES, "problems", "__version__"} == set(catcube.__all__)


def test_no_public_name_is_the_name_of_a_module():
    # Importing catcube.x sets the attribute x of the package, so it would hide the public name.
    modules = [home.removeprefix("catcube.") for home in catcube._HOMES.values()]
    assert not set(modules) & set(catcube._HOMES)


INTERRUPTED = """
import signal, sys
import catcube

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core.ir":
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
try:
    catcube.minimize
except KeyboardInterrupt:
    print("interrupted")
print(catcube.minimize(lambda point: point["digit"], {"digit": range(3)}).fun)
"""


def test_ctrl_c_while_numba_is_imported():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr) == (["interrupted", "0.0"], "")
