"""Simulated annealing, with cooling over the budget or after accepted worsenings.

S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing",
Science 220 (1983) 671-680.

With parallel evaluations, several candidates are in flight (`in_parallel`). A candidate is a
neighbour of the point that is current when a worker becomes free, and it is compared with the point
that is current when its value arrives. If few moves are accepted, these are the same point, as in
the kernel: on the tuning families, three candidates in flight were as good as one, while three
chains that share the budget were worse.
"""

import math
from collections import deque
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context, ParameterInfo
from catcube.engine.compiled.dispatch import as_python, overload
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.native import decode_move
from catcube.engine.point import (
    begin,
    evaluate,
    flip,
    flipped,
    flipped_all,
    genes,
    moves,
    point_at,
    return_to_best,
    start,
    take_flips,
    undo_flips,
)
from catcube.engine.recorder import BEST, EVALUATIONS, ITERATIONS, LIMIT, iterate, running
from catcube.engine.rng import below, uniform

# On a flat landscape, no trial worsens: after this multiple of `trials` pairs, the scale is 1.
FLAT_PATIENCE = 100

# A run without a budget cools for this many evaluations, then for twice as many, and so on.
FIRST_COOLING = 2000
NO_BUDGET = 1 << 40
NEVER = 1 << 62

# Worsenings are measured during 1/50 of a cooling, within these bounds.
MEASURED = 50
FEWEST_MEASURED = 5
MOST_MEASURED = 200

# The factor of the inverse temperature while quenching, so that in the end even the smallest
# worsenings of a function with several scales are rejected.
QUENCHING = 100.0

# Kinds of changes with `exchange`: one variable, two variables, an exchange of two categories.
SINGLE, DOUBLE, EXCHANGE, ALL = range(4)
SCORE_DECAY = 0.01  # weight of the latest proposal of a kind in its score
LEAST_SCORES = (0.004, 0.001, 0.001)  # without success, most changes are single ones
LEAST_SHARE = (
    0.02  # of the proposals are of a kind that seldom succeeds: it may become useful later
)

LEAST_GROWTH = 1.0 + 1e-15  # of the inverse temperature, with each evaluation of a cooling

OPEN: Any = {"low": 0, "high": 1, "low_open": True, "high_open": True}


class Parameters(NamedTuple):
    """Parameters of simulated annealing."""

    beta_ratio: Annotated[
        float, ParameterInfo("factor of the inverse temperature, if over_budget is off", low=1)
    ] = 1.05
    trials: Annotated[
        int, ParameterInfo("pairs of points that set the first temperature", low=1)
    ] = 10
    initial_acceptance: Annotated[
        float,
        ParameterInfo("initial acceptance of a mean worsening, if over_budget is off", **OPEN),
    ] = 0.6
    transitions: Annotated[
        int, ParameterInfo("accepted worsenings per temperature, if over_budget is off", low=1)
    ] = 50
    keep_trying: Annotated[
        bool, ParameterInfo("repeat the trials until one worsens (else never accept a worsening)")
    ] = True
    over_budget: Annotated[
        bool, ParameterInfo("cool over the budget, from hot to cold (else after transitions)")
    ] = True
    hot: Annotated[
        float, ParameterInfo("initial acceptance of a mean worsening, if over_budget is on", **OPEN)
    ] = 0.05
    cold: Annotated[
        float, ParameterInfo("final acceptance of a mean worsening, if over_budget is on", **OPEN)
    ] = 1e-5
    quench: Annotated[
        float,
        ParameterInfo("final fraction of each cooling spent quenching, from the best point", 0, 1),
    ] = 0.0
    exchange: Annotated[
        bool, ParameterInfo("in a native search, also change or exchange two variables (adaptive)")
    ] = False


@njit
def kernel(search, parameters, memory):
    """Make uniform moves that are not worse, or accepted at the current temperature.

    A move flips a bit or changes a variable, or, with `exchange`, two variables. With
    `over_budget`, the first moves are greedy and measure worsenings; then the inverse temperature
    grows by a factor per evaluation, and by a larger one while quenching, which begins at the best
    point so far. Otherwise it grows after some accepted worsenings.
    """
    # Two loops, because a test in every step would take a tenth of the time.
    if exchanges(search, parameters):
        anneal_exchanging(search, parameters, memory)
    else:
        anneal(search, parameters, memory, False)


