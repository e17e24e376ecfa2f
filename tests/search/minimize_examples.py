"""A space, and a function on it in every form that `minimize` accepts."""

import numba

import catcube
from catcube import Space

SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})


def cost(point):
    return abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"]


def cost_of_rows(rows):
    return abs(rows[:, 1] - 6) + (3 - rows[:, 0]) * 3 + 1 - rows[:, 2]


def cost_of_categories(categories):
    return abs(categories[1] - 6) + (3 - categories[0]) * 3 + 1 - categories[2]


FORMS = {
    "function": (cost, {}),
    "vectorized": (cost_of_rows, {"vectorized": True}),
    "compiled": (catcube.compiled(cost_of_categories), {}),
    "numba": (numba.njit(cost_of_categories), {}),
}
