"""Fuzz all targets or some, and tell what was found.

python -m tests.fuzz [--target NAME] [--seconds N] [--seed S]
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from importlib.util import find_spec

import catcube
from catcube.base.provenance import machine
from tests import ROOT
from tests.fuzz.targets import NAMES

MEMORY = 4096  # megabytes that a target may use
LONGEST = 30  # seconds that one execution may take

HEADINGS = ("target", "executions", "per second", "coverage", "inputs", "faults")


def main() -> int:
    """The exit code is 0 if no fault was found, 1 if there was one."""
    arguments = _arguments()
    if find_spec("atheris") is None:
        print("fuzzing needs atheris: pip install '.[reliability]'", file=sys.stderr)
        return 2
    names = arguments.target or list(NAMES)
    host = machine()
    print(
        f"{host['processor']}, {host['cores']} cores, {host['system']}; "
        f"Python {platform.python_version()}, atheris {version('atheris')}, "
        f"catcube {catcube.__version__}; seed {arguments.seed}, {arguments.seconds} s a target"
    )
    print(f"{HEADINGS[0]:15}" + "".join(f"{heading:>12}" for heading in HEADINGS[1:]), flush=True)
    faults = 0
    for name in names:
        faults += _fuzz(name, arguments.seconds, arguments.seed)
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--target", action="append", choices=NAMES, help="all by default")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--seed", type=int, default=1, help="of the fuzzer (1)")
    return parser.parse_args()


def _fuzz(name: str, seconds: int, seed: int) -> int:
    """Fuzz one target and print a line about it; how many faults there are."""
    folder = ROOT / "build" / "fuzz" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = [
        f"-seed={seed}",
        f"-max_total_time={seconds}",
        f"-timeout={LONGEST}",
        f"-rss_limit_mb={MEMORY}",
        "-max_len=100000",
        "-print_final_stats=1",
        f"-artifact_prefix={folder}/ended-",
    ]
    # Interpreted, kernels can be followed too, and nothing has to be compiled.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "MPLBACKEND": "agg"}
    began = time.monotonic()
    with (folder / "log.txt").open("wb") as log:
        ended = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.one", name, str(folder), *options],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            check=False,
        )
    elapsed = time.monotonic() - began
    said = (folder / "log.txt").read_text(encoding="utf-8", errors="replace")
    found = folder / "faults.json"
    faults = json.loads(found.read_text()) if found.exists() else {}
    if ended.returncode:
        faults["the process"] = f"exit code {ended.returncode}, see {folder / 'log.txt'}"
    executions = _last(r"stat::number_of_executed_units:\s*(\d+)", said) or _last(r"#(\d+)", said)
    coverage, inputs = (_last(rf"{word}: (\d+)", said) for word in ("cov", "corp"))
    cells = (
        f"{executions:,}",
        f"{executions / elapsed:.0f}",
        f"{coverage:,}",
        f"{inputs:,}",
        str(len(faults)),
    )
    print(f"{name:15}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
    for where, sentence in faults.items():
        print(f"    {where}: {sentence!r}", flush=True)
    return len(faults)


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


if __name__ == "__main__":
    sys.exit(main())
