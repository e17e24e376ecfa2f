"""Functions in Python to judge by: they had no part in any design."""

import numpy as np

from benchmarks.families.task import Task, equal


def frequencies(n: int, q: int, seed: int) -> Task:
    """Frequency assignment: transmitters too close in frequency interfere."""
    random = np.random.default_rng(seed)
    i, j = np.nonzero(np.triu(random.random((n, n)) < 0.2, 1))
    apart, costs = random.integers(1, 4, len(i)), random.integers(1, 10, len(i))
    return Task(
        f"frequencies-{n}x{q}",
        "frequencies",
        equal(n, q),
        lambda x: (costs * np.maximum(0, apart - np.abs(x[i] - x[j]))).sum() + 0.3 * x.max(),
    )


def satisfiability(n: int, seed: int) -> Task:
    """Return weighted maximum satisfiability: six clauses of three literals per variable."""
    random = np.random.default_rng(seed)
    clauses = 6 * n
    variables = np.array([random.choice(n, 3, replace=False) for _ in range(clauses)])
    signs, weights = random.integers(0, 2, (clauses, 3)), random.integers(1, 10, clauses)
    return Task(
        f"satisfiability-{n}x2",
        "satisfiability",
        equal(n, 2),
        lambda x: (weights * np.all(x[variables] != signs, axis=1)).sum(),
    )


def layout(n: int, q: int, seed: int) -> Task:
    """Return a layout: departments to sites of limited room, flow times distance, penalties."""
    random = np.random.default_rng(seed)
    flow = np.triu(random.integers(0, 10, (n, n)) * (random.random((n, n)) < 0.4), 1)
    sites = random.random((q, 2))
    distance = np.hypot(*(sites[:, None] - sites[None]).transpose(2, 0, 1))
    room = -(-n // q)

    def value(x):
        crowd = np.maximum(0, np.bincount(x, minlength=q) - room)
        return (flow * distance[np.ix_(x, x)]).sum() + 8 * (crowd**2).sum()

    return Task(f"layout-{n}x{q}", "layout", equal(n, q), value)


def ackley(n: int, q: int) -> Task:
    """Return the function of Ackley on a grid of q values per variable, taken as categories."""
    values = np.linspace(-32.768, 32.768, q)

    def value(x):
        z = values[x]
        far = 20 * (1 - np.exp(-0.2 * np.sqrt((z * z).mean())))
        return far + np.e - np.exp(np.cos(2 * np.pi * z).mean())

    return Task(f"ackley-{n}x{q}", "ackley", equal(n, q), value)


def sequence(n: int, q: int, seed: int) -> Task:
    """Return a chain of letters: energies of sites and neighbours, and six hidden motifs."""
    random = np.random.default_rng(seed)
    sites, steps = random.normal(size=(n, q)), 1.2 * random.normal(size=(q, q))
    motifs = [
        (random.integers(0, q, 4), np.sort(random.choice(n, 4, replace=False)), 4 + 8 * u)
        for u in random.random(6)
    ]
    rows = np.arange(n)

    def value(x):
        energy = sites[rows, x].sum() + steps[x[:-1], x[1:]].sum()
        return energy - sum(gain * (x[at] == motif).mean() ** 2 for motif, at, gain in motifs)

    return Task(f"sequence-{n}x{q}", "sequence", equal(n, q), value)


def regression(n: int, seed: int) -> Task:
    """Return a regression: each column left out, linear, squared or cut in two; error of ridge."""
    random = np.random.default_rng(seed)
    rows = 160
    columns = random.normal(size=(rows, n))
    columns = columns @ (np.eye(n) + 0.9 * random.normal(size=(n, n)) / np.sqrt(n))
    columns /= columns.std(axis=0)
    answer = columns[:, 0] ** 2 + 1.5 * (columns[:, 1] > 0) + columns[:, 2:6].sum(axis=1)
    answer += 2 * (columns[:, 6] > 0.5) + 0.5 * columns[:, 7] ** 2 + random.normal(size=rows)
    forms = np.stack([columns, columns**2, columns > 0])
    forms = forms - forms.mean(axis=1, keepdims=True)
    first = np.arange(rows) % 2 == 0

    def value(x):
        used = np.flatnonzero(x)
        features, error = forms[x[used] - 1, :, used].T, 0.0
        for fold in (first, ~first):
            a, level = features[fold], answer[fold].mean()
            weights = np.linalg.solve(a.T @ a + 2 * np.eye(used.size), a.T @ (answer[fold] - level))
            error += ((answer[~fold] - level - features[~fold] @ weights) ** 2).sum()
        return error / rows + 0.01 * used.size

    return Task(f"regression-{n}x4", "regression", equal(n, 4), value)


def rota(people: int, days: int, seed: int) -> Task:
    """Return a rota of four shifts: staff needed, successions that are not allowed, and wishes."""
    random = np.random.default_rng(seed)
    needed = random.integers(1, 3, (days, 4))
    successions = np.array([[0, 0, 2, 9], [0, 1, 1, 0], [4, 0, 0, 1], [9, 6, 0, 0]])
    wishes = random.integers(0, 4, (people, days, 4))
    someone, day = np.ogrid[:people, :days]

    def value(x):
        plan = x.reshape(people, days)
        staff = np.stack([(plan == shift).sum(axis=0) for shift in range(4)], axis=1)
        late = successions[plan[:, :-1], plan[:, 1:]].sum()
        return 6 * ((staff - needed) ** 2).sum() + late + wishes[someone, day, plan].sum()

    return Task(f"rota-{people * days}x4", "rota", equal(people * days, 4), value)


def tasks() -> list[Task]:
    """Return one instance of each family."""
    return [
        frequencies(40, 10, 21),
        satisfiability(50, 22),
        layout(20, 8, 23),
        ackley(20, 11),
        sequence(32, 20, 25),
        regression(40, 26),
        rota(6, 7, 27),
    ]
