"""Whether compiled and interpreted runs are the same: a second process makes the interpreted."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence

from catcube.testing.algorithms import outlines
from catcube.testing.ensure import ensure

_PROGRAM = """
import importlib, json, sys
package, *names = json.loads(sys.argv[1])
importlib.import_module(package)
from catcube.testing.algorithms import outlines
print(json.dumps(outlines(names)))
"""


def interpreted(package: str, names: Sequence[str]) -> None:
    """Check that compiled and interpreted runs of the algorithms of a package are equal."""
    run = subprocess.run(
        [sys.executable, "-c", _PROGRAM, json.dumps([package, *names])],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        last = run.stderr.strip().splitlines()[-1:]
        raise AssertionError(f"the interpreted runs failed: {' '.join(last)}")
    theirs = json.loads(run.stdout)
    ours = json.loads(json.dumps(outlines(list(names))))
    for name in names:
        ensure(ours[name] == theirs[name], f"compiled and interpreted runs of {name!r} differ")
