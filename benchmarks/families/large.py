"""Larger instances of families to judge by, compiled, for budgets that Python is too slow for."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.families.task import MOST_IN_PYTHON, Task, compiled_task
from catcube import Space
from catcube.problems import compiled
from catcube.problems.functions import CompiledProblem


def _task(family: str, n: int, q: int, value: Callable[..., float]) -> Task:
    problem = CompiledProblem(compiled(value), Space.repeat("x", range(q), n))
    task = compiled_task(f"{family}-{n}x{q}", family, problem)
    return replace(task, least=MOST_IN_PYTHON + 1)


def frequencies(n: int, q: int, seed: int) -> Task:
    """Frequency assignment: transmitters too close in frequency interfere."""
    random = np.random.default_rng(seed)
    one, other = np.nonzero(np.triu(random.random((n, n)) < 0.1, 1))
    apart, costs = random.integers(1, 4, len(one)), random.integers(1, 10, len(one))

    def value(x):
        interference = 0
        for pair in range(len(one)):
            missing = apart[pair] - abs(x[one[pair]] - x[other[pair]])
            if missing > 0:
                interference += costs[pair] * missing
        return interference + 0.3 * x.max()

    return _task("frequencies", n, q, value)


def satisfiability(n: int, seed: int) -> Task:
    """Return weighted maximum satisfiability: six clauses of three literals per variable."""
    random = np.random.default_rng(seed)
    clauses = 6 * n
    variables = np.array([random.choice(n, 3, replace=False) for _ in range(clauses)])
    signs, weights = random.integers(0, 2, (clauses, 3)), random.integers(1, 10, clauses)

    def value(x):
        violated = 0
        for clause in range(clauses):
            a, b, c = variables[clause]
            one, two, three = signs[clause]
            if x[a] != one and x[b] != two and x[c] != three:
                violated += weights[clause]
        return violated

    return _task("satisfiability", n, 2, value)


def layout(n: int, q: int, seed: int) -> Task:
    """Return a layout: departments to sites of limited room, flow times distance, penalties."""
    random = np.random.default_rng(seed)
    flow = np.triu(random.integers(0, 10, (n, n)) * (random.random((n, n)) < 0.4), 1)
    one, other = np.nonzero(flow)
    amounts = flow[one, other]
    sites = random.random((q, 2))
    distance = np.hypot(*(sites[:, None] - sites[None]).transpose(2, 0, 1))
    room = -(-n // q)

    def value(x):
        cost = 0.0
        for pair in range(len(one)):
            cost += amounts[pair] * distance[x[one[pair]], x[other[pair]]]
        residents = np.zeros(q, np.int64)
        for department in range(n):
            residents[x[department]] += 1
        for site in range(q):
            if residents[site] > room:
                cost += 8 * (residents[site] - room) ** 2
        return cost

    return _task("layout", n, q, value)


def sequence(n: int, q: int, motifs: int, seed: int) -> Task:
    """Return a chain of letters: energies of sites and neighbours, and hidden motifs of four."""
    random = np.random.default_rng(seed)
    sites, steps = random.normal(size=(n, q)), 1.2 * random.normal(size=(q, q))
    letters = random.integers(0, q, (motifs, 4))
    places = np.sort([random.choice(n, 4, replace=False) for _ in range(motifs)])
    gains = 4 + 8 * random.random(motifs)

    def value(x):
        energy = sites[0, x[0]]
        for site in range(1, n):
            energy += sites[site, x[site]] + steps[x[site - 1], x[site]]
        for motif in range(motifs):
            present = 0
            for element in range(4):
                present += x[places[motif, element]] == letters[motif, element]
            energy -= gains[motif] * (present / 4) ** 2
        return energy

    return _task("sequence", n, q, value)


def rota(people: int, days: int, seed: int) -> Task:
    """Return a rota of four shifts: staff needed, successions that are not allowed, and wishes."""
    random = np.random.default_rng(seed)
    needed = random.integers(1, 2 + people // 4, (days, 4))
    successions = np.array([[0, 0, 2, 9], [0, 1, 1, 0], [4, 0, 0, 1], [9, 6, 0, 0]])
    wishes = random.integers(0, 4, (people, days, 4))

    def value(x):
        cost = 0
        for day in range(days):
            staff = np.zeros(4, np.int64)
            for person in range(people):
                shift = x[person * days + day]
                staff[shift] += 1
                cost += wishes[person, day, shift]
                if day > 0:
                    cost += successions[x[person * days + day - 1], shift]
            for shift in range(4):
                cost += 6 * (staff[shift] - needed[day, shift]) ** 2
        return cost

    return _task("rota", people * days, 4, value)


def tasks() -> list[Task]:
    """Return one instance of each family."""
    return [
        frequencies(120, 12, 31),
        satisfiability(150, 32),
        layout(40, 12, 33),
        sequence(80, 20, 12, 35),
        rota(12, 14, 37),
    ]
