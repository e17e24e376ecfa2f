"""The genetic algorithm, as its description reads."""


def search(run, points, parameters, random):
    parents = []
    values = []
    for _ in range(parameters.population):
        parents.append(points.draw())
        values.append(run.evaluate(parents[-1]))
    while True:
        offspring = []
        offspring_values = []
        for _ in range(parameters.population):
            child = parents[winner(values, parameters, random)]
            if random.uniform() < parameters.crossover:
                other = parents[winner(values, parameters, random)]
                child = crossed(child, other, points.mask(parameters))
            offspring.append(points.mutated(child))
            offspring_values.append(run.evaluate(offspring[-1]))
        parents, values = offspring, offspring_values


def winner(values, parameters, random):
    """The index of the winner of a tournament."""
    indices = range(len(values))
    first = random.below(len(values))
    for _ in range(parameters.tournament):
        others = [index for index in indices if index != first]
        if others:
            challenger = others[random.below(len(others))]
            if values[challenger] < values[first]:
                first = challenger
    return first


def crossed(first, second, mask):
    """Genes of the second parent where the mask is set, of the first elsewhere."""
    return [b if other else a for a, b, other in zip(first, second, mask, strict=True)]
