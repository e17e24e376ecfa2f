"""The (1+1) evolutionary algorithm, as its description reads."""

from tests.naive.search import mutated


def search(run, n, parameters, random):
    bits = random.bits(n)
    value = run.evaluate(bits)
    while True:
        offspring = mutated(bits, random)
        offspring_value = run.evaluate(offspring)
        if offspring_value <= value:
            bits, value = offspring, offspring_value
