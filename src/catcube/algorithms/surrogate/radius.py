"""How many changes an ascent may make: several radii compete by how often they have paid lately.

A trust region whose radius follows its success is that of Wan et al. (2021, Casmopolitan). Here a
radius is drawn in proportion to the share of its recent points that became the best: probability
matching (D. E. Goldberg, Machine Learning 5, 1990, 407-425). In the beginning the radii are alike;
later, single changes pay where the model knows little, long ascents where it is good.
"""

RADII = (1, 2, 20)  # changes of one ascent at most
MEMORY = 0.97  # of an earlier point, for each later one
SUCCESSES, TRIALS = 0.5, 5.0  # taken for granted, so that every radius keeps a chance


class Radius:
    """The radius of the next ascent.

    >>> radius = Radius()
    >>> [radius.drawn(uniform) for uniform in (0.1, 0.5, 0.9)]
    [1, 2, 20]
    >>> for _ in range(20):
    ...     radius.tell(20, improved=True)
    >>> [radius.drawn(uniform) for uniform in (0.1, 0.5, 0.9)]
    [1, 20, 20]
    """

    def __init__(self) -> None:
        self._successes = dict.fromkeys(RADII, SUCCESSES)
        self._trials = dict.fromkeys(RADII, TRIALS)

    def drawn(self, uniform: float) -> int:
        """Return the radius for a uniform number in [0, 1)."""
        shares = [self._successes[radius] / self._trials[radius] for radius in RADII]
        left = uniform * sum(shares)
        for radius, share in zip(RADII, shares, strict=True):
            left -= share
            if left < 0:
                return radius
        return RADII[-1]

    def tell(self, radius: int, improved: bool) -> None:
        """Take into account whether a point of an ascent with this radius became the best."""
        for sums, granted in ((self._successes, SUCCESSES), (self._trials, TRIALS)):
            for each in RADII:
                sums[each] = granted + MEMORY * (sums[each] - granted)
        self._successes[radius] += improved
        self._trials[radius] += 1
