"""Expected improvement, as its logarithm: it never underflows, however little is to be expected.

With z = (best - mean) / deviation, the improvement expected of a normal value is

    EI = deviation (phi(z) + z Phi(z))

(Mockus 1978; Jones, Schonlau and Welch 1998). Far below, phi(z) / z^2 is its first term (the
logarithm as in Ament et al. 2023).
"""

import math

from catcube.engine.compiled.jit import njit, part

ROOT_2 = math.sqrt(2.0)
ROOT_2_PI = math.sqrt(2.0 * math.pi)
FAR = -6.0


@part
def log_improvement(mean, deviation, best):
    """Return the logarithm of the expected improvement on `best`."""
    z = (best - mean) / deviation
    if z > FAR:
        density = math.exp(-0.5 * z * z) / ROOT_2_PI
        return math.log(deviation * (density + 0.5 * z * math.erfc(-z / ROOT_2)))
    return math.log(deviation / ROOT_2_PI) - 0.5 * z * z - 2.0 * math.log(-z)


@njit
def improvement(mean, deviation, best):
    """Return the same, for Python."""
    return log_improvement(mean, max(deviation, 1e-12), best)


@njit
def improvements(point, cardinalities, mean, deviation, best, table):
    """Write the logarithm for every change of the point; -inf where nothing changes."""
    for i in range(cardinalities.size):
        for c in range(table.shape[1]):
            if c >= cardinalities[i] or c == point[i]:
                table[i, c] = -math.inf
            else:
                table[i, c] = log_improvement(mean[i, c], deviation[i, c], best)
