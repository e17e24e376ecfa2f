"""Register a representation, a problem and an algorithm with catcube on import."""

from catcube_example.queens import Queens
from catcube_example.reversed_bits import reversed_bits
from catcube_example.threshold import THRESHOLD

__all__ = ["THRESHOLD", "Queens", "reversed_bits"]
