"""A representation: binary numbers with the most significant bit first."""

import numpy as np

from catcube import Representation
from catcube.plugins import representation

DESCRIPTION = "the binary number, most significant bit first, modulo N"


@representation("reversed", DESCRIPTION)
def reversed_bits(N: int) -> Representation:
    """Give bit i of k the value 2^(k - 1 - i); the category is the number modulo N.

    >>> reversed_bits(8).decode([1, 0, 0])
    array(4)
    """
    k = (N - 1).bit_length()
    columns = [1 << bit for bit in reversed(range(k))]
    return Representation(columns, np.arange(2**k) % N, name="reversed", description=DESCRIPTION)
