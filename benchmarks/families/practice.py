"""More functions in Python to tune with: the present surrogate was designed on them, too."""

import numpy as np

from benchmarks.families.task import Task, equal


def exams(n: int, slots: int, seed: int) -> Task:
    """Return exams in time slots: students want days between theirs, and rooms are limited."""
    random = np.random.default_rng(seed)
    weights = np.triu((random.random((n, n)) < 0.3) * random.integers(1, 30, (n, n)), 1)
    i, j = np.nonzero(weights)
    students, sizes = weights[i, j], random.integers(10, 80, n)
    room, costs = 1.4 * sizes.sum() / slots, np.array([100, 16, 8, 4, 2, 1] + [0] * slots)

    def value(x):
        crowd = np.maximum(0, np.bincount(x, sizes, slots) - room).sum()
        return (students * costs[np.abs(x[i] - x[j])]).sum() / 10 + 2 * crowd

    return Task(f"exams-{n}x{slots}", "exams", equal(n, slots), value)


def routing(n: int, vehicles: int, seed: int) -> Task:
    """Return customers for vehicles, each of which goes around the depot: lengths and overload."""
    random = np.random.default_rng(seed)
    places, demands = 100 * random.random((n, 2)), random.integers(1, 10, n)
    room, depot = 1.15 * demands.sum() / vehicles, np.array([50.0, 50.0])

    def value(x):
        total = 0.0
        for vehicle in range(vehicles):
            served = np.flatnonzero(x == vehicle)
            if served.size:
                angles = np.arctan2(*(places[served] - depot).T[::-1])
                tour = np.vstack([depot, places[served[np.argsort(angles)]], depot])
                total += np.hypot(*np.diff(tour, axis=0).T).sum()
                total += 20 * max(0, demands[served].sum() - room)
        return total

    return Task(f"routing-{n}x{vehicles}", "routing", equal(n, vehicles), value)


def gates(n: int, inputs: int = 5, reach: int = 12) -> Task:
    """Return a circuit: kind and two sources of each gate; rows of two truth tables missed."""
    rows = np.arange(2**inputs)
    signals = np.array([(rows >> bit) & 1 for bit in range(inputs)], bool)
    wanted = [
        (signals.sum(axis=0) % 3 == 0) | (signals[0] & ~signals[3]),
        signals[0] ^ signals[1] ^ signals[4],
    ]
    sizes = [size for gate in range(n) for size in (6, *[min(inputs + gate, reach)] * 2)]

    def value(x):
        found = list(signals)
        for kind, first, second in x.reshape(n, 3):
            begin = max(0, len(found) - reach)
            a, b = found[begin + first], found[begin + second]
            found.append([a & b, a | b, a ^ b, ~(a & b), ~(a | b), a & ~b][kind])
        return sum(min((row != table).sum() for row in found[inputs:]) for table in wanted)

    return Task(f"gates-{n}", "gates", np.array(sizes), value)


def fold(n: int, seed: int, letters: int = 20) -> Task:
    """Return letters on a chain in space: energies of the sites and of those that are near."""
    random = np.random.default_rng(seed)
    energies = random.normal(size=(letters, letters))
    energies = (energies + energies.T) / 2
    positions = np.cumsum(random.normal(size=(n, 3)), axis=0)
    distances = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    i, j = np.nonzero(np.triu(distances < 2.2, 1))
    strengths, sites = 3 * np.exp(-distances[i, j] / 2), 0.3 * random.normal(size=(n, letters))
    rows = np.arange(n)
    return Task(
        f"fold-{n}x{letters}",
        "fold",
        equal(n, letters),
        lambda x: (strengths * energies[x[i], x[j]]).sum() + sites[rows, x].sum(),
    )


