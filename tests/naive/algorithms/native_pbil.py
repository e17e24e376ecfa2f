"""PBIL and UMDA on categories, as their descriptions read."""

from tests.naive.algorithms.pbil import learned, selected
from tests.naive.categories import raised


def search(run, points, parameters, random):
    run.evaluate(points.draw())
    sizes = points.sizes
    distributions = [[1 / size] * size for size in sizes]
    while True:
        samples = []
        for _ in range(parameters.population):
            point = random.drawn(distributions)
            samples.append((run.evaluate(point), point))
        best = selected(samples, parameters.selection)
        for v, size in enumerate(sizes):
            column = [point[v] for point in best]
            means = [column.count(category) / len(best) for category in range(size)]
            moved = [
                learned(parameters, p, mean)
                for p, mean in zip(distributions[v], means, strict=True)
            ]
            distributions[v] = raised(moved, len(sizes), parameters.margin)
