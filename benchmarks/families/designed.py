"""Functions in Python to tune with: the surrogate was designed on them."""

import numpy as np

from benchmarks.families.task import Task, equal


def nk(n: int, q: int, k: int, seed: int) -> Task:
    """Return a sum of random tables, each of a variable and k others."""
    random = np.random.default_rng(seed)
    others = [random.choice(np.delete(np.arange(n), i), k, replace=False) for i in range(n)]
    sites = np.array([np.r_[i, row] for i, row in enumerate(others)])
    tables = random.random((n, q ** (k + 1)))
    powers, rows = q ** np.arange(k + 1), np.arange(n)
    return Task(
        f"nk-{n}x{q}", "nk", equal(n, q), lambda x: 100 * tables[rows, x[sites] @ powers].mean()
    )


def conflicts(n: int, q: int, seed: int, density: float) -> Task:
    """Return a weighted colouring with a preference of each vertex: a small timetable."""
    random = np.random.default_rng(seed)
    weights = (random.random((n, n)) < density) * random.integers(1, 20, (n, n))
    weights = np.triu(weights, 1).astype(float)
    i, j = np.nonzero(weights)
    w, liking, rows = weights[i, j], 6 * random.random((n, q)), np.arange(n)
    return Task(
        f"conflicts-{n}x{q}",
        "colouring",
        equal(n, q),
        lambda x: (w * (x[i] == x[j])).sum() + liking[rows, x].sum(),
    )


def grid(a: int, q: int, seed: int) -> Task:
    """Random energies of neighbours on a square grid."""
    random = np.random.default_rng(seed)
    across = [(i * a + j, i * a + j + 1) for i in range(a) for j in range(a - 1)]
    down = [(i * a + j, (i + 1) * a + j) for i in range(a - 1) for j in range(a)]
    edges = np.array(across + down)
    pairs = random.normal(size=(len(edges), q, q))
    fields = random.normal(size=(a * a, q))
    rows, sites = np.arange(len(edges)), np.arange(a * a)
    return Task(
        f"grid-{a * a}x{q}",
        "potts",
        equal(a * a, q),
        lambda x: pairs[rows, x[edges[:, 0]], x[edges[:, 1]]].sum() + fields[sites, x].sum(),
    )


def additive(n: int, pairs: int, seed: int) -> Task:
    """Return a sum of effects of single variables of very different size, and of some pairs."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 13, n)
    importance = random.exponential(size=n) ** 2
    single = [random.normal(size=c) * s for c, s in zip(sizes, importance, strict=True)]
    couples = [random.choice(n, 2, replace=False) for _ in range(pairs)]
    tables = [random.normal(size=(sizes[a], sizes[b])) * random.exponential() for a, b in couples]

    def value(x):
        alone = sum(effects[c] for effects, c in zip(single, x, strict=True))
        return alone + sum(joint[x[a], x[b]] for joint, (a, b) in zip(tables, couples, strict=True))

    return Task(f"additive-{n}", "additive", sizes, value)


def codes(n: int, q: int) -> Task:
    """Energy of the autocorrelations of a sequence of q phases."""
    phases = np.exp(2j * np.pi * np.arange(q) / q)

    def value(x):
        sequence = phases[x]
        return (np.abs(np.correlate(sequence, sequence, "full")[n:]) ** 2).sum()

    return Task(f"codes-{n}x{q}", "codes", equal(n, q), value)


def machines(n: int, q: int, seed: int) -> Task:
    """Return jobs in order on machines with set-up times: weighted tardiness and makespan."""
    random = np.random.default_rng(seed)
    times = random.integers(5, 60, (n, q)).astype(float)
    setups, kinds = random.integers(0, 25, (6, 6)), random.integers(0, 6, n)
    due, weights = random.integers(30, 250, n), random.integers(1, 5, n)

    def value(x):
        clock, last, late = np.zeros(q), -np.ones(q, int), 0.0
        for job in range(n):
            m = x[job]
            if last[m] >= 0:
                clock[m] += setups[last[m], kinds[job]]
            last[m] = kinds[job]
            clock[m] += times[job, m]
            late += weights[job] * max(0.0, clock[m] - due[job])
        return late + clock.max()

    return Task(f"machines-{n}x{q}", "machines", equal(n, q), value)


def network(n: int, most: int, seed: int) -> Task:
    """Return the explanation of a Bayesian network: minus the log probability of its variables."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, most + 1, n)
    parents, tables = [], []
    for i in range(n):
        count = min(i, random.integers(0, 4))
        recent = np.arange(max(0, i - 10), i)
        causes = np.sort(random.choice(recent, count, replace=False)) if count else recent[:0]
        shape = [*(sizes[j] for j in causes), sizes[i]]
        chances = random.dirichlet(np.full(sizes[i], 0.4), size=int(np.prod(shape[:-1])))
        parents.append(causes)
        tables.append(-np.log(chances.reshape(shape) + 1e-6))

    def value(x):
        return sum(
            table[(*x[before], x[i])]
            for i, (before, table) in enumerate(zip(parents, tables, strict=True))
        )

    return Task(f"network-{n}", "factors", sizes, value)


def tasks() -> list[Task]:
    """Return one or two instances of each family."""
    return [
        nk(25, 4, 3, 1),
        nk(16, 8, 2, 11),
        conflicts(40, 6, 2, 0.25),
        conflicts(24, 12, 10, 0.6),
        grid(6, 5, 3),
        additive(30, 30, 4),
        additive(60, 120, 9),
        codes(24, 6),
        codes(40, 2),
        machines(30, 5, 6),
        network(36, 6, 7),
        network(14, 12, 12),
    ]
