"""Put faults into the sources and count those that the tests notice."""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

# Before numpy and numba are imported: no compilation, and no threads that a fork would lose.
os.environ.update(NUMBA_DISABLE_JIT="1", OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")

from tests import ROOT
from tests.mutation import candidates, outcome, reach, trial
from tests.mutation.copied import copied_tree
from tests.mutation.mutants import Mutant, mutants_of, sampled
from tests.mutation.preload import preload
from tests.mutation.survivors import known_survivors

OUT = ROOT / "build" / "mutation"


def main() -> None:
    """Try a sample of mutants and tell what became of them."""
    arguments = parser().parse_args()
    files = candidates.sources(ROOT, arguments.modules)
    os.nice(19)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("mutation: ended"))  # the copy goes away
    sys.stdout.reconfigure(line_buffering=True)
    print(outcome.stamp(arguments.seed))
    with copied_tree(ROOT) as tree:
        preload()
        reached = reach.measured(tree, candidates.tests(tree, files), OUT / "reach")
        every = {name: mutants_of(tree, name) for name in files}
        if arguments.again:
            survived = outcome.survivors(OUT)
            chosen = [m for own in every.values() for m in own if m.key in survived]
        else:
            chosen = sampled(every, arguments.sample, arguments.seed)
        total = sum(map(len, every.values()))
        print(f"{len(chosen)} of {total} mutants in {len(files)} modules")
        tried = try_all(tree, chosen, reached, arguments.seconds)
    known = known_survivors()
    outcome.write(OUT, tried, every, arguments.seed, merge=arguments.again)
    print(outcome.table(tried, every, known))
    for own in tried:
        if own.result == "survived" and own.mutant.change not in known:
            print(f"new survivor: {own.mutant}")


def try_all(
    tree: Path, chosen: list[Mutant], reached: reach.Reach, seconds: float
) -> list[outcome.Tried]:
    """What became of each mutant."""
    tried = []
    began = time.perf_counter()
    for count, mutant in enumerate(chosen, start=1):
        wanted = reached.tests_for(mutant.path, mutant.lines, seconds)
        result, noticed = trial.tried(tree, mutant, wanted) if wanted else ("unreached", "")
        tried.append(outcome.Tried(mutant, result, noticed, len(wanted)))
        if result != "killed":
            minutes = (time.perf_counter() - began) / 60
            print(f"{count}/{len(chosen)} {minutes:.1f} min: {result}: {mutant} {noticed}")
    return tried


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser("python -m tests.mutation", description=__doc__)
    made.add_argument(
        "--modules",
        nargs="+",
        default=["engine", "algorithms", "statistics"],
        metavar="NAME",
        help="packages or files below src/catcube: engine, algorithms/rls.py ...",
    )
    made.add_argument(
        "--sample", type=int, default=400, metavar="N", help="so many mutants (0: one a place)"
    )
    made.add_argument("--seed", type=int, default=1, help="of the sample")
    made.add_argument(
        "--seconds",
        type=float,
        default=20.0,
        help="of tests a mutant has to survive, counted as without it",
    )
    made.add_argument("--again", action="store_true", help="only those that survived the last time")
    return made


if __name__ == "__main__":
    main()
