"""The least value of a sum of tables, by an exact solver that is not ours (toulbar2)."""

from itertools import product

import pytoulbar2


def minimum(problem):
    """The least sum of a `TableProblem`, to a millionth, and the categories that have it.

    toulbar2 adds integers: the tables are handed over in millionths.
    """
    network = pytoulbar2.CFN(1e9, resolution=6)
    for name, size in zip(problem.space.names, problem.space.cardinalities.tolist(), strict=True):
        network.AddVariable(name, range(size))
    for scope, table in zip(problem.scopes, problem.tables, strict=True):
        names = [problem.space.names[variable] for variable in scope]
        network.AddFunction(names, [float(cost) for cost in table.ravel()])
    solution, value, _ = network.Solve()
    return value, list(solution)


def enumerated(problem):
    """The least value of all points, for very few of them."""
    sizes = problem.space.cardinalities.tolist()
    return min(problem.evaluate(list(point)) for point in product(*map(range, sizes)))
