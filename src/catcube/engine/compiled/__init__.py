"""The one place that knows numba's private side: compiling, calling by address, packed words."""
