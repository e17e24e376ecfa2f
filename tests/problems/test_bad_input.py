"""Values that are right or refused, sizes that are checked first, readers in linear time."""

import math
import os
import time
from contextlib import suppress

import numpy as np
import pytest

from catcube import minimize
from catcube.errors import BadValue
from catcube.experiments.plan_file import read_plan
from catcube.problems import Colouring, Ehrlich, Factors, Latin, Match, Potts, Qap, make
from catcube.problems.graphs import Graph, grid
from catcube.problems.scanner import FileError, TextFile
from catcube.problems.sudoku import Board


def test_sums_of_very_different_magnitudes_are_right():
    problem = Factors({"a": [0, 1e308], "b": [1, 2]})
    assert not problem.exact
    for seed in range(5):
        result = minimize(problem, algorithm="rls", representation="linear", budget=50, seed=seed)
        assert result.fun == problem.evaluate(result.x) == 1.0


@pytest.mark.parametrize(
    "problem",
    [
        lambda: Factors({"a": [0, 1e308], "b": [1e308, 2]}),
        lambda: Potts(grid(1, 3), [1e308, 1e308], 3),
        lambda: Potts.read(TextFile("big.txt", "3 2\n1 2 1e308\n2 3 1e308"), 3),
    ],
)
def test_sums_that_overflow_are_refused(problem):
    with pytest.raises(BadValue, match="finite"):
        problem()


@pytest.mark.parametrize(
    "problem",
    [
        lambda: Qap([[0, 1.71], [1.71, 0]], [[0, 1], [1, 0]]),
        lambda: Latin([[1.5, 0], [0, 1]]),
        lambda: Match(3, [2.7, 3, 3]),
        lambda: Graph.of(3, [(0, 1.5)]),
        lambda: Ehrlich.of(3, [[0, 1], [0, 0]], [[1, 0.5]], [[0, 2]]),
        lambda: Match(3, 1e30),
        lambda: Match(3, 10**30),
        lambda: Latin([["one", 0], [0, 1]]),
    ],
)
def test_what_is_no_integer_is_not_truncated(problem):
    with pytest.raises(BadValue, match="expected integers"):
        problem()


def test_integers_as_floats_are_welcome():
    assert Qap([[0, 2.0], [2.0, 0]], [[0, 1], [1, 0]]).evaluate({"p1": 1, "p2": 2}) == 4


@pytest.mark.parametrize("entry", [2**40, 2**52, 2**62, -(2**63)])
def test_values_of_an_assignment_that_no_float_holds_are_refused(entry):
    matrix = np.array([[0, entry], [entry, 0]])
    for a, b in ((matrix, matrix), (matrix, 0 * matrix), (0 * matrix, matrix)):
        if entry == 2**40 and not (a.any() and b.any()):
            continue
        try:
            problem = Qap(a, b)
        except BadValue:
            continue
        assert problem.evaluate({"p1": 1, "p2": 2}) == problem.cost([1, 2]) == 0
    with pytest.raises(BadValue, match="values"):
        Qap(matrix, matrix)


def test_costs_are_logarithms_that_do_not_depend_on_the_processor():
    probabilities = np.random.default_rng(1).random((7, 11))
    problem = Factors.of_probabilities({("a", "b"): probabilities})
    for (a, b), probability in np.ndenumerate(probabilities):
        assert problem.evaluate({"a": a, "b": b}) == -math.log(probability)


ARGUMENTS = {
    "colouring": [
        ("leighton,200000000,2,1", "vertices"),
        ("planted,200000000,2,0.1", "vertices"),
        ("leighton,50,5,2000", "edges"),
        ("random,2000,0.0,60000", "colours"),
        ("random,5,2,3", "density"),
    ],
    "csp": [("9,4,20,1.5", "tightness"), ("99,1024,999999999", "constraints")],
    "ehrlich": [
        ("15,4,2,8", "motif_length"),
        ("15,4,2,4,3", "quantization"),
        ("15,4,2,4,epistasis=4.0", "epistasis"),
    ],
    "factors": [("random,200000000,2,3", "variables"), ("random,5,3,4,arity=6", "arity")],
    "hiff": [("1,4", "variables")],
    "latin": [("holes,200000000,2", "order")],
    "leadingones": [("2,1000000", "categories")],
    "match": [("0,3", "variables"), ("-1,3", "variables"), ("2,0", "categories")],
    "nk": [
        ("0,0", "variables"),
        ("5,5", "expected k"),
        ("5,1,0", "categories"),
        ("5,1,2,near", "'near'"),
        ("1000000,9,9", "contributions"),
    ],
    "onemax": [("0,3", "variables"), ("2,3,taxi", "'taxi'")],
    "pest": [("0", "stages"), ("seed=-1", "seed")],
    "potts": [("torus,300,300,1024,gaussian", "entries of all tables"), ("grid,3,3,2,no", "'no'")],
    "qap": [("random,200000000", "size")],
    "trap": [
        ("9,17,2", "order"),
        ("9,3,4,overlap=3", "overlap"),
        ("9,4,4,overlap=2", "multiple of 2"),
        ("1000000,16,1024", "entries"),
    ],
    "words": [
        ("200000000,2,1", "words"),
        ("4,3,4", "distance"),
        ("4,3,2,AA", "'AA'"),
        ("4,3,2,ABC,gc=true", "'ABC'"),
    ],
}


