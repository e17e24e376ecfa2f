"""Steepest-descent hill climbing with restart, as its description reads."""


def search(run, points, parameters, random):
    while True:
        point = points.draw()
        value = run.evaluate(point)
        while True:
            everyone = points.neighbours(point)
            values = [run.evaluate(other) for other in everyone]
            if not values or min(values) >= value:
                break
            value = min(values)
            best = [other for other, its in zip(everyone, values, strict=True) if its == value]
            point = best[random.below(len(best))]
