"""A search for few, expensive evaluations: a model of the objective proposes the points.

`fit` has the Gaussian process and finds its parameters, `acquisition` judges points and finds the
best of them, `course` follows the sequence of points and values, `proposals` proposes points given
all of them, `search` evaluates what is proposed, `model` is for the user.
"""

from catcube.algorithms.surrogate.search import ALGORITHM

__all__ = ["ALGORITHM"]
