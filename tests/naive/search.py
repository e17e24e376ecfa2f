"""A run the slow and obvious way: every point decoded and evaluated from scratch.

An algorithm is a module of `naive.algorithms` with the name of its module in the package, and a
function `search(run, n, parameters, random)` over lists of n bits. It never counts:
`run.evaluate` raises Stop when the run is over.
"""

from contextlib import suppress
from functools import cache
from importlib import import_module

from catcube.algorithms import MODULES
from tests.naive.stream import Stream


class Stop(Exception):  # noqa: N818, it is no error
    """The budget is used up, or the target is reached."""


class Recorder:
    """Counts the evaluations, and keeps all of them and the best."""

    def __init__(self, value, budget, target=None, sizes=()):
        self.value = value
        self.sizes = sizes  # how many bits each variable has
        self.budget = budget
        self.target = target
        self.points = []
        self.values = []
        self.trace = []  # (evaluation, value) of every strict improvement
        self.best_bits = None
        self.best_value = None

    def evaluate(self, bits):
        """The value of these bits, one evaluation."""
        categories, value = self.value(bits)
        self.points.append(categories)
        self.values.append(value)
        if self.best_bits is None or value < self.best_value:
            self.best_bits, self.best_value = list(bits), value
            self.trace.append((len(self.values), value))
        if len(self.values) == self.budget:
            raise Stop
        if self.target is not None and value <= self.target:
            raise Stop
        return value

    def best(self):
        """A copy of the best bits so far and their value."""
        return list(self.best_bits), self.best_value


def decoded(representations, bits):
    """The categories of all variables, by the documented decoding of each."""
    categories = []
    for representation in representations:
        part, bits = bits[: representation.bits], bits[representation.bits :]
        categories.append(category(representation, tuple(part)))
    return tuple(categories)


@cache
def category(representation, bits):
    """The category of these bits."""
    return int(representation.decode(bits))


def run(name, function, representations, parameters, budget, seed, target=None):
    """The recorder of a complete run; `function` is one of the tuple of categories."""

    def value(bits):
        categories = decoded(representations, bits)
        return categories, function(categories)

    sizes = [representation.bits for representation in representations]
    recorder = Recorder(value, budget, target, sizes)
    with suppress(Stop):
        algorithm(name).search(recorder, sum(sizes), parameters, Stream(seed))
    return recorder


def algorithm(name):
    """The slow twin of an algorithm."""
    return import_module("tests.naive.algorithms." + MODULES[name].rpartition(".")[2])


def flipped(bits, *indices):
    """A copy with these bits flipped."""
    return [bit ^ (index in indices) for index, bit in enumerate(bits)]


def mutated(bits, random):
    """A copy after standard bit mutation; there is nothing to flip without a bit."""
    return flipped(bits, *random.flips(len(bits))) if bits else []
