"""A search for few, expensive evaluations, whose points are proposed by a model of the objective.

- `fit`: the Gaussian process, and the fit of its parameters.
- `acquisition`: expected improvement, and its maximisation by local search.
- `trajectory`: the sequence of points and values, and the state that follows from it.
- `proposals`: the next points to evaluate, given all points and values.
- `search`: the loop that evaluates the proposals.
- `model`: the fitted models, and the one that users get.
"""

from catcube.algorithms.surrogate.search import ALGORITHM

__all__ = ["ALGORITHM"]
