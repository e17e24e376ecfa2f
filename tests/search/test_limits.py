"""Numbers at their ends: values, counters, sizes and parameters of runs."""

import math
from itertools import count

import numpy as np
import pytest

from catcube import Space, minimize
from catcube.algorithms import algorithm, names
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import JIT, njit
from catcube.engine.point import evaluate, flipped, flipped_all, point_at, undo_flips
from catcube.engine.recorder import BEST, EVALUATIONS, ITERATIONS, TRACE_CHUNK
from catcube.problems import Match, Problem, PythonProblem
from catcube.representations.layout import bit_layout, decode_points, resolve_representations
from catcube.search.run import Execution, Run
from tests.search.asked import SMALL

SPACE = Space({"a": range(5), "b": range(4), "c": range(3), "d": range(2)})
every_algorithm = pytest.mark.parametrize("name", names())


def prepared(name, problem, budget, representation="linear", target=None, seed=3, **settings):
    method = algorithm(name)
    layout = bit_layout(resolve_representations(problem.space, representation))
    return Run(problem, layout, method, method.resolve(None, settings), budget, target, seed)


def done(run):
    outcome = Execution(run).result()
    if outcome.failure is not None:
        raise outcome.failure
    return outcome


def small(name, **settings):
    """Settings with which an algorithm gets beyond its first generation soon."""
    return SMALL.get(name, {}) | settings


# Counters


@every_algorithm
@pytest.mark.parametrize("counted", [2**31 - 20, 10**10, 2**53 - 20, 2**62 - 50])
def test_counters_beyond_31_and_53_bits(name, counted):
    """A run whose counters begin high is the run whose counters begin at 0."""
    problem = Match(5, 4)
    plain = done(prepared(name, problem, 40, **small(name)))
    execution = Execution(prepared(name, problem, counted + 40, **small(name)))
    execution.recorder.counters[EVALUATIONS] = counted
    execution.recorder.counters[ITERATIONS] = counted
    later = execution.result()
    assert later.evaluations - counted == plain.evaluations
    assert later.iterations - counted == plain.iterations
    assert (later.trace.evaluations - counted).tolist() == plain.trace.evaluations.tolist()
    assert later.evaluations_to_best - counted == plain.evaluations_to_best
    assert later.trace.values.tolist() == plain.trace.values.tolist()
    assert later.solution.tolist() == plain.solution.tolist()
    assert later.ending == plain.ending


@pytest.mark.parametrize("budget", [TRACE_CHUNK - 1, TRACE_CHUNK, TRACE_CHUNK + 1])
def test_every_evaluation_improves(budget):
    numbers = count()
    problem = PythonProblem(lambda point: -float(next(numbers)), SPACE)
    outcome = done(prepared("rls", problem, budget))
    assert outcome.trace.evaluations.tolist() == list(range(1, budget + 1))
    assert outcome.trace.values.tolist() == [-float(k) for k in range(budget)]


# Values


def cost(point):
    return float(abs(point["a"] - 3) * 4 + point["b"] * 2 + (point["c"] != 1) + 7 * point["d"])


@every_algorithm
@pytest.mark.parametrize("power", [53, 1000, -1000])
def test_the_scale_of_values_does_not_matter(name, power):
    plain = done(prepared(name, PythonProblem(cost, SPACE), 60, **small(name)))
    scaled = PythonProblem(lambda point: math.ldexp(cost(point), power), SPACE)
    outcome = done(prepared(name, scaled, 60, **small(name)))
    assert outcome.trace.evaluations.tolist() == plain.trace.evaluations.tolist()
    assert outcome.trace.values.tolist() == [math.ldexp(v, power) for v in plain.trace.values]
    assert outcome.solution.tolist() == plain.solution.tolist()
    assert outcome.evaluations == plain.evaluations


@every_algorithm
@pytest.mark.parametrize("power", [1018, -1074])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_and_the_smallest_values(name, power, sign):
    """Differences overflow, or are the smallest number there is: the best is still the best."""
    seen = []

    def extreme(point):
        seen.append(sign * math.ldexp(cost(point), power))
        return seen[-1]

    problem = PythonProblem(extreme, SPACE)
    run = prepared(name, problem, 60, **small(name))
    outcome = done(run)
    assert outcome.value == min(seen)
    assert problem.evaluate(decode_points(run.layout, outcome.solution)) == outcome.value


@every_algorithm
def test_minus_zero_is_zero(name):
    turns = count()
    problem = PythonProblem(lambda point: -0.0 if next(turns) % 2 else 0.0, SPACE)
    outcome = done(prepared(name, problem, 30, **small(name)))
    assert outcome.trace.evaluations.tolist() == [1]
    problem = PythonProblem(lambda point: -0.0, SPACE)
    assert done(prepared(name, problem, 30, target=0.0, **small(name))).evaluations == 1


# integers: N. reals: what each category of each variable costs.


@entry("value")
def penalties_value(problem):
    N = problem.integers[0]
    total = 0.0
    for variable in range(problem.categories.size):
        total += problem.reals[variable * N + problem.categories[variable]]
    return total


@entry("change")
def penalties_change(problem, variable, category):
    N = problem.integers[0]
    before = problem.reals[variable * N + problem.categories[variable]]
    return problem.reals[variable * N + category] - before


class Penalties(Problem):
    """Small costs, of which no sum rounds, and a penalty for the first category."""

    value = penalties_value
    change = penalties_change

    def __init__(self, variables, N, penalty):
        self.space = Space.repeat("x", range(N), variables)
        costs = np.random.default_rng(7).integers(1, 64, (variables, N)) / 64
        costs[:, 0] = penalty
        self.integers, self.reals = np.array([N]), costs.ravel()


