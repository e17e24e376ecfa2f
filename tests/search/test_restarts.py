"""Search by restarts: budget, length of the runs, and what is kept."""

from itertools import pairwise

import pytest

import catcube
from catcube.base.seeds import derived_seed
from catcube.problems import Match, Sudoku
from catcube.search.solve import search

HARD = Sudoku.instance("sudoku-17hint-64")


SHORT = {"algorithm": "rls", "first": 100}


@pytest.mark.parametrize(("budget", "runs"), [(1, 1), (299, 1), (300, 2), (301, 2), (1000, 3)])
def test_the_budget_is_used_up_exactly(budget, runs):
    found = search(HARD, seed=1, budget=budget, **SHORT)
    assert (found.evaluations, found.run, found.ending) == (budget, runs, "budget")


def test_the_best_run_is_kept_and_can_be_repeated():
    found = search(HARD, seed=5, budget=700, **SHORT)
    single = [
        catcube.minimize(
            HARD, algorithm="rls", budget=length, seed=derived_seed(5, "restart", number)
        )
        for number, length in enumerate([100, 200, 400])
    ]
    assert found.run == 3
    assert found.fun == min(result.fun for result in single)
    assert HARD.evaluate(found.x) == found.fun


def test_parameters_are_those_of_every_run():
    found = search(HARD, seed=1, budget=250, parameters={"patience": 7}, **SHORT)
    assert found.parameters["patience"] == 7


def test_a_target_is_reached_after_restarts():
    found = search(Match(8, 4, seed=1), seed=3, **SHORT)
    assert found.ending == "target"
    assert found.fun == 0


@pytest.mark.compiled
def test_progress_is_that_of_all_runs():
    seen = []
    long = {"budget": 6_000_000, "first": 2_000_000}
    found = search(HARD, seed=1, algorithm="rls", callback=seen.append, **long)
    assert found.run == 2
    for before, after in pairwise(seen):
        assert before.evaluations <= after.evaluations
        assert before.value >= after.value
        assert before.seconds <= after.seconds
    assert seen[-1].evaluations <= 6_000_000
    assert seen[-1].value >= found.fun


def test_the_callback_stops_the_search():
    found = search(HARD, seed=1, algorithm="rls", callback=lambda progress: True)
    assert found.ending == "callback"
    assert found.run >= 1


class Interrupted(Match):
    """A problem at whose third run somebody presses Ctrl-C."""

    runs = 0

    def objective(self, tick):
        self.runs += 1
        if self.runs > 2:
            raise KeyboardInterrupt
        return super().objective(tick)


def test_an_interrupt_between_runs_keeps_what_is_found():
    problem = Interrupted(40, 9, seed=1)
    found = search(problem, seed=1, target=-1, **SHORT)
    assert (found.ending, found.run, found.evaluations) == ("interrupt", 2, 300)
    assert found.fun == problem.evaluate(found.x)
    assert search(problem, seed=1, **SHORT) is None


def test_an_interrupt_in_the_callback_keeps_what_is_found():
    def pressed(progress):
        raise KeyboardInterrupt

    found = search(HARD, seed=1, algorithm="rls", callback=pressed)
    assert found.ending == "interrupt"
    assert found.fun == HARD.evaluate(found.x)
