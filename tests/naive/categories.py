"""A run on categories the slow and obvious way: every point evaluated from scratch.

Algorithms are those on bits (`search.py`), on points that are lists of categories; two are written
again (`algorithms/native_*.py`). Variables of one category take no part: they are not among them.
"""

from contextlib import suppress
from importlib import import_module

from catcube.algorithms import MODULES
from tests.naive.search import Recorder, Stop
from tests.naive.stream import Stream


def run(name, function, cardinalities, parameters, budget, seed, target=None):
    """The recorder of a complete run; `function` is one of the tuple of categories."""

    def value(genes):
        genes = iter(genes)
        categories = tuple(next(genes) if size > 1 else 0 for size in cardinalities)
        return categories, function(categories)

    random = NativeStream(seed, joint=len(set(cardinalities)) == 1)
    points = Categories(cardinalities, random)
    recorder = Recorder(value, budget, target)
    with suppress(Stop):
        module = MODULES[name]
        prefix = "native_" if module in ("pbil", "mimic") else ""
        found = import_module(f"tests.naive.algorithms.{prefix}{module}")
        found.search(recorder, points, parameters, random)
    return recorder


class Categories:
    """The points of a search on categories, lists of them; `sizes` are their numbers."""

    def __init__(self, cardinalities, random):
        self.cardinalities, self.random = cardinalities, random
        self.sizes = [size for size in cardinalities if size > 1]
        self.n = len(self.sizes)
        self.exchanges = self.n > 1

    def draw(self):
        """A uniform point."""
        return self.random.categories(self.sizes)

    def neighbours(self, point):
        """All points that differ in one variable: by variable, then by category."""
        own = self.chosen(point)
        return [self.changed(point, choice)[0] for choice in self.choices() if choice not in own]

    def neighbour(self, point):
        """A uniform one of them."""
        everyone = self.neighbours(point)
        return everyone[self.random.below(len(everyone))]

    def mutated(self, point):
        """A copy in which some variables, at least one, have another category."""
        child = list(point)
        for variable, which in self.random.changes(self.sizes) if self.sizes else []:
            others = [c for c in range(self.sizes[variable]) if c != point[variable]]
            child[variable] = others[which]
        return child

    def mask(self, parameters):
        """A coin for every variable of the space, also for those without a choice."""
        coins = self.random.bits(len(self.cardinalities))
        return [coin for coin, size in zip(coins, self.cardinalities, strict=True) if size > 1]

    def choices(self):
        """What a hill climber tries: each category of each variable."""
        return [(v, category) for v, size in enumerate(self.sizes) for category in range(size)]

    def chosen(self, point):
        """Those of them that lead nowhere."""
        return set(enumerate(point))

    def changed(self, point, choice):
        """The point after a choice, and the choice that leads back."""
        v, category = choice
        return [*point[:v], category, *point[v + 1 :]], (v, point[v])


class NativeStream(Stream):
    """Draws of categories."""

    def __init__(self, seed, joint):
        super().__init__(seed)
        self.joint = joint  # whether a variable and its category are one draw in a mutation

    def categories(self, sizes):
        """A uniform category for each variable, one draw each."""
        return [self.below(size) for size in sizes]

    def changes(self, sizes):
        """What a mutation changes: (variable, which of its other categories).

        How many is drawn as for bits. If all variables of the space have the same number of
        categories, a change is one draw among all; again, if its variable has one. Otherwise the
        variables are drawn first, as the bits to flip are, then a category for each.
        """
        if not self.joint:
            variables = self.flips(len(sizes))
            return [(variable, self.below(sizes[variable] - 1)) for variable in variables]
        count = self.flip_count(len(sizes))
        each = sizes[0] - 1
        found = {}
        while len(found) < count:
            variable, which = divmod(self.below(each * len(sizes)), each)
            found.setdefault(variable, which)
        return list(found.items())

    def drawn(self, distributions):
        """A category from each distribution: a random byte says in which of 256 cells.

        Where the cell lies within the interval of one category below 255, it is that; elsewhere a
        uniform real says where in the cell. These are drawn after all bytes, in order.
        """
        thrown = self.bytes(len(distributions))
        found = []
        for byte, probabilities in zip(thrown, distributions, strict=True):
            ends = cells(probabilities)
            starts = [0.0, *ends[:-1]]
            within = [
                category
                for category in range(min(len(ends), 255))
                if starts[category] <= byte and byte + 1 <= ends[category]
            ]
            if within:
                found.append(within[0])
            else:
                position = byte + self.uniform()
                found.append(next(c for c, end in enumerate(ends) if end > position))
        return found


def cells(probabilities):
    """Where the interval of each category ends, in cells: the sums from the first on."""
    ends = []
    total = 0.0
    for probability in probabilities[:-1]:
        total += probability
        ends.append(256 * total)
    return [*ends, 256.0]


def raised(probabilities, genes, margin):
    """None below margin / (n (N - 1)), and their sum one again."""
    bound = margin / (genes * (len(probabilities) - 1))
    probabilities = [max(probability, bound) for probability in probabilities]
    total = 0.0
    for probability in probabilities:
        total += probability
    return [probability / total for probability in probabilities]
