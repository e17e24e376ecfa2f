"""Local search under the linear representation is native search, if N is a power of two.

Flipping a random bit is then changing a random variable to another category, all alike, which a
chi-square test with a fixed seed sees; it fails with the probability ERROR.
"""

from collections import Counter
from itertools import pairwise

import pytest

from catcube.engine.compiled.jit import JIT
from tests.algorithms.test_twins import called_every_time

stats = pytest.importorskip("scipy.stats")

ERROR = 1e-5


@pytest.mark.parametrize("algorithm", ["rls", "sa"])
@pytest.mark.parametrize(("variables", "N"), [(5, 4), (3, 16), (6, 2)])
@pytest.mark.parametrize("representation", ["linear", "native"])
def test_a_step_on_a_plain(algorithm, variables, N, representation):
    """Every step changes exactly one variable; all variables and other categories are alike."""
    points = []
    called_every_time(
        lambda point: points.append(tuple(point.values())) or 0.0,
        {f"x{v}": range(N) for v in range(variables)},
        algorithm=algorithm,
        representation=representation,
        budget=10_000 if JIT else 2500,
        seed=1,
    )
    moves = Counter()
    for before, after in pairwise(points):
        changed = [(v, b) for v, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        assert len(changed) == 1
        ((v, category),) = changed
        moves[v, (category - before[v]) % N] += 1
    expected = variables * (N - 1)
    assert len(moves) == expected
    assert stats.chisquare(list(moves.values())).pvalue > ERROR
