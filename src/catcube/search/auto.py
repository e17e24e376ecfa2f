"""The rule of `algorithm="auto"`.

Which algorithm is best with which budget comes from the study of `python -m benchmarks.defaults`;
its figures are on the page "Which algorithm for my budget?". That a model makes the first of many
evaluations keeps a larger budget from being worse: its points are those of the smaller budget, and
the search that follows knows them and quenches from the best point of both. The representation of
an algorithm that is named comes from the study of `catcube reproduce beyond`, on the page "Beyond
the paper".
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from catcube.algorithms import registered
from catcube.problems.objective import MOST_KEPT
from catcube.representations.layout import RepresentationChoice, is_native
from catcube.representations.registry import NATIVE
from catcube.search.watch import UNLIMITED
from catcube.space import Space

AUTO = "auto"

BUDGET = 100_000
"""Evaluations, without a budget and a time limit."""

MOST_MODELLED = 2_000
"""Evaluations up to which a model of the function is worth its milliseconds per evaluation.

With a larger budget, up to `MOST_KEPT`, the model makes as many before annealing begins.
"""

MODEL_FIRST = "surrogate+"
"""What the name of an algorithm begins with if the model makes the first evaluations."""

MODELLED_SHARE = 0.25
"""Share of a time limit that the model may take of a fast function."""

MOST_CLIMBED = 1_000
"""Evaluations up to which the pyramid, which climbs first, is better than annealing."""

COOLING = MappingProxyType({"quench": 0.2})
"""How annealing ends: frozen, for functions with values of several scales."""

MOST_VARIABLES = 300
"""Variables up to which the model is used."""

LEAST_MIXED = 4_000
"""Evaluations per variable from which ltga is better natively: some generations of its mixing."""

MOST_UNIQUE_COMPILED = 10_000
"""Evaluations of a compiled function up to which no point is evaluated twice."""

MOST_ENUMERATED = 200_000
"""Points of a space that are enumerated for compiled functions, or without a budget."""


class Choice(NamedTuple):
    """The choice and its reason; `algorithm` is None where all points are enumerated.

    `modelled` is the number of evaluations that the model makes before the algorithm.
    """

    algorithm: str | None
    representation: RepresentationChoice
    reason: str
    parameters: Mapping[str, Any] = MappingProxyType({})
    modelled: int = 0

    @property
    def name(self) -> str | None:
        """The name of the algorithm in a result, with the model that precedes it."""
        return MODEL_FIRST + self.algorithm if self.modelled and self.algorithm else self.algorithm


def choose(
    space: Space,
    budget: int,
    in_python: bool,
    algorithm: str = AUTO,
    representation: RepresentationChoice = AUTO,
    preset: str | None = None,
    parameters: Any = None,
    exchanging: bool = False,
    noisy: bool = False,
    endless: bool = False,
) -> Choice:
    """Choose algorithm and representation where they are "auto".

    If values are `noisy`, one evaluation of every point is not enough. An `endless` search may be
    stopped after any point, so that their order matters.

    >>> space = Space.repeat("x", range(4), 30)
    >>> choose(space, 400, in_python=True)[:3]
    ('surrogate', 'native', '400 evaluations of 30 variables: few enough for a model')
    """
    if algorithm != AUTO or preset is not None or parameters:
        named = "sa" if algorithm == AUTO else algorithm.removeprefix(MODEL_FIRST)
        modelled = min(budget, MOST_MODELLED) if named != algorithm != AUTO else 0
        exchanging = exchanging and named == "sa" and preset is None
        if isinstance(representation, str) and representation == AUTO:
            linear = _representation(named, budget // len(space), preset)
            representation = NATIVE if exchanging or modelled else linear
        reason = (
            "a preset or a parameter without an algorithm: annealing" if algorithm == AUTO else ""
        )
        settings = {"exchange": True} if exchanging and is_native(representation) else {}
        return Choice(named, representation, reason, settings, modelled)
    native = isinstance(representation, str) and representation in (AUTO, NATIVE)
    most = budget if in_python and budget < UNLIMITED else min(budget, MOST_ENUMERATED)
    modelled = 0
    if native and len(space) <= MOST_VARIABLES and "surrogate" in registered:
        modelled = _modelled(budget, in_python)
    listed = math.prod(space.cardinalities.tolist()) <= 10 * max(most, 10_000)
    if space.size <= most and listed and not noisy:
        modelled = modelled if in_python and (endless or budget >= UNLIMITED) else 0
        order = ", those that a model proposes first" if modelled else ""
        reason = f"{space.size:,} points: all of them are evaluated{order}"
        return Choice(None, NATIVE, reason, modelled=modelled)
    if modelled >= budget:
        reason = f"{budget:,} evaluations of {len(space)} variables: few enough for a model"
        return Choice("surrogate", NATIVE, reason)
    if budget <= MOST_CLIMBED:
        reason = f"{budget:,} evaluations: few for annealing, P3 climbs at once"
        return Choice("p3", NATIVE if native else representation, reason)
    first = f"a model for the first {modelled:,}, then " if modelled else ""
    if budget >= UNLIMITED:
        first = "a model while the time limit allows few calls, then " if modelled else ""
        reason = f"no budget: {first}annealing again and again, twice as long each time"
    else:
        reason = f"{budget:,} evaluations: {first}annealing over {'the rest' if first else 'all'}"
    cooling = {**COOLING, "exchange": True} if exchanging and native else COOLING
    return Choice("sa", NATIVE if native else representation, reason, cooling, modelled)


def _modelled(budget: int, in_python: bool) -> int:
    """Return the number of evaluations for which a model is worth its time."""
    if budget <= MOST_MODELLED:
        return budget
    if not in_python and budget > MOST_UNIQUE_COMPILED:
        return 0
    if budget >= UNLIMITED:  # the first calls will tell: see `may_model`
        return MOST_KEPT
    return MOST_MODELLED if budget <= MOST_KEPT else 0


def may_model(time_limit: float, evaluations: int, seconds: float, calls: float) -> bool:
    """Return whether the model may continue under a time limit.

    It makes all evaluations of a slow function, as the time limit allows few; of others as
    many as a share of the time allows.

    >>> may_model(3.0, 10, seconds=0.3, calls=0.2)  # 20 ms each: 150 calls in all
    True
    >>> may_model(3.0, 200, seconds=1.0, calls=0.002)
    False
    """
    if evaluations < 10 or calls * MOST_MODELLED >= evaluations * time_limit:
        return True
    return evaluations < MOST_MODELLED and seconds < MODELLED_SHARE * time_limit


def _representation(algorithm: Any, per_variable: int, preset: str | None) -> str:
    """Return the representation of a named algorithm, given its evaluations per variable.

    Linear is the paper's. Two that learn linkage are clearly better natively: p3 with its climber,
    and ltga in long runs. A preset is about the paper, and has its representation.
    """
    if algorithm == "surrogate":
        return NATIVE
    mixed = algorithm == "p3" or (algorithm == "ltga" and per_variable >= LEAST_MIXED)
    return NATIVE if mixed and preset is None else "linear"


def is_unique(budget: int, in_python: bool, automatic: bool) -> bool:
    """Return whether no point is to be evaluated twice."""
    if in_python:
        return budget <= MOST_KEPT or budget >= UNLIMITED
    return automatic and budget <= MOST_UNIQUE_COMPILED
