"""Conformance checks for plug-ins.

To check everything that a package registers, in one test with pytest (which is not required):

    @pytest.mark.parametrize("check", catcube.testing.checks("my_package"), ids=str)
    def test_conformance(check):
        check()

To check a single part; a failed check raises an AssertionError:

>>> from catcube.testing import check_algorithm, check_problem, check_representation
>>> check_representation("linear")
>>> check_problem("match:5,3")
>>> check_algorithm("rls")
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from catcube.algorithms import registered
from catcube.algorithms.algorithm import Algorithm
from catcube.base.registry import Registry
from catcube.engine.compiled.jit import JIT
from catcube.problems import Problem, kinds
from catcube.problems.instances import list_instances
from catcube.representations import Representation, families
from catcube.testing import algorithms, problems, representations
from catcube.testing.algorithms import check_interpreted, ensure

__all__ = ["Check", "check_algorithm", "check_problem", "check_representation", "checks"]

INSTANCES = 3  # checked instances of each problem, the first ones it lists


@dataclass(frozen=True)
class Check:
    """A check of one representation, problem or algorithm; call it to perform it.

    Attributes
    ----------
    subject
        The name of what is checked.
    name
        The name of the check.
    perform
        The function that checks.

    Examples
    --------
    >>> check = checks("catcube")[0]
    >>> str(check)
    'direct-categories'
    >>> check()
    """

    subject: str
    name: str
    perform: Callable[[], None]

    def __call__(self) -> None:
        """Perform the check; raise an AssertionError if it fails."""
        try:
            self.perform()
        except AssertionError as error:
            raise AssertionError(f"{self.subject}: {error}") from error

    def __str__(self) -> str:
        return f"{self.subject}-{self.name}"


def check_representation(
    representation: str | Callable[[int], Representation] | Representation,
    sizes: Sequence[int] = representations.SIZES,
) -> None:
    """Check a representation, or a family of representations.

    Parameters
    ----------
    representation
        A Representation, or a family, by name or as a function of the number of categories.
    sizes
        The numbers of categories for which a family is checked.

    Examples
    --------
    >>> check_representation("gray", sizes=[3, 4])
    """
    for check in _of_representation(representation, sizes):
        check()


def check_problem(problem: str | Problem | Callable[[], Problem]) -> None:
    """Check a problem.

    Parameters
    ----------
    problem
        A problem, its name, such as "match:20,9", or a function that builds it.

    Examples
    --------
    >>> check_problem("match:5,3")
    """
    for check in _of_problem(problem):
        check()


def check_algorithm(algorithm: str | Algorithm) -> None:
    """Check an algorithm.

    Parameters
    ----------
    algorithm
        The name of a registered algorithm, or an Algorithm.

    Examples
    --------
    >>> check_algorithm("rls")
    """
    for check in _of_algorithm(algorithm):
        check()


def checks(package: str) -> list[Check]:
    """Return the checks of all representations, problems and algorithms of a package.

    Parameters
    ----------
    package
        The name of the package, which is imported.

    Returns
    -------
    list of Check
        The checks; an error if the package registers nothing.

    Examples
    --------
    >>> [str(check) for check in checks("catcube")][:2]
    ['direct-categories', 'direct-description']
    """
    import_module(package)
    found: list[Check] = []
    for name in _names_of(families, package):
        found += _of_representation(name, representations.SIZES)
    for name in _names_of(kinds, package):
        instances = [instance for instance, kind in list_instances().items() if kind == name]
        some = partial(ensure, instances, "expected at least one listed instance, got none")
        found.append(Check(name, "instances", some))
        for instance in instances[:INSTANCES]:
            found += _of_problem(instance)
    names = _names_of(registered, package)
    for name in names:
        found += _of_algorithm(name)
    if names and JIT:  # the interpreted process compiles nothing
        compiled = [name for name in names if algorithms.resolve(name).compiled]
        found.append(
            Check("algorithms", "interpreted", partial(check_interpreted, package, compiled))
        )
    ensure(found, f"expected the package {package!r} to register something, got nothing")
    return found


def _names_of(registry: Registry[Any], package: str) -> list[str]:
    """Return the names that a package has registered."""
    return [name for name in registry if registry.owner(name).package == package]


def _of_representation(
    family: str | Callable[[int], Representation] | Representation, sizes: Sequence[int]
) -> list[Check]:
    """Return the checks of a representation or a family."""

    def each(check: Callable[[Representation, int], None]) -> None:
        for N, representation in representations.build_all(family, sizes).items():
            try:
                check(representation, N)
            except AssertionError as error:
                raise AssertionError(f"with {N} categories, {error}") from error

    subject = family if isinstance(family, str) else getattr(family, "name", _name(family))
    return [
        Check(subject, check.__name__, partial(each, check)) for check in representations.CHECKS
    ]


def _of_problem(problem: str | Problem | Callable[[], Problem]) -> list[Check]:
    """Return the checks of a problem."""
    make = problems.builder(problem)
    subject = problem if isinstance(problem, str) else getattr(problem, "name", _name(problem))
    return [Check(subject, check.__name__, partial(check, make)) for check in problems.CHECKS]


def _of_algorithm(algorithm: str | Algorithm) -> list[Check]:
    """Return the checks of an algorithm."""
    method = algorithms.resolve(algorithm)
    # An algorithm in Python searches categories only; `native` contains the other checks.
    applicable = (
        algorithms.CHECKS if method.compiled else (algorithms.description, algorithms.native)
    )
    return [Check(method.name, check.__name__, partial(check, method)) for check in applicable]


def _name(thing: object) -> str:
    """Return the name of a function, or of the class of another object."""
    return str(getattr(thing, "__name__", type(thing).__name__))
