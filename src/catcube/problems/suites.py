"""Named suites of instances, which never change, for comparing algorithms."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

import numpy as np
from numpy.random import PCG64, SeedSequence

from catcube.base.text import expect_known
from catcube.errors import CatcubeError
from catcube.problems.instances import build_instance, list_instances
from catcube.problems.problem import Problem

POINTS = 100  # whose values are in a fingerprint
SEED = 2026


@dataclass(frozen=True)
class Suite:
    """A suite of instances by family, each with a fingerprint.

    Parameters
    ----------
    name
        The name of the suite, which ends in the year in which it was fixed.
    families
        The fingerprints of the instances, by family and name.

    Examples
    --------
    >>> from catcube.problems import suite
    >>> catcube = suite("catcube-2026")
    >>> list(catcube.families)[:3], len(catcube.instances)
    (['nk', 'colouring', 'potts'], 195)
    >>> catcube.problem("hiff:32,4").optimum
    0.0
    """

    name: str
    families: Mapping[str, Mapping[str, str]]

    @property
    def instances(self) -> list[str]:
        """The names of all instances, family by family."""
        return [instance for family in self.families.values() for instance in family]

    def problem(self, instance: str) -> Problem:
        """Build an instance; raise an error if its fingerprint has changed."""
        expect_known("instance", instance, self.instances)
        problem = build_instance(instance)
        if fingerprint(problem) != self.families[family_of(instance)][instance]:
            raise CatcubeError(
                f"{instance} is not the instance of the suite {self.name}: a generator of random "
                "numbers has changed"
            )
        return problem


@lru_cache(maxsize=1)
def _suites() -> dict[str, Suite]:
    text = files("catcube").joinpath("data", "suites.json").read_text(encoding="utf-8")
    return {name: Suite(name, families) for name, families in json.loads(text).items()}


def names() -> list[str]:
    """Return the names of all suites.

    >>> names()
    ['catcube-2026']
    """
    return list(_suites())


def suite(name: str) -> Suite:
    """Return a suite by name.

    Parameters
    ----------
    name
        One of `catcube.problems.suites.names()`.

    Returns
    -------
    Suite
        Its instances by family; `problem` builds one.

    Examples
    --------
    >>> list(suite("catcube-2026").families["trap"])[:2]
    ['trap:30,3,4', 'trap:30,3,4,seed=2']
    """
    expect_known("suite", name, names())
    return _suites()[name]


def family_of(instance: str) -> str:
    """Return the family of an instance: the kind of problem, or overlapping traps.

    >>> family_of("nk:40,2,8,random"), family_of("sudoku-easy-56")
    ('nk', 'sudoku')
    >>> family_of("trap:30,3,8"), family_of("trap:30,3,8,overlap=1")
    ('trap', 'trap-overlap')
    """
    kind = list_instances().get(instance) or instance.partition(":")[0]
    return "trap-overlap" if kind == "trap" and "overlap=" in instance else kind


def fingerprint(problem: Problem) -> str:
    """Return a hash of the numbers of categories, and of the values of random points."""
    sizes = problem.space.cardinalities
    words = PCG64(SeedSequence(SEED)).random_raw(POINTS * len(sizes)).reshape(POINTS, len(sizes))
    points = (words % sizes.astype(np.uint64)).astype(np.int64)
    values = np.array([problem.evaluate(point) for point in points])
    content = sizes.astype("<i8").tobytes() + values.astype("<f8").tobytes()
    return sha256(content).hexdigest()[:16]
