"""Fuzz one target with atheris; several, or all, one after the other.

python -m tests.fuzz [TARGET ...] [OPTIONS of libFuzzer, as -max_total_time=60 or -seed=1]

A fault ends a target with its traceback; the input is in build/fuzz/TARGET.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

from tests import ROOT
from tests.fuzz.targets import NAMES

# So kernels can be followed too, and nothing has to be compiled.
INTERPRETED = {"NUMBA_DISABLE_JIT": "1", "MPLBACKEND": "agg"}
LIMITS = ("-timeout=30", "-rss_limit_mb=4096", "-max_len=100000", "-print_final_stats=1")


def main(arguments: list[str]) -> int:
    """The exit code is 0 if no fault was found."""
    if find_spec("atheris") is None:
        print("fuzzing needs atheris: pip install '.[reliability]'", file=sys.stderr)
        return 2
    options = [argument for argument in arguments if argument.startswith("-")]
    names = [argument for argument in arguments if argument not in options]
    if len(names) == 1 and INTERPRETED.items() <= os.environ.items():
        fuzz(names[0], options)
    environment = os.environ | INTERPRETED
    codes = []
    for name in names or NAMES:
        command = [sys.executable, "-m", "tests.fuzz", name, *options]
        codes.append(subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode)
        print(f"{name}: {'no fault' if codes[-1] == 0 else 'a fault'}", flush=True)
    return max(codes)


def fuzz(name: str, options: list[str]) -> None:
    """Fuzz a target until libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["catcube", "tomllib"]):
        target = import_module(f"tests.fuzz.targets.{name}")
    folder = ROOT / "build" / "fuzz" / name
    shutil.rmtree(folder, ignore_errors=True)
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    for seed in target.seeds():
        (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    prefix = f"-artifact_prefix={folder}/"
    atheris.Setup([sys.argv[0], *LIMITS, prefix, *options, str(corpus)], target.check)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
