"""maximize is minimize of the opposite, in the signs of the user."""

import numpy as np
import pytest

from catcube import compiled, maximize, minimize
from catcube.problems import Match
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE

SETTINGS = {"algorithm": "rls", "representation": "linear", "budget": 60, "seed": 3}


def negative(point):
    return -cost(point)


def test_it_mirrors_minimize():
    seen = []
    lowest = minimize(negative, SPACE, **SETTINGS)
    highest = maximize(cost, SPACE, callback=lambda state: seen.append(state.value), **SETTINGS)
    assert highest.x == lowest.x
    assert highest.fun == -lowest.fun == cost(highest.x)
    assert highest.trace.values.tolist() == (-lowest.trace.values).tolist()
    assert highest.history.values.tolist() == [cost(point) for point, _ in highest.history]
    assert seen[-1] == highest.fun
    assert (highest.direction, lowest.direction) == ("maximize", "minimize")


def test_the_target_is_the_users():
    result = maximize(cost, SPACE, target=15, **(SETTINGS | {"budget": 10_000}))
    assert result.message == "the target was reached"
    assert result.fun >= 15


def test_compiled_and_vectorized_functions():
    def costs(rows):
        return np.abs(rows[:, 1] - 6) + rows[:, 0]

    @compiled
    def fast(categories):
        return abs(categories[1] - 6) + categories[0]

    first = maximize(costs, SPACE, vectorized=True, **SETTINGS)
    second = maximize(fast, SPACE, **SETTINGS)
    assert first.fun == second.fun
    assert first.x == second.x


def test_the_partial_result_is_mirrored_too():
    def failing(point):
        if point["digit"] == 7:
            raise RuntimeError
        return cost(point)

    with pytest.raises(RuntimeError) as caught:
        maximize(failing, SPACE, **SETTINGS)
    partial = caught.value.partial_result
    assert partial.direction == "maximize"
    assert partial.fun == cost(partial.x)


def test_what_cannot_be_maximised():
    with pytest.raises(TypeError, match="Match"):
        maximize(Match(3, 3, seed=1))
    with pytest.raises(TypeError, match="3"):
        maximize(3, SPACE)
