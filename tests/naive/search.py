"""A run the slow and obvious way: every point decoded and evaluated from scratch.

An algorithm is a module of `naive.algorithms` with the name of its module in the package, and a
function `search(run, points, parameters, random)`. `points` are those of a search on bits (below),
lists of bits, or on categories (`categories.py`). It never counts: `run.evaluate` raises Stop when
the run is over.
"""

from contextlib import suppress
from functools import cache
from importlib import import_module

from catcube.algorithms import MODULES, algorithm
from tests.naive.stream import Stream

ALGORITHMS = [name for name in MODULES if algorithm(name).compiled]  # all have a twin


class Stop(Exception):  # noqa: N818, it is no error
    """The budget is used up, or the target is reached."""


class Recorder:
    """Counts the evaluations, and keeps all of them and the best."""

    def __init__(self, value, budget, target=None):
        self.value = value
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

    random = Stream(seed)
    points = Bits([representation.bits for representation in representations], random)
    recorder = Recorder(value, budget, target)
    with suppress(Stop):
        module = import_module(f"tests.naive.algorithms.{MODULES[name]}")
        module.search(recorder, points, parameters, random)
    return recorder


class Bits:
    """The points of a search on bits, lists of them; `sizes` says how many each variable has."""

    exchanges = False

    def __init__(self, sizes, random):
        self.sizes, self.random, self.n = sizes, random, sum(sizes)

    def draw(self):
        """A uniform point."""
        return self.random.bits(self.n)

    def neighbours(self, point):
        """All points that differ in one bit."""
        return [flipped(point, i) for i in range(self.n)]

    def neighbour(self, point):
        """A uniform one of them."""
        return flipped(point, self.random.below(self.n))

    def mutated(self, point):
        """A copy after standard bit mutation; there is nothing to flip without a bit."""
        return flipped(point, *self.random.flips(self.n)) if point else []

    def mask(self, parameters):
        """For each bit, whether the second parent gives it: a coin per bit, or per variable."""
        if not parameters.by_variable:
            return self.random.bits(self.n)
        coins = self.random.bits(len(self.sizes))
        return [coin for coin, size in zip(coins, self.sizes, strict=True) for _ in range(size)]

    def choices(self):
        """What a hill climber tries: the flip of each bit."""
        return list(range(self.n))

    def chosen(self, point):
        """Those of them that lead nowhere."""
        return set()

    def changed(self, point, i):
        """The point after a choice, and the choice that leads back."""
        return flipped(point, i), i


def flipped(bits, *indices):
    """A copy with these bits flipped."""
    return [bit ^ (index in indices) for index, bit in enumerate(bits)]
