"""What the tests of ask and tell share: a space, a function, and the points minimize sees."""

from catcube import Space, minimize
from tests.problems.python.slow_functions import cost

# Populations with which an algorithm gets beyond its first generation soon.
SMALL = {name: {"population": 8, "selection": 3} for name in ("pbil", "umda", "mimic")}
SMALL |= {name: {"population": 8} for name in ("ga", "ltga")}
SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})


def seen_by_minimize(**arguments):
    """The points that minimize evaluates, in order, and its result."""
    points = []
    result = minimize(lambda point: points.append(point) or cost(point), SPACE, **arguments)
    return points, result


def drive(optimizer, ask=None, order=lambda points: points):
    """Answer an optimizer until it is done; the points in the order they were asked for."""
    points = []
    while not optimizer.done:
        asked = optimizer.ask(ask)
        assert asked
        points += asked
        answered = order(asked)
        optimizer.tell(answered, [cost(point) for point in answered])
    return points


def same(result, other):
    """Whether two results are of the same search."""
    return (
        result.x == other.x
        and result.fun == other.fun
        and result.solution.tolist() == other.solution.tolist()
        and (result.nfev, result.nit, result.nfev_best) == (other.nfev, other.nit, other.nfev_best)
        and result.message == other.message
        and result.trace.evaluations.tolist() == other.trace.evaluations.tolist()
        and result.trace.values.tolist() == other.trace.values.tolist()
    )
