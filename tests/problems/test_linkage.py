"""Traps, constraints and nested blocks: their values by definition, their optima; the suite."""

from itertools import product

import numpy as np
import pytest

from catcube.errors import CatcubeError
from catcube.experiments.plan_file import shipped_plan
from catcube.problems import Csp, Hiff, Trap, suite
from catcube.problems.suites import Suite


def points(problem, count=50):
    random = np.random.default_rng(1)
    return random.integers(0, problem.space.cardinalities, (count, len(problem.space)))


@pytest.mark.parametrize(("n", "overlap", "blocks"), [(8, 0, 3), (8, 1, 4), (9, 2, 9)])
def test_a_trap_is_right_as_a_whole_or_misleads(n, overlap, blocks):
    problem = Trap(n, 3, 4, overlap, seed=5)
    right = problem.space.encode(problem.hidden)
    decoy = problem.space.encode(problem.decoy)
    assert (right != decoy).all()
    starts = range(0, n, 3 - overlap)
    assert len(starts) == blocks
    for point in [right, decoy, *points(problem)]:
        expected = 0
        for start in starts:
            block = [i % n for i in range(start, start + 3) if overlap or i < n]
            if (point[block] != right[block]).any():
                expected += 1 + (point[block] != decoy[block]).sum()
        assert problem.evaluate(point) == expected


def test_a_trap_of_two_letters_is_the_usual_one():
    problem = Trap(5, 5, 2)
    right = problem.space.encode(problem.hidden)
    for point in product(range(2), repeat=5):
        equal = int((np.array(point) == right).sum())
        assert problem.evaluate(np.array(point)) == (0 if equal == 5 else 1 + equal)


@pytest.mark.parametrize("arity", [1, 2, 3])
def test_constraints_forbid_their_fraction_but_nothing_hidden(arity):
    assert Csp(8, 4, 20, 0.5, arity, planted=False).optimum is None
    problem = Csp(8, 4, 20, 0.5, arity, seed=3)
    assert problem.evaluate(problem.hidden) == problem.optimum == 0
    for table in problem.tables:
        assert table.sum() == round(0.5 * 4**arity)
    for point in points(problem):
        violated = [
            table[tuple(point[list(scope)])]
            for scope, table in zip(problem.scopes, problem.tables, strict=True)
        ]
        assert problem.evaluate(point) == sum(violated)


@pytest.mark.parametrize("n", [2, 5, 8, 12])
def test_nested_blocks_cost_their_leaves_unless_they_agree(n):
    problem = Hiff(n, 3, seed=2)
    optima = {tuple(np.argmax(problem.meaning == letter, axis=1)) for letter in range(3)}
    assert len(optima) == 3
    assert {problem.evaluate(np.array(point)) for point in optima} == {0.0}
    leaf = problem.integers[problem.integers[1] :][:n]

    def cost(node, letters):
        """Return the leaves below a node and the cost of its subtree."""
        if node >= n:
            return {letters[node]}, 1, 0
        (left, size, first), (right, other, second) = (
            cost(child, letters) for child in (2 * node, 2 * node + 1)
        )
        found, leaves = left | right, size + other
        return found, leaves, first + second + (leaves if len(found) > 1 else 0)

    for point in points(problem):
        letters = dict(zip(leaf.tolist(), problem.meaning[range(n), point].tolist(), strict=True))
        assert problem.evaluate(point) == cost(1, letters)[2]


@pytest.mark.compiled
def test_the_suite_is_what_it_was():
    found = suite("catcube-2026")
    assert len(found.families) == 13
    assert {len(family) for family in found.families.values()} == {15}
    for instance in found.instances:
        found.problem(instance)  # checks the fingerprint
    [families] = shipped_plan("beyond-families").experiments
    assert list(families.instances) == found.instances


def test_an_instance_that_has_changed_is_refused():
    changed = Suite("mine-2026", {"hiff": {"hiff:8,3": "0123456789abcdef"}})
    with pytest.raises(CatcubeError, match="hiff:8,3"):
        changed.problem("hiff:8,3")
    with pytest.raises(ValueError, match="hiff:9,3"):
        changed.problem("hiff:9,3")
