"""The (mu+lambda) evolutionary algorithm, as its description reads.

Parents are ranked from best to worst, a younger one before older ones of the same value; a parent
is drawn by its rank.
"""


def search(run, points, parameters, random):
    parents = []  # (value, point)
    for _ in range(parameters.population):
        point = points.draw()
        insert(parents, (run.evaluate(point), point))
    while True:
        offspring = []
        for _ in range(parameters.offspring):
            _, parent = parents[random.below(parameters.population)]
            point = points.mutated(parent)
            offspring.append((run.evaluate(point), point))
        for newcomer in offspring:
            if parameters.replace_first:
                replace_first(parents, newcomer)
            elif newcomer[0] <= parents[-1][0]:
                parents.pop()
                insert(parents, newcomer)


def insert(parents, newcomer):
    """Before the first one that is not better."""
    rank = 0
    while rank < len(parents) and parents[rank][0] < newcomer[0]:
        rank += 1
    parents.insert(rank, newcomer)


def replace_first(parents, newcomer):
    """Overwrite the first one that is not strictly better, if there is one."""
    for rank, (value, _) in enumerate(parents):
        if value >= newcomer[0]:
            parents[rank] = newcomer
            return