@pytest.mark.parametrize(
    ("text", "culprit"),
    [(f"{name}:{text}", culprit) for name, wrong in ARGUMENTS.items() for text, culprit in wrong],
)
def test_arguments_are_checked_before_anything_is_built(text, culprit):
    begin = time.process_time()
    with pytest.raises(BadValue, match=culprit):
        make(text)
    assert time.process_time() - begin < 2


SQUARE = [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("build", "culprit"),
    [
        (lambda: Factors({"a": [1, 2], ("a", "b"): np.zeros((3, 2))}), "expected 2 categories"),
        (lambda: Factors({"a": [[1, 2]]}), "1 axes for \\('a',\\), got 2"),
        (lambda: Factors({"a": [1, 2]}, labels={"b": "xy"}), "unknown variable 'a'"),
        (lambda: Factors({"a": [1, 2]}, labels={"a": "xyz"}), "a table of shape"),
        (lambda: Factors({"a": [1, 2]}, evidence={"b": 0}), "unknown variable 'b'"),
        (lambda: Factors({"a": [1, 2]}, evidence={"a": 2}), "unknown label of variable 'a' 2"),
        (lambda: Factors({"a": [1, 2]}, evidence={"a": 1}), "variables without evidence"),
        (lambda: Factors({"a": [1, math.nan]}), "finite entries"),
        (lambda: Factors.of_probabilities({"a": [0, 0]}), "one > 0"),
        (lambda: Factors.of_probabilities({"a": [-1, 1]}), "entries >= 0"),
        (lambda: Latin([[1, 2], [2, 1]]), "holes"),
        (lambda: Latin([[1, 3], [0, 0]]), "symbols"),
        (lambda: Latin([[1, 2]] * 2 + [[2, 1]]), "square"),
        (lambda: Qap(SQUARE, np.zeros((3, 3), int)), "one size"),
        (lambda: Ehrlich.of(3, SQUARE, motifs=[[1, 0]], offsets=[[0, 3]]), "offsets"),
        (lambda: Ehrlich.of(3, SQUARE, motifs=[[1, 2]], offsets=[[0, 2]]), "elements"),
        (lambda: Graph.of(3, [(0, 0)]), "different vertices"),
        (lambda: Graph.of(3, [(0, 3)]), "got 3"),
        (lambda: Colouring([], 3), "at least one edge"),
        (lambda: Match(2, [3, 0]), "categories"),
        (lambda: Potts(grid(2, 2), [1.0], 3), "4 couplings"),
    ],
)
def test_data_that_make_no_problem_are_refused(build, culprit):
    with pytest.raises(BadValue, match=culprit):
        build()


def test_a_graph_without_edges(tmp_path):
    path = tmp_path / "empty.col"
    path.write_text("p edge 100000 0\n")
    assert len(make(f"colouring:{path},1").space) == 100_000


def bif_of_many_labels(size):
    labels = ", ".join(f"l{i}" for i in range(size))
    rows = "\n".join(f"  (l{i}) 0.5, 0.5;" for i in range(size))
    return (
        f"variable a {{ type discrete [ {size} ] {{ {labels} }}; }}\n"
        "variable b { type discrete [ 2 ] { yes, no }; }\n"
        f"probability ( a ) {{ table {'0.1 ' * size}; }}\n"
        f"probability ( b | a ) {{\n{rows}\n}}\n"
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (bif_of_many_labels, lambda file: Factors.read(file)),
        (lambda size: "/* " * 20 * size, lambda file: Factors.read(file)),
        (
            lambda size: f"p edge 999 {size}\n" + "e 1 999\n" * 20 * size,
            lambda file: Colouring.read(file, 3),
        ),
    ],
)
def test_reading_takes_linear_time(text, read):
    """Eight times the file takes about eight times as long, and far less than 64 times."""

    def seconds(size):
        file = TextFile("mine", text(size))
        begin = time.process_time()
        with suppress(FileError):
            read(file)
        return time.process_time() - begin

    small = min(seconds(1000) for _ in range(3))
    assert seconds(8000) < 24 * max(small, 0.01)


@pytest.mark.parametrize("line", ["\n", "c\n", " \n"])
def test_lines_without_an_edge_cost_little(line):
    """A whole file of them, 4 MB, is read in about the time of its lines."""
    file = TextFile("mine.col", line * 2**20)
    begin = time.process_time()
    with pytest.raises(FileError, match="p edge VERTICES EDGES"):
        Colouring.read(file, 3)
    assert time.process_time() - begin < 1.5


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (lambda file: Factors.read(file), "MARKOV 1 2 1 1 0 2 0 0"),
        (lambda file: Potts.read(file, 3), "3 2\n1 2 1e308\n2 3 1e308"),
        (lambda file: Latin.read(file), "1 2\n2 1"),
        (lambda file: Qap.read(file), f"2 0 {2**40} {2**40} 0 0 {2**40} {2**40} 0"),
        (lambda file: Colouring.read(file, 10**6), "p edge 3 0"),
    ],
)
def test_messages_name_the_file_without_control_characters(read, text):
    with pytest.raises(FileError, match=r"^mine\\x1b\[2J\.txt: "):
        read(TextFile("mine\x1b[2J.txt", text))


@pytest.mark.parametrize("read", [lambda path: Colouring.read(path, 3), Board.read, read_plan])
def test_a_pipe_is_refused(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="pipe"):
        read(tmp_path / "pipe")
