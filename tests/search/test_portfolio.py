"""Two searches side by side: whichever is first ends both."""

from catcube.problems import Match, Sudoku
from catcube.search.portfolio import MEMBERS, solve

EASY = Sudoku.instance("small-dimension-6-a")


def test_one_of_them_solves():
    found = solve(EASY, seed=1)
    assert found.ending == "target"
    assert EASY.evaluate(found.best.x) == found.best.fun == 0
    assert found.best.algorithm in MEMBERS
    assert found.runs >= len(MEMBERS)


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
    assert found.best is not None