@njit
def value_after(search, bits, positions, flips):
    """The value of a point after some flips, made from its own by adding changes."""
    point = point_at(search, 0)
    for i in range(bits.size):
        point.bits[i] = bits[i]
    value = evaluate(search, point)
    if flips == 1:
        return flipped(search, point, positions[0], value)
    candidate = flipped_all(search, point, positions, flips, value)
    undo_flips(search, point, positions, flips)
    return candidate


@pytest.mark.parametrize("penalty", [1e3, 1e15, 1e17, 1e300, -1e17])
@pytest.mark.parametrize("flips", [1, 2, 3])
def test_a_penalty_leaves_no_trace_in_later_values(penalty, flips):
    """Adding 10^17 and taking it away again would leave 0 or 16 of a value of 10.

    Whether the penalty is there at first, or only between two flips.
    """
    problem = Penalties(20, 4, penalty)
    execution = Execution(prepared("rls", problem, 10**6))
    recorder, layout = execution.recorder, execution.run.layout
    recorder.counters[EVALUATIONS] = 1
    recorder.levels[BEST] = -1e308  # what is better than the best is computed afresh anyway
    draw = np.random.default_rng(1)
    free = 0
    for _ in range(80):
        bits = draw.integers(0, 2, layout.variable.size).astype(np.uint8)
        categories = decode_points(layout, bits)
        for variable in np.flatnonzero(categories == 0)[draw.integers(0, 2) :]:
            first = layout.first_bit[variable]
            bits[first] ^= 1  # with the linear representation, to another category
        positions = draw.choice(layout.variable.size, flips, replace=False)
        after = bits.copy()
        after[positions] ^= 1
        with np.errstate(over="ignore"):
            found = value_after(execution._search, bits, positions, flips)
        exact = problem.evaluate(decode_points(layout, after))
        assert found == pytest.approx(exact, rel=1e-9)
        free += exact < 100
    assert free > 8


# Simulated annealing


def test_worsenings_whose_sum_overflows_set_a_temperature():
    """Of ten worsenings of 10^308 not even two can be added."""
    problem = PythonProblem(lambda point: 1e308 * (point["a"] != 2), SPACE)
    accepted = []

    def cold(point):
        accepted.append(point["a"])
        return 1e308 * (point["a"] != 2) - 5e307

    outcome = done(prepared("sa", problem, 300, target=0.0))
    assert outcome.ending == "target"
    run = prepared("sa", PythonProblem(cold, SPACE), 3000 if JIT else 600)
    assert done(run).value == -5e307
    # Frozen: all that is evaluated in the end is one flip from the optimum.
    assert accepted[-100:].count(2) > 30


@pytest.mark.parametrize(
    "settings",
    [
        {"beta_ratio": math.inf, "transitions": 1},
        {"beta_ratio": 1.7e308, "transitions": 1},
        {"initial_acceptance": 5e-324},
        {"initial_acceptance": math.nextafter(1, 0)},
        {"transitions": 2**62 - 1},
        {"over_budget": True, "hot": 5e-324, "cold": math.nextafter(1, 0)},
        {"over_budget": True, "hot": math.nextafter(1, 0), "cold": 5e-324},
        {"over_budget": True, "quench": 1.0},
    ],
)
def test_temperatures_at_their_ends(settings):
    seen = []
    problem = PythonProblem(lambda point: seen.append(cost(point)) or seen[-1], SPACE)
    outcome = done(prepared("sa", problem, 400, **{"over_budget": False, **settings}))
    assert outcome.evaluations == 400
    assert outcome.value == min(seen)


# Sizes


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["rls", "sa", "ea-1p1", "ga", "umda"])
@pytest.mark.parametrize("representation", ["linear", "vt"])
def test_more_than_65536_bits(name, representation):
    problem = Match(30_000, [3, 5, 2] * 10_000)
    settings = {"ga": {"mu": 5}, "umda": {"population": 5, "selection": 2}}.get(name, {})
    run = prepared(name, problem, 300, representation, **settings)
    assert run.layout.variable.size > 2**16
    outcome = done(run)
    assert outcome.evaluations == 300
    assert (decode_points(run.layout, outcome.solution) != problem.integers).sum() == outcome.value


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["ga", "ltga"])
def test_more_than_65536_individuals(name):
    size = {"ga": {"mu": 70_000, "tournament": 1}, "ltga": {"population": 70_000}}[name]
    outcome = done(prepared(name, Match(4, 3), 150_000, **size))
    assert outcome.value == 0
    assert outcome.evaluations == 150_000


# Parameters


@pytest.mark.parametrize("number", [2**62, 2**63 - 1, 2**63, 2**64, 10**30, 1e300])
@pytest.mark.parametrize(("name", "parameter"), [("rls", "patience"), ("sa", "transitions")])
def test_integers_that_kernels_cannot_count(name, parameter, number):
    with pytest.raises(ValueError, match=rf"^{name}: {parameter}: expected a value < 2\^62, got "):
        minimize(Match(3, 3), algorithm=name, budget=9, **{parameter: number})


def test_the_largest_integers():
    found = minimize(Match(3, 3), algorithm="rls", budget=60, seed=1, patience=2**62 - 1)
    assert found.parameters == {"patience": 2**62 - 1}
    assert found.nfev == 60
