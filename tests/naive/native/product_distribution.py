"""A product distribution of categories that learns from the best of its samples."""

from tests.naive.categories import raised
from tests.naive.product_distribution import selected


def evolve(run, sizes, parameters, random, learned):
    """`learned(p, mean)` is the probability of a category after a generation, before the margin."""
    run.evaluate(random.categories(sizes))
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
            moved = [learned(p, mean) for p, mean in zip(distributions[v], means, strict=True)]
            distributions[v] = raised(moved, len(sizes), parameters.margin)
