"""Where one ECDF is above another."""

from typing import NamedTuple

import numpy as np

from catcube.statistics.curves import Curve


class Lead(NamedTuple):
    """The first curve (or the second) is ahead from `begin` up to but not including `end`."""

    first: bool
    begin: int
    end: int
    gap: float  # the largest difference of the curves in between


def leads(first: Curve, second: Curve, budget: int, tolerance: float = 0.0) -> list[Lead]:
    """Find the stretches from 1 to `budget` evaluations where one of two curves is ahead.

    A stretch whose gap nowhere exceeds the tolerance is not counted, and does not divide the
    leads around it; where a counted lead begins and ends is exact. The last one ends at
    `budget + 1`, if there is a difference in the end.

    >>> slow = Curve(np.array([1, 50]), np.array([1, 4]), 4)
    >>> fast = Curve(np.array([1, 10]), np.array([1, 3]), 4)
    >>> for lead in leads(slow, fast, budget=100):
    ...     print(lead)
    Lead(first=False, begin=10, end=50, gap=0.5)
    Lead(first=True, begin=50, end=101, gap=0.25)
    """
    steps = np.union1d(first.evaluations, second.evaluations)
    steps = steps[steps <= budget]
    gaps = first.at(steps) - second.at(steps)
    ends = np.append(steps, budget + 1)[1:]
    found: list[Lead] = []
    for begin, end, gap in zip(steps.tolist(), ends.tolist(), gaps.tolist(), strict=True):
        if gap == 0:
            continue
        last = found[-1] if found else None
        if last and last.first == (gap > 0) and last.end == begin:
            found[-1] = last._replace(end=end, gap=max(last.gap, abs(gap)))
        else:
            found.append(Lead(gap > 0, begin, end, abs(gap)))
    return _joined([lead for lead in found if lead.gap > tolerance])


def _joined(found: list[Lead]) -> list[Lead]:
    """Join successive leads of the same curve."""
    joined: list[Lead] = []
    for lead in found:
        if joined and joined[-1].first == lead.first:
            last = joined[-1]
            joined[-1] = last._replace(end=lead.end, gap=max(last.gap, lead.gap))
        else:
            joined.append(lead)
    return joined
