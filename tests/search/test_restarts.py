"""Search by restarts: budget, length of the runs, and what is kept."""

from itertools import pairwise

import pytest

import catcube
from catcube.base.seeds import derived_seed
from catcube.problems import Match, Sudoku
from catcube.search import solve as restarts
from catcube.search.solve import search

HARD = Sudoku.instance("sudoku-17hint-64")


@pytest.fixture
def short_runs(monkeypatch):
    monkeypatch.setattr(restarts, "FIRST", 100)


@pytest.mark.parametrize(("budget", "runs"), [(1, 1), (299, 1), (300, 2), (301, 2), (1000, 3)])
def test_the_budget_is_used_up_exactly(short_runs, budget, runs):
    found = search(HARD, seed=1, algorithm="rls", budget=budget)
    assert (found.evaluations, found.run, found.ending) == (budget, runs, "budget")


def test_the_best_run_is_kept_and_can_be_repeated(short_runs):
    found = search(HARD, seed=5, algorithm="rls", budget=700)
    single = [
        catcube.minimize(
            HARD, algorithm="rls", budget=length, seed=derived_seed(5, "restart", number)
        )
        for number, length in enumerate([100, 200, 400])
    ]
    assert found.run == 3
    assert found.fun == min(result.fun for result in single)
    assert HARD.evaluate(found.x) == found.fun


def test_parameters_are_those_of_every_run(short_runs):
    found = search(HARD, seed=1, algorithm="rls", budget=250, parameters={"patience": 7})
    assert found.parameters["patience"] == 7


def test_a_target_is_reached_after_restarts(short_runs):
    found = search(Match(8, 4, seed=1), seed=3, algorithm="rls")
    assert found.ending == "target"
    assert found.fun == 0


@pytest.mark.compiled
def test_progress_is_that_of_all_runs(monkeypatch):
    monkeypatch.setattr(restarts, "FIRST", 2_000_000)
    seen = []
    found = search(HARD, seed=1, algorithm="rls", budget=6_000_000, callback=seen.append)
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


def test_an_interrupt_between_runs_keeps_what_is_found(short_runs, monkeypatch):
    made = []

    def minimize(*arguments, **named):
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(catcube.minimize(*arguments, **named))
        return made[-1]

    monkeypatch.setattr(restarts, "minimize", minimize)
    found = search(HARD, seed=1, algorithm="rls")
    assert (found.ending, found.run, found.evaluations) == ("interrupt", 2, 300)
    assert found.fun == min(result.fun for result in made)


def test_an_interrupt_in_the_callback_keeps_what_is_found():
    def pressed(progress):
        raise KeyboardInterrupt

    found = search(HARD, seed=1, algorithm="rls", callback=pressed)
    assert found.ending == "interrupt"
    assert found.fun == HARD.evaluate(found.x)
