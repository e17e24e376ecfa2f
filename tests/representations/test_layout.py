"""Layouts whose categories are shuffled, in Python and in the compiled engine."""

import numpy as np
import pytest

from catcube.algorithms import algorithm
from catcube.problems import Match
from catcube.representations.layout import build_layout, decode_points
from catcube.search.run import Run, execute
from catcube.space import Space

SPACE = Space({"a": range(9), "b": range(9), "one": ["label"], "c": range(4)})


@pytest.mark.parametrize("name", ["direct", "linear", "balanced", "compact", "unary", "vt"])
def test_shuffling_renames_the_categories_of_each_variable(name):
    plain, shuffled = build_layout(SPACE, name), build_layout(SPACE, name, 3)
    bits = np.random.default_rng(1).integers(0, 2, (4000, plain.variable.size))
    before, after = decode_points(plain, bits), decode_points(shuffled, bits)
    names = []
    for variable, size in enumerate(SPACE.cardinalities):
        renamed = dict(zip(before[:, variable].tolist(), after[:, variable].tolist(), strict=True))
        assert sorted(renamed) == sorted(renamed.values()) == list(range(size))
        assert [renamed[category] for category in before[:, variable].tolist()] == after[
            :, variable
        ].tolist()
        names.append(renamed)
    assert names[0] != names[1]  # each variable has a separate permutation


def test_all_representations_of_an_instance_have_the_same_permutations():
    def renamed(name):
        plain, shuffled = build_layout(SPACE, name), build_layout(SPACE, name, 5)
        bits = np.random.default_rng(1).integers(0, 2, (4000, plain.variable.size))
        return {
            (variable, int(old)): int(new)
            for old_row, new_row in zip(
                decode_points(plain, bits), decode_points(shuffled, bits), strict=True
            )
            for variable, (old, new) in enumerate(zip(old_row, new_row, strict=True))
        }

    assert renamed("linear") == renamed("vt") == renamed("direct")


def test_a_native_search_knows_of_no_order():
    plain, shuffled = build_layout(SPACE, "native"), build_layout(SPACE, "native", 3)
    assert plain.moves == shuffled.moves
    assert (plain.variable == shuffled.variable).all()


@pytest.mark.parametrize("representation", ["linear", "balanced"])
@pytest.mark.parametrize("name", ["rls", "umda"])
def test_the_engine_decodes_shuffled_categories(name, representation):
    """One flips bits, the other decodes whole points: both must see the categories of the table."""
    problem = Match(12, 9, seed=2)
    layout = build_layout(problem.space, representation, 7)
    method = algorithm(name)
    outcome = execute(Run(problem, layout, method, method.resolve(None, {}), 600, None, seed=1))
    found = decode_points(layout, outcome.solution)
    assert problem.evaluate(found) == outcome.value < 9
