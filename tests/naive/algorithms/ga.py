"""The genetic algorithm, as its description reads."""

from tests.naive.search import mutated


def search(run, n, parameters, random):
    parents = []
    values = []
    for _ in range(parameters.population):
        parents.append(random.bits(n))
        values.append(run.evaluate(parents[-1]))
    while True:
        offspring = []
        offspring_values = []
        for _ in range(parameters.population):
            child = parents[winner(values, parameters, random)]
            if random.uniform() < parameters.crossover:
                other = parents[winner(values, parameters, random)]
                child = crossed(child, other, mask(run.sizes, parameters, random))
            offspring.append(mutated(child, random))
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


def mask(sizes, parameters, random):
    """For each bit, whether it comes from the second parent: one coin per bit, or per variable."""
    if not parameters.by_variable:
        return random.bits(sum(sizes))
    coins = random.bits(len(sizes))
    return [coin for coin, size in zip(coins, sizes, strict=True) for _ in range(size)]


def crossed(first, second, mask):
    """Bits of the second parent where the mask is set, of the first elsewhere."""
    return [b if other else a for a, b, other in zip(first, second, mask, strict=True)]
