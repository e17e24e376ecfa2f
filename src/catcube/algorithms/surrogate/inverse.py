"""The inverse of a covariance matrix, computed or changed by one point.

Plain loops without BLAS: their order is fixed, so results depend neither on the library nor on
its threads. Inner loops run over rows and add no numbers up, so that they are vectorised.
"""

import math

from catcube.engine.compiled.jit import njit, part


@part
def invert(matrix, size, room, inverse):
    """Write the inverse of a symmetric matrix; log of its determinant, NaN if it is not positive.

    Cholesky: with A = U'U, the inverse is W W' where W is the inverse of U.
    """
    log_determinant = 0.0
    for i in range(size):
        for j in range(size):
            inverse[i, j] = matrix[i, j]
    for k in range(size):
        pivot = inverse[k, k]
        if not pivot > 0.0:
            return math.nan
        root = math.sqrt(pivot)
        log_determinant += 2.0 * math.log(root)
        upper = inverse[k]
        for j in range(k, size):
            upper[j] /= root
        for i in range(k + 1, size):
            factor, row = upper[i], inverse[i]
            for j in range(i, size):
                row[j] -= factor * upper[j]
    for i in range(size):
        for j in range(size):
            room[i, j] = 0.0
    for i in range(size - 1, -1, -1):
        row = room[i]
        row[i] = 1.0
        for k in range(i + 1, size):
            factor, below = inverse[i, k], room[k]
            for j in range(k, size):
                row[j] -= factor * below[j]
        scale = 1.0 / inverse[i, i]
        for j in range(i, size):
            row[j] *= scale
    for a in range(size):
        for b in range(a):
            room[a, b] = room[b, a]
        for b in range(size):
            inverse[a, b] = 0.0
    for k in range(size):
        column = room[k]
        for a in range(k + 1):
            factor, row = column[a], inverse[a]
            for b in range(a + 1):
                row[b] += factor * column[b]
    for a in range(size):
        for b in range(a):
            inverse[b, a] = inverse[a, b]
    return log_determinant


@part
def multiply(inverse, size, vector, product):
    """Write the product of a symmetric matrix and a vector."""
    for b in range(size):
        product[b] = 0.0
    for a in range(size):
        factor, row = vector[a], inverse[a]
        for b in range(size):
            product[b] += factor * row[b]


@njit
def append_point(inverse, size, covariances, variance, room):
    """Extend the inverse by a point; whether that is possible with the digits there are."""
    multiply(inverse, size, covariances, room)
    rest = variance
    for a in range(size):
        rest -= covariances[a] * room[a]
    if rest < 1e-9:
        return False
    for a in range(size):
        factor, row = room[a] / rest, inverse[a]
        for b in range(size):
            row[b] += factor * room[b]
        row[size] = -factor
        inverse[size, a] = -factor
    inverse[size, size] = 1.0 / rest
    return True


@njit
def remove_point(inverse, size, position):
    """Shrink the inverse by a point; the last point takes its position."""
    last = size - 1
    if position != last:
        for a in range(size):
            held = inverse[a, position]
            inverse[a, position] = inverse[a, last]
            inverse[a, last] = held
        for b in range(size):
            held = inverse[position, b]
            inverse[position, b] = inverse[last, b]
            inverse[last, b] = held
    scale = 1.0 / inverse[last, last]
    removed = inverse[last]
    for a in range(last):
        factor, row = removed[a] * scale, inverse[a]
        for b in range(last):
            row[b] -= factor * removed[b]
