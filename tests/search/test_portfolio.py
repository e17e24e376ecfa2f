"""Two searches side by side: whichever is first ends both."""

import threading

import pytest

from catcube.problems import Match, Sudoku
from catcube.search import solve as portfolio
from catcube.search.solve import MEMBERS, solve

EASY = Sudoku.instance("small-dimension-6-a")


def test_one_of_them_solves():
    found = solve(EASY, seed=1)
    assert found.ending == "target"
    assert EASY.evaluate(found.x) == found.fun == 0
    assert found.algorithm in MEMBERS
    assert found.run >= 1  # the other may not have begun


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_no_evaluation_more_than_the_budget(budget):
    found = solve(Match(12, 9, seed=1), seed=1, target=-1, budget=budget)
    assert (found.ending, found.evaluations) == ("budget", budget)


def test_a_budget_is_shared():
    found = solve(Match(12, 9, seed=1), seed=1, target=-1, budget=3000)
    assert found.ending == "budget"
    assert found.evaluations <= 3000


def test_a_callback_ends_both():
    seen = []

    def callback(progress):
        seen.append(progress)
        return True

    found = solve(Match(40, 9, seed=1), seed=1, target=-1, callback=callback)
    assert found.ending == "callback"
    assert len(seen) == 1


def test_a_time_limit_ends_both():
    found = solve(Match(40, 9, seed=1), seed=1, target=-1, time_limit=0.3)
    assert found.ending == "time"
    assert found.x


def test_a_member_that_is_being_compiled_is_not_waited_for_after_the_limit(monkeypatch):
    compiled, ended = threading.Event(), threading.Event()
    search = portfolio.search

    def slow(problem, algorithm, **arguments):
        if algorithm == "ltga":
            assert compiled.wait(60)
            ended.set()
        return search(problem, algorithm=algorithm, **arguments)

    monkeypatch.setattr(portfolio, "search", slow)
    found = solve(Match(40, 9, seed=1), seed=1, target=-1, time_limit=0.2)
    assert not ended.is_set()
    assert found.ending == "time"
    assert found.algorithm == "sa"
    compiled.set()
    assert ended.wait(60)
