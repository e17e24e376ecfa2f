"""The linkage tree genetic algorithm, as its description reads."""

from tests.naive.linkage import masks, mixed


def search(run, n, parameters, random):
    solutions = []  # (value, bits)
    for _ in range(parameters.population):
        bits = random.bits(n)
        solutions.append((run.evaluate(bits), bits))
    while True:
        solutions = random.shuffled(solutions)
        population = [bits for _, bits in solutions]
        pairs = [solutions[k : k + 2] for k in range(0, len(solutions), 2)]
        # The first of equals; of an odd number of solutions the last is alone.
        better = [min(pair, key=lambda solution: solution[0])[1] for pair in pairs]
        tree = masks(better, n, random)
        results = []
        for value, bits in solutions:
            changed, changed_value = mixed(run, bits, value, tree, population, random)
            results.append((changed_value, changed))
        if {tuple(bits) for bits in population} == {tuple(bits) for _, bits in results}:
            return
        solutions = results