def levels(n: int, q: int, seed: int) -> Task:
    """Return a response to ordered levels: curved in each, with some pairs that interact."""
    random = np.random.default_rng(seed)
    centres, curvatures = random.random(n) * (q - 1), random.exponential(size=n)
    pairs = random.normal(size=(n, n)) * (random.random((n, n)) < 0.1)

    def value(x):
        z = (x - centres) / (q - 1)
        return 10 * (curvatures * z * z).sum() + 3 * (z @ pairs @ z) + 0.3 * np.sin(5 * z).sum()

    return Task(f"levels-{n}x{q}", "levels", equal(n, q), value)


def bins(n: int, q: int, seed: int, resources: int = 4) -> Task:
    """Return one choice per item: its gain, and penalties for resources used beyond a bound."""
    random = np.random.default_rng(seed)
    gains = random.integers(10, 100, (n, q))
    uses = random.integers(1, 30, (n, q, resources)) + gains[:, :, None] // 5
    bounds, rows = 0.9 * n * uses.mean(axis=(0, 1)), np.arange(n)
    return Task(
        f"bins-{n}x{q}",
        "bins",
        equal(n, q),
        lambda x: (
            5 * np.maximum(0, uses[rows, x].sum(axis=0) - bounds).sum() - gains[rows, x].sum()
        ),
    )


def cipher(q: int, seed: int, length: int = 400) -> Task:
    """Return the key of a cipher: how unlikely the pairs of letters are that it gives."""
    random = np.random.default_rng(seed)
    chances = random.dirichlet(np.full(q, 0.3), q)
    text = [0]
    while len(text) <= length:
        text.append(random.choice(q, p=chances[text[-1]]))
    written, surprises = random.permutation(q)[text], -np.log(chances + 1e-4)

    def value(x):
        read = x[written]
        return 100 * surprises[read[:-1], read[1:]].mean() + 9 * (q - np.unique(x).size)

    return Task(f"cipher-{q}x{q}", "cipher", equal(q, q), value)


def tree(n: int, seed: int) -> Task:
    """Return switches below switches: a variable counts where the one above it lets it."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 7, n)
    above = [-1, *(int(random.integers(0, i)) for i in range(1, n))]
    closed = [int(random.integers(0, sizes[i])) if i >= 0 else 0 for i in above]
    effects = [random.normal(size=size) * random.exponential() for size in sizes]
    pairs = [(*random.integers(0, n, 2), random.normal()) for _ in range(n)]

    def value(x):
        counts = np.zeros(n, bool)
        for i, parent in enumerate(above):
            counts[i] = parent < 0 or (counts[parent] and x[parent] != closed[i])
        alone = sum(effects[i][x[i]] for i in np.flatnonzero(counts))
        return alone + sum(
            effect for a, b, effect in pairs if counts[a] and counts[b] and x[a] == x[b] % sizes[a]
        )

    return Task(f"tree-{n}", "tree", sizes, value)


def cover(n: int, q: int, seed: int, targets: int = 300) -> Task:
    """Return cameras that look in one of q directions: the weight of what none of them sees."""
    random = np.random.default_rng(seed)
    cameras, places = random.random((n, 2)), random.random((targets, 2))
    weights = random.integers(1, 10, targets)
    x, y = (places[None] - cameras[:, None]).transpose(2, 0, 1)
    near, angles = np.hypot(x, y) < 0.3, (np.arctan2(y, x) / (2 * np.pi) * q) % q
    turns = np.abs(angles[:, None] - np.arange(q)[:, None])
    seen = near[:, None] & (np.minimum(turns, q - turns) < 1)
    rows = np.arange(n)
    return Task(
        f"cover-{n}x{q}",
        "cover",
        equal(n, q),
        lambda x: (weights * ~seen[rows, x].any(axis=0)).sum(),
    )


def tasks() -> list[Task]:
    """Return one instance of each family."""
    return [
        exams(30, 12, 1),
        routing(30, 5, 2),
        gates(12),
        fold(30, 4),
        levels(20, 9, 5),
        bins(40, 6, 6),
        cipher(16, 7),
        tree(40, 8),
        cover(30, 8, 9),
    ]
