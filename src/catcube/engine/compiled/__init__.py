"""All code that uses private parts of numba: compiling, calling by address, packed words."""
