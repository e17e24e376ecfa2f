"""The linkage tree genetic algorithm, as its description reads."""

from tests.naive.linkage import masks, mixed


def search(run, points, parameters, random):
    solutions = []  # (value, point)
    for _ in range(parameters.population):
        point = points.draw()
        solutions.append((run.evaluate(point), point))
    while True:
        solutions = random.shuffled(solutions)
        population = [point for _, point in solutions]
        pairs = [solutions[k : k + 2] for k in range(0, len(solutions), 2)]
        # The first of equals; of an odd number of solutions the last is alone.
        better = [min(pair, key=lambda solution: solution[0])[1] for pair in pairs]
        tree = masks(better, points.n, random)
        results = []
        for value, point in solutions:
            changed, changed_value = mixed(run, point, value, tree, population, random)
            results.append((changed_value, changed))
        if {tuple(point) for point in population} == {tuple(point) for _, point in results}:
            return
        solutions = results
