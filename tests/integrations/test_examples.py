"""The examples with optimisers of other packages, run with the real packages on few evaluations."""

import importlib
import re
import warnings

import numpy as np
import pytest

from catcube import BitProblem
from catcube.problems import Sudoku
from tests import ROOT

EXAMPLES = ROOT / "examples"
PACKAGES = ["deap", "gomea", "nevergrad", "pymoo"]


@pytest.fixture(params=PACKAGES)
def example(request, monkeypatch):
    """The module of an example; what its package warns of when it is imported is its own."""
    monkeypatch.syspath_prepend(EXAMPLES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(f"with_{request.param}")


class Counted(BitProblem):
    """A problem that keeps the values of all that was evaluated."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.seen = []

    def values(self, rows):
        found = super().values(rows)
        self.seen.extend(found.tolist())
        return found


def test_it_prints_a_line_for_each_representation(example, capsys):
    example.main("small-dimension-3-a", 60, 2)
    title, *lines = capsys.readouterr().out.splitlines()
    assert re.search(r": small-dimension-3-a, 60 evaluations, the optimum is 0$", title)
    pattern = r"(direct|linear) +(\d+) bits, values \[\d+\.0, \d+\.0\]"
    found = [re.fullmatch(pattern, line).groups() for line in lines]
    assert found == [("direct", "12"), ("linear", "45")]


def test_the_page_of_examples_shows_what_is_printed(monkeypatch, capsys):
    pytest.importorskip("deap")
    monkeypatch.syspath_prepend(EXAMPLES)
    importlib.import_module("with_deap").main()
    page = (ROOT / "docs" / "examples" / "index.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out in page


@pytest.mark.parametrize("representation", ["direct", "linear"])
def test_it_finds_the_best_of_its_evaluations(example, representation):
    sudoku = Sudoku.instance("small-dimension-8-a")
    problem = Counted(sudoku, representation=representation)
    bits = example.search(problem, 300, seed=1)
    seen = list(problem.seen)
    assert problem(bits) == min(seen)
    assert 200 <= len(seen) <= 300 + problem.n  # gomea ends with an improvement it is at
    assert min(seen) < min(seen[:20])
    again = example.search(BitProblem(sudoku, representation=representation), 300, seed=1)
    assert np.array_equal(again, bits)
