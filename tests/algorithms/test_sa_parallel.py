"""Annealing with several candidates under way in an executor."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from catcube import minimize
from tests.problems.python.slow_functions import cost
from tests.problems.python.test_parallel import Backwards, Counting
from tests.search.asked import SPACE, same

SETTINGS = {"algorithm": "sa", "representation": "native", "budget": 60, "seed": 5}


@pytest.mark.parametrize("ending", [{}, {"target": 1}, {"restart": 13}])
def test_the_result_depends_on_seed_and_workers_only(ending):
    first = minimize(cost, SPACE, executor=Backwards(), workers=3, **SETTINGS, **ending)
    with ThreadPoolExecutor(3) as executor:
        second = minimize(cost, SPACE, executor=executor, **SETTINGS, **ending)
    assert same(first, second)
    assert first.fun == cost(first.x)
    if "target" not in ending:
        assert first.calls == second.calls
        assert first.nfev == 60


def test_one_candidate_more_than_workers_is_under_way_until_the_end():
    executor = Counting()
    result = minimize(cost, SPACE, executor=executor, workers=2, **SETTINGS)
    assert executor.under_way[:2] == [1, 3]  # the first point is alone
    assert max(executor.under_way) == 3
    assert np.mean(executor.under_way) > 2
    assert result.calls == result.nfev == 60


def test_no_point_is_evaluated_twice_and_all_workers_are_busy():
    """Where most candidates are known, others are drawn."""
    executor = Counting()
    seen = []

    def counted(point):
        seen.append(tuple(point.values()))
        return sum(point.values())

    space = {f"x{i}": range(3) for i in range(8)}
    result = minimize(counted, space, executor=executor, workers=2, **SETTINGS)
    assert len(seen) == len(set(seen)) == result.nfev == 60
    assert np.mean(executor.under_way) > 2.5


def test_it_starts_at_the_best_initial_point():
    points = [{"base": "A", "digit": 9, "flag": True}, {"base": "C", "digit": 7, "flag": False}]
    result = minimize(cost, SPACE, executor=Counting(), workers=2, x0=points, **SETTINGS)
    assert result.trace.values[0] == cost(points[0])
    assert result.fun <= cost(points[1])


def test_it_finds_what_one_candidate_at_a_time_finds():
    """The medians of nine runs with fixed seeds differ by at most two."""
    space = {f"x{i}": range(4) for i in range(12)}

    def rugged(point):
        labels = list(point.values())
        return sum((7 * a + 3 * b) % 5 for a, b in pairwise(labels))

    settings = {**SETTINGS, "budget": 400}
    alone, several = [], []
    for seed in range(9):
        settings["seed"] = seed
        alone.append(minimize(rugged, space, **settings).fun)
        several.append(minimize(rugged, space, executor=Backwards(), workers=3, **settings).fun)
    assert abs(np.median(alone) - np.median(several)) <= 2


def test_exchanges_in_parallel():
    """A permutation by penalty: exchanges find a better one than single changes."""
    space = {f"x{i}": range(8) for i in range(8)}

    def tour(point):
        order = list(point.values())
        return 30 * (8 - len(set(order))) + sum((5 * a + 3 * b) % 11 for a, b in pairwise(order))

    settings = {**SETTINGS, "budget": 1500, "workers": 3, "executor": Backwards()}
    single, exchanged = (
        [minimize(tour, space, **{**settings, "seed": s}, exchange=wanted).fun for s in range(3)]
        for wanted in (False, True)
    )
    assert sum(exchanged) < sum(single)


def test_the_historical_rule_runs_in_chains():
    chains = minimize(cost, SPACE, executor=Counting(), workers=2, preset="paper", **SETTINGS)
    assert chains.nfev <= 60
    with ThreadPoolExecutor(2) as executor:
        again = minimize(cost, SPACE, executor=executor, preset="paper", **SETTINGS)
    assert same(chains, again)


def test_failed_points_are_never_the_best():
    def fragile(point):
        if point["digit"] == 7:
            raise ValueError
        return cost(point)

    result = minimize(fragile, SPACE, executor=Counting(), workers=2, catch=ValueError, **SETTINGS)
    assert result.failed > 0
    assert result.x["digit"] != 7
    assert result.nfev == 60
