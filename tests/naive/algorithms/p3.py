"""The parameter-less population pyramid, as its description reads."""

from tests.naive.linkage import masks, mixed


def search(run, points, parameters, random):
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
        trees[level] = masks(levels[level], points.n, random)

    while True:
        point = points.draw()
        value = run.evaluate(point)
        if parameters.hill_climber:
            point, value = climbed(run, points, point, value, random)
        add(point, 0)
        level = 0
        while level < len(levels):
            before = value
            point, value = mixed(run, point, value, trees[level], levels[level], random)
            if value < before:
                add(point, level + 1)
            level += 1


def climbed(run, points, point, value, random):
    """First improvement: all choices in random order, shuffled anew until none improves.

    One is not tried again before the next improvement, nor is the way back.
    """
    order = points.choices()
    tried = points.chosen(point)
    while len(tried) < len(order):
        order = random.shuffled(order)
        for choice in order:
            if choice in tried:
                continue
            candidate, back = points.changed(point, choice)
            candidate_value = run.evaluate(candidate)
            if candidate_value < value:
                point, value = candidate, candidate_value
                tried = points.chosen(point) | {back}
            tried.add(choice)
    return point, value
