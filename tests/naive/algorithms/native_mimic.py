"""Mutual-information-maximizing input clustering, as its description reads."""

from tests.naive.algorithms.mimic import ordered
from tests.naive.algorithms.pbil import selected
from tests.naive.categories import raised


def search(run, points, parameters, random):
    run.evaluate(points.draw())
    sizes = points.sizes
    # The first order is of no importance: all distributions are uniform.
    chain = list(range(len(sizes)))
    best = []
    while True:
        # A generation is drawn variable by variable, all of it whatever the budget is.
        points = [[0] * len(sizes) for _ in range(parameters.population)]
        for k, v in enumerate(chain):
            last = chain[k - 1] if k > 0 else None
            distributions = [
                distribution(best, v, last, None if k == 0 else point[last], sizes, parameters)
                for point in points
            ]
            for point, category in zip(points, random.drawn(distributions), strict=True):
                point[v] = category
        samples = [(run.evaluate(point), point) for point in points]
        best = selected(samples, parameters.selection)
        chain = ordered(best, len(sizes))


def distribution(best, v, last, before, sizes, parameters):
    """The distribution of variable v after the category before it; uniform without data."""
    data = [point[v] for point in best if last is None or point[last] == before]
    if not data:
        return [1 / sizes[v]] * sizes[v]
    shares = [data.count(category) / len(data) for category in range(sizes[v])]
    return raised(shares, len(sizes), parameters.margin)
