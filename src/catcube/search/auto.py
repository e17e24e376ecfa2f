"""The rule of `algorithm="auto"`.

The best algorithm for each budget was measured by `python -m benchmarks.defaults`; the results are
on the page "Which algorithm for my budget?". Runs with a large budget begin with the model, too, so
that a larger budget is never worse than a small one: the search that follows knows the points of
the model and quenches from the best of all. The representation of a named algorithm was measured by
`catcube reproduce beyond`; see the page "Beyond the paper".
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from catcube.algorithms import registered
from catcube.problems.objective import MOST_KEPT
from catcube.representations.layout import RepresentationChoice, build_layout, is_native
from catcube.representations.registry import NATIVE
from catcube.search.watch import UNLIMITED
from catcube.space import Space

AUTO = "auto"

BUDGET = 100_000
"""Default number of evaluations if there is no time limit."""

MAX_MODEL_EVALUATIONS = 2_000
"""Largest budget for which a model of the function is worth its milliseconds per evaluation.

With a larger budget, up to `MOST_KEPT`, the model makes this number of evaluations before annealing
begins.
"""

MODEL_PREFIX = "surrogate+"
"""Prefix of the name of an algorithm if a model makes the first evaluations."""

MODEL_TIME_SHARE = 0.25
"""Share of the time limit that the model may use if the function is fast."""

MAX_P3_EVALUATIONS = 1_000
"""Largest budget for which P3, which begins by hill climbing, is better than annealing."""

COOLING = MappingProxyType({"quench": 0.2})
"""Parameters of annealing: each cooling ends with a quench, for values of different scales."""

MAX_MODEL_VARIABLES = 300
"""Largest number of variables for which the model is used."""

MIN_NATIVE_LTGA = 4_000
"""Evaluations per variable from which LTGA is better natively: a few of its generations."""

MAX_UNIQUE_COMPILED = 10_000
"""Largest budget for which no point of a compiled function is evaluated twice."""

MAX_ENUMERATED = 200_000
"""Largest space that is enumerated for a compiled function, or without a budget."""


class Choice(NamedTuple):
    """The choice and its reason.

    `algorithm` is None if all points are enumerated; `model_budget` is the number of
    evaluations that a model makes before the algorithm.
    """

    algorithm: str | None
    representation: RepresentationChoice
    reason: str
    parameters: Mapping[str, Any] = MappingProxyType({})
    model_budget: int = 0

    @property
    def name(self) -> str | None:
        """The name of the algorithm, with the prefix of a model that precedes it."""
        has_prefix = self.model_budget and self.algorithm
        return f"{MODEL_PREFIX}{self.algorithm}" if has_prefix else self.algorithm


def choose(
    space: Space,
    budget: int,
    in_python: bool,
    algorithm: str = AUTO,
    representation: RepresentationChoice = AUTO,
    preset: str | None = None,
    parameters: Any = None,
    exchange: bool = False,
    noisy: bool = False,
    open_ended: bool = False,
) -> Choice:
    """Choose algorithm and representation if they are "auto".

    If values are `noisy`, a small space is not enumerated, because one evaluation per point is not
    enough. An `open_ended` search may be stopped after any point, so a model orders the points of
    an enumeration. With `exchange`, annealing also exchanges the categories of two variables.

    >>> space = Space.repeat("x", range(4), 30)
    >>> choose(space, 400, in_python=True)[:3]
    ('surrogate', 'native', '400 evaluations of 30 variables: few enough for a model')
    """
    if algorithm != AUTO or preset is not None or parameters:
        named = "sa" if algorithm == AUTO else algorithm.removeprefix(MODEL_PREFIX)
        model_budget = min(budget, MAX_MODEL_EVALUATIONS) if named != algorithm != AUTO else 0
        exchange = exchange and named == "sa" and preset is None
        if isinstance(representation, str) and representation == AUTO:
            linear = _representation(named, budget // len(space), preset)
            representation = NATIVE if exchange or model_budget else linear
        reason = (
            "a preset or a parameter without an algorithm: annealing" if algorithm == AUTO else ""
        )
        settings = {"exchange": True} if exchange and is_native(representation) else {}
        return Choice(named, representation, reason, settings, model_budget)
    native = isinstance(representation, str) and representation in (AUTO, NATIVE)
    most = budget if in_python and budget < UNLIMITED else min(budget, MAX_ENUMERATED)
    model_budget = 0
    if native and len(space) <= MAX_MODEL_VARIABLES and "surrogate" in registered:
        model_budget = _model_budget(budget, in_python)
    enumerable = math.prod(space.cardinalities.tolist()) <= 10 * max(most, 10_000)
    if space.size <= most and enumerable and not noisy:
        if not native:
            build_layout(space, representation)  # not used, but an invalid one is an error
        model_budget = model_budget if in_python and (open_ended or budget >= UNLIMITED) else 0
        order = ", those that a model proposes first" if model_budget else ""
        reason = f"{space.size:,} points: all of them are evaluated{order}"
        return Choice(None, NATIVE, reason, model_budget=model_budget)
    if model_budget >= budget:
        reason = f"{budget:,} evaluations of {len(space)} variables: few enough for a model"
        return Choice("surrogate", NATIVE, reason)
    if budget <= MAX_P3_EVALUATIONS:
        reason = f"{budget:,} evaluations: few for annealing, P3 climbs at once"
        return Choice("p3", NATIVE if native else representation, reason)
    first = f"a model for the first {model_budget:,}, then " if model_budget else ""
    if budget >= UNLIMITED:
        first = "a model while the time limit allows few calls, then " if model_budget else ""
        reason = f"no budget: {first}annealing again and again, twice as long each time"
    else:
        reason = f"{budget:,} evaluations: {first}annealing over {'the rest' if first else 'all'}"
    cooling = {**COOLING, "exchange": True} if exchange and native else COOLING
    return Choice("sa", NATIVE if native else representation, reason, cooling, model_budget)


def _model_budget(budget: int, in_python: bool) -> int:
    """Return the number of evaluations for which a model is worthwhile."""
    if budget <= MAX_MODEL_EVALUATIONS:
        return budget
    if not in_python and budget > MAX_UNIQUE_COMPILED:
        return 0
    if budget >= UNLIMITED:  # decided during the run by `model_may_continue`
        return MOST_KEPT
    return MAX_MODEL_EVALUATIONS if budget <= MOST_KEPT else 0


def model_may_continue(time_limit: float, evaluations: int, seconds: float, calls: float) -> bool:
    """Return whether the model may continue, given the seconds of the run and those of its calls.

    It makes all evaluations of a slow function, since the time limit allows few. For a fast one it
    may use a share of the time.

    >>> model_may_continue(3.0, 10, seconds=0.3, calls=0.2)  # 20 ms per call: 150 in all
    True
    >>> model_may_continue(3.0, 200, seconds=1.0, calls=0.002)
    False
    """
    if evaluations < 10 or calls * MAX_MODEL_EVALUATIONS >= evaluations * time_limit:
        return True
    return evaluations < MAX_MODEL_EVALUATIONS and seconds < MODEL_TIME_SHARE * time_limit


def _representation(algorithm: Any, per_variable: int, preset: str | None) -> str:
    """Return the default representation of a named algorithm.

    It is linear, as in the paper, except for two algorithms that learn linkage and are clearly
    better natively: P3 with its hill climber, and LTGA in long runs. Presets are those of the
    paper and have its representation.
    """
    if algorithm == "surrogate":
        return NATIVE
    mixed = algorithm == "p3" or (algorithm == "ltga" and per_variable >= MIN_NATIVE_LTGA)
    return NATIVE if mixed and preset is None else "linear"


def is_unique(budget: int, in_python: bool, automatic: bool) -> bool:
    """Return whether each point is to be evaluated at most once."""
    if in_python:
        return budget <= MOST_KEPT or budget >= UNLIMITED
    return automatic and budget <= MAX_UNIQUE_COMPILED
