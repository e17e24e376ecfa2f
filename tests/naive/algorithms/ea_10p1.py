"""The (mu+lambda) evolutionary algorithm, as its description reads.

Parents are ranked from best to worst, a younger one before older ones of the same value; a parent
is drawn by its rank.
"""

from tests.naive.search import mutated


def search(run, n, parameters, random):
    parents = []  # (value, bits)
    for _ in range(parameters.population):
        bits = random.bits(n)
        insert(parents, (run.evaluate(bits), bits))
    while True:
        offspring = []
        for _ in range(parameters.offspring):
            _, parent = parents[random.below(parameters.population)]
            bits = mutated(parent, random)
            offspring.append((run.evaluate(bits), bits))
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
