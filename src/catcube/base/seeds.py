"""Seeds derived from one seed and names, so that they do not depend on the order of runs."""

from hashlib import sha256


def derive_seed(seed: int, *names: str | int) -> int:
    """Return a 63-bit seed derived from a seed and names.

    >>> derive_seed(1, "sudoku-easy-56", "sa", "linear", 1)
    4347052251897270402
    >>> derive_seed(1, "ab", "c") == derive_seed(1, "a", "bc")
    False
    """
    text = "\0".join(str(part) for part in (seed, *names))
    data = text.encode("utf-8", "surrogatepass")  # names of files need not be text
    return int.from_bytes(sha256(data).digest()[:8], "big") >> 1
