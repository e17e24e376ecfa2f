"""Random local search with restart, as its description reads."""

from tests.naive.search import flipped


def search(run, n, parameters, random):
    while True:
        bits = random.bits(n)
        value = run.evaluate(bits)
        failures = 0
        while n > 0 and failures < parameters.patience:
            neighbour = flipped(bits, random.below(n))
            neighbour_value = run.evaluate(neighbour)
            if neighbour_value <= value:
                bits, value = neighbour, neighbour_value
                failures = 0
            else:
                failures += 1
