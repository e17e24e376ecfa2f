"""`catcube warm`: compile all algorithms now, side by side, instead of each at its first use."""

import os
from argparse import Namespace

from catcube.algorithms import algorithm, names
from catcube.campaigns.compilation import compile_kernels
from catcube.campaigns.configuration import Configuration
from catcube.engine.compiled.jit import CACHE_FOLDER
from catcube.representations.registry import NATIVE


def configurations() -> list[Configuration]:
    """Return one run of each algorithm, on bits and, if possible, on categories."""
    return [
        Configuration(
            experiment="warm",
            instance="match:4,4",
            board="",
            algorithm=name,
            representation=representation,
            parameters=tuple(
                sorted(algorithm(name).recorded(algorithm(name).resolve(None, {})).items())
            ),
            budget=1,
            target=None,
            restart=None,
            seed=1,
            runs=1,
        )
        for name in names()
        for representation in ("linear", NATIVE)
        if representation != NATIVE or algorithm(name).native is not None
    ]


def command(arguments: Namespace) -> int:
    """Compile the kernels that are not compiled yet."""
    all_kernels = configurations()
    jobs = arguments.jobs or os.cpu_count() or 1
    print(f"compiling {len(all_kernels)} kernels with {jobs} processes at most", flush=True)
    compile_kernels(all_kernels, jobs)
    print(f"all kernels are ready in {CACHE_FOLDER}")
    return 0
