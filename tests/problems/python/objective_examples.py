"""A space for tests of objectives."""

from catcube import Space

SPACE = Space({"base": "ATCG", "digit": range(1, 10)})
