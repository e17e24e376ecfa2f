"""Conditions about runs that fail: a pair succeeds as the paper's did, or some of its runs fail."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from catcube.statistics import Pair
from catcube.studies.analysis.model import Samples
from catcube.studies.paper.significance import fisher
from catcube.studies.paper.statements.statement import LEVEL, Condition


class Count(NamedTuple):
    """How many runs of a pair failed, of how many."""

    failed: int
    runs: int

    def succeeds(self) -> Condition:
        """Check that the pair succeeds: failures are not significantly more than none of as many.

        >>> Count(3, 2000).succeeds(), Count(17, 2000).succeeds().true
        (Condition(true=True, p=0.0), False)
        """
        p = fisher(self.failed, self.runs, 0, self.runs)
        return Condition(True, 0.0) if p > LEVEL else Condition(False, p)

    def fails(self) -> Condition:
        """Check that the pair is not always successful: one run that fails is proof."""
        return Condition(self.failed > 0, 0.0 if self.failed else 1.0)


def counts(runtimes: Samples, instances: Iterable[str]) -> dict[Pair, Count]:
    """Count the failures of each pair on these instances."""
    found: dict[Pair, Count] = {}
    for instance in instances:
        for pair, sample in runtimes[instance].items():
            failed, runs = found.get(pair, (0, 0))
            found[pair] = Count(failed + int(np.isinf(sample).sum()), runs + sample.size)
    return found


def failing(found: Mapping[Pair, Count]) -> str:
    """Name the pairs of which runs failed, the worst first.

    >>> failing({Pair("sa", "direct"): Count(3, 200), Pair("ga", "direct"): Count(0, 200)})
    'runs fail of sa-direct (3 of 200)'
    """
    worst = sorted(
        (pair for pair, value in found.items() if value.failed),
        key=lambda pair: (-found[pair].failed, pair),
    )
    if not worst:
        return "no run fails"
    shares = (
        f"{'-'.join(pair)} ({found[pair].failed:,} of {found[pair].runs:,})" for pair in worst
    )
    return f"runs fail of {', '.join(shares)}"
