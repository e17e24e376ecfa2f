"""Functions as they are in practice: constrained, conditional, noisy, and such as fail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.families.task import Task, equal
from catcube import Result, Space

MOST = 2_000
"""Evaluations that are worth the time of a function that is called point by point."""


class FailedError(Exception):
    """The evaluation of a point has failed."""


@dataclass(frozen=True)
class RealTask(Task):
    """A function of the categories, in a space with conditions, with more arguments for `minimize`.

    Inactive variables have the category -1. `disturb` turns values into what a call returns, given
    a random generator; a run is judged by the undisturbed value at the point it reports.
    """

    conditions: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    disturb: Callable[[float, np.ndarray, np.random.Generator], float] | None = None

    @property
    def space(self) -> Space:
        """The space, its categories named by their indices."""
        sizes = self.cardinalities.tolist()
        labels = {f"x{i}": range(size) for i, size in enumerate(sizes)}
        return Space(labels, only_if=dict(self.conditions))

    def arguments(self, seed: int) -> dict[str, Any]:
        """Return the arguments of `minimize` for one run."""
        random = np.random.default_rng(seed)

        def value(point: dict[str, Any]) -> float:
            found = self(self.categories(point))
            if self.disturb is None:
                return found
            return self.disturb(found, self.categories(point), random)

        return {"fun_or_problem": value, "space": self.space, **self.options}

    def judge(self, result: Result) -> float:
        """Return the undisturbed value at the reported point; infinity if it is infeasible."""
        return np.inf if np.isnan(result.fun) else self(self.categories(result.x))

    def categories(self, point: Mapping[str, Any]) -> np.ndarray:
        """Return the categories of a point, -1 where a variable is not active."""
        return np.array([point.get(f"x{i}", -1) for i in range(self.cardinalities.size)])


def _counts(point: Mapping[str, int], kinds: int) -> np.ndarray:
    return np.bincount(list(point.values()), minlength=kinds)


def teams(n: int, q: int, seed: int) -> Task:
    """Return people in teams of equal size: how much those who are together like each other."""
    liking = np.triu(np.random.default_rng(seed).integers(-5, 6, (n, n)), 1)
    return RealTask(
        f"teams-{n}x{q}",
        "constrained: equal sizes",
        equal(n, q),
        lambda x: -(liking * (x[:, None] == x)).sum(),
        most=MOST,
        options={"constraints": lambda point: bool((_counts(point, q) == n // q).all())},
    )


def choice(n: int, chosen: int, seed: int) -> Task:
    """Return a choice of some of n items, no two that exclude each other: gains of pairs."""
    random = np.random.default_rng(seed)
    gains = np.triu(random.normal(size=(n, n))) * (random.random((n, n)) < 0.2)
    excluded = random.permutation(n)[: n // 2].reshape(-1, 2)

    def exclusive(point: Mapping[str, int]) -> bool:
        return not any(point[f"x{a}"] and point[f"x{b}"] for a, b in excluded)

    return RealTask(
        f"choice-{chosen}of{n}",
        "constrained: exactly k of n",
        equal(n, 2),
        lambda x: -(x @ gains @ x),
        most=MOST,
        options={"constraints": [lambda point: sum(point.values()) == chosen, exclusive]},
    )


def switches(n: int, seed: int) -> Task:
    """Return n kinds of a machine, each with three settings of its own, and three common ones."""
    random = np.random.default_rng(seed)
    sizes = np.array([n, 5, 5, 5, *random.integers(3, 9, 3 * n)])
    effects = [random.normal(size=size) for size in sizes]
    pairs = random.normal(size=(n, 3, 5, 9))
    conditions = {f"x{4 + i}": {"x0": i // 3} for i in range(3 * n)}

    def value(x):
        kind, alone = x[0], sum(effects[i][c] for i, c in enumerate(x) if c >= 0)
        own = x[4 + 3 * kind : 7 + 3 * kind]
        return alone + sum(pairs[kind, i, x[1 + i], own[i]] for i in range(3))

    return RealTask(
        f"switches-{n}", "conditional: settings of a kind", sizes, value, None, 1, MOST, conditions
    )


def layers(n: int, seed: int) -> Task:
    """Return a network of up to n layers: each has a width and a kind if the one before exists."""
    random = np.random.default_rng(seed)
    sizes = np.array([2, 6, 4] * n)
    widths, kinds = random.normal(size=(n, 6)), random.normal(size=(n, 4))
    steps = random.normal(size=(n, 4, 4))
    conditions: dict[str, Any] = {}
    for i in range(n):
        if i > 0:
            conditions[f"x{3 * i}"] = {f"x{3 * i - 3}": 1}
        conditions |= {f"x{3 * i + k}": {f"x{3 * i}": 1} for k in (1, 2)}

    def value(x):
        total, last = 0.0, -1
        for i, (exists, width, kind) in enumerate(x.reshape(n, 3)):
            if exists != 1:
                break
            total += widths[i, width] + kinds[i, kind] + 0.2
            total += steps[i, last, kind] if last >= 0 else 0.0
            last = kind
        return total

    return RealTask(f"layers-{n}", "conditional: chains", sizes, value, None, 1, MOST, conditions)


def _sums(n: int, q: int, seed: int) -> Callable[[np.ndarray], float]:
    """Return effects of variables of several sizes, and of the pairs of a chain."""
    random = np.random.default_rng(seed)
    single = random.normal(size=(n, q)) * random.exponential(size=(n, 1))
    pairs, rows = 0.5 * random.normal(size=(n - 1, q, q)), np.arange(n)
    return lambda x: single[rows, x].sum() + pairs[rows[1:] - 1, x[:-1], x[1:]].sum()


def noisy(n: int, q: int, seed: int, deviation: float) -> Task:
    """Return effects of variables and pairs, with noise."""
    return RealTask(
        f"noisy-{n}x{q}-{deviation:g}",
        f"noisy: deviation {deviation:g}",
        equal(n, q),
        _sums(n, q, seed),
        most=MOST,
        options={"noisy": True},
        disturb=lambda value, x, random: value + deviation * random.normal(),
    )


def failing(n: int, q: int, seed: int, share: float, region: bool) -> Task:
    """Return effects of variables and pairs; calls fail by chance, and in a region or not."""

    def disturb(value: float, x: np.ndarray, random: np.random.Generator) -> float:
        if random.random() < share or (region and x[0] == x[1]):
            raise FailedError
        return value

    kind = "a region" if region else "chance"
    return RealTask(
        f"failing-{n}x{q}-{share:g}",
        f"failing: {kind}",
        equal(n, q),
        _sums(n, q, seed),
        most=MOST,
        options={"catch": FailedError},
        disturb=disturb,
    )


def tuning() -> list[Task]:
    """Return one instance of each kind."""
    return [teams(24, 4, 1), switches(4, 2), noisy(20, 4, 3, 2.0), failing(25, 4, 4, 0.3, False)]


def validation() -> list[Task]:
    """Return one instance of each kind, of other families."""
    return [choice(40, 10, 5), layers(6, 6), noisy(16, 6, 7, 5.0), failing(20, 5, 8, 0.1, True)]
