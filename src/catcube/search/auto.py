"""The rule of `algorithm="auto"`.

The rule comes from the study of `python -m benchmarks.defaults`; its figures are on the page
"Which algorithm for my budget?". The representation of an algorithm that is named comes from the
study of `catcube reproduce beyond`, on the page "Beyond the paper".
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from catcube.algorithms import registered
from catcube.representations.layout import RepresentationChoice
from catcube.representations.registry import NATIVE
from catcube.space import Space

AUTO = "auto"

BUDGET = 100_000
"""Evaluations, without a budget and a time limit."""

UNLIMITED = 2**61
"""Evaluations, with a time limit only."""

MOST_MODELLED = 2_000
"""Evaluations up to which a model of the function is worth its milliseconds per evaluation."""

MOST_CLIMBED = 1_000
"""Evaluations up to which the pyramid, which climbs first, is better than annealing."""

COOLING = MappingProxyType({"quench": 0.2})
"""How annealing ends: frozen, for functions with values of several scales."""

MOST_VARIABLES = 300
"""Variables up to which the model is used."""

LEAST_MIXED = 4_000
"""Evaluations per variable from which ltga is better natively: some generations of its mixing."""

MOST_UNIQUE = 100_000
"""Evaluations of a Python function up to which no point is evaluated twice."""

MOST_UNIQUE_COMPILED = 10_000
"""The same for compiled functions: caching takes longer than evaluating them."""

MOST_ENUMERATED = 200_000
"""Points of a space that are enumerated for compiled functions, or without a budget."""


class Choice(NamedTuple):
    """The choice and its reason; `algorithm` is None where all points are enumerated."""

    algorithm: str | None
    representation: RepresentationChoice
    unique: bool
    reason: str
    parameters: Mapping[str, Any] = MappingProxyType({})


def choose(
    space: Space,
    budget: int,
    in_python: bool,
    algorithm: str = AUTO,
    representation: RepresentationChoice = AUTO,
    preset: str | None = None,
    parameters: Any = None,
) -> Choice:
    """Choose algorithm and representation where they are "auto".

    >>> space = Space.repeat("x", range(4), 30)
    >>> choice = choose(space, 10_000, in_python=True)
    >>> choice.algorithm, choice.representation, choice.reason
    ('sa', 'native', '10,000 evaluations: annealing over all of them')
    """
    if algorithm != AUTO or preset is not None or parameters:
        named = "sa" if algorithm == AUTO else algorithm
        if isinstance(representation, str) and representation == AUTO:
            representation = _representation(named, budget // len(space), preset)
        reason = (
            "a preset or a parameter without an algorithm: annealing" if algorithm == AUTO else ""
        )
        return Choice(named, representation, False, reason)
    unique = budget <= (MOST_UNIQUE if in_python else MOST_UNIQUE_COMPILED)
    counted = in_python and budget < UNLIMITED
    if space.size <= (budget if counted else min(budget, MOST_ENUMERATED)):
        return Choice(None, NATIVE, True, f"{space.size:,} points: all of them are evaluated")
    native = isinstance(representation, str) and representation in (AUTO, NATIVE)
    few = budget <= MOST_MODELLED and len(space) <= MOST_VARIABLES
    if few and native and "surrogate" in registered:
        reason = f"{budget:,} evaluations of {len(space)} variables: few enough for a model"
        return Choice("surrogate", NATIVE, unique, reason)
    if budget <= MOST_CLIMBED:
        reason = f"{budget:,} evaluations: few for annealing, P3 climbs at once"
        return Choice("p3", NATIVE if native else representation, unique, reason)
    if budget >= UNLIMITED:
        reason = "no budget: annealing again and again, twice as long each time"
    else:
        reason = f"{budget:,} evaluations: annealing over all of them"
    return Choice("sa", NATIVE if native else representation, unique, reason, COOLING)


def _representation(algorithm: Any, per_variable: int, preset: str | None) -> str:
    """Return the representation of a named algorithm with so many evaluations per variable.

    Linear, the paper's, is as good as native or better, but for two that learn linkage: p3 with its
    climber, and ltga in long runs. A preset is about the paper, and has its representation.
    """
    if algorithm == "surrogate":
        return NATIVE
    mixed = algorithm == "p3" or (algorithm == "ltga" and per_variable >= LEAST_MIXED)
    return NATIVE if mixed and preset is None else "linear"


def effective_budget(budget: Any, time_limit: float | None) -> Any:
    """Return the budget, or the default one."""
    if budget is not None:
        return budget
    return BUDGET if time_limit is None else UNLIMITED
