"""All code that uses private parts of numba: compilation, calls by address, packed words."""
