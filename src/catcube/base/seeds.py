"""Seeds derived from one seed and names: a run's seed does not depend on the order of runs."""

from hashlib import sha256


def derive_seed(seed: int, *names: str | int) -> int:
    """Derive a 63-bit seed from a seed and names.

    >>> derive_seed(1, "sudoku-easy-56", "sa", "linear", 1)
    4347052251897270402
    >>> derive_seed(1, "ab", "c") == derive_seed(1, "a", "bc")
    False
    """
    text = "\0".join(str(part) for part in (seed, *names))
    # Names may be those of files, which need not be text.
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(data).digest()[:8], "big") >> 1