@inlined
def anneal(search, parameters, memory, exchange):
    """Anneal, with or without changes of two variables."""
    point = point_at(search, 0)
    n = moves(search)
    positions, scores, measured = memory
    counters = search.recorder.counters
    value = begin(search, point)
    i, changes, kind = np.int64(0), np.int64(1), SINGLE
    beta, growth, due, length, quenched = first_phase(counters)
    if not parameters.over_budget:
        due = np.int64(NEVER)
        beta = initial_beta(search, point, parameters)
        value = return_to_best(search, point)
    transitions = 0
    evaluations = np.int64(0)
    while True:  # once per phase
        while iterate(search.recorder):
            if exchange:
                changes, kind = draw_changes(search, point.categories, positions, scores)
                candidate = flipped_all(search, point, positions, changes, value)
                score(scores, kind, candidate < value)
            else:
                i = below(search.random, n)
                candidate = flipped(search, point, i, value)
            worse = candidate > value
            if growth == 1.0 and worse and parameters.over_budget:
                measure(measured, kind, candidate - value)
            if not worse or accept(search.random, beta * (candidate - value)):
                if exchange:
                    take_flips(search, point, positions, changes)
                else:
                    flip(search, point, i)
                value = candidate
                transitions += worse
                if transitions == parameters.transitions and not parameters.over_budget:
                    beta *= parameters.beta_ratio
                    transitions = 0
            elif exchange:
                undo_flips(search, point, positions, changes)
            if counters[EVALUATIONS] > evaluations:  # repeated points neither count nor cool
                evaluations = counters[EVALUATIONS]
                beta *= growth
                if evaluations >= due and measured[ALL, 1] > 0.0:
                    break
        if not running(search.recorder):
            return
        if quenched > 0 and search.recorder.levels[BEST] < value:
            value = return_to_best(search, point)
        beta, growth, due, length, quenched = next_phase(
            parameters, counters, measured, beta, growth, due, length, quenched
        )


@part
def anneal_exchanging(search, parameters, memory):
    """Anneal with changes of two variables, compiled apart from the loop without them."""
    anneal(search, parameters, memory, True)


@part
def first_phase(counters):
    """Return the state of the first phase, greedy moves that measure worsenings.

    The state is the inverse temperature, its growth per evaluation, the number of evaluations at
    the end of the phase, the length of the cooling, and the number of its evaluations that quench.
    """
    left = counters[LIMIT] - counters[EVALUATIONS]
    length = left if left < NO_BUDGET else np.int64(FIRST_COOLING)
    return math.inf, 1.0, counters[EVALUATIONS] + measuring_length(length), length, np.int64(0)


@part
def next_phase(parameters, counters, measured, beta, growth, due, length, quenched):
    """Return the state of the next phase: quenching, or another cooling, twice as long."""
    if quenched > 0:
        return beta, QUENCHING ** (1.0 / quenched), due + quenched, length, np.int64(0)
    left = counters[LIMIT] - counters[EVALUATIONS]
    if growth > 1.0:
        length *= 2
    if length > left:
        length = left
    total, worsenings = smallest_mean_worsening(measured)
    beta = -math.log(parameters.hot) * worsenings / total
    quenched = np.int64(parameters.quench * length)
    growth = cooling_growth(parameters, length - quenched)
    return beta, growth, counters[EVALUATIONS] + length - quenched, length, quenched


@inlined
def never_exchange(search, parameters):
    """Return False, because bits are not exchanged."""
    return False


@inlined
def may_exchange(search, parameters):
    """Return whether moves may change two variables: if wanted, and if there are two."""
    return parameters.exchange and genes(search) > 1


exchanges = overload(never_exchange, may_exchange)


@part
def draw_single(search, categories, positions, scores):
    """Write one uniform move; return the number of moves and their kind."""
    positions[0] = below(search.random, moves(search))
    return np.int64(1), SINGLE


