"""Points and recorder: a kernel that follows a program, against lists of bits decoded afresh."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catcube.algorithms.algorithm import Algorithm
from catcube.engine.compiled.jit import JIT, njit
from catcube.engine.decode import WORD_BITS
from catcube.engine.point import (
    evaluate,
    flip,
    flipped,
    flipped_all,
    point_at,
    return_to_best,
    start,
    take_flips,
    undo_flips,
)
from catcube.engine.recorder import running
from catcube.problems import Match, Sudoku
from catcube.problems.sudoku import complete_board, erase
from catcube.representations import families
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.run import Run, execute
from tests.naive import search as naive
from tests.naive import sudoku as naive_sudoku
from tests.naive.stream import Stream
from tests.problems.problem_examples import Weighted, WholeMatch, WholeSudoku, WholeWeighted

# What a program consists of: try the flip of a bit; move by it; move by it without asking for its
# value, then evaluate; start afresh; return to the best point so far; flip several bits; try
# the flip of several bits.
TRY, MOVE, EVALUATE, START, BEST, SEVERAL, BACK = range(7)
FLIPS = 3  # bits flipped by SEVERAL and BACK, one after the other from the one given


@njit
def follow(search, parameters, memory):
    """Follow the program; write down the value and the point after each of its lines."""
    program, positions, values, bits, words, sums, categories = memory
    n = bits.shape[1]
    point = point_at(search, 0)
    value = start(search, point)
    for k in range(program.shape[0]):
        if not running(search.recorder):
            break
        what, i = program[k, 0], program[k, 1]
        if what == TRY:
            values[k] = flipped(search, point, i, value)
        elif what == MOVE:
            value = flipped(search, point, i, value)
            flip(search, point, i)
        elif what == EVALUATE:
            flip(search, point, i)
            value = evaluate(search, point)
        elif what == START:
            value = start(search, point)
        elif what == BEST:
            value = return_to_best(search, point)
        else:
            flips = min(n, positions.size)
            for j in range(flips):
                positions[j] = (i + j) % n
            candidate = flipped_all(search, point, positions, flips, value)
            values[k] = candidate
            if what == SEVERAL:
                take_flips(search, point, positions, flips)
                value = candidate
            else:
                undo_flips(search, point, positions, flips)
        if what != TRY and what != BACK:
            values[k] = value
        for b in range(n):
            bits[k, b] = point.bits[b]
        for v in range(categories.shape[1]):
            words[k, v] = point.words[v]
            sums[k, v] = point.sums[v]
            categories[k, v] = point.categories[v]


class NoParameters(NamedTuple):
    """The program is memory."""


class Followed:
    """A program followed by the engine: its outcome, and its states line by line."""

    def __init__(self, problem, representations, program, seed, points=1):
        layout = bit_layout(representations)
        lines, n, variables = len(program), len(layout.variable), len(representations)
        self.values = np.zeros(lines)
        self.bits = np.zeros((lines, n), np.uint8)
        self.words, self.sums, self.categories = np.zeros((3, lines, variables), np.int64)
        code = np.array(program, np.int64).reshape(lines, 2)
        states = (self.bits, self.words, self.sums, self.categories)
        algorithm = Algorithm(
            name="follow",
            title="follow a program",
            reference="",
            parameters=NoParameters,
            kernel=follow,
            points=lambda parameters: points,
            memory=lambda n, parameters: (code, np.zeros(FLIPS, np.int64), self.values, *states),
        )
        self.outcome = execute(Run(problem, layout, algorithm, NoParameters(), 10**9, None, seed))


def follow_slowly(function, representations, program, seed):
    """The states (value, bits) after every line of the program, and the recorder of the run."""

    def value_of(bits):
        categories = naive.decoded(representations, bits)
        return categories, function(categories)

    n = sum(representation.bits for representation in representations)
    random = Stream(seed)
    run = naive.Recorder(value_of, None)
    bits = random.bits(n)
    run.evaluate(bits)
    states = []
    for what, i in program:
        if what == TRY:
            value = run.evaluate(naive.flipped(bits, i))
        elif what in (MOVE, EVALUATE):
            bits = naive.flipped(bits, i)
            value = run.evaluate(bits)
        elif what == START:
            bits = random.bits(n)
            value = run.evaluate(bits)
        elif what == BEST:
            bits, value = run.best()
        else:
            several = bits
            for j in range(min(n, FLIPS)):
                several = naive.flipped(several, (i + j) % n)
            value = run.evaluate(several)
            if what == SEVERAL:
                bits = several
        states.append((value, bits))
    return states, run


def check_states(followed, representations, states):
    in_words = bit_layout(representations).equal_bits > 0  # the bits are above the words
    for k, (_, bits) in enumerate(states):
        assert followed.bits[k].tolist() == bits
        for v, code in enumerate(representations):
            mine, bits = bits[: code.bits], bits[code.bits :]
            packed = sum(bit << position for position, bit in enumerate(mine))
            word = total = 0
            for bit, column, weight in zip(
                mine, code.columns.tolist(), code.weights.tolist(), strict=True
            ):
                word ^= bit * column
                total += bit * weight
            assert followed.words[k, v] == (word | packed << WORD_BITS if in_words else word)
            assert followed.sums[k, v] == total % code.modulus
            assert followed.categories[k, v] == code.decode(mine)


def check_record(outcome, run):
    trace = zip(*(array.tolist() for array in outcome.trace), strict=True)
    assert list(trace) == run.trace
    assert outcome.evaluations == len(run.values)
    assert outcome.evaluations_to_best == run.trace[-1][0]
    assert outcome.value == run.best_value
    assert outcome.solution.tolist() == run.best_bits


def programs(n, lines):
    """Programs for n bits, most lines of them flips, so that the journal of flips fills up."""
    whats = st.sampled_from([TRY] * 6 + [MOVE] * 10 + [EVALUATE, START, BEST, SEVERAL, BACK])
    bits = st.integers(0, n - 1)
    return st.lists(st.tuples(whats, bits), min_size=1, max_size=lines)


def random_program(n, lines, seed):
    random = np.random.default_rng(seed)
    whats = random.choice(7, lines, p=[0.33, 0.5, 0.02, 0.02, 0.03, 0.05, 0.05])
    return list(zip(whats.tolist(), random.integers(0, n, lines).tolist(), strict=True))


def match_function(problem):
    hidden = problem.integers.tolist()
    return lambda categories: sum(a != b for a, b in zip(categories, hidden, strict=True))


def sudoku_function(problem):
    rows = problem.board.cells.tolist()

    def value(categories):
        for (row, column), category in zip(problem.board.unknowns, categories, strict=True):
            rows[row][column] = category + 1
        return naive_sudoku.value(rows, problem.board.box)

    return value


@given(
    # A space of a single point has a kernel by itself.
    st.lists(st.integers(1, 12), min_size=1, max_size=5).filter(lambda sizes: max(sizes) > 1),
    st.data(),
)
def test_flips_equal_decoding_afresh(sizes, data):
    """Mixed cardinalities, a family of representations for each variable, any program."""
    problem = Match(len(sizes), sizes, seed=1)
    by_variable = {
        name: data.draw(st.sampled_from(sorted(families)), label=name)
        for name in problem.space.names
    }
    representations = resolve_representations(problem.space, by_variable)
    n = sum(representation.bits for representation in representations)
    program = data.draw(programs(n, 60))
    seed = data.draw(st.integers(0, 2**70))
    function = match_function(problem)
    states, run = follow_slowly(function, representations, program, seed)
    for points in (1, 2):  # with and without the journal of flips
        followed = Followed(problem, representations, program, seed, points)
        check_states(followed, representations, states)
        assert followed.values.tolist() == [value for value, _ in states]
        check_record(followed.outcome, run)


SHIPPED = {
    "match": lambda kind: kind[0](8, [1, 2, 3, 4, 5, 7, 9, 12], seed=3),
    "sudoku 2": lambda kind: kind[1](erase(complete_board(2, seed=1), 10, seed=1)),
    "sudoku 3": lambda kind: kind[1](erase(complete_board(3, seed=1), 30, seed=1)),
}


@pytest.mark.parametrize("representation", sorted(families))
@pytest.mark.parametrize("problem", SHIPPED)
def test_change_equals_value(problem, representation):
    """Flip by flip: the change of value, the value of the whole, and a plain Python function."""
    quick, whole = (SHIPPED[problem](kind) for kind in [(Match, Sudoku), (WholeMatch, WholeSudoku)])
    assert quick.change is not None
    assert whole.change is None
    representations = resolve_representations(quick.space, representation)
    n = sum(representation.bits for representation in representations)
    function = (match_function if problem == "match" else sudoku_function)(quick)
    program = random_program(n, 120 if JIT else 60, seed=n)
    states, run = follow_slowly(function, representations, program, seed=n)
    for followed in (
        Followed(quick, representations, program, n),
        Followed(whole, representations, program, n),
    ):
        check_states(followed, representations, states)
        assert followed.values.tolist() == [value for value, _ in states]
        check_record(followed.outcome, run)


@settings(max_examples=20)
@given(st.integers(1, 3), st.integers(2, 3), st.integers(0, 2**32))
def test_the_best_point_through_long_journals(variables, size, seed):
    """Few bits and long walks: the journal is given up and taken up again many times."""
    problem = Weighted(variables, size, seed)
    representations = resolve_representations(problem.space, "linear")
    n = sum(representation.bits for representation in representations)
    outcome = Followed(problem, representations, random_program(n, 400, seed), seed).outcome
    best = naive.decoded(representations, outcome.solution.tolist())
    assert problem.evaluate(np.array(best)) == outcome.value


@pytest.mark.parametrize("representation", ["linear", "balanced", "vt"])
@pytest.mark.parametrize("seed", range(2))
def test_reported_values_have_not_drifted(representation, seed):
    """Rounded changes add up to something else; every improvement is the value computed afresh."""
    quick, whole = Weighted(6, 5, seed), WholeWeighted(6, 5, seed)
    representations = resolve_representations(quick.space, representation)
    n = sum(representation.bits for representation in representations)
    program = random_program(n, 600, seed)

    def value(categories):
        return whole.evaluate(np.array(categories))

    states, run = follow_slowly(value, representations, program, seed)
    followed = Followed(quick, representations, program, seed)
    check_states(followed, representations, states)
    check_record(followed.outcome, run)
    exact = np.array([value for value, _ in states])
    assert np.allclose(followed.values, exact, rtol=0, atol=1e-9)
    assert not np.array_equal(followed.values, exact)  # the changes did round
    check_record(Followed(whole, representations, program, seed).outcome, run)
