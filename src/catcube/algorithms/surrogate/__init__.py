"""A search for few, expensive evaluations: a model of the objective says where to look.

`kernel` is the covariance of the model, `fit` finds its parameters by their `likelihood`,
`gaussian_process` holds the data, `neighbourhood` and `acquisition` judge points, `candidates`
finds the best of them, `proposals` proposes points and takes their values, `search` evaluates,
`model` is for the user.
"""

from catcube.algorithms.surrogate.search import ALGORITHM

__all__ = ["ALGORITHM"]