@part
def draw_several(search, categories, positions, scores):
    """Write a change of one variable, of two, or an exchange; return the number and the kind.

    Kinds are drawn in proportion to the squares of their scores, with a minimum probability. An
    exchange of equal categories, or of categories that do not exist, becomes a single change.
    """
    layout, random = search.layout, search.random
    single, double, swap = scores[SINGLE] ** 2, scores[DOUBLE] ** 2, scores[EXCHANGE] ** 2
    seldom = LEAST_SHARE * (single + double + swap)
    drawn = uniform(random) * (single + double + swap + 3.0 * seldom)
    positions[0] = below(random, layout.moves)
    if drawn < single + seldom:
        return np.int64(1), SINGLE
    first, _ = decode_move(layout, categories, positions[0])
    other = first
    while other == first:
        positions[1] = below(random, layout.moves)
        other, _ = decode_move(layout, categories, positions[1])
    if drawn < single + double + 2.0 * seldom:
        return np.int64(2), DOUBLE
    one, two = np.int64(categories[unsigned(first)]), np.int64(categories[unsigned(other)])
    if one == two or two >= category_count(layout, first) or one >= category_count(layout, other):
        return np.int64(1), SINGLE
    positions[0] = layout.first_move[unsigned(first)] + two - (two > one)
    positions[1] = layout.first_move[unsigned(other)] + one - (one > two)
    return np.int64(2), EXCHANGE


draw_changes = overload(draw_single, draw_several)


@inlined
def category_count(layout, variable):
    """Return the number of categories of a variable."""
    if layout.equal_moves > 0:
        return layout.equal_moves + 1
    first, next_one = layout.first_move[unsigned(variable)], layout.moves
    if variable + 1 < layout.first_move.size:
        next_one = layout.first_move[unsigned(variable + 1)]
    return next_one - first + 1


@inlined
def score(scores, kind, improved):
    """Update the success rate of a kind of proposals, an exponentially weighted mean."""
    scores[kind] += ((1.0 if improved else LEAST_SCORES[kind]) - scores[kind]) * SCORE_DECAY


@inlined
def measure(measured, kind, worsening):
    """Add a worsening to the statistics of its kind and of all, unless their sum overflows."""
    if measured[ALL, 0] + worsening < math.inf:
        for row in (kind, ALL):
            measured[row, 0] += worsening
            measured[row, 1] += 1.0


@part
def smallest_mean_worsening(measured):
    """Return the sum and number of worsenings of the kind with the smallest mean.

    So exchanges set the temperature if single changes violate a constraint and exchanges do not.
    If no kind has enough worsenings, return those of all.
    """
    chosen, least = ALL, math.inf
    for kind in range(ALL):
        if measured[kind, 1] >= FEWEST_MEASURED:
            mean = measured[kind, 0] / measured[kind, 1]
            if mean < least:
                chosen, least = kind, mean
    return measured[chosen, 0], measured[chosen, 1]


