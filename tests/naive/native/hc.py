"""Steepest-descent hill climbing with restart, as its description reads."""

from tests.naive.categories import neighbours


def search(run, sizes, parameters, random):
    while True:
        point = random.categories(sizes)
        value = run.evaluate(point)
        while True:
            everyone = neighbours(point, sizes)
            values = [run.evaluate(other) for other in everyone]
            if not values or min(values) >= value:
                break
            value = min(values)
            best = [
                other for other, theirs in zip(everyone, values, strict=True) if theirs == value
            ]
            point = best[random.below(len(best))]
