"""The parameter-less population pyramid, as its description reads."""

from tests.naive.linkage import mixed
from tests.naive.native.linkage import masks


def search(run, sizes, parameters, random):
    levels = []  # lists of solutions
    trees = []  # lists of masks
    held = set()

    def add(point, level):
        if tuple(point) in held:
            return
        held.add(tuple(point))
        if level == len(levels):
            levels.append([])
            trees.append([])
        levels[level].append(point)
        trees[level] = masks(levels[level], len(sizes), random)

    while True:
        point = random.categories(sizes)
        value = run.evaluate(point)
        if parameters.hill_climber:
            point, value = climbed(run, point, value, sizes, random)
        add(point, 0)
        level = 0
        while level < len(levels):
            before = value
            point, value = mixed(run, point, value, trees[level], levels[level], random)
            if value < before:
                add(point, level + 1)
            level += 1


def climbed(run, point, value, sizes, random):
    """First improvement: all categories of all variables in random order, shuffled anew.

    A category is not tried again before the next improvement, nor is the way back.
    """
    order = [(v, category) for v, size in enumerate(sizes) for category in range(size)]
    tried = set(enumerate(point))
    while len(tried) < len(order):
        order = random.shuffled(order)
        for v, category in order:
            if (v, category) in tried:
                continue
            candidate = [*point[:v], category, *point[v + 1 :]]
            candidate_value = run.evaluate(candidate)
            if candidate_value < value:
                tried = {*enumerate(candidate), (v, point[v])}
                point, value = candidate, candidate_value
            tried.add((v, category))
    return point, value