def new_memory() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return memory for two moves, the initial scores of kinds, and statistics of worsenings."""
    return np.zeros(2, np.int64), np.array([0.1, 0.05, 0.05]), np.zeros((4, 2))


# Comparisons instead of max and min, which numba compiles again for each type.


@part
def measuring_length(length):
    """Return the number of evaluations of a cooling during which worsenings are measured."""
    measured = length // MEASURED
    if measured < FEWEST_MEASURED:
        return FEWEST_MEASURED
    return measured if measured < MOST_MEASURED else MOST_MEASURED


@part
def cooling_growth(parameters, length):
    """Return the factor of the inverse temperature for each of `length` evaluations."""
    ratio = math.log(parameters.cold) / math.log(parameters.hot)
    if ratio < 1.0:
        return LEAST_GROWTH
    growth = ratio ** (1.0 / length) if length > 1 else ratio
    return growth if growth > LEAST_GROWTH else LEAST_GROWTH


@part
def initial_beta(search, point, parameters):
    """Return the inverse temperature with the initial acceptance of a mean worsening."""
    n = moves(search)
    total = 0.0
    worsenings = 0
    trials = 0
    while running(search.recorder):
        value = start(search, point)
        if not running(search.recorder):
            break
        change = flipped(search, point, below(search.random, n), value) - value
        if change > 0.0 and total + change < math.inf:
            total += change
            worsenings += 1
        trials += 1
        rounds = trials // FLAT_PATIENCE if parameters.keep_trying else trials
        if rounds >= parameters.trials or (trials >= parameters.trials and worsenings > 0):
            break
    if worsenings > 0:
        return -math.log(parameters.initial_acceptance) * worsenings / total
    return -math.log(parameters.initial_acceptance) if parameters.keep_trying else math.inf


@inlined
def accept(random, exponent):
    """Return True with probability exp(-exponent)."""
    chance = uniform(random)
    # As 1 + x + x^2/2 <= exp(x), most rejections need no exponential.
    if chance * (1.0 + exponent * (1.0 + 0.5 * exponent)) >= 1.0:
        return False
    return chance < math.exp(-exponent)


ALGORITHM = Algorithm(
    name="sa",
    title="simulated annealing",
    reference="S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Science 220, 1983",
    parameters=Parameters,
    kernel=kernel,
    memory=lambda layout, parameters: new_memory(),
    native=True,
    presets={"paper": {"keep_trying": False, "over_budget": False}},
    added=({"over_budget": False, "hot": 0.05, "cold": 1e-5}, {"quench": 0.0}, {"exchange": False}),
)


# Parts of the kernel in Python, because evaluations in parallel take much longer.
_score, _measure, _accept = map(as_python, (score, measure, accept))
_first_phase, _next_phase = map(as_python, (first_phase, next_phase))
_draw_single, _draw_several, _decode_move = map(as_python, (draw_single, draw_several, decode_move))
_begin, _evaluate, _point_at = map(as_python, (begin, evaluate, point_at))
_may_exchange, _return_to_best = map(as_python, (may_exchange, return_to_best))

MOST_CANDIDATES = 20  # factor of the number of candidates, if the values of most are known


def in_parallel(parameters: Parameters, candidates: int) -> Algorithm | None:
    """Return annealing with parallel evaluations; None without `over_budget`."""
    if not parameters.over_budget:
        return None
    kernel = partial(anneal_in_parallel, candidates)
    return replace(ALGORITHM, kernel=kernel, compiled=False)


def anneal_in_parallel(
    candidates: int, search: Any, parameters: Parameters, memory: tuple[Context]
) -> None:
    """Anneal with several candidates in flight."""
    (context,) = memory
    submit, wants = context.submit, context.wants or (lambda count: count < candidates)
    assert submit is not None
    counters = search.recorder.counters
    point = _point_at(search, 0)
    value = _begin(search, point)
    current = point.categories.copy()
    positions, scores, measured = new_memory()
    beta, growth, due, *rest = _first_phase(counters)
    drawn: deque[tuple[Any, int, bool]] = deque()  # row, kind of change, whether called
    in_flight = evaluations = 0
    while counters[EVALUATIONS] < counters[LIMIT]:
        counters[ITERATIONS] += 1
        left = int(counters[LIMIT] - counters[EVALUATIONS])
        longest = min(MOST_CANDIDATES * candidates, left)
        while not drawn or (wants(in_flight) and len(drawn) < longest):
            row, kind = _neighbour(search, parameters, current, positions, scores)
            drawn.append((row, kind, submit(row)))
            in_flight += drawn[-1][2]
        taken = context.wait_for_next((row for row, _, _ in drawn), len(drawn) < longest)
        if taken is None:
            continue
        row, kind, requested = drawn[taken]
        del drawn[taken]
        in_flight -= requested
        point.categories[:] = row
        candidate = _evaluate(search, point)
        _score(scores, kind, candidate < value)
        if candidate > value and growth == 1.0:
            _measure(measured, kind, candidate - value)
        if not candidate > value or _accept(search.random, beta * (candidate - value)):
            current, value = row, candidate
        if counters[EVALUATIONS] > evaluations:
            evaluations = int(counters[EVALUATIONS])
            beta *= growth
            if evaluations >= due and measured[ALL, 1] > 0.0:
                if rest[1] > 0 and search.recorder.levels[BEST] < value:  # quenching is next
                    value = _return_to_best(search, point)
                    current = point.categories.copy()
                state = beta, growth, due, *rest
                beta, growth, due, *rest = _next_phase(parameters, counters, measured, *state)


def _neighbour(
    search: Any, parameters: Parameters, current: Any, positions: Any, scores: Any
) -> tuple[NDArray[np.int32], int]:
    """Return a neighbour of a point, drawn as in the kernel, and the kind of change."""
    draw = _draw_several if _may_exchange(search, parameters) else _draw_single
    changes, kind = draw(search, current, positions, scores)
    row = current.copy()
    for k in range(changes):
        variable, category = _decode_move(search.layout, current, positions[k])
        row[variable] = category
    return row, kind
