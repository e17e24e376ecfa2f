"""Steepest-descent hill climbing with restart, as its description reads."""

from tests.naive.search import flipped


def search(run, n, parameters, random):
    while True:
        bits = random.bits(n)
        value = run.evaluate(bits)
        while True:
            values = [run.evaluate(flipped(bits, i)) for i in range(n)]
            if not values or min(values) >= value:
                break
            value = min(values)
            best = [i for i in range(n) if values[i] == value]
            bits = flipped(bits, best[random.below(len(best))])
