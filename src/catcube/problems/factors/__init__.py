"""Sums of cost tables over small sets of variables, from Python, UAI and BIF files."""

from catcube.problems.factors.problem import Factors

__all__ = ["Factors"]
