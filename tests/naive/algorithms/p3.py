"""The parameter-less population pyramid, as its description reads."""

from tests.naive.linkage import masks, mixed
from tests.naive.search import flipped


def search(run, n, parameters, random):
    levels = []  # lists of solutions
    trees = []  # lists of masks
    held = set()

    def add(bits, level):
        if tuple(bits) in held:
            return
        held.add(tuple(bits))
        if level == len(levels):
            levels.append([])
            trees.append([])
        levels[level].append(bits)
        trees[level] = masks(levels[level], n, random)

    while True:
        bits = random.bits(n)
        value = run.evaluate(bits)
        if parameters.hill_climber:
            bits, value = climbed(run, bits, value, random)
        add(bits, 0)
        level = 0
        while level < len(levels):
            before = value
            bits, value = mixed(run, bits, value, trees[level], levels[level], random)
            if value < before:
                add(bits, level + 1)
            level += 1


def climbed(run, bits, value, random):
    """First improvement: all bits in random order, shuffled anew until none improves.

    A bit is not tried again before the next improvement.
    """
    order = range(len(bits))
    tried = set()
    while len(tried) < len(bits):
        order = random.shuffled(order)
        for i in order:
            if i in tried:
                continue
            candidate = flipped(bits, i)
            candidate_value = run.evaluate(candidate)
            if candidate_value < value:
                bits, value = candidate, candidate_value
                tried = set()
            tried.add(i)
    return bits, value
