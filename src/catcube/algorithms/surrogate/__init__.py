"""A search for few, expensive evaluations: a model of the objective says where to look.

`fit` has the covariance and finds its parameters, `process` holds the data, `acquisition` judges
points and finds the best of them, `proposals` proposes points from all points and values so far,
`search` evaluates them, `model` is for the user.
"""

from catcube.algorithms.surrogate.search import ALGORITHM

__all__ = ["ALGORITHM"]
